/* All agents in one table, the best first: their means on every environment, and their scores. */
#include <math.h>
#include <stdio.h>

#include "questions/comparison/findings.h"
#include "questions/page/page.h"
#include "report/build.h"

enum { MOST_COLUMNS = 4, MOST_ROWS = 1000 }; /* environments side by side; agents */

static far_table *begin(far__page *page, const far_comparison_group *g, size_t from, size_t to,
                        bool scores) {
  far_table *t = far__report_table(page->report, NULL);
  far__table_column(t, "agent", "agent", FAR__COLUMN_SPEC);
  if (scores) far__table_column(t, "score", "score", FAR__COLUMN_INTERVAL);
  for (size_t e = from; e < to; ++e) {
    char key[32];
    snprintf(key, sizeof key, "env%zu", e);
    far__table_column(t, key, far__say_name(g->envs[e].brief).text, FAR__COLUMN_INTERVAL);
  }
  if (from == 0 && g->n_envs > 1) far__table_column(t, "won", "best on", FAR__COLUMN_COUNT);
  return t;
}

/* "0.93 ± 0.01": the score's interval is not symmetric, and given in the table of scores. */
static void add_score(far_table *t, const far_comparison_scores *s) {
  const far_estimate *e = &s->aggregate.iqm;
  if (s->exists)
    far__table_interval_as(t, e->value, e->low, e->high, "%.3f", e->value);
  else
    far__table_none(t);
}

/* Of a time also in how many runs. */
static void add_mean(far_table *t, const far_comparison_cell *cell) {
  const far_summary *s = &cell->summary;
  const far_times *x = &cell->times;
  if (cell->runs > 0 && x->runs > 0)
    far__table_interval_as(t, s->mean, s->low, s->high, "%s (%lld of %lld)",
                           far__brief_interval(s->mean, (s->high - s->low) / 2).text,
                           (long long)(x->runs - x->censored), (long long)x->runs);
  else if (cell->runs > 0)
    far__table_interval(t, s->mean, (s->high - s->low) / 2);
  else
    far__table_none(t);
}

static void add_rows(far_table *t, const far_comparison_group *g, const far__findings *found,
                     size_t from, size_t to, bool scores) {
  for (size_t k = 0; k < g->n_agents && k < MOST_ROWS; ++k) {
    static const char *const marks[] = {"", " †", " ‡"};
    const size_t j = found->order[k];
    const far_comparison_agent *agent = &g->agents[j];
    far__table_row(t);
    far__table_spec_as(t, agent->label, far__agent_spec(g, j), "%s%s%s",
                       far__say_name(agent->brief).text, marks[agent->origin],
                       found->reference[j] ? " (reference)" : "");
    if (scores) add_score(t, &agent->scores);
    for (size_t e = from; e < to; ++e) add_mean(t, far__cell_of(g, e, j));
    if (from > 0 || g->n_envs < 2) continue;
    far__table_count(t, (int64_t)found->won[j]);
  }
}

void far__page_standings(far__page *page, size_t group) {
  const far_comparison_group *g = far__page_group(page, group);
  bool scores = false;
  for (size_t j = 0; j < g->n_agents; ++j) scores = scores || g->agents[j].scores.exists;
  if (g->n_agents < 2 && g->n_envs < 2) return;
  far__report_heading(page->report, page->level, "All agents");
  for (size_t from = 0; from < g->n_envs; from += MOST_COLUMNS) {
    const size_t to = from + MOST_COLUMNS < g->n_envs ? from + MOST_COLUMNS : g->n_envs;
    far_table *t = begin(page, g, from, to, scores && from == 0);
    if (from == 0) {
      const char *event = page->comparison->event;
      far__table_caption(
          t, "%s %s with %g%% intervals%s%s%s, the best agents first%s%s",
          event != NULL ? "Restricted mean" : "Mean",
          far__say_series(page->comparison->series).text, 100 * page->comparison->bootstrap.level,
          event != NULL ? " (and how many runs had " : "", event != NULL ? event : "",
          event != NULL ? " by their end)" : "",
          g->n_envs < 2 ? ""
          : scores      ? " by score (interquartile mean over environments: 0 is the random "
                          "policy or the worst run, 1 the best)"
                        : " by rank",
          g->n_envs > 1 ? ". Best on: on how many environments it is better than every "
                          "other agent, after correction."
                        : ".");
    }
    add_rows(t, g, page->findings[group], from, to, scores && from == 0);
  }
  if (g->n_agents > MOST_ROWS)
    far__report_note(page->report, FAR__NOTE_REMARK,
                     "The other %zu agents are in the JSON document.", g->n_agents - MOST_ROWS);
}
