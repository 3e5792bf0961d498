/* Successive halving. Rungs are numbers of runs; the runs of a rung contain those of the rung before,
 * so that a candidate pays only for the new ones. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "lab/tune/search.h"

enum { FACTOR = 3, MOST_CANDIDATES = 1000000 };

/* `rungs` rungs up to all runs, the first with n candidates. */
static far__schedule schedule(int64_t n, int rungs, int64_t cost, int64_t runs) {
  far__schedule out = {.rungs = rungs};
  int64_t last = 0;
  for (int k = rungs - 1; k >= 0; --k, runs /= FACTOR) out.runs[k] = runs;
  for (int k = 0; k<rungs; ++k, n = n / FACTOR> 1 ? n / FACTOR : 1) {
    out.counts[k] = n;
    out.steps += n * (out.runs[k] - last) * cost;
    last = out.runs[k];
  }
  return out;
}

/* The most candidates that the budget pays for. */
static int64_t most_candidates(int64_t budget, int rungs, int64_t cost, int64_t runs) {
  int64_t first = runs;
  for (int k = 1; k < rungs; ++k) first /= FACTOR;
  int64_t low = 0, high = budget / cost / first; /* the first rung alone costs that much */
  if (high > MOST_CANDIDATES) high = MOST_CANDIDATES;
  while (low < high) {
    const int64_t n = low + (high - low + 1) / 2;
    if (schedule(n, rungs, cost, runs).steps <= budget)
      low = n;
    else
      high = n - 1;
  }
  return low;
}

far__schedule far__halving_schedule(int64_t budget, int64_t cost, int64_t runs) {
  int rungs = 1;
  int64_t power = 1; /* 3^(rungs - 1) */
  for (int64_t r = runs; r >= FACTOR; r /= FACTOR, power *= FACTOR) ++rungs;
  for (; rungs > 0; --rungs, power /= FACTOR) {
    const int64_t n = most_candidates(budget, rungs, cost, runs);
    if (n >= power) return schedule(n, rungs, cost, runs);
  }
  return (far__schedule){0};
}

/* The best first, of equals the one that came first. */
static int by_score(const void *x, const void *y) {
  const far__candidate *a = *(far__candidate *const *)x, *b = *(far__candidate *const *)y;
  if (a->score != b->score) return a->score > b->score ? -1 : 1;
  return a->index < b->index ? -1 : a->index > b->index;
}

/* n candidates, or all that there are. */
static far_status draw_all(far__search *s, int64_t n, far_error *error) {
  far_rng rng;
  if (far__space_count(s->space) <= (double)n) return far__search_add_all(s, error);
  far_rng_init(&rng, s->seed, 0, FAR_PURPOSE_SEARCH);
  for (int64_t i = 0; i < n; ++i) {
    far__candidate *new;
    const far_status status = far__search_draw(s, &rng, &new, error);
    if (status != FAR_OK) return status;
    if (new == NULL) break;
  }
  return FAR_OK;
}

far_status far__search_halving(far__search *s, far_error *error) {
  const far__schedule plan = far__halving_schedule(s->budget, s->objective.cost, s->runs);
  if (plan.rungs == 0) return far__too_little(s, error);
  if (far__search_is_small(s)) return far__search_all(s, error);
  far_status status = draw_all(s, plan.counts[0], error);
  if (status != FAR_OK) return status;
  size_t n = s->count;
  far__candidate **list = malloc(n * sizeof *list);
  if (list == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a rung");
  memcpy(list, s->candidates, n * sizeof *list);
  for (int k = 0; status == FAR_OK && k < plan.rungs; ++k) {
    n = n < (size_t)plan.counts[k] ? n : (size_t)plan.counts[k];
    status = far__search_measure(s, list, n, plan.runs[k], error);
    if (status == FAR_OK) qsort(list, n, sizeof(far__candidate *), by_score);
  }
  free(list);
  return status;
}

/* ---- the final ---- */

/* How many finalists the rest of the budget pays for, of those that there are: all on 3 times the runs, then a third, if
 * that is more than one, on 9 times. */
static int64_t finalists(const far__search *s) {
  const int64_t left = (s->budget - s->spent) / s->objective.cost / s->runs; /* full candidates */
  int64_t n = 0, price = 0;
  while (price <= left && n < (int64_t)s->count) {
    n += 1;
    price = (n + 1) * 2 + ((n + 1) / FACTOR > 1 ? (n + 1) / FACTOR * 6 : 0);
  }
  return n;
}

far_status far__search_final(far__search *s, far_error *error) {
  size_t n = 0, most = (size_t)finalists(s);
  far__candidate **list = malloc((s->count + 1) * sizeof *list);
  if (list == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the final");
  for (size_t i = 0; i < s->count; ++i)
    if (s->candidates[i]->runs == s->runs) list[n++] = s->candidates[i];
  far_status status = FAR_OK;
  for (int k = 0; status == FAR_OK && k < 2 && most > 1 && n > 1; ++k, most = n / FACTOR) {
    qsort(list, n, sizeof(far__candidate *), by_score);
    n = n < most ? n : most;
    status = far__search_measure(s, list, n, list[0]->runs * FACTOR, error);
  }
  free(list);
  return status;
}
