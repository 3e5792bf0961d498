/* Figures as TikZ: the same shapes at the same places, with the document's own font. */
#include <stdio.h>
#include <string.h>

#include "base/latex.h"
#include "base/text.h"
#include "report/figure/figure.h"

/* Writes a comment of TeX; line breaks and other control characters become spaces, so that it stays on one line. */
static void put_remark(far_buffer *out, const char *text) {
  far__put(out, "% ");
  for (; *text != '\0'; ++text) far_buffer_add(out, (unsigned char)*text < 0x20 ? " " : text, 1);
  far__put(out, "\n");
}

/* ---- shapes ---- */

static void put_point(far_buffer *out, double x, double y) {
  far__put(out, "(");
  far__put_length(out, x);
  far__put(out, ",");
  far__put_length(out, y);
  far__put(out, ")");
}

static void put_paint(far_buffer *out, const far__paint *paint) {
  const char *separator = "";
  far__put(out, "\\path[");
  if (paint->fill != FAR__NO_INK) {
    far__text_format(out, "fill=far-%s", far__ink_named(paint->fill).text);
    separator = ",";
  }
  if (paint->stroke != FAR__NO_INK) {
    far__text_format(out, "%sdraw=far-%s,line width=", separator,
                     far__ink_named(paint->stroke).text);
    far__put_length(out, 0.75 * (paint->width > 0 ? paint->width : 1));
    far__put(out, "bp");
    separator = ",";
  }
  if (paint->opacity > 0) {
    far__text_format(out, "%sopacity=", separator);
    far__put_length(out, paint->opacity);
  }
  if (paint->dash > 0) far__text_format(out, ",dash pattern=%s", far__dashes[paint->dash % 8].tikz);
  far__put(out, "] ");
}

static void put_path(far_buffer *out, const far__item *item) {
  put_paint(out, &item->paint);
  for (size_t i = 0; i < item->n; ++i) {
    if (i > 0) far__put(out, i % 8 == 0 ? "\n  --" : "--");
    put_point(out, item->x[i], item->y[i]);
  }
  far__put(out, item->shape == FAR__POLYGON ? "--cycle;\n" : ";\n");
}

static void put_rectangle(far_buffer *out, const far__item *item) {
  put_paint(out, &item->paint);
  put_point(out, item->x[0], item->y[0]);
  far__put(out, "rectangle");
  put_point(out, item->x[0] + item->x[1], item->y[0] + item->y[1]);
  far__put(out, ";\n");
}

static void put_circle(far_buffer *out, const far__item *item) {
  put_paint(out, &item->paint);
  put_point(out, item->x[0], item->y[0]);
  far__put(out, "circle[radius=");
  far__put_length(out, 0.75 * item->x[1]);
  far__put(out, "bp];\n");
}

static void put_node(far_buffer *out, const far__item *item) {
  static const char *const anchors[] = {"base west", "base", "base east"};
  const double size = 0.75 * item->font.size;
  far__text_format(out, "\\node[anchor=%s,text=far-%s,font=\\sffamily%s\\fontsize{",
                   anchors[item->font.anchor], far__ink_named(item->font.ink).text,
                   item->font.bold ? "\\bfseries" : "");
  far__put_length(out, size);
  far__put(out, "}{");
  far__put_length(out, 1.2 * size);
  far__put(out, "}\\selectfont");
  if (item->font.angle != 0) far__text_format(out, ",rotate=%d", -item->font.angle);
  far__put(out, "] at ");
  put_point(out, item->x[0], item->y[0]);
  far__put(out, " {");
  far__latex_text(out, item->text);
  far__put(out, "};\n");
}

static void put_item(far_buffer *out, const far__item *item) {
  switch (item->shape) {
  case FAR__POLYLINE:
  case FAR__POLYGON: put_path(out, item); break;
  case FAR__RECTANGLE: put_rectangle(out, item); break;
  case FAR__CIRCLE: put_circle(out, item); break;
  case FAR__TEXT:
    if (*item->text != '\0') put_node(out, item);
    break;
  case FAR__SERIES_BEGINS:
  case FAR__PANEL_BEGINS: put_remark(out, item->text); break;
  case FAR__ENDS: break;
  }
}

/* ---- the whole ---- */

static void put_colours(far_buffer *out, const far_figure *f, bool dark) {
  bool used[FAR__INK_COUNT] = {false};
  for (size_t i = 0; i < f->n_items; ++i) {
    const far__item *item = &f->items[i];
    used[item->paint.fill] = used[item->paint.stroke] = used[item->font.ink] = true;
  }
  for (int ink = FAR__NO_INK + 1; ink < FAR__INK_COUNT; ++ink)
    if (used[ink])
      far__text_format(out, "\\definecolor{far-%s}{HTML}{%s}\n", far__ink_named((far__ink)ink).text,
                       far__ink_colour((far__ink)ink, dark).text + 1);
}

void far__render_tikz(far_buffer *out, const far_figure *f, const far_figure_def *def) {
  put_remark(out, f->title);
  far__put(out, "% needs \\usepackage{tikz}; for other scripts and signs LuaLaTeX or XeLaTeX\n"
                "\\begin{tikzpicture}[x=0.75bp,y=-0.75bp,inner sep=0]\n");
  put_colours(out, f, def->theme == FAR_THEME_DARK);
  far__put(out, "\\useasboundingbox (0,0) rectangle ");
  put_point(out, f->width, f->height);
  far__put(out, ";\n");
  for (size_t i = 0; i < f->n_items; ++i) put_item(out, &f->items[i]);
  far__put(out, "\\end{tikzpicture}\n");
}
