/* Comparisons of stored results: the numbers against the functions of statistics.h called directly, what
 * may be asked, and what is refused. */
#include "lab/store/access.h"
#include "questions/comparison/times.h"
#include "questions/comparison/comparison.h"
#include "report/build.h"
#include "stores.h"

enum { RUNS = 12, RESAMPLES = 500 };

static far_comparison_def small_def(void) {
  far_comparison_def def = far_comparison_def_default();
  def.bootstrap.resamples = RESAMPLES;
  return def;
}

static far_comparison *compare(const char *name, const far_comparison_def *def) {
  far_comparison *out = NULL;
  far_error error = {.message = "untouched"};
  far_store *store = open_store(name, FAR_STORE_READ);
  const far_status status = far_comparison_create(&out, store, def, &error);
  CHECK(status == FAR_OK && out != NULL);
  CHECK_TEXT(error.message, "untouched");
  far_store_close(store);
  return out;
}

static bool same_estimate(const far_estimate *a, const far_estimate *b) {
  return a->value == b->value && a->low == b->low && a->high == b->high && a->std == b->std;
}

/* ---- the numbers ---- */

static void check_cell(const far_comparison_cell *cell, const far_bootstrap_def *how) {
  const far_sample sample = {cell->values, cell->runs};
  far_summary s;
  far_estimate mean, iqm;
  CHECK(cell->runs == RUNS && cell->finite && cell->records == 1);
  CHECK(far_sample_summarise(&s, cell->values, cell->runs, how->level, NULL) == FAR_OK);
  CHECK(s.mean == cell->summary.mean && s.low == cell->summary.low);
  CHECK(s.median == cell->summary.median && s.iqm == cell->summary.iqm);
  CHECK(far_bootstrap_run(&mean, 1, &sample, 1, far_statistic_mean, NULL, how, NULL) == FAR_OK);
  CHECK(far_bootstrap_run(&iqm, 1, &sample, 1, far_statistic_iqm, NULL, how, NULL) == FAR_OK);
  CHECK(same_estimate(&mean, &cell->mean) && same_estimate(&iqm, &cell->iqm));
}

/* What the store itself has of a cell. */
static void check_values(const far_comparison_group *g, const char *name) {
  far_store *store = open_store(name, FAR_STORE_READ);
  far_record record;
  bool found;
  for (size_t i = 0; i < g->n_envs * g->n_agents; ++i) {
    double *x;
    int64_t *replicates, n;
    char key[FAR_HASH_TEXT];
    CHECK(far_store_record(&record, &found, store, i, NULL) == FAR_OK && found);
    CHECK_TEXT(g->envs[i / g->n_agents].spec, record.env);
    CHECK_TEXT(g->cells[i].spec, record.agent);
    snprintf(key, sizeof key, "%s", record.key);
    CHECK(far__store_values(&x, &replicates, &n, store, key, "total", NULL) == FAR_OK);
    CHECK(n == g->cells[i].runs);
    CHECK(memcmp(x, g->cells[i].values, (size_t)n * sizeof *x) == 0);
    CHECK(memcmp(replicates, g->cells[i].replicates, (size_t)n * sizeof *replicates) == 0);
    free(x);
    free(replicates);
  }
  far_store_close(store);
}

/* Two environments, one agent besides the baseline: two comparisons. */
static void check_differences(const far_comparison_group *g, far_bootstrap_def how) {
  double p[2], adjusted[2];
  const size_t other = 1 - g->baseline;
  CHECK(g->n_differences == 2);
  how.level = far_simultaneous_level(how.level, 2);
  CHECK(g->difference_level == how.level);
  for (size_t e = 0; e < 2; ++e) {
    const far_comparison_cell *x = &g->cells[2 * e + other], *y = &g->cells[2 * e + g->baseline];
    const far_comparison_difference *d = &x->difference;
    far_paired pairs;
    CHECK(far_pairs_compare(&pairs, x->values, y->values, RUNS, &how, NULL) == FAR_OK);
    CHECK(d->exists && d->paired && d->testable && !d->constant && d->pairs == RUNS);
    CHECK(d->mean == pairs.mean && d->low == pairs.low && d->high == pairs.high);
    CHECK(d->t == pairs.t && d->p == pairs.p && d->won == pairs.won && d->saving == pairs.saving);
    CHECK(same_estimate(&d->bootstrap, &pairs.bootstrap));
    CHECK(!y->difference.exists);
    p[e] = pairs.p;
  }
  CHECK(far_p_adjust(adjusted, p, 2, FAR_CORRECTION_HOLM, NULL) == FAR_OK);
  for (size_t e = 0; e < 2; ++e)
    CHECK(g->cells[2 * e + other].difference.p_adjusted == adjusted[e]);
}

/* Both agents have the same replicates on both environments. */
static far_bootstrap_def drawn_together(const far_bootstrap_def *how) {
  far_bootstrap_def def = *how;
  def.together = true;
  return def;
}

static void check_improvement(const far_comparison_group *g, const far_bootstrap_def *given) {
  const far_bootstrap_def def = drawn_together(given), *how = &def;
  const size_t other = 1 - g->baseline;
  far_sample x[2], y[2];
  far_estimate any, paired;
  for (size_t e = 0; e < 2; ++e) {
    x[e] = (far_sample){g->cells[2 * e + other].values, RUNS};
    y[e] = (far_sample){g->cells[2 * e + g->baseline].values, RUNS};
  }
  CHECK(far_improvement(&any, x, y, 2, how, NULL) == FAR_OK);
  CHECK(far_improvement_paired(&paired, x, y, 2, how, NULL) == FAR_OK);
  CHECK(g->n_improvements == 1 && g->improvement_level == how->level);
  CHECK(g->agents[other].improvement.n_envs == 2);
  CHECK(g->agents[g->baseline].improvement.n_envs == 0);
  CHECK(g->agents[other].improvement.any.value == any.value);
  CHECK(g->agents[other].improvement.paired.value == paired.value);
}

static void check_scores(const far_comparison_group *g, const small_batch *b,
                         const far_bootstrap_def *given) {
  const far_bootstrap_def def = drawn_together(given), *how = &def;
  double scores[2][RUNS], low, high;
  CHECK(g->n_scales == 2);
  for (size_t j = 0; j < 2; ++j) {
    far_sample samples[2];
    far_aggregate a;
    for (size_t e = 0; e < 2; ++e) {
      const far_comparison_scale *scale = &g->envs[e].scale;
      CHECK(far_solve_random_total(&low, b->mdps[e], 300, NULL, NULL) == FAR_OK);
      CHECK(far_solve_best_total(&high, b->mdps[e], 300, NULL, NULL) == FAR_OK);
      CHECK(scale->kind == FAR_SCALE_POLICIES && scale->used);
      CHECK(scale->low == low && scale->high == high);
      for (size_t i = 0; i < RUNS; ++i)
        scores[e][i] = (g->cells[2 * e + j].values[i] - low) / (high - low);
      samples[e] = (far_sample){scores[e], RUNS};
    }
    CHECK(far_scores_aggregate(&a, samples, 2, how, NULL) == FAR_OK);
    CHECK(g->agents[j].scores.exists);
    CHECK(same_estimate(&g->agents[j].scores.aggregate.iqm, &a.iqm));
    CHECK(same_estimate(&g->agents[j].scores.aggregate.gap, &a.gap));
  }
  CHECK(far__comparison_tau(0) == 0 && far__comparison_tau(FAR_COMPARISON_TAUS - 1) == 1);
}

static void numbers(const small_batch *b) {
  const far_comparison_def def = small_def();
  far_comparison *c = compare("small.db", &def);
  const far_comparison_group *g = &c->groups[0];
  CHECK(c->n_groups == 1 && !c->lower && c->exact && c->n_without == 0 && c->baseline == NULL);
  CHECK_TEXT(c->series, "total");
  CHECK(g->steps == 300 && g->seed == b->def.seed && g->numerics == far_numerics());
  CHECK(g->n_envs == 2 && g->n_agents == 2 && g->baseline < 2);
  CHECK_TEXT(g->envs[0].label, "chain:n=5");
  CHECK_TEXT(g->envs[1].label, "riverswim");
  CHECK_TEXT(g->agents[0].label, "directed-delayed-q:m=3");
  CHECK_TEXT(g->agents[1].label, "q-learning");
  check_values(g, "small.db");
  for (size_t i = 0; i < 4; ++i) check_cell(&g->cells[i], &def.bootstrap);
  check_differences(g, def.bootstrap);
  check_improvement(g, &def.bootstrap);
  check_scores(g, b, &def.bootstrap);
  far_comparison_free(c);
}

/* ---- the question ---- */

static void choices(void) {
  const char *const envs[] = {"riverswim", "chain*"}, *const agents[] = {"q-learning"};
  far_comparison_def def = small_def();
  def.envs = envs;
  def.n_envs = 2;
  def.agents = agents;
  def.n_agents = 1;
  def.baseline = "directed*";
  far_comparison *c = compare("small.db", &def);
  const far_comparison_group *g = &c->groups[0];
  CHECK_TEXT(c->baseline, "directed*");
  CHECK(g->n_envs == 2 && g->n_agents == 2 && g->baseline == 1);
  CHECK_TEXT(g->envs[0].label, "riverswim");
  CHECK_TEXT(g->agents[0].label, "q-learning");
  CHECK(g->agents[1].improvement.n_envs == 0 && g->cells[0].difference.exists);
  far_comparison_free(c);
}

/* Names instead of labels, also of the baseline; none where the group has other members. */
static void names(void) {
  const char *const envs[] = {"riverswim", "chain*"}, *const called[] = {"<b>", "Kette"};
  const char *const agents[] = {"q-learning", "directed*"}, *const who[] = {"Q", "Q"};
  far_comparison_def def = small_def();
  def.envs = envs;
  def.agents = agents;
  def.n_envs = def.n_agents = 2;
  def.env_names = called;
  def.agent_names = who;
  def.baseline = "q-learning";
  far_comparison *c = compare("small.db", &def);
  CHECK_TEXT(c->groups[0].envs[0].label, "<b>");
  CHECK_TEXT(c->groups[0].envs[1].label, "Kette");
  CHECK_TEXT(c->groups[0].agents[1].label, "Q");
  CHECK(c->groups[0].baseline == 0 && c->groups[0].cells[1].difference.exists);
  far_comparison_free(c);
  def.n_agents = 1;
  def.baseline = "directed*"; /* is an agent more than there are names */
  c = compare("small.db", &def);
  CHECK_TEXT(c->groups[0].agents[0].label, "q-learning");
  CHECK_TEXT(c->groups[0].envs[0].label, "<b>");
  far_comparison_free(c);
}

/* Another series: which way is better, and the nearest checkpoint. */
static void series(void) {
  far_comparison_def def = small_def();
  def.series = "curve@90";
  far_comparison *c = compare("small.db", &def);
  CHECK_TEXT(c->series, "curve@100");
  CHECK(!c->exact && !c->lower);
  far_comparison_free(c);
  def.series = "earned:fraction=0.5";
  c = compare("small.db", &def);
  CHECK(c->exact && c->lower == !far_series_higher_is_better(def.series));
  far_comparison_free(c);
  def.better = FAR_BETTER_LOWER;
  def.series = "total";
  c = compare("small.db", &def);
  CHECK(c->lower && c->groups[0].envs[0].scale.kind == FAR_SCALE_OBSERVED);
  CHECK(c->groups[0].envs[0].scale.low > c->groups[0].envs[0].scale.high);
  far_comparison_free(c);
}

static void imported(void) {
  static const char rows[] = "env,agent,seed,value\nriverswim,dqn,0,3\nriverswim,dqn,1,5\n"
                             "riverswim,dqn,2,8\n";
  FILE *file = fopen(store_path("theirs.csv"), "w");
  CHECK(file != NULL && fputs(rows, file) >= 0 && fclose(file) == 0);
  far_store *store = open_store("both.db", FAR_STORE_WRITE);
  far_import_report report;
  CHECK(far_store_import(&report, store, store_path("theirs.csv"), NULL) == FAR_OK);
  far_store_close(store);
  far_comparison_def def = small_def();
  def.baseline = "q-learning";
  far_comparison *c = compare("both.db", &def);
  const far_comparison_group *g = &c->groups[0];
  CHECK(c->n_groups == 1 && g->n_agents == 3);
  CHECK(g->agents[2].origin == FAR_ORIGIN_UNKNOWN_STEPS);
  CHECK(g->cells[2].runs == 0); /* not on the chain */
  const far_comparison_cell *x = &g->cells[5], *y = &g->cells[4];
  far_welch w;
  CHECK(far_samples_compare(&w, x->values, 3, y->values, RUNS, g->difference_level, NULL) ==
        FAR_OK);
  CHECK(!x->difference.paired && x->difference.p == w.p && x->difference.low == w.low);
  CHECK(!g->agents[2].scores.exists && g->agents[0].scores.exists);
  far_comparison_free(c);
}

/* ---- what is refused ---- */

static void refuses(far_store *store, const far_comparison_def *def, far_status code,
                    const char *words) {
  far_comparison *out = (far_comparison *)def; /* anything but NULL */
  far_error error = {.message = ""};
  CHECK(far_comparison_create(&out, store, def, &error) == code);
  CHECK(error.code == code && out == NULL);
  CHECK_CONTAINS(error.message, words);
  CHECK(far_comparison_create(&out, store, def, NULL) == code);
}

static void unknown_names(far_store *store) {
  const char *const nobody[] = {"nobody"};
  far_comparison_def def = small_def();
  def.envs = nobody;
  def.n_envs = 1;
  refuses(store, &def, FAR_STATUS_UNKNOWN,
          "no environment 'nobody'; there are chain:n=5, riverswim");
  def = small_def();
  def.agents = nobody;
  def.n_agents = 1;
  refuses(store, &def, FAR_STATUS_UNKNOWN,
          "no agent 'nobody'; there are directed-delayed-q:m=3, q-learning");
  def = small_def();
  def.baseline = "nobody";
  refuses(store, &def, FAR_STATUS_UNKNOWN, "baseline: the store has no agent 'nobody'");
  def = small_def();
  def.series = "regret";
  refuses(store, &def, FAR_STATUS_UNKNOWN, "no series 'regret'; there are total, coverage");
  def = small_def();
  def.steps = 7;
  refuses(store, &def, FAR_STATUS_UNKNOWN, "no cell has these steps");
}

static void bad_values(far_store *store) {
  far_comparison_def def = small_def();
  def.bootstrap.level = 95;
  refuses(store, &def, FAR_STATUS_RANGE, "between 0 and 1");
  def = small_def();
  def.bootstrap.resamples = 10;
  refuses(store, &def, FAR_STATUS_RANGE, "100 resamples");
  def = small_def();
  def.correction = (far_correction)17;
  refuses(store, &def, FAR_STATUS_RANGE, "correction");
  def = small_def();
  def.most_agents = 1;
  refuses(store, &def, FAR_STATUS_CONFLICT, "2 agents have runs of 300 steps");
}

static bool stops_at(void *user, const char *what, size_t done, size_t count) {
  CHECK(what[0] != '\0' && done <= count);
  return --*(int *)user > 0;
}

/* Wherever it is stopped, everything is freed: the address sanitizer sees it. */
static void stopped(far_store *store) {
  far_comparison_def def = small_def();
  def.progress = stops_at;
  for (int at = 1; at < 1000000; at += 1 + at / 8) {
    int left = at;
    far_comparison *out;
    far_error error;
    def.user = &left;
    const far_status status = far_comparison_create(&out, store, &def, &error);
    CHECK(status == (left > 0 ? FAR_OK : FAR_STATUS_CANCELLED));
    CHECK((out == NULL) == (status != FAR_OK));
    far_comparison_free(out);
    if (status == FAR_OK) return;
  }
  CHECK(false); /* it is never asked so often */
}

static void refused(void) {
  far_store *store = open_store("small.db", FAR_STORE_READ);
  unknown_names(store);
  bad_values(store);
  stopped(store);
  far_store_close(store);
}

/* A store without results has no groups, and that is no error. */
static void empty(void) {
  far_store_close(open_store("empty.db", FAR_STORE_WRITE));
  far_comparison_def def = small_def();
  def.baseline = "psrl";
  far_comparison *c = compare("empty.db", &def);
  CHECK(c->n_groups == 0 && c->groups == NULL);
  far_comparison_free(c);
  far_comparison_free(NULL);
}

/* ---- lengths ---- */

/* Where runs do not end by episodes, there is no number of them. */
static void lengths(void) {
  for (int64_t episodes = 0; episodes < 2; ++episodes) {
    far_buffer out = {0};
    far__json json;
    far__json_begin(&json, far_sink_buffer(&out));
    far__json_object(&json, NULL);
    far__write_length(&json, 100, episodes);
    far__json_end(&json);
    CHECK_TEXT(out.bytes, episodes == 0 ? "{\"steps\":100}" : "{\"steps\":100,\"episodes\":1}");
    far_buffer_free(&out);
  }
}

/* ---- the report ---- */

static void check_format(const far_report *report, far_report_format format, const char *words) {
  far_render_def def = far_render_def_default();
  far_buffer out = {0};
  def.format = format;
  CHECK(far_report_render(report, &def, far_sink_buffer(&out), NULL) == FAR_OK);
  CHECK_CONTAINS(out.bytes, words);
  far_buffer_free(&out);
}

static void report(void) {
  static const char *const tables[] = {"cells", "comparisons", "improvements", "scores",
                                       "profiles"};
  const far_comparison_def def = small_def();
  far_comparison *c = compare("small.db", &def);
  far_report *r;
  CHECK(far_report_create(&r, "stats", NULL) == FAR_OK);
  far_comparison_report(c, r);
  for (size_t i = 0; i < 5; ++i) CHECK_TEXT(far_report_table_name(r, i), tables[i]);
  CHECK(far_report_table_name(r, 5) == NULL);
  check_format(r, FAR_REPORT_TEXT, "Scores over 2 environments");
  check_format(r, FAR_REPORT_MARKDOWN, "#### riverswim: best policy");
  check_format(r, FAR_REPORT_MARKDOWN, "\n#### Probability of improvement");
  check_format(r, FAR_REPORT_MARKDOWN, "| mean ± 95% |");
  check_format(r, FAR_REPORT_JSON, "\"methods\":\"mean with Student's 95% interval");
  check_format(r, FAR_REPORT_CSV, "env,env_spec,env.n");
  check_format(r, FAR_REPORT_LATEX, "\\toprule");
  far_report_free(r);
  far_comparison_free(c); /* JSON was made of it */
}

/* Parts: rows of chosen agents in a chosen order, and captions in place of headings. */
static void parts(void) {
  const far_comparison_def def = small_def();
  far_comparison *c = compare("small.db", &def);
  const size_t order[] = {1, 0};
  const far__comparison_rows rows = {.agents = order, .n_agents = 2, .captions = true};
  far_report *r;
  far_buffer csv = {0};
  far_render_def how = far_render_def_default();
  CHECK(far_report_create(&r, "parts", NULL) == FAR_OK);
  far__comparison_report_env(c, 0, &rows, r);
  far__comparison_report_overall(c, &rows, r);
  far__comparison_report_notes(c, 0, r);
  far__comparison_report_methods(c, r);
  far__report_data_by(r, far__comparison_json, c);
  how.format = FAR_REPORT_CSV;
  CHECK(far_report_render(r, &how, far_sink_buffer(&csv), NULL) == FAR_OK);
  const char *first = strstr(csv.bytes, ",q-learning,"), *second = strstr(csv.bytes, ",directed-");
  CHECK(first != NULL && second != NULL && first < second);
  CHECK(strstr(csv.bytes, "riverswim") == NULL);
  check_format(r, FAR_REPORT_HTML, "><span>Scores over 2 environments</span></caption>");
  check_format(r, FAR_REPORT_JSON, "\"groups\":[");
  far_buffer_free(&csv);
  far_report_free(r);
  far_comparison_free(c);
}

/* An environment that no spec describes: without its model the agent's label has every parameter, with it the
 * scale is that of policies. */
static void models(void) {
  far_mdp_builder *b;
  far_mdp *mdp = NULL;
  CHECK(far_mdp_builder_create(&b, 2, 2, NULL) == FAR_OK);
  for (uint32_t s = 0; s < 2; ++s)
    for (uint32_t a = 0; a < 2; ++a)
      CHECK(far_mdp_builder_outcome(b, s, a, 1, a, s, NULL) == FAR_OK);
  CHECK(far_mdp_builder_start(b, 0, 1, NULL) == FAR_OK);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  const far_cell cell = {.mdp = mdp, .agent = "q-learning", .steps = 50, .name = "mine"};
  far_batch_def batch_def = far_batch_def_default();
  far_batch *batch;
  batch_def.cells = &cell;
  batch_def.n_cells = 1;
  batch_def.runs = 5;
  far_store *store = open_store("models.db", FAR_STORE_MEMORY);
  CHECK(far_store_run(&batch, store, &batch_def, NULL) == FAR_OK);
  for (size_t n = 0; n < 2; ++n) {
    far_comparison_def def = small_def();
    const far_mdp *list[] = {mdp};
    far_comparison *c = NULL;
    def.models = list;
    def.n_models = n;
    CHECK(far_comparison_create(&c, store, &def, NULL) == FAR_OK);
    const far_comparison_env *env = &c->groups[0].envs[0];
    CHECK_TEXT(env->label, "mine");
    CHECK((env->unusable == NULL) == (n == 1));
    CHECK(env->scale.kind == (n == 1 ? FAR_SCALE_POLICIES : FAR_SCALE_OBSERVED));
    CHECK((strcmp(c->groups[0].agents[0].label, "q-learning") == 0) == (n == 1));
    far_comparison_free(c);
  }
  far_batch_free(batch);
  far_store_close(store);
  far_mdp_free(mdp); /* still the caller's */
}

/* A stop reaches a bootstrap of many runs, which alone would take long. */
static size_t asked;
static bool stop_soon(void *user, const char *what, size_t done, size_t count) {
  (void)user;
  (void)what;
  (void)done;
  (void)count;
  return ++asked < 20;
}

static void test_stop_within(void) {
  small_batch batch;
  far_comparison_def def = far_comparison_def_default();
  far_comparison *comparison;
  far_error error;
  small_make(&batch, 2000);
  run_through("long.db", &batch.def);
  far_store *store = open_store("long.db", FAR_STORE_READ);
  def.bootstrap.resamples = 1000000; /* minutes */
  def.progress = stop_soon;
  CHECK(far_comparison_create(&comparison, store, &def, &error) == FAR_STATUS_CANCELLED);
  CHECK(comparison == NULL && asked == 20);
  far_store_close(store);
  small_free(&batch);
}

int main(void) {
  if (!stores_begin()) return stores_end();
  small_batch b;
  small_make(&b, RUNS);
  run_through("small.db", &b.def);
  run_through("both.db", &b.def);
  numbers(&b);
  choices();
  names();
  series();
  imported();
  refused();
  empty();
  lengths();
  report();
  parts();
  models();
  small_free(&b);
  test_stop_within();
  return stores_end();
}
