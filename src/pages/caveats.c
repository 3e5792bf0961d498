/* What limits the conclusions of a page, a line each. */
#include <math.h>

#include "farsight/run.h"
#include "pages/page.h"

enum { FEW_RUNS = 10 };

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

static void count_group(counts *n, const far_comparison_group *g, const far_findings *found) {
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

/* All pairs of many agents are many tests, and nothing comes of them: why, and what would help. */
static void say_undecided(far__text *out, const far__page *page) {
  enum { MANY = 100 };
  size_t tests = 0, decided = 0;
  for (size_t i = 0; i < page->comparison->n_groups; ++i) {
    const far_findings *f = page->findings[i];
    tests += f->n_tests;
    for (size_t e = 0; e < f->n_envs; ++e) decided += f->envs[e].kind == FAR_FINDING_BEST;
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
  say_undecided(out, page);
  say_comparison(out, page);
}
