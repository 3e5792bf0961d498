/* Text of strangers in HTML and XML: shown, and never read as markup. */
#ifndef FAR_BASE_MARKUP_H
#define FAR_BASE_MARKUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farsight/sink.h"

/* Writes text for the content of an element or an attribute in double quotes. Line breaks and tabs become
 * spaces. Other control characters are shown as pictures of them; what is no UTF-8, what XML forbids, and
 * what changes the direction of what follows become U+FFFD. */
void far__markup_text(far_buffer *out, const char *text);

/* The same for one character, of n bytes by far__utf8_length; n = 0: none, U+FFFD. */
void far__markup_character(far_buffer *out, const char *bytes, size_t n);

/* Embeddings, overrides and isolates: what follows them would be read in another order than it is
 * written. */
bool far__code_turns(uint32_t code);

/* What a terminal may obey: those, and control characters. The second range of these, U+0080 to U+009F, has the powers of
 * escape sequences. */
bool far__code_obeyed(uint32_t code);

/* What stands at the beginning of every page of HTML that Farsight writes. */
#define FAR__PAGE_MARK "<meta name=\"generator\" content=\"farsight "
enum { FAR__PAGE_HEAD = 4095 }; /* bytes among which it stands */

/* Is this the beginning of such a page? */
bool far__is_page(const char *head, size_t length);

#endif
