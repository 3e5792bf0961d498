/* How long a step takes, from short trials: one for each kind of agent on each environment, or for
 * some of these pairs where there are many. */
#include "dry_run.h"

#include <string.h>

#include "memory.h"

enum { MOST_TRIALS = 200, FIRST_STEPS = 64 };
static const double all_trials = 1.0; /* seconds, about */

static bool until_deadline(void *user, const far_progress *progress) {
  (void)progress;
  return far_clock_seconds() < *(const double *)user;
}

/* Runs of so many steps; the processor time of one, or -1 if they were not finished. */
static double time_runs(const far_batch_def *def, const far_cell *cell, int64_t steps, int64_t runs,
                        double deadline) {
  far_cell c = *cell;
  far_batch_def d = *def;
  far_batch *batch;
  c.steps = steps;
  c.runs = 0;
  c.checkpoints = NULL;
  c.n_checkpoints = 0;
  d.cells = &c;
  d.n_cells = 1;
  d.runs = runs;
  d.threads = 1;
  d.pool = NULL;
  d.progress = until_deadline;
  d.user = &deadline;
  const far_status status = need_memory(far_batch_run(&batch, &d, NULL));
  const double seconds = batch != NULL ? far_batch_result(batch, 0)->seconds : 0;
  far_batch_free(batch);
  return status == FAR_OK ? seconds / (double)runs : -1;
}

/* A cell that is tried, in longer and longer runs. */
typedef struct trial {
  size_t cell;
  int64_t steps, runs;    /* of the next one */
  double before, seconds; /* the last one: steps of a run, and what it took */
  double rate;            /* seconds a step of the whole run, about; -1: no trial was finished */
  bool over;
} trial;

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

static void try_once(const far_batch_def *def, trial *t, double deadline) {
  const far_cell *cell = &def->cells[t->cell];
  const int64_t n = t->steps < cell->steps ? t->steps : cell->steps;
  const double seconds = time_runs(def, cell, n, t->runs, deadline);
  if (seconds >= 0) learn(t, seconds, (double)n, (double)cell->steps);
  t->over = t->runs >= def->runs || far_clock_seconds() > deadline;
  *(n == cell->steps ? &t->runs : &t->steps) *= 4;
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

static bool same_kind(const char *x, const char *y) {
  const size_t n = strcspn(x, ":");
  return strcspn(y, ":") == n && memcmp(x, y, n) == 0;
}

/* The first agent of the kind of agent j. */
static size_t first_of_kind(const far_cell *cells, size_t j) {
  size_t first = 0;
  while (!same_kind(cells[first].agent, cells[j].agent)) ++first;
  return first;
}

/* Cells without a trial: that of the same kind on the same environment, or the mean of that kind, or of
 * all. */
static void fill(const far_batch_def *def, size_t n_agents, double *out) {
  const double *trials = out; /* row by row, so that a row's own are still there */
  double all = 0;
  size_t n_all = 0;
  for (size_t i = 0; i < def->n_cells; ++i) {
    if (trials[i] >= 0) all += trials[i];
    n_all += trials[i] >= 0;
  }
  for (size_t j = 0; j < n_agents; ++j) {
    const size_t first = first_of_kind(def->cells, j);
    double sum = 0;
    size_t n = 0;
    for (size_t i = first; i < def->n_cells; i += n_agents) {
      if (trials[i] >= 0) sum += trials[i];
      n += trials[i] >= 0;
    }
    const double mean = n > 0 ? sum / (double)n : n_all > 0 ? all / (double)n_all : 0;
    for (size_t i = 0; i * n_agents < def->n_cells; ++i) {
      const double own = trials[i * n_agents + first];
      if (j != first) out[i * n_agents + j] = own >= 0 ? own : mean;
    }
  }
  for (size_t i = 0; i < def->n_cells; ++i)
    if (out[i] < 0) out[i] = n_all > 0 ? all / (double)n_all : 0;
}

/* One trial each, then longer ones of what costs most. */
static void run_trials(const far_batch_def *def, const size_t *wanted, size_t n, double *out) {
  const double end = far_clock_seconds() + all_trials;
  const size_t count = n < MOST_TRIALS ? n : MOST_TRIALS;
  trial trials[MOST_TRIALS];
  for (size_t k = 0; k < count; ++k) {
    trials[k] = (trial){.cell = wanted[k * n / count], .steps = FIRST_STEPS, .runs = 1, .rate = -1};
    if (far_clock_seconds() < end) try_once(def, &trials[k], end);
  }
  trial *next;
  while (far_clock_seconds() < end &&
         (next = most_costly(def, trials, count, end - far_clock_seconds())) != NULL)
    try_once(def, next, end + 0.5);
  for (size_t k = 0; k < count; ++k) out[trials[k].cell] = trials[k].rate;
}

void measure_cells(const far_batch_def *def, size_t n_agents, double *out) {
  size_t *wanted = room_for(def->n_cells, sizeof *wanted);
  size_t n = 0;
  for (size_t i = 0; i < def->n_cells; ++i) {
    out[i] = -1;
    if (first_of_kind(def->cells, i % n_agents) == i % n_agents) wanted[n++] = i;
  }
  run_trials(def, wanted, n, out);
  free(wanted);
  fill(def, n_agents, out);
}
