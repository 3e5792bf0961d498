/* Times with censoring, and the laws of growth: against numpy and scipy, and on data whose law is
 * known. The metric earned, against its definition. */
#include <farsight/farsight.h>

#include "check.h"
#include "run/series.h"
#include "statistics/growth.h"

/* ---- times ---- */

static const double sample[] = {3, 1, 4, 1.5, 9, 2.6, 5, 3.5, 8, 9.7, 9.3, 2.3};

enum { N = sizeof sample / sizeof *sample };

/* numpy.median, numpy.quantile; the interval is of the order statistics 3 and 10, since
 * scipy.stats.binom.cdf(2, 12, 0.5) = 0.0193 and binom.cdf(3, 12, 0.5) = 0.073. */
static void test_quantiles(void) {
  far_times t;
  CHECK(far_times_summarise(&t, sample, N, 100, NULL) == FAR_OK);
  CHECK(t.runs == N && t.censored == 0);
  CHECK_NEAR(t.median, 3.75, 1e-15);
  CHECK_NEAR(t.first_quartile, 2.525, 1e-15);
  CHECK_NEAR(t.third_quartile, 8.25, 1e-15);
  CHECK(t.low == 2.3 && t.high == 9);
}

static void test_censoring(void) {
  far_times t;
  CHECK(far_times_summarise(&t, sample, N, 8, NULL) == FAR_OK); /* 9, 9.3 and 9.7 are not known */
  CHECK(t.censored == 3 && t.median == 3.75 && t.low == 2.3 && t.high == INFINITY);
  CHECK(fabs(t.first_quartile - 2.525) < 1e-15 && t.third_quartile == INFINITY);
  CHECK(far_times_summarise(&t, sample, N, 3.5, NULL) == FAR_OK); /* half of them */
  CHECK(t.censored == 6 && t.median == INFINITY);
  CHECK(far_times_summarise(&t, sample, N - 1, 3.5, NULL) == FAR_OK); /* one more than half */
  CHECK(t.censored == 6 && t.median == INFINITY && t.low == 1.5);
  CHECK(far_times_summarise(&t, sample, 5, 4, NULL) == FAR_OK);
  CHECK(t.censored == 1 && t.median == 3 && t.third_quartile == 4 && t.low != t.low);
  CHECK(far_times_summarise(&t, sample, N, 0, NULL) == FAR_OK);
  CHECK(t.censored == N && t.median == INFINITY && t.low == INFINITY);
}

/* The ends of the median's interval, from scipy.stats.binom.cdf. */
static void test_interval(void) {
  static const int ends[][2] = {{6, 1}, {7, 1}, {20, 6}, {100, 40}, {1000, 469}};
  double times[1000];
  far_times t;
  for (int i = 0; i < 1000; ++i) times[i] = 1000 - i;
  for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i) {
    const int n = ends[i][0], k = ends[i][1];
    CHECK(far_times_summarise(&t, times, n, INFINITY, NULL) == FAR_OK);
    CHECK(t.low == 1000 - n + k && t.high == 1000 - k + 1);
  }
}

/* Where the exact ends give way to the normal approximation, the interval gets no narrower: of 1,001 coins it would
 * end at the 470th, and ends at floor((1001 - 1.96 sqrt(1001)) / 2) - 1 = 468. */
static void test_many_times(void) {
  static double times[1001];
  far_times t;
  for (int i = 0; i < 1001; ++i) times[i] = i;
  CHECK(far_times_summarise(&t, times, 1001, INFINITY, NULL) == FAR_OK);
  CHECK(t.median == 500 && t.low == 467 && t.high == 533);
}

static void test_wrong_times(void) {
  far_times t;
  far_error error;
  CHECK(far_times_summarise(&t, sample, 0, 1, &error) == FAR_STATUS_RANGE);
  CHECK(far_times_summarise(&t, (const double[]){1, NAN}, 2, 1, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "not a number");
}

/* ---- laws ---- */

/* numpy.linalg.lstsq of ln value on 1, ln size, size; intervals by scipy.stats.t. */
static void test_reference(void) {
  static const double sizes[] = {5, 8, 10, 15, 20, 30, 40};
  static const double values[] = {112, 350, 480, 1130, 2350, 4900, 9800};
  far__growth g;
  CHECK(far__growth_fit(&g, sizes, values, 7, NULL) == FAR_OK);
  const far__fit *p = &g.laws[FAR__LAW_POLYNOMIAL], *e = &g.laws[FAR__LAW_EXPONENTIAL];
  const far__fit *m = &g.laws[FAR__LAW_MIXED];
  CHECK(g.points == 7 && p->fitted && e->fitted && m->fitted);
  CHECK_NEAR(p->scale, 3.831160027711646, 1e-11);
  CHECK_NEAR(p->power, 2.120129343677638, 1e-12);
  CHECK_NEAR(p->power_ci95, 0.10367485312803885, 1e-9);
  CHECK_NEAR(p->spread, 0.07312719472442684, 1e-12);
  CHECK_NEAR(p->aicc, -24.973075104118656, 1e-9);
  CHECK(p->rate == 0 && p->rate_ci95 == 0 && e->power == 0 && e->power_ci95 == 0);
  CHECK_NEAR(e->scale, 130.14674495371858, 1e-10);
  CHECK_NEAR(e->rate, 0.11835040194614874, 1e-13);
  CHECK_NEAR(e->rate_ci95, 0.03984722440115974, 1e-9);
  CHECK_NEAR(e->spread, 0.48363607240979745, 1e-12);
  CHECK_NEAR(e->aicc, 1.474778341178821, 1e-9);
  CHECK_NEAR(m->scale, 3.850759490495329, 1e-9);
  CHECK_NEAR(m->power, 2.11689395663793, 1e-10);
  CHECK_NEAR(m->power_ci95, 0.44948633638925023, 1e-9);
  CHECK_NEAR(m->rate, 0.00019576918787489122, 1e-12);
  CHECK_NEAR(m->rate_ci95, 0.02612169589372615, 1e-9);
  CHECK_NEAR(m->spread, 0.08175426461622, 1e-12);
  CHECK_NEAR(m->aicc, -10.973832771633859, 1e-9);
  CHECK_NEAR(g.evidence, 26.44785344529748, 1e-9);
}

/* scale n^power e^(rate n), each value off by the factor e^(+-noise) or by none */
static far__growth growth_of(double scale, double power, double rate, double noise) {
  double sizes[10], values[10];
  far_rng rng;
  far__growth g;
  far_rng_init(&rng, 11, 0, FAR_PURPOSE_SEARCH);
  for (int i = 0; i < 10; ++i) {
    sizes[i] = 4 + 3 * i;
    const double off = noise * (2 * far_rng_uniform(&rng) - 1);
    values[i] = scale * far_exp(power * far_log(sizes[i]) + rate * sizes[i] + off);
  }
  CHECK(far__growth_fit(&g, sizes, values, 10, NULL) == FAR_OK);
  return g;
}

static void test_known_laws(void) {
  far__growth g = growth_of(7, 3, 0, 0);
  CHECK_NEAR(g.laws[FAR__LAW_POLYNOMIAL].power, 3, 1e-12);
  CHECK_NEAR(g.laws[FAR__LAW_POLYNOMIAL].scale, 7, 1e-11);
  CHECK(g.laws[FAR__LAW_POLYNOMIAL].power_ci95 < 1e-12 && g.evidence > 100);
  g = growth_of(0.5, 0, 0.7, 0);
  CHECK_NEAR(g.laws[FAR__LAW_EXPONENTIAL].rate, 0.7, 1e-13);
  CHECK_NEAR(g.laws[FAR__LAW_EXPONENTIAL].scale, 0.5, 1e-12);
  CHECK(g.evidence < -100);
  g = growth_of(2, 1.5, 0.1, 0);
  CHECK_NEAR(g.laws[FAR__LAW_MIXED].power, 1.5, 1e-10);
  CHECK_NEAR(g.laws[FAR__LAW_MIXED].rate, 0.1, 1e-11);
  CHECK(g.laws[FAR__LAW_MIXED].aicc < g.laws[FAR__LAW_POLYNOMIAL].aicc - FAR__EVIDENCE);
  CHECK(g.laws[FAR__LAW_MIXED].aicc < g.laws[FAR__LAW_EXPONENTIAL].aicc - FAR__EVIDENCE);
}

/* The intervals hold what they should, and noise that drowns the difference leaves it open. */
static void test_noise(void) {
  far__growth g = growth_of(7, 2, 0, 0.2);
  const far__fit *p = &g.laws[FAR__LAW_POLYNOMIAL];
  CHECK(fabs(p->power - 2) < p->power_ci95 && p->power_ci95 < 0.2 && p->power != 2);
  CHECK(p->spread > 0.05 && p->spread < 0.2 && g.evidence > FAR__EVIDENCE);
  const far__fit *m = &g.laws[FAR__LAW_MIXED];
  CHECK(fabs(m->rate) < m->rate_ci95 && m->aicc > p->aicc);
  g = growth_of(7, 0.1, 0, 3);
  CHECK(fabs(g.evidence) < FAR__EVIDENCE);
}

static void test_few_points(void) {
  static const double sizes[] = {1, 2, 3, 4, 5}, values[] = {1, 3, 9, 20, 26};
  far__growth g;
  far_error error;
  CHECK(far__growth_fit(&g, sizes, values, 5, NULL) == FAR_OK);
  CHECK(g.laws[0].aicc == g.laws[0].aicc && g.laws[2].fitted && g.laws[2].aicc != g.laws[2].aicc);
  CHECK(far__growth_fit(&g, sizes, values, 3, NULL) == FAR_OK);
  CHECK(g.laws[0].fitted && !g.laws[2].fitted && g.laws[2].rate != g.laws[2].rate);
  CHECK(g.laws[0].aicc != g.laws[0].aicc && g.evidence == g.evidence);
  CHECK(far__growth_fit(&g, sizes, values, 2, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "3 sizes");
  CHECK(far__growth_fit(&g, (const double[]){5, 5, 6}, values, 3, &error) == FAR_STATUS_RANGE);
  CHECK(far__growth_fit(&g, sizes, (const double[]){1, 0, 2}, 3, &error) == FAR_STATUS_RANGE);
  CHECK(far__growth_fit(&g, sizes, (const double[]){1, INFINITY, 2}, 3, &error) ==
        FAR_STATUS_RANGE);
  CHECK(far__growth_fit(&g, (const double[]){0, 1, 2}, values, 3, &error) == FAR_STATUS_RANGE);
}

/* ---- earned ---- */

/* The definition once more, with the best average reward as a closed form gives it. */
typedef struct shadow {
  far_metric metric;
  double gain;
} shadow;

typedef struct shadow_watcher {
  double least, total;
  int64_t t, last;
} shadow_watcher;

static far_status shadow_create(void **out, const far_metric *metric, const far_mdp *mdp,
                                const far_agent *agent, int64_t steps, far_error *error) {
  static shadow_watcher w; /* one thread, one cell */
  (void)mdp, (void)agent, (void)steps, (void)error;
  w.least = 0.5 * ((const shadow *)metric)->gain;
  *out = &w;
  return FAR_OK;
}

static far_status shadow_begin(void *of, const far_agent *agent, uint32_t s, far_error *error) {
  shadow_watcher *w = of;
  (void)agent, (void)s, (void)error;
  w->total = 0;
  w->t = w->last = 0;
  return FAR_OK;
}

static far_status shadow_step(void *of, const far_agent *agent, const far_transition *step,
                              uint32_t next, far_error *error) {
  shadow_watcher *w = of;
  (void)agent, (void)next, (void)error;
  w->total += step->r;
  w->t += 1;
  if (w->total - w->least * (double)w->t < -1e-9) w->last = w->t;
  return FAR_OK;
}

static double shadow_end(void *of, const far_agent *agent) {
  (void)agent;
  return (double)((shadow_watcher *)of)->last;
}

static void shadow_free(void *of) {
  (void)of;
}

static void test_earned(const char *env, double gain, const char *agent) {
  const shadow mine = {{.name = "shadow",
                        .create = shadow_create,
                        .begin = shadow_begin,
                        .step = shadow_step,
                        .end = shadow_end,
                        .free = shadow_free},
                       gain};
  far_metric *earned = NULL;
  far_mdp *mdp = NULL;
  far_batch *batch = NULL;
  CHECK(far_metric_create(&earned, "earned", NULL) == FAR_OK);
  CHECK(far_mdp_create(&mdp, env, NULL) == FAR_OK);
  const far_metric *metrics[] = {earned, &mine.metric};
  const far_cell cell = {.mdp = mdp, .agent = agent, .steps = 600};
  far_batch_def def = far_batch_def_default();
  def.cells = &cell;
  def.n_cells = 1;
  def.runs = 20;
  def.threads = 1;
  def.metrics = metrics;
  def.n_metrics = 2;
  CHECK(far_batch_run(&batch, &def, NULL) == FAR_OK);
  const far_result *x = far_batch_metric(batch, 0, 0), *y = far_batch_metric(batch, 0, 1);
  for (int i = 0; i < 20; ++i) CHECK(x->totals[i] == y->totals[i]);
  CHECK(x->min < x->max && x->max <= 600);
  far_batch_free(batch);
  far_mdp_free(mdp);
  far_metric_free(earned);
}

/* Where nothing is to be earned there is no fraction of it. */
static void test_nothing_to_earn(void) {
  far_metric *earned = NULL;
  far_mdp *mdp = NULL;
  far_error error;
  CHECK(far_metric_create(&earned, "earned:fraction=0.9", NULL) == FAR_OK);
  CHECK_TEXT(earned->name, "earned:fraction=0.9");
  CHECK(far_mdp_create(&mdp, "cliff-walking", NULL) == FAR_OK);
  const far_cell cell = {.mdp = mdp, .agent = "delayed-q", .steps = 100};
  CHECK(far__metric_check(earned, &cell, NULL, NULL, &error) == FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "no fraction to earn");
  far_mdp_free(mdp);
  far_metric_free(earned);
  CHECK(far_metric_create(&earned, "earned:fraction=1", &error) == FAR_STATUS_RANGE);
}

int main(void) {
  test_quantiles();
  test_censoring();
  test_interval();
  test_many_times();
  test_wrong_times();
  test_reference();
  test_known_laws();
  test_noise();
  test_few_points();
  /* going right, state s of the chain is held in proportion to 4^s */
  test_earned("chain:n=5", (768 + 0.003) / 1023, "q-learning:gamma=0.8");
  test_earned("combination-lock:n=4", 0.25, "delayed-q:eps1=0.05,gamma=0.75,m=5");
  test_earned("deepsea:n=4", 0.99 / 4, "ucb-q:gamma=0.75");
  test_nothing_to_earn();
  for (int law = 0; law < FAR__LAW_COUNT; ++law) CHECK(far__law_name((far__law)law)[0] != '\0');
  return check_report();
}
