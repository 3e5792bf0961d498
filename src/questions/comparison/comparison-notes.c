/* Notes, specs and methods below the tables of a comparison. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/spec.h"
#include "questions/comparison/comparison.h"
#include "questions/comparison/times.h"
#include "report/build.h"

/* ---- notes on a group ---- */

static bool any_origin(const far_comparison_group *g, far_origin origin) {
  bool out = false;
  for (size_t j = 0; j < g->n_agents; ++j) out = out || g->agents[j].origin == origin;
  return out;
}

static void note_origins(far_report *r, const far_comparison_group *g) {
  size_t most = 0;
  for (size_t i = 0; i < g->n_envs * g->n_agents; ++i)
    if (g->cells[i].records > most) most = g->cells[i].records;
  if (any_origin(g, FAR_ORIGIN_IMPORTED)) far__report_note(r, FAR__NOTE_REMARK, "† imported.");
  if (any_origin(g, FAR_ORIGIN_UNKNOWN_STEPS))
    far__report_note(r, FAR__NOTE_CAVEAT,
                     "‡ imported; the number of steps is unknown, and taken to be %lld.",
                     (long long)g->steps);
  if (most > 1)
    far__report_note(r, FAR__NOTE_REMARK,
                     "Imported runs of one agent with several seeds (up to %zu) are put together.",
                     most);
}

static void note_models(far_report *r, const far_comparison_group *g) {
  for (size_t e = 0; e < g->n_envs; ++e)
    if (g->envs[e].unusable != NULL)
      far__report_note(r, FAR__NOTE_CAVEAT, "The model of %s is not used: %s.",
                       far__shown_env(g, e).text, g->envs[e].unusable);
}

/* "riverswim, loop and 3 others", of the environments with a scale that agent j is not on. */
static size_t missing_envs(far__names *names, const far_comparison_group *g, size_t j) {
  size_t missing = 0;
  for (size_t e = 0; e < g->n_envs; ++e) {
    if (far__cell_of(g, e, j)->runs > 0 || !g->envs[e].scale.used) continue;
    far__names_add(names, far__shown_env(g, e).text);
    ++missing;
  }
  return missing;
}

static void note_missing(far_report *r, const far_comparison_group *g) {
  for (size_t j = 0; j < g->n_agents && g->n_scales > 1; ++j) {
    far__names names = {0};
    if (missing_envs(&names, g, j) > 0)
      far__report_note(r, FAR__NOTE_CAVEAT, "%s is not on %s: no scores over all environments.",
                       far__shown_agent(g, j).text, names.text);
  }
}

static void note_scales(far_report *r, const far_comparison_group *g) {
  for (size_t e = 0; e < g->n_envs && g->n_scales > 1; ++e) {
    const far_comparison_scale *scale = &g->envs[e].scale;
    if (scale->kind == FAR_SCALE_NONE)
      far__report_note(r, FAR__NOTE_CAVEAT,
                       "%s has no scores: its runs do not vary, or some are infinite.",
                       far__shown_env(g, e).text);
    else if (!scale->used)
      far__report_note(
          r, FAR__NOTE_CAVEAT,
          "%s does not count in the scores: fewer than half of the agents have runs on it.",
          far__shown_env(g, e).text);
  }
}

/* One note for all: on the comparison with the most runs without a partner. */
static void note_partners(far_report *r, const far_comparison_group *g) {
  size_t worst = 0;
  int64_t most = 0;
  for (size_t i = 0; i < g->n_envs * g->n_agents; ++i) {
    const far_comparison_difference *d = &g->cells[i].difference;
    const int64_t alone = d->exists && d->paired ? d->runs + d->baseline_runs - 2 * d->pairs : 0;
    worst = alone > most ? i : worst;
    most = alone > most ? alone : most;
  }
  if (most == 0) return;
  const far_comparison_difference *d = &g->cells[worst].difference;
  far__report_note(
      r, FAR__NOTE_CAVEAT,
      "%s on %s: %lld of %lld runs have partners; the others do not count in the "
      "difference, nor in 'paired runs'. The same holds wherever the table shows fewer "
      "pairs than runs.",
      far__shown_agent(g, worst % g->n_agents).text, far__shown_env(g, worst / g->n_agents).text,
      (long long)d->pairs, (long long)(d->runs > d->baseline_runs ? d->runs : d->baseline_runs));
}

static bool any_constant(const far_comparison_group *g) {
  bool out = false;
  for (size_t i = 0; i < g->n_envs * g->n_agents; ++i) {
    const far_comparison_cell *cell = &g->cells[i];
    out = out || cell->difference.constant ||
          (cell->runs > 1 && cell->finite && cell->summary.std == 0);
  }
  for (size_t j = 0; j < g->n_agents; ++j) out = out || g->agents[j].improvement.constant;
  return out;
}

static void note_constant(far_report *r, const far_comparison_group *g) {
  if (any_constant(g))
    far__report_note(
        r, FAR__NOTE_CAVEAT,
        "There is no interval, and no p, where the runs do not vary (or the differences of pairs "
        "do "
        "not, or nearly all resamples agree): that does not show how much other runs would vary.");
}

static void note_resamples(far_report *r, const far_comparison *comparison,
                           const far_comparison_group *g) {
  char would[64] = "";
  if (!g->few_resamples) return;
  const double level =
      g->difference_level > g->improvement_level ? g->difference_level : g->improvement_level;
  const double enough = ceil((2 * FAR__FEWEST_BEYOND + 1e-6) / (1 - level));
  if (enough <= 1000000) snprintf(would, sizeof would, "%.0f resamples would do, or ", enough);
  far__report_note(
      r, FAR__NOTE_CAVEAT,
      "%lld resamples are too few for all BCa intervals of differences and improvements at the "
      "level that %zu comparisons need to hold together: %sfewer comparisons (name the baseline, "
      "the agents or the environments).",
      (long long)comparison->bootstrap.resamples,
      g->n_differences > g->n_improvements ? g->n_differences : g->n_improvements, would);
}

/* Behind what it is called, where that does not say itself what it is. */
static void report_spec(far_report *r, const char *shown, const char *label, const char *spec) {
  if (strncmp(shown, label, strlen(label)) == 0 && far__spec_same_type(label, spec))
    far__report_item(r, "%s", spec);
  else
    far__report_item(r, "%s = %s", shown, spec);
}

void far__report_specs(far_report *r, const far_comparison_group *g) {
  far__report_list(r, "Every parameter%s:",
                   g->n_envs > 1 ? " (of agents on the first of their environments; JSON has all)"
                                 : "");
  for (size_t e = 0; e < g->n_envs; ++e)
    report_spec(r, far__shown_env(g, e).text, g->envs[e].label, g->envs[e].spec);
  for (size_t j = 0; j < g->n_agents; ++j)
    report_spec(r, far__shown_agent(g, j).text, g->agents[j].label, far__agent_spec(g, j));
}

/* Nothing can be known of censoring where the steps are not. */
static void note_censored(far_report *r, const far_comparison *comparison,
                          const far_comparison_group *g) {
  if (comparison->event == NULL) return;
  if (g->timed)
    far__note_times(r);
  else
    far__report_note(r, FAR__NOTE_CAVEAT,
                     "The number of steps is unknown, so runs that had not %s by their end are "
                     "taken as if they had.",
                     comparison->event);
}

void far__comparison_report_notes(const far_comparison *comparison, size_t group, far_report *r) {
  const far_comparison_group *g = &comparison->groups[group];
  note_origins(r, g);
  note_censored(r, comparison, g);
  far__note_promise(r, comparison->series);
  note_models(r, g);
  note_missing(r, g);
  note_scales(r, g);
  note_partners(r, g);
  note_constant(r, g);
  note_resamples(r, comparison, g);
  if (comparison->baseline != NULL && g->baseline == g->n_agents)
    far__report_note(r, FAR__NOTE_CAVEAT, "The baseline '%s' is not in this group.",
                     comparison->baseline);
}

/* ---- methods ---- */

typedef struct text {
  char bytes[8192];
  size_t used;
} text;

static void say(text *t, const char *format, ...) FAR__PRINTF(2, 3);

static void say(text *t, const char *format, ...) {
  va_list list;
  va_start(list, format);
  const int n = vsnprintf(t->bytes + t->used, sizeof t->bytes - t->used, format, list);
  va_end(list);
  t->used += n > 0 && t->used + (size_t)n < sizeof t->bytes ? (size_t)n : 0;
}

/* What was used in any of the groups. */
typedef struct used {
  bool several, pairs, welch, compared, tested, scores, policies, observed;
  bool
      apart; /* an agent's replicates are not the same on all environments, or not the baseline's */
  size_t differences, improvements; /* of the group that has most */
} used;

static void note_group(used *u, const far_comparison_group *g) {
  for (size_t i = 0; i < g->n_envs * g->n_agents; ++i) {
    const far_comparison_difference *d = &g->cells[i].difference;
    u->several = u->several || g->cells[i].runs > 1;
    u->compared = u->compared || d->exists;
    u->pairs = u->pairs || (d->exists && d->paired);
    u->tested = u->tested || (d->exists && d->p == d->p);
    u->welch = u->welch || (d->exists && !d->paired);
  }
  for (size_t j = 0; j < g->n_agents; ++j) {
    u->scores = u->scores || g->agents[j].scores.exists;
    u->apart = u->apart || !far__same_replicates(g, j, g->baseline < g->n_agents ? g->baseline : j);
  }
  for (size_t e = 0; e < g->n_envs; ++e) {
    const far_comparison_scale *scale = &g->envs[e].scale;
    u->policies = u->policies || (scale->used && scale->kind == FAR_SCALE_POLICIES);
    u->observed = u->observed || (scale->used && scale->kind == FAR_SCALE_OBSERVED);
  }
  if (g->n_differences > u->differences) u->differences = g->n_differences;
  if (g->n_improvements > u->improvements) u->improvements = g->n_improvements;
}

static size_t differences_in(const far_comparison_group *g) {
  return g->n_differences;
}

static size_t improvements_in(const far_comparison_group *g) {
  return g->n_improvements;
}

/* " 4, 6 comparisons (group by group)" */
static void say_number(text *t, const far_comparison *comparison,
                       size_t (*number)(const far_comparison_group *), const char *what) {
  size_t shown = 0, last = 0;
  for (size_t i = 0; i < comparison->n_groups; ++i) {
    const size_t n = number(&comparison->groups[i]);
    if (n == 0) continue;
    say(t, "%s %zu", shown++ ? "," : "", n);
    last = n;
  }
  say(t, " %s%s%s", what, shown == 1 && last == 1 ? "" : "s",
      comparison->n_groups > 1 ? " (group by group)" : "");
}

static void say_simultaneous(text *t, const used *u, const far_comparison *comparison) {
  const double alpha = 1 - comparison->bootstrap.level;
  char number[32] = "their number";
  if (comparison->n_groups == 1) snprintf(number, sizeof number, "%zu", u->differences);
  say(t,
      " Intervals of differences are simultaneous for the same comparisons: each at 1 - %g/%s, so "
      "that all hold together with %g%% (Bonferroni); where Student's excludes 0, the adjusted p "
      "is "
      "below %g (BCa's, too narrow with few runs, may do so without).",
      alpha, number, 100 * comparison->bootstrap.level, alpha);
}

static void say_p_values(text *t, const used *u, const far_comparison *comparison) {
  say(t, " p-values are two-sided and adjusted %s for",
      comparison->correction == FAR_CORRECTION_HOLM ? "by Holm (1979)"
      : comparison->correction == FAR_CORRECTION_FDR
          ? "for the false discovery rate by Benjamini & Hochberg (1995)"
          : "by Bonferroni");
  say_number(t, comparison, differences_in, "comparison");
  say(t, ": %s.",
      comparison->baseline != NULL
          ? "all with the baseline"
          : "all pairs of agents, since the baseline is the one that turned out best (unless it is "
            "named beforehand), and its own mean is optimistic, as the best of several always is");
  if (u->differences > 1) say_simultaneous(t, u, comparison);
  if (comparison->correction == FAR_CORRECTION_FDR)
    say(t, " The p-values bound no more than the expected share of false claims among all.");
}

static void say_comparisons(text *t, const used *u, const far_comparison *comparison) {
  if (u->pairs)
    say(t,
        " Differences are of runs paired by replicate (common random numbers), with the "
        "paired t-test; won is the share of pairs in which the "
        "agent did better; reduction is the variance reduction by pairing: how many times as many "
        "independent runs would give as narrow an interval.");
  if (u->welch)
    say(t, " Differences%s are of independent runs, with Welch's t-test.",
        u->pairs ? " without pairs" : "");
  if (u->tested) say_p_values(t, u, comparison);
  say(t, " Probability of improvement: that a run of the agent is better than one of the baseline, "
         "ties by half, in the mean over environments");
  if (u->improvements > 1) {
    say(t, "; brackets are simultaneous for");
    say_number(t, comparison, improvements_in, comparison->baseline != NULL ? "agent" : "pair");
    if (comparison->baseline == NULL) say(t, " of agents");
  }
  say(t, ".");
}

static void say_scores(text *t, const used *u) {
  if (u->policies)
    say(t,
        " Scores are 0 for the random policy and 1 for the best policy (exact average reward "
        "times the steps)%s",
        u->observed ? "; where these are unknown," : "");
  else
    say(t, " Scores are");
  if (u->observed)
    say(t, " 0 for the worst and 1 for the best observed run: ends that are taken from the runs "
           "themselves, held fixed in the intervals, and change with the agents");
  say(t, ". Aggregates and profiles as in Agarwal et al. (2021): the IQM of all scores, mean and "
         "median of the environments' means, the mean of max(0, 1 - score); every environment "
         "weighs the same.");
}

/* The assumptions of intervals and tests. */
static void say_assumptions(text *t, const used *u) {
  say(t, " Numbers of runs are taken as fixed beforehand (where runs were added until an interval "
         "was narrow enough, the intervals of that rule hold, not these)");
  if (u->scores || u->compared) say(t, ", environments as given");
  say(t, "; Student's intervals and tests assume that means of so many runs are nearly normal.");
}

static void say_times(text *t, const char *event) {
  say(t,
      " A run that had not %s by its end is censored. Medians of times count it as longer than "
      "every known time (with runs of one length this is the median of Kaplan & Meier 1958); "
      "their 95%% intervals are of order statistics. Means are restricted means up to the end of "
      "the run: of the lesser of the time and the steps. So are their differences and tests, "
      "which hold for these steps only. Of two censored runs neither is better.",
      event);
}

void far__comparison_report_methods(const far_comparison *comparison, far_report *r) {
  const far_bootstrap_def *how = &comparison->bootstrap;
  used u = {0};
  text t = {{0}, 0};
  for (size_t i = 0; i < comparison->n_groups; ++i) note_group(&u, &comparison->groups[i]);
  if (comparison->n_without > 0)
    far__report_note(r, FAR__NOTE_CAVEAT, "%zu %s no series '%s'.", comparison->n_without,
                     comparison->n_without == 1 ? "cell has" : "cells have", comparison->series);
  if (!u.several) say(&t, "single runs, which show nothing of their spread.");
  if (u.several)
    say(&t,
        "mean with Student's %g%% interval; BCa: the bias-corrected and accelerated bootstrap "
        "interval (Efron 1987) of the same level, %lld resamples, seed %llu; IQM: the mean of the "
        "middle half of the runs. Each of these intervals holds by itself.",
        100 * how->level, (long long)how->resamples, (unsigned long long)how->seed);
  if (comparison->event != NULL) say_times(&t, comparison->event);
  if (u.compared) say_comparisons(&t, &u, comparison);
  if (u.scores) say_scores(&t, &u);
  if (u.scores || u.compared)
    say(&t, " Brackets over environments are BCa; %s.",
        u.apart ? "runs are resampled within environments, unless all agents have the same "
                  "replicates on all"
                : "the runs of a replicate, which share random numbers, are resampled together");
  if (u.several) say_assumptions(&t, &u);
  say(&t, " Farsight %s.", far_version());
  far__report_methods(r, "%s", t.bytes);
}
