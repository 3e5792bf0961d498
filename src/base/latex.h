/* Text for LaTeX, escaped so that it is printed and never obeyed. */
#ifndef FAR_BASE_LATEX_H
#define FAR_BASE_LATEX_H

#include "farsight/base.h"

/* Writes text for a paragraph. Signs that older engines lack become mathematics, as does a minus before a number;
 * control characters become spaces, invalid UTF-8 question marks. */
void far__latex_text(far_buffer *out, const char *text);

#endif
