/* Rendering: all of a document into memory, then into the sink, so that a failure leaves nothing half
 * written. */
#include "base/error.h"
#include "base/sink.h"
#include "report/build.h"
#include "report/document.h"

const char *far_report_format_name(far_report_format format) {
  static const char *const names[] = {"text", "markdown", "json", "csv", "latex", "html"};
  return (size_t)format < sizeof names / sizeof *names ? names[format] : NULL;
}

far_render_def far_render_def_default(void) {
  return (far_render_def){.format = FAR_REPORT_TEXT, .indent = 2};
}

/* Fails with an error that lists the names of the report's tables. */
static far_status no_table(const far_report *r, const char *name, far_error *error) {
  far_buffer names = {0};
  for (size_t i = 0; far_report_table_name(r, i) != NULL; ++i) {
    if (i > 0) far__put(&names, ", ");
    far__put(&names, far_report_table_name(r, i));
  }
  const far_status status =
      names.failed          ? far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the report")
      : names.bytes == NULL ? far__fail(error, FAR_STATUS_UNKNOWN, -1, "there is no table")
                            : far__fail(error, FAR_STATUS_UNKNOWN, -1,
                                        "no table '%.60s'; there are: %.300s", name, names.bytes);
  far_buffer_free(&names);
  return status;
}

static bool has_table(const far_report *r, const char *name) {
  for (size_t i = 0; far_report_table_name(r, i) != NULL; ++i)
    if (name == NULL || strcmp(far_report_table_name(r, i), name) == 0) return true;
  return false;
}

far_status far_report_render(const far_report *r, const far_render_def *def, far_sink sink,
                             far_error *error) {
  far_buffer out = {0};
  far_status status = far__report_status(r, error);
  if (status != FAR_OK) return status;
  if (def->format == FAR_REPORT_CSV && !has_table(r, def->table))
    return no_table(r, def->table != NULL ? def->table : "", error);
  switch (def->format) {
  case FAR_REPORT_TEXT: far__render_text(&out, r, def); break;
  case FAR_REPORT_MARKDOWN: far__render_markdown(&out, r); break;
  case FAR_REPORT_JSON: far__render_json(&out, r); break;
  case FAR_REPORT_CSV: far__render_csv(&out, r, def->table, def->kinds); break;
  case FAR_REPORT_LATEX: far__render_latex(&out, r); break;
  case FAR_REPORT_HTML: far__render_html(&out, r); break;
  }
  if (out.failed)
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the report");
  else
    status = far__sink_write(sink, out.bytes, out.length, "the report", error);
  far_buffer_free(&out);
  return status;
}
