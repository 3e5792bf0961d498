#include "lab/tune/scorer.h"

#include <math.h> /* sqrt, fabs, INFINITY */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "farsight/base.h"
#include "lab/study/parts.h"
#include "run/series.h"

/* ---- scores ---- */

double far__tune_fit_term(const far_tune_cell *cell, double mean, double std) {
  const double d = (mean - cell->target) / (cell->unit > 0 ? cell->unit : 1);
  if (!(cell->std > 0) || std != std) return d * d;
  const double least = 0.01 * cell->std, found = std > least ? std : least;
  const double apart = far_log(found / cell->std) / FAR__TUNE_STD_UNIT;
  return d * d + apart * apart;
}

/* What a cell adds to the score: for rewards and metrics a term of a mean, for a fit of a mean square. */
static double term_of(const far__scorer *b, const far_tune_cell *cell, far__cell_moments x) {
  if (b->metric != NULL) return b->metric->higher_is_better ? x.mean : -x.mean;
  if (b->def->goal == FAR_GOAL_REWARD)
    return b->normalised ? (x.mean - cell->low) / (cell->high - cell->low) : x.mean;
  far_tune_cell in = *cell;
  if (b->def->goal == FAR_GOAL_FIT_RELATIVE) in.unit = fabs(cell->target);
  return far__tune_fit_term(&in, x.mean, x.runs > 1 ? sqrt(x.squares / (double)(x.runs - 1)) : NAN);
}

static double score_of(const far__scorer *b, const far__cell_moments *cells) {
  const size_t n = b->def->n_cells;
  double sum = 0;
  for (size_t i = 0; i < n; ++i) sum += term_of(b, &b->def->cells[i], cells[i]);
  return b->def->goal == FAR_GOAL_REWARD ? sum / (double)n : -sqrt(sum / (double)n);
}

/* The far__cell_moments of a cell without run x: of the sum, and of the squares about the mean. */
static far__cell_moments without(far__cell_moments all, double sum, double x) {
  const double n = (double)all.runs, d = x - all.mean;
  const double squares = all.squares - d * d * n / (n - 1);
  return (far__cell_moments){(sum - x) / (n - 1), squares > 0 ? squares : 0, all.runs - 1};
}

/* The jackknife: run r adds R S - (R - 1) S(without r). Where the score is a mean over runs, that is
 * the run's own score; elsewhere its mean is the score with the bias of order 1/R taken off, and its
 * deviation the score's. */
static void pseudo_values(const far__scorer *b, const double *totals, int64_t runs, double score,
                          double *values) {
  const size_t n = b->def->n_cells;
  const bool rewards = b->def->goal == FAR_GOAL_REWARD;
  far__cell_moments *left = b->scratch + n;
  for (int64_t r = 0; r < runs; ++r) {
    for (size_t i = 0; i < n; ++i) {
      const double x = totals[(int64_t)i * runs + r];
      left[i] = rewards ? (far__cell_moments){x, 0, 1} : without(b->scratch[i], b->sums[i], x);
    }
    const double rest = score_of(b, left);
    values[r] = rewards ? rest : (double)runs * score - (double)(runs - 1) * rest;
  }
}

double far__scorer_score(const far__scorer *b, const double *totals, int64_t runs, double *values) {
  for (size_t i = 0; i < b->def->n_cells; ++i) {
    const double *row = totals + (int64_t)i * runs;
    double sum = 0, squares = 0;
    for (int64_t r = 0; r < runs; ++r) sum += row[r];
    const double mean = sum / (double)runs;
    if (b->def->cells[i].std > 0)
      for (int64_t r = 0; r < runs; ++r) squares += (row[r] - mean) * (row[r] - mean);
    b->scratch[i] = (far__cell_moments){mean, squares, runs};
    b->sums[i] = sum;
  }
  const double score = score_of(b, b->scratch);
  if (values != NULL) pseudo_values(b, totals, runs, score, values);
  return score;
}

/* ---- measuring ---- */

static bool forward(void *user, const far_progress *p) {
  far__scorer *b = user;
  b->progress.steps_done = b->steps_before + p->steps_done;
  b->progress.seconds = far__clock_seconds() - b->begun;
  return b->def->progress == NULL || b->def->progress(b->def->user, &b->progress);
}

static const double *results_of(const far__scorer *b, const far_batch *batch, size_t cell) {
  return b->metric != NULL ? far_batch_metric(batch, cell, 0)->totals
                           : far_batch_result(batch, cell)->totals;
}

/* Appends the totals of the runs from c->runs on. */
static far_status take(const far__scorer *b, far__candidate *c, const far_batch *batch,
                       size_t first, int64_t runs, far_error *error) {
  const size_t n_cells = b->def->n_cells;
  double *totals = malloc(n_cells * (size_t)runs * sizeof *totals);
  if (totals == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for totals");
  for (size_t i = 0; i < n_cells; ++i) {
    double *row = totals + i * (size_t)runs;
    for (int64_t r = 0; r < c->runs; ++r) row[r] = c->totals[(int64_t)i * c->runs + r];
    memcpy(row + c->runs, results_of(b, batch, first + i), (size_t)(runs - c->runs) * sizeof *row);
  }
  free(c->totals);
  c->totals = totals;
  c->runs = runs;
  return FAR_OK;
}

static far_status take_all(far__scorer *b, far__candidate *const *list, size_t n, int64_t runs,
                           const far_batch *batch, far_error *error) {
  if (b->progress.stage == FAR_TUNE_SEARCH && list[0]->runs == 0)
    b->progress.candidates += (int64_t)n;
  for (size_t i = 0; i < n; ++i) {
    const far_status status = take(b, list[i], batch, i * b->def->n_cells, runs, error);
    if (status != FAR_OK) return status;
    list[i]->score = far__scorer_score(b, list[i]->totals, runs, NULL);
    const double best = b->progress.best;
    if (b->progress.stage == FAR_TUNE_SEARCH && !(best >= list[i]->score))
      b->progress.best = list[i]->score;
  }
  return FAR_OK;
}

static char *spec_in(const char *spec, const char *with) {
  far__text text = {0};
  far__text_add(&text, spec, strlen(spec));
  if (with != NULL && with[0] != '\0') {
    far__text_add(&text, strchr(spec, ':') != NULL ? "," : ":", 1);
    far__text_add(&text, with, strlen(with));
  }
  if (!text.failed) return text.bytes;
  free(text.bytes);
  return NULL;
}

far_cell far__tune_cell(const far_tune_def *def, size_t i) {
  return (far_cell){
      .mdp = def->cells[i].mdp, .simulator = def->cells[i].simulator, .steps = def->steps};
}

static far_status run_cells(far__scorer *b, const far_cell *cells, size_t n, int64_t first,
                            int64_t runs, far_batch **out, far_error *error) {
  far_batch_def def = far_batch_def_default();
  def.cells = cells;
  def.n_cells = n;
  def.first_replicate = (uint64_t)first;
  def.runs = runs - first;
  def.seed = b->seed;
  def.threads = b->def->threads;
  def.pool = b->def->pool;
  def.metrics = (const far_metric *const *)&b->metric;
  def.n_metrics = b->metric != NULL;
  def.progress = forward;
  def.user = b;
  const far_status status = b->def->store != NULL ? far_store_run(out, b->def->store, &def, error)
                                                  : far_batch_run(out, &def, error);
  if (status == FAR_STATUS_CANCELLED) far_batch_free(*out);
  return status;
}

static far_status measure(void *user, far__candidate *const *list, size_t n, int64_t runs,
                          far_error *error) {
  far__scorer *b = user;
  const size_t each = b->def->n_cells, count = n * each;
  far_cell *cells = calloc(count, sizeof *cells);
  char **specs = calloc(count, sizeof *specs);
  far_status status = cells != NULL && specs != NULL ? FAR_OK : FAR_STATUS_MEMORY;
  for (size_t i = 0; status == FAR_OK && i < count; ++i) {
    specs[i] = spec_in(list[i / each]->spec, b->def->cells[i % each].with);
    cells[i] = far__tune_cell(b->def, i % each);
    cells[i].agent = specs[i];
    if (specs[i] == NULL) status = FAR_STATUS_MEMORY;
  }
  const int64_t first = list[0]->runs;
  far_batch *batch = NULL;
  if (status != FAR_OK)
    (void)far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the cells of a search");
  else
    status = run_cells(b, cells, count, first, runs, &batch, error);
  if (status == FAR_OK) {
    b->steps_before += (double)(runs - first) * (double)b->def->steps * (double)count;
    status = take_all(b, list, n, runs, batch, error);
    far_batch_free(batch);
  }
  for (size_t i = 0; specs != NULL && i < count; ++i) free(specs[i]);
  free(specs);
  free(cells);
  return status;
}

static far_status no_memory_for_spec(far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a spec");
}

static void take_severe(void *user, bool severe, const char *message) {
  far_error *empty = user;
  if (severe && empty->code == FAR_OK)
    far__set_error(empty, FAR_STATUS_CONFLICT, -1, "%s", message);
}

/* Can the metric be recorded of this agent; and can it be anything but 0? */
static far_status check_metric(const far__scorer *b, size_t i, const far_spec *agent,
                               far_error *error) {
  far_error why = {.code = FAR_OK}, empty = {.code = FAR_OK};
  far_cell cell = far__tune_cell(b->def, i);
  if (b->metric == NULL) return FAR_OK;
  cell.spec = agent;
  far_status status = far__metric_check(b->metric, &cell, take_severe, &empty, &why);
  if (status == FAR_OK) {
    why = empty;
    status = empty.code;
  }
  if (status == FAR_OK) return FAR_OK;
  return far__fail(error, status, -1, "the score %.100s on %.100s: %.250s", b->metric->name,
                   far_cell_env(&cell), why.message);
}

static far_status check(void *user, const char *spec, far_error *error) {
  const far__scorer *b = user;
  for (size_t i = 0; i < b->def->n_cells; ++i) {
    const far_cell cell = far__tune_cell(b->def, i);
    const far_shape shape = far_cell_shape(&cell);
    char *whole = spec_in(spec, b->def->cells[i].with);
    if (whole == NULL) return no_memory_for_spec(error);
    far_spec *agent;
    far_status status = far_spec_of_agent(&agent, whole, &shape, error);
    if (status == FAR_OK) status = check_metric(b, i, agent, error);
    far_spec_free(agent);
    free(whole);
    if (status != FAR_OK) return status;
  }
  return FAR_OK;
}

/* An agent's own spec, with all defaults, names what it has and nothing else. */
static far_status applies(void *user, const char *spec, const char *key, bool *out,
                          far_error *error) {
  const far__scorer *b = user;
  *out = false;
  for (size_t i = 0; !*out && i < b->def->n_cells; ++i) {
    const far_cell cell = far__tune_cell(b->def, i);
    const far_shape shape = far_cell_shape(&cell);
    char *whole = spec_in(spec, b->def->cells[i].with);
    if (whole == NULL) return no_memory_for_spec(error);
    char canonical[FAR_SPEC_SIZE];
    const far_status status = far_agent_resolve(canonical, whole, &shape, error);
    /* where it cannot run the setting is refused */
    *out = status != FAR_OK || far__spec_find(canonical, key) != NULL;
    free(whole);
    if (status == FAR_STATUS_MEMORY) return status;
  }
  return FAR_OK;
}

far__objective far__scorer_objective(far__scorer *b) {
  return (far__objective){.check = check,
                          .applies = applies,
                          .measure = measure,
                          .user = b,
                          .cost = b->def->steps * (int64_t)b->def->n_cells};
}

void far__scorer_stage(far__scorer *b, far_tune_stage stage, double steps) {
  static const char *const names[] = {"tune", "evaluate", "profile"};
  b->seed = far__tune_seed(b->def->seed, names[stage]);
  b->progress.stage = stage;
  b->progress.steps = steps;
  b->progress.steps_done = b->steps_before = 0;
}

/* ---- the scorer ---- */

static bool has_scale(const far_tune_cell *cell) {
  const double width = cell->high - cell->low;
  return width > 0 && width < INFINITY;
}

static far_status check_targets(const far_tune_def *def, far_error *error) {
  for (size_t i = 0; i < def->n_cells; ++i) {
    const double target = def->cells[i].target;
    if (!(def->cells[i].unit >= 0 && def->cells[i].std >= 0))
      return far__fail(error, FAR_STATUS_RANGE, -1,
                       "cell %zu: unit and std must be positive, or 0 for none", i);
    if (def->goal != FAR_GOAL_REWARD && target - target != 0)
      return far__fail(error, FAR_STATUS_RANGE, -1, "cell %zu: the target mean is missing", i);
    if (def->goal == FAR_GOAL_FIT_RELATIVE && target == 0)
      return far__fail(error, FAR_STATUS_RANGE, -1,
                       "cell %zu: a distance relative to 0 is no number", i);
  }
  return FAR_OK;
}

static far_status make_metric(far__scorer *b, far_error *error) {
  if (b->def->score == NULL) return FAR_OK;
  if (b->def->goal != FAR_GOAL_REWARD)
    return far__fail(error, FAR_STATUS_CONFLICT, -1,
                     "a search either meets means of rewards or scores by a metric");
  return far_metric_create(&b->metric, b->def->score, error);
}

far_status far__scorer_make(far__scorer *b, const far_tune_def *def, far_error *error) {
  *b = (far__scorer){.def = def, .begun = far__clock_seconds()};
  b->progress.best = NAN;
  far_status status = check_targets(def, error);
  if (status == FAR_OK) status = make_metric(b, error);
  if (status != FAR_OK) return status;
  b->scratch = calloc(2 * def->n_cells + 1, sizeof *b->scratch);
  b->sums = calloc(def->n_cells + 1, sizeof *b->sums);
  if (b->scratch == NULL || b->sums == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a search");
  b->normalised = def->goal == FAR_GOAL_REWARD && b->metric == NULL;
  for (size_t i = 0; i < def->n_cells; ++i)
    b->normalised = b->normalised && has_scale(&def->cells[i]);
  return FAR_OK;
}

void far__scorer_free(far__scorer *b) {
  free(b->scratch);
  free(b->sums);
  far_metric_free(b->metric);
  b->metric = NULL;
  b->scratch = NULL;
  b->sums = NULL;
}
