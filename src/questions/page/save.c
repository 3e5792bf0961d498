/* A page as a file. What is there already is replaced only if it is a page of ours. */
#include "base/error.h"
#include "base/file.h"
#include "base/markup.h"
#include "questions/page/page.h"

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
