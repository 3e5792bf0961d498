/* The live view: a loop that advances the run, draws a frame and reads a key. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/number.h"
#include "memory.h"
#include "questions/learning/player.h"
#include "screen.h"
#include "watch.h"
#include "watch_audit.h"

enum { MANY = 100, ESCAPE = 27 };
static const double FRAME_SECONDS = 0.05, FASTEST = 1e7;

static void tell(watch *w, look style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void tell(watch *w, look style, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(w->message, sizeof w->message, format, list);
  va_end(list);
  w->message_style = style;
}

static void draw(const watch *w) {
  int columns, rows;
  screen_size(&columns, &rows);
  frame *f = frame_create(columns, rows);
  watch_draw(w, f);
  screen_draw(f);
  frame_free(f);
}

/* ---- moving ---- */

/* Shows the current step during a long move; false, which stops the move, at Escape or Ctrl-C. */
static bool show_way(void *user, int64_t t, int64_t target) {
  watch *w = user;
  (void)target;
  tell(w, STYLE_DIM, "step %.40s; Escape stops", far__brief_count(t).text);
  draw(w);
  const int key = screen_key(0);
  return key != ESCAPE && key != SCREEN_GONE && !interrupted();
}

bool watch_progress(void *user, int64_t t, int64_t target) {
  const watch *w = user;
  return w->live ? show_way(user, t, target) : !interrupted();
}

/* Handles the result of a move: unmarks the pair of an earlier message, and shows an error. Returns success. */
static bool moved(watch *w, far_status status, const far_error *error) {
  w->marked = -1;
  if (status == FAR_OK) return true;
  w->running = false;
  if (status == FAR_STATUS_CANCELLED)
    tell(w, STYLE_PLAIN, "stopped");
  else
    tell(w, STYLE_ACCENT(ACCENT_RED), "%s", error->message);
  return false;
}

static void go_to(watch *w, int64_t t) {
  far_error error = {.message = ""};
  w->message[0] = '\0';
  if (moved(w, watch_seek(w, t, &error), &error)) w->message[0] = '\0';
}

static void go_by(watch *w, int64_t steps) {
  w->running = false;
  go_to(w, far__player_t(w->player) + steps);
}

static void next_update(watch *w) {
  static const char *const names[] = {
      [FAR_VALUE_Q] = "Q", [FAR_VALUE_E] = "E", [FAR_VALUE_LEARN] = "LEARN"};
  far__player_update update;
  bool found;
  far_error error = {.message = ""};
  char action[64], more[80] = "";
  w->running = false;
  if (!moved(w, watch_update(w, &update, &found, &error), &error)) return;
  if (!found) {
    tell(w, STYLE_PLAIN, "no further update of Q, E or LEARN in this run");
    return;
  }
  w->marked = (int)update.agent, w->marked_s = update.s, w->marked_a = update.a;
  w->marked_q = update.kind == FAR_VALUE_Q   ? SHOW_Q
                : update.kind == FAR_VALUE_E ? SHOW_E
                                             : SHOW_LEARN;
  action_text(action, w, update.a);
  if (update.n_changed > 1)
    snprintf(more, sizeof more, ", and %.40s more pairs",
             far__brief_count((int64_t)update.n_changed - 1).text);
  tell(w, agent_look(update.agent), "update of %s: %s(%lu, %s) %s → %s%s", w->agent[update.agent],
       names[update.kind], (unsigned long)update.s, action, fit_number(update.before, 9, 4).text,
       fit_number(update.after, 9, 4).text, more);
}

/* ---- violations ---- */

static bool show_audit(void *user, const far_progress *p) {
  watch *w = user;
  tell(w, STYLE_DIM, "auditing: %.0f%%; Escape stops", 100 * p->steps_done / p->steps);
  draw(w);
  const int key = screen_key(0);
  return key != ESCAPE && key != SCREEN_GONE && !interrupted();
}

static void next_violation(watch *w, watch_audit *audit) {
  far_error error = {.message = ""};
  w->running = false;
  if (!watch_audit_run(audit, w, show_audit, &error)) {
    tell(w, STYLE_PLAIN, "%s", error.message);
    return;
  }
  const watch_violation *v = watch_audit_next(audit, far__player_t(w->player));
  if (v == NULL) {
    tell(w, STYLE_PLAIN, "no further violation: %zu of %zu claims checked in this run are violated",
         audit->n_violated, audit->n_checked);
    return;
  }
  go_to(w, v->first.t);
  if (far__player_t(w->player) != v->first.t) return;
  char action[64];
  action_text(action, w, v->first.a);
  w->marked = (int)v->agent, w->marked_s = v->first.s, w->marked_a = v->first.a;
  w->marked_q = SHOW_Q;
  tell(w, STYLE_ACCENT(ACCENT_RED) | STYLE_BOLD,
       "'%s' violated at (%lu, %s): %s > %s (%s; the first time by %s)", v->claim,
       (unsigned long)v->first.s, action, fit_number(v->first.value, 9, 4).text,
       fit_number(v->first.bound, 9, 4).text, v->statement, w->agent[v->agent]);
}

/* ---- a question ---- */

/* Takes keys until Enter or Escape; false without an answer. */
static bool ask(watch *w, const char *question) {
  size_t n = 0;
  w->prompt = question;
  w->typed[0] = '\0';
  for (;;) {
    draw(w);
    const int key = screen_key(60);
    if (interrupted() || key == SCREEN_GONE || key == ESCAPE) n = 0;
    if (interrupted() || key == SCREEN_GONE || key == ESCAPE || key == '\n') break;
    if (key == SCREEN_BACKSPACE && n > 0) n -= 1;
    if (key > ' ' && key < 127 && n + 1 < sizeof w->typed) w->typed[n++] = (char)key;
    w->typed[n] = '\0';
  }
  w->prompt = NULL;
  return n > 0;
}

static void ask_step(watch *w) {
  int64_t t;
  w->running = false;
  if (!ask(w, "Go to step:")) return;
  if (far__integer_parse(w->typed, strlen(w->typed), &t) && t >= 0)
    go_to(w, t);
  else
    tell(w, STYLE_ACCENT(ACCENT_RED), "'%s' is no step: a whole number from 0 on", w->typed);
}

/* ---- keys ---- */

/* The next higher or lower speed of 1, 2, 5, 10, 20, 50, ... */
static double next_speed(double speed, bool faster) {
  double power = 1;
  static const double parts[] = {1, 2, 5, 10};
  while (power * 10 <= speed) power *= 10;
  for (size_t i = 0; faster && i < 4; ++i)
    if (power * parts[i] > speed) return fmin(power * parts[i], FASTEST);
  for (size_t i = 3; !faster && i-- > 0;)
    if (power * parts[i] < speed) return fmax(power * parts[i], 1);
  return faster ? FASTEST : fmax(power / 2, 1);
}

/* Shows the next (by = 1) or previous (by = -1) quantity, skipping those that no agent has. */
static void next_quantity(watch *w, int by) {
  for (int i = 0; i < N_QUANTITIES; ++i) {
    w->shown = (quantity)(((int)w->shown + by + N_QUANTITIES) % N_QUANTITIES);
    for (size_t k = 0; k < w->n_agents; ++k)
      if (w->numbers[k]->has[w->shown]) return;
  }
}

/* Scrolls from the row that the table shows first, since w->scroll may lie beyond an end of the table. */
static void scroll_by(watch *w, int rows) {
  const table_shown *table = w->table;
  if (table->rows < 1) return;
  w->scroll = (int)((int64_t)table->first - table_page(w, 0, table->rows)) + rows;
}

static void change_view(watch *w, int key) {
  switch (key) {
  case '\t': next_quantity(w, 1); break;
  case SCREEN_BACKTAB: next_quantity(w, -1); break;
  case 'c':
    w->curve = (curve_kind)((w->curve + 1) % (w->n_agents == 2 ? N_CURVES : CURVE_DIFFERENCE));
    break;
  case 'm': w->parts = (parts_shown)((w->parts + 1) % N_PARTS); break;
  case SCREEN_UP: scroll_by(w, -1); break;
  case SCREEN_DOWN: scroll_by(w, 1); break;
  case SCREEN_PAGE_UP: scroll_by(w, -w->table->rows); break;
  case SCREEN_PAGE_DOWN: scroll_by(w, w->table->rows); break;
  case '?':
  case 'h': w->help = true; break;
  default: break;
  }
}

/* Handles a key; false to quit. */
static bool press(watch *w, watch_audit *audit, int key) {
  if (w->help && key >= 0 && key != SCREEN_RESIZED) {
    w->help = false;
    return key != 'q';
  }
  switch (key) {
  case 'q': return false;
  case ' ':
    w->running = !w->running && far__player_t(w->player) < far__player_steps(w->player);
    w->message[0] = '\0';
    break;
  case 's':
  case SCREEN_RIGHT: go_by(w, 1); break;
  case 'b':
  case SCREEN_LEFT: go_by(w, -1); break;
  case 'S': go_by(w, MANY); break;
  case 'B': go_by(w, -MANY); break;
  case SCREEN_HOME: go_by(w, -far__player_t(w->player)); break;
  case SCREEN_END: go_by(w, far__player_steps(w->player)); break;
  case '+':
  case '=': w->speed = next_speed(w->speed, true); break;
  case '-': w->speed = next_speed(w->speed, false); break;
  case 'u': next_update(w); break;
  case 'v': next_violation(w, audit); break;
  case 'g': ask_step(w); break;
  default: change_view(w, key);
  }
  return true;
}

/* ---- time ---- */

/* Takes the steps that are due after so many seconds; if the computer is too slow, the rest is not taken later. */
static void pass_time(watch *w, double *due, double seconds) {
  far_error error = {.message = ""};
  *due += w->speed * (seconds < 0.25 ? seconds : 0.25);
  if (!moved(w, watch_pass(w, due, &error), &error)) return;
  if (*due > w->speed / 2) *due = w->speed / 2;
  if (far__player_t(w->player) == far__player_steps(w->player)) w->running = false;
}

int watch_live(watch *w) {
  watch_audit audit = {.n_violations = 0};
  table_shown table = {0};
  w->table = &table;
  double before = far__clock_seconds(), due = 0;
  for (bool going = true; going && !interrupted();) {
    const double now = far__clock_seconds();
    if (w->running && !w->help) pass_time(w, &due, now - before);
    before = now;
    draw(w);
    const int key = screen_key(w->running ? FRAME_SECONDS : 60);
    going = key != SCREEN_GONE && press(w, &audit, key);
    if (!w->running) due = 0, before = far__clock_seconds();
  }
  watch_audit_free(&audit);
  w->table = NULL;
  return interrupted() ? interrupted_code() : EXIT_OK;
}
