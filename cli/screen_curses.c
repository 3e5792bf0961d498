/* Frames shown by ncurses (its wide-character library). */
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>
#undef columns /* macros of term.h */
#undef lines

#include "output.h"
#include "screen.h"
#include "screen_backend.h"

enum { FIRST_HEAT = 1 + N_ACCENTS, MARK_PAIR = FIRST_HEAT + N_HEATS, FIRST_GREY };

static bool is_ascii, has_colour, has_heat;
static SCREEN *terminal;

/* For signal handlers, to leave the terminal in order: its settings before, and the bytes to write. */
static struct termios before;
static bool has_before;
static char farewell[256];

bool live_exists(void) {
  return true;
}

void live_version(char *built, char *running, size_t size) {
  snprintf(built, size, "%s.%d", NCURSES_VERSION, NCURSES_VERSION_PATCH);
  const char *text = curses_version(); /* "ncurses 6.4.20221231" */
  snprintf(running, size, "%s", text + strcspn(text, "0123456789"));
}

/* ---- colours ---- */

/* Readable on black and on white. */
static const short accents_256[N_ACCENTS] = {32, 172, 35, 167, 134, 37};
static const short accents_8[N_ACCENTS] = {COLOR_BLUE, COLOR_YELLOW,  COLOR_GREEN,
                                           COLOR_RED,  COLOR_MAGENTA, COLOR_CYAN};

/* From dark violet to light yellow, as viridis; the lightness alone has the same order. */
static const short heats_256[N_HEATS] = {53, 54, 25, 30, 36, 71, 77, 148, 220};
enum { FIRST_LIGHT = 4 }; /* from here on black text is the more readable */

static void start_colours(void) {
  const char *no_colour = getenv("NO_COLOR");
  has_colour = has_heat = false;
  if ((no_colour != NULL && no_colour[0] != '\0') || !has_colors()) return;
  start_color();
  use_default_colors();
  has_colour = COLORS >= 8;
  has_heat = COLORS >= 256 && COLOR_PAIRS > MARK_PAIR;
  for (short i = 0; has_colour && i < N_ACCENTS; ++i)
    init_pair((short)(1 + i), has_heat ? accents_256[i] : accents_8[i], -1);
  for (short i = 0; has_heat && i < N_HEATS; ++i)
    init_pair((short)(FIRST_HEAT + i), i < FIRST_LIGHT ? 255 : 16, heats_256[i]);
  if (has_heat) init_pair(MARK_PAIR, 16, 208);
}

static short pair_of(look s) {
  if (has_heat && (s & STYLE_MARK) != 0) return MARK_PAIR;
  if (has_heat && style_heat(s) > 0) return (short)(FIRST_HEAT - 1 + (int)style_heat(s));
  return has_colour ? (short)style_accent(s) : 0;
}

static attr_t attributes_of(look s) {
  const bool marked = (s & STYLE_MARK) != 0;
  attr_t out = A_NORMAL;
  if ((s & STYLE_BOLD) != 0 || marked) out |= A_BOLD;
  if ((s & STYLE_DIM) != 0) out |= A_DIM;
  if ((s & STYLE_REVERSE) != 0 || (marked && !has_heat)) out |= A_REVERSE;
  return out;
}

/* ---- the terminal ---- */

/* Keeps what must be written to leave the terminal in order. */
static void prepare_farewell(void) {
  static char names[][6] = {"sgr0", "op", "rmkx", "cnorm", "rmcup"};
  size_t used = 0;
  farewell[0] = '\0';
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const char *text = tigetstr(names[i]);
    if (text != NULL && (intptr_t)text != -1) {
      /* Adds a capability of the terminal to what is written at the end, without the pauses "$<5>" of old ones. */
      for (; *text != '\0' && used + 1 < sizeof farewell; ++text) {
        const char *pause_end = text[0] == '$' && text[1] == '<' ? strchr(text, '>') : NULL;
        if (pause_end != NULL)
          text = pause_end;
        else
          farewell[used++] = *text;
      }
      farewell[used] = '\0';
    }
  }
}

/* The characters that the terminal knows: UTF-8, or nothing but ASCII. */
static void choose_characters(void) {
  is_ascii = ascii_only();
  if (is_ascii) return;
  setlocale(LC_CTYPE, "");
  if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0 && setlocale(LC_CTYPE, "C.UTF-8") == NULL)
    is_ascii = true;
}

bool live_start(void) {
  choose_characters();
  has_before = tcgetattr(STDIN_FILENO, &before) == 0;
  terminal = newterm(NULL, stdout, stdin);
  if (terminal == NULL) return false;
  set_term(terminal);
  prepare_farewell();
  start_colours();
  cbreak();
  noecho();
  keypad(stdscr, TRUE);
  nodelay(stdscr, TRUE);
  leaveok(stdscr, TRUE);
  set_escdelay(25);
  curs_set(0);
  return true;
}

void live_stop(void) {
  if (terminal == NULL) return;
  endwin();
  delscreen(terminal);
  terminal = NULL;
}

void live_stop_at_once(void) {
  if (terminal == NULL) return;
  (void)!write(STDOUT_FILENO, farewell, strlen(farewell));
  if (has_before) tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

void live_size(int *columns, int *rows) {
  getmaxyx(stdscr, *rows, *columns);
}

/* ---- showing ---- */

static void show_cell(int x, int y, const frame_cell *cell) {
  const bool plain_heat = style_heat(cell->style) > 0 && !has_heat;
  wchar_t text[2] = {(wchar_t)frame_shown(cell, !plain_heat, is_ascii), 0};
  cchar_t out;
  setcchar(&out, text, attributes_of(cell->style), pair_of(cell->style), NULL);
  mvadd_wch(y, x, &out);
}

void live_show(const frame *f) {
  int columns, rows;
  live_size(&columns, &rows);
  erase();
  for (int y = 0; y < f->rows && y < rows; ++y)
    for (int x = 0; x < f->columns && x < columns; ++x) {
      const frame_cell *cell = &f->cells[(size_t)y * (size_t)f->columns + (size_t)x];
      if (cell->code != 0 && (cell->code != ' ' || cell->style != STYLE_PLAIN))
        show_cell(x, y, cell);
    }
  refresh();
}

/* ---- keys ---- */

static int read_key(void) {
  wint_t key;
  const int kind = get_wch(&key);
  if (kind == ERR) return SCREEN_NONE;
  if (kind == KEY_CODE_YES) {
    switch (key) {
    case KEY_UP: return SCREEN_UP;
    case KEY_DOWN: return SCREEN_DOWN;
    case KEY_LEFT: return SCREEN_LEFT;
    case KEY_RIGHT: return SCREEN_RIGHT;
    case KEY_PPAGE: return SCREEN_PAGE_UP;
    case KEY_NPAGE: return SCREEN_PAGE_DOWN;
    case KEY_HOME: return SCREEN_HOME;
    case KEY_END: return SCREEN_END;
    case KEY_BACKSPACE: return SCREEN_BACKSPACE;
    case KEY_DC: return SCREEN_DELETE;
    case KEY_BTAB: return SCREEN_BACKTAB;
    case KEY_ENTER: return '\n';
    case KEY_RESIZE: return SCREEN_RESIZED;
    default: return SCREEN_NONE;
    }
  }
  if (key == '\r') return '\n';
  return key == 127 || key == 8 ? SCREEN_BACKSPACE : (int)key;
}

/* A signal (a change of size, Ctrl-C) ends the wait. */
int live_key(double seconds) {
  const int key = read_key();
  if (key != SCREEN_NONE) return key;
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  const int ready = poll(&input, 1, seconds < 3600 ? (int)(seconds * 1000) : 3600000);
  if (ready > 0 && (input.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) return SCREEN_GONE;
  return read_key();
}
