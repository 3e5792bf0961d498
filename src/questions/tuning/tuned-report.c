/* The comparison of tuned agents as a document. */
#include <math.h> /* fabs, NAN */
#include <stdio.h>
#include <string.h>

#include "lab/study/parts.h"
#include "questions/tuning/tuned-comparison.h"
#include "questions/tuning/tuned.h"
#include "report/build.h"

enum { MOST_WORDS = 24 }; /* values of a parameter that a profile tries, and to spare */

/* A section of the document: one agent of the comparison. */
typedef struct section {
  far_report *report;
  const far__tuned_comparison_info *info;
  const far_tune_result *result;
  bool fits, spreads; /* are standard deviations fitted, too? */
  const char *what;   /* "score" or "distance" */
  const char *title;  /* the same, or the metric */
  double sign, unit;  /* of scores as people read them; a fraction is in per cent */
} section;

typedef struct number {
  char text[FAR__BRIEF_SIZE + 8];
} number;

/* ---- numbers ---- */

static section section_of(far_report *report, const far__tuned_comparison_info *info,
                          const far_tune_result *r) {
  const bool fits = far__tuned_fits(info);
  const bool per_cent = r->normalised || info->tune->goal == FAR_GOAL_FIT_RELATIVE;
  return (section){.report = report,
                   .info = info,
                   .result = r,
                   .fits = fits,
                   .spreads = fits && far__tuned_spreads(info),
                   .what = fits ? "distance" : "score",
                   .title = far__tuned_series(info),
                   .sign = far__tuned_sign(info),
                   .unit = per_cent ? 100 : 1};
}

/* A value in the unit of scores, "85.21 ± 0.70 %". */
static number in_unit(const section *s, double value, double half) {
  number out;
  snprintf(out.text, sizeof out.text, "%s%s",
           far__brief_interval(value * s->unit, half * s->unit).text,
           s->unit != 1 && value == value ? " %" : "");
  return out;
}

static void put_score(const section *s, far_table *t, double score, double half) {
  const double value = s->sign * score;
  far__table_interval_as(t, value, value - half, value + half, "%s", in_unit(s, value, half).text);
}

/* A difference with its sign, "+34.1 ± 0.6 %". */
static void put_change(const section *s, far_table *t, double value, double half) {
  far__table_interval_as(t, value, value - half, value + half, "%s%s", value > 0 ? "+" : "",
                         in_unit(s, value, half).text);
}

/* A loss of score in per cent of the best setting's on the same runs; of a fit, the growth of the
 * distance. */
static void put_loss(const section *s, far_table *t, double loss) {
  const double whole = fabs(s->result->profile_score), part = 100 * loss / whole;
  if (loss != loss || whole == 0)
    far__table_none(t);
  else if (s->fits)
    far__table_real_as(t, loss, "%s", in_unit(s, loss, NAN).text);
  else if (s->result->normalised)
    far__table_real_as(t, loss, "%.*f%%", fabs(part) < 9.95 ? 1 : 0, part);
  else
    far__table_real(t, loss);
}

static number in_millions(int64_t steps) {
  const double x = (double)steps;
  number out;
  if (x < 1e6)
    snprintf(out.text, sizeof out.text, "%lld", (long long)steps);
  else
    snprintf(out.text, sizeof out.text, x < 1e9 ? "%.4g million" : "%.4g billion",
             x / (x < 1e9 ? 1e6 : 1e9));
  return out;
}

/* ---- tables ---- */

/* A table whose rows belong to an agent, which people see in the heading. */
static far_table *agent_table(const section *s, const char *name) {
  far_table *t = far__report_table(s->report, name);
  far__table_column(t, "space", NULL, FAR__COLUMN_TEXT);
  return t;
}

static void agent_row(const section *s, far_table *t) {
  far__table_row(t);
  far__table_text(t, "%s", s->result->space);
}

static void score_row(const section *s, far_table *t, const char *measured,
                      const far_tune_score *score) {
  agent_row(s, t);
  far__table_text(t, "%s", measured);
  put_score(s, t, score->mean, score->ci95);
  far__table_count(t, score->runs);
}

static void add_fresh_score(const section *s, far_table *t) {
  const far_tune_result *r = s->result;
  if (r->score.runs == 0) return;
  score_row(s, t, "on fresh seeds", &r->score);
  const double gap = fabs(r->optimism) * s->unit;
  const char *unit = s->unit != 1 ? " %" : "";
  const char *side = (r->optimism >= 0) == (s->sign > 0) ? "more" : "less";
  far__table_text(t,
                  gap < 99.5 ? "the search estimated %.2g%s %s" : "the search estimated %.0f%s %s",
                  gap, unit, side);
}

static void add_scores(const section *s) {
  const far_tune_score search = {s->result->tuned, NAN, s->result->tuned_runs, NULL};
  far_table *t = agent_table(s, "scores");
  far__table_column(t, "measured", "", FAR__COLUMN_TEXT);
  far__table_column(t, s->what, s->title, FAR__COLUMN_INTERVAL);
  far__table_column(t, "runs", "runs", FAR__COLUMN_COUNT);
  far__table_column(t, "remark", "", FAR__COLUMN_TEXT);
  score_row(s, t, "in the search", &search);
  add_fresh_score(s, t);
  const far_tune_result *r = s->result;
  if (r->default_score.runs == 0) return;
  score_row(s, t, "defaults", &r->default_score);
  far__table_text(t, "the same runs: %s", r->defaults);
  agent_row(s, t);
  far__table_text(t, s->fits ? "closer by" : "gain");
  put_change(s, t, r->gain, r->gain_ci95);
  far__table_count(t, r->score.runs);
  far__table_text(t, "in pairs");
}

/* ---- environments ---- */

static void fit_row(far_table *t, const far_tune_cell *cell, double mean, double std) {
  const double deviation = mean / cell->target - 1;
  far__table_real(t, cell->target);
  if (cell->target != 0)
    far__table_real_as(t, deviation, "%+.1f%%", 100 * deviation);
  else
    far__table_none(t);
  far__table_real(t, std);
  if (cell->std > 0)
    far__table_real(t, cell->std);
  else
    far__table_none(t);
}

static void reward_row(const section *s, far_table *t, const far_tune_cell *cell, double mean) {
  const double score = (mean - cell->low) / (cell->high - cell->low);
  far__table_real(t, cell->low);
  far__table_real(t, cell->high);
  if (s->result->normalised) far__table_real_as(t, score, "%.1f%%", 100 * score);
}

static void add_cells(const section *s) {
  const far_tune_result *r = s->result;
  if (r->means == NULL) return;
  far_table *t = agent_table(s, "cells");
  far__table_column(t, "env", "environment", FAR__COLUMN_TEXT);
  far__table_column(t, "with", s->fits ? "with" : NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "mean", s->info->tune->score != NULL ? s->title : "reward",
                    FAR__COLUMN_INTERVAL);
  if (s->fits) {
    far__table_column(t, "target", "to be met", FAR__COLUMN_REAL);
    far__table_column(t, "deviation", "deviation", FAR__COLUMN_REAL);
    far__table_column(t, "std", s->spreads ? "std" : NULL, FAR__COLUMN_REAL);
    far__table_column(t, "target_std", s->spreads ? "to be met" : NULL, FAR__COLUMN_REAL);
  } else if (s->info->tune->score == NULL) {
    far__table_column(t, "random", "random policy", FAR__COLUMN_REAL);
    far__table_column(t, "optimum", "best policy", FAR__COLUMN_REAL);
    far__table_column(t, "score", s->result->normalised ? "score" : NULL, FAR__COLUMN_REAL);
  }
  for (size_t i = 0; i < s->info->tune->n_cells; ++i) {
    const far_tune_cell *cell = &s->info->tune->cells[i];
    agent_row(s, t);
    far__table_text(t, "%s", s->info->envs[i]);
    far__table_text(t, "%s", cell->with);
    far__table_interval(t, r->means[i], r->ci95s[i]);
    if (s->fits)
      fit_row(t, cell, r->means[i], r->stds[i]);
    else if (s->info->tune->score == NULL)
      reward_row(s, t, cell, r->means[i]);
  }
}

/* ---- profiles ---- */

static void put_range(far_table *t, const char *low, const char *high) {
  if (strcmp(low, high) == 0)
    far__table_text(t, "%s", low);
  else
    far__table_text(t, "%s … %s", low, high);
}

/* The words of one verdict, after `first`. */
static void put_words(far_table *t, const char *first, const far_tune_profile *p,
                      far_tune_near near) {
  char out[MOST_WORDS * FAR_TEXT_SIZE];
  snprintf(out, sizeof out, "%s", first);
  for (size_t i = 0; i < p->n_points; ++i) {
    const size_t used = strlen(out);
    if (p->points[i].near == near)
      snprintf(out + used, sizeof out - used, "%s%s", used > 0 ? ", " : "", p->points[i].value);
  }
  far__table_text(t, "%s", out);
}

static void profile_row(const section *s, far_table *t, const far_tune_profile *p) {
  agent_row(s, t);
  far__table_text(t, "%s", p->key);
  if (p->value != NULL)
    far__table_text(t, "%s", p->value);
  else
    far__table_none(t);
  /* Values within 1% of the best score, and those that are inconclusive. */
  if (p->n_points == 0) {
    far__table_text(t, "%s", "");
    far__table_text(t, "%s", "");
  } else if (p->low == NULL) {
    put_words(t, p->value, p, FAR_TUNE_NEAR);
    put_words(t, "", p, FAR_TUNE_PERHAPS);
  } else {
    put_range(t, p->low, p->high);
    if (strcmp(p->low, p->low_perhaps) != 0 || strcmp(p->high, p->high_perhaps) != 0)
      put_range(t, p->low_perhaps, p->high_perhaps);
    else
      far__table_text(t, "%s", "");
  }
  put_loss(s, t, p->mean_loss);
  put_loss(s, t, p->worst_loss);
}

static void add_profiles(const section *s) {
  const far_tune_result *r = s->result;
  if (r->n_profiles == 0) return;
  far__report_note(
      s->report, FAR__NOTE_REMARK,
      "Sensitivity: each parameter is varied alone, %lld runs per point; the most "
      "sensitive comes first. Within 1%%: the loss and its 95%% interval are within 1%% "
      "of the best setting's %s. Inconclusive: more runs per point would tell.",
      (long long)s->info->tune->profile, s->what);
  far_table *t = agent_table(s, "profiles");
  far__table_column(t, "parameter", "parameter", FAR__COLUMN_TEXT);
  far__table_column(t, "best", "best", FAR__COLUMN_TEXT);
  far__table_column(t, "within_1", "within 1%", FAR__COLUMN_TEXT);
  far__table_column(t, "inconclusive", "inconclusive", FAR__COLUMN_TEXT);
  far__table_column(t, "mean_loss", "mean loss", FAR__COLUMN_REAL);
  far__table_column(t, "worst_loss", "worst loss", FAR__COLUMN_REAL);
  for (size_t i = 0; i < r->n_profiles; ++i) profile_row(s, t, &r->profiles[i]);
}

/* ---- for programs ---- */

static void add_points(const section *s) {
  const far_tune_result *r = s->result;
  if (r->n_profiles == 0) return;
  far_table *t = agent_table(s, "points");
  far__table_column(t, "parameter", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "value", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "loss", NULL, FAR__COLUMN_INTERVAL);
  far__table_column(t, "within_1", NULL, FAR__COLUMN_TEXT);
  for (size_t i = 0; i < r->n_profiles; ++i)
    for (size_t k = 0; k < r->profiles[i].n_points; ++k) {
      const far_tune_point *point = &r->profiles[i].points[k];
      agent_row(s, t);
      far__table_text(t, "%s", r->profiles[i].key);
      far__table_text(t, "%s", point->value);
      far__table_interval(t, point->loss, point->ci95);
      far__table_text(t, "%s", far__near_name(point->near));
    }
}

static void add_trials(const section *s) {
  const far_tune_result *r = s->result;
  far_table *t = agent_table(s, "trials");
  far__table_column(t, "candidate", NULL, FAR__COLUMN_COUNT);
  far__table_column(t, "agent", NULL, FAR__COLUMN_SPEC);
  far__table_column(t, "runs", NULL, FAR__COLUMN_COUNT);
  far__table_column(t, s->what, NULL, FAR__COLUMN_REAL);
  for (size_t i = 0; i < r->n_trials; ++i) {
    agent_row(s, t);
    far__table_count(t, (int64_t)r->trials[i].candidate);
    far__table_spec(t, r->trials[i].agent, r->trials[i].agent);
    far__table_count(t, r->trials[i].runs);
    far__table_real(t, s->sign * r->trials[i].score);
  }
}

/* ---- one agent ---- */

static void add_search(const section *s) {
  const far_tune_result *r = s->result;
  far__report_heading(s->report, 2, "%s", r->space);
  far__report_paragraph(s->report, "%s: %s%lld parameter setting%s in %s of at most %s steps",
                        s->info->tune->method, r->complete ? "all " : "", (long long)r->candidates,
                        r->candidates == 1 ? "" : "s", in_millions(r->spent).text,
                        in_millions(r->budget).text);
  if (r->candidates == 1 && !r->complete)
    far__report_note(s->report, FAR__NOTE_CAVEAT,
                     "One parameter setting is no search: the budget does not pay for a second one "
                     "to compare it with.");
}

static void add_closing(const section *s) {
  const far_tune_result *r = s->result;
  if (r->within_1 == r->within_1)
    far__report_paragraph(
        s->report,
        "%.3g%% of the parameter settings came within 1%% of the best %s, %.3g%% within 5%%.",
        100 * r->within_1, s->what, 100 * r->within_5);
  if (r->evaluation_steps + r->profile_steps > 0)
    far__report_paragraph(s->report,
                          "Evaluation and profiles took %s steps in addition to the budget.",
                          in_millions(r->evaluation_steps + r->profile_steps).text);
}

static void add_agent(far_report *report, const far__tuned_comparison_info *info,
                      const far_tune_result *r) {
  const section s = section_of(report, info, r);
  add_search(&s);
  if (r->best == NULL) {
    far__report_paragraph(report, "Nothing was measured.");
    return;
  }
  far__report_list(report, "Best parameter setting:");
  far__report_item(report, "%s", r->best);
  add_scores(&s);
  add_cells(&s);
  add_profiles(&s);
  add_closing(&s);
  add_points(&s);
  add_trials(&s);
}

/* ---- several agents ---- */

static void add_comparison(far_report *report, const far__tuned_comparison_info *info) {
  if (info->n_agents < 2 || info->chosen == info->n_agents) return;
  const section chosen = section_of(report, info, info->agents[info->chosen].result);
  far__report_heading(report, 2, "Comparison of the tuned agents");
  far__report_paragraph(
      report,
      "%lld fresh runs; differences are in pairs. The agent with the best %s in the "
      "search is chosen.",
      (long long)info->tune->evaluation, chosen.what);
  far_table *t = agent_table(&chosen, "comparison");
  far__table_column(t, "agent", "tuned agent", FAR__COLUMN_SPEC);
  far__table_column(t, "search", "in the search", FAR__COLUMN_INTERVAL);
  far__table_column(t, chosen.what, "on fresh seeds", FAR__COLUMN_INTERVAL);
  far__table_column(t, "difference", "difference from chosen", FAR__COLUMN_INTERVAL);
  for (size_t i = 0; i < info->n_agents; ++i) {
    if (info->agents[i].result == NULL || info->agents[i].result->score.runs == 0) continue;
    const section s = section_of(report, info, info->agents[i].result);
    const far__tuned_agent *agent = &info->agents[i];
    const far_tune_result *r = s.result;
    agent_row(&s, t);
    far__table_spec(t, r->best, r->best);
    put_score(&s, t, r->tuned, NAN);
    put_score(&s, t, r->score.mean, r->score.ci95);
    if (agent->chosen)
      far__table_interval_as(t, 0, NAN, NAN, "chosen");
    else
      put_change(&s, t, s.sign * agent->difference, agent->ci95);
  }
}

/* ---- the whole ---- */

static void add_title(far_report *report, const far__tuned_comparison_info *info) {
  const char *metric = info->tune->score;
  far__report_heading(
      report, 1, "%s%s, %lld steps per run, %lld runs per parameter setting, seed %llu",
      metric != NULL ? "Metric " : "",
      metric != NULL             ? metric
      : !far__tuned_fits(info)   ? "Reward"
      : far__tuned_spreads(info) ? "Distance of mean rewards and standard deviations"
                                 : "Root-mean-square distance of mean rewards",
      (long long)info->tune->steps, (long long)info->tune->runs,
      (unsigned long long)info->tune->seed);
  if (metric != NULL)
    far__report_note(report, FAR__NOTE_REMARK,
                     "The score is the mean of the metric over the environments; %s is better.",
                     far__tuned_sign(info) > 0 ? "more" : "less");
  else if (info->plain_reason != NULL)
    far__report_note(report, FAR__NOTE_CAVEAT, "Scores are plain reward: %s.", info->plain_reason);
  else if (!far__tuned_fits(info))
    far__report_note(report, FAR__NOTE_REMARK,
                     "0 %% is the reward of the random policy, 100 %% that of the best policy.");
  else if (info->tune->goal == FAR_GOAL_FIT_RELATIVE)
    far__report_note(report, FAR__NOTE_REMARK, "Distances are in per cent of the means to be met.");
  if (far__tuned_fits(info) && far__tuned_spreads(info))
    far__report_note(report, FAR__NOTE_REMARK,
                     "Distances: root of the mean over the rows of ((mean - to be met)/unit)² + "
                     "(ln(std/to be met)/%g)².",
                     FAR__TUNE_STD_UNIT);
}

static void add_methods(far_report *report, const far__tuned_comparison_info *info) {
  const far_type_info *method = NULL;
  for (size_t i = 0; far__tune_method(i) != NULL; ++i)
    if (strcmp(far__tune_method(i)->name, info->tune->method) == 0) method = far__tune_method(i);
  const char *reference = method != NULL ? method->reference : NULL;
  far__report_methods(
      report,
      "Parameters were searched by the method %s%s%s%s, with the same budget of environment steps "
      "for "
      "each agent; all candidates were measured on the same runs. The best setting of the search "
      "was "
      "evaluated on runs whose seeds the search had not used. Intervals are Student's 95%% "
      "intervals "
      "over runs; differences are taken run by run, and no correction is made for several agents.",
      info->tune->method, reference != NULL ? " (" : "", reference != NULL ? reference : "",
      reference != NULL ? ")" : "");
}

void far__tuned_comparison_report(const far__tuned_comparison *comparison, far_report *report) {
  const far__tuned_comparison_info info = far__tuned_comparison_info_of(comparison);
  if (info.stopped) far__report_stopped(report);
  add_title(report, &info);
  for (size_t i = 0; i < info.n_agents; ++i)
    if (info.agents[i].result != NULL) add_agent(report, &info, info.agents[i].result);
  add_comparison(report, &info);
  add_methods(report, &info);
  far__report_data_by(report, far__tuned_json, comparison);
}
