#include "farsight/study.h"

#include <math.h> /* fabs, NAN */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "farsight/statistics.h"
#include "lab/study/parts.h"
#include "lab/tune/profile.h"
#include "lab/tune/scorer.h"

struct far_tune {
  far_tune_result result;
  char *space_text;
  char *plain; /* the defaults */
  far__space space;
  far__scorer scorer;
  far__search search;
  far__search fresh; /* the best setting and, if there is one, the defaults */
  double *values;    /* of both, one a run */
  double *means;     /* and ci95s and stds */
  far__tune_profiles profiles;
};

far_tune_def far_tune_def_default(void) {
  return (far_tune_def){.method = "halving",
                        .runs = 30,
                        .steps = 10000,
                        .evaluation = 300,
                        .profile = 100,
                        .seed = 1};
}

uint64_t far__tune_seed(uint64_t seed, const char *stage) {
  char text[64];
  uint8_t digest[FAR_HASH_BYTES];
  snprintf(text, sizeof text, "%.30s %llu", stage, (unsigned long long)seed);
  far_hash(digest, text, strlen(text));
  return far__get_u64(digest);
}

/* ---- methods ---- */

typedef struct method {
  far_type_info info;
  far_status (*search)(far__search *search, far_error *error);
} method;

static const method methods[] = {
    {.info = {.name = "random", .summary = "independent draws, each measured on all runs"},
     .search = far__search_random},
    {.info = {.name = "halving",
              .summary = "successive halving: many candidates on few runs, the best third on more",
              .reference = "Jamieson & Talwalkar, AISTATS 2016"},
     .search = far__search_halving},
    {.info = {.name = "crs",
              .summary = "controlled random search with local mutation (NLopt)",
              .reference = "Price, JOTA 40, 1983; Kaelo & Ali, JOTA 130, 2006"},
     .search = far__search_nlopt},
};

enum { N_METHODS = sizeof methods / sizeof *methods, MOST_RUNS = 100000000 };

const far_type_info *far__tune_method(size_t index) {
  return index < N_METHODS ? &methods[index].info : NULL;
}

static far_status find_method(const method **out, const char *name, far_error *error) {
  const char *names[N_METHODS];
  char all[160] = "";
  for (size_t i = 0; i < N_METHODS; ++i) {
    names[i] = methods[i].info.name;
    *out = &methods[i];
    if (strcmp(names[i], name) == 0) return FAR_OK;
    const size_t used = strlen(all);
    snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", names[i]);
  }
  return far__fail(error, FAR_STATUS_UNKNOWN, -1, "unknown method '%.60s'; there are %s", name,
                   all);
}

/* ---- before anything runs ---- */

static far_status check_def(const far_tune_def *def, far_error *error) {
  const struct {
    const char *name;
    int64_t value, least, most;
  } numbers[] = {{"runs", def->runs, 1, MOST_RUNS},
                 {"steps", def->steps, 1, 1000000000000000},
                 {"budget", def->budget, 0, INT64_MAX / 4},
                 {"evaluation", def->evaluation, 0, MOST_RUNS},
                 {"profile", def->profile, 0, MOST_RUNS}};
  if (def->agent == NULL || def->n_cells == 0)
    return far__fail(error, FAR_STATUS_CONFLICT, -1, "a search needs an agent and a cell");
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
    if (numbers[i].value < numbers[i].least || numbers[i].value > numbers[i].most)
      return far__fail(error, FAR_STATUS_RANGE, -1, "%s is %lld, but must be in %lld ... %lld",
                       numbers[i].name, (long long)numbers[i].value, (long long)numbers[i].least,
                       (long long)numbers[i].most);
  for (size_t i = 0; i < def->n_cells; ++i) {
    const far_tune_cell *cell = &def->cells[i];
    if ((cell->mdp != NULL) == (cell->simulator != NULL))
      return far__fail(error, FAR_STATUS_RANGE, -1, "cell %zu needs either a model or a simulator",
                       i);
    const far_status status =
        cell->simulator != NULL ? far_simulator_check(cell->simulator, error) : FAR_OK;
    if (status != FAR_OK) return status;
  }
  if (def->evaluation == 1 || def->profile == 1)
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "an interval needs 2 runs at least; give 0 for none");
  const double runs = fmax((double)def->runs, fmax((double)def->evaluation, (double)def->profile));
  const double most = runs * (double)def->steps * (double)def->n_cells;
  if (most > 1e15)
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "one candidate would take %.3g steps (runs x steps x environments); at most "
                     "1e15 are possible",
                     most);
  return FAR_OK;
}

static far_status prepare(far_tune *t, const far_tune_def *def, far_error *error) {
  far_status status = check_def(def, error);
  if (status != FAR_OK) return status;
  const far_cell cell = far__tune_cell(def, 0);
  const far_shape shape = far_cell_shape(&cell);
  status = far__tune_space(&t->space_text, def->agent, &shape, error);
  if (status == FAR_OK) status = far__space_read(&t->space, t->space_text, error);
  if (status == FAR_OK) status = far__scorer_make(&t->scorer, def, error);
  if (status != FAR_OK) return status;
  const far__objective objective = far__scorer_objective(&t->scorer);
  t->search =
      (far__search){.space = &t->space,
                    .objective = objective,
                    .runs = def->runs,
                    .budget = def->budget > 0 ? def->budget : 300 * def->runs * objective.cost,
                    .seed = far__tune_seed(def->seed, "tune")};
  far_tune_result *r = &t->result;
  r->space = t->space_text;
  r->normalised = t->scorer.normalised;
  r->budget = t->search.budget;
  r->tuned = r->gain = r->gain_ci95 = r->optimism = r->within_1 = r->within_5 = NAN;
  r->profile_score = NAN;
  r->score = r->default_score = (far_tune_score){NAN, NAN, 0, NULL};
  return FAR_OK;
}

/* ---- the search and its winner ---- */

/* NAN if some were measured on less than all runs: scores of few runs would be compared with the best's,
 * and those that went on are no sample of all. */
static double share_within(const far__search *s, const far__candidate *best, double tolerance) {
  int64_t near = 0, all = 0;
  for (size_t i = 0; i < s->count; ++i) {
    if (s->candidates[i]->runs == 0) continue;
    if (s->candidates[i]->runs < s->runs) return NAN;
    all += 1;
    near += s->candidates[i]->score >= best->score - tolerance * fabs(best->score);
  }
  return (double)near / (double)all;
}

/* Every setting that can run is there and was measured. A search with fewer candidates than the space
 * has settings may still be complete: some cannot run, and some differ by keys only that do not apply. */
static bool is_complete(const far__search *s) {
  for (size_t i = 0; i < s->count; ++i)
    if (s->candidates[i]->runs == 0) return false;
  return s->all_added;
}

static void describe_search(far_tune *t) {
  const far__candidate *best = far__search_best(&t->search);
  far_tune_result *r = &t->result;
  r->spent = t->search.spent;
  r->trials = t->search.trials;
  r->n_trials = t->search.n_trials;
  for (size_t i = 0; i < t->search.count; ++i) r->candidates += t->search.candidates[i]->runs > 0;
  if (best == NULL) return;
  r->complete = is_complete(&t->search);
  r->best = best->spec;
  r->tuned = best->score;
  r->tuned_runs = best->runs;
  r->within_1 = share_within(&t->search, best, 0.01);
  r->within_5 = share_within(&t->search, best, 0.05);
}

/* The defaults are a candidate of a space without axes, where they can run. */
static far_status add_defaults(far_tune *t, far__candidate *list[2], size_t *n, far_error *error) {
  far__text text = {0};
  far_error why;
  far__space_plain(&text, &t->space, NULL);
  if (text.failed) {
    free(text.bytes);
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a spec");
  }
  t->plain = text.bytes;
  const far_status status = t->fresh.objective.check(t->fresh.objective.user, text.bytes, &why);
  if (status == FAR_STATUS_MEMORY && error != NULL) *error = why;
  if (status != FAR_OK) return status == FAR_STATUS_MEMORY ? status : FAR_OK;
  t->result.defaults = t->plain;
  far__candidate *c = calloc(1, sizeof *c);
  if (c == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the defaults");
  c->spec = t->plain;
  list[(*n)++] = c;
  return FAR_OK;
}

static far_tune_score score_on(const far__scorer *b, const far__candidate *c, double *values) {
  const double score = far__scorer_score(b, c->totals, c->runs, values);
  return (far_tune_score){score, far_sample_moments(values, c->runs).ci95, c->runs, values};
}

static void describe_fresh(far_tune *t, far__candidate *const list[2], size_t n) {
  far_tune_result *r = &t->result;
  const int64_t runs = list[0]->runs;
  const size_t cells = t->scorer.def->n_cells;
  r->score = score_on(&t->scorer, list[0], t->values);
  r->optimism = r->tuned - r->score.mean;
  for (size_t i = 0; i < cells; ++i) {
    const far_moments x = far_sample_moments(list[0]->totals + (int64_t)i * runs, runs);
    t->means[i] = x.mean;
    t->means[cells + i] = x.ci95;
    t->means[2 * cells + i] = x.std;
  }
  r->means = t->means;
  r->ci95s = t->means + cells;
  r->stds = t->means + 2 * cells;
  if (n == 1) return;
  double *other = t->values + runs, *difference = t->values + 2 * runs;
  r->default_score = score_on(&t->scorer, list[1], other);
  for (int64_t i = 0; i < runs; ++i) difference[i] = t->values[i] - other[i];
  r->gain = r->score.mean - r->default_score.mean;
  r->gain_ci95 = far_sample_moments(difference, runs).ci95;
}

static far_status evaluate(far_tune *t, const far__candidate *best, far_error *error) {
  const far_tune_def *def = t->scorer.def;
  far__candidate *list[2];
  size_t n = 1;
  t->fresh =
      (far__search){.space = &t->space, .objective = t->search.objective, .runs = def->evaluation};
  t->values = malloc(3 * (size_t)def->evaluation * sizeof *t->values);
  t->means = malloc(3 * def->n_cells * sizeof *t->means);
  if (t->values == NULL || t->means == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the evaluation");
  far_status status = far__search_add(&t->fresh, best->u, &list[0], error);
  if (status == FAR_OK) status = add_defaults(t, list, &n, error);
  t->fresh.budget = (int64_t)n * def->evaluation * t->fresh.objective.cost;
  far__scorer_stage(&t->scorer, FAR_TUNE_EVALUATE, (double)t->fresh.budget);
  if (status == FAR_OK) status = far__search_measure(&t->fresh, list, n, def->evaluation, error);
  t->result.evaluation_steps = t->fresh.spent;
  if (status == FAR_OK) describe_fresh(t, list, n);
  if (n == 2) {
    free(list[1]->totals);
    free(list[1]);
  }
  return status;
}

static far_status look_around(far_tune *t, const far__candidate *best, far_error *error) {
  const far_status status =
      far__tune_profiles_make(&t->profiles, &t->scorer, &t->space, best, error);
  t->result.profile_steps = t->profiles.steps;
  t->result.profile_score = t->profiles.score;
  t->result.profiles = t->profiles.profiles;
  t->result.n_profiles = t->profiles.n_profiles;
  return status;
}

static far_status run(far_tune *t, const far_tune_def *def, far_error *error) {
  const method *how = NULL;
  far_status status = find_method(&how, def->method, error);
  if (status == FAR_OK) status = prepare(t, def, error);
  if (status != FAR_OK) return status;
  far__scorer_stage(&t->scorer, FAR_TUNE_SEARCH, (double)t->search.budget);
  status = far__search_check(&t->search, error);
  if (status == FAR_OK) {
    /* A fifth of the budget is kept for the final, unless the rest would not pay for two candidates. */
    const int64_t all = t->search.budget, main = all - all / 5;
    if (main / t->search.objective.cost >= 2 * t->search.runs) t->search.budget = main;
    status = how->search(&t->search, error);
    t->search.budget = all;
    if (status == FAR_OK) status = far__search_final(&t->search, error);
  }
  if (status != FAR_OK && status != FAR_STATUS_CANCELLED) return status;
  describe_search(t);
  const far__candidate *best = far__search_best(&t->search);
  if (status == FAR_OK && best != NULL && def->evaluation > 0) status = evaluate(t, best, error);
  if (status == FAR_OK && best != NULL && def->profile > 0) status = look_around(t, best, error);
  return status;
}

far_status far_tune_run(far_tune **out, const far_tune_def *def, far_error *error) {
  *out = calloc(1, sizeof **out);
  if (*out == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a search");
  const far_status status = run(*out, def, error);
  if (status == FAR_OK || status == FAR_STATUS_CANCELLED) return status;
  far_tune_free(*out);
  *out = NULL;
  return status;
}

const far_tune_result *far_tune_result_of(const far_tune *t) {
  return &t->result;
}

void far_tune_free(far_tune *t) {
  if (t == NULL) return;
  far__tune_profiles_free(&t->profiles);
  far__search_free(&t->fresh);
  far__search_free(&t->search);
  far__space_free(&t->space);
  far__scorer_free(&t->scorer);
  free(t->values);
  free(t->means);
  free(t->plain);
  free(t->space_text);
  free(t);
}
