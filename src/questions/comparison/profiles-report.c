/* The table of performance profiles. */
#include "questions/comparison/comparison.h"
#include "questions/comparison/profiles.h"
#include "report/build.h"

static void add_agent(far_table *t, const far__profiles *profiles, size_t j) {
  const far_comparison_group *g = &profiles->comparison->groups[profiles->group];
  for (size_t k = 0; k < profiles->n_scores; ++k) {
    const far_estimate *share = &profiles->shares[j * profiles->n_scores + k];
    far__table_row(t);
    far__table_text_as(t, g->agents[j].label, "%s", k == 0 ? far__shown_agent(g, j).text : "");
    far__table_text(t, "%s", far__origin_name(g->agents[j].origin));
    far__table_real(t, profiles->scores[k]);
    if (share->low == share->low)
      far__table_interval_as(t, share->value, share->low, share->high, "%.3f [%.3f, %.3f]",
                             share->value, share->low, share->high);
    else
      far__table_interval_as(t, share->value, share->low, share->high, "%.3f", share->value);
  }
}

void far__profiles_report(const far__profiles *profiles, far_report *report) {
  const far_comparison *comparison = profiles->comparison;
  const far_comparison_group *g = &comparison->groups[profiles->group];
  far__report_title(report, "Performance profiles: ", comparison->series, g, comparison->lower);
  far_table *t = far__report_table(report, "profiles");
  far__table_column(t, "agent", "agent", FAR__COLUMN_TEXT);
  far__table_column(t, "origin", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "score", "score above", FAR__COLUMN_REAL);
  far__table_column(t, "share", "share of runs", FAR__COLUMN_INTERVAL);
  for (size_t j = 0; j < profiles->n_agents; ++j)
    if (profiles->exists[j]) add_agent(t, profiles, j);
  far__report_methods(report,
                      "share of runs with a score above each score, in the mean over %zu "
                      "environment%s, with pointwise %g%% %s; scores are 0 for the %s and 1 for "
                      "the %s. Farsight %s.",
                      profiles->n_envs, profiles->n_envs == 1 ? "" : "s", 100 * profiles->level,
                      profiles->by_replicate ? "intervals, Student's over the shares of replicates"
                                             : "bootstrap intervals",
                      profiles->n_observed == 0                  ? "random policy"
                      : profiles->n_observed == profiles->n_envs ? "worst run of any agent"
                                                                 : "random policy or the worst run",
                      profiles->n_observed == 0                  ? "best policy"
                      : profiles->n_observed == profiles->n_envs ? "best one"
                                                                 : "best policy or run",
                      far_version());
}
