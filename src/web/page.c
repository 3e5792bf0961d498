/* The page of the playground as a file, and addresses that choose what it shows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/own-folder.h"
#include "base/text.h"
#include "web/http.h"
#include "web/web.h"

enum { PATH_SIZE = 4096 };

static far_status give_path(char **out, const char *path, far_error *error) {
  *out = strdup(path);
  return *out != NULL ? FAR_OK
                      : far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the page's path");
}

far_status far__web_find(char **path, far_error *error) {
  static const char *const places[] = {"", "/../share/farsight"};
  const char *named = getenv("FARSIGHT_WEB_PAGE");
  char folder[PATH_SIZE], file[PATH_SIZE + 64];
  *path = NULL;
  if (named != NULL && named[0] != '\0') return give_path(path, named, error);
  const bool known = far__own_folder(folder, sizeof folder);
  for (size_t i = 0; known && i < sizeof places / sizeof *places; ++i) {
    snprintf(file, sizeof file, "%s%s/playground.html", folder, places[i]);
    if (far__is_file(file)) return give_path(path, file, error);
  }
  return far__fail(error, FAR_STATUS_ABSENT, -1,
                   "this build has no page of the playground: 'make web' in the source folder "
                   "builds it, also for the program that 'make install' has installed, and "
                   "FARSIGHT_WEB_PAGE=FILE names one");
}

far_status far__web_save(const char *page, const char *path, size_t *bytes, far_error *error) {
  uint8_t *data;
  size_t size;
  far_status status = far__file_read(&data, &size, page, FAR__MOST_TEXT, error);
  if (status == FAR_OK) status = far__file_replace(path, data, size, error);
  free(data);
  if (bytes != NULL) *bytes = status == FAR_OK ? size : 0;
  return status;
}

static void put_value(far_buffer *out, const char *key, const char *value) {
  far__text_format(out, "%s=", key);
  far__http_encode(out, value);
}

void far__web_link(far_buffer *out, const far__web_link_def *def) {
  put_value(out, "#env", def->env);
  for (size_t i = 0; i < def->n_agents; ++i) put_value(out, "&agent", def->agents[i]);
  if (def->steps > 0) far__text_format(out, "&steps=%lld", (long long)def->steps);
  if (def->seed != NULL) far__text_format(out, "&seed=%llu", (unsigned long long)*def->seed);
}
