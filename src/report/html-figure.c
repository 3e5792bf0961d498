/* Figures of a page: drawings of characters, and drawings in SVG with their views. */
#include "report/html.h"

static void put_caption(far_buffer *out, const char *text) {
  far__put(out, "<figcaption>");
  far__html_text(out, text);
  far__put(out, "</figcaption></figure>\n");
}

/* A screen reader reads the caption instead of the drawing: characters in a plane cannot be read aloud. */
static void put_drawing(far__html *h, const far__part *part) {
  far__put(h->out, "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"drawing\">");
  far__put(h->out, "<pre role=\"img\" aria-label=\"");
  far__html_attribute(h->out, part->text);
  far__put(h->out, "\">\n"); /* the first line break of <pre> is not shown */
  far__html_lines(h->out, part->drawing);
  far__put(h->out, "</pre></div>\n");
}

static void put_view(far__html *h, const far__view *view, size_t number, size_t i) {
  const far_figure_info info = far_figure_info_of(view->figure);
  far_figure_def def = far_figure_def_default();
  char id[FAR__ID_SIZE];
  snprintf(id, sizeof id, "f%zu-%zu", number, i);
  def.format = FAR_FIGURE_INLINE;
  def.id = id;
  far__put(h->out, "<div class=\"view\" role=\"group\" tabindex=\"0\" aria-label=\"");
  far__html_attribute(h->out, info.title != NULL ? info.title : view->label);
  far__put(h->out, "\">");
  if (far_figure_render(view->figure, &def, far_sink_buffer(h->out), NULL) != FAR_OK)
    h->out->failed = true;
  far__put(h->out, "</div>\n");
}

/* The radio button of a view comes directly before the view; the style shows the view after the checked button. */
static void put_choice(far__html *h, const far__view *view, size_t number, size_t i, bool shown) {
  far__text_format(h->out, "<input type=\"radio\" name=\"view%zu\" id=\"v%zu-%zu\"%s>", number,
                   number, i, shown ? " checked" : "");
  far__text_format(h->out, "<label for=\"v%zu-%zu\">", number, i);
  far__html_name(h->out, view->label);
  far__put(h->out, "</label>\n");
}

static void put_views(far__html *h, const far__part *part, size_t number) {
  const far__view *views = &h->report->views[part->view];
  if (part->n_views > 1)
    far__put(h->out, "<fieldset class=\"views\"><legend class=\"unseen\">View</legend>\n");
  for (size_t i = 0; i < part->n_views; ++i) {
    if (part->n_views > 1) put_choice(h, &views[i], number, i, i == part->shown);
    put_view(h, &views[i], number, i);
  }
  if (part->n_views > 1) far__put(h->out, "</fieldset>\n");
}

void far__html_figure(far__html *h, const far__part *part) {
  const size_t number = ++h->n_figures;
  far__text_format(h->out, "<figure id=\"f%zu\" class=\"%s\"", number,
                   part->drawing != NULL ? "drawing" : "figure");
  far__put(h->out, " data-name=\"");
  far__html_attribute(h->out, part->name);
  far__put(h->out, "\"");
  far__html_scope(h->out, part->scope);
  far__put(h->out, ">\n");
  if (part->drawing != NULL) put_drawing(h, part);
  put_views(h, part, number);
  put_caption(h->out, part->text);
}
