/* The tables of pairs of agents. */
#include <math.h>

#include "questions/comparison/comparison.h"
#include "questions/comparison/pairwise.h"
#include "report/build.h"

static void add_agent(far_table *t, const far_comparison_group *g, size_t j) {
  far__table_text_as(t, g->agents[j].label, "%s", far__shown_agent(g, j).text);
  far__table_text(t, "%s", far__origin_name(g->agents[j].origin));
}

static void add_row(far_table *t, const far__pairwise *pairs, size_t i, size_t j) {
  const far_comparison_group *g = &pairs->comparison->groups[pairs->group];
  const far__pairwise_cell *cell = far__pairwise_of(pairs, i, j);
  far__table_row(t);
  add_agent(t, g, i);
  add_agent(t, g, j);
  far__table_count(t, (int64_t)cell->n_envs);
  far__table_text(t, "%s", cell->paired ? "sign" : "rank sum");
  const int64_t counts[] = {cell->pairs, cell->won, cell->tied};
  for (size_t k = 0; k < 3; ++k) far__table_count_if(t, cell->paired, counts[k]);
  far__table_real_as(t, cell->better, "%.3f", cell->better);
  far__table_p(t, cell->p);
  far__table_p(t, cell->p_adjusted);
  far__table_text(t, "%s", cell->decided ? "yes" : "no");
}

static const char *correction_name(far_correction correction) {
  static const char *const names[] = {[FAR_CORRECTION_BONFERRONI] = "Bonferroni",
                                      [FAR_CORRECTION_HOLM] = "Holm",
                                      [FAR_CORRECTION_FDR] = "Benjamini-Hochberg"};
  return names[correction];
}

static void add_methods(const far__pairwise *pairs, far_report *report, bool paired, bool apart) {
  far__report_methods(
      report,
      "probability that a run of the agent is better than one of the other, ties counting half, in "
      "the mean over environments%s%s; p-values of the %zu pair%s of agents are two-sided and "
      "adjusted together (%s), decided where that is at most %g. Farsight %s.",
      paired ? "; runs with the same random numbers are pairs, tested by the sign test over "
               "replicates: of each, the environments won less those lost"
             : "",
      apart ? "; imported runs are no pairs: any two runs are compared, tested by the rank-sum "
              "test, stratified by environment"
            : "",
      pairs->n_tests, pairs->n_tests == 1 ? "" : "s",
      correction_name(pairs->comparison->correction), floor((1 - pairs->level) * 1e9 + 0.5) / 1e9,
      far_version());
}

void far__pairwise_report(const far__pairwise *pairs, far_report *report) {
  const far_comparison *comparison = pairs->comparison;
  const far_comparison_group *g = &comparison->groups[pairs->group];
  bool paired = false, apart = false;
  far__report_title(report, "Probability of improvement: ", comparison->series, g,
                    comparison->lower);
  far_table *t = far__report_table(report, "pairwise");
  far__table_column(t, "agent", "agent", FAR__COLUMN_TEXT);
  far__table_column(t, "origin", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "other", "better than", FAR__COLUMN_TEXT);
  far__table_column(t, "other_origin", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "environments", "environments", FAR__COLUMN_COUNT);
  far__table_column(t, "test", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "pairs", "pairs", FAR__COLUMN_COUNT);
  far__table_column(t, "won", "won", FAR__COLUMN_COUNT);
  far__table_column(t, "tied", "tied", FAR__COLUMN_COUNT);
  far__table_column(t, "better", "probability", FAR__COLUMN_REAL);
  far__table_column(t, "p", NULL, FAR__COLUMN_REAL);
  far__table_column(t, "p_adjusted", "p (adjusted)", FAR__COLUMN_REAL);
  far__table_column(t, "decided", "decided", FAR__COLUMN_TEXT);
  for (size_t i = 0; i < pairs->n_agents; ++i)
    for (size_t j = 0; j < pairs->n_agents; ++j) {
      const far__pairwise_cell *cell = far__pairwise_of(pairs, i, j);
      if (i == j || cell->n_envs == 0) continue;
      paired = paired || cell->paired;
      apart = apart || !cell->paired;
      add_row(t, pairs, i, j);
    }
  add_methods(pairs, report, paired, apart);
}
