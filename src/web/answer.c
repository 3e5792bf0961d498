#include "web/answer.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "web/folder.h"

/* The page of the playground contains its script, its style and its WebAssembly module (as data), and starts workers
 * from its own text (blob:). */
#define PAGE_POLICY                                                                                \
  "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; "    \
  "style-src 'unsafe-inline'; img-src data: blob:; "                                               \
  "connect-src 'self' data: blob:" FAR__POLICY_REFUSALS
#define INDEX_POLICY "default-src 'none'; style-src 'unsafe-inline'" FAR__POLICY_REFUSALS
#define HTML "text/html; charset=utf-8"

static const char reports[] = "/reports/";

/* Answers with the status as a line of text, for people who see it in a browser. */
static void say_status(far__web_answer *out, far__http_status status, bool head_only) {
  far_buffer body = {0};
  far__http_answer answer = {
      .status = status, .type = "text/plain; charset=utf-8", .policy = FAR__POLICY_TEXT};
  far__text_format(&body, "%d %s\n", (int)status, far__http_reason(status));
  answer.length = body.length;
  if (status == FAR__HTTP_METHOD) answer.fields = "Allow: GET, HEAD\r\n";
  if (status == FAR__HTTP_MOVED) answer.fields = "Location: /reports/\r\n";
  far__http_head(&out->text, &answer);
  if (!head_only && !body.failed) far_buffer_add(&out->text, body.bytes, body.length);
  out->text.failed = out->text.failed || body.failed;
  far_buffer_free(&body);
}

/* Answers with an open file, which the answer owns from here on. */
static void give_file(far__web_answer *out, int fd, int64_t size, const char *type,
                      const char *policy) {
  const far__http_answer answer = {
      .status = FAR__HTTP_OK, .type = type, .policy = policy, .length = (uint64_t)size};
  far__http_head(&out->text, &answer);
  out->file = fd;
  out->left = size;
}

/* Answers with the page of the playground, which is opened at every request, so that a rebuilt page is served. */
static void give_page(far__web_answer *out, const far__web_site *site, bool head_only) {
  struct stat info;
  const int fd = open(site->page, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) {
    give_file(out, fd, (int64_t)info.st_size, HTML, PAGE_POLICY);
    return;
  }
  if (fd >= 0) close(fd);
  say_status(out, FAR__HTTP_FAILED, head_only);
}

static void give_index(far__web_answer *out, const far__web_site *site, bool head_only) {
  far_buffer body = {0};
  far__folder_index(&body, site->folder);
  const far__http_answer answer = {
      .status = FAR__HTTP_OK, .type = HTML, .policy = INDEX_POLICY, .length = body.length};
  far__http_head(&out->text, &answer);
  if (!head_only && !body.failed) far_buffer_add(&out->text, body.bytes, body.length);
  out->text.failed = out->text.failed || body.failed;
  far_buffer_free(&body);
}

static void give_report(far__web_answer *out, const far__web_site *site, const char *name,
                        bool head_only) {
  const far__web_kind *kind;
  int64_t size;
  const int fd = far__folder_file(&kind, &size, site->folder, name);
  if (fd >= 0)
    give_file(out, fd, size, kind->type, kind->policy);
  else
    say_status(out, FAR__HTTP_NOT_FOUND, head_only);
}

static void give(far__web_answer *out, const far__web_site *site, const char *path,
                 bool head_only) {
  const size_t n = strlen(reports);
  const bool below = site->folder >= 0 && strncmp(path, reports, n) == 0;
  if (strcmp(path, "/") == 0)
    give_page(out, site, head_only);
  else if (below && path[n] == '\0')
    give_index(out, site, head_only);
  else if (below)
    give_report(out, site, path + n, head_only);
  else if (site->folder >= 0 && strcmp(path, "/reports") == 0)
    say_status(out, FAR__HTTP_MOVED, head_only);
  else
    say_status(out, FAR__HTTP_NOT_FOUND, head_only);
}

void far__web_answer_make(far__web_answer *out, const far__web_site *site, far__http_status status,
                          const far__http_request *request) {
  const bool head_only = request != NULL && request->head_only;
  *out = (far__web_answer){.file = -1};
  if (request == NULL || status != FAR__HTTP_OK)
    say_status(out, status, head_only);
  else
    give(out, site, request->path, head_only);
  if (head_only) out->left = 0;
}

void far__web_answer_free(far__web_answer *answer) {
  far_buffer_free(&answer->text);
  if (answer->file >= 0) close(answer->file);
  *answer = (far__web_answer){.file = -1};
}
