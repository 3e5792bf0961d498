#include "frame_svg.h"

#include <string.h>

/* A character has 9 x 18 units; the text is scaled to that, whatever the font is. */
enum { WIDE = 9, HIGH = 18, BASE = 14, MARGIN = 12, FIRST_LIGHT = 4 };

/* Viridis, and accents readable on white and on black. */
static const char *const heats[N_HEATS] = {"440154", "472d7b", "3b528b", "2c728e", "21918c",
                                           "28ae80", "5ec962", "addc30", "fde725"};
static const char *const light_accents[N_ACCENTS] = {"0072b2", "b35900", "007a5e",
                                                     "b3261e", "8a3d8f", "00707f"};
static const char *const dark_accents[N_ACCENTS] = {"56b4e9", "f0a04b", "4cc9a0",
                                                    "ff8a80", "d79adb", "5fd0dc"};

/* ---- the style sheet ---- */

static void write_colours(FILE *to, const char *paper, const char *ink,
                          const char *const accents[N_ACCENTS]) {
  fprintf(to, ".p{fill:#%s}.t,.s{fill:#%s}", paper, ink);
  for (int i = 0; i < N_ACCENTS; ++i) fprintf(to, ".a%d{fill:#%s}", i + 1, accents[i]);
}

static void write_light(FILE *to) {
  write_colours(to, "ffffff", "24292f", light_accents);
}

static void write_dark(FILE *to) {
  write_colours(to, "101418", "d6dae0", dark_accents);
}

static void write_style(FILE *to, far_theme theme) {
  fputs("<style>rect{shape-rendering:crispEdges}text{font:15px ui-monospace,'DejaVu Sans "
        "Mono',Menlo,Consolas,monospace;"
        "white-space:pre}.b{font-weight:700}.d{opacity:.6}.k{fill:#1a1a1a}.w{fill:#fff}"
        ".m{fill:#ff8700}",
        to);
  for (int i = 0; i < N_HEATS; ++i) fprintf(to, ".h%d{fill:#%s}", i + 1, heats[i]);
  if (theme == FAR_THEME_DARK)
    write_dark(to);
  else
    write_light(to);
  if (theme == FAR_THEME_AUTO) {
    fputs("@media(prefers-color-scheme:dark){", to);
    write_dark(to);
    fputs("}", to);
  }
  fputs("</style>\n", to);
}

static const char *accent_class(unsigned accent) {
  static const char *const names[N_ACCENTS + 1] = {"t", "a1", "a2", "a3", "a4", "a5", "a6"};
  return names[accent <= N_ACCENTS ? accent : 0];
}

/* The class of what is drawn in a cell. On a coloured background the ink does not follow the page. */
static void ink_class(char out[32], look s) {
  const unsigned heat = style_heat(s);
  const bool bold = (s & (STYLE_BOLD | STYLE_MARK)) != 0;
  const char *ink = (s & STYLE_MARK) != 0      ? "k"
                    : (s & STYLE_REVERSE) != 0 ? "p"
                    : heat > FIRST_LIGHT       ? "k"
                    : heat > 0                 ? "w"
                                               : accent_class(style_accent(s));
  snprintf(out, 32, "%s%s%s", ink, bold ? " b" : "", (s & STYLE_DIM) != 0 ? " d" : "");
}

/* The class of a cell's background, "" for none. */
static const char *ground_class(look s) {
  static const char *const names[N_HEATS + 1] = {"",   "h1", "h2", "h3", "h4",
                                                 "h5", "h6", "h7", "h8", "h9"};
  if ((s & STYLE_MARK) != 0) return "m";
  if ((s & STYLE_REVERSE) != 0) return accent_class(style_accent(s));
  return names[style_heat(s) <= N_HEATS ? style_heat(s) : 0];
}

/* ---- cells ---- */

static const frame_cell *cell_at(const frame *f, int x, int y) {
  return &f->cells[(size_t)y * (size_t)f->columns + (size_t)x];
}

static void write_rectangle(FILE *to, const char *class, int x, int y, int width, int height) {
  fprintf(to, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", class, x, y,
          width, height);
}

/* Neighbours with the same background are one rectangle. */
static void write_grounds(FILE *to, const frame *f, int y) {
  for (int x = 0, end; x < f->columns; x = end) {
    const char *class = ground_class(cell_at(f, x, y)->style);
    for (end = x + 1; end < f->columns; ++end)
      if (strcmp(class, ground_class(cell_at(f, end, y)->style)) != 0) break;
    if (class[0] != '\0')
      write_rectangle(to, class, MARGIN + x * WIDE, MARGIN + y * HIGH, (end - x) * WIDE, HIGH);
  }
}

/* Lines and blocks, which fonts do not join: a part of the cell's rectangle. False: it is a letter. */
static bool shape_of(uint32_t code, int *x, int *y, int *width, int *height) {
  *x = *y = 0, *width = WIDE, *height = HIGH;
  switch (code) {
  case 0x2500: *y = 8, *height = 1; return true; /* ─ */
  case 0x2501: *y = 7, *height = 3; return true; /* ━ */
  case 0x2524:                                   /* ┤ */
  case 0x2502: *x = 4, *width = 1; return true;  /* │ */
  case 0x2588: return true;                      /* █ */
  default: return false;
  }
}

static bool is_braille(uint32_t code) {
  return code >= 0x2800 && code <= 0x28ff;
}

static bool is_letter(uint32_t code) {
  int x, y, width, height;
  return code != ' ' && code != 0 && !is_braille(code) && !shape_of(code, &x, &y, &width, &height);
}

static void write_shapes(FILE *to, const frame *f, int y) {
  char class[32], next[32];
  int left, top, width, height;
  for (int x = 0, end; x < f->columns; x = end) {
    const frame_cell *cell = cell_at(f, x, y);
    end = x + 1;
    if (!shape_of(cell->code, &left, &top, &width, &height)) continue;
    ink_class(class, cell->style);
    for (; width == WIDE && end < f->columns && cell_at(f, end, y)->code == cell->code; ++end) {
      ink_class(next, cell_at(f, end, y)->style);
      if (strcmp(class, next) != 0) break;
    }
    write_rectangle(to, class, MARGIN + x * WIDE + left, MARGIN + y * HIGH + top,
                    width == WIDE ? (end - x) * WIDE : width, height);
  }
}

/* The dots of braille, as one path of squares for each colour of a row. */
static void write_dots(FILE *to, const frame *f, int y, unsigned accent) {
  static const int columns[8] = {0, 0, 0, 1, 1, 1, 0, 1}, rows[8] = {0, 1, 2, 0, 1, 2, 3, 3};
  bool any = false;
  for (int x = 0; x < f->columns; ++x) {
    const frame_cell *cell = cell_at(f, x, y);
    if (!is_braille(cell->code) || style_accent(cell->style) != accent) continue;
    if (!any) fprintf(to, "<path class=\"%c%u\" d=\"", accent > 0 ? 'a' : 's', accent);
    any = true;
    for (int i = 0; i < 8; ++i)
      if ((cell->code - 0x2800) >> i & 1)
        fprintf(to, "M%d.%d %d.%dh3v3h-3z", MARGIN + x * WIDE + (9 * columns[i] + 1) / 2,
                columns[i] == 1 ? 0 : 5, MARGIN + y * HIGH + 9 * rows[i] / 2,
                rows[i] % 2 == 1 ? 5 : 0);
  }
  if (any) fputs("\"/>\n", to);
}

static void write_escaped(FILE *to, uint32_t code) {
  char bytes[5];
  frame_utf8(bytes, code);
  fputs(code == '<' ? "&lt;" : code == '>' ? "&gt;" : code == '&' ? "&amp;" : bytes, to);
}

/* One text from a letter to the last letter of the same class, single blanks between words included. */
static int text_end(const frame *f, int x, int y, const char *class) {
  char next[32];
  int end = x + 1;
  for (int i = x + 1; i < f->columns && i <= end + 1; ++i) {
    const frame_cell *cell = cell_at(f, i, y);
    ink_class(next, cell->style);
    if (strcmp(class, next) != 0 && cell->code != ' ') break;
    if (is_letter(cell->code) || cell->code == 0)
      end = i + 1;
    else if (cell->code != ' ')
      break;
  }
  return end;
}

static void write_texts(FILE *to, const frame *f, int y) {
  char class[32];
  for (int x = 0, end; x < f->columns; x = end) {
    end = x + 1;
    if (!is_letter(cell_at(f, x, y)->code)) continue;
    ink_class(class, cell_at(f, x, y)->style);
    end = text_end(f, x, y, class);
    fprintf(
        to,
        "<text class=\"%s\" x=\"%d\" y=\"%d\" textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\">",
        class, MARGIN + x * WIDE, MARGIN + y * HIGH + BASE, (end - x) * WIDE);
    for (int i = x; i < end; ++i)
      if (cell_at(f, i, y)->code != 0) write_escaped(to, cell_at(f, i, y)->code);
    fputs("</text>\n", to);
  }
}

/* ---- the picture ---- */

static void write_title(FILE *to, const char *title) {
  fputs("<title>", to);
  for (uint32_t code; (code = frame_next(&title)) != 0;) write_escaped(to, code);
  fputs("</title>\n", to);
}

void frame_svg(FILE *to, const frame *f, far_theme theme, const char *title) {
  const int rows = frame_used_rows(f);
  const int width = 2 * MARGIN + f->columns * WIDE, height = 2 * MARGIN + rows * HIGH;
  fprintf(to,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
          "height=\"%d\" role=\"img\">\n",
          width, height, width, height);
  write_title(to, title);
  write_style(to, theme);
  fprintf(to, "<rect class=\"p\" width=\"%d\" height=\"%d\" rx=\"8\"/>\n", width, height);
  for (int y = 0; y < rows; ++y) {
    write_grounds(to, f, y);
    write_shapes(to, f, y);
    for (unsigned accent = 0; accent <= N_ACCENTS; ++accent) write_dots(to, f, y, accent);
    write_texts(to, f, y);
  }
  fputs("</svg>\n", to);
}
