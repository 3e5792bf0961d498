/* Text in lines that fit a terminal. */
#ifndef FARSIGHT_CLI_WRAP_H
#define FARSIGHT_CLI_WRAP_H

#include <stddef.h>

enum { LINE_WIDTH = 79 };

/* Columns of UTF-8 text: bytes that continue a character do not count. */
int text_width(const char *text, size_t length);

/* Prints words and ends the line. `used` columns of the first line are taken, and further lines begin
 * behind `indent` spaces. */
void print_wrapped(const char *text, int used, int indent);

/* The same behind `indent` spaces from the first line on. */
void print_paragraph(const char *text, int indent);

/* Lines that begin with a space stand as they are; the others are joined and wrapped. */
void print_page(const char *text);

#endif
