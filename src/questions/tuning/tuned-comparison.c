/* The comparison of tuned agents: one search each, and what its fresh runs say in pairs. */
#include "questions/tuning/tuned-comparison.h"

#include <math.h> /* NAN */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "farsight/run.h"
#include "farsight/statistics.h"
#include "lab/study/parts.h"
#include "questions/tuning/tuned.h"

struct far__tuned_comparison {
  far_tune_def tune;
  far_tune_cell *cells;
  const char **envs;
  far_tune **tunes; /* NULL where a search was not begun */
  far__tuned_agent *agents;
  size_t n_agents, chosen;
  bool stopped;
  char plain_reason[320]; /* "" if there is none */
  char **texts;           /* copies */
  size_t n_texts, text_room;
};

far__tuned_comparison_def far__tuned_comparison_def_default(void) {
  return (far__tuned_comparison_def){.tune = far_tune_def_default()};
}

/* ---- copies of what was given ---- */

static far_status no_memory(far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the comparison of tuned agents");
}

/* A copy that lives as long as the comparison; NULL without memory. */
static const char *keep(far__tuned_comparison *c, const char *text) {
  if (!far__grow((void **)&c->texts, c->n_texts, &c->text_room, sizeof *c->texts)) return NULL;
  char *copy = strdup(text);
  if (copy != NULL) c->texts[c->n_texts++] = copy;
  return copy;
}

/* By its canonical name; false without memory. */
static bool keep_score(far__tuned_comparison *c, const char *score) {
  far_metric *metric;
  if (score == NULL) return true;
  if (far_metric_create(&metric, score, NULL) != FAR_OK) return false;
  c->tune.score = keep(c, metric->name);
  far_metric_free(metric);
  return c->tune.score != NULL;
}

static far_status copy_def(far__tuned_comparison *c, const far__tuned_comparison_def *def,
                           far_error *error) {
  const size_t n = def->tune.n_cells;
  c->tune = def->tune;
  c->tune.agent = NULL;
  c->tune.progress = NULL;
  c->tune.user = NULL;
  c->chosen = c->n_agents = def->n_agents;
  c->cells = calloc(n, sizeof *c->cells);
  c->envs = calloc(n, sizeof *c->envs);
  c->tunes = calloc(c->n_agents, sizeof *c->tunes);
  c->agents = calloc(c->n_agents, sizeof *c->agents);
  c->tune.cells = c->cells;
  c->tune.method = keep(c, def->tune.method);
  bool good = keep_score(c, def->tune.score) && c->cells != NULL && c->envs != NULL &&
              c->tunes != NULL && c->agents != NULL && c->tune.method != NULL;
  for (size_t i = 0; good && i < n; ++i) {
    const far_tune_cell *cell = &def->tune.cells[i];
    c->cells[i] = *cell;
    c->cells[i].with = keep(c, cell->with != NULL ? cell->with : "");
    c->envs[i] = keep(c, def->envs != NULL ? def->envs[i] : far__tuned_env(cell));
    good = c->cells[i].with != NULL && c->envs[i] != NULL;
  }
  return good ? FAR_OK : no_memory(error);
}

/* ---- checks ---- */

static bool is_fault_of_agent(far_status status) {
  return status == FAR_STATUS_SYNTAX || status == FAR_STATUS_UNKNOWN ||
         status == FAR_STATUS_RANGE || status == FAR_STATUS_CONFLICT;
}

/* Says which agent an error is about: by its position, or else in the message. */
static void name_agent(const far__tuned_comparison_def *def, size_t agent, far_error *error) {
  const char *spec = def->agents[agent];
  if (!is_fault_of_agent(error->code)) return;
  if (error->position >= 0 && (size_t)error->position <= strlen(spec)) {
    if (def->wrong != NULL) *def->wrong = spec;
    return;
  }
  const far_error bare = *error;
  far__set_error(error, bare.code, -1, "%.200s: %s", spec, bare.message);
}

/* The metric's error has no position: positions are those in the specs of agents. */
static far_status check_score(const far_tune_def *def, far_error *error) {
  far_metric *metric;
  far_error why;
  if (def->score == NULL) return FAR_OK;
  const far_status status = far_metric_create(&metric, def->score, &why);
  if (status != FAR_OK)
    return far__fail(error, status, -1, "the score %.200s: %s", def->score, why.message);
  far_metric_free(metric);
  return FAR_OK;
}

far_status far__tuned_comparison_check(const far__tuned_comparison_def *def, far_error *error) {
  far_error own;
  far_error *why = error != NULL ? error : &own;
  if (def->wrong != NULL) *def->wrong = NULL;
  if (def->n_agents == 0 || def->tune.n_cells == 0)
    return far__fail(error, FAR_STATUS_CONFLICT, -1,
                     "a comparison of tuned agents needs an agent and a cell");
  far_status status = check_score(&def->tune, why);
  if (status != FAR_OK) return status;
  const far_tune_cell *first = &def->tune.cells[0];
  if ((first->mdp != NULL) == (first->simulator != NULL))
    return far__fail(error, FAR_STATUS_RANGE, -1, "cell 0 needs either a model or a simulator");
  const far_shape shape = far_cell_shape(
      &(far_cell){.mdp = first->mdp, .simulator = first->simulator, .steps = def->tune.steps});
  for (size_t i = 0; i < def->n_agents; ++i) {
    char *space;
    status = far__tune_space(&space, def->agents[i], &shape, why);
    if (status != FAR_OK) {
      name_agent(def, i, why);
      return status;
    }
    free(space);
  }
  return FAR_OK;
}

/* Why rewards are not on a scale: the first environment that has none. */
static void find_plain_reason(far__tuned_comparison *c) {
  if (c->tune.goal != FAR_GOAL_REWARD || c->tune.score != NULL) return;
  for (size_t i = 0; i < c->tune.n_cells; ++i) {
    const far_tune_cell *cell = &c->cells[i];
    const double width = cell->high - cell->low;
    if (width > 0 && width < INFINITY) continue;
    snprintf(
        c->plain_reason, sizeof c->plain_reason,
        cell->simulator != NULL
            ? "of the simulator %.200s neither the random nor the best policy's reward is known"
        : width <= 0
            ? "in %.200s no policy earns more than the random one"
            : "in %.200s the average reward of the random or the best policy is not one number",
        c->envs[i]);
    return;
  }
}

/* ---- searches ---- */

typedef struct watch {
  const far__tuned_comparison_def *def;
  size_t agent;
} watch;

static bool forward(void *user, const far_tune_progress *progress) {
  const watch *w = user;
  return w->def->progress(w->def->user, w->agent, progress);
}

static far_status search(far__tuned_comparison *c, const far__tuned_comparison_def *def,
                         size_t agent, far_error *error) {
  watch w = {def, agent};
  far_tune_def one = c->tune;
  one.agent = def->agents[agent];
  if (def->progress != NULL) {
    one.progress = forward;
    one.user = &w;
  }
  const far_status status = far_tune_run(&c->tunes[agent], &one, error);
  if (status != FAR_OK && status != FAR_STATUS_CANCELLED) name_agent(def, agent, error);
  if (c->tunes[agent] != NULL) c->agents[agent].result = far_tune_result_of(c->tunes[agent]);
  return status;
}

static far_status search_all(far__tuned_comparison *c, const far__tuned_comparison_def *def,
                             far_error *error) {
  far_status status = FAR_OK;
  for (size_t i = 0; status == FAR_OK && i < def->n_agents; ++i) status = search(c, def, i, error);
  c->stopped = status == FAR_STATUS_CANCELLED;
  return status;
}

/* ---- the comparison ---- */

/* By the runs of the search, so that those of the evaluation are fresh for the one that is chosen. */
static size_t choose(const far__tuned_comparison *c) {
  size_t best = c->n_agents;
  for (size_t i = 0; i < c->n_agents; ++i) {
    const far_tune_result *r = c->agents[i].result;
    if (r == NULL || r->score.runs == 0) continue;
    if (best == c->n_agents || r->tuned > c->agents[best].result->tuned) best = i;
  }
  return best;
}

/* `differences` has room for one value a run. */
static void compare(far__tuned_agent *agent, const far_tune_score *best, double *differences) {
  const far_tune_score *score = &agent->result->score;
  if (score->runs == 0 || score->runs != best->runs) return;
  for (int64_t i = 0; i < score->runs; ++i) differences[i] = score->values[i] - best->values[i];
  agent->difference = score->mean - best->mean;
  agent->ci95 = far_sample_moments(differences, score->runs).ci95;
}

static far_status compare_all(far__tuned_comparison *c, far_error *error) {
  c->chosen = choose(c);
  for (size_t i = 0; i < c->n_agents; ++i) c->agents[i].difference = c->agents[i].ci95 = NAN;
  if (c->chosen == c->n_agents) return FAR_OK;
  const far_tune_score *best = &c->agents[c->chosen].result->score;
  double *differences = malloc((size_t)best->runs * sizeof *differences);
  if (differences == NULL) return no_memory(error);
  for (size_t i = 0; i < c->n_agents; ++i)
    if (i != c->chosen && c->agents[i].result != NULL) compare(&c->agents[i], best, differences);
  free(differences);
  c->agents[c->chosen].chosen = true;
  c->agents[c->chosen].difference = 0;
  return FAR_OK;
}

static far_status fill(far__tuned_comparison *c, const far__tuned_comparison_def *def,
                       far_error *error) {
  far_status status = far__tuned_comparison_check(def, error);
  if (status == FAR_OK) status = copy_def(c, def, error);
  if (status != FAR_OK) return status;
  find_plain_reason(c);
  status = search_all(c, def, error);
  if (status != FAR_OK && status != FAR_STATUS_CANCELLED) return status;
  const far_status compared = compare_all(c, error);
  return compared != FAR_OK ? compared : status;
}

far_status far__tuned_comparison_run(far__tuned_comparison **out,
                                     const far__tuned_comparison_def *def, far_error *error) {
  far_error own;
  far_error *why = error != NULL ? error : &own;
  *out = calloc(1, sizeof **out);
  if (*out == NULL) return no_memory(error);
  const far_status status = fill(*out, def, why);
  if (status == FAR_OK || status == FAR_STATUS_CANCELLED) return status;
  far__tuned_comparison_free(*out);
  *out = NULL;
  return status;
}

far__tuned_comparison_info far__tuned_comparison_info_of(const far__tuned_comparison *c) {
  return (far__tuned_comparison_info){
      .tune = &c->tune,
      .envs = c->envs,
      .agents = c->agents,
      .n_agents = c->n_agents,
      .chosen = c->chosen,
      .stopped = c->stopped,
      .plain_reason = c->plain_reason[0] != '\0' ? c->plain_reason : NULL,
  };
}

void far__tuned_comparison_free(far__tuned_comparison *c) {
  if (c == NULL) return;
  for (size_t i = 0; c->tunes != NULL && i < c->n_agents; ++i) far_tune_free(c->tunes[i]);
  for (size_t i = 0; i < c->n_texts; ++i) free(c->texts[i]);
  free(c->texts);
  free(c->tunes);
  free(c->agents);
  free(c->cells);
  free(c->envs);
  free(c);
}

/* ---- the scales of rewards, from the random policy's to the best policy's ---- */

static far_status scale(far_tune_cell *cell, int64_t steps, const far_solve_def *def,
                        far_error *error) {
  cell->low = cell->high = NAN;
  if (cell->mdp == NULL) return FAR_OK;
  const far_status status = far_solve_random_total(&cell->low, cell->mdp, steps, def, error);
  if (status != FAR_OK) return status;
  return far_solve_best_total(&cell->high, cell->mdp, steps, def, error);
}

far_status far__tune_cells_scale(far_tune_cell *cells, size_t n_cells, int64_t steps,
                                 const far_solve_def *def, far_error *error) {
  far_status status = FAR_OK;
  for (size_t i = 0; status == FAR_OK && i < n_cells; ++i) {
    size_t k = 0; /* the first cell of this model */
    while (cells[k].mdp != cells[i].mdp) ++k;
    cells[i].low = cells[k].low;
    cells[i].high = cells[k].high;
    if (k == i) status = scale(&cells[i], steps, def, error);
  }
  return status;
}
