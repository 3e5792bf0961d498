/* JSON in and out: a writer for documents, and a strict reader (RFC 8259) for single lines. */
#ifndef FARSIGHT_CLI_JSON_H
#define FARSIGHT_CLI_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- writing ---- */

/* Like fprintf; the other functions print by it. */
void json_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Has something been lost since this was last asked? A stream in memory that had no room for it does not
 * say so when it is closed. */
bool json_lost(void);

void json_write_string(FILE *out, const char *text);
void json_write_real(FILE *out, double x); /* null if it is not finite */

/* Integers above 2^53 are strings, since many readers of JSON hold numbers as doubles. */
void json_write_integer(FILE *out, uint64_t x);

/* Members of an object after its first: ,"name":value */
void json_add_integer(FILE *out, const char *name, uint64_t x);
void json_add_real(FILE *out, const char *name, double x);
void json_add_text(FILE *out, const char *name, const char *text); /* null if it is NULL */
void json_add_flag(FILE *out, const char *name, bool x);

/* ---- reading ---- */

typedef enum json_kind {
  JSON_NULL,
  JSON_FALSE,
  JSON_TRUE,
  JSON_NUMBER,
  JSON_STRING,
  JSON_ARRAY,
  JSON_OBJECT
} json_kind;

typedef struct json_value {
  json_kind kind;
  double number;
  const char *text; /* a string, without its escapes and ended by '\0' */
  const char *key;  /* if it is a member of an object */
  int first, next;  /* members of an object, and the next sibling; -1 ends a list */
} json_value;

enum { JSON_VALUES = 64, JSON_DEPTH = 8 };

typedef struct json_document {
  json_value values[JSON_VALUES]; /* values[0] is the whole */
  int count;
  char error[160];
} json_document;

/* Reads text[0..length), which is overwritten; the document points into it. False with `error`
 * set if it is not exactly one JSON value, has more than JSON_VALUES parts, is nested deeper than
 * JSON_DEPTH, or an object has a key twice. Elements of arrays are checked, but neither kept nor
 * counted. */
bool json_read(json_document *out, char *text, size_t length);

/* A member of an object, or NULL. */
const json_value *json_member(const json_document *document, const json_value *object,
                              const char *key);

#endif
