/* A report as LaTeX: tables by the package booktabs, figures by TikZ, all else as paragraphs and comments. */
#include "base/latex.h"
#include "report/build.h"
#include "report/document.h"

/* Hidden columns are left out, and bars: graphs of characters are for terminals. */
static bool is_shown(const far__column *column) {
  return column->title != NULL && column->kind != FAR__COLUMN_BARS;
}

static void put_row(far_buffer *out, const far_table *t, const far__entry *row) {
  const char *between = "";
  for (size_t c = 0; c < t->n_columns; ++c) {
    if (!is_shown(&t->columns[c])) continue;
    far__put(out, between);
    far__latex_text(out, row != NULL ? row[c].shown : t->columns[c].title);
    between = " & ";
  }
  far__put(out, " \\\\\n");
}

static void put_table(far_buffer *out, const far_table *t) {
  far__put(out, "\\begin{tabular}{");
  for (size_t c = 0; c < t->n_columns; ++c)
    if (is_shown(&t->columns[c])) far__put(out, far__is_right(t->columns[c].kind) ? "r" : "l");
  far__put(out, "}\n\\toprule\n");
  put_row(out, t, NULL);
  far__put(out, "\\midrule\n");
  for (size_t r = 0; r < t->n_rows; ++r) {
    if (t->rows[r].rule) far__put(out, "\\midrule\n");
    put_row(out, t, &t->entries[r * t->n_columns]);
  }
  far__put(out, "\\bottomrule\n\\end{tabular}\n");
}

static void put_line(far_buffer *out, const char *before, const char *text, const char *after) {
  far__put(out, before);
  far__latex_text(out, text);
  far__put(out, after);
}

/* Draws the shown view of a figure; a figure without views becomes a comment. */
static void put_picture(far_buffer *out, const far_report *r, const far__part *part) {
  const far_figure_def def = {.format = FAR_FIGURE_TIKZ};
  if (part->n_views == 0) {
    put_line(out, "% Figure: ", part->text, "\n");
    return;
  }
  far__put(out, "\\begin{figure}\n\\centering\n");
  if (far_figure_render(r->views[part->view + part->shown].figure, &def, far_sink_buffer(out),
                        NULL) != FAR_OK)
    out->failed = true;
  put_line(out, "\\caption{", part->text, "}\n\\end{figure}\n");
}

static void put_part(far_buffer *out, const far_report *r, const far__part *part) {
  switch (part->kind) {
  case FAR__BLOCK_TABLE:
    if (part->table->caption != NULL) put_line(out, "", part->table->caption, "\n\n");
    put_table(out, part->table);
    break;
  case FAR__BLOCK_HEADING: put_line(out, "\\paragraph{", part->text, "}\n"); break;
  case FAR__BLOCK_COMMAND:
  case FAR__BLOCK_ITEM: put_line(out, "\\par\\texttt{", part->text, "}\n"); break;
  case FAR__BLOCK_VERDICT:
    if (part->name != NULL) put_line(out, "\\par\\textbf{", part->name, "}\n");
    put_line(out, "", part->text, "\n");
    break;
  case FAR__BLOCK_ENTRY:
    put_line(out, "\\par\\textbf{", part->name, "}\n");
    put_line(out, "", part->text, "\n");
    break;
  case FAR__BLOCK_METHODS: put_line(out, "Methods: ", part->text, "\n"); break;
  case FAR__BLOCK_PICTURE: put_picture(out, r, part); break;
  default: put_line(out, "", part->text, "\n");
  }
}

void far__render_latex(far_buffer *out, const far_report *r) {
  far__put(out, r->n_views > 0 ? "% needs \\usepackage{booktabs,tikz,xcolor}\n"
                               : "% needs \\usepackage{booktabs}\n");
  for (size_t i = 0; i < r->n_parts; ++i) {
    if (!far__is_seen(&r->parts[i])) continue;
    far__put(out, "\n");
    put_part(out, r, &r->parts[i]);
  }
}
