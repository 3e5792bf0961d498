/* What the kinds of plots share. */
#ifndef FAR_QUESTIONS_PLOTS_PLOT_H
#define FAR_QUESTIONS_PLOTS_PLOT_H

#include "farsight/comparison.h"
#include "report/figure/axes.h"

/* far_plot_create of a comparison that is there, for the kinds that show one, of one of its groups; of `def->results`
 * only models and the progress function are read. CONFLICT for other kinds. */
far_status far__plot_comparison(far_figure **out, const char *kind,
                                const far_comparison *comparison, size_t group,
                                const far_plot_def *def, far_error *error);

/* One kind of plot: one const descriptor, and at least one of the two functions. */
typedef struct far__plot {
  const char *name;    /* as on the command line */
  const char *summary; /* one line */
  bool bootstrap; /* it shows intervals that are resampled: the comparison is not a quick one */
  /* Draws a group of a comparison. */
  far_status (*of_comparison)(far_figure **out, const far_comparison *comparison,
                              const far_comparison_group *group, const far_plot_def *def,
                              far_error *error);
  /* Or anything else that can be computed from a store; goes before the former if there are both. */
  far_status (*of_store)(far_figure **out, far_store *store, const far_plot_def *def,
                         far_error *error);
  /* The numbers behind it, one of the two, and the table that they stand in. */
  far_status (*numbers_of_comparison)(far_report *report, const far_comparison *comparison,
                                      size_t group, const far_plot_def *def, far_error *error);
  far_status (*numbers_of_store)(far_report *report, far_store *store, const far_plot_def *def,
                                 far_error *error);
  const char *table;
} far__plot;

/* Adds all tables of the comparison. */
far_status far__numbers_of_comparison(far_report *report, const far_comparison *comparison,
                                      size_t group, const far_plot_def *def, far_error *error);

#define PLOT(name) extern const far__plot far__plot_##name;
#include "plots.def"
#undef PLOT

/* The agents that are shown: all, in their order, or the `most` best ones by their rank in the mean over
 * environments, and always the baseline. */
typedef struct far__shown {
  size_t *agents; /* indices in the group */
  size_t n, left_out;
} far__shown;
far_status far__shown_create(far__shown *out, const far_comparison *comparison,
                             const far_comparison_group *group, size_t most, far_error *error);
void far__shown_free(far__shown *shown);

/* The same of n agents by ranks of their own, the least first; `always` (n: none) stays. */
far_status far__shown_by(far__shown *out, const double *ranks, size_t n, size_t most, size_t always,
                         far_error *error);

/* A figure of this kind: `draw` draws those agents of the group that are shown, at most `most`. */
typedef void far__draw_shown_fn(far_figure *f, const far_comparison *comparison,
                                const far_comparison_group *group, const far__shown *shown);
far_status far__draw_shown(far_figure **out, const char *kind, const far_comparison *comparison,
                           const far_comparison_group *group, double width, size_t most,
                           far__draw_shown_fn *draw, far_error *error);

/* The same for a kind that shows agents beside their baseline: at least two of them; UNKNOWN where the
 * group has no baseline or no other agent. */
far_status far__draw_beside_baseline(far_figure **out, const char *kind,
                                     const far_comparison *comparison,
                                     const far_comparison_group *group, const far_plot_def *def,
                                     far__draw_shown_fn *draw, far_error *error);

/* Its labels as an array of the figure's own; NULL without memory. */
const char **far__shown_labels(far_figure *f, const far_comparison_group *group,
                               const far__shown *shown);

/* "chain:n=10, 5,000 steps, 300 runs each; the best 12 of 40 agents": what the numbers are of. */
const char *far__results_line(far_figure *f, const far_comparison_group *group,
                              const far__shown *shown);

/* "; 12 cells of an older version left out", or "" for none. */
const char *far__older_text(far_figure *f, size_t n);

/* ", 5 of 20 runs censored" with that comma, or "" if none is. */
const char *far__censored_text(far_figure *f, const char *comma, int64_t censored, int64_t runs);

/* "; the best 12 of 40 agents", or "" where all are shown. */
const char *far__best_of(far_figure *f, size_t shown, size_t all);

/* "total reward", "regret (against=gain)", or the name of the series. */
const char *far__series_title(far_figure *f, const char *series);

/* FAR_OK if there is one group; UNKNOWN without any; else CONFLICT, and the message says how the first
 * two differ. */
typedef struct far__group_key {
  int64_t steps, episodes;
  uint64_t seed;
} far__group_key;
far_status far__check_one_group(size_t n_groups, const far__group_key keys[2], far_error *error);

/* "7273 ± 14" */
const char *far__interval_text(far_figure *f, double value, double low, double high);

/* "p < 0.0001", "p = 0.03" */
const char *far__p_text(far_figure *f, double p);

/* "p (Holm)", and "0.05": what is asked of it. */
const char *far__correction_text(far_figure *f, const far_comparison *comparison);
const char *far__alpha_text(far_figure *f, const far_comparison *comparison);

/* "0.93 [0.91, 0.94]" */
const char *far__estimate_text(far_figure *f, const far_estimate *estimate);

/* The same with a capital letter at the beginning. */
const char *far__capital(far_figure *f, const char *text);

/* An upright interval at x units from the left edge of the figure, cut at the panel; an end that is not
 * finite is an arrow to the edge. Nothing if low or high is NAN. */
void far__draw_upright(far_figure *f, const far__panel *p, double x, double low, double high,
                       far__ink ink);

/* The same for an interval that lies at y. */
void far__draw_lying(far_figure *f, const far__panel *p, double y, double low, double high,
                     far__ink ink);

/* Labels of agents, the long ones without what all others of their type give as well (far__label_brief); NULL
 * without memory. */
const char **far__brief_labels(far_figure *f, const char *const *labels, size_t n);

/* x^power, the same bits everywhere; x > 0. */
double far__power(double x, double power);

#endif
