/* Pairs of agents and performance profiles: against direct counting, tables of the binomial distribution and
 * SciPy's numbers (tests/statistics/check.py compares many more), and what is refused. */
#include "questions/comparison/comparison.h"
#include "questions/comparison/pairwise.h"
#include "questions/comparison/profiles.h"
#include "stores.h"

enum { RUNS = 12 };

static far_comparison *compare(const char *name, const far_comparison_def *def) {
  far_comparison *out = NULL;
  far_store *store = open_store(name, FAR_STORE_READ);
  CHECK(far_comparison_create(&out, store, def, NULL) == FAR_OK && out != NULL);
  far_store_close(store);
  return out;
}

static far_comparison_def quick_def(void) {
  far_comparison_def def = far_comparison_def_default();
  def.quick = true;
  return def;
}

static void import_rows(const char *name, const char *rows) {
  FILE *file = fopen(store_path("rows.csv"), "w");
  CHECK(file != NULL && fputs(rows, file) >= 0 && fclose(file) == 0);
  far_store *store = open_store(name, FAR_STORE_WRITE);
  far_import_report report;
  CHECK(far_store_import(&report, store, store_path("rows.csv"), NULL) == FAR_OK);
  far_store_close(store);
}

/* ---- tests ---- */

static double signs(int64_t won, int64_t lost) {
  const far_outcomes o = {1, won, lost};
  return far_sign_test(&o, 1);
}

/* All choices of signs, one by one. */
static double all_signs(const double *d, int n) {
  double seen = 0;
  int64_t beyond = 0;
  for (int i = 0; i < n; ++i) seen += d[i];
  for (int64_t e = 0; e < (int64_t)1 << n; ++e) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += e >> i & 1 ? d[i] : -d[i];
    beyond += fabs(sum) >= fabs(seen) - 1e-9;
  }
  return (double)beyond / (double)((int64_t)1 << n);
}

static double weighted(const double *d, int n) {
  far_outcomes o[16];
  for (int i = 0; i < n; ++i) o[i] = (far_outcomes){fabs(d[i]), d[i] > 0, d[i] < 0};
  return far_sign_test(o, (size_t)n);
}

static void sign_tests(void) {
  CHECK_NEAR(signs(3, 1), 10 / 16.0, 1e-15);
  CHECK_NEAR(signs(0, 9), 2 / 512.0, 1e-15);
  CHECK_NEAR(signs(1, 9), 22 / 1024.0, 1e-15);
  CHECK_NEAR(signs(9, 1), 22 / 1024.0, 1e-15);
  CHECK(signs(5, 5) == 1 && signs(0, 0) == 1 && signs(1, 0) == 1);
  CHECK_NEAR(signs(140, 180) / 0.02908687934, 1, 1e-6);
  CHECK_NEAR(signs(60, 0) / 0x1p-59, 1, 1e-12);
  CHECK(signs(0, 5000000) == 0); /* less than a double holds */
  CHECK(far_sign_test(NULL, 0) == 1);
  const double whole[] = {3, 1, -1, 2, 2, 3, -2, 1, 0, 3, 1, 2};
  const double parts[] = {0.31, 1.7, -0.9, 0.45, 1.1, 0.77, -0.21, 0.6, 1.3, 0.05, -0.33, 0.8};
  CHECK_NEAR(weighted(whole, 12), all_signs(whole, 12), 1e-12);
  const double p = all_signs(parts, 12), rounded = weighted(parts, 12);
  CHECK(p < 0.1 && rounded >= p - 1e-12 && rounded < 1.15 * p);
  const far_outcomes twice[] = {{2, 3, 1}, {5, 0, 0}, {0, 4, 0}}; /* one weight that counts */
  CHECK(far_sign_test(twice, 3) == signs(3, 1));
}

static void rank_tests(void) {
  const double x[] = {1, 2, 2, 5}, y[] = {2, 3, 7}, far[] = {10, 11, 12}, same[] = {4, 4};
  double better;
  far_sample a = {x, 4}, b = {y, 3}, c = {far, 3}, d = {same, 2};
  CHECK_NEAR(far_rank_sum_test(&better, &a, &b, 1), 0.35901205, 1e-7);
  CHECK_NEAR(better, 3 / 12.0, 1e-15); /* 5 beats two, each 2 ties one: 2 + 1 of 12 */
  CHECK_NEAR(far_rank_sum_test(&better, &c, &a, 1), 2 / 35.0,
             1e-12); /* exact: one of 35 arrangements */
  CHECK(better == 1);
  CHECK(far_rank_sum_test(&better, &d, &d, 1) == 1 && better == 0.5);
  CHECK(isnan(far_rank_sum_test(&better, NULL, NULL, 0)) && isnan(better));
}

/* ---- pairs of agents ---- */

/* Counted by comparing each with each. */
static double direct_share(const far_comparison_group *g, size_t i, size_t j, bool paired,
                           bool lower) {
  double sum = 0;
  for (size_t e = 0; e < g->n_envs; ++e) {
    const far_comparison_cell *x = &g->cells[e * g->n_agents + i],
                              *y = &g->cells[e * g->n_agents + j];
    double won = 0, all = 0;
    for (int64_t a = 0; a < x->runs; ++a)
      for (int64_t b = 0; b < y->runs; ++b) {
        if (paired && x->replicates[a] != y->replicates[b]) continue;
        won += x->values[a] == y->values[b] ? 0.5 : (x->values[a] > y->values[b]) != lower;
        all += 1;
      }
    sum += won / all / (double)g->n_envs;
  }
  return sum;
}

static void check_pairs(far_better better) {
  far_comparison_def def = quick_def();
  def.better = better;
  far_comparison *c = compare("small.db", &def);
  const far_comparison_group *g = &c->groups[0];
  far__pairwise *p;
  CHECK(far__pairwise_create(&p, c, 0, NULL) == FAR_OK);
  CHECK(p->n_agents == 2 && p->n_tests == 1 && p->level == 0.95 && p->comparison == c);
  const far__pairwise_cell *x = far__pairwise_of(p, 0, 1), *y = far__pairwise_of(p, 1, 0);
  CHECK(x->paired && x->n_envs == 2 && x->pairs == 2 * RUNS &&
        x->won + x->tied + y->won == x->pairs);
  CHECK_NEAR(x->better, direct_share(g, 0, 1, true, c->lower), 1e-15);
  CHECK_NEAR(x->better + y->better, 1, 1e-15);
  CHECK(x->better == g->agents[1 - g->baseline].improvement.paired.value || g->baseline == 0);
  double d[RUNS] = {0};
  for (int i = 0; i < 2 * RUNS; ++i) {
    const far_comparison_cell *row = &g->cells[2 * (i / RUNS)];
    const double a = row[0].values[i % RUNS], b = row[1].values[i % RUNS];
    d[i % RUNS] += a == b ? 0 : (a > b) != c->lower ? 1 : -1;
  }
  CHECK_NEAR(x->p, all_signs(d, RUNS), 1e-12);
  CHECK(y->p == x->p && x->p_adjusted == x->p);
  CHECK(x->decided == (x->p <= 0.05) && y->decided == x->decided);
  CHECK(isnan(far__pairwise_of(p, 1, 1)->better) && !far__pairwise_of(p, 1, 1)->decided);
  far__pairwise_free(p);
  far_comparison_free(c);
}

/* Three imported agents, which are no pairs unless the definition says so; one of them is on another
 * environment, and never meets the others. */
static void imported(bool paired) {
  far_comparison_def def = quick_def();
  def.paired = paired;
  far_comparison *c = compare("theirs.db", &def);
  const far_comparison_group *g = &c->groups[0];
  far__pairwise *p;
  CHECK(g->n_agents == 4);
  CHECK(far__pairwise_create(&p, c, 0, NULL) == FAR_OK);
  CHECK(p->n_tests == 3);
  const far__pairwise_cell *x = far__pairwise_of(p, 0, 1), *none = far__pairwise_of(p, 0, 3);
  CHECK(x->paired == paired && x->n_envs == 1 && x->pairs == (paired ? 6 : 0));
  CHECK_NEAR(x->better, paired ? 1 : 26.5 / 36, 1e-15);
  CHECK_NEAR(x->p, paired ? 2 / 64.0 : 0.199397, 1e-5);
  CHECK_NEAR(far__pairwise_of(p, 2, 0)->better, 1, 0); /* all runs above all */
  CHECK(none->n_envs == 0 && isnan(none->better) && isnan(none->p_adjusted) && !none->decided);
  double raw[3] = {x->p, far__pairwise_of(p, 0, 2)->p, far__pairwise_of(p, 1, 2)->p};
  CHECK(far_p_adjust(raw, raw, 3, FAR_CORRECTION_HOLM, NULL) == FAR_OK);
  CHECK(x->p_adjusted == raw[0] && far__pairwise_of(p, 2, 1)->p_adjusted == raw[2]);
  CHECK(far__pairwise_of(p, 2, 0)->decided == (raw[1] <= 0.05));
  far__pairwise_free(p);
  far_comparison_free(c);
}

static void make_theirs(void) {
  char rows[4000] = "env,agent,seed,value\n";
  size_t at = strlen(rows);
  for (int i = 0; i < 6; ++i)
    at += (size_t)snprintf(rows + at, sizeof rows - at,
                           "maze,a,%d,%d\nmaze,b,%d,%d\nmaze,c,%d,%d\nother,d,%d,1\n", i, 3 * i + 3,
                           i, 3 * i - 3 + (i > 2), i, 100 + i, i);
  import_rows("theirs.db", rows);
}

/* ---- agents that are equal ---- */

/* Two agents whose runs on all environments share random numbers: value = share * that of (agent, replicate) + rest *
 * one of its own, the second agent better by `shift`. */
enum { ENVS = 6, TRIAL_RUNS = 20, TRIALS = 1000 };

typedef struct trial {
  far_comparison comparison;
  far_comparison_group group;
  far_comparison_agent agents[2];
  far_comparison_cell cells[2 * ENVS];
  double values[2 * ENVS][TRIAL_RUNS];
  int64_t replicates[TRIAL_RUNS];
} trial;

static void make_trial(trial *t, far_rng *rng, double share, double shift, int64_t n_envs) {
  t->comparison = (far_comparison){.groups = &t->group,
                                   .n_groups = 1,
                                   .correction = FAR_CORRECTION_HOLM,
                                   .bootstrap = {.level = 0.95}};
  t->group = (far_comparison_group){
      .n_envs = (size_t)n_envs, .agents = t->agents, .n_agents = 2, .cells = t->cells};
  t->agents[0].origin = t->agents[1].origin = FAR_ORIGIN_COMPUTED;
  for (int k = 0; k < TRIAL_RUNS; ++k) {
    const double own[2] = {far_rng_uniform(rng), far_rng_uniform(rng)};
    t->replicates[k] = k;
    for (int i = 0; i < 2 * ENVS; ++i)
      t->values[i][k] = share * own[i % 2] + (1 - share) * far_rng_uniform(rng) + shift * (i % 2);
  }
  for (int i = 0; i < 2 * ENVS; ++i)
    t->cells[i] = (far_comparison_cell){
        .runs = TRIAL_RUNS, .values = t->values[i], .replicates = t->replicates, .records = 1};
}

/* How often two agents are told apart; *pooled: how often by a test that takes all pairs as independent. */
static double told_apart(double share, double shift, int64_t n_envs, double *pooled) {
  static trial t;
  far_rng rng;
  int apart = 0, by_pairs = 0;
  far_rng_init(&rng, 7, 0, FAR_PURPOSE_AGENT);
  for (int i = 0; i < TRIALS; ++i) {
    far__pairwise *p;
    make_trial(&t, &rng, share, shift, n_envs);
    CHECK(far__pairwise_create(&p, &t.comparison, 0, NULL) == FAR_OK);
    const far__pairwise_cell *x = far__pairwise_of(p, 0, 1);
    apart += x->decided;
    by_pairs += signs(x->won, x->pairs - x->won) <= 0.05;
    CHECK(n_envs > 1 || x->p == signs(x->won, x->pairs - x->won));
    far__pairwise_free(p);
  }
  *pooled = (double)by_pairs / TRIALS;
  return (double)apart / TRIALS;
}

static void equal_agents(void) {
  double pooled, rate = told_apart(0.9, 0, ENVS, &pooled);
  CHECK(rate > 0.02 && rate < 0.07 && pooled > 0.3);
  rate = told_apart(0, 0, ENVS, &pooled); /* environments that share nothing */
  CHECK(rate > 0.02 && rate < 0.07 && pooled < 0.07);
  rate = told_apart(0.9, 0, 1, &pooled);
  CHECK(rate > 0.02 && rate < 0.07 && pooled == rate);
  CHECK(told_apart(0.9, 0.4, ENVS, &pooled) > 0.9);
}

/* An environment with fewer replicates weighs as much as the others, and the sum has the sign of the share less half. */
static void unequal_numbers(void) {
  static trial t;
  far_rng rng;
  far__pairwise *p;
  double d[TRIAL_RUNS] = {0};
  far_rng_init(&rng, 8, 0, FAR_PURPOSE_AGENT);
  make_trial(&t, &rng, 0.5, 0.15, 3);
  t.group.n_envs = 2;
  for (int i = 0; i < 4; ++i) t.cells[i].runs = i < 2 ? 14 : 5;
  for (int i = 0; i < 4; i += 2)
    for (int64_t k = 0; k < t.cells[i].runs; ++k)
      d[k] += (t.values[i][k] > t.values[i + 1][k] ? 14.0 : -14.0) / (double)t.cells[i].runs;
  CHECK(far__pairwise_create(&p, &t.comparison, 0, NULL) == FAR_OK);
  const far__pairwise_cell *x = far__pairwise_of(p, 0, 1);
  CHECK(x->paired && x->pairs == 19 && x->better < 0.5);
  const double exact = all_signs(d, 14);
  CHECK(x->p >= exact - 1e-12 && x->p < 1.15 * exact);
  far__pairwise_free(p);
}

/* ---- profiles ---- */

/* The profile on the comparison's eleven scores is the comparison's. */
static void profiles(void) {
  far_comparison_def def = far_comparison_def_default();
  def.bootstrap.resamples = 300;
  far_comparison *c = compare("small.db", &def);
  const far_comparison_group *g = &c->groups[0];
  far__profiles_def how = far__profiles_def_default();
  far__profiles *p;
  how.bootstrap = def.bootstrap;
  how.n_scores = FAR_COMPARISON_TAUS;
  how.low = 0;
  how.high = 1;
  CHECK(far__profiles_create(&p, c, 0, &how, NULL) == FAR_OK);
  CHECK(p->n_envs == 2 && p->n_observed == 0 && p->n_agents == 2 && p->level == 0.95);
  for (size_t k = 0; k < p->n_scores; ++k) CHECK_NEAR(p->scores[k], far__comparison_tau(k), 1e-15);
  CHECK(p->scores[0] == 0 && p->scores[10] == 1);
  for (size_t i = 0; i < 2 * p->n_scores; ++i) {
    const far_estimate *x = &p->shares[i],
                       *y = &g->agents[i / p->n_scores].scores.profile[i % p->n_scores];
    CHECK(p->exists[i / p->n_scores] && x->value == y->value);
    CHECK(isnan(y->low) ? x->low == x->high : x->low == y->low && x->high == y->high);
  }
  far__profiles_free(p);
  far_comparison_free(c);
}

/* Counted directly, on the grid that the runs decide. */
static void grid(void) {
  const far_comparison_def def = quick_def();
  far_comparison *c = compare("small.db", &def);
  const far_comparison_group *g = &c->groups[0];
  far__profiles_def how = far__profiles_def_default();
  far__profiles *p;
  how.bootstrap.resamples = 100;
  CHECK(far__profiles_create(&p, c, 0, &how, NULL) == FAR_OK);
  CHECK(p->n_scores == 101 && p->scores[0] <= 0 && p->scores[0] >= -1 && p->scores[100] >= 1);
  for (size_t k = 0; k < p->n_scores; ++k) {
    double share = 0;
    for (size_t e = 0; e < 2; ++e)
      for (int i = 0; i < RUNS; ++i) {
        const far_comparison_scale *s = &g->envs[e].scale;
        const double score = (g->cells[2 * e].values[i] - s->low) / (s->high - s->low);
        share += (score > p->scores[k]) / (2.0 * RUNS);
      }
    CHECK_NEAR(p->shares[k].value, share, 1e-14);
    CHECK(p->shares[k].low <= share + 1e-9 && p->shares[k].high >= share - 1e-9);
  }
  far__profiles_free(p);
  far_comparison_free(c);
}

/* An agent that is not everywhere has no profile; nor has any without a scale. */
static void without(void) {
  const far_comparison_def def = quick_def();
  far_comparison *c = compare("theirs.db", &def);
  far__profiles_def how = far__profiles_def_default();
  far__profiles *p;
  how.bootstrap.resamples = 100;
  CHECK(far__profiles_create(&p, c, 0, &how, NULL) == FAR_OK);
  CHECK(p->n_envs == 1 && p->n_observed == 1 && p->exists[0] && p->exists[2] && !p->exists[3]);
  CHECK(p->scores[0] == 0 && p->scores[100] == 1); /* the worst and the best run */
  far__profiles_free(p);
  how.agents = (const size_t[]){2, 1};
  how.n_agents = 2;
  CHECK(far__profiles_create(&p, c, 0, &how, NULL) == FAR_OK);
  CHECK(!p->exists[0] && p->exists[1] && p->exists[2] && !p->exists[3]);
  far__profiles_free(p);
  far_comparison_free(c);
}

/* Bands over replicates: Student's of the share of environments that each has above a score. */
static void by_replicate(void) {
  static trial t;
  far_comparison_env envs[ENVS];
  far_rng rng;
  far__profiles *p;
  far_error error;
  far__profiles_def how = far__profiles_def_default();
  far_rng_init(&rng, 9, 0, FAR_PURPOSE_AGENT);
  make_trial(&t, &rng, 0.9, 0.2, ENVS);
  for (int e = 0; e < ENVS; ++e)
    envs[e] = (far_comparison_env){.scale = {FAR_SCALE_POLICIES, 0, 2, true}};
  t.group.envs = envs;
  t.agents[0].label = t.agents[1].label = "agent";
  how.low = 0;
  how.high = 1;
  how.by_replicate = true;
  CHECK(far__profiles_create(&p, &t.comparison, 0, &how, &error) == FAR_OK);
  CHECK(p->by_replicate && p->exists[0] && p->exists[1]);
  for (size_t i = 0; i < 2 * p->n_scores; ++i) {
    double x[TRIAL_RUNS] = {0};
    far_summary s;
    for (int k = 0; k < TRIAL_RUNS * ENVS; ++k)
      x[k / ENVS] += t.values[2 * (size_t)(k % ENVS) + i / p->n_scores][k / ENVS] / 2 >
                     p->scores[i % p->n_scores];
    for (int k = 0; k < TRIAL_RUNS; ++k) x[k] /= ENVS;
    CHECK(far_sample_summarise(&s, x, TRIAL_RUNS, 0.95, NULL) == FAR_OK);
    CHECK(p->shares[i].value == s.mean && p->shares[i].low == fmax(s.low, 0) &&
          p->shares[i].high == fmin(s.high, 1));
  }
  CHECK(p->shares[30].low < p->shares[30].value && p->shares[30].high > p->shares[30].value);
  far__profiles_free(p);
  t.cells[2].runs -= 1;
  CHECK(far__profiles_create(&p, &t.comparison, 0, &how, &error) == FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "not the same replicates");
}

/* ---- what is refused, and the end ---- */

static bool stops_at(void *user, const char *what, size_t done, size_t count) {
  CHECK_TEXT(what, "profile");
  CHECK(done <= count);
  return --*(int *)user > 0;
}

static void refused(void) {
  const far_comparison_def def = quick_def();
  far_comparison *c = compare("small.db", &def);
  far__pairwise *pairs;
  far__profiles *p;
  far_error error;
  far__profiles_def how = far__profiles_def_default();
  CHECK(far__pairwise_create(&pairs, c, 1, &error) == FAR_STATUS_RANGE && pairs == NULL);
  CHECK_CONTAINS(error.message, "no group 1");
  CHECK(far__profiles_create(&p, c, 1, &how, NULL) == FAR_STATUS_RANGE && p == NULL);
  how.n_scores = 1;
  CHECK(far__profiles_create(&p, c, 0, &how, NULL) == FAR_STATUS_RANGE);
  how = far__profiles_def_default();
  how.low = 1;
  how.high = 0;
  CHECK(far__profiles_create(&p, c, 0, &how, NULL) == FAR_STATUS_RANGE);
  how = far__profiles_def_default();
  how.bootstrap.resamples = 100;
  how.progress = stops_at;
  for (int at = 1; at <= 3; ++at) {
    int left = at;
    how.user = &left;
    CHECK(far__profiles_create(&p, c, 0, &how, &error) == FAR_STATUS_CANCELLED && p == NULL);
  }
  far__pairwise_free(NULL);
  far__profiles_free(NULL);
  far_comparison_free(c);
}

static void report(void) {
  static const char *const words[] = {"Probability of improvement", "| ", "\"pairwise\":[",
                                      "agent,", "\\toprule"};
  const far_comparison_def def = quick_def();
  far_comparison *c = compare("theirs.db", &def);
  far__pairwise *pairs;
  far__profiles *p;
  far_report *r;
  far__profiles_def how = far__profiles_def_default();
  how.bootstrap.resamples = 100;
  CHECK(far_report_create(&r, "plot", NULL) == FAR_OK);
  CHECK(far__pairwise_create(&pairs, c, 0, NULL) == FAR_OK);
  CHECK(far__profiles_create(&p, c, 0, &how, NULL) == FAR_OK);
  far__pairwise_report(pairs, r);
  far__profiles_report(p, r);
  far__pairwise_free(pairs);
  far__profiles_free(p);
  far_comparison_free(c);
  CHECK_TEXT(far_report_table_name(r, 0), "pairwise");
  CHECK_TEXT(far_report_table_name(r, 1), "profiles");
  for (int format = 0; format < 5; ++format) {
    far_render_def render = far_render_def_default();
    far_buffer out = {0};
    render.format = (far_report_format)format;
    CHECK(far_report_render(r, &render, far_sink_buffer(&out), NULL) == FAR_OK);
    CHECK_CONTAINS(out.bytes, words[format]);
    far_buffer_free(&out);
  }
  far_report_free(r);
}

/* A quick comparison is the full one without its bootstrap intervals. */
static void quick(void) {
  far_comparison_def def = far_comparison_def_default();
  def.bootstrap.resamples = 200;
  far_comparison *full = compare("small.db", &def);
  def.quick = true;
  far_comparison *c = compare("small.db", &def);
  const far_comparison_group *g = &c->groups[0], *f = &full->groups[0];
  CHECK(g->baseline == f->baseline && g->n_differences == f->n_differences);
  for (size_t i = 0; i < 4; ++i) {
    const far_comparison_cell *x = &g->cells[i], *y = &f->cells[i];
    CHECK(x->summary.low == y->summary.low && x->difference.low == y->difference.low);
    CHECK(i % 2 == g->baseline || x->difference.p_adjusted == y->difference.p_adjusted);
    CHECK_NEAR(x->mean.value, y->mean.value, 1e-12 * fabs(y->mean.value));
    CHECK(isnan(x->mean.low) && (i % 2 == g->baseline || isnan(x->difference.bootstrap.low)));
    CHECK(x->records == 1 && strlen(x->keys[0]) == 64 && strcmp(x->keys[0], y->keys[0]) == 0);
  }
  CHECK(g->agents[0].scores.aggregate.iqm.value == f->agents[0].scores.aggregate.iqm.value);
  CHECK(isnan(g->agents[0].scores.aggregate.iqm.low));
  const size_t other = 1 - g->baseline;
  CHECK(g->agents[other].improvement.any.value == f->agents[other].improvement.any.value);
  CHECK(isnan(g->agents[other].improvement.paired.low) && !g->few_resamples);
  far_comparison_free(c);
  far_comparison_free(full);
}

int main(void) {
  sign_tests();
  rank_tests();
  equal_agents();
  unequal_numbers();
  by_replicate();
  if (!stores_begin()) return stores_end();
  small_batch b;
  small_make(&b, RUNS);
  run_through("small.db", &b.def);
  make_theirs();
  check_pairs(FAR_BETTER_HIGHER);
  check_pairs(FAR_BETTER_LOWER);
  imported(false);
  imported(true);
  quick();
  profiles();
  grid();
  without();
  refused();
  report();
  small_free(&b);
  return stores_end();
}
