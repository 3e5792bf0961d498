/* What all pages share, and a page as a file: an existing file is replaced only if it is a page of Farsight. */
#include "base/error.h"
#include "base/file.h"
#include "base/markup.h"
#include "questions/page/page.h"

far__page_def far__page_def_default(void) {
  return (far__page_def){.name = "results.db",
                         .results = far_comparison_def_default(),
                         .most_agents = 60,
                         .most_series = 10,
                         .most_cells = 400,
                         .figure_bytes = 1200000,
                         .most_steps = 200000,
                         .audit_runs = 20,
                         .audit_steps = 10000};
}

/* ---- work in progress ---- */

bool far__page_check(far__page *page, far_status status) {
  if (page->status == FAR_OK) page->status = status;
  return page->status == FAR_OK;
}

void far__page_fails(far__page *page, far_status status, const far_error *why) {
  if (status != FAR_STATUS_MEMORY && status != FAR_STATUS_CANCELLED && status != FAR_STATUS_IO)
    return;
  if (page->error != NULL && page->status == FAR_OK) *page->error = *why;
  far__page_check(page, status);
}

bool far__page_progress(far__page *page, const char *what, size_t done, size_t count) {
  const far_comparison_def *def = &page->def->results;
  if (page->status != FAR_OK || def->progress == NULL) return page->status == FAR_OK;
  if (def->progress(def->user, what, done, count)) return true;
  return far__page_check(page, far__fail(page->error, FAR_STATUS_CANCELLED, -1, "stopped"));
}

/* ---- as a file ---- */

/* The beginning of a file holds the mark, or the file is empty or absent. */
static far_status check_old(const char *path, far_error *error) {
  char head[FAR__PAGE_HEAD];
  FILE *file;
  if (!far__is_file(path)) return FAR_OK;
  const far_status status = far__file_open(&file, NULL, path, FAR__MOST_DATA, error);
  if (status != FAR_OK) return status;
  const size_t n = fread(head, 1, sizeof head, file);
  fclose(file);
  if (n == 0 || far__is_page(head, n)) return FAR_OK;
  return far__fail(error, FAR_STATUS_CONFLICT, -1,
                   "'%.200s' exists and is not a page that Farsight wrote: it is left as it is",
                   path);
}

far_status far__page_save(const far_report *report, const char *path, size_t *bytes,
                          far_error *error) {
  far_render_def how = far_render_def_default();
  far_buffer out = {0};
  how.format = FAR_REPORT_HTML;
  far_status status = check_old(path, error);
  if (status == FAR_OK) status = far_report_render(report, &how, far_sink_buffer(&out), error);
  if (status == FAR_OK) status = far__file_replace(path, out.bytes, out.length, error);
  if (bytes != NULL) *bytes = status == FAR_OK ? out.length : 0;
  far_buffer_free(&out);
  return status;
}
