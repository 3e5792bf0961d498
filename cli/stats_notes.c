/* What stands below the tables of farsight stats. */
#include <stdarg.h>
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
  stats_names out = {stats_room(g->n_envs, 64), stats_room(g->n_agents, 64)};
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
  if (query->baseline != NULL && g->baseline == g->n_agents)
    printf("The baseline '%s' is not in this group.\n", query->baseline);
  print_specs_of(g, names, data, markdown);
}

/* ---- methods ---- */

typedef struct text {
  char bytes[4096];
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
  bool several, pairs, welch, compared, scores, policies, observed;
  size_t family;
} used;

static used methods_used(const stats_groups *groups) {
  used u = {0};
  for (size_t i = 0; i < groups->count; ++i) {
    const stats_group *g = &groups->list[i];
    for (size_t k = 0; k < g->n_envs * g->n_agents; ++k) {
      u.several = u.several || g->cells[k].n > 1;
      u.compared = u.compared || g->comparisons[k].there;
      u.pairs = u.pairs || (g->comparisons[k].there && g->comparisons[k].paired);
      u.welch = u.welch || (g->comparisons[k].there && !g->comparisons[k].paired);
    }
    for (size_t j = 0; j < g->n_agents; ++j) u.scores = u.scores || g->scores[j].there;
    u.family += g->family;
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

static void say_family(text *t, const stats_groups *groups, const stats_query *query) {
  say(t, " p-values are two-sided and adjusted %s for", correction_words(query->correction));
  for (size_t i = 0, shown = 0; i < groups->count; ++i)
    if (groups->list[i].family > 0) say(t, "%s %zu", shown++ ? "," : "", groups->list[i].family);
  say(t, " comparisons%s: %s.", groups->count > 1 ? " (group by group)" : "",
      query->baseline != NULL ? "all with the baseline"
                              : "all pairs of agents, since the baseline is the one that turned "
                                "out best (--baseline names one beforehand)");
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
  if (u->family > 0) say_family(t, groups, query);
  say(t, " Probability of improvement: that a run of the agent is better than one of the "
         "baseline, ties by half, in the mean over environments.");
}

static void say_scores(text *t, const used *u) {
  if (u->policies)
    say(t,
        " Scores are 0 for the random policy and 1 for the best policy (exact average reward "
        "times the steps)%s",
        u->observed ? "; where these are not known," : "");
  else
    say(t, " Scores are");
  if (u->observed) say(t, " 0 for the worst and 1 for the best run seen");
  say(t, ". Aggregates and profiles as in Agarwal et al. (2021): the IQM of all scores, mean and "
         "median of the environments' means, the mean of max(0, 1 - score).");
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
        "middle half of the runs. Intervals hold each for itself.",
        100 * query->how.level, (long long)query->how.resamples,
        (unsigned long long)query->how.seed);
  if (u.compared) say_comparisons(&t, &u, groups, query);
  if (u.scores) say_scores(&t, &u);
  if (u.scores || u.compared)
    say(&t, " Brackets over environments are BCa, resampled within environments.");
  say(&t, " Farsight %s.", far_version());
  printf("\n");
  if (markdown)
    printf("%s\n", t.bytes);
  else
    print_paragraph(t.bytes, 0);
}
