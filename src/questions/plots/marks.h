/* Marks that several plots draw in a panel. */
#ifndef FAR_QUESTIONS_PLOTS_MARKS_H
#define FAR_QUESTIONS_PLOTS_MARKS_H

#include "report/figure/axes.h"

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
