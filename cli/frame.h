/* A frame: a rectangle of characters with styles, which is shown on a terminal or printed (screen.h).
 *
 *     frame *f = frame_create(80, 24);
 *     frame_say(f, 0, 0, STYLE_BOLD, "step %d", t);
 *     frame_put(f, 0, 1, 10, STYLE_HEAT(3), label);      at most 10 columns, cut with an ellipsis
 *     screen_draw(f);
 *     frame_free(f);
 *
 * Text is UTF-8 and may be hostile: control characters, invalid bytes and directions are replaced or
 * dropped, and wide characters take two columns. Whatever lies outside of the frame is not drawn.
 */
#ifndef FARSIGHT_CLI_FRAME_H
#define FARSIGHT_CLI_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a character looks: flags, at most one accent, and a heat level. */
typedef unsigned look;
enum {
  STYLE_PLAIN = 0,
  STYLE_BOLD = 1,
  STYLE_DIM = 2,
  STYLE_REVERSE = 4,
  STYLE_MARK = 8,      /* stands out from everything else, as the place where the agent is */
  STYLE_NO_SHADE = 16, /* without colours a heat is not shown: a number stands there */
  N_ACCENTS = 6,       /* colours of text, for people who see red and green alike, too */
  N_HEATS = 9,         /* steps of a scale of backgrounds */
};
#define STYLE_ACCENT(n) ((unsigned)(n) << 8) /* 1 ... N_ACCENTS; 0: the terminal's own colour */
#define STYLE_HEAT(n) ((unsigned)(n) << 12)  /* 1 ... N_HEATS; 0: none */

/* What accents stand for, so that all views agree. */
enum {
  ACCENT_BLUE = 1, /* the first agent, or the first of two */
  ACCENT_ORANGE,   /* the second */
  ACCENT_GREEN,    /* good, finished */
  ACCENT_RED,      /* bad, a violation */
  ACCENT_PURPLE,
  ACCENT_TEAL,
};

static inline unsigned style_accent(look s) {
  return s >> 8 & 15;
}

static inline unsigned style_heat(look s) {
  return s >> 12 & 15;
}

/* The heat of x between low and high: 1 ... N_HEATS, or 0 where there is nothing to compare. */
unsigned heat_of(double x, double low, double high);

typedef struct frame_cell {
  uint32_t code; /* a Unicode character; 0: the right half of the wide one before */
  look style;
} frame_cell;

typedef struct frame {
  int columns, rows;
  frame_cell *cells; /* rows * columns, row by row */
} frame;

/* An empty frame, of at least one column and row; memory that is missing ends the command. */
frame *frame_create(int columns, int rows);
void frame_free(frame *f); /* NULL is fine */
void frame_clear(frame *f);

/* Writes text from column x of row y on, in at most `width` columns: what does not fit is cut, and ends
 * with an ellipsis. Returns the columns that were used. x may be negative: columns left of 0 are not drawn. */
int frame_put(frame *f, int x, int y, int width, look style, const char *text);

/* The same up to the right edge, as printf does. */
int frame_say(frame *f, int x, int y, look style, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Text that ends before column x + width; cut on its right if it is longer. */
int frame_put_right(frame *f, int x, int y, int width, look style, const char *text);

/* One character. */
void frame_set(frame *f, int x, int y, look style, uint32_t code);

/* A character repeated. */
void frame_line(frame *f, int x, int y, int width, look style, uint32_t code);

/* The columns that text takes in a frame. */
int frame_width(const char *text);

/* The rows up to the last one that is not blank. */
int frame_used_rows(const frame *f);

/* What a cell shows where there is no colour: blanks with a heat become shades, so that a heat map can be
 * read in a pipe. In ASCII one character stands for each. */
uint32_t frame_shown(const frame_cell *cell, bool colour, bool ascii);

/* The character at *text, which is moved behind it; 0 at the end. What is no character, or a control
 * character, is U+FFFD. */
uint32_t frame_next(const char **text);

/* A character as UTF-8, terminated; its length. */
size_t frame_utf8(char out[5], uint32_t code);

#endif
