/* Any bytes as a short JSON document. What is accepted is the same once it is written and read again, and whether it
 * is accepted is found out by a second, plain reader of the grammar (RFC 8259). */
#include "base/json.h"
#include "base/text.h"
#include "plain_json.h"

/* ---- there and back ---- */

static void print(far__json *json, const far__json_document *d, const far__json_value *v) {
  switch (v->kind) {
  case FAR__JSON_NULL: far__json_null(json, v->key); break;
  case FAR__JSON_FALSE:
  case FAR__JSON_TRUE: far__json_flag(json, v->key, v->kind == FAR__JSON_TRUE); break;
  case FAR__JSON_NUMBER: far__json_real(json, v->key, v->number); break;
  case FAR__JSON_STRING: far__json_text(json, v->key, v->text); break;
  case FAR__JSON_ARRAY: /* its elements are not kept */
    far__json_array(json, v->key);
    far__json_end(json);
    break;
  case FAR__JSON_OBJECT:
    far__json_object(json, v->key);
    for (int i = v->first; i >= 0; i = d->values[i].next) {
      expect(far__json_member(d, v, d->values[i].key) == &d->values[i]);
      print(json, d, &d->values[i]);
    }
    far__json_end(json);
    break;
  }
}

static far_buffer printed(const far__json_document *d) {
  far_buffer out = {0};
  far__json json;
  far__json_begin(&json, far_sink_buffer(&out));
  print(&json, d, &d->values[0]);
  expect(!json.failed && !out.failed);
  return out;
}

static void check_again(const far__json_document *document) {
  static far__json_document again;
  far_buffer once = printed(document);
  char *line = copy_of((const uint8_t *)once.bytes, once.length, 1);
  expect(far__json_read(&again, line, once.length));
  far_buffer twice = printed(&again);
  expect(once.length == twice.length && memcmp(once.bytes, twice.bytes, once.length) == 0);
  far_buffer_free(&once);
  far_buffer_free(&twice);
  drop_copy(line);
}

/* What is not UTF-8 is replaced when it is written, and comes back as another text. */
static bool is_utf8(const char *bytes, size_t size) {
  size_t at = 0, n = 1;
  for (; at < size && n > 0; at += n) n = far__utf8_length(bytes + at, size - at);
  return n > 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static far__json_document document;
  char *copy = copy_of(data, size, 1);
  const bool right = is_json(copy, size);
  if (far__json_read(&document, copy, size)) {
    expect(right && document.count >= 1 && document.count <= FAR__JSON_VALUES);
    if (is_utf8((const char *)data, size)) check_again(&document);
  } else { /* refused also for what the grammar has no word for */
    expect(document.error[0] != '\0');
    expect(!right || strncmp(document.error, "too many values", 15) == 0 ||
           strncmp(document.error, "the same key twice", 18) == 0);
  }
  drop_copy(copy);
  return 0;
}
