/* Statistics while memory runs out: failing-memory.h says what is tested. */
#include "failing-memory.h"
#include "statistics/rules.h"

static const double a[] = {3, 1, 4, 1, 5}, b[] = {2, 7, 1, 8, 2};

static far_bootstrap_def few(const char *what) {
  far_bootstrap_def def = far_bootstrap_def_default();
  def.resamples = 100;
  def.together = strcmp(what, "together") == 0;
  return def;
}

static double sum_of(const far_estimate *e) {
  return e->value + e->low + e->high + e->std;
}

static far_status bootstrap(double *out, const char *what, far_error *error) {
  const far_sample samples[] = {{a, 5}, {b, 5}};
  const far_bootstrap_def def = few(what);
  far_estimate e;
  const far_status status =
      far_bootstrap_run(&e, 1, samples, 2, far_statistic_mean, NULL, &def, error);
  if (status != FAR_OK && strstr(error->message, "values") != NULL)
    CHECK_TEXT(error->message, "no memory for 10 values");
  *out = sum_of(&e);
  return status;
}

static far_status improvement(double *out, const char *what, far_error *error) {
  const far_sample x[] = {{a, 5}, {b, 5}}, y[] = {{b, 5}, {a, 5}};
  const far_bootstrap_def def = few(what);
  far_estimate e, paired;
  far_status status = far_improvement(&e, x, y, 2, &def, error);
  if (status == FAR_OK) status = far_improvement_paired(&paired, x, y, 2, &def, error);
  if (status == FAR_OK) *out = sum_of(&e) + sum_of(&paired);
  return status;
}

static far_status aggregate(double *out, const char *what, far_error *error) {
  const far_sample x[] = {{a, 5}, {b, 5}};
  const far_bootstrap_def def = few(what);
  far_aggregate g;
  far_estimate e[2] = {{0}}; /* not those of the call before */
  far_status status = far_scores_aggregate(&g, x, 2, &def, error);
  if (status == FAR_OK) status = far_profile(e, a, 2, x, 2, &def, error);
  if (status == FAR_OK) *out = sum_of(&g.iqm) + sum_of(&g.gap) + sum_of(&e[1]);
  return status;
}

static far_status compare(double *out, const char *what, far_error *error) {
  const far_bootstrap_def def = few(what);
  far_paired p;
  far_summary s;
  far_times t;
  double adjusted[5], flips = 0;
  far_status status = far_pairs_compare(&p, a, b, 5, &def, error);
  if (status == FAR_OK) status = far_sample_summarise(&s, a, 5, 0.95, error);
  if (status == FAR_OK) status = far_times_summarise(&t, a, 5, 4, error);
  const double ps[] = {0.1, 0.5, 0.01, 0.2, 1};
  if (status == FAR_OK) status = far_p_adjust(adjusted, ps, 5, FAR_CORRECTION_HOLM, error);
  if (status == FAR_OK) status = far__flip_test(&flips, a, 5, 8, 1, error);
  if (status == FAR_OK) *out = p.p + s.iqm + t.median + adjusted[2] + flips;
  return status;
}

static far_status rank(double *out, const char *what, far_error *error) {
  const far_sample cells[] = {{a, 5}, {b, 5}, {b, 5}};
  far_ranking_def def = far_ranking_def_default();
  far_ranking *r;
  (void)what;
  def.first = 4;
  def.most = 5;
  far_status status = far_ranking_create(&r, &def, 1, 3, error);
  if (status == FAR_OK) status = far_ranking_compute(r, cells, error);
  if (status == FAR_OK) *out = (double)far_ranking_info_of(r).looks + far_ranking_pair_at(r, 0)->p;
  far_ranking_free(r);
  return status;
}

static void sweep_all(bool stores) {
  (void)stores;
  static const char *const ways[] = {"apart", "together"};
  for (int i = 0; i < 2; ++i) {
    sweep(bootstrap, ways[i]);
    sweep(improvement, ways[i]);
    sweep(aggregate, ways[i]);
  }
  sweep(compare, "apart");
  sweep(rank, "");
}

int main(void) {
  return sweep_memory(sweep_all);
}
