/* Text in LaTeX: shown, and never read as a command. */
#ifndef FAR_BASE_LATEX_H
#define FAR_BASE_LATEX_H

#include "farsight/sink.h"

/* Writes text for a paragraph. Signs that older engines lack are written in mathematics, and a minus before a
 * number is one; control characters become spaces, and what is no UTF-8 a question mark. */
void far__latex_text(far_buffer *out, const char *text);

#endif
