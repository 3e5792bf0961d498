/* The numbers of growth curves as tables. */
#include <stdio.h>

#include "questions/growth/growth-curves.h"
#include "questions/growth/scaling.h"
#include "report/build.h"
#include "statistics/growth.h"

static void add_point(far_table *t, const far__growth_curves *x, const far__growth_family *f,
                      const far__growth_curve *c, size_t i) {
  const far__growth_point *p = &c->points[i];
  if (p->runs == 0) return;
  far__table_row(t);
  far__table_text(t, "%s", f->env);
  far__table_text(t, "%s", c->agent);
  far__table_count(t, f->sizes[i]);
  if (x->times)
    far__table_interval_as(t, p->value, p->low, p->high, "%s [%s, %s]",
                           far__brief_real(p->value).text, far__brief_real(p->low).text,
                           far__brief_real(p->high).text);
  else
    far__table_interval_of(t, p->value, p->low, p->high);
  far__table_count(t, p->runs);
  far__table_count(t, p->censored);
  far__table_real(t, p->limit);
}

static void add_points(far_report *report, const far__growth_curves *x,
                       const far__growth_family *f) {
  far_table *t = far__report_table(report, "growth");
  far__table_column(t, "env", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "agent", "agent", FAR__COLUMN_TEXT);
  far__table_column(t, "size", f->key, FAR__COLUMN_COUNT);
  far__table_column(t, x->times ? "median" : "mean", x->times ? "median" : "mean",
                    FAR__COLUMN_INTERVAL);
  far__table_column(t, "runs", "runs", FAR__COLUMN_COUNT);
  far__table_column(t, "censored", x->times ? "censored" : NULL, FAR__COLUMN_COUNT);
  far__table_column(t, "limit", NULL, FAR__COLUMN_REAL);
  for (size_t j = 0; j < f->n_curves; ++j) {
    if (j > 0) far__table_rule(t);
    for (size_t i = 0; i < f->n_sizes; ++i) add_point(t, x, f, &f->curves[j], i);
  }
}

static void add_law(far_table *t, const far__growth_family *f, const far__growth_curve *c,
                    far__law law) {
  const far__fit *fit = &c->fit.growth.laws[law];
  if (!c->fit.fitted || !fit->fitted) return;
  far__table_row(t);
  far__table_text(t, "%s", f->env);
  far__table_text(t, "%s", c->agent);
  far__table_text(t, "%s", far__law_name(law));
  far__table_real(t, fit->scale);
  far__table_exponent(t, law != FAR__LAW_EXPONENTIAL, fit->power, fit->power_ci95);
  far__table_exponent(t, law != FAR__LAW_POLYNOMIAL, fit->rate, fit->rate_ci95);
  far__table_text(t, "%s", far__law_verdict(&c->fit, law, false));
}

static void add_laws(far_report *report, const far__growth_family *f) {
  bool any = false;
  for (size_t j = 0; j < f->n_curves; ++j) any = any || f->curves[j].fit.fitted;
  if (!any) return;
  far_table *t = far__report_table(report, "laws");
  far__table_column(t, "env", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "agent", "agent", FAR__COLUMN_TEXT);
  far__table_column(t, "law", "law", FAR__COLUMN_TEXT);
  far__table_column(t, "scale", "scale", FAR__COLUMN_REAL);
  far__table_column(t, "power", "power ± 95%", FAR__COLUMN_INTERVAL);
  far__table_column(t, "rate", "rate ± 95%", FAR__COLUMN_INTERVAL);
  far__table_column(t, "verdict", "", FAR__COLUMN_TEXT);
  for (size_t j = 0; j < f->n_curves; ++j)
    for (int law = 0; law < FAR__LAW_COUNT; ++law) add_law(t, f, &f->curves[j], (far__law)law);
}

void far__growth_curves_report(const far__growth_curves *x, far_report *report) {
  far__report_heading(report, 1, "Growth with size: %s", x->quantity);
  for (size_t i = 0; i < x->n_families; ++i) {
    const far__growth_family *f = &x->families[i];
    far__report_heading(report, 2, "%s, by %s", f->env, f->key);
    add_points(report, x, f);
    add_laws(report, f);
  }
  if (x->n_families == 0)
    far__report_paragraph(report, "No two environments differ in a size alone.");
  far__report_methods(
      report,
      "%s Laws were fitted by least squares to the logarithms, with Student's 95%% intervals of "
      "the "
      "exponents; one fits better if its corrected Akaike criterion is lower by %g or more.",
      x->times
          ? "Medians count censored runs as longer than the limit; their 95% intervals are from "
            "order statistics."
          : "Means of the runs with Student's intervals.",
      FAR__EVIDENCE);
}
