/* Any bytes as the head of a request. What is understood does not depend on what follows it, is not understood
 * before its last byte has come, and its path, encoded and asked for again, is the same path. */
#include <stdio.h>

#include "web/http.h"
#include "fuzz.h"

enum { PORT = 8017 };

/* The first bytes, in memory of their own, so that any overrun shows. */
static far__http_status read_first(far__http_request *out, const uint8_t *data, size_t size) {
#ifdef FUZZ_WATCHED
  char *copy = copy_of(data, size, 0);
  const far__http_status status = far__http_read(out, copy, size, PORT);
  drop_copy(copy);
  return status;
#else
  return far__http_read(out, (const char *)data, size, PORT);
#endif
}

static void check_path(const char *path) {
  far_buffer text = {0};
  far__http_request again;
  expect(path[0] == '/' && strlen(path) <= FAR__HTTP_TARGET);
  far_buffer_add(&text, "GET /", 5);
  far__http_encode(&text, path + 1);
  const size_t target = text.length - 4;
  far_buffer_add(&text, " HTTP/1.1\r\nhost:localhost:8017\r\n\r\n", 34);
  const far__http_status status = far__http_read(&again, text.bytes, text.length, PORT);
  expect(status == (target > FAR__HTTP_TARGET ? FAR__HTTP_LONG_TARGET : FAR__HTTP_OK));
  expect(status != FAR__HTTP_OK || strcmp(again.path, path) == 0);
  far_buffer_free(&text);
}

/* The status becomes known with one byte, and then stays: which that is. Where overruns are seen every beginning is
 * read, elsewhere those of a bisection. */
static size_t known_from(const uint8_t *data, size_t size) {
  far__http_request request;
  size_t low = 0, high = size; /* known at high */
#ifdef FUZZ_WATCHED
  while (low < high && read_first(&request, data, low) == FAR__HTTP_INCOMPLETE) ++low;
  return low;
#else
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (read_first(&request, data, middle) == FAR__HTTP_INCOMPLETE)
      low = middle + 1;
    else
      high = middle;
  }
  return high;
#endif
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  far__http_request request, other;
  const far__http_status status = read_first(&request, data, size);
  expect(strcmp(far__http_reason(status), "") != 0);
  if (status == FAR__HTTP_INCOMPLETE) {
    expect(size < FAR__HTTP_HEAD);
    return 0;
  }
  if (status == FAR__HTTP_OK) check_path(request.path);
  const size_t n = known_from(data, size);
  expect(status != FAR__HTTP_OK || (n >= 4 && memcmp(data + n - 4, "\r\n\r\n", 4) == 0));
  expect(read_first(&other, data, n) == status);
  expect(status != FAR__HTTP_OK || strcmp(other.path, request.path) == 0);
  return 0;
}
