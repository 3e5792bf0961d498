/* The benchmark as tables: standings of each setting, scores on every problem, the suite. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "farsight/run.h"
#include "questions/benchmark/benchmark.h"
#include "questions/comparison/profiles.h"
#include "report/build.h"
#include "run/series.h"

/* ---- standings ---- */

static void add_late(far_table *t, double late, int64_t n_locked, int64_t n) {
  if (n == 0) {
    far__table_none(t);
    far__table_none(t);
    return;
  }
  far__table_real_as(t, late, "%.2f", late);
  far__table_real_as(t, (double)n_locked / (double)n, "%lld of %lld", (long long)n_locked,
                     (long long)n);
}

/* No rank and no score: what happened is in a note, and in the last column of the data. */
static void add_failed(far_table *t, const far__benchmark_part *part, const far__standing *x) {
  far__table_row(t);
  far__table_text(t, "%s", far__setting_name(part->setting));
  far__table_text(t, "%s", "failed");
  far__table_text(t, "%s", x->agent);
  for (int i = 0; i < 6; ++i) far__table_none(t);
  far__table_text(t, "%s", x->failure);
}

static void add_standings(const far__benchmark *b, const far__benchmark_part *part,
                          far_report *report) {
  const bool ranks = b->score != NULL;
  far_table *t = far__report_table(report, "standings");
  far__table_column(t, "setting", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "rank", "rank", FAR__COLUMN_TEXT);
  far__table_column(t, "agent", "agent", FAR__COLUMN_TEXT);
  far__table_column(t, ranks ? "mean_rank" : "score", ranks ? "mean rank ± 95%" : "score ± 95%",
                    FAR__COLUMN_INTERVAL);
  far__table_column(t, "late", "late", FAR__COLUMN_REAL);
  far__table_column(t, "locked_in", "locked in", FAR__COLUMN_REAL);
  far__table_column(t, "worst", "worst", FAR__COLUMN_REAL);
  far__table_column(t, "worst_on", "on", FAR__COLUMN_TEXT);
  far__table_column(t, "ns", "ns/step", FAR__COLUMN_REAL);
  far__table_column(t, "failure", NULL, FAR__COLUMN_TEXT);
  for (size_t j = 0; j < part->n_agents; ++j) {
    const far__standing *x = &part->standings[j];
    far__table_row(t);
    far__table_text(t, "%s", far__setting_name(part->setting));
    if (x->first == x->last)
      far__table_text(t, "%zu", x->first);
    else
      far__table_text(t, "%zu-%zu", x->first, x->last);
    far__table_text(t, "%s%s", x->agent, x->impossible ? " (!)" : "");
    /* Ranks have fewer digits than scores. */
    const int digits = ranks ? 1 : 3;
    if (x->low == x->low)
      far__table_interval_as(t, x->score, x->low, x->high, "%.*f ± %.*f", digits, x->score, digits,
                             (x->high - x->low) / 2);
    else
      far__table_interval_as(t, x->score, NAN, NAN, "%.*f", digits, x->score);
    add_late(t, x->late, x->n_locked, x->n_judged);
    far__table_real_as(t, x->least, "%.*f", ranks ? 1 : 2, x->least);
    far__table_text(t, "%s", x->weakest != NULL ? x->weakest : "");
    far__table_real_as(t, 1e9 * x->seconds, "%.3g", 1e9 * x->seconds);
    far__table_text(t, "%s", "");
  }
  for (size_t j = part->n_agents; j < part->n_agents + part->n_failed; ++j)
    add_failed(t, part, &part->standings[j]);
}

static void warn_impossible(const far__benchmark_part *part, far_report *report) {
  for (size_t j = 0; j < part->n_agents; ++j)
    if (part->standings[j].impossible)
      far__report_note(
          report, FAR__NOTE_CAVEAT,
          "(!) %s has earned more on a problem than the best policy can: it knows what "
          "an agent may not know (the model, or the random numbers of the run).",
          part->standings[j].agent);
}

/* ---- profiles ---- */

static const int percents[] = {25, 50, 75, 90, 95};
enum { N_PERCENTS = sizeof percents / sizeof *percents };

size_t far__benchmark_column(const far_comparison_group *g, const char *agent) {
  size_t j = 0;
  while (j < g->n_agents && strcmp(g->agents[j].label, agent) != 0) ++j;
  return j;
}

/* The grid has a hundred steps from 0 to 1. Where the replicates do not vary there is no interval. The half-width is that of before its ends were cut at 0 and 1. */
static void add_share(far_table *t, const far__profiles *profiles, size_t j, int percent) {
  const far_estimate *x = &profiles->shares[j * profiles->n_scores + (size_t)percent];
  if (!profiles->exists[j])
    far__table_none(t);
  else if (x->low < x->high)
    far__table_interval_as(t, x->value, x->low, x->high, "%.2f ± %.2f", x->value,
                           fmax(x->high - x->value, x->value - x->low));
  else
    far__table_interval_as(t, x->value, NAN, NAN, "%.2f", x->value);
}

static void add_profiles(const far__benchmark_part *part, far_report *report) {
  far_table *t = far__report_table(report, "profiles");
  far__table_column(t, "setting", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "agent", "share of runs above", FAR__COLUMN_TEXT);
  for (size_t i = 0; i < N_PERCENTS; ++i) {
    char name[24], heading[16];
    snprintf(name, sizeof name, "above_%g", percents[i] / 100.0);
    snprintf(heading, sizeof heading, "%g", percents[i] / 100.0);
    far__table_column(t, name, heading, FAR__COLUMN_INTERVAL);
  }
  for (size_t k = 0; k < part->n_agents; ++k) {
    const size_t j = far__benchmark_column(&part->comparison->groups[0], part->standings[k].agent);
    far__table_row(t);
    far__table_text(t, "%s", far__setting_name(part->setting));
    far__table_text(t, "%s", part->standings[k].agent);
    for (size_t i = 0; i < N_PERCENTS; ++i) add_share(t, part->profiles, j, percents[i]);
  }
}

/* ---- problems ---- */

static double mean_of(const double *x, int64_t n) {
  return far_sample_moments(x, n).mean;
}

static void add_problems(const far__benchmark *b, const far__benchmark_part *part,
                         far_report *report) {
  const far_comparison_group *g = &part->comparison->groups[0];
  far_table *t = far__report_table(report, "problems");
  char mean[64];
  const char *what = b->score != NULL ? b->score : "reward";
  snprintf(mean, sizeof mean, "mean %.*s", (int)strcspn(what, ":"), what);
  far__table_column(t, "problem", "problem", FAR__COLUMN_TEXT);
  far__table_column(t, "agent", "agent", FAR__COLUMN_TEXT);
  far__table_column(t, b->score != NULL ? "mean_rank" : "score",
                    b->score != NULL ? "mean rank" : "mean score", FAR__COLUMN_REAL);
  far__table_column(t, b->score != NULL ? "metric" : "reward", mean, FAR__COLUMN_INTERVAL);
  far__table_column(t, "late", "late", FAR__COLUMN_REAL);
  far__table_column(t, "locked_in", "locked in", FAR__COLUMN_REAL);
  for (size_t e = 0; e < g->n_envs; ++e)
    for (size_t k = 0; k < part->n_agents; ++k) {
      const size_t i = e * g->n_agents + far__benchmark_column(g, part->standings[k].agent);
      const double score = mean_of(part->scores + i * (size_t)b->runs, b->runs);
      if (k == 0 && e > 0) far__table_rule(t);
      far__table_row(t);
      if (k == 0)
        far__table_text(t, "%s", g->envs[e].label);
      else
        far__table_text_as(t, g->envs[e].label, "%s", "");
      far__table_text(t, "%s", part->standings[k].agent);
      far__table_known_as(t, score, "%.*f", b->score != NULL ? 1 : 3, score);
      /* Where all runs are equal there is no interval. */
      const far_summary *x = &g->cells[i].summary;
      if (x->low == x->low)
        far__table_interval_as(t, x->mean, x->low, x->high, "%.4g [%.4g, %.4g]", x->mean, x->low,
                               x->high);
      else
        far__table_interval_as(t, x->mean, NAN, NAN, "%.4g", x->mean);
      const double *late = part->late + i * (size_t)b->runs;
      int64_t n_locked = 0;
      for (int64_t j = 0; j < b->runs; ++j) n_locked += late[j] < FAR__LOCKED;
      add_late(t, mean_of(late, b->runs), n_locked, late[0] == late[0] ? b->runs : 0);
    }
}

/* ---- the whole ---- */

static const char by_reward[] =
    "The score of a run is 0 at the expected reward of the random policy and 1 at that of the best "
    "policy, so that it can be below 0. The score of an agent is the mean over the problems; its "
    "interval is Student's, over the runs' means, since the problems of one run share random "
    "numbers. Profiles: the share of runs of all problems with a score above each of those named, "
    "with Student's 95% interval over the runs' shares.";

enum { METHOD_SIZE = FAR_SPEC_SIZE + 800 };

static void describe_ranks(char out[METHOD_SIZE], const char *metric) {
  const char *event = far__series_event(metric);
  const int length = snprintf(
      out, METHOD_SIZE,
      "Scored by %.*s, of which %s is better. It has no scale from the random policy to the best "
      "one. So in each run on each problem agents get ranks, from 1, the best; equal numbers share "
      "the mean of their ranks. The mean rank of an agent is over problems and runs, and depends "
      "on the agents in the table; its interval is Student's, over the runs' means.",
      FAR_SPEC_SIZE, metric, far_series_higher_is_better(metric) ? "more" : "less");
  if (event != NULL)
    snprintf(out + length, METHOD_SIZE - (size_t)length,
             " A run that has not %s counts with its number of steps.", event);
}

static void add_methods(const far__benchmark *b, far_report *report) {
  char by_metric[METHOD_SIZE];
  if (b->score != NULL) describe_ranks(by_metric, b->score);
  far__report_methods(
      report,
      "Suite %d, the problems for %s; %lld runs of %lld steps of each agent on each problem, seed "
      "%llu, the same random numbers for all agents. %s "
      "Ranks: an agent ranks below those that are better by a paired t-test over these means, "
      "adjusted for all pairs of agents (Holm, 5%%), and above those that are worse; what lies "
      "between is a tie. late: the score of the reward of the last quarter of a run, from step "
      "%lld on, with the rewards of the random and the best policy over as many steps; the mean "
      "over problems and runs. locked in: runs in which it is below 0.5. "
      "ns/step: processor time, on the machine that ran it. Agents with the key steps are told "
      "the steps of a run, unless their spec gives another number. Agents that are not the "
      "library's own are told another seed than the environment's.",
      FAR__BENCHMARK_VERSION, b->tuning ? "tuning" : "judging", (long long)b->runs,
      (long long)b->steps, (unsigned long long)b->seed, b->score != NULL ? by_metric : by_reward,
      (long long)far__benchmark_late(b));
}

void far__benchmark_report(const far__benchmark *b, far_report *report) {
  const char *tuning = b->tuning ? "tuning" : "judging";
  const char *length = b->steps > FAR__BENCHMARK_STEPS ? ", long runs" : "";
  if (b->score != NULL)
    far__report_heading(report, 1, "Benchmark %d%s, by %s: the problems for %s",
                        FAR__BENCHMARK_VERSION, length, b->score, tuning);
  else
    far__report_heading(report, 1, "Benchmark %d%s: the problems for %s", FAR__BENCHMARK_VERSION,
                        length, tuning);
  for (int k = 0; k < FAR__SETTING_COUNT; ++k) {
    const far__benchmark_part *part = &b->parts[k];
    const bool left_out = part->left_out[0] != '\0';
    if (part->n_agents + part->n_failed == 0 && !left_out) continue;
    far__report_heading(report, 2, "%s: %zu problems", far__setting_name(part->setting),
                        part->n_problems);
    if (left_out)
      far__report_note(report, FAR__NOTE_CAVEAT, "The setting %s is not judged by this metric. %s",
                       far__setting_name(part->setting), part->left_out);
    else
      add_standings(b, part, report);
    warn_impossible(part, report);
    for (size_t j = part->n_agents; j < part->n_agents + part->n_failed; ++j)
      far__report_note(report, FAR__NOTE_CAVEAT, "%s failed and is not judged here. On %s",
                       part->standings[j].agent, part->standings[j].failure);
    if (part->profiles != NULL) add_profiles(part, report);
  }
  for (int k = 0; k < FAR__SETTING_COUNT; ++k) {
    if (b->parts[k].n_agents == 0) continue;
    far__report_heading(report, 2, "Every problem, %s", far__setting_name((far__setting)k));
    add_problems(b, &b->parts[k], report);
  }
  add_methods(b, report);
}

/* ---- the suite ---- */

static void add_measure(far_table *t, double x) {
  if (x - x == 0)
    far__table_real_as(t, x, "%.3g", x);
  else
    far__table_none(t);
}

far_status far__benchmark_suite_report(far_report *report, far_error *error) {
  const far__benchmark_problem *p;
  far_table *t = far__report_table(report, "suite");
  far__table_column(t, "setting", "setting", FAR__COLUMN_TEXT);
  far__table_column(t, "part", "for", FAR__COLUMN_TEXT);
  far__table_column(t, "problem", "problem", FAR__COLUMN_TEXT);
  far__table_column(t, "states", "S", FAR__COLUMN_COUNT);
  far__table_column(t, "actions", "A", FAR__COLUMN_COUNT);
  far__table_column(t, "diameter", "diameter", FAR__COLUMN_REAL);
  far__table_column(t, "gap", "least gap", FAR__COLUMN_REAL);
  far__table_column(t, "span", "span", FAR__COLUMN_REAL);
  far__table_column(t, "why", "why", FAR__COLUMN_TEXT);
  for (size_t i = 0; (p = far__benchmark_problem_at(i)) != NULL; ++i) {
    far__benchmark_hardness x;
    const far_status status = far__benchmark_hardness_of(&x, i, error);
    if (status != FAR_OK) return status;
    far__table_row(t);
    far__table_text(t, "%s", far__setting_name(p->setting));
    far__table_text(t, "%s", p->tuning ? "tuning" : "judging");
    far__table_text(t, "%s", p->env);
    far__table_count(t, x.n_states);
    far__table_count(t, x.n_actions);
    add_measure(t, x.diameter);
    add_measure(t, x.gap);
    add_measure(t, x.span);
    far__table_text(t, "%s", p->why);
  }
  far__report_methods(
      report,
      "Suite %d. Every run has %d steps (a long one %d), which an agent may know: those "
      "with the key steps are told, unless their spec gives it. The seed is %d.",
      FAR__BENCHMARK_VERSION, FAR__BENCHMARK_STEPS, FAR__BENCHMARK_LONG_STEPS, FAR__BENCHMARK_SEED);
  return FAR_OK;
}
