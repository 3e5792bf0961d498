/* The parts of 'farsight watch STORE': what of a running study is shown, and how. */
#ifndef FARSIGHT_CLI_WATCH_STORE_H
#define FARSIGHT_CLI_WATCH_STORE_H

#include <farsight/lab.h>

#include "cli.h"
#include "frame.h"
#include "questions/store/store-progress.h"
#include "watch_plan.h"

/* Options of the command that are for stores. */
#define WATCH_STORE_OPTIONS                                                                        \
  {0, "every", "SECONDS",                                                                          \
   "STORE: look for new runs so often (default 1, and 5 where frames are printed)",                \
   COMPLETE_NONE},                                                                                 \
      {0, "once", NULL, "STORE: print one frame with all cells, and end", COMPLETE_NONE}, {        \
    0, "wait", NULL, "STORE: wait for the file if it is not there yet", COMPLETE_NONE              \
  }

/* Follows the store that the first word names; the second may name its study. The exit code. */
int watch_store(const arguments *args);

/* ---- the view ---- */

typedef enum sort_kind {
  SORT_PLAN, /* as planned, environment by environment */
  SORT_AGENT,
  SORT_WIDTH,    /* the widest interval first, in per cent of the mean */
  SORT_PROGRESS, /* the least done first */
  N_SORTS
} sort_kind;

enum { FILTER_SIZE = 80 };

typedef struct store_view {
  const char *path;
  const far__store_progress *seen;
  const watch_plan *plan;
  char message[300]; /* why the last poll saw nothing; or "" */
  int64_t *before;   /* runs of the cells at the poll before the last; NULL: there was none */
  size_t n_before;
  size_t *rows; /* the cells that are shown, in order */
  size_t n_rows, rows_capacity;
  size_t top;       /* the first that is on the screen */
  size_t page;      /* how many the last frame had room for */
  bool is_scrolled; /* by a key; else the work is kept in sight */
  sort_kind sort;
  char filter[FILTER_SIZE];
  bool typing; /* the filter */
  bool paused;
  bool shows_sessions; /* in place of cells */
  bool live;           /* keys can be pressed */
} store_view;

void store_view_free(store_view *view);

/* Chooses and orders the cells; call it after every poll and key. */
void store_view_arrange(store_view *view);

/* The rows that a frame needs to show all cells. */
int store_view_height(const store_view *view, int width);

void store_view_draw(store_view *view, frame *f);

/* Does what a key asks for; false for those that it does not know. */
bool store_view_key(store_view *view, int key);

/* ---- its parts ---- */

/* Title, bar and totals; the first row below them. */
int draw_store_head(const store_view *view, frame *f);

/* Sessions from row y on, in at most so many rows. */
void draw_store_sessions(const store_view *view, frame *f, int y, int rows);

/* A bar of so many columns of which a share is full, and what both parts are made of. */
void draw_bar(frame *f, int x, int y, int width, double share, look style, uint32_t full,
              uint32_t rest);

#endif
