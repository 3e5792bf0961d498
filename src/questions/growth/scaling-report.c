/* A scaling study as a report. */
#include <math.h> /* INFINITY, isnan */
#include <stdio.h>
#include <string.h>

#include "questions/growth/scaling.h"
#include "questions/comparison/times.h"
#include "farsight/number.h"

/* ---- the numbers ---- */

typedef struct brief {
  char text[FAR_BRIEF_SIZE];
} brief;

/* A bound in place of what lies beyond the limit. */
static brief brief_time(double x, double limit) {
  brief out;
  far__time_brief(out.text, x, ">", limit);
  return out;
}

static void add_time(far_table *t, const far_scaling_cell *cell) {
  const far_times *x = &cell->times;
  char left[32] = "";
  if (x->censored > 0) snprintf(left, sizeof left, " (%lld)", (long long)x->censored);
  far_table_interval_as(
      t, x->median, x->low, x->high, "%s [%s, %s]%s", brief_time(x->median, cell->limit).text,
      brief_time(x->low, cell->limit).text, brief_time(x->high, cell->limit).text, left);
}

static void add_value(far_table *t, const far_scaling *s, const far_scaling_cell *cell) {
  if (!cell->known)
    far_table_none(t);
  else if (far__measures_time(s))
    add_time(t, cell);
  else
    far_table_interval(t, cell->mean, cell->ci95);
}

static void label_agent(char *out, size_t size, const far_scaling *s, size_t agent) {
  const char *spec = s->def.agents[agent];
  snprintf(out, size, "%zu %.*s", agent + 1, (int)strcspn(spec, ":"), spec);
}

/* A column for each agent. */
static void add_values(far_report *report, const far_scaling *s) {
  far_table *t = far_report_table(report, "values");
  far_table_column(t, "size", s->def.key, FAR_COLUMN_TEXT); /* so that it stands before all parts */
  for (size_t j = 0; j < s->def.n_agents; ++j) {
    char key[32], title[80];
    snprintf(key, sizeof key, "agent_%zu", j + 1);
    label_agent(title, sizeof title, s, j);
    far_table_column(t, key, title, FAR_COLUMN_INTERVAL);
  }
  for (size_t i = 0; i < s->def.n_sizes; ++i) {
    far_table_row(t);
    far_table_text(t, "%lld", (long long)s->def.sizes[i]);
    for (size_t j = 0; j < s->def.n_agents; ++j) add_value(t, s, far__scaling_cell(s, i, j));
  }
}

/* ---- the same for programs: a row for each agent at each size ---- */

static void add_cell_columns(far_table *t, bool time) {
  far_table_column(t, "env", NULL, FAR_COLUMN_SPEC);
  far_table_column(t, "agent", NULL, FAR_COLUMN_SPEC);
  far_table_column(t, "size", NULL, FAR_COLUMN_COUNT);
  far_table_column(t, "steps", NULL, FAR_COLUMN_COUNT);
  far_table_column(t, "runs", NULL, FAR_COLUMN_COUNT);
  far_table_column(t, time ? "median" : "mean", NULL, FAR_COLUMN_INTERVAL);
  if (!time) return;
  far_table_column(t, "quartile", NULL, FAR_COLUMN_RANGE);
  far_table_column(t, "censored", NULL, FAR_COLUMN_COUNT);
  far_table_column(t, "limit", NULL, FAR_COLUMN_REAL);
}

static void add_cell(far_table *t, const far_scaling *s, const far_scaling_cell *cell,
                     const char *agent) {
  const far_times *x = &cell->times;
  far_table_row(t);
  far_table_spec(t, s->def.env, cell->env);
  far_table_spec(t, agent, cell->agent);
  far_table_count(t, cell->size);
  far_table_count(t, cell->steps);
  far_table_count(t, cell->runs);
  add_value(t, s, cell);
  if (!far__measures_time(s)) return;
  far_table_range_as(t, x->first_quartile, x->third_quartile, "%g, %g", x->first_quartile,
                     x->third_quartile);
  far_table_count(t, x->censored);
  far_table_real(t, cell->limit);
}

static void add_cells(far_report *report, const far_scaling *s) {
  far_table *t = far_report_table(report, "cells");
  add_cell_columns(t, far__measures_time(s));
  for (size_t i = 0; i < s->def.n_sizes; ++i)
    for (size_t j = 0; j < s->def.n_agents; ++j) {
      const far_scaling_cell *cell = far__scaling_cell(s, i, j);
      if (cell->known) add_cell(t, s, cell, s->def.agents[j]);
    }
}

/* ---- the laws ---- */

static void add_formula(far_table *t, const far_scaling *s, const far_fit *f, far_law law) {
  const char *key = s->def.key;
  if (law == FAR_LAW_POLYNOMIAL)
    far_table_text(t, "%.3g %s^%.3g", f->scale, key, f->power);
  else if (law == FAR_LAW_EXPONENTIAL)
    far_table_text(t, "%.3g e^(%.3g %s)", f->scale, f->rate, key);
  else
    far_table_text(t, "%.3g %s^%.3g e^(%.3g %s)", f->scale, key, f->power, f->rate, key);
}

static void add_exponent(far_table *t, bool applies, double x, double ci95) {
  if (applies)
    far_table_interval_as(t, x, x - ci95, x + ci95, "%.3g ± %.2g", x, ci95);
  else
    far_table_blank(t);
}

static const char *verdict(const far_scaling_fit *fit, far_law law, bool gap) {
  if (gap && fit->flat) return law == FAR_LAW_POLYNOMIAL ? "no growth is seen" : "";
  if (law == FAR_LAW_MIXED) return fit->mixed_better ? "fits better than either" : "";
  if (fit->better == FAR_LAW_COUNT) return law == FAR_LAW_POLYNOMIAL ? "undecided" : "";
  return fit->better == law ? "fits better" : "";
}

static void add_law(far_table *t, const far_scaling *s, const far_scaling_fit *fit, far_law law,
                    bool gap) {
  const far_fit *f = &fit->growth.laws[law];
  far_table_text(t, "%s", far_law_name(law));
  add_formula(t, s, f, law);
  add_exponent(t, law != FAR_LAW_EXPONENTIAL, f->power, f->power_ci95);
  add_exponent(t, law != FAR_LAW_POLYNOMIAL, f->rate, f->rate_ci95);
  far_table_real_as(t, f->spread, "%.3f", f->spread);
  if (f->aicc == f->aicc)
    far_table_real_as(t, f->aicc, "%.1f", f->aicc);
  else
    far_table_none(t);
  far_table_text(t, "%s", verdict(fit, law, gap));
}

static void add_no_law(far_table *t, size_t points) {
  far_table_none(t);
  for (int i = 0; i < 5; ++i) far_table_blank(t);
  far_table_text(t, "%zu of the 3 points that a law needs", points);
}

static void add_fit(far_table *t, const far_scaling *s, size_t agent, bool gap) {
  const far_scaling_fit fit = far_scaling_fit_of(s, agent, gap);
  char label[80];
  label_agent(label, sizeof label, s, agent);
  for (int law = 0; law < FAR_LAW_COUNT; ++law) {
    if (law > 0 && (!fit.fitted || !fit.growth.laws[law].fitted)) continue;
    far_table_row(t);
    if (law == 0)
      far_table_spec(t, label, s->def.agents[agent]);
    else
      far_table_blank(t);
    if (fit.fitted)
      add_law(t, s, &fit, (far_law)law, gap);
    else
      add_no_law(t, fit.growth.points);
  }
}

static void add_fits(far_report *report, const far_scaling *s, bool gap) {
  far_table *t = far_report_table(report, gap ? "gaps" : "laws");
  far_table_column(t, "agent", "agent", FAR_COLUMN_SPEC);
  far_table_column(t, "law", "law", FAR_COLUMN_TEXT);
  far_table_column(t, "fitted", "fitted", FAR_COLUMN_TEXT);
  far_table_column(t, "power", "power ± 95%", FAR_COLUMN_INTERVAL);
  far_table_column(t, "rate", "rate ± 95%", FAR_COLUMN_INTERVAL);
  far_table_column(t, "spread", "spread", FAR_COLUMN_REAL);
  far_table_column(t, "aicc", "AICc", FAR_COLUMN_REAL);
  far_table_column(t, "verdict", "", FAR_COLUMN_TEXT);
  for (size_t j = gap; j < s->def.n_agents; ++j) add_fit(t, s, j, gap);
}

/* ---- what is said around them ---- */

static void add_title(far_report *report, const far_scaling_def *d) {
  switch (d->measure) {
  case FAR_SCALING_EARNED:
    far_report_heading(
        report, 1, "Steps after which the reward so far stays above %g of the best average on %s",
        1 - d->eps, d->env);
    break;
  case FAR_SCALING_LEARNED:
    far_report_heading(
        report, 1,
        "Steps after which the frozen policy is within %g V* at the start for good on %s", d->eps,
        d->env);
    break;
  case FAR_SCALING_LAST_MISTAKE:
    far_report_heading(
        report, 1,
        "The last step on which the frozen policy is not within %g V*(start) of V* on %s", d->eps,
        d->env);
    break;
  case FAR_SCALING_REWARD:
    far_report_heading(report, 1, "Undiscounted reward of %lld steps on %s", (long long)d->steps,
                       d->env);
  }
}

static void add_head(far_report *report, const far_scaling *s) {
  const far_scaling_def *d = &s->def;
  const char *what = far__measures_time(s)
                         ? "median [95% interval] (runs not known to have learned)"
                         : "mean ± 95%";
  add_title(report, d);
  if (d->gamma == d->gamma)
    far_report_paragraph(report, "%s, %lld runs, seed %llu; discount %g unless a spec gives one",
                         what, (long long)d->runs, (unsigned long long)d->seed, d->gamma);
  else
    far_report_paragraph(
        report, "%s, %lld runs, seed %llu; discount 1 - %g / %s unless a spec gives one", what,
        (long long)d->runs, (unsigned long long)d->seed, d->gamma_scale, d->key);
}

static void add_caveats(far_report *report, const far_scaling *s) {
  for (size_t j = 0; j < s->def.n_agents; ++j) {
    size_t i = 0;
    while (i < s->def.n_sizes && !far__scaling_cell(s, i, j)->left_out) ++i;
    if (i < s->def.n_sizes)
      far_report_note(report, FAR_NOTE_CAVEAT,
                      "Agent %zu was not run at sizes from %lld on, since at the size before that "
                      "fewer than half of its runs had learned in %lld steps.",
                      j + 1, (long long)s->def.sizes[i], (long long)s->def.max_steps);
  }
}

static void add_methods(far_report *report, const far_scaling *s) {
  const far_scaling_def *d = &s->def;
  char budgets[400] = "";
  if (far__measures_time(s))
    snprintf(
        budgets, sizeof budgets,
        "At every size the budget of a run was doubled, up to %lld steps, until at most %g%% of "
        "%lld runs were censored, that is not known to have learned in the first half of it. "
        "Medians count censored runs as longer than that; their 95%% intervals are from order "
        "statistics. ",
        (long long)d->max_steps, 100 * d->censored, (long long)d->runs);
  far_report_methods(
      report,
      "%sLaws were fitted by least squares to the logarithms, with Student's 95%% "
      "intervals of the exponents; one fits better if its corrected Akaike criterion "
      "is lower by %g or more.",
      budgets, FAR_EVIDENCE);
}

static void add_store(far_report *report, const far_scaling *s) {
  long long reused = 0, computed = 0;
  if (s->def.store == NULL) return;
  for (size_t i = 0; i < s->def.n_sizes * s->def.n_agents; ++i) {
    reused += s->cells[i].reused;
    computed += s->cells[i].computed;
  }
  far_report_paragraph(report, "Reused %lld runs from the store; computed %lld.", reused, computed);
}

/* ---- JSON ---- */

/* "law" is the place of its agent in "laws": agents that do not learn are missing at larger sizes. */
static void write_cell(far_json *j, const far_scaling *s, size_t i) {
  const far_scaling_cell *cell = &s->cells[i];
  const far_times *x = &cell->times;
  far_json_object(j, NULL);
  far_json_integer(j, "size", (uint64_t)cell->size);
  far_json_integer(j, "law", (uint64_t)(i % s->def.n_agents));
  far_json_text(j, "env", cell->env);
  far_json_text(j, "agent", cell->agent);
  far_json_integer(j, "steps", (uint64_t)cell->steps);
  far_json_integer(j, "runs", (uint64_t)cell->runs);
  if (far__measures_time(s)) {
    far_json_integer(j, "censored", (uint64_t)x->censored);
    far_json_real(j, "limit", cell->limit);
    far_json_real(j, "median", x->median);
    far_json_real(j, "low", x->low);
    far_json_real(j, "high", x->high);
    far_json_real(j, "first_quartile", x->first_quartile);
    far_json_real(j, "third_quartile", x->third_quartile);
  } else {
    far_json_real(j, "mean", cell->mean);
    far_json_real(j, "ci95", cell->ci95);
  }
  far_json_real(j, "seconds", cell->seconds);
  if (s->def.store != NULL) far_json_integer(j, "reused", (uint64_t)cell->reused);
  far_json_text(j, "hash", cell->hash);
  far_json_end(j);
}

static void write_cells(far_json *j, const far_scaling *s) {
  far_json_array(j, "cells");
  for (size_t i = 0; i < s->def.n_sizes * s->def.n_agents; ++i)
    if (s->cells[i].known) write_cell(j, s, i);
  far_json_end(j);
}

static void write_law(far_json *j, const far_fit *f, far_law law) {
  if (!f->fitted) {
    far_json_null(j, far_law_name(law));
    return;
  }
  far_json_object(j, far_law_name(law));
  far_json_real(j, "scale", f->scale);
  if (law != FAR_LAW_EXPONENTIAL) {
    far_json_real(j, "power", f->power);
    far_json_real(j, "power_ci95", f->power_ci95);
  }
  if (law != FAR_LAW_POLYNOMIAL) {
    far_json_real(j, "rate", f->rate);
    far_json_real(j, "rate_ci95", f->rate_ci95);
  }
  far_json_real(j, "spread", f->spread);
  far_json_real(j, "aicc", f->aicc);
  far_json_end(j);
}

static void write_laws(far_json *j, const far_scaling *s, bool gap) {
  far_json_array(j, gap ? "gaps" : "laws");
  for (size_t k = gap; k < s->def.n_agents; ++k) {
    const far_scaling_fit fit = far_scaling_fit_of(s, k, gap);
    far_json_object(j, NULL);
    far_json_text(j, "agent", s->def.agents[k]);
    far_json_integer(j, "points", fit.growth.points);
    for (int law = 0; law < FAR_LAW_COUNT; ++law) write_law(j, &fit.growth.laws[law], (far_law)law);
    far_json_real(j, "evidence", fit.fitted ? fit.growth.evidence : NAN);
    far_json_text(j, "better", fit.better < FAR_LAW_COUNT ? far_law_name(fit.better) : NULL);
    if (gap) far_json_flag(j, "flat", fit.flat);
    far_json_end(j);
  }
  far_json_end(j);
}

static void write_data(const void *user, far_json *j) {
  const far_scaling *s = user;
  far_json_integer(j, "seed", s->def.seed);
  write_cells(j, s);
  write_laws(j, s, false);
  write_laws(j, s, true);
  far_json_text(j, "env", s->def.env);
  far_json_text(j, "key", s->def.key);
  far_json_text(j, "measure", far_scaling_measure_name(s->def.measure));
  far_json_real(j, "eps", s->def.eps);
  far_json_real(j, "gamma", s->def.gamma);
  far_json_real(j, "gamma_scale", s->def.gamma == s->def.gamma ? NAN : s->def.gamma_scale);
}

/* ---- the whole ---- */

void far_scaling_report(const far_scaling *s, far_report *report) {
  add_head(report, s);
  add_cells(report, s);
  add_values(report, s);
  far_report_heading(report, 2, "Laws (spread: standard deviation of the logarithm about the law)");
  add_fits(report, s, false);
  if (s->def.n_agents > 1) {
    far_report_heading(report, 2, "Gap: %s",
                       far__measures_time(s) ? "steps of an agent / steps of agent 1"
                                             : "reward of agent 1 / reward of an agent");
    add_fits(report, s, true);
  }
  add_caveats(report, s);
  add_store(report, s);
  far_report_list(report, "Agents");
  for (size_t j = 0; j < s->def.n_agents; ++j)
    far_report_item(report, "%zu %s", j + 1, s->def.agents[j]);
  add_methods(report, s);
  far_report_data_by(report, write_data, s);
}
