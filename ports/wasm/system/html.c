/* In place of src/report/html*.c: a page asks for JSON and figures, and is HTML itself. Nothing here renders this
 * format; its style and script would be a tenth of the module. */
#include "report/document.h"

void far__render_html(far_buffer *out, const far_report *report) {
  static const char text[] = "<!-- this build has no pages -->\n";
  (void)report;
  far_buffer_add(out, text, sizeof text - 1);
}
