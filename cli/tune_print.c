/* What `farsight tune` found, for people and for machines. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "json.h"
#include "table.h"
#include "tune.h"

static bool fits(const tune_study *s) {
  return s->def.goal != FAR_GOAL_REWARD;
}

/* ---- numbers ---- */

static bool in_per_cent(const tune_study *s, const far_tune_result *r) {
  return r->normalised || s->def.goal == FAR_GOAL_FIT_RELATIVE;
}

/* A score as people read it: a distance is positive, a fraction in per cent. */
static number_text score_text(const tune_study *s, const far_tune_result *r, double mean,
                              double ci95) {
  const bool per_cent = in_per_cent(s, r);
  const double unit = (fits(s) ? -1 : 1) * (per_cent ? 100 : 1);
  const number_text number = format_interval(mean * unit, fabs(ci95 * unit));
  number_text out = number;
  if (per_cent && mean == mean) snprintf(out.text, sizeof out.text, "%.60s %%", number.text);
  return out;
}

/* The same with a sign: "+34.1 ± 0.6 %". */
static number_text change_text(const tune_study *s, const far_tune_result *r, double mean,
                               double ci95) {
  number_text out;
  const bool up = fits(s) ? mean < 0 : mean > 0;
  const number_text number = score_text(s, r, mean, ci95);
  snprintf(out.text, sizeof out.text, "%s%.60s", up ? "+" : "", number.text);
  return out;
}

/* A loss of score as a part of what the best set has on the same runs; of a fit, by how much the
 * distance grows. */
static number_text loss_text(const tune_study *s, const far_tune_result *r, double loss) {
  number_text out = {"–"};
  if (loss != loss || r->profile_score == 0) return out;
  if (fits(s)) return score_text(s, r, -loss, NAN);
  if (!r->normalised) return format_number(loss);
  const double part = 100 * loss / fabs(r->profile_score);
  snprintf(out.text, sizeof out.text, "%.*f%%", fabs(part) < 9.95 ? 1 : 0, part);
  return out;
}

static const char *million_text(char out[32], int64_t steps) {
  const double x = (double)steps;
  if (x < 1e6)
    snprintf(out, 32, "%lld", (long long)steps);
  else
    snprintf(out, 32, x < 1e9 ? "%.4g million" : "%.4g billion", x / (x < 1e9 ? 1e6 : 1e9));
  return out;
}

/* Why rewards are not on a scale: the first environment that has none. */
static const char *plain_reason(const tune_study *s, char *out, size_t size) {
  for (size_t i = 0; i < s->cells.count; ++i) {
    const far_tune_cell *cell = &s->cells.cells[i];
    if (cell->low < cell->high) continue;
    const bool known = cell->low >= cell->high;
    snprintf(
        out, size,
        known ? "in %.200s no policy earns more than the random one"
              : "in %.200s the average reward of the random or the best policy is not one number",
        s->cells.envs[i]);
    return out;
  }
  return NULL;
}

/* ---- one agent ---- */

static void print_search(const tune_study *s, const far_tune_result *r) {
  char spent[32], budget[32];
  printf("%s\n  %s: %s%lld set%s in %s of at most %s steps\n", r->space, s->def.method,
         r->complete ? "all " : "", (long long)r->candidates, r->candidates == 1 ? "" : "s",
         million_text(spent, r->spent), million_text(budget, r->budget));
  if (r->candidates == 1 && !r->complete)
    printf("  One set is no search: the budget pays for no second one to compare it with.\n");
  if (r->best == NULL)
    printf("\n  Nothing was measured.\n");
  else
    printf("\n  best   %s\n\n", r->best);
}

static void print_scores(const tune_study *s, const far_tune_result *r) {
  const char *what = fits(s) ? "distance" : "score";
  table t = table_create("lrl");
  table_row(&t);
  table_cell(&t, 1, "%s", what);
  table_row(&t);
  table_cell(&t, 0, "while tuning");
  table_cell(&t, 1, "%s", score_text(s, r, r->tuned, NAN).text);
  table_cell(&t, 2, "%lld runs", (long long)r->tuned_runs);
  if (r->score.runs > 0) {
    table_row(&t);
    table_cell(&t, 0, "on fresh seeds");
    table_cell(&t, 1, "%s", score_text(s, r, r->score.mean, r->score.ci95).text);
    const double unit = in_per_cent(s, r) ? 100 : 1;
    table_cell(&t, 2, "%lld runs; while tuning it looked %s by %.2g%s", (long long)r->score.runs,
               r->optimism >= 0 ? "better" : "worse", fabs(r->optimism) * unit,
               in_per_cent(s, r) ? " %" : "");
  }
  if (r->default_score.runs > 0) {
    table_row(&t);
    table_cell(&t, 0, "defaults");
    table_cell(&t, 1, "%s", score_text(s, r, r->default_score.mean, r->default_score.ci95).text);
    table_cell(&t, 2, "the same runs: %s", r->defaults);
    table_row(&t);
    table_cell(&t, 0, fits(s) ? "nearer by" : "gain");
    table_cell(&t, 1, "%s", change_text(s, r, fits(s) ? -r->gain : r->gain, r->gain_ci95).text);
    table_cell(&t, 2, "in pairs");
  }
  table_print(&t, 2);
}

static void print_cells(const tune_study *s, const far_tune_result *r) {
  if (r->means == NULL) return;
  table t = table_create("llrrrr");
  table_row(&t);
  table_cell(&t, 0, "environment");
  table_cell(&t, 2, "reward");
  if (!fits(s)) table_cell(&t, 3, "random policy");
  table_cell(&t, 4, fits(s) ? "to be met" : "best policy");
  for (size_t i = 0; i < s->cells.count; ++i) {
    const far_tune_cell *cell = &s->cells.cells[i];
    table_row(&t);
    table_cell(&t, 0, "%s", s->cells.envs[i]);
    table_cell(&t, 1, "%s", s->cells.with[i]);
    table_cell(&t, 2, "%s", format_interval(r->means[i], r->ci95s[i]).text);
    if (!fits(s)) table_cell(&t, 3, "%s", format_number(cell->low).text);
    table_cell(&t, 4, "%s", format_number(fits(s) ? cell->target : cell->high).text);
    if (fits(s) && cell->target != 0)
      table_cell(&t, 5, "%+.1f%%", 100 * r->means[i] / cell->target - 100);
    if (r->normalised)
      table_cell(&t, 5, "%.1f%%", 100 * (r->means[i] - cell->low) / (cell->high - cell->low));
  }
  printf("\n");
  table_print(&t, 2);
}

/* ---- profiles ---- */

static const char *range_text(char *out, size_t size, const char *low, const char *high) {
  if (strcmp(low, high) == 0)
    snprintf(out, size, "%s", low);
  else
    snprintf(out, size, "%s … %s", low, high);
  return out;
}

/* The words of one verdict, after `first` if there is one. */
static const char *words_text(char *out, size_t size, const char *first, const far_tune_profile *p,
                              far_tune_near near) {
  snprintf(out, size, "%s", first);
  for (size_t i = 0; i < p->n_points; ++i) {
    const size_t used = strlen(out);
    if (p->points[i].near == near)
      snprintf(out + used, size - used, "%s%s", used > 0 ? ", " : "", p->points[i].value);
  }
  return out;
}

/* What is known to be near, and what may be besides. */
static void fill_reach(table *t, const far_tune_profile *p) {
  char text[TABLE_TEXT];
  const size_t size = sizeof text;
  if (p->n_points == 0) return;
  if (p->low == NULL) {
    table_cell(t, 2, "%s", words_text(text, size, p->value, p, FAR_TUNE_NEAR));
    table_cell(t, 3, "%s", words_text(text, size, "", p, FAR_TUNE_PERHAPS));
    return;
  }
  table_cell(t, 2, "%s", range_text(text, size, p->low, p->high));
  if (strcmp(p->low, p->low_perhaps) != 0 || strcmp(p->high, p->high_perhaps) != 0)
    table_cell(t, 3, "%s", range_text(text, size, p->low_perhaps, p->high_perhaps));
}

static void print_profiles(const tune_study *s, const far_tune_result *r) {
  static const char *const heads[] = {"parameter", "best",      "surely within 1%",
                                      "perhaps",   "mean loss", "worst"};
  if (r->n_profiles == 0) return;
  table t = table_create("lrllrr");
  table_row(&t);
  for (size_t c = 0; c < 6; ++c) table_cell(&t, c, "%s", heads[c]);
  for (size_t i = 0; i < r->n_profiles; ++i) {
    const far_tune_profile *p = &r->profiles[i];
    table_row(&t);
    table_cell(&t, 0, "%s", p->key);
    table_cell(&t, 1, "%s", p->value != NULL ? p->value : "–");
    fill_reach(&t, p);
    table_cell(&t, 4, "%s", loss_text(s, r, p->mean_loss).text);
    table_cell(&t, 5, "%s", loss_text(s, r, p->worst_loss).text);
  }
  printf("\n  How flat it is there: each parameter alone, %lld runs a point, the most sensitive "
         "first.\n  Surely: the loss and its 95%% interval are within 1%% of the best set's %s;\n"
         "  perhaps: inconclusive; raise --profile.\n\n",
         (long long)s->def.profile, fits(s) ? "distance" : "score");
  table_print(&t, 2);
}

static void print_agent(const tune_study *s, const far_tune_result *r) {
  char steps[32];
  print_search(s, r);
  if (r->best == NULL) return;
  print_scores(s, r);
  print_cells(s, r);
  print_profiles(s, r);
  printf("\n");
  if (r->within_1 == r->within_1)
    printf("  %.3g%% of the sets came within 1%% of the best's %s, %.3g%% within 5%%.\n",
           100 * r->within_1, fits(s) ? "distance" : "score", 100 * r->within_5);
  if (r->evaluation_steps + r->profile_steps > 0)
    printf("  Evaluation and profiles took %s steps besides the budget.\n",
           million_text(steps, r->evaluation_steps + r->profile_steps));
}

/* ---- several agents ---- */

static void print_comparison(const tune_study *s) {
  const size_t best = tune_best_agent(s);
  if (s->n_agents < 2 || best == s->n_agents) return;
  table t = table_create("lrrr");
  table_row(&t);
  table_cell(&t, 0, "agent, tuned");
  table_cell(&t, 1, "while tuning");
  table_cell(&t, 2, "on fresh seeds");
  table_cell(&t, 3, "to the chosen");
  for (size_t i = 0; i < s->n_agents; ++i) {
    const far_tune_result *r = s->tunes[i] != NULL ? far_tune_result_of(s->tunes[i]) : NULL;
    if (r == NULL || r->score.runs == 0) continue;
    const tune_difference d = tune_compare(s, i, best);
    table_row(&t);
    table_cell(&t, 0, "%s", r->best);
    table_cell(&t, 1, "%s", score_text(s, r, r->tuned, NAN).text);
    table_cell(&t, 2, "%s", score_text(s, r, r->score.mean, r->score.ci95).text);
    table_cell(&t, 3, "%s", i == best ? "chosen" : change_text(s, r, d.mean, d.ci95).text);
  }
  printf("\nCompared on %lld fresh runs, differences in pairs; chosen by the %ss while tuning\n\n",
         (long long)s->def.evaluation, fits(s) ? "distance" : "score");
  table_print(&t, 2);
}

void tune_print_text(const tune_study *s) {
  char reason[320];
  printf("%s in %lld steps, %lld runs a set, seed %llu",
         fits(s) ? "Root-mean-square distance of mean rewards" : "Reward", (long long)s->def.steps,
         (long long)s->def.runs, (unsigned long long)s->def.seed);
  for (size_t i = 0; i < s->n_agents; ++i) {
    if (s->tunes[i] == NULL) continue;
    const far_tune_result *r = far_tune_result_of(s->tunes[i]);
    if (i == 0 && r->normalised) printf("\n0 %%: what the random policy earns; 100 %%: the best");
    if (i == 0 && !fits(s) && !r->normalised)
      printf("\nScores are plain reward: %s", plain_reason(s, reason, sizeof reason));
    if (i == 0 && s->def.goal == FAR_GOAL_FIT_RELATIVE) printf(", per cent of the means");
    printf(i == 0 ? "\n\n" : "\n");
    print_agent(s, r);
  }
  print_comparison(s);
}

/* ---- JSON ---- */

static void write_score(const char *name, const far_tune_score *score) {
  printf(",\"%s\":", name);
  if (score->runs == 0) {
    printf("null");
    return;
  }
  printf("{\"mean\":");
  json_write_real(stdout, score->mean);
  json_add_real(stdout, "ci95", score->ci95);
  json_add_integer(stdout, "runs", (uint64_t)score->runs);
  printf("}");
}

static void write_cells(const tune_study *s, const far_tune_result *r) {
  printf(",\n  \"cells\":[");
  for (size_t i = 0; i < s->cells.count; ++i) {
    printf("%s\n    {\"env\":", i ? "," : "");
    json_write_string(stdout, far_mdp_spec(s->cells.mdps[i]));
    if (s->cells.with[i][0] != '\0') json_add_text(stdout, "with", s->cells.with[i]);
    if (fits(s)) json_add_real(stdout, "target", s->cells.cells[i].target);
    json_add_real(stdout, "mean", r->means != NULL ? r->means[i] : NAN);
    json_add_real(stdout, "ci95", r->means != NULL ? r->ci95s[i] : NAN);
    if (!fits(s)) json_add_real(stdout, "random", s->cells.cells[i].low);
    if (!fits(s)) json_add_real(stdout, "optimum", s->cells.cells[i].high);
    printf("}");
  }
  printf("]");
}

static void write_profiles(const far_tune_result *r) {
  static const char *const verdicts[] = {"surely", "perhaps", "no"};
  json_add_real(stdout, "profile_score", r->profile_score);
  printf(",\n  \"profiles\":[");
  for (size_t i = 0; i < r->n_profiles; ++i) {
    const far_tune_profile *p = &r->profiles[i];
    printf("%s\n    {\"key\":\"%s\"", i ? "," : "", p->key);
    json_add_text(stdout, "value", p->value);
    json_add_text(stdout, "low", p->low);
    json_add_text(stdout, "high", p->high);
    json_add_text(stdout, "low_perhaps", p->low_perhaps);
    json_add_text(stdout, "high_perhaps", p->high_perhaps);
    json_add_real(stdout, "mean_loss", p->mean_loss);
    json_add_real(stdout, "worst_loss", p->worst_loss);
    printf(",\"points\":[");
    for (size_t k = 0; k < p->n_points; ++k) {
      printf("%s\n      {\"value\":", k ? "," : "");
      json_write_string(stdout, p->points[k].value);
      json_add_real(stdout, "loss", p->points[k].loss);
      json_add_real(stdout, "ci95", p->points[k].ci95);
      json_add_text(stdout, "within_1", verdicts[p->points[k].near]);
      printf("}");
    }
    printf("]}");
  }
  printf("]");
}

static void write_trials(const far_tune_result *r) {
  printf(",\n  \"trials\":[");
  for (size_t i = 0; i < r->n_trials; ++i) {
    const far_tune_trial *t = &r->trials[i];
    printf("%s\n    {\"candidate\":%zu", i ? "," : "", t->candidate);
    json_add_text(stdout, "agent", t->agent);
    json_add_integer(stdout, "runs", (uint64_t)t->runs);
    json_add_real(stdout, "score", t->score);
    printf("}");
  }
  printf("]");
}

static void write_agent(const tune_study *s, size_t i) {
  const far_tune_result *r = far_tune_result_of(s->tunes[i]);
  const size_t best = tune_best_agent(s);
  printf("%s\n {\"space\":", i ? "," : "");
  json_write_string(stdout, r->space);
  json_add_text(stdout, "best", r->best);
  json_add_text(stdout, "defaults", r->defaults);
  printf(",\"normalised\":%s", r->normalised ? "true" : "false");
  json_add_integer(stdout, "candidates", (uint64_t)r->candidates);
  printf(",\"complete\":%s", r->complete ? "true" : "false");
  json_add_integer(stdout, "budget", (uint64_t)r->budget);
  json_add_integer(stdout, "spent", (uint64_t)r->spent);
  json_add_integer(stdout, "evaluation_steps", (uint64_t)r->evaluation_steps);
  json_add_integer(stdout, "profile_steps", (uint64_t)r->profile_steps);
  json_add_real(stdout, "tuned", r->tuned);
  json_add_integer(stdout, "tuned_runs", (uint64_t)r->tuned_runs);
  write_score("score", &r->score);
  write_score("default_score", &r->default_score);
  json_add_real(stdout, "gain", r->gain);
  json_add_real(stdout, "gain_ci95", r->gain_ci95);
  json_add_real(stdout, "optimism", r->optimism);
  json_add_real(stdout, "within_1", r->within_1);
  json_add_real(stdout, "within_5", r->within_5);
  if (s->n_agents > 1 && r->score.runs > 0) {
    const tune_difference d = tune_compare(s, i, best);
    printf(",\"chosen\":%s", i == best ? "true" : "false");
    json_add_real(stdout, "to_chosen", d.mean);
    json_add_real(stdout, "to_chosen_ci95", d.ci95);
  }
  write_cells(s, r);
  write_profiles(r);
  write_trials(r);
  printf("}");
}

void tune_print_json(const tune_study *s) {
  char reason[320];
  static const char *const goals[] = {"reward", "fit", "fit-relative"};
  static const char *const stages[] = {"tune", "evaluate", "profile"};
  printf("{\"version\":");
  json_write_string(stdout, far_version());
  printf(",\"numerics\":%d", far_numerics());
  json_add_integer(stdout, "seed", s->def.seed);
  for (size_t i = 0; i < 3; ++i)
    printf("%s\"%s\":\"%llu\"", i ? "," : ",\"seeds\":{", stages[i],
           (unsigned long long)far_tune_seed(s->def.seed, stages[i]));
  printf("}");
  json_add_text(stdout, "method", s->def.method);
  json_add_text(stdout, "goal", goals[s->def.goal]);
  if (!fits(s)) json_add_text(stdout, "plain_because", plain_reason(s, reason, sizeof reason));
  json_add_integer(stdout, "steps", (uint64_t)s->def.steps);
  json_add_integer(stdout, "runs", (uint64_t)s->def.runs);
  printf(",\"agents\":[");
  for (size_t i = 0; i < s->n_agents; ++i)
    if (s->tunes[i] != NULL) write_agent(s, i);
  printf("\n]}\n");
}
