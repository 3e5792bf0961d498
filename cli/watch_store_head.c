/* The top of the view of a store: its state in four lines; and its sessions. */
#include <math.h>
#include <string.h>

#include "memory.h"
#include "questions/store/store-progress.h"
#include "watch_store.h"

enum { QUIET = 60 }; /* seconds without a commit after which a session counts as inactive */

void draw_bar(frame *f, int x, int y, int width, double share, look style, uint32_t full,
              uint32_t rest) {
  const double part = share > 0 ? (share < 1 ? share : 1) : 0; /* NaN is 0 */
  int filled = (int)(part * width + 0.5);
  if (filled == width && part < 1) filled = width - 1; /* only a finished study has a full bar */
  frame_line(f, x, y, filled, style, full);
  frame_line(f, x + filled, y, width - filled, STYLE_DIM, rest);
}

/* ---- the state ---- */

typedef struct state {
  char text[120];
  look style;
} state;

static state quiet_state(const far__store_progress *seen) {
  state out = {.style = STYLE_ACCENT(ACCENT_ORANGE)};
  if (isnan(seen->quiet))
    snprintf(out.text, sizeof out.text, "no runs yet");
  else if (seen->quiet < 2)
    out = (state){"new runs", STYLE_ACCENT(ACCENT_BLUE)};
  else
    snprintf(out.text, sizeof out.text, "no new runs for %s", far__brief_seconds(seen->quiet).text);
  return out;
}

static state running_state(const far__store_progress *seen) {
  state out = {"running", STYLE_BOLD | STYLE_ACCENT(ACCENT_BLUE)};
  if (seen->seconds_left > 0)
    snprintf(out.text, sizeof out.text, "running, about %s left",
             far__brief_seconds(seen->seconds_left).text);
  return out;
}

static state state_of(const store_view *v) {
  if (v->message[0] != '\0') return (state){"waiting", STYLE_ACCENT(ACCENT_ORANGE)};
  if (v->seen->finished) return (state){"finished", STYLE_BOLD | STYLE_ACCENT(ACCENT_GREEN)};
  if (v->paused) return (state){"paused", STYLE_REVERSE};
  if (v->seen->has_plan && v->seen->quiet < QUIET) return running_state(v->seen);
  return quiet_state(v->seen);
}

static void draw_title(const store_view *v, frame *f) {
  const state s = state_of(v);
  const char *name = v->plan->study != NULL ? far_study_info_of(v->plan->study).name : "";
  const int right = frame_width(s.text), room = f->columns - right - 2;
  int used = frame_put(f, 0, 0, room, STYLE_BOLD, v->path);
  if (name[0] != '\0') frame_put(f, used + 2, 0, room - used - 2, STYLE_PLAIN, name);
  frame_put_right(f, f->columns - right, 0, right, s.style, s.text);
}

static void draw_share(const store_view *v, frame *f) {
  char text[16];
  const far__store_progress *seen = v->seen;
  snprintf(text, sizeof text, "%3.0f%%", floor(100 * seen->share));
  const int width = f->columns - 5;
  const look style = STYLE_ACCENT(seen->finished ? ACCENT_GREEN : ACCENT_BLUE);
  if (width > 0) draw_bar(f, 0, 1, width, seen->share, style, 0x2588, 0x2591);
  frame_put_right(f, f->columns - 4, 1, 4, STYLE_BOLD, text);
}

/* ---- facts, as many as a line holds ---- */

typedef struct facts {
  frame *f;
  int x, y, last; /* the last row that facts may use */
} facts;

static void add_fact(facts *a, look style, const char *text) {
  const int width = frame_width(text), gap = a->x > 0 ? 3 : 0;
  if (a->x > 0 && a->x + gap + width > a->f->columns) {
    if (a->y == a->last) return;
    a->y += 1;
    a->x = 0;
    add_fact(a, style, text);
    return;
  }
  if (gap > 0) frame_set(a->f, a->x + 1, a->y, STYLE_DIM, 0xb7);
  a->x += gap + frame_put(a->f, a->x + gap, a->y, a->f->columns - a->x - gap, style, text);
}

static far__brief rate_text(double rate) {
  static const char *const units[] = {"", " thousand", " million", " billion"};
  size_t unit = 0;
  far__brief out;
  for (; rate >= 999.5 && unit < 3; ++unit) rate /= 1000;
  snprintf(out.text, sizeof out.text, "%.*f%s steps/s", rate < 9.95 && unit > 0 ? 1 : 0, rate,
           units[unit]);
  return out;
}

static void add_runs(facts *a, const store_view *v) {
  const far__store_progress *seen = v->seen;
  char text[160];
  if (seen->has_plan)
    snprintf(text, sizeof text, "%s of %s%s runs", far__brief_count(seen->done).text,
             v->plan->sequential && !seen->finished ? "about " : "",
             far__brief_count(seen->planned).text);
  else
    snprintf(text, sizeof text, "%s run%s", far__brief_count(seen->runs).text,
             seen->runs == 1 ? "" : "s");
  add_fact(a, STYLE_PLAIN, text);
  if (seen->has_plan)
    snprintf(text, sizeof text, "%zu of %zu cells finished", seen->n_finished, seen->n_planned);
  else
    snprintf(text, sizeof text, "%zu cell%s", seen->n_cells, seen->n_cells == 1 ? "" : "s");
  add_fact(a, STYLE_PLAIN, text);
  if (seen->steps_per_second > 0 && !seen->finished)
    add_fact(a, STYLE_PLAIN, rate_text(seen->steps_per_second).text);
}

/* The session with the latest commit. */
static const far__store_progress_session *last_session(const far__store_progress *seen) {
  const far__store_progress_session *out = NULL;
  for (size_t i = 0; i < seen->n_sessions; ++i)
    if (out == NULL || !(seen->sessions[i].age > out->age)) out = &seen->sessions[i];
  return out;
}

static void add_ranks(facts *a, const far__store_progress_session *s) {
  char text[160];
  const int host = (int)strcspn(s->machine, ":");
  if (s->ranks > 1)
    snprintf(text, sizeof text, "%d ranks from %.*s", s->ranks, host < 80 ? host : 80, s->machine);
  else
    snprintf(text, sizeof text, "on %.*s (%d processor%s)", host < 80 ? host : 80, s->machine,
             s->processors, s->processors == 1 ? "" : "s");
  add_fact(a, STYLE_DIM, text);
}

static void add_origin(facts *a, const store_view *v) {
  const far__store_progress *seen = v->seen;
  const far__store_progress_session *s = last_session(seen);
  size_t writing = 0;
  char text[160];
  for (size_t i = 0; i < seen->n_sessions; ++i) writing += seen->sessions[i].age < QUIET;
  if (s == NULL) return;
  add_ranks(a, s);
  if (writing > 1) {
    snprintf(text, sizeof text, "%zu sessions write", writing);
    add_fact(a, STYLE_DIM, text);
  }
  if (s->age >= 1)
    snprintf(text, sizeof text, "last commit %s ago", far__brief_seconds(floor(s->age)).text);
  else
    snprintf(text, sizeof text, "last commit just now");
  if (s->age >= 0) add_fact(a, STYLE_DIM, text);
  snprintf(text, sizeof text, "%s of processor time", far__brief_seconds(seen->seconds).text);
  add_fact(a, STYLE_DIM, text);
  if (seen->busy > 0 && !seen->finished) {
    snprintf(text, sizeof text, "%.1f processors busy", seen->busy);
    add_fact(a, STYLE_DIM, text);
  }
}

/* A sentence over at most `rows` rows, divided at blanks. */
static int draw_sentence(frame *f, int y, int rows, look style, const char *text) {
  char *copy = copy_of(text), *at = copy;
  for (; *at != '\0' && rows > 0; --rows, ++y) {
    char *end = at + strlen(at);
    while (rows > 1 && frame_width(at) > f->columns) { /* cuts the last word off */
      char *blank = strrchr(at, ' ');
      if (blank == NULL) break;
      *blank = '\0';
    }
    frame_put(f, 0, y, f->columns, style, at);
    at += strlen(at);
    if (at == end) break;
    for (char *p = at; p < end; ++p) /* restores the words that were cut off */
      if (*p == '\0') *p = ' ';
    ++at;
  }
  free(copy);
  return y + 1;
}

static int draw_ignorance(const store_view *v, frame *f, int y) {
  char text[700];
  if (v->message[0] != '\0') return draw_sentence(f, y, 3, STYLE_ACCENT(ACCENT_ORANGE), v->message);
  if (v->seen->has_plan || v->plan->why[0] == '\0') return y;
  snprintf(text, sizeof text,
           "The plan is not known: %s. Name the study to see what is left: farsight watch %s "
           "STUDY.yaml",
           v->plan->why, v->path);
  return draw_sentence(f, y, 4, STYLE_DIM, text);
}

int draw_store_head(const store_view *v, frame *f) {
  int y = 1;
  draw_title(v, f);
  if (v->seen->has_plan) draw_share(v, f), ++y;
  facts a = {.f = f, .y = y, .last = y + 2};
  add_runs(&a, v);
  facts b = {.f = f, .y = a.y + 1, .last = a.y + 1};
  add_origin(&b, v);
  y = b.x > 0 ? b.y + 1 : a.y + 1;
  return draw_ignorance(v, f, y) + 1;
}

/* ---- sessions ---- */

void draw_store_sessions(const store_view *v, frame *f, int y, int rows) {
  const far__store_progress *seen = v->seen;
  frame_say(f, 0, y, STYLE_DIM, "%-14s %12s %6s  %-18s %s", "last commit", "runs", "ranks",
            "machine", "command");
  for (int i = 1; i < rows; ++i) { /* the latest first */
    const size_t k = v->top + (size_t)i;
    if (k > seen->n_sessions) break;
    const far__store_progress_session *s = &seen->sessions[seen->n_sessions - k];
    const far__brief age = far__brief_seconds(floor(s->age));
    const look style = s->age < QUIET ? STYLE_PLAIN : STYLE_DIM;
    char host[80];
    snprintf(host, sizeof host, "%.*s", (int)strcspn(s->machine, ":"), s->machine);
    frame_put_right(f, 0, y + i, 10, style, age.text);
    frame_put(f, 10, y + i, 4, style, " ago");
    frame_put_right(f, 15, y + i, 12, style, far__brief_count(s->runs).text);
    frame_put_right(f, 28, y + i, 6, style, far__brief_count(s->ranks).text);
    frame_put(f, 36, y + i, 18, style, host);
    frame_put(f, 55, y + i, f->columns - 55, style, s->command);
  }
}
