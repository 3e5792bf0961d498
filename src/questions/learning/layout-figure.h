/* Figures on the layout of a model: numbers of states, or of states and actions, where the states are; and
 * policies as arrows. Several arrays are several panels with one scale of colours.
 *
 *     const far__layout_panel panel = {.title = "after 500 steps", .values = v};
 *     far__layout_figure_def def = far__layout_figure_def_default();
 *     def.mdp = mdp;
 *     def.panels = &panel;
 *     def.n_panels = 1;
 *     def.scale = "value";
 *     far_figure *figure;
 *     far_status status = far__layout_figure(&figure, &def, &error);
 *
 * far__learning_figure draws what an agent knew at several times of a run.
 *
 * A grid is drawn as cells with walls and labels, a line as columns of states with a row for each action, a
 * graph as nodes and transitions, a model without a layout as a table of states and actions.
 */
#ifndef FAR_QUESTIONS_LEARNING_LAYOUT_FIGURE_H
#define FAR_QUESTIONS_LEARNING_LAYOUT_FIGURE_H

#include "farsight/comparison.h"
#include "farsight/mdp.h"
#include "farsight/report.h"
#include "questions/learning/learning.h"

/* ---- any numbers ---- */

typedef struct far__layout_panel {
  const char *title; /* above; may be NULL */
  const char *note;  /* behind the title, of second rank; may be NULL */
  /* n_states numbers, or one for each pair (s * n_actions + a) if def.pairs; NAN where there is none. NULL:
   * all cells are empty. Numbers of states that are not live are not read. */
  const double *values;
  const double *policy; /* probabilities of pairs, drawn as arrows; may be NULL */
  const double *visits; /* of pairs: a state without any is drawn empty. NULL: all are drawn */
} far__layout_panel;

typedef enum far__fold { FAR__FOLD_MAX, FAR__FOLD_SUM } far__fold;

/* Strings and arrays must live as long as the call. */
typedef struct far__layout_figure_def {
  const far_mdp *mdp;
  const far__layout_panel *panels;
  size_t n_panels;    /* 1 to FAR__LAYOUT_PANELS */
  bool pairs;         /* values are of pairs; false by default */
  bool whole;         /* one number a state, also where there would be room for the actions */
  far__fold fold;     /* what that number is */
  bool zero_is_empty; /* of values: 0 is drawn empty, as where nothing was visited */
  bool no_numbers;    /* in cells, also where there is room for them */
  double low, high;   /* ends of the scale; NAN, the default: those of the values */
  const far__layout_panel *others; /* panels that are not drawn, but whose values widen the scale */
  size_t n_others;
  far_plot_scale colours;  /* AUTO, the default: logarithmic where numbers differ by a factor of 100
                                * or more and `zero_is_empty` */
  const char *kind;        /* of the figure; "layout" by default */
  const char *title;       /* NULL: "Values" */
  const char *subtitle;    /* NULL: the environment and its size */
  const char *scale;       /* what the colours are; NULL: "value" */
  const char *description; /* for those who do not see it; NULL: made from the titles */
  double width;            /* in units of 1/96 inch; 720 by default */
} far__layout_figure_def;

enum { FAR__LAYOUT_PANELS = 24, FAR__LAYOUT_STATES = 40000 };

far__layout_figure_def far__layout_figure_def_default(void);

/* Draws. Of lines and tables with more states than there is room for the first are shown, and the figure says
 * so; RANGE for grids and graphs of more than FAR__LAYOUT_STATES states in all panels, or for other numbers of
 * panels; MEMORY. *out is then NULL. */
far_status far__layout_figure(far_figure **out, const far__layout_figure_def *def,
                              far_error *error);

/* ---- what an agent knew ---- */

typedef struct far__learning_figure_def {
  /* FAR__LEARNING_ALL, the default; or one, with the scale and the size that all have. */
  size_t frame;
  bool exact; /* beside q, value and policy the exact one; true by default */
  far_plot_scale colours;
  const char *remark; /* behind the subtitle; may be NULL */
  double width;       /* 720 by default */
} far__learning_figure_def;

#define FAR__LEARNING_ALL ((size_t)-1)

far__learning_figure_def far__learning_figure_def_default(void);

/* Draws a quantity at all times (at most eight of them, evenly chosen) or at one. UNKNOWN if the algorithm has
 * no such quantity; RANGE (no such frame, or as far__layout_figure does), MEMORY; *out is then NULL. */
far_status far__learning_figure(far_figure **out, const far__learning *learning,
                                far__learned quantity, const far__learning_figure_def *def,
                                far_error *error);

#endif
