#include "screen.h"

#include <farsight/farsight.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "cli.h"
#include "output.h"
#include "screen_backend.h"

enum { PLAIN_COLUMNS = 80, PLAIN_ROWS = 40 };

static bool is_live;
static int printed; /* frames */
static const char *why_plain;

/* ---- which kind ---- */

static const char *obstacle(screen_mode mode) {
  const char *term = getenv("TERM");
  if (mode == SCREEN_PLAIN) return "plain frames were asked for";
  if (!isatty(STDOUT_FILENO)) return "standard output is no terminal";
  if (!isatty(STDIN_FILENO)) return "standard input is no terminal";
  if (term == NULL || term[0] == '\0') return "TERM is not set";
  if (strcmp(term, "dumb") == 0) return "TERM is dumb";
  if (!live_exists()) return "this farsight was built without ncurses";
  return NULL;
}

void screen_open(screen_mode mode) {
  static bool registered;
  why_plain = obstacle(mode);
  printed = 0;
  if (why_plain != NULL) return;
  if (!live_start()) {
    why_plain = "the terminal's type (TERM) is not known";
    return;
  }
  is_live = true;
  on_leaving(live_stop_at_once);
  if (!registered) atexit(screen_close);
  registered = true;
}

void screen_close(void) {
  if (is_live) live_stop();
  is_live = false;
  on_leaving(NULL);
}

void screen_abandon(void) {
  if (is_live) live_stop_at_once();
  is_live = false;
  on_leaving(NULL);
}

bool screen_live(void) {
  return is_live;
}

const char *screen_why_plain(void) {
  return why_plain;
}

/* ---- frames ---- */

static int number_in(const char *variable, int otherwise) {
  const char *text = getenv(variable);
  int64_t n = 0;
  if (text == NULL || !far__integer_parse(text, strlen(text), &n) || n < 1 || n > 10000)
    return otherwise;
  return (int)n;
}

void screen_size(int *columns, int *rows) {
  if (is_live) {
    live_size(columns, rows);
    return;
  }
  *columns = terminal_width(STDOUT_FILENO);
  if (*columns == 0) *columns = PLAIN_COLUMNS;
  *rows = number_in("LINES", PLAIN_ROWS);
}

static void screen_print(FILE *to, const frame *f, bool ascii) {
  const int rows = frame_used_rows(f);
  for (int y = 0; y < rows; ++y) {
    const frame_cell *cells = f->cells + (size_t)y * (size_t)f->columns;
    char bytes[5];
    int used = 0;
    for (int x = 0; x < f->columns; ++x)
      if (frame_shown(&cells[x], false, ascii) != ' ') used = x + 1;
    for (int x = 0; x < used; ++x) {
      if (cells[x].code == 0) continue;
      frame_utf8(bytes, frame_shown(&cells[x], false, ascii));
      fputs(bytes, to);
      if (ascii && x + 1 < f->columns && cells[x + 1].code == 0) fputc('?', to);
    }
    fputc('\n', to);
  }
}

void screen_draw(const frame *f) {
  if (is_live) {
    live_show(f);
    return;
  }
  if (printed++ > 0) {
    fputc('\n', stdout);
    for (int x = 0; x < f->columns; ++x) fputs(ascii_only() ? "=" : "━", stdout);
    fputs("\n\n", stdout);
  }
  screen_print(stdout, f, ascii_only());
  flush_output();
}

int screen_key(double seconds) {
  return is_live ? live_key(seconds) : SCREEN_NONE;
}
