/* Text in lines that fit a terminal. */
#ifndef FARSIGHT_CLI_WRAP_H
#define FARSIGHT_CLI_WRAP_H

enum { LINE_WIDTH = 79 };

/* Prints words and ends the line. `used` columns of the first line are taken, and further lines begin
 * behind `indent` spaces. */
void print_wrapped(const char *text, int used, int indent);

/* Lines that begin with a space stand as they are; the others are joined and wrapped. */
void print_page(const char *text);

#endif
