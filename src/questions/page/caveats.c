/* What limits the conclusions of a page, a line each. */
#include <math.h>

#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "farsight/mdp.h"
#include "farsight/run.h"
#include "questions/comparison/findings.h"
#include "questions/listing/label.h"
#include "questions/page/page.h"
#include "run/series.h"
#include "solve/parts.h"

enum { FEW_RUNS = 10, MANY_NAMES = 4 };

static void add_line(far__text *out) {
  if (out->length > 0) far__text_add(out, "\n", 1);
}

/* ---- counts over all groups ---- */

typedef struct counts {
  size_t cells, missing;          /* of agents x environments */
  size_t few, single;             /* cells with few runs, with one */
  int64_t least, most;            /* runs of cells */
  size_t imported, unknown_steps; /* agents */
  size_t constant;                /* cells whose runs do not vary */
  size_t infinite;                /* cells with infinite values */
  size_t unscaled, environments;  /* without a scale for scores */
  size_t observed;                /* whose scale is that of the runs themselves */
  size_t unusable;                /* whose model is not used */
  size_t references;              /* agents that are told about the model */
  int numerics;                   /* of results by another version; 0: none */
} counts;

static void count_cell(counts *n, const far_comparison_cell *cell) {
  n->cells += 1;
  n->missing += cell->runs == 0;
  if (cell->runs == 0) return;
  n->single += cell->runs == 1;
  n->few += cell->runs < FEW_RUNS;
  n->infinite += !cell->finite;
  n->constant += cell->runs > 1 && cell->finite && cell->summary.std == 0;
  n->least = n->least == 0 || cell->runs < n->least ? cell->runs : n->least;
  n->most = cell->runs > n->most ? cell->runs : n->most;
}

static void count_group(counts *n, const far_comparison_group *g, const far__findings *found) {
  for (size_t i = 0; i < g->n_envs * g->n_agents; ++i) count_cell(n, &g->cells[i]);
  for (size_t j = 0; j < g->n_agents; ++j) {
    n->imported += g->agents[j].origin != FAR_ORIGIN_COMPUTED;
    n->unknown_steps += g->agents[j].origin == FAR_ORIGIN_UNKNOWN_STEPS;
    n->references += found->reference[j];
  }
  for (size_t e = 0; e < g->n_envs; ++e) {
    n->environments += 1;
    n->unscaled += g->envs[e].scale.kind == FAR_SCALE_NONE && g->n_envs > 1;
    n->observed += g->envs[e].scale.used && g->envs[e].scale.kind == FAR_SCALE_OBSERVED;
    n->unusable += g->envs[e].unusable != NULL;
  }
  if (g->numerics != 0 && g->numerics != far_numerics()) n->numerics = g->numerics;
}

/* ---- lines ---- */

static void say_runs(far__text *out, const counts *n) {
  if (n->single > 0) {
    add_line(out);
    far__text_format(out, "%zu of %zu cells %s a single run, which shows nothing of its spread.",
                     n->single, n->cells - n->missing, n->single == 1 ? "has" : "have");
  }
  if (n->few > n->single) {
    add_line(out);
    far__text_format(out,
                     "Few runs: %zu of %zu cells %s fewer than %d. Intervals and tests rely on "
                     "means of so few being nearly normal.",
                     n->few, n->cells - n->missing, n->few == 1 ? "has" : "have", (int)FEW_RUNS);
  }
  if (n->missing > 0) {
    add_line(out);
    far__text_format(out,
                     "%zu of %zu cells %s no runs: the study is unfinished, or not all "
                     "agents were run on all environments.",
                     n->missing, n->cells, n->missing == 1 ? "has" : "have");
  }
  if (n->least < n->most) {
    add_line(out);
    far__text_format(out, "Cells have from %s to ", far__say_count(n->least).text);
    far__text_format(out, "%s runs: the study is unfinished, or runs were added.",
                     far__say_count(n->most).text);
  }
}

static void say_origins(far__text *out, const counts *n, bool paired) {
  if (n->imported > 0) {
    add_line(out);
    far__text_format(out, "%s %s imported: ", far__say_number(n->imported, "agent").text,
                     n->imported == 1 ? "was" : "were");
    far__text_format(out, "%s",
                     paired ? "runs are paired by replicate, as was asked for."
                            : "such runs have random numbers of their own, and are "
                              "compared without pairs.");
  }
  if (n->unknown_steps > 0) {
    add_line(out);
    far__text_format(out, "The number of steps is unknown for %s.",
                     far__say_number(n->unknown_steps, "imported agent").text);
  }
  if (n->numerics != 0) {
    add_line(out);
    far__text_format(out,
                     "Some results were computed with numerics %d, and this version has %d: "
                     "the commands below may give other numbers.",
                     n->numerics, far_numerics());
  }
  if (n->references > 0) {
    add_line(out);
    far__text_format(out, "%s the model and cannot win: a reference, not a contestant.",
                     n->references == 1 ? "One agent knows" : "Some agents know");
  }
}

static void say_values(far__text *out, const counts *n) {
  if (n->constant > 0) {
    add_line(out);
    far__text_format(out,
                     "The runs of %s do not vary: there is no interval, which does not show "
                     "that others would not vary.",
                     far__say_number(n->constant, "cell").text);
  }
  if (n->infinite > 0) {
    add_line(out);
    far__text_format(out, "%s infinite values, and no test of means.",
                     n->infinite == 1 ? "One cell has" : "Some cells have");
  }
  if (n->unscaled > 0) {
    add_line(out);
    far__text_format(out, "%zu of %zu environments have no scale and count in no score.",
                     n->unscaled, n->environments);
  }
  if (n->observed > 0) {
    add_line(out);
    far__text_format(out,
                     "On %s scores are relative to the worst and the best run of these agents.",
                     far__say_number(n->observed, "environment").text);
  }
  if (n->unusable > 0) {
    add_line(out);
    far__text_format(out, "The model of %s could not be used.",
                     far__say_number(n->unusable, "environment").text);
  }
}

/* ---- how the runs of a cell lie ---- */

/* Moments of the sample; Sarle's coefficient is above 5/9, that of the uniform distribution, where a sample has two
 * humps or a long tail. */
static bool is_lopsided(const far_comparison_cell *cell) {
  const double n = (double)cell->runs;
  if (cell->runs < 2 * FEW_RUNS || !cell->finite || !(cell->summary.std > 0)) return false;
  double second = 0, third = 0, fourth = 0;
  for (int64_t i = 0; i < cell->runs; ++i) {
    const double d = (cell->values[i] - cell->summary.mean) / cell->summary.std, square = d * d;
    second += square, third += square * d, fourth += square * square;
  }
  second /= n, third /= n, fourth /= n;
  const double skewness = third / (second * sqrt(second));
  const double kurtosis = fourth / (second * second);
  return fabs(skewness) > 1 || (skewness * skewness + 1) / kurtosis > 5.0 / 9;
}

/* What of Student's interval no run can be, or of a sign that no run has: "below 0"; NULL where there is nothing. */
static const char *beyond(far__words *out, const far_comparison *comparison,
                          const far_comparison_group *g, size_t k) {
  const far_comparison_cell *cell = &g->cells[k];
  const far_summary *s = &cell->summary;
  const far_mdp *mdp = g->envs[k / g->n_agents].mdp;
  double least, most;
  if (cell->runs < 2 || !cell->finite) return NULL;
  far_shape shape = {.n_states = 1};
  if (mdp != NULL) shape = far_mdp_shape(mdp);
  if (g->episodes > 0) { /* they end before the steps do */
    shape.reward_min = fmin(shape.reward_min, 0);
    shape.reward_max = fmax(shape.reward_max, 0);
  }
  far__series_bounds(&least, &most, comparison->series, g->steps, mdp != NULL ? &shape : NULL);
  if (s->min >= 0) least = fmax(least, 0);
  if (s->max <= 0) most = fmin(most, 0);
  if (!(s->low < least) && !(s->high > most)) return NULL;
  snprintf(out->text, sizeof out->text, "%s %.6g", s->low < least ? "below" : "above",
           s->low < least ? least : most);
  return out->text;
}

/* The first cell of all groups whose interval leaves the range, and how many there are. */
static size_t find_beyond(far__words *first, const far__page *page,
                          const far_comparison_group **group, size_t *cell) {
  size_t found = 0;
  for (size_t i = 0; i < page->comparison->n_groups; ++i) {
    const far_comparison_group *g = far__page_group(page, i);
    for (size_t k = 0; k < g->n_envs * g->n_agents; ++k) {
      far__words one;
      if (beyond(&one, page->comparison, g, k) == NULL || found++ > 0) continue;
      *first = one;
      *group = g, *cell = k;
    }
  }
  return found;
}

/* The first cell of all groups that is lopsided, and how many there are. */
static size_t find_lopsided(const far__page *page, const far_comparison_group **group,
                            size_t *first) {
  size_t found = 0;
  for (size_t i = 0; i < page->comparison->n_groups; ++i) {
    const far_comparison_group *g = far__page_group(page, i);
    for (size_t k = 0; k < g->n_envs * g->n_agents; ++k)
      if (is_lopsided(&g->cells[k]) && found++ == 0) *group = g, *first = k;
  }
  return found;
}

static void say_cell(far__text *out, const far_comparison_group *g, size_t k) {
  far__text_format(out, "%s", far__say_name(g->agents[k % g->n_agents].brief).text);
  far__text_format(out, " on %s", far__say_name(g->envs[k / g->n_agents].brief).text);
}

static void say_shapes(far__text *out, const far__page *page) {
  const far_comparison_group *g = NULL;
  size_t k = 0;
  const size_t lopsided = find_lopsided(page, &g, &k);
  if (lopsided > 0) {
    add_line(out);
    far__text_format(out, "The runs of %s are skewed or have two humps (",
                     far__say_number(lopsided, "cell").text);
    say_cell(out, g, k);
    far__text_format(out, "%s): a mean hides that; look at the single runs and the medians.",
                     lopsided > 1 ? ", ..." : "");
  }
}

static void say_beyond(far__text *out, const far__page *page) {
  const far_comparison_group *g = NULL;
  size_t k = 0;
  far__words where = {""};
  const size_t n = find_beyond(&where, page, &g, &k);
  if (n == 0) return;
  const far_estimate *b = &g->cells[k].mean;
  add_line(out);
  far__text_format(out, "The interval%s of %s leave%s the possible range (",
                   far__plural((int64_t)n), far__say_number(n, "mean").text, n == 1 ? "s" : "");
  say_cell(out, g, k);
  far__text_format(out, ": %s, which no run is", where.text);
  if (b->low == b->low)
    far__text_format(out, "; the bootstrap's interval is %.4g to %.4g", b->low, b->high);
  far__text_format(out, "): take the bootstrap's.");
}

/* ---- what the rewards are ---- */

static bool is_reward(const char *series) {
  return strcmp(series, "total") == 0 || strncmp(series, "curve@", 6) == 0;
}

/* Where the best total says nothing: of all groups and environments the first few. */
static void say_same_totals(far__text *out, const far__page *page) {
  enum { MOST = 3 };
  size_t said = 0;
  if (!is_reward(page->comparison->series)) return;
  for (size_t i = 0; i < page->comparison->n_groups; ++i) {
    const far_comparison_group *g = far__page_group(page, i);
    for (size_t e = 0; e < g->n_envs && g->episodes == 0 && said < MOST; ++e) {
      char why[FAR__SAME_TOTAL_SIZE];
      if (g->envs[e].mdp == NULL || !far__mdp_same_total(why, g->envs[e].mdp)) continue;
      add_line(out);
      far__text_format(out, "On %s %s.", far__say_name(g->envs[e].brief).text, why);
      ++said;
    }
  }
}

/* ---- what the agents are ---- */

enum { MOST_KNOWN = 1000 };

typedef struct names {
  size_t n;
  const char *labels[MOST_KNOWN], *briefs[MANY_NAMES]; /* of the first */
} names;

/* Another group may have the same agent. */
static bool is_named(const names *x, const char *label) {
  for (size_t i = 0; i < x->n && i < MOST_KNOWN; ++i)
    if (strcmp(x->labels[i], label) == 0) return true;
  return false;
}

static void add_name(names *x, const far_comparison_agent *agent) {
  if (is_named(x, agent->label)) return;
  if (x->n < MOST_KNOWN) x->labels[x->n] = agent->label;
  if (x->n < MANY_NAMES) x->briefs[x->n] = agent->brief;
  x->n += 1;
}

static void say_names(far__text *out, const names *x) {
  far__text_format(out, "%s (", far__say_number(x->n, "agent").text);
  for (size_t i = 0; i < x->n && i < MANY_NAMES; ++i)
    far__text_format(out, "%s%s", i > 0 ? ", " : "", far__say_name(x->briefs[i]).text);
  far__text_format(out, "%s)", x->n > MANY_NAMES ? ", ..." : "");
}

/* The name of an algorithm alone. */
static bool is_bare(const char *spec) {
  const far_type_info *type = far_spec_type(far_agent_type, spec);
  return type != NULL && !type->baseline && strcmp(type->name, spec) == 0;
}

/* An agent that was given a name ran with default parameters if its full spec comes to its algorithm's name. */
static bool is_default(const far_comparison_group *g, size_t j) {
  char spec[FAR_SPEC_SIZE];
  if (far_spec_type(far_agent_type, g->agents[j].label) != NULL) return is_bare(g->agents[j].label);
  for (size_t e = 0; e < g->n_envs; ++e) {
    const far_comparison_cell *cell = far__cell_of(g, e, j);
    if (cell->runs == 0 || cell->spec == NULL || g->envs[e].mdp == NULL) continue;
    const far_shape shape = far_shape_for(far_mdp_shape(g->envs[e].mdp), cell->steps, g->episodes);
    return far__agent_label_stored(spec, cell->spec, &shape, g->numerics, NULL) == FAR_OK &&
           is_bare(spec);
  }
  return false;
}

/* The problem's discount, as far as its spec says it; 0 if that is not known, or is not what counts. */
static double gamma_of_env(const char *spec) {
  const far_type_info *family = far_spec_type(far_mdp_family, spec);
  size_t length;
  double gamma = FAR_GAMMA_DEFAULT;
  if (family == NULL || family->bare || far_spec_value(spec, "horizon", &length) != NULL ||
      far_spec_value(spec, "average", &length) != NULL)
    return 0;
  const char *text = far_spec_value(spec, "gamma", &length);
  return text == NULL || far__real_parse(text, length, &gamma) ? gamma : 0;
}

static bool plans_otherwise(const far_comparison_group *g, size_t j) {
  for (size_t e = 0; e < g->n_envs; ++e) {
    const far_comparison_cell *cell = far__cell_of(g, e, j);
    const double problem = gamma_of_env(g->envs[e].spec);
    double own;
    size_t length;
    if (cell->runs == 0 || cell->spec == NULL || !(problem > 0)) continue;
    if (far_spec_type(far_agent_type, cell->spec) == NULL) continue;
    const char *text = far_spec_value(cell->spec, "gamma", &length);
    if (text != NULL && far__real_parse(text, length, &own) && own != problem) return true;
  }
  return false;
}

static void say_agents(far__text *out, const far__page *page) {
  names defaults = {0}, planners = {0};
  for (size_t i = 0; i < page->comparison->n_groups; ++i) {
    const far_comparison_group *g = far__page_group(page, i);
    for (size_t j = 0; j < g->n_agents; ++j) {
      if (page->findings[i]->reference[j] || g->agents[j].origin != FAR_ORIGIN_COMPUTED) continue;
      if (is_default(g, j)) add_name(&defaults, &g->agents[j]);
      if (plans_otherwise(g, j)) add_name(&planners, &g->agents[j]);
    }
  }
  if (defaults.n > 0) {
    add_line(out);
    say_names(out, &defaults);
    far__text_format(
        out, " ran with default parameters, which were searched for other problems and carry no "
             "guarantee; 'farsight tune' searches for these.");
  }
  if (planners.n > 0) {
    add_line(out);
    say_names(out, &planners);
    far__text_format(out, " planned with another discount than the problem's, which judges all.");
  }
}

/* Many tests and no decision: why, and what would help. */
static void say_undecided(far__text *out, const far__page *page) {
  enum { MANY = 100 };
  size_t tests = 0, decided = 0;
  for (size_t i = 0; i < page->comparison->n_groups; ++i) {
    const far__findings *f = page->findings[i];
    tests += f->n_tests;
    for (size_t e = 0; e < f->n_envs; ++e) decided += f->envs[e].kind == FAR__FINDING_BEST;
  }
  if (tests < MANY || decided > 0) return;
  add_line(out);
  far__text_format(out,
                   "After correction for %s little is decided: more runs, or fewer agents or "
                   "environments (-a, -e), would tell more.",
                   far__say_number(tests, "test").text);
}

static void say_comparison(far__text *out, const far__page *page) {
  const far_comparison *c = page->comparison;
  if (!c->exact) {
    add_line(out);
    far__text_format(out, "The store has no '%.60s'; ", page->def->results.series);
    far__text_format(out, "this is '%.60s', the nearest checkpoint.", c->series);
  }
  if (c->n_without > 0) {
    add_line(out);
    far__text_format(out, "%s without the series '%.60s' left out.",
                     far__say_number(c->n_without, "cell").text, c->series);
  }
  if (c->correction == FAR_CORRECTION_FDR) {
    add_line(out);
    far__text_format(out, "The false discovery rate bounds the share of false claims only.");
  }
}

void far__page_caveats(far__page *page, far__text *out) {
  counts n = {0};
  for (size_t i = 0; i < page->comparison->n_groups; ++i)
    count_group(&n, far__page_group(page, i), page->findings[i]);
  say_runs(out, &n);
  say_origins(out, &n, page->comparison->paired);
  say_values(out, &n);
  say_shapes(out, page);
  say_beyond(out, page);
  say_same_totals(out, page);
  say_agents(out, page);
  say_undecided(out, page);
  say_comparison(out, page);
}
