/* A panel of performance profiles: which share of the runs reaches which score, with bands. */
#ifndef FAR_QUESTIONS_COMPARISON_PROFILE_PANEL_H
#define FAR_QUESTIONS_COMPARISON_PROFILE_PANEL_H

#include "questions/comparison/profiles.h"
#include "report/figure/axes.h"

typedef struct far__profile_label far__profile_label;

typedef struct far__profile_panel {
  far_figure *f;
  const far__profiles *profiles;
  const size_t *agents; /* of the profiles: those that are shown */
  size_t *series;       /* of each of these: its colour */
  const char **names;   /* likewise */
  size_t n;
  far__panel panel;           /* its area; far__profile_panel_axes sets the axes */
  far__profile_label *labels; /* of each agent; or there is a legend */
  bool direct;                /* names stand beside their lines */
} far__profile_panel;

void far__profile_panel_axes(far__profile_panel *panel);

/* Finds places for the names beside the lines: all have one, or false. */
bool far__profile_panel_label(far__profile_panel *panel);

/* Axes, bands, lines, and names where they are `direct`. */
void far__profile_panel_draw(const far__profile_panel *panel, const char *title);

/* "psrl: half of the runs are above 0.93." and so on, each after a blank. */
const char *far__profile_panel_words(const far__profile_panel *panel);

/* Some agent has a band. */
bool far__profile_panel_has_bands(const far__profile_panel *panel);

#endif
