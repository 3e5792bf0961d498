/* JSON in and out: a writer that puts commas and line breaks itself, and a strict reader (RFC 8259) of
 * short documents such as a line of a protocol.
 *
 *     far_json json;
 *     far_json_begin(&json, far_sink_file(stdout));
 *     far_json_object(&json, NULL);
 *     far_json_text(&json, "name", "chain");
 *     far_json_array(&json, "values");
 *     far_json_real(&json, NULL, 0.5);
 *     far_json_end(&json);
 *     far_json_end(&json);            {"name":"chain","values":[0.5]}
 */
#ifndef FARSIGHT_JSON_H
#define FARSIGHT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farsight/export.h"
#include "farsight/sink.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- writing ---- */

enum { FAR_JSON_DEPTH = 60 }; /* how deep a writer may nest */

/* All members are the writer's own, but `failed`: the sink did not take something. */
typedef struct far_json {
  far_sink sink;
  int depth;
  uint64_t started; /* bit d: something stands at depth d already */
  uint64_t arrays;  /* bit d: what is open at depth d is an array */
  bool failed;
} far_json;

FAR_API void far_json_begin(far_json *json, far_sink sink);

/* In all that follows `key` names a member of an object; it is NULL in an array and at the top. Opens
 * an object or an array, and closes what was opened last. An object in an array begins a line. */
FAR_API void far_json_object(far_json *json, const char *key);
FAR_API void far_json_array(far_json *json, const char *key);
FAR_API void far_json_end(far_json *json);

/* What is not UTF-8 in a text becomes the replacement character. NULL is null. */
FAR_API void far_json_text(far_json *json, const char *key, const char *text);

/* A number as the shortest text that reads back the same; null if it is not finite. */
FAR_API void far_json_real(far_json *json, const char *key, double x);

/* Integers above 2^53 are strings, since many readers of JSON hold numbers as doubles. */
FAR_API void far_json_integer(far_json *json, const char *key, uint64_t x);
FAR_API void far_json_flag(far_json *json, const char *key, bool x);
FAR_API void far_json_null(far_json *json, const char *key);

/* A value that is JSON already. */
FAR_API void far_json_raw(far_json *json, const char *key, const char *text, size_t length);

/* ---- reading ---- */

typedef enum far_json_kind {
  FAR_JSON_NULL,
  FAR_JSON_FALSE,
  FAR_JSON_TRUE,
  FAR_JSON_NUMBER,
  FAR_JSON_STRING,
  FAR_JSON_ARRAY,
  FAR_JSON_OBJECT
} far_json_kind;

typedef struct far_json_value {
  far_json_kind kind;
  double number;
  const char *text; /* a string, without its escapes and ended by a zero */
  const char *key;  /* if it is a member of an object */
  int first, next;  /* members of an object, and the next sibling; -1 ends a list */
} far_json_value;

enum { FAR_JSON_VALUES = 64, FAR_JSON_NESTING = 8 };

typedef struct far_json_document {
  far_json_value values[FAR_JSON_VALUES]; /* values[0] is the whole */
  int count;
  char error[160];
} far_json_document;

/* Reads text[0..length), which is overwritten and needs room for one byte more; the document points
 * into it. False with `error` set if it is not exactly one JSON value, has more than FAR_JSON_VALUES
 * parts, is nested deeper than FAR_JSON_NESTING, or an object has a key twice. Elements of arrays are
 * checked, but neither kept nor counted. */
FAR_API bool far_json_read(far_json_document *out, char *text, size_t length);

/* A member of an object, or NULL. */
FAR_API const far_json_value *far_json_member(const far_json_document *document,
                                              const far_json_value *object, const char *key);

#ifdef __cplusplus
}
#endif

#endif
