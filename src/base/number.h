/* Numbers as text, the same in every locale. */
#ifndef FAR_BASE_NUMBER_H
#define FAR_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FAR__NUMBER_SIZE = 32 }; /* room for any formatted number and its terminator */

/* Writes the shortest decimal text that reads back as exactly x; "inf", "-inf" or "nan" otherwise.
 * Both return the length of the text. */
size_t far__real_format(char out[FAR__NUMBER_SIZE], double x);
size_t far__unsigned_format(char out[FAR__NUMBER_SIZE], uint64_t n);

/* Writes x with at most `digits` (1 to 15) significant digits, rounded so that what it reads back as is
 * never below x, or never above: for a bound, or for a number that must be accepted when it is pasted. */
void far__real_above(char out[FAR__NUMBER_SIZE], double x, int digits);
void far__real_below(char out[FAR__NUMBER_SIZE], double x, int digits);

/* Reads all of text[0..length) as a decimal number ("-1.5e3") or "inf". NaN, hexadecimal numbers,
 * spaces and trailing characters are refused; so is a number too large for a double. */
bool far__real_parse(const char *text, size_t length, double *out);

/* Reads all of text[0..length) as a whole number, exactly: "1e4", "1.5e3" and "9.223372036854775807e18"
 * count as one, "1.5" does not. False beyond what 64 bits hold. */
bool far__integer_parse(const char *text, size_t length, int64_t *out);
bool far__unsigned_parse(const char *text, size_t length, uint64_t *out);

/* Reads all of text[0..length) as a size in bytes: a number, "4G" or "1.5M". K, M, G and T are 2^10, 2^20, 2^30 and
 * 2^40 bytes. False for anything else, below 1 byte and beyond 2^63. */
bool far__size_parse(const char *text, size_t length, uint64_t *out);

#endif
