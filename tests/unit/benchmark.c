/* The benchmark: the suite is as it was published, standings are those of the results. */
#include <farsight/lab.h>
#include <math.h>

#include "check.h"

/* Every problem can be made, belongs to its setting, and has a scale; both parts have some of each. */
static void test_suite(void) {
  const far_benchmark_problem *p;
  int count[FAR_SETTING_COUNT][2] = {{0}};
  size_t n = 0;
  for (; (p = far_benchmark_problem_at(n)) != NULL; ++n) {
    far_mdp *mdp;
    double low, high;
    CHECK(far_mdp_create(&mdp, p->env, NULL) == FAR_OK);
    const far_shape shape = far_mdp_shape(mdp);
    CHECK((shape.horizon > 0) == (p->setting == FAR_SETTING_HORIZON));
    if (p->setting != FAR_SETTING_HORIZON)
      CHECK(shape.episodic == (p->setting == FAR_SETTING_EPISODIC));
    CHECK(far_solve_best_total(&high, mdp, 100, NULL, NULL) == FAR_OK);
    CHECK(far_solve_random_total(&low, mdp, 100, NULL, NULL) == FAR_OK);
    CHECK(high > low);
    if (!(high > low)) printf("  %s: %g, %g\n", p->env, low, high);
    count[p->setting][p->tuning] += 1;
    far_mdp_free(mdp);
  }
  CHECK(n >= 38 && n <= 42);
  for (int k = 0; k < FAR_SETTING_COUNT; ++k) CHECK(count[k][0] >= 6 && count[k][1] >= 6);
  CHECK_TEXT(far_setting_name(FAR_SETTING_HORIZON), "finite horizon");
  CHECK(far_setting_name(FAR_SETTING_COUNT) == NULL);
}

/* A river of six states: sizes from its definition; its diameter is that of the structure of the model. */
static void test_hardness(void) {
  far_benchmark_hardness x;
  far_error error;
  CHECK_TEXT(far_benchmark_problem_at(1)->env, "riverswim:n=6");
  CHECK(far_benchmark_hardness_of(&x, 1, &error) == FAR_OK);
  CHECK(x.n_states == 6 && x.n_actions == 2 && x.horizon == 0);
  CHECK(fabs(x.diameter - 22.5103) < 1e-3 && x.gap > 0 && x.gap < x.span);
  CHECK(far_benchmark_hardness_of(&x, 1000, &error) == FAR_STATUS_RANGE);
}

static bool has_sqlite(void) {
  far_store *store;
  const bool has = far_store_open(&store, "", FAR_STORE_MEMORY, NULL) == FAR_OK;
  if (has) far_store_close(store);
  return has;
}

/* Shares counted from the runs; a figure with a panel for each setting. */
static void check_profiles(const far_benchmark *b) {
  const far_benchmark_part *part = &b->parts[FAR_SETTING_EPISODIC];
  const far_comparison_group *g = &part->comparison->groups[0];
  const far_profiles *p = part->profiles;
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
  CHECK(far_benchmark_figure(&figure, b, &def, &error) == FAR_OK);
  const far_figure_info info = far_figure_info_of(figure);
  CHECK_CONTAINS(info.title, "problems for tuning");
  CHECK_CONTAINS(info.description, "In the setting finite horizon: optimal: half of the runs");
  CHECK(info.height > 700);
  far_figure_free(figure);
  const far_benchmark none = {0};
  CHECK(far_benchmark_figure(&figure, &none, &def, &error) == FAR_STATUS_UNKNOWN && figure == NULL);
}

static void test_standings(void) {
  const char *agents[] = {"random", "q-learning:epsilon=1", "optimal"};
  far_benchmark_def def = far_benchmark_def_default();
  far_benchmark *b;
  far_error error;
  def.runs = 3;
  CHECK(far_benchmark_run(&b, &def, &error) == FAR_STATUS_RANGE); /* without agents */
  def.agents = agents;
  def.n_agents = 3;
  def.tuning = true;
  CHECK(far_benchmark_run(&b, &def, &error) == FAR_OK);
  if (b == NULL) return;
  for (int k = 0; k < FAR_SETTING_COUNT; ++k) {
    const far_benchmark_part *part = &b->parts[k];
    CHECK(part->n_agents == 3 && part->n_problems >= 6);
    CHECK_TEXT(part->standings[0].agent, "optimal");
    CHECK(part->standings[0].first == 1 && part->standings[0].last == 1);
    CHECK(part->standings[0].score > 0.9 && !part->standings[0].impossible);
    CHECK(part->standings[1].first == 2 &&
          part->standings[1].last == 3); /* both are random: a tie */
    CHECK(part->standings[2].first == 2 && fabs(part->standings[2].score) < 0.05);
    CHECK(part->standings[2].seconds > 0 && part->standings[2].weakest != NULL);
  }
  check_profiles(b);
  far_report *report;
  CHECK(far_report_create(&report, "benchmark", &error) == FAR_OK);
  far_benchmark_report(b, report);
  CHECK(far_benchmark_suite_report(report, &error) == FAR_OK);
  CHECK(far_report_status(report, &error) == FAR_OK);
  far_report_free(report);
  far_benchmark_free(b);
}

int main(void) {
  test_suite();
  test_hardness();
  if (has_sqlite()) test_standings();
  return check_report();
}
