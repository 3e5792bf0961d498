/* Many comparisons: adjusted p-values. */
#include <stdlib.h>

#include "base/error.h"
#include "base/text.h"
#include "farsight/statistics.h"

typedef struct ranked {
  double p;
  size_t index;
} ranked;

static int compare(const void *x, const void *y) {
  const ranked *a = x, *b = y;
  if (a->p != b->p) return a->p < b->p ? -1 : 1;
  return a->index < b->index ? -1 : a->index > b->index;
}

static double at_most_1(double p) {
  return p < 1 ? p : 1;
}

/* The k-th least (from 0) times m - k, and never less than those before it. */
static void holm(double *out, const ranked *r, size_t m) {
  double greatest = 0;
  for (size_t k = 0; k < m; ++k) {
    const double p = at_most_1((double)(m - k) * r[k].p);
    greatest = p > greatest ? p : greatest;
    out[r[k].index] = greatest;
  }
}

/* The k-th least (from 0) times m / (k + 1), and never more than those of greater p-values. */
static void fdr(double *out, const ranked *r, size_t m) {
  double least = 1;
  for (size_t k = m; k-- > 0;) {
    const double p = (double)m / (double)(k + 1) * r[k].p;
    least = p < least ? p : least;
    out[r[k].index] = least;
  }
}

static void bonferroni(double *out, const ranked *r, size_t m) {
  for (size_t k = 0; k < m; ++k) out[r[k].index] = at_most_1((double)m * r[k].p);
}

far_status far_p_adjust(double *out, const double *p, size_t m, far_correction correction,
                        far_error *error) {
  for (size_t i = 0; i < m; ++i)
    if (!(p[i] >= 0 && p[i] <= 1))
      return far__fail(error, FAR_STATUS_RANGE, -1, "p-value %zu is %s; it must be in [0, 1]", i,
                       far__shortest(p[i]).text);
  ranked *r = malloc((m + 1) * sizeof *r);
  if (r == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for %zu p-values", m);
  for (size_t i = 0; i < m; ++i) r[i] = (ranked){p[i], i};
  qsort(r, m, sizeof *r, compare);
  switch (correction) {
  case FAR_CORRECTION_HOLM: holm(out, r, m); break;
  case FAR_CORRECTION_FDR: fdr(out, r, m); break;
  case FAR_CORRECTION_BONFERRONI: bonferroni(out, r, m); break;
  }
  free(r);
  return FAR_OK;
}

double far_simultaneous_level(double level, size_t m) {
  return m > 1 ? 1 - (1 - level) / (double)m : level;
}
