/* What a study that ran until its agents were ranked decided: every pair, and the ranks that follow. */
#include <stdio.h>

#include "base/json.h"
#include "base/text.h"
#include "questions/results/results.h"
#include "report/build.h"
#include "statistics/rules.h"

static const char *decision(const far_ranking_pair *pair) {
  return pair->better > 0 ? "first" : pair->better < 0 ? "second" : "tie";
}

/* ---- data ---- */

static void write_pair(far__json *j, const far_results *r, const far_ranking_pair *pair) {
  far__json_object(j, NULL);
  far__json_text(j, "env", r->info.env_labels[pair->env]);
  far__json_text(j, "first", r->info.agent_labels[pair->a]);
  far__json_text(j, "second", r->info.agent_labels[pair->b]);
  far__json_text(j, "better", decision(pair));
  far__json_integer(j, "runs", (uint64_t)pair->runs);
  far__json_integer(j, "look", (uint64_t)pair->look);
  far__json_real(j, "difference", pair->mean);
  far__json_real(j, "p", pair->p);
  far__json_real(j, "p_adjusted", pair->p_adjusted);
  far__json_flag(j, "skewed", pair->skewed);
  far__json_end(j);
}

void far__write_ranking(far__json *j, const far_results *r) {
  const far_ranking_info info = far_ranking_info_of(r->ranking);
  far__json_object(j, "ranking");
  far__json_real(j, "alpha", info.def.alpha);
  far__json_integer(j, "looks", (uint64_t)info.looks);
  far__json_integer(j, "family", info.n_pairs);
  far__json_integer(j, "ties", info.n_open);
  far__json_array(j, "pairs");
  for (size_t i = 0; i < info.n_pairs; ++i) write_pair(j, r, far_ranking_pair_at(r->ranking, i));
  far__json_end(j);
  far__json_array(j, "ranks");
  for (size_t k = 0; k < r->def.n_cells; ++k) {
    size_t best, worst;
    far_ranking_ranks(r->ranking, k / r->info.n_agents, k % r->info.n_agents, &best, &worst);
    far__json_object(j, NULL);
    far__json_text(j, "env", r->info.env_labels[k / r->info.n_agents]);
    far__json_text(j, "agent", r->info.agent_labels[k % r->info.n_agents]);
    far__json_integer(j, "best", best);
    far__json_integer(j, "worst", worst);
    far__json_end(j);
  }
  far__json_end(j);
  far__json_end(j);
}

/* ---- the document ---- */

static void add_pair(far_table *t, const far_results *r, const far_ranking_pair *pair) {
  const size_t cell = pair->env * r->info.n_agents;
  const bool is_first = pair->a == 0 && pair->b == 1;
  const char *better = pair->better > 0   ? r->info.agent_labels[pair->a]
                       : pair->better < 0 ? r->info.agent_labels[pair->b]
                                          : "tie";
  far__table_row(t);
  if (is_first)
    far__table_spec(t, r->info.env_labels[pair->env], far_cell_env(&r->def.cells[cell]));
  else
    far__table_blank(t);
  far__table_spec(t, r->info.agent_labels[pair->a],
                  far_batch_result(r->batch, cell + pair->a)->agent);
  far__table_spec(t, r->info.agent_labels[pair->b],
                  far_batch_result(r->batch, cell + pair->b)->agent);
  far__table_text_as(t, decision(pair), "%s%s", better, pair->skewed ? " *" : "");
  far__table_count(t, pair->runs);
  far__table_real(t, pair->mean);
  far__table_p(t, pair->p_adjusted);
}

static void add_pairs(far_report *report, const far_results *r) {
  far_table *t = far__report_table(report, "pairs");
  far__table_column(t, "env", "environment", FAR__COLUMN_SPEC);
  far__table_column(t, "first", "agent", FAR__COLUMN_SPEC);
  far__table_column(t, "second", "and", FAR__COLUMN_SPEC);
  far__table_column(t, "better", "better", FAR__COLUMN_TEXT);
  far__table_column(t, "runs", "after runs", FAR__COLUMN_COUNT);
  far__table_column(t, "difference", "difference", FAR__COLUMN_REAL);
  far__table_column(t, "p_adjusted", "p (adjusted)", FAR__COLUMN_REAL);
  const size_t n = far_ranking_info_of(r->ranking).n_pairs;
  for (size_t i = 0; i < n; ++i) add_pair(t, r, far_ranking_pair_at(r->ranking, i));
}

static void add_ranks(far_report *report, const far_results *r) {
  far_table *t = far__report_table(report, "ranks");
  far__cell_columns(t);
  far__table_column(t, "rank", "rank", FAR__COLUMN_RANGE);
  for (size_t i = 0; i < r->def.n_cells; ++i) {
    size_t best, worst;
    far_ranking_ranks(r->ranking, i / r->info.n_agents, i % r->info.n_agents, &best, &worst);
    far__table_row(t);
    far__cell_entries(t, r, i);
    if (best == worst)
      far__table_range_as(t, (double)best, (double)worst, "%zu", best);
    else
      far__table_range_as(t, (double)best, (double)worst, "%zu to %zu", best, worst);
  }
}

/* The runs of the look that the maximum does not allow. */
static int64_t runs_beyond(const far_ranking_info *info) {
  far_ranking_def def = info->def;
  def.most = UINT32_MAX;
  return far__ranking_runs(&def, info->looks + 1);
}

/* Why there are ties, where there are. */
static void add_ties(far_report *report, const far_results *r, const far_ranking_info *info) {
  size_t skewed = 0;
  char why[FAR__BRIEF_SIZE + 80] = "the runs were stopped before";
  for (size_t i = 0; i < info->n_pairs; ++i) skewed += far_ranking_pair_at(r->ranking, i)->skewed;
  if (!r->stopped)
    snprintf(why, sizeof why,
             "the next look would be at %lld runs, which --runs %lld does not allow",
             (long long)runs_beyond(info), (long long)info->def.most);
  if (info->n_open > 0)
    far__report_note(report, FAR__NOTE_CAVEAT,
                     "%zu of %zu pairs %s: %s. A tie is no proof that two agents are equal.",
                     info->n_open, info->n_pairs, info->n_open == 1 ? "is a tie" : "are ties", why);
  if (skewed > 0)
    far__report_note(
        report, FAR__NOTE_CAVEAT,
        "*: %zu pair%s had differences too skewed for a test of their mean at the last "
        "look, or all equal in fewer than 300 runs.",
        skewed, far__plural((int64_t)skewed));
}

void far__add_ranking(far_report *report, const far_results *r) {
  const far_ranking_info info = far_ranking_info_of(r->ranking);
  const char *over = info.n_envs > 1 ? " on all environments together" : "";
  const far__brief alpha = far__brief_real(100 * info.def.alpha);
  far__report_heading(report, 2, "Which agent is better, error at most %s%%", alpha.text);
  add_pairs(report, r);
  far__report_heading(report, 2, "Ranks that are possible");
  add_ranks(report, r);
  far__report_note(
      report, FAR__NOTE_REMARK,
      "Runs were added until %s, %lld at first, at most %lld (%d look%s). The probability that any "
      "of the %zu pair%s%s is decided although its agents are equal is at most %s%%, whenever the "
      "runs end: sign-flip tests of the pairs of runs, a share of the error for each look, Holm's "
      "correction (docs/statistics.md). Intervals and other tests do not allow for this.",
      r->info.until, (long long)info.def.first, (long long)info.def.most, info.looks,
      far__plural(info.looks), info.n_pairs, far__plural((int64_t)info.n_pairs), over, alpha.text);
  add_ties(report, r, &info);
}
