/* Rows of marks: a row an agent, a panel an environment or a number, as several kinds of plots have them. */
#ifndef FAR_QUESTIONS_COMPARISON_ROWS_H
#define FAR_QUESTIONS_COMPARISON_ROWS_H

#include "farsight/statistics.h"
#include "questions/plots/plot.h"

/* A number with its interval. */
typedef struct far__row_mark {
  bool exists;
  double value;     /* drawn if it is finite */
  double low, high; /* NAN: no interval */
  bool open;        /* the mark is not filled */
  const char *text; /* beside; or NULL */
  const char *more; /* below that, where rows are high enough; or NULL */
  const char *tip;  /* or NULL */
} far__row_mark;

typedef struct far__rows {
  far_figure *f;
  size_t n; /* rows */
  const char *const *names;
  const size_t *series; /* of each row: the number that decides colour and mark */
  size_t n_panels;
  const char *const *titles;   /* of the panels; NULL, or NULL members: none */
  const far__row_mark *marks;  /* of panel p and row i at p * n + i */
  const far_sample *dots;      /* likewise; or NULL */
  double reference;            /* a line across all rows; NAN: none */
  double least, most;          /* ends of the axes; NAN: by the data */
  const char *x_title;         /* below the panels; or NULL */
  const char *const *x_titles; /* or one for each */
} far__rows;

/* The figure's own memory for all marks, and for dots. */
far__row_mark *far__row_marks(far_figure *f, size_t n_panels, size_t n);

/* Draws the rows below `top`, and sets the height of the figure. */
void far__rows_draw(const far__rows *rows, double top);

/* Adds all numbers of the rows in words to a description. */
const char *far__rows_describe(const far__rows *rows);

#endif
