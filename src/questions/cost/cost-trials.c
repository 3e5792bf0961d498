/* How long a step takes, from short trials: one for each kind of agent on each environment, or for
 * some of these pairs where there are many. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/spec.h"
#include "questions/cost/cost.h"

enum { MOST_TRIALS = 200, FIRST_STEPS = 64 };
static const double GRACE = 0.5; /* seconds that a longer trial may take beyond the time of all */

/* When trials must end. */
typedef struct limit {
  const far__cost_def *def;
  double deadline;
  bool stopped; /* by the caller's progress function */
} limit;

static bool until_deadline(void *user, const far_progress *progress) {
  limit *l = user;
  l->stopped = l->def->progress != NULL && !l->def->progress(l->def->user, progress);
  return !l->stopped && far__clock_seconds() < l->deadline;
}

/* A cell that is tried, in longer and longer runs. */
typedef struct trial {
  size_t cell;
  int64_t steps, runs;    /* of the next one */
  double before, seconds; /* the last one: steps of a run, and what it took */
  double rate;            /* seconds a step of the whole run, about; -1: no trial was finished */
  bool over;
} trial;

/* Runs of so many steps; the processor time of one, or -1 if they were not finished. */
static far_status time_runs(double *out, const far_batch_def *def, const trial *t, int64_t steps,
                            limit *until, far_error *error) {
  const far_cell *of = &def->cells[t->cell];
  const far_cell cell = {
      .mdp = of->mdp, .agent = of->agent, .steps = steps, .simulator = of->simulator};
  far_batch_def d = *def;
  far_batch *batch;
  far_error problem; /* out of time is none */
  d.cells = &cell;
  d.n_cells = 1;
  d.runs = t->runs;
  d.threads = 1;
  d.pool = NULL;
  d.progress = until_deadline;
  d.user = until;
  const far_status status = far_batch_run(&batch, &d, &problem);
  *out = status == FAR_OK ? far_batch_result(batch, 0)->seconds / (double)t->runs : -1;
  far_batch_free(batch);
  if (until->stopped)
    return far__fail(error, FAR_STATUS_CANCELLED, -1, "the estimate of the cost was stopped");
  if (status != FAR_STATUS_MEMORY) return FAR_OK;
  if (error != NULL) *error = problem;
  return status;
}

/* The first steps of a run are not like the others: a model may be small as yet, or planned again and
 * again. What was added by the longer trial is taken for the rest of the run. */
static void learn(trial *t, double seconds, double n, double all) {
  const double more =
      t->before > 0 && n > t->before ? (seconds - t->seconds) / (n - t->before) : -1;
  const double late = more >= 0 ? more : seconds / n;
  t->rate = (seconds + late * (all - n)) / all;
  t->before = n;
  t->seconds = seconds;
}

static far_status try_once(const far_batch_def *def, trial *t, limit *until, far_error *error) {
  const far_cell *cell = &def->cells[t->cell];
  const int64_t n = t->steps < cell->steps ? t->steps : cell->steps;
  double seconds;
  const far_status status = time_runs(&seconds, def, t, n, until, error);
  if (status != FAR_OK) return status;
  if (seconds >= 0) learn(t, seconds, (double)n, (double)cell->steps);
  t->over = t->runs >= def->runs || far__clock_seconds() > until->deadline;
  *(n == cell->steps ? &t->runs : &t->steps) *= 4;
  return FAR_OK;
}

/* The trial whose cell would take the longest, and that can still grow in the time left. */
static trial *most_costly(const far_batch_def *def, trial *trials, size_t n, double left) {
  trial *best = NULL;
  double most = -1;
  for (size_t k = 0; k < n; ++k) {
    const int64_t all = def->cells[trials[k].cell].steps;
    const double steps = (double)(trials[k].steps < all ? trials[k].steps : all);
    if (trials[k].over || trials[k].rate * steps * (double)trials[k].runs > left) continue;
    const double cost = trials[k].rate * (double)all;
    if (cost > most) best = &trials[k];
    if (cost > most) most = cost;
  }
  return best;
}

/* ---- cells without a trial ---- */

/* The first agent of the kind of agent j. */
static size_t first_of_kind(const far_cell *cells, size_t j) {
  size_t first = 0;
  while (!far__spec_same_type(cells[first].agent, cells[j].agent)) ++first;
  return first;
}

typedef struct mean {
  double sum;
  size_t n;
} mean;

static void add(mean *m, double rate) {
  if (rate < 0) return;
  m->sum += rate;
  m->n += 1;
}

static double mean_or(const mean *m, double other) {
  return m->n > 0 ? m->sum / (double)m->n : other;
}

/* Each gets the rate of the same kind on the same environment, or the mean of that kind, or of all.
 * Column by column: those of the first of a kind are still what the trials say. */
static void fill(far__cost *cost, const far_batch_def *def, size_t n_agents) {
  far__cost_cell *cells = cost->cells;
  mean all = {0};
  for (size_t i = 0; i < def->n_cells; ++i) add(&all, cells[i].rate);
  const double any = mean_or(&all, 0);
  for (size_t j = 0; j < n_agents; ++j) {
    const size_t first = first_of_kind(def->cells, j);
    mean kind = {0};
    if (j == first) continue;
    for (size_t i = first; i < def->n_cells; i += n_agents) add(&kind, cells[i].rate);
    for (size_t i = 0; i < def->n_cells; i += n_agents)
      cells[i + j].rate = cells[i + first].rate >= 0 ? cells[i + first].rate : mean_or(&kind, any);
  }
  for (size_t i = 0; i < def->n_cells; ++i)
    if (cells[i].rate < 0) cells[i].rate = any;
}

/* ---- all trials ---- */

/* One trial for each kind, then longer ones of the most costly cells. */
static far_status run_trials(trial *trials, size_t count, const far_batch_def *def,
                             const far__cost_def *cost, far_error *error) {
  const double end = far__clock_seconds() + cost->seconds;
  limit until = {.def = cost, .deadline = end};
  far_status status = FAR_OK;
  for (size_t k = 0; status == FAR_OK && k < count && far__clock_seconds() < end; ++k)
    status = try_once(def, &trials[k], &until, error);
  until.deadline = end + GRACE;
  while (status == FAR_OK && far__clock_seconds() < end) {
    trial *next = most_costly(def, trials, count, end - far__clock_seconds());
    if (next == NULL) break;
    status = try_once(def, next, &until, error);
  }
  return status;
}

far_status far__cost_trials(far__cost *cost, far_error *error) {
  const far_batch_def *def = far_study_batch(cost->def.study);
  const size_t n_agents = far_study_info_of(cost->def.study).n_agents;
  size_t *wanted = malloc(def->n_cells * sizeof *wanted), n = 0;
  trial *trials = calloc(MOST_TRIALS, sizeof *trials);
  far_status status = FAR_OK;
  if (wanted == NULL || trials == NULL)
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for trials");
  for (size_t i = 0; status == FAR_OK && i < def->n_cells; ++i) {
    cost->cells[i].rate = -1;
    if (first_of_kind(def->cells, i % n_agents) == i % n_agents) wanted[n++] = i;
  }
  const size_t count = n < MOST_TRIALS ? n : MOST_TRIALS;
  for (size_t k = 0; k < count; ++k)
    trials[k] = (trial){.cell = wanted[k * n / count], .steps = FIRST_STEPS, .runs = 1, .rate = -1};
  if (status == FAR_OK) status = run_trials(trials, count, def, &cost->def, error);
  for (size_t k = 0; status == FAR_OK && k < count; ++k)
    cost->cells[trials[k].cell].rate = trials[k].rate;
  if (status == FAR_OK) fill(cost, def, n_agents);
  free(wanted);
  free(trials);
  return status;
}
