/* The verdict: what was compared, what won, how sure that is, and what limits it. An agent is called best only
 * where far__findings says so; all else is said to be undecided, or not to be testable. */
#include <math.h>
#include <string.h>

#include "questions/comparison/findings.h"
#include "questions/page/page.h"
#include "report/build.h"

enum { MOST_ENVS = 12, MOST_RIVALS = 4 };

static const char *name_of(const far_comparison_group *g, size_t j) {
  return g->agents[j].brief;
}

/* Ends a text that a report takes; without memory the page fails. */
static void give(far__page *page, const char *term, far__text *text) {
  if (text->failed && page->status == FAR_OK) page->status = FAR_STATUS_MEMORY;
  if (!text->failed) far__report_verdict(page->report, term, "%s", text->bytes);
  far_buffer_free(text);
}

/* ---- one environment ---- */

/* The most runs of two cells is one: there is nothing to test. */
static bool single_runs(const far_comparison_group *g, size_t e) {
  bool out = true;
  for (size_t j = 0; j < g->n_agents; ++j) out = out && far__cell_of(g, e, j)->runs < 2;
  return out;
}

static const char *best_word(const far_comparison *c) {
  return c->lower ? "lowest" : "highest";
}

/* "psrl wins with 178 ± 4. Next is r-max with 160 ± 5: difference 18 ± 6, p = 0.0003." */
static void say_best(far__text *out, const far_comparison_group *g, const far__finding *f,
                     size_t e) {
  far__text_format(out, "%s is best with %s.", far__say_name(name_of(g, f->leader)).text,
                   far__say_mean(far__cell_of(g, e, f->leader)).text);
  far__text_format(out, " Next is %s with %s", far__say_name(name_of(g, f->next)).text,
                   far__say_mean(far__cell_of(g, e, f->next)).text);
  far__text_format(out, ": difference %s, %s.", far__say_difference(f->lead, f->low, f->high).text,
                   far__say_p(f->lead_p).text);
}

static bool all_same(const far__finding_rival *rivals, size_t n) {
  bool out = n > 0;
  for (size_t i = 0; i < n; ++i) out = out && rivals[i].same;
  return out;
}

/* Why some rivals have no test. */
static void say_untested(far__text *out, const far__finding *f) {
  if (f->n_untested == 0 || all_same(f->rivals, f->n_rivals)) return;
  far__text_format(out, " %s could be tested: %s.",
                   f->n_untested == f->n_rivals ? "None of these differences"
                                                : "Not all of these differences",
                   "the runs are too few, do not vary, or are infinite");
}

/* " has the highest mean, 10 ± 1, but cannot be told apart from "; others may have the very same mean. */
static void say_lead(far__text *out, const far_comparison *c, const far_comparison_group *g,
                     const far__finding *f, size_t e) {
  const far_comparison_cell *own = far__cell_of(g, e, f->leader);
  bool shared = false;
  for (size_t i = 0; i < f->n_rivals; ++i)
    shared = shared || far__cell_of(g, e, f->rivals[i].agent)->summary.mean == own->summary.mean;
  far__text_format(out, " %s the %s %s, %s, ", shared ? "shares" : "has", best_word(c),
                   far__mean_word(c), far__say_mean(own).text);
  far__text_format(out, "%s cannot be told apart from ", shared ? "and" : "but");
}

static void say_tied(far__text *out, const far_comparison *c, const far_comparison_group *g,
                     const far__finding *f, size_t e) {
  const bool same = all_same(f->rivals, f->n_rivals);
  far__text_format(out, "%s: %s", same ? "Shared" : "Undecided",
                   far__say_name(name_of(g, f->leader)).text);
  if (same) {
    far__text_format(out, ", %s, has the same results as ",
                     far__say_mean(far__cell_of(g, e, f->leader)).text);
    far__say_rivals(out, g, f->rivals, f->n_rivals, MOST_RIVALS);
  } else {
    say_lead(out, c, g, f, e);
    /* "beb (1430 ± 34, p = 1.00), psrl and 3 others" */
    const far__finding_rival *first = &f->rivals[0];
    far__text_format(out, "%s (%s", far__say_name(name_of(g, first->agent)).text,
                     far__say_mean(far__cell_of(g, e, first->agent)).text);
    if (first->tested) far__text_format(out, ", %s", far__say_p(first->p_adjusted).text);
    far__text_format(out, ")%s", f->n_rivals == 1 ? "" : f->n_rivals == 2 ? " and " : ", ");
    far__say_rivals(out, g, f->rivals + 1, f->n_rivals - 1, MOST_RIVALS - 1);
  }
  far__text_format(out, ".");
  say_untested(out, f);
}

static void say_single(far__text *out, const far_comparison *c, const far_comparison_group *g,
                       const far__finding *f, size_t e) {
  far__text_format(out,
                   "One run each: nothing can be said about which agent is better. %s has the "
                   "%s number, %s.",
                   far__say_name(name_of(g, f->leader)).text, best_word(c),
                   far__say_mean(far__cell_of(g, e, f->leader)).text);
}

void far__page_sentence(far__page *page, size_t group, size_t e, far__text *out) {
  const far_comparison_group *g = far__page_group(page, group);
  const far__finding *f = &page->findings[group]->envs[e];
  if (f->kind == FAR__FINDING_NOTHING)
    far__text_format(out, "There are no numbers to compare.");
  else if (f->kind == FAR__FINDING_ALONE)
    far__text_format(out, "%s alone: %s (%s).", far__say_name(name_of(g, f->leader)).text,
                     far__say_mean(far__cell_of(g, e, f->leader)).text,
                     far__say_number((size_t)far__cell_of(g, e, f->leader)->runs, "run").text);
  else if (f->kind == FAR__FINDING_BEST)
    say_best(out, g, f, e);
  else if (single_runs(g, e))
    say_single(out, page->comparison, g, f, e);
  else
    say_tied(out, page->comparison, g, f, e);
}

/* ---- the first sentence ---- */

static void head_alone(far__text *out, const far_comparison *c, const far_comparison_group *g,
                       const far__finding *f) {
  const far_comparison_cell *cell = far__cell_of(g, 0, f->leader);
  far__text_format(out, "%s has a%s%s ", far__say_name(name_of(g, f->leader)).text,
                   cell->runs > 1 ? " " : "", cell->runs > 1 ? far__mean_word(c) : "");
  far__text_format(out, "%s of %s on ", far__say_series(c->series).text, far__say_mean(cell).text);
  far__text_format(out, "%s", far__say_name(g->envs[0].brief).text);
  if (cell->runs > 1 && cell->summary.low == cell->summary.low)
    far__text_format(out, " (%g%% interval, %s runs)", 100 * c->bootstrap.level,
                     far__say_count(cell->runs).text);
  else
    far__text_format(out, " (%s)", far__say_number((size_t)cell->runs, "run").text);
  far__text_format(out, ". There is nothing to compare it with.");
}

static void head_best(far__text *out, const far_comparison *c, const far_comparison_group *g,
                      const far__finding *f) {
  const char *leader = name_of(g, f->leader);
  if (f->n_compared == 2) {
    far__text_format(out, "%s is better than ", far__say_name(leader).text);
    far__text_format(out, "%s on ", far__say_name(name_of(g, f->next)).text);
    far__text_format(out, "%s: ", far__say_name(g->envs[0].brief).text);
    far__text_format(out, "a %s %s of %s against %s (%s).", far__mean_word(c),
                     far__say_series(c->series).text,
                     far__say_mean(far__cell_of(g, 0, f->leader)).text,
                     far__say_mean(far__cell_of(g, 0, f->next)).text, far__say_p(f->p).text);
    return;
  }
  far__text_format(out, "%s is best on ", far__say_name(leader).text);
  far__text_format(out, "%s: ", far__say_name(g->envs[0].brief).text);
  far__text_format(out, "its %s %s of %s is better than that of each of the other %zu agents ",
                   far__mean_word(c), far__say_series(c->series).text,
                   far__say_mean(far__cell_of(g, 0, f->leader)).text, f->n_compared - 1);
  far__text_format(out, "(%s%s).", far__say_p(f->p).text, f->p < 0.0001 ? " for each" : " at most");
}

static void head_tied(far__text *out, const far_comparison *c, const far_comparison_group *g,
                      const far__finding *f) {
  if (single_runs(g, 0)) {
    say_single(out, c, g, f, 0);
    return;
  }
  if (all_same(f->rivals, f->n_rivals)) {
    far__text_format(out, "No single winner on %s: ", far__say_name(g->envs[0].brief).text);
    far__text_format(out, "%s has the same results as ", far__say_name(name_of(g, f->leader)).text);
  } else {
    far__text_format(out, "No winner on %s: ", far__say_name(g->envs[0].brief).text);
    far__text_format(out, "%s", far__say_name(name_of(g, f->leader)).text);
    say_lead(out, c, g, f, 0);
  }
  far__say_rivals(out, g, f->rivals, f->n_rivals, MOST_RIVALS);
  far__text_format(out, ".");
  say_untested(out, f);
}

static void head_one(far__text *out, const far_comparison *c, const far_comparison_group *g,
                     const far__finding *f) {
  if (f->kind == FAR__FINDING_NOTHING)
    far__text_format(out, "There are no numbers to compare on %s.",
                     far__say_name(g->envs[0].brief).text);
  else if (f->kind == FAR__FINDING_ALONE)
    head_alone(out, c, g, f);
  else if (f->kind == FAR__FINDING_BEST)
    head_best(out, c, g, f);
  else
    head_tied(out, c, g, f);
}

/* ---- several environments ---- */

/* The scores may put another agent first than the tests do: then there is no one answer. */
static size_t other_by_score(const far__finding_overall *o, size_t none) {
  if (o->by_iqm != none && o->by_iqm != o->leader) return o->by_iqm;
  return o->by_mean != none && o->by_mean != o->leader ? o->by_mean : none;
}

static void head_best_overall(far__text *out, const far_comparison_group *g,
                              const far__findings *found) {
  const far__finding_overall *o = &found->overall;
  const size_t other = other_by_score(o, g->n_agents);
  const char *most = o->p < 0.0001 ? "" : " at most";
  size_t contestants = 0;
  for (size_t j = 0; j < g->n_agents; ++j) contestants += !found->reference[j];
  const char *others = o->n_compared < contestants ? "every other agent with runs on all of them"
                       : contestants == 2          ? "the other agent"
                                                   : "every other agent";
  if (other < g->n_agents) {
    far__text_format(
        out, "Which agent is best over all %zu environments depends on the measure: ", g->n_envs);
    far__text_format(out, "%s has the better run most often ",
                     far__say_name(name_of(g, o->leader)).text);
    far__text_format(out, "(probability at least %.2f against %s, %s%s), but ",
                     floor(100 * o->better) / 100, others, far__say_p(o->p).text, most);
    const bool iqm = other == o->by_iqm;
    const far_aggregate *a = &g->agents[other].scores.aggregate;
    const far_aggregate *b = &g->agents[o->leader].scores.aggregate;
    far__text_format(out, "%s has the highest %s of scores, ",
                     far__say_name(name_of(g, other)).text, iqm ? "interquartile mean" : "mean");
    far__text_format(out, "%.2f", iqm ? a->iqm.value : a->mean.value);
    if (g->agents[o->leader].scores.exists)
      far__text_format(out, " against %.2f", iqm ? b->iqm.value : b->mean.value);
    far__text_format(out, ".");
    return;
  }
  far__text_format(out, "%s is best over all %zu environments together: ",
                   far__say_name(name_of(g, o->leader)).text, g->n_envs);
  far__text_format(out,
                   "in the mean over them, its runs are better than those of %s "
                   "with a probability of at least %.2f (%s%s)",
                   others, floor(100 * o->better) / 100, far__say_p(o->p).text, most);
  if (o->by_iqm < g->n_agents) far__text_format(out, ", and its scores are the highest");
  far__text_format(out, ".");
}

static void head_tied_overall(far__text *out, const far_comparison_group *g,
                              const far__findings *found) {
  const far__finding_overall *o = &found->overall;
  if (all_same(o->rivals, o->n_rivals)) {
    far__text_format(out, "No single winner over all %zu environments: ", g->n_envs);
    far__text_format(out, "%s has the same results as ", far__say_name(name_of(g, o->leader)).text);
  } else {
    far__text_format(out, "No winner over all %zu environments: ", g->n_envs);
    far__text_format(out, "%s %scannot be told apart from ",
                     far__say_name(name_of(g, o->leader)).text,
                     o->better > 0.5 ? "has the better runs most often, but " : "");
  }
  far__say_rivals(out, g, o->rivals, o->n_rivals, MOST_RIVALS);
  far__text_format(out, ".");
}

/* "Environment by environment, r-max is best on 2 and psrl on 1; 1 is undecided." */
static void say_tally(far__text *out, const far_comparison_group *g, const far__findings *found) {
  size_t decided = 0, shown = 0, counted = 0;
  for (size_t e = 0; e < found->n_envs; ++e) decided += found->envs[e].kind == FAR__FINDING_BEST;
  if (decided == 0) {
    far__text_format(out, "On no single environment is the best agent decided.");
    return;
  }
  far__text_format(out, "Environment by environment, ");
  for (size_t most = found->n_envs; most > 0 && shown < MOST_RIVALS; --most)
    for (size_t k = 0; k < g->n_agents && shown < MOST_RIVALS; ++k) {
      const size_t j = found->order[k];
      if (found->won[j] != most) continue;
      counted += most;
      far__text_format(out, "%s%s%s on %zu",
                       shown == 0           ? ""
                       : counted == decided ? " and "
                                            : ", ",
                       far__say_name(name_of(g, j)).text, shown == 0 ? " is best" : "", most);
      ++shown;
    }
  if (counted < decided) far__text_format(out, " and others on %zu", decided - counted);
  if (found->n_envs > decided)
    far__text_format(out, "; %zu %s undecided", found->n_envs - decided,
                     found->n_envs - decided == 1 ? "is" : "are");
  far__text_format(out, ".");
}

static void head_many(far__text *out, const far_comparison_group *g, const far__findings *found) {
  const far__finding_overall *o = &found->overall;
  if (o->kind == FAR__FINDING_ALONE && g->n_agents == 1) {
    far__text_format(out, "%s on %zu environments: there is no other agent to compare it with.",
                     far__say_name(name_of(g, o->leader)).text, g->n_envs);
    return;
  }
  if (o->kind == FAR__FINDING_BEST)
    head_best_overall(out, g, found);
  else if (o->kind == FAR__FINDING_TIED)
    head_tied_overall(out, g, found);
  else
    far__text_format(out,
                     "Nothing can be said over all %zu environments: %s has runs on all of "
                     "them.",
                     g->n_envs, o->kind == FAR__FINDING_ALONE ? "only one agent" : "no agent");
}

static void head(far__text *out, const far__page *page, size_t i) {
  const far_comparison_group *g = far__page_group(page, i);
  if (g->n_envs == 1)
    head_one(out, page->comparison, g, &page->findings[i]->envs[0]);
  else
    head_many(out, g, page->findings[i]);
}

/* ---- what was compared ---- */

static void run_range(const far_comparison_group *g, int64_t *least, int64_t *most) {
  *least = INT64_MAX;
  *most = 0;
  for (size_t i = 0; i < g->n_envs * g->n_agents; ++i) {
    const int64_t n = g->cells[i].runs;
    if (n > 0 && n < *least) *least = n;
    if (n > *most) *most = n;
  }
}

static void say_compared(far__text *out, const far_comparison *c, const far_comparison_group *g) {
  int64_t least, most;
  run_range(g, &least, &most);
  far__text_format(out, "%s on ", far__say_number(g->n_agents, "agent").text);
  if (g->n_envs == 1)
    far__text_format(out, "%s", far__say_name(g->envs[0].brief).text);
  else
    far__text_format(out, "%s", far__say_number(g->n_envs, "environment").text);
  far__text_format(out, ", by %s (%s is better): ", far__say_series(c->series).text,
                   c->lower ? "lower" : "higher");
  far__text_format(out, "%s, ", far__say_group(g).text);
  if (least < most) far__text_format(out, "%s to ", far__say_count(least).text);
  far__text_format(out, "%s%s.", far__say_number((size_t)most, "run").text,
                   g->n_agents > 1 ? " of each agent" : "");
  size_t computed = 0;
  for (size_t j = 0; j < g->n_agents; ++j) computed += g->agents[j].origin == FAR_ORIGIN_COMPUTED;
  if (computed > 1)
    far__text_format(out, " Agents see the same random numbers: their runs are pairs.");
}

static void say_certainty(far__text *out, const far_comparison *c, size_t n_tests, bool several) {
  const double percent = 100 * c->bootstrap.level;
  far__text_format(out, "± is a %g%% interval of the mean.", percent);
  if (c->event != NULL)
    far__text_format(out,
                     " A run that had not %s by its end is censored and counts as all of its "
                     "steps: means are restricted means up to the end of the run, and differences "
                     "are of these.",
                     c->event);
  if (n_tests == 0) return;
  if (n_tests == 1) {
    far__text_format(out, " p is that of one two-sided t-test, paired or Welch's without pairs.");
    return;
  }
  far__text_format(out,
                   " An agent is called best only if its mean differs from that of every other "
                   "agent with an adjusted p of at most %g. ",
                   1 - c->bootstrap.level);
  far__text_format(out, "%s (paired t, or Welch's without pairs): p-values are adjusted %s",
                   far__say_number(n_tests, "test").text,
                   c->correction == FAR_CORRECTION_HOLM  ? "by Holm's method"
                   : c->correction == FAR_CORRECTION_FDR ? "for the false discovery rate"
                                                         : "by Bonferroni's method");
  far__text_format(
      out, ", and intervals of differences hold together.%s",
      several ? " Over all environments: sign tests over replicates, or rank-sum tests." : "");
}

/* ---- the whole ---- */

static void give_title(far__page *page) {
  const far_comparison *c = page->comparison;
  const far_comparison_group *g = c->groups;
  if (c->n_groups > 1)
    far__report_heading(page->report, 1, "%s: %zu groups of results",
                        far__say_name(page->def->name).text, c->n_groups);
  else if (g->n_envs == 1)
    far__report_heading(page->report, 1, "%s: %s on %s", far__say_name(page->def->name).text,
                        g->n_agents == 1 ? far__say_name(g->agents[0].brief).text
                                         : far__say_number(g->n_agents, "agent").text,
                        far__say_name(g->envs[0].brief).text);
  else
    far__report_heading(page->report, 1, "%s: %s on %s", far__say_name(page->def->name).text,
                        far__say_number(g->n_agents, "agent").text,
                        far__say_number(g->n_envs, "environment").text);
}

/* Of several groups: a sentence each, since their numbers are not to be compared. */
static void give_groups(far__page *page) {
  enum { MOST_GROUPS = 12 };
  const far_comparison *c = page->comparison;
  far__report_verdict(page->report, NULL,
                      "%zu groups of results, of different steps, seeds or numerics, which are not "
                      "compared with each other.",
                      c->n_groups);
  for (size_t i = 0; i < c->n_groups && i < MOST_GROUPS; ++i) {
    far__text text = {0};
    head(&text, page, i);
    give(page, far__say_group(&c->groups[i]).text, &text);
  }
  if (c->n_groups > MOST_GROUPS)
    far__report_verdict(page->report, "and", "%zu more groups, below.", c->n_groups - MOST_GROUPS);
}

static void give_group(far__page *page) {
  far__text first = {0}, compared = {0};
  head(&first, page, 0);
  give(page, NULL, &first);
  if (page->comparison->groups->n_envs > 1 && page->comparison->groups->n_agents > 1) {
    far__text tally = {0};
    say_tally(&tally, page->comparison->groups, page->findings[0]);
    give(page, NULL, &tally);
  }
  say_compared(&compared, page->comparison, page->comparison->groups);
  give(page, "Compared", &compared);
  const far_comparison_group *g = far__page_group(page, 0);
  for (size_t e = 0; e < g->n_envs && e < MOST_ENVS && g->n_envs > 1; ++e) {
    far__text text = {0};
    far__page_sentence(page, 0, e, &text);
    give(page, far__say_name(g->envs[e].brief).text, &text);
  }
  if (g->n_envs > MOST_ENVS)
    far__report_verdict(page->report, "and", "%zu more environments, below.",
                        g->n_envs - MOST_ENVS);
}

void far__page_verdict(far__page *page) {
  const far_comparison *c = page->comparison;
  far__text sure = {0}, caveats = {0};
  size_t n_tests = 0, n_envs = 0;
  give_title(page);
  if (c->n_groups > 1)
    give_groups(page);
  else
    give_group(page);
  for (size_t i = 0; i < c->n_groups; ++i) {
    n_tests += page->findings[i]->n_tests;
    n_envs = c->groups[i].n_envs > n_envs ? c->groups[i].n_envs : n_envs;
  }
  say_certainty(&sure, c, n_tests, n_envs > 1);
  give(page, "How sure", &sure);
  far__page_caveats(page, &caveats);
  if (caveats.length == 0 && !caveats.failed)
    far__text_format(&caveats, "None that the data show; the methods say what is assumed.");
  give(page, "Caveats", &caveats);
}
