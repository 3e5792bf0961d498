/* The numbers of a sensitivity as tables. */
#include "questions/sensitivity/sensitivity.h"
#include "report/build.h"
#include "run/series.h"

/* ---- one parameter on one environment ---- */

static far_table *begin_table(far_report *report, const far__sensitivity *x,
                              const far__sensitivity_parameter *p) {
  far_table *t = far__report_table(report, "sensitivity");
  far__table_column(t, "agent", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "parameter", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "env", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "line", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "value", p->key, FAR__COLUMN_TEXT);
  far__table_column(t, "others", p->n_lines + p->n_left_out > 1 ? "others" : NULL,
                    FAR__COLUMN_TEXT);
  const bool time = !x->search && far__series_event(x->series) != NULL;
  far__table_column(t, "mean",
                    x->search ? x->series
                    : time    ? "restricted mean"
                              : "mean",
                    FAR__COLUMN_INTERVAL);
  far__table_column(t, "runs", "runs", FAR__COLUMN_COUNT);
  far__table_column(t, "censored", time ? "censored" : NULL, FAR__COLUMN_COUNT);
  return t;
}

static void add_point(far_table *t, const far__sensitivity_parameter *p, const char *env,
                      const char *line, size_t v, const far__sensitivity_point *point) {
  if (point->runs == 0) return;
  far__table_row(t);
  far__table_text(t, "%s", p->agent);
  far__table_text(t, "%s", p->key);
  far__table_text(t, "%s", env);
  far__table_text(t, "%s", line);
  far__table_text(t, "%s", p->values[v].text);
  far__table_text(t, "%s", point->other);
  far__table_interval_of(t, point->mean, point->low, point->high);
  far__table_count(t, point->runs);
  far__table_count(t, point->censored);
}

/* Each line, then the best at each value where that may be of another line. */
static void add_panel(far_report *report, const far__sensitivity *x,
                      const far__sensitivity_parameter *p, const far__sensitivity_panel *panel) {
  far__report_heading(report, 3, "%s", panel->env);
  far_table *t = begin_table(report, x, p);
  for (size_t k = 0; k < p->n_lines; ++k) {
    if (k > 0) far__table_rule(t);
    for (size_t v = 0; v < p->n_values; ++v)
      add_point(t, p, panel->env, "setting", v, &panel->points[k * p->n_values + v]);
  }
  if (p->n_lines + p->n_left_out < 2) return;
  far__report_paragraph(report, "The best over the others at each value:");
  t = begin_table(report, x, p);
  for (size_t v = 0; v < p->n_values; ++v) add_point(t, p, panel->env, "best", v, &panel->best[v]);
}

/* ---- the whole ---- */

static void add_parameter(far_report *report, const far__sensitivity *x,
                          const far__sensitivity_parameter *p) {
  far__report_heading(report, 2, "%s: %s", p->agent, p->key);
  if (p->chosen != NULL) far__report_paragraph(report, "The best setting has %s.", p->chosen);
  for (size_t i = 0; i < p->n_panels; ++i) add_panel(report, x, p, &p->panels[i]);
  if (p->n_left_out > 0)
    far__report_note(report, FAR__NOTE_REMARK,
                     "%s of %s: %zu combinations of the other parameters are left out; they count "
                     "for the best at each value.",
                     p->key, p->agent, p->n_left_out);
  if (p->n_without > 0)
    far__report_note(report, FAR__NOTE_REMARK, "%s does not apply to %zu settings of %s.", p->key,
                     p->n_without, p->agent);
}

void far__sensitivity_report(const far__sensitivity *x, far_report *report) {
  far__report_heading(report, 1, "Parameter sensitivity, %s; %s is better", x->series,
                      x->lower ? "lower" : "higher");
  for (size_t i = 0; i < x->n_parameters; ++i) add_parameter(report, x, &x->parameters[i]);
  if (x->n_parameters == 0)
    far__report_paragraph(report, "No two agents of one algorithm differ in a parameter.");
  if (x->search)
    far__report_methods(report,
                        "Each parameter was varied alone from the best setting of the search. "
                        "Intervals are Student's 95%% intervals of the difference from the best "
                        "setting's %s on the same runs.",
                        x->series);
  else
    far__report_methods(
        report,
        "Means of the runs with Student's %g%% intervals. The best over the others "
        "is chosen by the same means and so is optimistic.%s",
        100 * x->level,
        far__series_event(x->series) == NULL
            ? ""
            : " These are restricted means up to the end of the run: a run without the event by "
              "then is censored and counts as all of its steps.");
}
