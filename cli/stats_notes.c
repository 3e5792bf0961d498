/* What stands below the tables of farsight stats. */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "stats.h"
#include "wrap.h"

enum { LONGEST = 40 }; /* columns of a name in a table */

/* ---- names ---- */

/* "r-max:m=5", or "r-max… #2" for what is too long. */
static void name(char out[64], const char *label, size_t index, const char *mark) {
  if (text_width(label, strlen(label)) <= LONGEST && strlen(label) < 56)
    snprintf(out, 64, "%s%s", label, mark);
  else
    snprintf(out, 64, "%.*s… #%zu%s", (int)(strcspn(label, ":") < 30 ? strcspn(label, ":") : 24),
             label, index + 1, mark);
}

stats_names stats_names_make(const stats_group *g, const stats_data *data) {
  static const char *const marks[] = {"", " †", " ‡"};
  stats_names out = {room_for(g->n_envs, 64), room_for(g->n_agents, 64)};
  for (size_t e = 0; e < g->n_envs; ++e) name(out.envs[e], data->envs[g->envs[e]].label, e, "");
  for (size_t j = 0; j < g->n_agents; ++j)
    name(out.agents[j], g->agents[j].label, j, marks[g->agents[j].origin]);
  return out;
}

void stats_names_free(stats_names *names) {
  free(names->envs);
  free(names->agents);
}

/* ---- notes on a group ---- */

static bool any_origin(const stats_group *g, stats_origin origin) {
  bool out = false;
  for (size_t j = 0; j < g->n_agents; ++j) out = out || g->agents[j].origin == origin;
  return out;
}

static void note_origins(const stats_group *g) {
  size_t most = 0;
  for (size_t i = 0; i < g->n_envs * g->n_agents; ++i)
    if (g->cells[i].records > most) most = g->cells[i].records;
  if (any_origin(g, ORIGIN_ELSEWHERE)) printf("† made elsewhere.\n");
  if (any_origin(g, ORIGIN_UNTOLD))
    printf("‡ made elsewhere; the steps are not told, and taken to be %lld.\n",
           (long long)g->steps);
  if (most > 1)
    printf("Runs made elsewhere with several seeds (up to %zu) are put together.\n", most);
}

static void note_missing(const stats_group *g, const stats_names *names) {
  for (size_t j = 0; j < g->n_agents && g->n_scales > 1; ++j) {
    size_t missing = 0;
    for (size_t e = 0; e < g->n_envs; ++e) {
      if (g->cells[e * g->n_agents + j].n > 0 || !g->scales[e].used) continue;
      if (missing == 0)
        printf("%s is not on %s", names->agents[j], names->envs[e]);
      else
        printf(", %s", names->envs[e]);
      ++missing;
    }
    if (missing > 0) printf(": no scores over all.\n");
  }
}

static void note_scales(const stats_group *g, const stats_names *names) {
  for (size_t e = 0; e < g->n_envs && g->n_scales > 1; ++e) {
    if (g->scales[e].ends == ENDS_NONE)
      printf("%s has no scores: its runs do not vary, or some are infinite.\n", names->envs[e]);
    else if (!g->scales[e].used)
      printf("%s does not count in the scores: fewer than half of the agents are on it.\n",
             names->envs[e]);
  }
}

/* In lines of their own, wrapped unless it is Markdown. */
static void print_note(const char *text, bool markdown) {
  if (markdown)
    printf("\n%s\n", text);
  else
    print_paragraph(text, 0);
}

/* The comparison that leaves the most runs aside tells of all. */
static void note_partners(const stats_group *g, const stats_names *names, bool markdown) {
  char text[512];
  size_t worst = g->n_envs * g->n_agents;
  int64_t most = 0;
  for (size_t i = 0; i < g->n_envs * g->n_agents; ++i) {
    const stats_comparison *c = &g->comparisons[i];
    const int64_t alone = c->there && c->paired ? c->runs + c->baseline_runs - 2 * c->n : 0;
    worst = alone > most ? i : worst;
    most = alone > most ? alone : most;
  }
  if (most == 0) return;
  const stats_comparison *c = &g->comparisons[worst];
  const int64_t runs = c->runs > c->baseline_runs ? c->runs : c->baseline_runs;
  snprintf(text, sizeof text,
           "%s on %s: %s of %s runs have partners; the others do not count in the difference, nor "
           "in 'same luck'. Likewise wherever pairs are so many of more.",
           names->agents[worst % g->n_agents], names->envs[worst / g->n_agents],
           format_count(c->n).text, format_count(runs).text);
  print_note(text, markdown);
}

static void note_still(const stats_group *g, bool markdown) {
  bool still = false;
  for (size_t i = 0; i < g->n_envs * g->n_agents; ++i)
    still = still || g->comparisons[i].still ||
            (g->cells[i].n > 1 && g->cells[i].finite && g->cells[i].summary.std == 0);
  for (size_t j = 0; j < g->n_agents; ++j) still = still || g->improvements[j].still;
  if (still)
    print_note(
        "No interval, and no p, where the runs do not vary (or the differences of pairs do not, "
        "or nearly all resamples agree): that does not tell how much others would.",
        markdown);
}

static void note_coarse(const stats_group *g, const stats_query *query, bool markdown) {
  char text[512], would[64] = "";
  if (!g->coarse) return;
  const double level = g->level > g->improvement_level ? g->level : g->improvement_level;
  const double enough = ceil((2 * FEWEST_BEYOND + 1e-6) / (1 - level));
  if (enough <= 1000000) snprintf(would, sizeof would, "--resamples %.0f would do, or ", enough);
  snprintf(
      text, sizeof text,
      "%lld resamples are too few for all BCa intervals of differences and improvements at the "
      "level that %zu comparisons need to hold together: %sfewer comparisons (-b, -a, -e).",
      (long long)query->how.resamples,
      g->family > g->improvement_family ? g->family : g->improvement_family, would);
  print_note(text, markdown);
}

static void print_spec(const char *shown, const char *spec, int indent) {
  const bool numbered = strstr(shown, "… #") != NULL;
  printf("%*s%s%s%s\n", indent, "", numbered ? shown : "", numbered ? ": " : "", spec);
}

static void print_specs_of(const stats_group *g, const stats_names *names, const stats_data *data,
                           bool markdown) {
  const int indent = markdown ? 4 : 2;
  printf("%sEvery parameter%s:\n%s", markdown ? "\n" : "",
         g->n_envs > 1 ? " (of agents on the first environment they are on; --json has all)" : "",
         markdown ? "\n" : "");
  for (size_t e = 0; e < g->n_envs; ++e)
    print_spec(names->envs[e], data->envs[g->envs[e]].spec, indent);
  for (size_t j = 0; j < g->n_agents; ++j) {
    size_t e = 0;
    while (g->cells[e * g->n_agents + j].n == 0) ++e;
    print_spec(names->agents[j], g->cells[e * g->n_agents + j].agent, indent);
  }
}

void stats_print_notes(const stats_group *g, const stats_names *names, const stats_data *data,
                       const stats_query *query, bool markdown) {
  note_origins(g);
  note_missing(g, names);
  note_scales(g, names);
  note_partners(g, names, markdown);
  note_still(g, markdown);
  note_coarse(g, query, markdown);
  if (query->baseline != NULL && g->baseline == g->n_agents)
    printf("The baseline '%s' is not in this group.\n", query->baseline);
  print_specs_of(g, names, data, markdown);
}

/* ---- methods ---- */

typedef struct text {
  char bytes[8192];
  size_t used;
} text;

static void say(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(text *t, const char *format, ...) {
  va_list list;
  va_start(list, format);
  const int n = vsnprintf(t->bytes + t->used, sizeof t->bytes - t->used, format, list);
  va_end(list);
  t->used += n > 0 && t->used + (size_t)n < sizeof t->bytes ? (size_t)n : 0;
}

/* What was used in any of the groups. */
typedef struct used {
  bool several, pairs, welch, compared, tested, same_luck, scores, policies, observed;
  size_t family, improvements; /* of the group that has most */
} used;

static used methods_used(const stats_groups *groups) {
  used u = {0};
  for (size_t i = 0; i < groups->count; ++i) {
    const stats_group *g = &groups->list[i];
    for (size_t k = 0; k < g->n_envs * g->n_agents; ++k) {
      u.several = u.several || g->cells[k].n > 1;
      u.compared = u.compared || g->comparisons[k].there;
      u.pairs = u.pairs || (g->comparisons[k].there && g->comparisons[k].paired);
      u.tested =
          u.tested || (g->comparisons[k].there && g->comparisons[k].p == g->comparisons[k].p);
      u.welch = u.welch || (g->comparisons[k].there && !g->comparisons[k].paired);
    }
    for (size_t j = 0; j < g->n_agents; ++j) {
      u.scores = u.scores || g->scores[j].there;
      u.same_luck =
          u.same_luck || (g->improvements[j].n_envs > 0 &&
                          g->improvements[j].pairs.value == g->improvements[j].pairs.value);
    }
    u.family = g->family > u.family ? g->family : u.family;
    if (g->improvement_family > u.improvements) u.improvements = g->improvement_family;
    for (size_t e = 0; e < g->n_envs; ++e) {
      if (!g->scales[e].used) continue;
      u.policies = u.policies || g->scales[e].ends == ENDS_POLICIES;
      u.observed = u.observed || g->scales[e].ends == ENDS_OBSERVED;
    }
  }
  return u;
}

static const char *correction_words(far_correction c) {
  return c == FAR_CORRECTION_HOLM  ? "by Holm (1979)"
         : c == FAR_CORRECTION_FDR ? "for the false discovery rate by Benjamini & Hochberg (1995)"
                                   : "by Bonferroni";
}

/* " 4, 6 comparisons (group by group)" */
static void say_number(text *t, const stats_groups *groups, size_t offset, const char *what) {
  size_t shown = 0, last = 0;
  for (size_t i = 0; i < groups->count; ++i) {
    const size_t n = *(const size_t *)((const char *)&groups->list[i] + offset);
    if (n == 0) continue;
    say(t, "%s %zu", shown++ ? "," : "", n);
    last = n;
  }
  say(t, " %s%s%s", what, shown == 1 && last == 1 ? "" : "s",
      groups->count > 1 ? " (group by group)" : "");
}

static void say_family(text *t, const used *u, const stats_groups *groups,
                       const stats_query *query) {
  const double alpha = 1 - query->how.level;
  say(t, " p-values are two-sided and adjusted %s for", correction_words(query->correction));
  say_number(t, groups, offsetof(stats_group, family), "comparison");
  say(t, ": %s.",
      query->baseline != NULL ? "all with the baseline"
                              : "all pairs of agents, since the baseline is the one that turned "
                                "out best (--baseline names one beforehand), and its own mean is "
                                "optimistic, as the best of several always is");
  if (u->family > 1)
    say(t,
        " Intervals of differences are simultaneous for the same comparisons: each at 1 - %g/%s, "
        "so "
        "that all hold together with %g%% (Bonferroni); where Student's excludes 0, the adjusted p "
        "is below %g (BCa's, too narrow with few runs, may do so without).",
        alpha, groups->count > 1 ? "their number" : format_count((int64_t)u->family).text,
        100 * query->how.level, alpha);
  if (query->correction == FAR_CORRECTION_FDR)
    say(t, " The p-values bound no more than the expected share of false claims among all.");
}

static void say_improvements(text *t, const used *u, const stats_groups *groups,
                             const stats_query *query) {
  say(t, " Probability of improvement: that a run of the agent is better than one of the baseline, "
         "ties by half, in the mean over environments");
  if (u->improvements > 1) {
    say(t, "; brackets are simultaneous for");
    say_number(t, groups, offsetof(stats_group, improvement_family),
               query->baseline != NULL ? "agent" : "pair");
    if (query->baseline == NULL) say(t, " of agents");
  }
  if (u->same_luck)
    say(t, "; those of any two runs resample the two agents apart, although their runs share luck");
  say(t, ".");
}

static void say_comparisons(text *t, const used *u, const stats_groups *groups,
                            const stats_query *query) {
  if (u->pairs)
    say(t, " Differences are of runs paired by replicate, which met the same luck (common random "
           "numbers), with the paired t-test; won is the share of pairs in which the agent did "
           "better, and saving how many times as many independent runs would tell as much.");
  if (u->welch)
    say(t, " Differences%s are of independent runs, with Welch's t-test.",
        u->pairs ? " without pairs" : "");
  if (u->tested) say_family(t, u, groups, query);
  say_improvements(t, u, groups, query);
}

static void say_scores(text *t, const used *u) {
  if (u->policies)
    say(t,
        " Scores are 0 for the random policy and 1 for the best policy (exact average reward "
        "times the steps)%s",
        u->observed ? "; where these are not known," : "");
  else
    say(t, " Scores are");
  if (u->observed)
    say(t, " 0 for the worst and 1 for the best run seen: ends that are taken from the runs "
           "themselves, held fixed in the intervals, and change with the agents");
  say(t, ". Aggregates and profiles as in Agarwal et al. (2021): the IQM of all scores, mean and "
         "median of the environments' means, the mean of max(0, 1 - score); every environment "
         "weighs the same.");
}

/* What is taken for granted. */
static void say_assumptions(text *t, const used *u) {
  say(t,
      " Numbers of runs are taken as fixed beforehand (after --until the intervals are those that "
      "run prints, not these)");
  if (u->scores || u->compared) say(t, ", environments as given");
  say(t, "; Student's intervals and tests assume that means of so many runs are nearly normal.");
}

void stats_print_methods(const stats_groups *groups, const stats_data *data,
                         const stats_query *query, bool markdown) {
  const used u = methods_used(groups);
  text t = {{0}, 0};
  say(&t, "Methods: ");
  if (data->without > 0) {
    printf("%s%zu %s no series '%s'.\n", markdown ? "\n" : "", data->without,
           data->without == 1 ? "cell has" : "cells have", query->series);
  }
  if (!u.several) say(&t, "single runs, which tell nothing of their spread.");
  if (u.several)
    say(&t,
        "mean with Student's %g%% interval; BCa: the bias-corrected and accelerated bootstrap "
        "interval (Efron 1987) of the same level, %lld resamples, seed %llu; IQM: the mean of the "
        "middle half of the runs. These intervals hold each for itself.",
        100 * query->how.level, (long long)query->how.resamples,
        (unsigned long long)query->how.seed);
  if (u.compared) say_comparisons(&t, &u, groups, query);
  if (u.scores) say_scores(&t, &u);
  if (u.scores || u.compared)
    say(&t, " Brackets over environments are BCa, resampled within environments.");
  if (u.several) say_assumptions(&t, &u);
  say(&t, " Farsight %s.", far_version());
  printf("\n");
  if (markdown)
    printf("%s\n", t.bytes);
  else
    print_paragraph(t.bytes, 0);
}
