/* Rendering: all of a figure into memory, then into the sink, so that a failure leaves nothing half
 * written. */
#include "base/error.h"
#include "base/sink.h"
#include "report/figure/figure.h"

far_figure_def far_figure_def_default(void) {
  return (far_figure_def){.id = "figure"};
}

/* Writes what was rendered, and frees it. */
static far_status write_out(far_buffer *text, far_sink sink, far_error *error) {
  const far_status status =
      text->failed ? far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a figure")
                   : far__sink_write(sink, text->bytes, text->length, "the figure", error);
  far_buffer_free(text);
  return status;
}

far_status far_figure_render(const far_figure *f, const far_figure_def *def, far_sink sink,
                             far_error *error) {
  far_buffer text = {0};
  if (def->format == FAR_FIGURE_TIKZ)
    far__render_tikz(&text, f, def);
  else
    far__render_svg(&text, f, def);
  return write_out(&text, sink, error);
}

far_status far__figure_style(far_theme theme, const char *scope, far_sink sink, far_error *error) {
  far_buffer text = {0};
  far__style(&text, theme, scope);
  return write_out(&text, sink, error);
}
