/* How long a step takes, from short trials: one for each kind of agent on each environment, or for
 * some of these pairs where there are many. */
#include "dry_run.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_TRIALS = 40 };
static const double all_trials = 1.0; /* seconds, about */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool until_deadline(void *user, const far_progress *progress) {
  (void)progress;
  return now() < *(const double *)user;
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
  d.progress = until_deadline;
  d.user = &deadline;
  const far_status status = far_batch_run(&batch, &d, NULL);
  const double seconds = batch != NULL ? far_batch_result(batch, 0)->seconds : 0;
  far_batch_free(batch);
  return status == FAR_OK ? seconds / (double)runs : -1;
}

/* Longer and longer runs, then more and more of them: a run's start is not typical. */
static double trial(const far_batch_def *def, const far_cell *cell, double budget) {
  const double deadline = now() + 2 * budget + 0.1;
  double per_step = -1;
  int64_t steps = 64, runs = 1;
  while (now() < deadline) {
    const int64_t n = steps < cell->steps ? steps : cell->steps;
    const double seconds = time_runs(def, cell, n, runs, deadline);
    if (seconds >= 0) per_step = seconds / (double)n;
    if (seconds * (double)runs > budget / 4 || runs >= def->runs) break;
    *(n == cell->steps ? &runs : &steps) *= 4;
  }
  return per_step;
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

bool measure_cells(const far_batch_def *def, size_t n_agents, double *out) {
  size_t *wanted = malloc(def->n_cells * sizeof *wanted);
  size_t n = 0;
  if (wanted == NULL) return false;
  for (size_t i = 0; i < def->n_cells; ++i) {
    out[i] = -1;
    if (first_of_kind(def->cells, i % n_agents) == i % n_agents) wanted[n++] = i;
  }
  const size_t trials = n < MOST_TRIALS ? n : MOST_TRIALS;
  for (size_t k = 0; k < trials; ++k) {
    const size_t i = wanted[k * n / trials];
    out[i] = trial(def, &def->cells[i], all_trials / (double)trials);
  }
  free(wanted);
  fill(def, n_agents, out);
  return true;
}
