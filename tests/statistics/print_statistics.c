/* Prints what the library says of given data, for check.py. Requests stand on standard input,
 * words apart by white space; every request is answered by a line of numbers. A sample is its size
 * and its values, HOW is "bca|percentile RESAMPLES LEVEL", a number of samples stands before
 * several.
 *
 *     tail T DEGREES                quantile P DEGREES          summary LEVEL SAMPLE
 *     sorted P SAMPLE               bootstrap HOW mean|median|iqm SAMPLE
 *     difference HOW SAMPLE SAMPLE  pairs HOW SAMPLE SAMPLE     welch LEVEL SAMPLE SAMPLE
 *     improvement HOW E X... Y...   profile HOW TAUS E X...     aggregate HOW E X...
 *     adjust bonferroni|holm|fdr SAMPLE
 *     ranks E X... Y... (sorted)    signs SAMPLE (weight, won, lost of every size)
 *     ranking ALPHA FIRST GROWTH MOST SEED ENVIRONMENTS AGENTS X...
 *         (of every pair: better, look, runs, mean, p, p adjusted, skewed)
 */
#include <farsight/farsight.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/special.h"
#include "statistics/sample.h"

enum { SAMPLES = 64, OUTCOMES = 512 };

static const char *word(void) {
  static char text[64];
  if (scanf("%63s", text) != 1) exit(1);
  return text;
}

static double real(void) {
  return strtod(word(), NULL);
}

/* The samples of a request, freed after it. */
static double *held[2 * SAMPLES + 2];
static size_t n_held;

static far_sample sample(void) {
  const int64_t n = strtoll(word(), NULL, 10);
  double *x = malloc((size_t)n * sizeof *x + 1);
  if (x == NULL) exit(1);
  held[n_held++] = x;
  for (int64_t i = 0; i < n; ++i) x[i] = real();
  return (far_sample){x, n};
}

static void samples(far_sample *out, size_t n) {
  if (n > SAMPLES) exit(1);
  for (size_t i = 0; i < n; ++i) out[i] = sample();
}

static far_bootstrap_def how(void) {
  far_bootstrap_def def = far_bootstrap_def_default();
  const char *method = word(); /* percentile, bca, or bca-together */
  def.method = strncmp(method, "bca", 3) == 0 ? FAR_BOOTSTRAP_BCA : FAR_BOOTSTRAP_PERCENTILE;
  def.together = strcmp(method, "bca-together") == 0;
  def.resamples = strtoll(word(), NULL, 10);
  def.level = real();
  return def;
}

static void must(far_status status, const far_error *error) {
  if (status == FAR_OK) return;
  fprintf(stderr, "%s\n", error->message);
  exit(1);
}

static void print(const double *x, size_t n) {
  for (size_t i = 0; i < n; ++i) printf("%.17g ", x[i]);
}

static void print_estimate(const far_estimate *e) {
  print((double[]){e->value, e->low, e->high, e->std, e->bias, e->acceleration}, 6);
}

static void difference(double *out, const far_sample *s, size_t n_samples, void *user) {
  (void)n_samples, (void)user;
  *out = far__sorted_mean(s[0].x, s[0].n) - far__sorted_mean(s[1].x, s[1].n);
}

static far_statistic_fn *statistic(const char *name) {
  if (strcmp(name, "mean") == 0) return far_statistic_mean;
  return strcmp(name, "median") == 0 ? far_statistic_median : far_statistic_iqm;
}

static far_correction correction(const char *name) {
  if (strcmp(name, "holm") == 0) return FAR_CORRECTION_HOLM;
  return strcmp(name, "fdr") == 0 ? FAR_CORRECTION_FDR : FAR_CORRECTION_BONFERRONI;
}

static void answer_one(const char *request) {
  far_error error;
  if (strcmp(request, "tail") == 0 || strcmp(request, "quantile") == 0) {
    const bool tail = request[0] == 't';
    const double x = real(), degrees = real();
    print((double[]){tail ? far__student_tail(x, degrees) : far_student_quantile(x, degrees)}, 1);
  } else if (strcmp(request, "summary") == 0) {
    const double level = real();
    const far_sample x = sample();
    far_summary s;
    must(far_sample_summarise(&s, x.x, x.n, level, &error), &error);
    print((double[]){s.mean, s.std, s.low, s.high, s.min, s.first_quartile, s.median,
                     s.third_quartile, s.max, s.iqm},
          10);
  } else if (strcmp(request, "sorted") == 0) {
    const double p = real();
    const far_sample x = sample();
    print((double[]){far__sorted_quantile(x.x, x.n, p)}, 1);
  } else if (strcmp(request, "adjust") == 0) {
    const far_correction c = correction(word());
    const far_sample x = sample();
    must(far_p_adjust((double *)x.x, x.x, (size_t)x.n, c, &error), &error);
    print(x.x, (size_t)x.n);
  } else {
    exit(1);
  }
}

static void answer_two(const char *request) {
  far_error error;
  far_sample s[2];
  if (strcmp(request, "welch") == 0) {
    const double level = real();
    far_welch w;
    samples(s, 2);
    must(far_samples_compare(&w, s[0].x, s[0].n, s[1].x, s[1].n, level, &error), &error);
    print((double[]){w.mean, w.low, w.high, w.t, w.degrees, w.p}, 6);
    return;
  }
  const far_bootstrap_def def = how();
  samples(s, 2);
  if (strcmp(request, "pairs") == 0) {
    far_paired p;
    must(far_pairs_compare(&p, s[0].x, s[1].x, s[0].n, &def, &error), &error);
    print(
        (double[]){p.mean, p.std, p.low, p.high, p.t, p.p, p.won, p.tied, p.correlation, p.saving},
        10);
    print_estimate(&p.bootstrap);
  } else {
    far_estimate e;
    must(far_bootstrap_run(&e, 1, s, 2, difference, NULL, &def, &error), &error);
    print_estimate(&e);
  }
}

static void answer_many(const char *request) {
  far_error error;
  far_sample x[SAMPLES], y[SAMPLES];
  far_estimate e[100];
  const far_bootstrap_def def = how();
  if (strcmp(request, "bootstrap") == 0) {
    far_statistic_fn *f = statistic(word());
    samples(x, 1);
    must(far_bootstrap_run(e, 1, x, 1, f, NULL, &def, &error), &error);
    print_estimate(e);
    return;
  }
  const far_sample tau = strcmp(request, "profile") == 0 ? sample() : (far_sample){NULL, 0};
  const size_t n = (size_t)strtoull(word(), NULL, 10);
  samples(x, n);
  if (strcmp(request, "improvement") == 0) {
    samples(y, n);
    must(far_improvement(e, x, y, n, &def, &error), &error);
    print_estimate(e);
  } else if (strcmp(request, "profile") == 0) {
    if (tau.n > 100) exit(1);
    must(far_profile(e, tau.x, (size_t)tau.n, x, n, &def, &error), &error);
    for (int64_t k = 0; k < tau.n; ++k) print_estimate(&e[k]);
  } else {
    far_aggregate g;
    must(far_scores_aggregate(&g, x, n, &def, &error), &error);
    print_estimate(&g.mean);
    print_estimate(&g.median);
    print_estimate(&g.iqm);
    print_estimate(&g.gap);
  }
}

static bool among(const char *request, const char *const *names) {
  while (*names != NULL && strcmp(request, *names) != 0) ++names;
  return *names != NULL;
}

/* Tests over environments; their samples must be there in full before anything is printed. */
static void answer_test(const char *request) {
  far_sample x[SAMPLES], y[SAMPLES];
  far_outcomes outcomes[OUTCOMES];
  double better;
  if (strcmp(request, "signs") == 0) {
    const far_sample counts = sample();
    const size_t n = (size_t)counts.n / 3;
    if (n > OUTCOMES) exit(1);
    for (size_t e = 0; e < n; ++e)
      outcomes[e] = (far_outcomes){counts.x[3 * e], (int64_t)counts.x[3 * e + 1],
                                   (int64_t)counts.x[3 * e + 2]};
    printf("%.17g ", far_sign_test(outcomes, n));
    return;
  }
  const size_t n = (size_t)strtoull(word(), NULL, 10);
  samples(x, n);
  samples(y, n);
  printf("%.17g ", far_rank_sum_test(&better, x, y, n));
  printf("%.17g ", better);
}

static void answer_ranking(void) {
  far_sample cells[SAMPLES];
  far_ranking_def def = far_ranking_def_default();
  far_ranking *r;
  far_error error;
  def.alpha = real();
  def.first = strtoll(word(), NULL, 10);
  def.growth = real();
  def.most = strtoll(word(), NULL, 10);
  def.seed = strtoull(word(), NULL, 10);
  const size_t envs = (size_t)strtoull(word(), NULL, 10);
  const size_t agents = (size_t)strtoull(word(), NULL, 10);
  samples(cells, envs * agents);
  must(far_ranking_create(&r, &def, envs, agents, &error), &error);
  must(far_ranking_compute(r, cells, &error), &error);
  for (size_t i = 0; i < far_ranking_info_of(r).n_pairs; ++i) {
    const far_ranking_pair *p = far_ranking_pair_at(r, i);
    printf("%d %d %lld %.17g %.17g %.17g %d ", p->better, p->look, (long long)p->runs, p->mean,
           p->p, p->p_adjusted, p->skewed);
  }
  far_ranking_free(r);
}

int main(void) {
  static const char *const two[] = {"difference", "pairs", "welch", NULL};
  static const char *const many[] = {"bootstrap", "improvement", "profile", "aggregate", NULL};
  static const char *const tests[] = {"ranks", "signs", NULL};
  char request[64];
  while (scanf("%63s", request) == 1) {
    if (among(request, two))
      answer_two(request);
    else if (among(request, many))
      answer_many(request);
    else if (among(request, tests))
      answer_test(request);
    else if (strcmp(request, "ranking") == 0)
      answer_ranking();
    else
      answer_one(request);
    printf("\n");
    while (n_held > 0) free(held[--n_held]);
  }
  return 0;
}
