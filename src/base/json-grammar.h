/* The parts of JSON's grammar (RFC 8259) that its two readers share: that of short documents
 * (base/json.h) and that of models, which reads any length in one pass (model/formats/json.c). */
#ifndef FAR_BASE_JSON_GRAMMAR_H
#define FAR_BASE_JSON_GRAMMAR_H

#include <stddef.h>

/* The length of the number that text[0..length) begins with, or 0 if it begins with none. */
size_t far__json_number(const char *text, size_t length);

/* The escape that text[0..length) begins with, behind its backslash: the bytes of UTF-8 that it stands
 * for go to `out`. Surrogates must come in pairs. Returns how many bytes that are, and in *used how long
 * the escape is; 0 if it is none. */
size_t far__json_escape(char out[4], const char *text, size_t length, size_t *used);

#endif
