/* The numbers of growth curves as tables. */
#include <stdio.h>

#include "farsight/growth-curves.h"

static void put_value(far_table *t, const far_growth_point *p, bool times) {
  char value[FAR_BRIEF_SIZE], low[FAR_BRIEF_SIZE], high[FAR_BRIEF_SIZE];
  if (!times) {
    far_interval_brief(value, p->value, (p->high - p->low) / 2);
    far_table_interval_as(t, p->value, p->low, p->high, "%s", value);
    return;
  }
  far_real_brief(value, p->value);
  far_real_brief(low, p->low);
  far_real_brief(high, p->high);
  far_table_interval_as(t, p->value, p->low, p->high, "%s [%s, %s]", value, low, high);
}

static void add_point(far_table *t, const far_growth_curves *x, const far_growth_family *f,
                      const far_growth_curve *c, size_t i) {
  const far_growth_point *p = &c->points[i];
  if (p->runs == 0) return;
  far_table_row(t);
  far_table_text(t, "%s", f->env);
  far_table_text(t, "%s", c->agent);
  far_table_count(t, f->sizes[i]);
  put_value(t, p, x->times);
  far_table_count(t, p->runs);
  far_table_count(t, p->censored);
  far_table_real(t, p->limit);
}

static void add_points(far_report *report, const far_growth_curves *x, const far_growth_family *f) {
  far_table *t = far_report_table(report, "growth");
  far_table_column(t, "env", NULL, FAR_COLUMN_TEXT);
  far_table_column(t, "agent", "agent", FAR_COLUMN_TEXT);
  far_table_column(t, "size", f->key, FAR_COLUMN_COUNT);
  far_table_column(t, x->times ? "median" : "mean", x->times ? "median" : "mean",
                   FAR_COLUMN_INTERVAL);
  far_table_column(t, "runs", "runs", FAR_COLUMN_COUNT);
  far_table_column(t, "censored", x->times ? "censored" : NULL, FAR_COLUMN_COUNT);
  far_table_column(t, "limit", NULL, FAR_COLUMN_REAL);
  for (size_t j = 0; j < f->n_curves; ++j) {
    if (j > 0) far_table_rule(t);
    for (size_t i = 0; i < f->n_sizes; ++i) add_point(t, x, f, &f->curves[j], i);
  }
}

static void put_exponent(far_table *t, bool applies, double value, double ci95) {
  if (applies)
    far_table_interval_as(t, value, value - ci95, value + ci95, "%.3g ± %.2g", value, ci95);
  else
    far_table_blank(t);
}

static const char *verdict(const far_scaling_fit *fit, far_law law) {
  if (law == FAR_LAW_MIXED) return fit->mixed_better ? "fits better than either" : "";
  if (fit->better == FAR_LAW_COUNT) return law == FAR_LAW_POLYNOMIAL ? "undecided" : "";
  return fit->better == law ? "fits better" : "";
}

static void add_law(far_table *t, const far_growth_family *f, const far_growth_curve *c,
                    far_law law) {
  const far_fit *fit = &c->fit.growth.laws[law];
  if (!c->fit.fitted || !fit->fitted) return;
  far_table_row(t);
  far_table_text(t, "%s", f->env);
  far_table_text(t, "%s", c->agent);
  far_table_text(t, "%s", far_law_name(law));
  far_table_real(t, fit->scale);
  put_exponent(t, law != FAR_LAW_EXPONENTIAL, fit->power, fit->power_ci95);
  put_exponent(t, law != FAR_LAW_POLYNOMIAL, fit->rate, fit->rate_ci95);
  far_table_text(t, "%s", verdict(&c->fit, law));
}

static void add_laws(far_report *report, const far_growth_family *f) {
  bool any = false;
  for (size_t j = 0; j < f->n_curves; ++j) any = any || f->curves[j].fit.fitted;
  if (!any) return;
  far_table *t = far_report_table(report, "laws");
  far_table_column(t, "env", NULL, FAR_COLUMN_TEXT);
  far_table_column(t, "agent", "agent", FAR_COLUMN_TEXT);
  far_table_column(t, "law", "law", FAR_COLUMN_TEXT);
  far_table_column(t, "scale", "scale", FAR_COLUMN_REAL);
  far_table_column(t, "power", "power ± 95%", FAR_COLUMN_INTERVAL);
  far_table_column(t, "rate", "rate ± 95%", FAR_COLUMN_INTERVAL);
  far_table_column(t, "verdict", "", FAR_COLUMN_TEXT);
  for (size_t j = 0; j < f->n_curves; ++j)
    for (int law = 0; law < FAR_LAW_COUNT; ++law) add_law(t, f, &f->curves[j], (far_law)law);
}

void far_growth_curves_report(const far_growth_curves *x, far_report *report) {
  far_report_heading(report, 1, "Growth with size: %s", x->quantity);
  for (size_t i = 0; i < x->n_families; ++i) {
    const far_growth_family *f = &x->families[i];
    far_report_heading(report, 2, "%s, by %s", f->env, f->key);
    add_points(report, x, f);
    add_laws(report, f);
  }
  if (x->n_families == 0)
    far_report_paragraph(report, "No two environments differ in a size alone.");
  far_report_methods(
      report,
      "%s Laws were fitted by least squares to the logarithms, with Student's 95%% intervals of "
      "the "
      "exponents; one fits better if its corrected Akaike criterion is lower by %g or more.",
      x->times
          ? "Medians count censored runs as longer than the limit; their 95% intervals are from "
            "order statistics."
          : "Means of the runs with Student's intervals.",
      FAR_EVIDENCE);
}
