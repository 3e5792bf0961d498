/* A scaling study as a report. */
#include <math.h> /* INFINITY, isnan */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "questions/comparison/times.h"
#include "questions/growth/scaling.h"
#include "report/build.h"
#include "statistics/growth.h"

/* ---- the numbers ---- */

/* A bound in place of what lies beyond the limit. */
static far__brief brief_time(double x, double limit) {
  return far__brief_time(x, ">", limit);
}

static void add_time(far_table *t, const far__scaling_cell *cell) {
  const far_times *x = &cell->times;
  char left[32] = "";
  if (x->censored > 0) snprintf(left, sizeof left, " (%lld)", (long long)x->censored);
  far__table_interval_as(
      t, x->median, x->low, x->high, "%s [%s, %s]%s", brief_time(x->median, cell->limit).text,
      brief_time(x->low, cell->limit).text, brief_time(x->high, cell->limit).text, left);
}

static void add_value(far_table *t, const far__scaling *s, const far__scaling_cell *cell) {
  if (!cell->known)
    far__table_none(t);
  else if (far__measures_time(s))
    add_time(t, cell);
  else
    far__table_interval(t, cell->mean, cell->ci95);
}

static void label_agent(char *out, size_t size, const far__scaling *s, size_t agent) {
  const char *spec = s->def.agents[agent];
  snprintf(out, size, "%zu %.*s", agent + 1, (int)strcspn(spec, ":"), spec);
}

/* A column for each agent. */
static void add_values(far_report *report, const far__scaling *s) {
  far_table *t = far__report_table(report, "values");
  far__table_column(t, "size", s->def.key,
                    FAR__COLUMN_TEXT); /* so that it stands before all parts */
  for (size_t j = 0; j < s->def.n_agents; ++j) {
    char key[32], title[80];
    snprintf(key, sizeof key, "agent_%zu", j + 1);
    label_agent(title, sizeof title, s, j);
    far__table_column(t, key, title, FAR__COLUMN_INTERVAL);
  }
  for (size_t i = 0; i < s->def.n_sizes; ++i) {
    far__table_row(t);
    far__table_text(t, "%lld", (long long)s->def.sizes[i]);
    for (size_t j = 0; j < s->def.n_agents; ++j) add_value(t, s, far__scaling_cell_of(s, i, j));
  }
}

/* ---- the same for programs: a row for each agent at each size ---- */

static void add_cell_columns(far_table *t, bool time) {
  far__table_column(t, "env", NULL, FAR__COLUMN_SPEC);
  far__table_column(t, "agent", NULL, FAR__COLUMN_SPEC);
  far__table_column(t, "size", NULL, FAR__COLUMN_COUNT);
  far__table_column(t, "steps", NULL, FAR__COLUMN_COUNT);
  far__table_column(t, "runs", NULL, FAR__COLUMN_COUNT);
  far__table_column(t, time ? "median" : "mean", NULL, FAR__COLUMN_INTERVAL);
  if (!time) return;
  far__table_column(t, "quartile", NULL, FAR__COLUMN_RANGE);
  far__table_column(t, "censored", NULL, FAR__COLUMN_COUNT);
  far__table_column(t, "limit", NULL, FAR__COLUMN_REAL);
}

static void add_cell(far_table *t, const far__scaling *s, const far__scaling_cell *cell,
                     const char *agent) {
  const far_times *x = &cell->times;
  far__table_row(t);
  far__table_spec(t, s->def.env, cell->env);
  far__table_spec(t, agent, cell->agent);
  far__table_count(t, cell->size);
  far__table_count(t, cell->steps);
  far__table_count(t, cell->runs);
  add_value(t, s, cell);
  if (!far__measures_time(s)) return;
  far__table_range_as(t, x->first_quartile, x->third_quartile, "%g, %g", x->first_quartile,
                      x->third_quartile);
  far__table_count(t, x->censored);
  far__table_real(t, cell->limit);
}

static void add_cells(far_report *report, const far__scaling *s) {
  far_table *t = far__report_table(report, "cells");
  add_cell_columns(t, far__measures_time(s));
  for (size_t i = 0; i < s->def.n_sizes; ++i)
    for (size_t j = 0; j < s->def.n_agents; ++j) {
      const far__scaling_cell *cell = far__scaling_cell_of(s, i, j);
      if (cell->known) add_cell(t, s, cell, s->def.agents[j]);
    }
}

/* ---- the laws ---- */

void far__table_exponent(far_table *t, bool applies, double x, double ci95) {
  if (applies)
    far__table_interval_as(t, x, x - ci95, x + ci95, "%.3g ± %.2g", x, ci95);
  else
    far__table_blank(t);
}

const char *far__law_verdict(const far__scaling_fit *fit, far__law law, bool gap) {
  if (gap && fit->flat) return law == FAR__LAW_POLYNOMIAL ? "no growth is seen" : "";
  if (law == FAR__LAW_MIXED) return fit->mixed_better ? "fits better than either" : "";
  if (fit->better == FAR__LAW_COUNT) return law == FAR__LAW_POLYNOMIAL ? "undecided" : "";
  return fit->better == law ? "fits better" : "";
}

static void add_law(far_table *t, const far__scaling *s, const far__scaling_fit *fit, far__law law,
                    bool gap) {
  const far__fit *f = &fit->growth.laws[law];
  far__table_text(t, "%s", far__law_name(law));
  const char *key = s->def.key;
  if (law == FAR__LAW_POLYNOMIAL)
    far__table_text(t, "%.3g %s^%.3g", f->scale, key, f->power);
  else if (law == FAR__LAW_EXPONENTIAL)
    far__table_text(t, "%.3g e^(%.3g %s)", f->scale, f->rate, key);
  else
    far__table_text(t, "%.3g %s^%.3g e^(%.3g %s)", f->scale, key, f->power, f->rate, key);
  far__table_exponent(t, law != FAR__LAW_EXPONENTIAL, f->power, f->power_ci95);
  far__table_exponent(t, law != FAR__LAW_POLYNOMIAL, f->rate, f->rate_ci95);
  far__table_real_as(t, f->spread, "%.3f", f->spread);
  far__table_known_as(t, f->aicc, "%.1f", f->aicc);
  far__table_text(t, "%s", far__law_verdict(fit, law, gap));
}

static void add_no_law(far_table *t, size_t points) {
  far__table_none(t);
  for (int i = 0; i < 5; ++i) far__table_blank(t);
  far__table_text(t, "%zu of the 3 points that a law needs", points);
}

static void add_fit(far_table *t, const far__scaling *s, size_t agent, bool gap) {
  const far__scaling_fit fit = far__scaling_fit_of(s, agent, gap);
  char label[80];
  label_agent(label, sizeof label, s, agent);
  for (int law = 0; law < FAR__LAW_COUNT; ++law) {
    if (law > 0 && (!fit.fitted || !fit.growth.laws[law].fitted)) continue;
    far__table_row(t);
    if (law == 0)
      far__table_spec(t, label, s->def.agents[agent]);
    else
      far__table_blank(t);
    if (fit.fitted)
      add_law(t, s, &fit, (far__law)law, gap);
    else
      add_no_law(t, fit.growth.points);
  }
}

static void add_fits(far_report *report, const far__scaling *s, bool gap) {
  far_table *t = far__report_table(report, gap ? "gaps" : "laws");
  far__table_column(t, "agent", "agent", FAR__COLUMN_SPEC);
  far__table_column(t, "law", "law", FAR__COLUMN_TEXT);
  far__table_column(t, "fitted", "fitted", FAR__COLUMN_TEXT);
  far__table_column(t, "power", "power ± 95%", FAR__COLUMN_INTERVAL);
  far__table_column(t, "rate", "rate ± 95%", FAR__COLUMN_INTERVAL);
  far__table_column(t, "spread", "spread", FAR__COLUMN_REAL);
  far__table_column(t, "aicc", "AICc", FAR__COLUMN_REAL);
  far__table_column(t, "verdict", "", FAR__COLUMN_TEXT);
  for (size_t j = gap; j < s->def.n_agents; ++j) add_fit(t, s, j, gap);
}

/* ---- what is said around them ---- */

static void add_head(far_report *report, const far__scaling *s) {
  const far__scaling_def *d = &s->def;
  const char *what = far__measures_time(s)
                         ? "median [95% interval] (runs not known to have learned)"
                         : "mean ± 95%";
  switch (d->measure) {
  case FAR__SCALING_EARNED:
    far__report_heading(
        report, 1, "Steps after which the reward so far stays above %g of the best average on %s",
        1 - d->eps, d->env);
    break;
  case FAR__SCALING_LEARNED:
    far__report_heading(
        report, 1,
        "Steps after which the frozen policy is within %g V* at the start for good on %s", d->eps,
        d->env);
    break;
  case FAR__SCALING_LAST_MISTAKE:
    far__report_heading(
        report, 1,
        "The last step on which the frozen policy is not within %g V*(start) of V* on %s", d->eps,
        d->env);
    break;
  case FAR__SCALING_REWARD:
    far__report_heading(report, 1, "Undiscounted reward of %lld steps on %s", (long long)d->steps,
                        d->env);
  }
  if (d->gamma == d->gamma)
    far__report_paragraph(report, "%s, %lld runs, seed %llu; discount %g unless a spec gives one",
                          what, (long long)d->runs, (unsigned long long)d->seed, d->gamma);
  else
    far__report_paragraph(
        report, "%s, %lld runs, seed %llu; discount 1 - %g / %s unless a spec gives one", what,
        (long long)d->runs, (unsigned long long)d->seed, d->gamma_scale, d->key);
}

static void add_caveats(far_report *report, const far__scaling *s) {
  for (size_t j = 0; j < s->def.n_agents; ++j) {
    size_t i = 0;
    while (i < s->def.n_sizes && !far__scaling_cell_of(s, i, j)->left_out) ++i;
    if (i < s->def.n_sizes)
      far__report_note(report, FAR__NOTE_CAVEAT,
                       "Agent %zu was not run at sizes from %lld on, since at the size before that "
                       "fewer than half of its runs had learned in %lld steps.",
                       j + 1, (long long)s->def.sizes[i], (long long)s->def.max_steps);
  }
}

static void add_methods(far_report *report, const far__scaling *s) {
  const far__scaling_def *d = &s->def;
  char budgets[400] = "";
  if (far__measures_time(s))
    snprintf(
        budgets, sizeof budgets,
        "At every size the budget of a run was doubled, up to %lld steps, until at most %g%% of "
        "%lld runs were censored, that is not known to have learned in the first half of it. "
        "Medians count censored runs as longer than that; their 95%% intervals are from order "
        "statistics. ",
        (long long)d->max_steps, 100 * d->censored, (long long)d->runs);
  far__report_methods(
      report,
      "%sLaws were fitted by least squares to the logarithms, with Student's 95%% "
      "intervals of the exponents; one fits better if its corrected Akaike criterion "
      "is lower by %g or more.",
      budgets, FAR__EVIDENCE);
}

static void add_store(far_report *report, const far__scaling *s) {
  long long reused = 0, computed = 0;
  if (s->def.store == NULL) return;
  for (size_t i = 0; i < s->def.n_sizes * s->def.n_agents; ++i) {
    reused += s->cells[i].reused;
    computed += s->cells[i].computed;
  }
  far__report_paragraph(report, "Reused %lld runs from the store; computed %lld.", reused,
                        computed);
}

/* ---- JSON ---- */

/* "law" is the place of its agent in "laws": agents that do not learn are missing at larger sizes. */
static void write_cell(far__json *j, const far__scaling *s, size_t i) {
  const far__scaling_cell *cell = &s->cells[i];
  const far_times *x = &cell->times;
  far__json_object(j, NULL);
  far__json_integer(j, "size", (uint64_t)cell->size);
  far__json_integer(j, "law", (uint64_t)(i % s->def.n_agents));
  far__json_text(j, "env", cell->env);
  far__json_text(j, "agent", cell->agent);
  far__json_integer(j, "steps", (uint64_t)cell->steps);
  far__json_integer(j, "runs", (uint64_t)cell->runs);
  if (far__measures_time(s)) {
    far__json_integer(j, "censored", (uint64_t)x->censored);
    far__json_real(j, "limit", cell->limit);
    far__json_real(j, "median", x->median);
    far__json_real(j, "low", x->low);
    far__json_real(j, "high", x->high);
    far__json_real(j, "first_quartile", x->first_quartile);
    far__json_real(j, "third_quartile", x->third_quartile);
  } else {
    far__json_real(j, "mean", cell->mean);
    far__json_real(j, "ci95", cell->ci95);
  }
  far__json_real(j, "seconds", cell->seconds);
  if (s->def.store != NULL) far__json_integer(j, "reused", (uint64_t)cell->reused);
  far__json_text(j, "hash", cell->hash);
  far__json_end(j);
}

static void write_law(far__json *j, const far__fit *f, far__law law) {
  if (!f->fitted) {
    far__json_null(j, far__law_name(law));
    return;
  }
  far__json_object(j, far__law_name(law));
  far__json_real(j, "scale", f->scale);
  if (law != FAR__LAW_EXPONENTIAL) {
    far__json_real(j, "power", f->power);
    far__json_real(j, "power_ci95", f->power_ci95);
  }
  if (law != FAR__LAW_POLYNOMIAL) {
    far__json_real(j, "rate", f->rate);
    far__json_real(j, "rate_ci95", f->rate_ci95);
  }
  far__json_real(j, "spread", f->spread);
  far__json_real(j, "aicc", f->aicc);
  far__json_end(j);
}

static void write_laws(far__json *j, const far__scaling *s, bool gap) {
  far__json_array(j, gap ? "gaps" : "laws");
  for (size_t k = gap; k < s->def.n_agents; ++k) {
    const far__scaling_fit fit = far__scaling_fit_of(s, k, gap);
    far__json_object(j, NULL);
    far__json_text(j, "agent", s->def.agents[k]);
    far__json_integer(j, "points", fit.growth.points);
    for (int law = 0; law < FAR__LAW_COUNT; ++law)
      write_law(j, &fit.growth.laws[law], (far__law)law);
    far__json_real(j, "evidence", fit.fitted ? fit.growth.evidence : NAN);
    far__json_text(j, "better", fit.better < FAR__LAW_COUNT ? far__law_name(fit.better) : NULL);
    if (gap) far__json_flag(j, "flat", fit.flat);
    far__json_end(j);
  }
  far__json_end(j);
}

static void write_data(const void *user, far__json *j) {
  const far__scaling *s = user;
  far__json_integer(j, "seed", s->def.seed);
  far__json_array(j, "cells");
  for (size_t i = 0; i < s->def.n_sizes * s->def.n_agents; ++i)
    if (s->cells[i].known) write_cell(j, s, i);
  far__json_end(j);
  write_laws(j, s, false);
  write_laws(j, s, true);
  far__json_text(j, "env", s->def.env);
  far__json_text(j, "key", s->def.key);
  far__json_text(j, "measure", far__scaling_measure_name(s->def.measure));
  far__json_real(j, "eps", s->def.eps);
  far__json_real(j, "gamma", s->def.gamma);
  far__json_real(j, "gamma_scale", s->def.gamma == s->def.gamma ? NAN : s->def.gamma_scale);
}

/* ---- the whole ---- */

void far__scaling_report(const far__scaling *s, far_report *report) {
  add_head(report, s);
  add_cells(report, s);
  add_values(report, s);
  far__report_heading(report, 2,
                      "Laws (spread: standard deviation of the logarithm about the law)");
  add_fits(report, s, false);
  if (s->def.n_agents > 1) {
    far__report_heading(report, 2, "Gap: %s",
                        far__measures_time(s) ? "steps of an agent / steps of agent 1"
                                              : "reward of agent 1 / reward of an agent");
    add_fits(report, s, true);
  }
  add_caveats(report, s);
  add_store(report, s);
  far__report_list(report, "Agents");
  for (size_t j = 0; j < s->def.n_agents; ++j)
    far__report_item(report, "%zu %s", j + 1, s->def.agents[j]);
  add_methods(report, s);
  far__report_data_by(report, write_data, s);
}
