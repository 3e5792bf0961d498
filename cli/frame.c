#include "frame.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

enum { REPLACEMENT = 0xfffd, ELLIPSIS = 0x2026, LONGEST = 1000 };

/* ---- characters ---- */

typedef struct range {
  uint32_t first, last;
} range;

static bool within(const range *ranges, size_t n, uint32_t code) {
  for (size_t i = 0; i < n; ++i)
    if (code >= ranges[i].first && code <= ranges[i].last) return true;
  return false;
}
#define WITHIN(ranges, code) within(ranges, sizeof(ranges) / sizeof *(ranges), code)

/* Marks that stand on other characters, joiners, directions: not drawn. */
static bool is_dropped(uint32_t code) {
  static const range ranges[] = {
      {0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},     {0x610, 0x61a},
      {0x64b, 0x65f},   {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff},   {0x200b, 0x200f},
      {0x202a, 0x202e}, {0x2060, 0x206f}, {0x20d0, 0x20ff},   {0xfe00, 0xfe0f},
      {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}, {0x1f3fb, 0x1f3ff}, {0xe0000, 0xe0fff}};
  return WITHIN(ranges, code);
}

/* East Asian wide characters and emoji. */
static bool is_wide(uint32_t code) {
  static const range ranges[] = {
      {0x1100, 0x115f},   {0x231a, 0x231b},   {0x23e9, 0x23ec},   {0x2614, 0x2615},
      {0x26a1, 0x26a1},   {0x2705, 0x2705},   {0x2728, 0x2728},   {0x274c, 0x274c},
      {0x2753, 0x2755},   {0x2b50, 0x2b50},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},
      {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},
      {0xffe0, 0xffe6},   {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff},
      {0x1fa70, 0x1faff}, {0x20000, 0x3fffd}};
  return WITHIN(ranges, code);
}

static bool is_control(uint32_t code) {
  return code < 32 || (code >= 0x7f && code < 0xa0);
}

/* The character at *text, which is moved behind it; U+FFFD for a byte that begins none. */
static uint32_t next_code(const char **text) {
  const unsigned char *p = (const unsigned char *)*text;
  const int more = p[0] < 0x80 ? 0 : p[0] < 0xc2 ? -1 : p[0] < 0xe0 ? 1 : p[0] < 0xf0 ? 2 : 3;
  uint32_t code = more <= 0 ? p[0] : p[0] & (0x3fu >> more);
  *text += 1;
  if (more < 0 || p[0] > 0xf4) return REPLACEMENT;
  for (int i = 1; i <= more; ++i) {
    if ((p[i] & 0xc0) != 0x80) return REPLACEMENT;
    code = code << 6 | (p[i] & 0x3f);
  }
  *text += more;
  const bool overlong = (more == 2 && code < 0x800) || (more == 3 && code < 0x10000);
  const bool invalid = overlong || code > 0x10ffff || (code >= 0xd800 && code < 0xe000);
  return invalid || is_control(code) ? REPLACEMENT : code;
}

uint32_t frame_next(const char **text) {
  return **text != '\0' ? next_code(text) : 0;
}

size_t frame_utf8(char out[5], uint32_t code) {
  const size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};
  for (size_t i = n; i-- > 1; code >>= 6) out[i] = (char)(0x80 | (code & 0x3f));
  out[0] = (char)(first[n] | code);
  out[n] = '\0';
  return n;
}

static int code_width(uint32_t code) {
  return is_dropped(code) ? 0 : is_wide(code) ? 2 : 1;
}

int frame_width(const char *text) {
  int width = 0;
  while (*text != '\0') width += code_width(next_code(&text));
  return width;
}

/* ---- what stands for a character ---- */

/* One ASCII character each; the rest is '?'. */
static char ascii_of(uint32_t code) {
  static const struct {
    uint32_t code;
    char by;
  } pairs[] = {{0x2190, '<'}, {0x2191, '^'},  {0x2192, '>'},  {0x2193, 'v'}, {0x2196, '\\'},
               {0x2197, '/'}, {0x2198, '\\'}, {0x2199, '/'},  {0x00b7, '.'}, {0x00d7, 'x'},
               {0x2013, '-'}, {0x2014, '-'},  {0x2212, '-'},  {0x2026, '.'}, {0x2591, '.'},
               {0x2592, ':'}, {0x2593, '+'},  {0x2588, '#'},  {0x25b6, '>'}, {0x25cf, '*'},
               {0x25cb, 'o'}, {0x2713, 'y'},  {0x2717, 'x'},  {0x2265, '>'}, {0x2264, '<'},
               {0x221e, 'I'}, {0x03b3, 'g'},  {0x03b5, 'e'},  {0x03b4, 'd'}, {0x00b1, '~'},
               {0x2248, '~'}, {0x0394, 'D'},  {0x2502, '|'},  {0x2503, '|'}, {0x2500, '-'},
               {0x2501, '-'}, {0x2018, '\''}, {0x2019, '\''}, {0x201c, '"'}, {0x201d, '"'}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i)
    if (pairs[i].code == code) return pairs[i].by;
  if (code >= 0x2500 && code <= 0x257f) return '+'; /* corners and crossings of lines */
  if (code >= 0x2581 && code <= 0x2587) return "_.-=+*%"[code - 0x2581];
  return '?';
}

/* Braille in ASCII: by how high its dots stand and how many there are. */
static char braille_of(uint32_t dots) {
  const bool upper = (dots & 0x1b) != 0, lower = (dots & 0xe4) != 0;
  return dots == 0 ? ' ' : upper && lower ? ':' : upper ? '\'' : '.';
}

uint32_t frame_shown(const frame_cell *cell, bool colour, bool ascii) {
  static const uint32_t shades[] = {' ',    ' ',    0x2591, 0x2591, 0x2592,
                                    0x2592, 0x2593, 0x2593, 0x2588, 0x2588};
  uint32_t code = cell->code;
  if (code == ' ' && !colour && (cell->style & (STYLE_MARK | STYLE_NO_SHADE)) == 0)
    code = shades[style_heat(cell->style)];
  if (!ascii || code < 0x80) return code;
  if (code >= 0x2800 && code <= 0x28ff) return (uint32_t)braille_of(code - 0x2800);
  return (uint32_t)(unsigned char)ascii_of(code);
}

unsigned heat_of(double x, double low, double high) {
  if (!(high > low) || !(x >= low)) return 0;
  const double share = (x - low) / (high - low);
  return 1 + (unsigned)((share < 1 ? share : 1) * (N_HEATS - 1) + 0.5);
}

/* ---- frames ---- */

void frame_clear(frame *f) {
  for (int i = 0; i < f->rows * f->columns; ++i) f->cells[i] = (frame_cell){.code = ' '};
}

frame *frame_create(int columns, int rows) {
  frame *f = room_for(1, sizeof *f);
  f->columns = columns > 0 ? columns : 1;
  f->rows = rows > 0 ? rows : 1;
  f->cells = room_for((size_t)f->columns * (size_t)f->rows, sizeof *f->cells);
  frame_clear(f);
  return f;
}

void frame_free(frame *f) {
  if (f != NULL) free(f->cells);
  free(f);
}

static frame_cell *cell_at(frame *f, int x, int y) {
  if (x < 0 || y < 0 || x >= f->columns || y >= f->rows) return NULL;
  return &f->cells[(size_t)y * (size_t)f->columns + (size_t)x];
}

/* The other half of a wide character that is about to be overwritten becomes blank. */
static void split_wide(frame *f, int x, int y) {
  frame_cell *cell = cell_at(f, x, y), *before = cell_at(f, x - 1, y),
             *after = cell_at(f, x + 1, y);
  if (cell->code == 0 && before != NULL) before->code = ' ';
  if (is_wide(cell->code) && after != NULL && after->code == 0) after->code = ' ';
}

void frame_set(frame *f, int x, int y, look style, uint32_t code) {
  frame_cell *cell = cell_at(f, x, y);
  if (cell == NULL) return;
  split_wide(f, x, y);
  *cell = (frame_cell){code, style};
  if (!is_wide(code)) return;
  if (x + 1 >= f->columns) {
    cell->code = ' ';
    return;
  }
  split_wide(f, x + 1, y);
  *cell_at(f, x + 1, y) = (frame_cell){0, style};
}

void frame_line(frame *f, int x, int y, int width, look style, uint32_t code) {
  for (int i = 0; i < width; ++i) frame_set(f, x + i, y, style, code);
}

/* The bytes of text that fit `width` columns, and how many they take. */
static size_t fitting(const char *text, int width, int *used) {
  const char *at = text;
  *used = 0;
  while (*at != '\0') {
    const char *next = at;
    const int w = code_width(next_code(&next));
    if (*used + w > width) break;
    *used += w;
    at = next;
  }
  return (size_t)(at - text);
}

static int put_bytes(frame *f, int x, int y, look style, const char *text, size_t length) {
  int used = 0;
  for (const char *end = text + length; text < end;) {
    const uint32_t code = next_code(&text);
    if (code_width(code) > 0) frame_set(f, x + used, y, style, code);
    used += code_width(code);
  }
  return used;
}

int frame_put(frame *f, int x, int y, int width, look style, const char *text) {
  int used;
  if (width > f->columns - x) width = f->columns - x;
  if (width <= 0) return 0;
  size_t length = fitting(text, width, &used);
  if (text[length] == '\0') return put_bytes(f, x, y, style, text, length);
  length = fitting(text, width - 1, &used);
  used = put_bytes(f, x, y, style, text, length);
  frame_set(f, x + used, y, style, ELLIPSIS);
  return used + 1;
}

int frame_say(frame *f, int x, int y, look style, const char *format, ...) {
  char text[LONGEST];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  return frame_put(f, x, y, f->columns - x, style, text);
}

int frame_put_right(frame *f, int x, int y, int width, look style, const char *text) {
  const int blank = width - frame_width(text);
  return frame_put(f, x + (blank > 0 ? blank : 0), y, width, style, text);
}

int frame_used_rows(const frame *f) {
  int used = 0;
  for (int i = 0; i < f->rows * f->columns; ++i)
    if (f->cells[i].code != ' ' || f->cells[i].style != STYLE_PLAIN) used = i / f->columns + 1;
  return used;
}
