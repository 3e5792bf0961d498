/* Figures as SVG: classes for colours, so that a style sheet can change them; text as text. */
#include <math.h>
#include <string.h>

#include "base/markup.h"
#include "base/number.h"
#include "base/text.h"
#include "report/figure/figure.h"

#define FONTS "\"Helvetica Neue\",Helvetica,Arial,\"Liberation Sans\",\"DejaVu Sans\",sans-serif"

void far__put_length(far_buffer *out, double x) {
  char text[FAR__NUMBER_SIZE];
  const double rounded = floor(x * 100 + 0.5) / 100;
  far__real_format(text, rounded == 0 ? 0 : rounded); /* no -0 */
  far__put(out, text);
}

/* Writes x in full if that is short, else with six digits; "-" for NAN. */
static void put_number(far_buffer *out, double x) {
  char text[FAR__NUMBER_SIZE];
  far__real_format(text, x);
  if (strlen(text) > 10) far__real_below(text, x, 6);
  far__put(out, x == x ? text : "-");
}

/* ---- attributes ---- */

static void put_attribute(far_buffer *out, const char *name, double x) {
  far__text_format(out, " %s=\"", name);
  far__put_length(out, x);
  far__put(out, "\"");
}

static void put_paint(far_buffer *out, const far__paint *paint) {
  far__text_format(out, " class=\"f-%s", far__ink_named(paint->fill).text);
  if (paint->stroke != FAR__NO_INK)
    far__text_format(out, " k-%s", far__ink_named(paint->stroke).text);
  far__put(out, "\"");
  if (paint->width > 0 && paint->stroke != FAR__NO_INK)
    put_attribute(out, "stroke-width", paint->width);
  if (paint->opacity > 0) put_attribute(out, "opacity", paint->opacity);
  if (paint->dash > 0)
    far__text_format(out, " stroke-dasharray=\"%s\"", far__dashes[paint->dash % 8].svg);
}

/* The numbers that a line shows, for the script of a page: data-x="1 2 3". */
static void put_values(far_buffer *out, const far__item *item) {
  static const char *const names[] = {"x", "y", "low", "high"};
  for (size_t k = 0; k < 4; ++k) {
    if (item->values[k] == NULL) continue;
    far__text_format(out, " data-%s=\"", names[k]);
    for (size_t i = 0; i < item->n_values; ++i) {
      if (i > 0) far__put(out, " ");
      put_number(out, item->values[k][i]);
    }
    far__put(out, "\"");
  }
}

/* Ends the element `name`, whose start tag is still open; a tip becomes its <title>. */
static void put_end(far_buffer *out, const far__item *item, const char *name) {
  if (item->tip == NULL) {
    far__put(out, "/>\n");
    return;
  }
  far__put(out, "><title>");
  far__markup_text(out, item->tip);
  far__text_format(out, "</title></%s>\n", name);
}

/* ---- shapes ---- */

static void put_path(far_buffer *out, const far__item *item) {
  far__put(out, "<path d=\"M");
  for (size_t i = 0; i < item->n; ++i) {
    if (i > 0) far__put(out, i == 1 ? "L" : " ");
    far__put_length(out, item->x[i]);
    far__put(out, " ");
    far__put_length(out, item->y[i]);
  }
  if (item->shape == FAR__POLYGON) far__put(out, "Z");
  far__put(out, "\"");
  put_paint(out, &item->paint);
  put_values(out, item);
  put_end(out, item, "path");
}

static void put_rectangle(far_buffer *out, const far__item *item) {
  far__put(out, "<rect");
  put_attribute(out, "x", item->x[0]);
  put_attribute(out, "y", item->y[0]);
  put_attribute(out, "width", item->x[1]);
  put_attribute(out, "height", item->y[1]);
  put_paint(out, &item->paint);
  put_end(out, item, "rect");
}

static void put_circle(far_buffer *out, const far__item *item) {
  far__put(out, "<circle");
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
  far__put(out, anchors[item->font.anchor]);
  if (item->font.bold) far__put(out, " font-weight=\"bold\"");
  if (item->font.angle != 0) {
    far__text_format(out, " transform=\"rotate(%d ", item->font.angle);
    far__put_length(out, item->x[0]);
    far__put(out, " ");
    far__put_length(out, item->y[0]);
    far__put(out, ")\"");
  }
  far__put(out, ">");
  if (item->tip != NULL) {
    far__put(out, "<title>");
    far__markup_text(out, item->tip);
    far__put(out, "</title>");
  }
  far__markup_text(out, item->text);
  far__put(out, "</text>\n");
}

static void put_group(far_buffer *out, const far__item *item) {
  if (item->shape == FAR__SERIES_BEGINS)
    far__text_format(out, "<g class=\"series\" data-series=\"%zu\"", item->n);
  else
    far__put(out, "<g class=\"panel\"");
  far__put(out, " data-label=\"");
  far__markup_text(out, item->text);
  far__put(out, "\">\n");
}

static void put_item(far_buffer *out, const far__item *item) {
  switch (item->shape) {
  case FAR__POLYLINE:
  case FAR__POLYGON: put_path(out, item); break;
  case FAR__RECTANGLE: put_rectangle(out, item); break;
  case FAR__CIRCLE: put_circle(out, item); break;
  case FAR__TEXT:
    if (*item->text != '\0') put_text(out, item);
    break;
  case FAR__SERIES_BEGINS:
  case FAR__PANEL_BEGINS: put_group(out, item); break;
  case FAR__ENDS: far__put(out, "</g>\n"); break;
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
  far__put(out, "\n@media screen and (prefers-color-scheme:dark){");
  put_rules(out, used, true, scope);
  far__put(out, "}");
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
  far__markup_text(out, text);
  far__text_format(out, "</%s>\n", element);
}

static void put_head(far_buffer *out, const far_figure *f, const far_figure_def *def) {
  far__put(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"figure\" data-kind=\"");
  far__markup_text(out, f->kind);
  far__put(out, "\"");
  put_attribute(out, "width", f->width);
  put_attribute(out, "height", f->height);
  far__put(out, " viewBox=\"0 0 ");
  far__put_length(out, f->width);
  far__put(out, " ");
  far__put_length(out, f->height);
  far__text_format(out, "\" role=\"img\" aria-labelledby=\"%.200s-title %.200s-desc\"", def->id,
                   def->id);
  far__put(out, " font-family='" FONTS "' stroke-linejoin=\"round\" stroke-linecap=\"butt\">\n");
  put_named(out, "title", def->id, f->title);
  put_named(out, "desc", def->id, f->description);
}

void far__render_svg(far_buffer *out, const far_figure *f, const far_figure_def *def) {
  put_head(out, f, def);
  if (def->format == FAR_FIGURE_SVG) {
    bool used[FAR__INK_COUNT];
    find_used(used, f);
    far__put(out, "<style>");
    put_style(out, used, def->theme, "");
    far__put(out, "</style>\n<rect class=\"f-paper\" width=\"100%\" height=\"100%\"/>\n");
  }
  for (size_t i = 0; i < f->n_items; ++i) put_item(out, &f->items[i]);
  far__put(out, "</svg>\n");
}
