/* Untrusted text in HTML and XML, escaped so that it is shown and never read as markup. */
#ifndef FAR_BASE_MARKUP_H
#define FAR_BASE_MARKUP_H

#include "farsight/base.h"

/* Writes text for the content of an element or an attribute in double quotes. Line breaks and tabs become
 * spaces, other control characters of ASCII pictures of them. U+FFFD replaces invalid UTF-8, what XML forbids, and
 * characters that change the direction of the text behind them. */
void far__markup_text(far_buffer *out, const char *text);

/* Writes one character as far__markup_text does, of n bytes by far__utf8_length; n = 0 writes U+FFFD. */
void far__markup_character(far_buffer *out, const char *bytes, size_t n);

/* Is this a Unicode embedding, override or isolate, which changes the order in which the text behind it is read? */
bool far__code_turns(uint32_t code);

/* May a terminal obey this code: a control character (U+0080 to U+009F act as escape sequences), or one that
 * far__code_turns? */
bool far__code_obeyed(uint32_t code);

/* The generator tag at the beginning of every page of HTML that Farsight writes, and the bytes to search for it. */
#define FAR__PAGE_MARK "<meta name=\"generator\" content=\"farsight "
enum { FAR__PAGE_HEAD = 4095 };

/* Is this the beginning of a page that Farsight wrote? */
bool far__is_page(const char *head, size_t length);

#endif
