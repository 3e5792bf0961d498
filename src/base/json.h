/* JSON in and out: a writer that puts commas and line breaks itself, and a strict reader (RFC 8259) of
 * short documents such as a line of a protocol.
 *
 *     far__json json;
 *     far__json_begin(&json, far_sink_file(stdout));
 *     far__json_object(&json, NULL);
 *     far__json_text(&json, "name", "chain");
 *     far__json_array(&json, "values");
 *     far__json_real(&json, NULL, 0.5);
 *     far__json_end(&json);
 *     far__json_end(&json);            {"name":"chain","values":[0.5]}
 */
#ifndef FAR_BASE_JSON_H
#define FAR_BASE_JSON_H

#include "farsight/base.h"

/* ---- writing ---- */

enum { FAR__JSON_DEPTH = 60 }; /* how deep a writer may nest */

/* All members are the writer's own, but `failed`: the sink did not take something. */
typedef struct far__json {
  far_sink sink;
  int depth;
  uint64_t started; /* bit d: something stands at depth d already */
  uint64_t arrays;  /* bit d: what is open at depth d is an array */
  bool failed;
} far__json;

void far__json_begin(far__json *json, far_sink sink);

/* In all that follows `key` names a member of an object; it is NULL in an array and at the top. Opens
 * an object or an array, and closes what was opened last. An object in an array begins a line. */
void far__json_object(far__json *json, const char *key);
void far__json_array(far__json *json, const char *key);
void far__json_end(far__json *json);

/* What is not UTF-8 in a text becomes the replacement character. NULL is null. */
void far__json_text(far__json *json, const char *key, const char *text);

/* A number as the shortest text that reads back the same; null if it is not finite. */
void far__json_real(far__json *json, const char *key, double x);

/* Integers above 2^53 are strings, since many readers of JSON hold numbers as doubles. */
void far__json_integer(far__json *json, const char *key, uint64_t x);
void far__json_flag(far__json *json, const char *key, bool x);
void far__json_null(far__json *json, const char *key);

/* A value that is JSON already. */
void far__json_raw(far__json *json, const char *key, const char *text, size_t length);

/* ---- reading ---- */

typedef enum far__json_kind {
  FAR__JSON_NULL,
  FAR__JSON_FALSE,
  FAR__JSON_TRUE,
  FAR__JSON_NUMBER,
  FAR__JSON_STRING,
  FAR__JSON_ARRAY,
  FAR__JSON_OBJECT
} far__json_kind;

typedef struct far__json_value {
  far__json_kind kind;
  double number;
  const char *text; /* a string, without its escapes and ended by a zero */
  const char *key;  /* if it is a member of an object */
  int first, next;  /* members of an object, and the next sibling; -1 ends a list */
} far__json_value;

enum { FAR__JSON_VALUES = 64, FAR__JSON_NESTING = 8 };

typedef struct far__json_document {
  far__json_value values[FAR__JSON_VALUES]; /* values[0] is the whole */
  int count;
  char error[160];
} far__json_document;

/* Reads text[0..length), which is overwritten and needs room for one byte more; the document points
 * into it. False with `error` set if it is not exactly one JSON value, has more than FAR__JSON_VALUES
 * parts, is nested deeper than FAR__JSON_NESTING, or an object has a key twice. Elements of arrays are
 * checked, but neither kept nor counted. */
bool far__json_read(far__json_document *out, char *text, size_t length);

/* A member of an object, or NULL. */
const far__json_value *far__json_member(const far__json_document *document,
                                        const far__json_value *object, const char *key);

#endif
