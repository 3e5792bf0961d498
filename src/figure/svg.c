/* Figures as SVG: classes for colours, so that a style sheet can change them; text as text. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "figure/figure.h"

#define FONTS "\"Helvetica Neue\",Helvetica,Arial,\"Liberation Sans\",\"DejaVu Sans\",sans-serif"

static void put(far_buffer *out, const char *text) {
  far_buffer_add(out, text, strlen(text));
}

void far__put_length(far_buffer *out, double x) {
  char text[FAR_NUMBER_SIZE];
  const double rounded = floor(x * 100 + 0.5) / 100;
  far_real_format(text, rounded == 0 ? 0 : rounded); /* no -0 */
  put(out, text);
}

/* Six digits are more than a reader can ask for. */
static void put_number(far_buffer *out, double x) {
  char text[FAR_NUMBER_SIZE];
  far_real_format(text, x);
  if (strlen(text) > 10) far_real_below(text, x, 6);
  put(out, x == x ? text : "-");
}

/* U+202A ... U+202E and U+2066 ... U+2069: what follows them would be read in another order. */
static bool turns(const unsigned char c[3]) {
  return c[0] == 0xe2 && ((c[1] == 0x80 && c[2] >= 0xaa && c[2] <= 0xae) ||
                          (c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9));
}

/* What XML reserves is escaped; what it forbids, what is not UTF-8 and what turns the order becomes U+FFFD. */
static void put_escaped(far_buffer *out, const char *text) {
  const size_t length = strlen(text);
  for (size_t at = 0; at < length;) {
    const size_t size = far__utf8_length(text + at, length - at);
    const unsigned char c = (unsigned char)text[at];
    const bool forbidden = size == 0 || (size == 1 && (c < 0x20 || c == 0x7f)) ||
                           (size == 3 && memcmp(text + at, "\xef\xbf", 2) == 0 &&
                            (unsigned char)text[at + 2] >= 0xbe) ||
                           (size == 3 && turns((const unsigned char *)text + at));
    if (forbidden)
      put(out, c == '\n' || c == '\t' ? " " : "\xef\xbf\xbd");
    else if (c == '&')
      put(out, "&amp;");
    else if (c == '<')
      put(out, "&lt;");
    else if (c == '>')
      put(out, "&gt;");
    else if (c == '"')
      put(out, "&quot;");
    else
      far_buffer_add(out, text + at, size);
    at += size > 0 ? size : 1;
  }
}

/* ---- attributes ---- */

static void put_attribute(far_buffer *out, const char *name, double x) {
  far__text_format(out, " %s=\"", name);
  far__put_length(out, x);
  put(out, "\"");
}

static void put_paint(far_buffer *out, const far__paint *paint) {
  far__text_format(out, " class=\"f-%s", far__ink_named(paint->fill).text);
  if (paint->stroke != FAR__NO_INK)
    far__text_format(out, " k-%s", far__ink_named(paint->stroke).text);
  put(out, "\"");
  if (paint->width > 0 && paint->stroke != FAR__NO_INK)
    put_attribute(out, "stroke-width", paint->width);
  if (paint->opacity > 0) put_attribute(out, "opacity", paint->opacity);
  if (paint->dash > 0)
    far__text_format(out, " stroke-dasharray=\"%s\"", far__dashes[paint->dash % 8].svg);
}

/* The numbers behind a line, for a page's script: data-x="1 2 3". */
static void put_values(far_buffer *out, const far__item *item) {
  static const char *const names[] = {"x", "y", "low", "high"};
  for (size_t k = 0; k < 4; ++k) {
    if (item->values[k] == NULL) continue;
    far__text_format(out, " data-%s=\"", names[k]);
    for (size_t i = 0; i < item->n_values; ++i) {
      if (i > 0) put(out, " ");
      put_number(out, item->values[k][i]);
    }
    put(out, "\"");
  }
}

/* The end of an element that has begun, with its tip. */
static void put_end(far_buffer *out, const far__item *item, const char *name) {
  if (item->tip == NULL) {
    put(out, "/>\n");
    return;
  }
  put(out, "><title>");
  put_escaped(out, item->tip);
  far__text_format(out, "</title></%s>\n", name);
}

/* ---- shapes ---- */

static void put_path(far_buffer *out, const far__item *item) {
  put(out, "<path d=\"M");
  for (size_t i = 0; i < item->n; ++i) {
    if (i > 0) put(out, i == 1 ? "L" : " ");
    far__put_length(out, item->x[i]);
    put(out, " ");
    far__put_length(out, item->y[i]);
  }
  if (item->shape == FAR__POLYGON) put(out, "Z");
  put(out, "\"");
  put_paint(out, &item->paint);
  put_values(out, item);
  put_end(out, item, "path");
}

static void put_rectangle(far_buffer *out, const far__item *item) {
  put(out, "<rect");
  put_attribute(out, "x", item->x[0]);
  put_attribute(out, "y", item->y[0]);
  put_attribute(out, "width", item->x[1]);
  put_attribute(out, "height", item->y[1]);
  put_paint(out, &item->paint);
  put_end(out, item, "rect");
}

static void put_circle(far_buffer *out, const far__item *item) {
  put(out, "<circle");
  put_attribute(out, "cx", item->x[0]);
  put_attribute(out, "cy", item->y[0]);
  put_attribute(out, "r", item->x[1]);
  put_paint(out, &item->paint);
  put_end(out, item, "circle");
}

static void put_text(far_buffer *out, const far__item *item) {
  static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  far__text_format(out, "<text class=\"f-%s\"", far__ink_named(item->font.ink).text);
  put_attribute(out, "x", item->x[0]);
  put_attribute(out, "y", item->y[0]);
  put_attribute(out, "font-size", item->font.size);
  put(out, anchors[item->font.anchor]);
  if (item->font.bold) put(out, " font-weight=\"bold\"");
  if (item->font.angle != 0) {
    far__text_format(out, " transform=\"rotate(%d ", item->font.angle);
    far__put_length(out, item->x[0]);
    put(out, " ");
    far__put_length(out, item->y[0]);
    put(out, ")\"");
  }
  put(out, ">");
  if (item->tip != NULL) {
    put(out, "<title>");
    put_escaped(out, item->tip);
    put(out, "</title>");
  }
  put_escaped(out, item->text);
  put(out, "</text>\n");
}

static void put_group(far_buffer *out, const far__item *item) {
  if (item->shape == FAR__SERIES_BEGINS)
    far__text_format(out, "<g class=\"series\" data-series=\"%zu\"", item->n);
  else
    put(out, "<g class=\"panel\"");
  put(out, " data-label=\"");
  put_escaped(out, item->text);
  put(out, "\">\n");
}

static void put_item(far_buffer *out, const far__item *item) {
  switch (item->shape) {
  case FAR__POLYLINE:
  case FAR__POLYGON: put_path(out, item); break;
  case FAR__RECTANGLE: put_rectangle(out, item); break;
  case FAR__CIRCLE: put_circle(out, item); break;
  case FAR__TEXT: put_text(out, item); break;
  case FAR__SERIES_BEGINS:
  case FAR__PANEL_BEGINS: put_group(out, item); break;
  case FAR__ENDS: put(out, "</g>\n"); break;
  }
}

/* ---- style ---- */

/* Which inks a figure uses; all of them without a figure. */
static void find_used(bool used[FAR__INK_COUNT], const far_figure *f) {
  for (int ink = 0; ink < FAR__INK_COUNT; ++ink) used[ink] = f == NULL;
  for (size_t i = 0; f != NULL && i < f->n_items; ++i) {
    const far__item *item = &f->items[i];
    used[item->paint.fill] = used[item->paint.stroke] = used[item->font.ink] = true;
  }
  used[FAR__NO_INK] = used[FAR__INK_PAPER] = true;
}

static void put_rules(far_buffer *out, const bool used[FAR__INK_COUNT], bool dark,
                      const char *scope) {
  for (int ink = 0; ink < FAR__INK_COUNT; ++ink) {
    if (!used[ink]) continue;
    const far__ink_name name = far__ink_named((far__ink)ink);
    const far__colour colour = far__ink_colour((far__ink)ink, dark);
    far__text_format(out, "%s.f-%s{fill:%s}", scope, name.text, colour.text);
    if (ink != FAR__NO_INK)
      far__text_format(out, "%s.k-%s{stroke:%s}", scope, name.text, colour.text);
  }
}

static void put_style(far_buffer *out, const bool used[FAR__INK_COUNT], far_theme theme,
                      const char *scope) {
  put_rules(out, used, theme == FAR_THEME_DARK, scope);
  if (theme != FAR_THEME_AUTO) return;
  put(out, "\n@media screen and (prefers-color-scheme:dark){");
  put_rules(out, used, true, scope);
  put(out, "}");
}

void far__style(far_buffer *out, far_theme theme, const char *scope) {
  bool used[FAR__INK_COUNT];
  find_used(used, NULL);
  put_style(out, used, theme, scope);
}

/* ---- the whole ---- */

/* An element with a text and an identifier. */
static void put_named(far_buffer *out, const char *element, const char *id, const char *text) {
  far__text_format(out, "<%s id=\"%.200s-%s\">", element, id, element);
  put_escaped(out, text);
  far__text_format(out, "</%s>\n", element);
}

static void put_head(far_buffer *out, const far_figure *f, const far_figure_def *def) {
  put(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"figure\" data-kind=\"");
  put_escaped(out, f->kind);
  put(out, "\"");
  put_attribute(out, "width", f->width);
  put_attribute(out, "height", f->height);
  put(out, " viewBox=\"0 0 ");
  far__put_length(out, f->width);
  put(out, " ");
  far__put_length(out, f->height);
  far__text_format(out, "\" role=\"img\" aria-labelledby=\"%.200s-title %.200s-desc\"", def->id,
                   def->id);
  put(out, " font-family='" FONTS "' stroke-linejoin=\"round\" stroke-linecap=\"butt\">\n");
  put_named(out, "title", def->id, f->title);
  put_named(out, "desc", def->id, f->description);
}

void far__render_svg(far_buffer *out, const far_figure *f, const far_figure_def *def) {
  put_head(out, f, def);
  if (def->format == FAR_FIGURE_SVG) {
    bool used[FAR__INK_COUNT];
    find_used(used, f);
    put(out, "<style>");
    put_style(out, used, def->theme, "");
    put(out, "</style>\n<rect class=\"f-paper\" width=\"100%\" height=\"100%\"/>\n");
  }
  for (size_t i = 0; i < f->n_items; ++i) put_item(out, &f->items[i]);
  put(out, "</svg>\n");
}
