/* Any bytes as a short JSON document. What is accepted is the same once it is written and read again, and whether it
 * is accepted is found out by a second, plain reader of the grammar (RFC 8259). */
#include "base/text.h"
#include "plain_json.h"

/* ---- there and back ---- */

static void print(far_json *json, const far_json_document *d, const far_json_value *v) {
  switch (v->kind) {
  case FAR_JSON_NULL: far_json_null(json, v->key); break;
  case FAR_JSON_FALSE:
  case FAR_JSON_TRUE: far_json_flag(json, v->key, v->kind == FAR_JSON_TRUE); break;
  case FAR_JSON_NUMBER: far_json_real(json, v->key, v->number); break;
  case FAR_JSON_STRING: far_json_text(json, v->key, v->text); break;
  case FAR_JSON_ARRAY: /* its elements are not kept */
    far_json_array(json, v->key);
    far_json_end(json);
    break;
  case FAR_JSON_OBJECT:
    far_json_object(json, v->key);
    for (int i = v->first; i >= 0; i = d->values[i].next) {
      expect(far_json_member(d, v, d->values[i].key) == &d->values[i]);
      print(json, d, &d->values[i]);
    }
    far_json_end(json);
    break;
  }
}

static far_buffer printed(const far_json_document *d) {
  far_buffer out = {0};
  far_json json;
  far_json_begin(&json, far_sink_buffer(&out));
  print(&json, d, &d->values[0]);
  expect(!json.failed && !out.failed);
  return out;
}

static void check_again(const far_json_document *document) {
  static far_json_document again;
  far_buffer once = printed(document);
  char *line = copy_of((const uint8_t *)once.bytes, once.length, 1);
  expect(far_json_read(&again, line, once.length));
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
  static far_json_document document;
  char *copy = copy_of(data, size, 1);
  const bool right = is_json(copy, size);
  if (far_json_read(&document, copy, size)) {
    expect(right && document.count >= 1 && document.count <= FAR_JSON_VALUES);
    if (is_utf8((const char *)data, size)) check_again(&document);
  } else { /* refused also for what the grammar has no word for */
    expect(document.error[0] != '\0');
    expect(!right || strncmp(document.error, "too many values", 15) == 0 ||
           strncmp(document.error, "the same key twice", 18) == 0);
  }
  drop_copy(copy);
  return 0;
}
