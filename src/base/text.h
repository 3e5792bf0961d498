/* Text that grows, UTF-8, and numbers as text. */
#ifndef FAR_BASE_TEXT_H
#define FAR_BASE_TEXT_H

#include "base/number.h"
#include "farsight/base.h"

enum { FAR__NAME_MAX = 255 };

/* The length of the UTF-8 sequence at text[0..length), or 0 if there is none (RFC 3629). */
size_t far__utf8_length(const char *text, size_t length);

/* The code point of a valid UTF-8 sequence of n bytes, n > 0. */
uint32_t far__utf8_code(const char *text, size_t n);

/* Columns of UTF-8 text: bytes that continue a character do not count. */
int far__text_width(const char *text, size_t length);

/* 1 to FAR__NAME_MAX bytes of UTF-8 without control characters. */
bool far__is_name(const char *text);

/* Is text[0..length) 1 to `most` bytes of UTF-8 without control characters? */
bool far__is_line(const char *text, size_t length, size_t most);

/* Heap text under construction. */
typedef far_buffer far__text;

void far__text_add(far__text *text, const char *bytes, size_t length);
void far__text_real(far__text *text, double x); /* the shortest that reads back the same */
void far__text_count(far__text *text, uint64_t n);
void far__text_format(far__text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3))); /* at most 511 characters */

/* Adds a whole text, of any length. */
void far__put(far_buffer *out, const char *text);

/* A number for a message: the shortest text that reads back, so that 1.0000001 is not shown as 1. */
typedef struct far__real_text {
  char text[FAR__NUMBER_SIZE];
} far__real_text;
far__real_text far__shortest(double x);

/* Four digits, rounded up or down: for bounds, and for values to be copied from a message. */
far__real_text far__above(double x);
far__real_text far__below(double x);

/* Replaces the decimal sign of the locale, which printf wrote, by a point. */
void far__plain_points(char *text);

/* The plural ending of a noun behind a number. */
static inline const char *far__plural(int64_t n) {
  return n == 1 ? "" : "s";
}

/* Makes room for one more element of `size` bytes in a growing array; false without memory. */
bool far__grow(void **array, size_t count, size_t *capacity, size_t size);

#endif
