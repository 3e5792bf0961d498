/* The cells of a store as rows: progress, mean, interval and how it became narrow. */
#include <math.h>
#include <string.h>

#include "memory.h"
#include "output.h"
#include "questions/listing/label.h"
#include "questions/store/store-progress.h"
#include "report/build.h"
#include "screen.h"
#include "watch_store.h"

void store_view_free(store_view *v) {
  free(v->before);
  free(v->rows);
  *v = (store_view){0};
}

/* ---- which cells, and in what order ---- */

/* The half-width in per cent of the mean; NAN if only the mean is 0. */
static double relative_width(const far__store_progress_cell *c) {
  return c->mean != 0 ? 100 * c->ci95 / fabs(c->mean) : c->ci95 == 0 ? 0 : NAN;
}

static double share_of(const far__store_progress_cell *c) {
  return c->planned > 0 ? (double)c->done / (double)c->planned : 0;
}

static const store_view *sorted; /* the view whose cells compare_cells compares */

/* NAN, for what is not known, is last. */
static int compare_numbers(double x, double y) {
  if (isnan(x) || isnan(y)) return isnan(x) - isnan(y);
  return (x > y) - (x < y);
}

static int compare_cells(const void *a, const void *b) {
  const size_t i = *(const size_t *)a, j = *(const size_t *)b;
  const far__store_progress_cell *x = &sorted->seen->cells[i], *y = &sorted->seen->cells[j];
  int order = 0;
  if (sorted->sort == SORT_AGENT) order = strcmp(x->agent, y->agent);
  if (sorted->sort == SORT_WIDTH) order = compare_numbers(-relative_width(x), -relative_width(y));
  if (sorted->sort == SORT_PROGRESS) order = compare_numbers(share_of(x), share_of(y));
  return order != 0 ? order : (i > j) - (i < j);
}

static bool passes(const store_view *v, const far__store_progress_cell *c) {
  return v->filter[0] == '\0' || strstr(c->env, v->filter) != NULL ||
         strstr(c->agent, v->filter) != NULL;
}

void store_view_arrange(store_view *v) {
  const size_t n = v->seen->n_cells;
  if (n > v->rows_capacity) {
    free(v->rows);
    v->rows_capacity = 2 * n;
    v->rows = room_for(v->rows_capacity, sizeof *v->rows);
  }
  v->n_rows = 0;
  for (size_t i = 0; i < n; ++i)
    if (passes(v, &v->seen->cells[i])) v->rows[v->n_rows++] = i;
  sorted = v;
  if (v->n_rows > 1 && v->sort != SORT_PLAN)
    qsort(v->rows, v->n_rows, sizeof *v->rows, compare_cells);
}

/* ---- columns ---- */

/* Characters of bars and of curves of widths are lower than a row, so that those of neighbouring rows do not touch. */
enum { LOW = 0x2581, HIGH = 0x2587 };

enum {
  GAP = 2,
  SPARKS = 10,
  BAR = 12,
  LEAST_BAR = 6,
  MOST_ENV = 28,
  MOST_AGENT = 44,
  PER_CENT = 7
};

/* The width of each column; 0: it is left out. */
typedef struct columns {
  int env, agent, bar, runs, mean, relative, sparks;
} columns;

static far__brief runs_text(const far__store_progress_cell *c, bool about) {
  far__brief out;
  if (c->is_planned)
    snprintf(out.text, sizeof out.text, "%.24s/%s%.24s", far__brief_count(c->done).text,
             about && !c->finished ? "~" : "", far__brief_count(c->planned).text);
  else
    out = far__brief_count(c->runs);
  return out;
}

static far__brief mean_text(const far__store_progress_cell *c) {
  return c->runs > 0 ? far__brief_interval(c->mean, c->ci95) : (far__brief){"–"};
}

static void widen(int *width, const char *text) {
  const int w = frame_width(text);
  if (w > *width) *width = w;
}

static int total(const columns *c) {
  const int widths[] = {c->env, c->agent, c->bar, c->runs, c->mean, c->relative, c->sparks};
  int sum = 2; /* the mark */
  for (size_t i = 0; i < sizeof widths / sizeof *widths; ++i)
    if (widths[i] > 0) sum += widths[i] + GAP;
  return sum - GAP;
}

/* Makes a column narrower, but not narrower than `least`, if all columns together are wider than `room`. */
static void shrink(columns *c, int *width, int least, int room) {
  const int over = total(c) - room;
  if (over <= 0 || *width <= least) return;
  *width = *width - over > least ? *width - over : least;
}

static void leave_out(columns *c, int *width, int room) {
  if (total(c) > room) *width = 0;
}

/* Makes the columns fit into `room`: the least important are made narrower or left out first. */
static void fit(columns *c, int room) {
  shrink(c, &c->bar, LEAST_BAR, room);
  shrink(c, &c->agent, 30, room);
  leave_out(c, &c->relative, room);
  shrink(c, &c->agent, 24, room);
  shrink(c, &c->env, 14, room);
  shrink(c, &c->sparks, 5, room);
  shrink(c, &c->agent, 16, room);
  shrink(c, &c->env, 9, room);
  leave_out(c, &c->bar, room);
  leave_out(c, &c->sparks, room);
  leave_out(c, &c->runs, room);
  shrink(c, &c->agent, 8, room);
  shrink(c, &c->env, 6, room);
  leave_out(c, &c->env, room);
  leave_out(c, &c->mean, room);
}

static columns measure(const store_view *v, int room) {
  columns c = {.env = 11,
               .agent = 5,
               .bar = v->seen->has_plan ? BAR : 0,
               .runs = 4,
               .mean = 11,
               .relative = PER_CENT,
               .sparks = SPARKS};
  for (size_t i = 0; i < v->n_rows; ++i) {
    const far__store_progress_cell *cell = &v->seen->cells[v->rows[i]];
    widen(&c.env, cell->env);
    widen(&c.agent, cell->agent);
    widen(&c.runs, runs_text(cell, v->plan->sequential).text);
    widen(&c.mean, mean_text(cell).text);
  }
  const int agent = c.agent;
  if (c.env > MOST_ENV) c.env = MOST_ENV;
  if (c.agent > MOST_AGENT) c.agent = MOST_AGENT;
  fit(&c, room);
  const int rest = room - total(&c); /* a wide terminal shows long names in full */
  if (rest > 0 && agent > c.agent) c.agent += agent - c.agent < rest ? agent - c.agent : rest;
  return c;
}

/* ---- rows ---- */

/* Draws the widths of the interval over time, relative to the widest. The first width, of two runs, is left out if
 * there are enough others: it is so wide that these would look equal. */
static void draw_sparks(frame *f, int x, int y, int width, const far__store_progress_cell *c) {
  const size_t n = c->n_widths, room = (size_t)width, first = n > 2;
  const size_t from = n > first + room ? n - room : first;
  double widest = 0;
  for (size_t i = from; i < n; ++i)
    if (c->widths[i].ci95 > widest && isfinite(c->widths[i].ci95)) widest = c->widths[i].ci95;
  for (size_t i = from; i < n; ++i) {
    const double share = widest > 0 ? c->widths[i].ci95 / widest : 0;
    if (!(share <= 1)) continue;
    frame_set(f, x + (int)(i - from), y, STYLE_ACCENT(ACCENT_TEAL),
              LOW + (uint32_t)(share * (HIGH - LOW) + 0.5));
  }
}

static bool has_grown(const store_view *v, size_t cell) {
  return v->before != NULL && (cell >= v->n_before || v->before[cell] < v->seen->cells[cell].runs);
}

static void draw_mark(const store_view *v, frame *f, int y, size_t cell) {
  const far__store_progress_cell *c = &v->seen->cells[cell];
  if (has_grown(v, cell))
    frame_set(f, 0, y, STYLE_BOLD | STYLE_ACCENT(ACCENT_BLUE), 0x25b6);
  else if (c->is_planned && c->finished)
    frame_set(f, 0, y, STYLE_ACCENT(ACCENT_GREEN), 0x2713);
  else if (c->runs == 0)
    frame_set(f, 0, y, STYLE_DIM, 0xb7);
}

static far__brief per_cent_text(const far__store_progress_cell *c) {
  const double x = relative_width(c);
  far__brief out = {""};
  if (isfinite(x)) snprintf(out.text, sizeof out.text, x < 9.95 ? "%.2f%%" : "%.0f%%", x);
  return out;
}

/* A name that is too long loses its middle: specs often differ at their ends. */
static void draw_name(frame *f, int x, int y, int width, look style, const char *name) {
  const char *tail = name;
  const int head = width / 3, used = frame_width(name);
  if (used <= width || width < 6) {
    frame_put(f, x, y, width, style, name);
    return;
  }
  while (frame_width(tail) > width - head - 1 || ((unsigned char)*tail & 0xc0) == 0x80) ++tail;
  const int at = frame_put(f, x, y, head + 1, style, name);
  frame_put(f, x + at, y, width - at, style, tail);
}

/* Moves *x behind a column, if that is shown; returns where the column begins. */
static int step_over(int *x, int width) {
  const int at = *x;
  if (width > 0) *x += width + GAP;
  return at;
}

/* Draws the row of a cell. `agent` is the name of its agent, cut to the width of the column. */
static void draw_cell(const store_view *v, frame *f, int y, const columns *w, size_t row,
                      bool names_env, const char *agent) {
  const size_t cell = v->rows[row];
  const far__store_progress_cell *c = &v->seen->cells[cell];
  const look style = c->runs == 0 ? STYLE_DIM : STYLE_PLAIN;
  const look bar = STYLE_ACCENT(c->finished ? ACCENT_GREEN : ACCENT_BLUE);
  int x = 2, at;
  draw_mark(v, f, y, cell);
  at = step_over(&x, w->env);
  if (names_env) draw_name(f, at, y, w->env, style, c->env);
  at = step_over(&x, w->agent);
  draw_name(f, at, y, w->agent, style, agent);
  at = step_over(&x, w->bar);
  if (w->bar > 0 && c->is_planned)
    draw_bar(f, at, y, w->bar, share_of(c), bar, ascii_only() ? '#' : HIGH, 0xb7);
  at = step_over(&x, w->runs);
  frame_put_right(f, at, y, w->runs, style, runs_text(c, v->plan->sequential).text);
  at = step_over(&x, w->mean);
  frame_put_right(f, at, y, w->mean, style, mean_text(c).text);
  at = step_over(&x, w->relative);
  frame_put_right(f, at, y, w->relative, STYLE_DIM, per_cent_text(c).text);
  at = step_over(&x, w->sparks);
  draw_sparks(f, at, y, w->sparks, c);
}

static void draw_headings(const store_view *v, frame *f, int y, const columns *w) {
  int x = 2, at;
  at = step_over(&x, w->env);
  frame_put(f, at, y, w->env, STYLE_DIM, "environment");
  at = step_over(&x, w->agent);
  frame_put(f, at, y, w->agent, STYLE_DIM, "agent");
  step_over(&x, w->bar);
  at = step_over(&x, w->runs);
  frame_put_right(f, at, y, w->runs, STYLE_DIM, "runs");
  at = step_over(&x, w->mean);
  frame_put_right(f, at, y, w->mean, STYLE_DIM, "mean ± 95%");
  at = step_over(&x, w->relative);
  frame_put_right(f, at, y, w->relative, STYLE_DIM, "± in %");
  at = step_over(&x, w->sparks);
  frame_put(f, at, y, w->sparks, STYLE_DIM,
            w->sparks >= 9   ? "narrowing"
            : w->sparks >= 6 ? "widths"
                             : "±");
  if (v->n_rows == 0)
    frame_put(f, 2, y + 1, f->columns - 2, STYLE_DIM,
              v->filter[0] != '\0' ? "no cell has this in its name" : "no cells yet");
}

/* The environment is named where it changes, and at the top of a page. */
static bool changes_env(const store_view *v, size_t row, bool first) {
  if (first || v->sort != SORT_PLAN) return true;
  return strcmp(v->seen->cells[v->rows[row]].env, v->seen->cells[v->rows[row - 1]].env) != 0;
}

/* Scrolls to the first cell that is not finished, with some finished ones above it, unless the reader has scrolled or
 * sorted the cells. */
static void find_work(store_view *v) {
  if (v->is_scrolled) return;
  v->top = 0;
  while (v->top < v->n_rows && v->seen->cells[v->rows[v->top]].finished) ++v->top;
  if (v->top == v->n_rows)
    v->top = 0; /* nothing is left to do */
  else
    v->top -= v->top < v->page / 3 ? v->top : v->page / 3;
}

/* The names of the agents of rows from v->top on, cut so that different names look different; to be freed. */
static char **cut_agents(const store_view *v, size_t count, int width) {
  const char **names = room_for(count + 1, sizeof *names);
  char **out = room_for(count + 1, sizeof *out);
  for (size_t i = 0; i < count; ++i) names[i] = v->seen->cells[v->rows[v->top + i]].agent;
  need_memory(far__labels_cut(out, names, count, width > 6 ? width : 6, NULL));
  free(names);
  return out;
}

static void draw_rows(const store_view *v, frame *f, int y, const columns *w, size_t count) {
  char **agents = cut_agents(v, count, w->agent);
  for (size_t i = 0; i < count; ++i) {
    const size_t row = v->top + i;
    draw_cell(v, f, y + (int)i, w, row, changes_env(v, row, i == 0), agents[i]);
    far_free(agents[i]);
  }
  free(agents);
}

static void draw_store_cells(store_view *v, frame *f, int y, int rows) {
  const columns w = measure(v, f->columns);
  const bool cut = v->n_rows > (size_t)(rows > 1 ? rows - 1 : 0);
  const int room = rows - 1 - cut;
  v->page = room > 0 ? (size_t)room : 1;
  find_work(v);
  if (v->top + v->page > v->n_rows) v->top = v->n_rows > v->page ? v->n_rows - v->page : 0;
  draw_headings(v, f, y, &w);
  const size_t below = v->n_rows - v->top, space = room > 0 ? (size_t)room : 0;
  draw_rows(v, f, y + 1, &w, below < space ? below : space);
  if (cut && rows > 2)
    frame_say(f, 2, y + rows - 1, STYLE_DIM, "cells %zu to %zu of %zu", v->top + 1,
              v->top + v->page, v->n_rows);
}

/* ---- the whole ---- */

static void draw_keys(const store_view *v, frame *f) {
  static const char *const sorts[] = {"plan", "agent", "interval", "progress"};
  const int y = f->rows - 1;
  if (v->typing) {
    frame_say(f, 0, y, STYLE_BOLD, "filter: %s_   Enter keeps it, Esc clears it", v->filter);
    return;
  }
  frame_say(f, 0, y, STYLE_DIM, "q quit  ↑↓ scroll  s sort: %s  f filter%s%s  space %s  i %s",
            sorts[v->sort], v->filter[0] != '\0' ? ": " : "", v->filter,
            v->paused ? "resume" : "pause", v->shows_sessions ? "cells" : "sessions");
}

int store_view_height(const store_view *v, int width) {
  frame *f = frame_create(width, 16);
  const int head = draw_store_head(v, f);
  frame_free(f);
  const size_t rows = v->shows_sessions ? v->seen->n_sessions : v->n_rows;
  return head + 2 + (rows < 1000000 ? (int)rows : 1000000);
}

void store_view_draw(store_view *v, frame *f) {
  const int foot = v->live ? 1 : 0;
  int y = draw_store_head(v, f);
  if (f->rows - y - foot < 4) { /* on a low screen the title alone stands above */
    for (y = 1; y < f->rows; ++y) frame_line(f, 0, y, f->columns, STYLE_PLAIN, ' ');
    y = 1;
  }
  if (v->shows_sessions)
    draw_store_sessions(v, f, y, f->rows - y - foot);
  else
    draw_store_cells(v, f, y, f->rows - y - foot);
  if (v->live) draw_keys(v, f);
}

/* ---- keys ---- */

static void scroll(store_view *v, int64_t by) {
  const int64_t top = (int64_t)v->top + by;
  v->is_scrolled = true;
  const size_t n = v->shows_sessions ? v->seen->n_sessions : v->n_rows;
  v->top = top < 0 ? 0 : (uint64_t)top >= n ? (n > 0 ? n - 1 : 0) : (size_t)top;
}

static void drop_character(char *text) {
  size_t n = strlen(text);
  while (n > 0 && ((unsigned char)text[n - 1] & 0xc0) == 0x80) --n;
  if (n > 0) --n;
  text[n] = '\0';
}

/* Handles a key while the filter is typed. */
static void type(store_view *v, int key) {
  char bytes[5];
  if (key == '\n' || key == '\r' || key == 27) {
    v->typing = false;
    if (key == 27) v->filter[0] = '\0';
  } else if (key == SCREEN_BACKSPACE || key == 8 || key == 127) {
    drop_character(v->filter);
  } else if (key >= ' ' && key < SCREEN_UP) {
    const size_t n = frame_utf8(bytes, (uint32_t)key), used = strlen(v->filter);
    if (used + n < sizeof v->filter) memcpy(v->filter + used, bytes, n + 1);
  }
  v->top = 0;
}

bool store_view_key(store_view *v, int key) {
  const int64_t page = v->page > 1 ? (int64_t)v->page - 1 : 1;
  if (v->typing) {
    type(v, key);
    return true;
  }
  switch (key) {
  case SCREEN_UP:
  case 'k': scroll(v, -1); return true;
  case SCREEN_DOWN:
  case 'j': scroll(v, 1); return true;
  case SCREEN_PAGE_UP: scroll(v, -page); return true;
  case SCREEN_PAGE_DOWN: scroll(v, page); return true;
  case SCREEN_HOME:
  case 'g': scroll(v, INT32_MIN); return true;
  case SCREEN_END:
  case 'G': scroll(v, INT32_MAX); return true;
  case 's':
    v->sort = (v->sort + 1) % N_SORTS;
    v->top = 0;
    v->is_scrolled = v->sort != SORT_PLAN;
    return true;
  case 'f':
  case '/': v->typing = true; return true;
  case ' ':
  case 'p': v->paused = !v->paused; return true;
  case 'i':
  case '\t':
    v->shows_sessions = !v->shows_sessions;
    v->top = 0;
    return true;
  default: return false;
  }
}
