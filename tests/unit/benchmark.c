/* The benchmark: the suite is as it was published, standings are those of the results. */
#include <farsight/lab.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "questions/benchmark/benchmark.h"
#include "questions/comparison/profiles.h"
#include "report/build.h"

/* Every problem can be made, belongs to its setting, and has a scale; both parts have some of each. */
static void test_suite(void) {
  const far__benchmark_problem *p;
  int count[FAR__SETTING_COUNT][2] = {{0}};
  size_t n = 0;
  for (; (p = far__benchmark_problem_at(n)) != NULL; ++n) {
    far_mdp *mdp;
    double low, high;
    CHECK(far_mdp_create(&mdp, p->env, NULL) == FAR_OK);
    const far_shape shape = far_mdp_shape(mdp);
    CHECK((shape.horizon > 0) == (p->setting == FAR__SETTING_HORIZON));
    if (p->setting != FAR__SETTING_HORIZON)
      CHECK(shape.episodic == (p->setting == FAR__SETTING_EPISODIC));
    CHECK(far_solve_best_total(&high, mdp, 100, NULL, NULL) == FAR_OK);
    CHECK(far_solve_random_total(&low, mdp, 100, NULL, NULL) == FAR_OK);
    CHECK(high > low);
    if (!(high > low)) printf("  %s: %g, %g\n", p->env, low, high);
    count[p->setting][p->tuning] += 1;
    far_mdp_free(mdp);
  }
  CHECK(n >= 38 && n <= 42);
  for (int k = 0; k < FAR__SETTING_COUNT; ++k) CHECK(count[k][0] >= 6 && count[k][1] >= 6);
  CHECK_TEXT(far__setting_name(FAR__SETTING_HORIZON), "finite horizon");
  CHECK(far__setting_name(FAR__SETTING_COUNT) == NULL);
}

/* A river of six states: sizes from its definition; its diameter is that of the structure of the model. */
static void test_hardness(void) {
  far__benchmark_hardness x;
  far_error error;
  CHECK_TEXT(far__benchmark_problem_at(1)->env, "riverswim:n=6");
  CHECK(far__benchmark_hardness_of(&x, 1, &error) == FAR_OK);
  CHECK(x.n_states == 6 && x.n_actions == 2 && x.horizon == 0);
  CHECK(fabs(x.diameter - 22.5103) < 1e-3 && x.gap > 0 && x.gap < x.span);
  CHECK(far__benchmark_hardness_of(&x, 1000, &error) == FAR_STATUS_RANGE);
}

static bool has_sqlite(void) {
  far_store *store;
  const bool has = far_store_open(&store, "", FAR_STORE_MEMORY, NULL) == FAR_OK;
  if (has) far_store_close(store);
  return has;
}

/* Shares counted from the runs; a figure with a panel for each setting. */
static void check_profiles(const far__benchmark *b) {
  const far__benchmark_part *part = &b->parts[FAR__SETTING_EPISODIC];
  const far_comparison_group *g = &part->comparison->groups[0];
  const far__profiles *p = part->profiles;
  far_figure *figure;
  far_error error;
  far_plot_def def = far_plot_def_default();
  CHECK(p->n_scores == 101 && p->scores[90] == 0.9 && p->n_agents == 3 && p->by_replicate);
  for (size_t j = 0; j < 3; ++j) {
    double above = 0;
    for (size_t i = j; i < 3 * g->n_envs; i += 3)
      for (int64_t k = 0; k < b->runs; ++k) {
        const far_comparison_scale *s = &g->envs[i / 3].scale;
        above += (g->cells[i].values[k] - s->low) / (s->high - s->low) > 0.9;
      }
    CHECK_NEAR(p->shares[j * 101 + 90].value, above / (double)(b->runs * (int64_t)g->n_envs),
               1e-12);
  }
  CHECK(far__benchmark_figure(&figure, b, &def, &error) == FAR_OK);
  const far_figure_info info = far_figure_info_of(figure);
  CHECK_CONTAINS(info.title, "problems for tuning");
  CHECK_CONTAINS(info.description, "In the setting finite horizon: optimal: half of the runs");
  CHECK(info.height > 700);
  far_figure_free(figure);
  const far__benchmark none = {0};
  CHECK(far__benchmark_figure(&figure, &none, &def, &error) == FAR_STATUS_UNKNOWN &&
        figure == NULL);
}

/* The score of the last quarter of every run, from the rewards that the store has; and how many of an agent are below
 * 0.5. */
static void check_late(const far__benchmark *b, far_store *store) {
  const far__benchmark_part *part = &b->parts[FAR__SETTING_CONTINUING];
  const far_comparison_group *g = &part->comparison->groups[0];
  far_comparison_def def = far_comparison_def_default();
  far_comparison *early;
  far_error error;
  int64_t locked = 0;
  double sum = 0;
  def.series = "curve@15000";
  def.envs = &g->envs[0].label;
  def.n_envs = 1;
  def.agents = &g->agents[1].label;
  def.n_agents = 1;
  CHECK(far_comparison_create(&early, store, &def, &error) == FAR_OK);
  if (early == NULL) return;
  const far_comparison_scale *scale = &g->envs[0].scale;
  const double low = scale->low / 4, high = scale->high / 4;
  const double *before = early->groups[0].cells[0].values;
  for (int64_t k = 0; k < b->runs; ++k)
    CHECK_NEAR(part->late[b->runs + k], (g->cells[1].values[k] - before[k] - low) / (high - low),
               1e-9);
  far_comparison_free(early);
  for (size_t i = 1; i < g->n_envs * g->n_agents; i += g->n_agents)
    for (int64_t k = 0; k < b->runs; ++k) {
      locked += part->late[i * (size_t)b->runs + (size_t)k] < 0.5;
      sum += part->late[i * (size_t)b->runs + (size_t)k];
    }
  for (size_t j = 0; j < part->n_agents; ++j) {
    const far__standing *x = &part->standings[j];
    CHECK(x->n_judged == b->runs * (int64_t)part->n_problems);
    if (strcmp(x->agent, g->agents[1].label) != 0) continue;
    CHECK(x->n_locked == locked && locked > 0);
    CHECK_NEAR(x->late, sum / (double)x->n_judged, 1e-12);
  }
}

static far_status run(far__benchmark **out, const char *const *agents, size_t n,
                      far__benchmark_def def, far_error *error) {
  def.agents = agents;
  def.n_agents = n;
  def.tuning = true;
  return far__benchmark_run(out, &def, error);
}

/* A million steps; 5 runs unless the definition says otherwise. The random policy never learns. */
static void test_long_runs(void) {
  const char *agents[] = {"random"};
  far__benchmark_def def = far__benchmark_def_default();
  far__benchmark *b;
  far_error error;
  def.long_runs = true;
  def.runs = 2;
  CHECK(run(&b, agents, 1, def, &error) == FAR_OK);
  if (b == NULL) return;
  CHECK(b->steps == FAR__BENCHMARK_LONG_STEPS && b->runs == 2);
  for (int k = 0; k < FAR__SETTING_COUNT; ++k) {
    const far__standing *x = &b->parts[k].standings[0];
    CHECK(x->n_locked == x->n_judged && x->n_judged == 2 * (int64_t)b->parts[k].n_problems);
    CHECK(fabs(x->late) < 0.05);
  }
  far__benchmark_free(b);
}

/* In each run on each problem the ranks of n agents are those from 1 to n, or ties between them. */
static void check_ranks(const far__benchmark *b, far__setting setting) {
  const far__benchmark_part *part = &b->parts[setting];
  const size_t n = part->n_agents, runs = (size_t)b->runs;
  CHECK(n == 3 && part->profiles == NULL && part->left_out[0] == '\0');
  for (size_t e = 0; e < part->n_problems; ++e)
    for (size_t k = 0; k < runs; ++k) {
      double sum = 0;
      for (size_t j = 0; j < n; ++j) sum += part->scores[(e * n + j) * runs + k];
      CHECK(sum == (double)(n * (n + 1)) / 2);
    }
}

/* Less regret is better, and the best policy has none. It is about discounted values: not with a horizon. */
static void test_metric(void) {
  const char *agents[] = {"random", "q-learning", "optimal"};
  far__benchmark_def def = far__benchmark_def_default();
  const far_plot_def plot = far_plot_def_default();
  far__benchmark *b;
  far_figure *figure;
  far_error error;
  def.runs = 3;
  def.score = "regret";
  CHECK(run(&b, agents, 3, def, &error) == FAR_OK);
  if (b == NULL) return;
  CHECK_TEXT(b->score, "regret:against=value");
  CHECK(b->runs == 3 && b->steps == FAR__BENCHMARK_STEPS);
  for (int k = 0; k < FAR__SETTING_HORIZON; ++k) {
    const far__standing *x = b->parts[k].standings;
    check_ranks(b, (far__setting)k);
    CHECK_TEXT(x[0].agent, "optimal");
    CHECK(x[0].score == 1 && x[0].least == 1 && x[0].first == 1 && x[0].last == 1);
    CHECK(x[0].n_locked == 0 && x[0].late > 0.9);
    CHECK_TEXT(x[2].agent, "random");
    CHECK(x[2].score > x[1].score && x[2].least == 3 && x[2].n_locked == x[2].n_judged);
    CHECK(x[2].weakest != NULL && !x[0].impossible);
  }
  CHECK(b->parts[FAR__SETTING_HORIZON].n_agents == 0);
  CHECK_CONTAINS(b->parts[FAR__SETTING_HORIZON].left_out, "the environment has a horizon");
  CHECK(far__benchmark_failed(b) == 0);
  CHECK(far__benchmark_figure(&figure, b, &plot, &error) == FAR_STATUS_CONFLICT && figure == NULL);
  far_report *report;
  CHECK(far_report_create(&report, "benchmark", &error) == FAR_OK);
  far__benchmark_report(b, report);
  CHECK(far__report_status(report, &error) == FAR_OK);
  far_report_free(report);
  far__benchmark_free(b);
}

/* Equal numbers share a rank; a metric that judges nobody anywhere, or is none, is refused. */
static void test_metrics_that_judge_little(void) {
  const char *agents[] = {"random", "q-learning", "optimal"};
  far__benchmark_def def = far__benchmark_def_default();
  far__benchmark *b;
  far_error error;
  def.runs = 2;
  def.score = "episodes";
  CHECK(run(&b, agents, 3, def, &error) == FAR_OK);
  if (b == NULL) return;
  CHECK_CONTAINS(b->parts[FAR__SETTING_CONTINUING].left_out, "no episode can end");
  check_ranks(b, FAR__SETTING_EPISODIC);
  check_ranks(b, FAR__SETTING_HORIZON);
  CHECK_TEXT(b->parts[FAR__SETTING_HORIZON].comparison->groups[0].envs[0].label,
             "chain:n=5,horizon=15");
  for (size_t i = 0; i < 6; ++i) CHECK(b->parts[FAR__SETTING_HORIZON].scores[i] == 2);
  far__benchmark_free(b);
  def.score = "mistakes:eps=1e12";
  CHECK(run(&b, agents, 3, def, &error) == FAR_STATUS_CONFLICT && b == NULL);
  CHECK_CONTAINS(error.message, "judges in no setting");
  def.score = "no-such-metric";
  CHECK(run(&b, agents, 3, def, &error) == FAR_STATUS_UNKNOWN && b == NULL);
}

static void test_standings(void) {
  const char *agents[] = {"random", "q-learning:epsilon=1", "optimal"};
  far__benchmark_def def = far__benchmark_def_default();
  far__benchmark *b;
  far_error error;
  def.runs = 3;
  CHECK(far_store_open(&def.store, "", FAR_STORE_MEMORY, &error) == FAR_OK);
  CHECK(far__benchmark_run(&b, &def, &error) == FAR_STATUS_RANGE); /* without agents */
  def.agents = agents;
  def.n_agents = 3;
  def.tuning = true;
  CHECK(far__benchmark_run(&b, &def, &error) == FAR_OK);
  if (b == NULL) return;
  for (int k = 0; k < FAR__SETTING_COUNT; ++k) {
    const far__benchmark_part *part = &b->parts[k];
    CHECK(part->n_agents == 3 && part->n_problems >= 6);
    CHECK_TEXT(part->standings[0].agent, "optimal");
    CHECK(part->standings[0].first == 1 && part->standings[0].last == 1);
    CHECK(part->standings[0].score > 0.9 && !part->standings[0].impossible);
    CHECK(part->standings[1].first == 2 &&
          part->standings[1].last == 3); /* both are random: a tie */
    CHECK(part->standings[2].first == 2 && fabs(part->standings[2].score) < 0.05);
    CHECK(part->standings[2].seconds > 0 && part->standings[2].weakest != NULL);
    CHECK(part->standings[0].n_locked == 0 && part->standings[0].late > 0.9);
  }
  check_profiles(b);
  check_late(b, def.store);
  far_report *report;
  CHECK(far_report_create(&report, "benchmark", &error) == FAR_OK);
  far__benchmark_report(b, report);
  CHECK(far__benchmark_suite_report(report, &error) == FAR_OK);
  CHECK(far__report_status(report, &error) == FAR_OK);
  far_report_free(report);
  far__benchmark_free(b);
  far_store_close(def.store);
}

int main(void) {
  test_suite();
  test_hardness();
  if (has_sqlite()) {
    test_standings();
    test_long_runs();
    test_metric();
    test_metrics_that_judge_little();
  }
  return check_report();
}
