#include "run/statistics.h"

#include <math.h> /* NAN */

#include "base/bytes.h"
#include "statistics/sample.h"

static void hash_totals(char out[FAR_HASH_TEXT], const double *totals, int64_t n, uint8_t *bytes) {
  uint8_t digest[FAR_HASH_BYTES];
  for (int64_t i = 0; i < n; ++i) far__put_f64(bytes + 8 * i, totals[i]);
  far_hash(digest, bytes, (size_t)n * 8);
  far_hash_text(out, digest);
}

void far__moments(far_result *out, const double *totals, int64_t n, double t) {
  out->runs = n;
  out->mean = out->std = out->ci95 = out->min = out->max = NAN;
  if (n < 1) return;
  out->min = out->max = totals[0];
  for (int64_t i = 0; i < n; ++i) {
    out->min = totals[i] < out->min ? totals[i] : out->min;
    out->max = totals[i] > out->max ? totals[i] : out->max;
  }
  const far__mean_std m = far__mean_std_of(totals, n);
  out->mean = m.mean;
  out->std = m.std;
  if (n > 1) out->ci95 = far__half_width(t, out->std, n);
}

void far__summarise(far_result *out, const double *totals, int64_t n, double t, uint8_t *bytes) {
  far__moments(out, totals, n, t);
  hash_totals(out->hash, totals, n, bytes);
}
