/* The hardness of environments and the scores of agents as tables. */
#include "questions/hardness/hardness.h"

#include <math.h>

#include "report/build.h"

static void put_measure(far_table *t, double x) {
  if (x == INFINITY)
    far__table_real_as(t, x, "infinite");
  else
    far__table_real(t, x);
}

static void add_env(far_table *t, const far__hardness_env *env) {
  far__table_row(t);
  far__table_text(t, "%s", env->label);
  far__table_count(t, env->n_states);
  far__table_count(t, env->n_actions);
  far__table_real(t, env->gamma);
  put_measure(t, env->diameter);
  put_measure(t, env->gap);
  put_measure(t, env->reciprocals);
  put_measure(t, env->value_norm);
}

static void add_envs(far_report *report, const far__hardness *x) {
  far_table *t = far__report_table(report, "hardness");
  far__table_column(t, "env", "environment", FAR__COLUMN_TEXT);
  far__table_column(t, "states", "states", FAR__COLUMN_COUNT);
  far__table_column(t, "actions", "actions", FAR__COLUMN_COUNT);
  far__table_column(t, "gamma", "discount", FAR__COLUMN_REAL);
  far__table_column(t, "diameter", "diameter", FAR__COLUMN_REAL);
  far__table_column(t, "gap", "smallest gap", FAR__COLUMN_REAL);
  far__table_column(t, "reciprocals", "sum of 1/gap", FAR__COLUMN_REAL);
  far__table_column(t, "value_norm", "value norm", FAR__COLUMN_REAL);
  for (size_t e = 0; e < x->n_envs; ++e)
    if (x->envs[e].left_out == NULL) add_env(t, &x->envs[e]);
}

static void add_scores(far_report *report, const far__hardness *x) {
  far_table *t = far__report_table(report, "scores");
  far__table_column(t, "env", "environment", FAR__COLUMN_TEXT);
  far__table_column(t, "agent", "agent", FAR__COLUMN_TEXT);
  far__table_column(t, "score", "score", FAR__COLUMN_INTERVAL);
  for (size_t i = 0; i < x->n_envs * x->n_agents; ++i) {
    const far__hardness_score *s = &x->scores[i];
    if (s->value != s->value) continue;
    far__table_row(t);
    far__table_text(t, "%s", x->envs[i / x->n_agents].label);
    far__table_text(t, "%s", x->agents[i % x->n_agents]);
    far__table_interval_of(t, s->value, s->low, s->high);
  }
}

static void add_notes(far_report *report, const far__hardness *x) {
  for (size_t e = 0; e < x->n_envs; ++e) {
    const far__hardness_env *env = &x->envs[e];
    if (env->left_out != NULL)
      far__report_note(report, FAR__NOTE_CAVEAT, "%s is left out: %s.", env->label, env->left_out);
    else if (env->diameter != env->diameter)
      far__report_note(report, FAR__NOTE_REMARK, "%s: too many states for the diameter.",
                       env->label);
  }
  if (!x->policies)
    far__report_note(
        report, FAR__NOTE_CAVEAT,
        "Some scores are from the worst to the best run, since no policy gives a scale: "
        "they depend on which agents are here.");
}

void far__hardness_report(const far__hardness *x, far_report *report) {
  far__report_heading(report, 1, "Hardness of the environments, and scores");
  add_envs(report, x);
  add_scores(report, x);
  add_notes(report, x);
  far__report_methods(
      report,
      "Models were solved exactly. Diameter (Jaksch, Ortner & Auer 2010): the "
      "greatest, over pairs of "
      "states, of the least expected number of steps from one to the other. Gap: "
      "the least positive "
      "difference between the best and the second-best action value of a state. "
      "Value norm (Maillard, "
      "Mann & Mannor 2014): the greatest standard deviation, over states and "
      "actions, of the optimal "
      "value of the next state. A score is the mean of the runs between the ends of "
      "the environment's "
      "scale, 0 and 1, with Student's %g%% interval.",
      100 * x->level);
}
