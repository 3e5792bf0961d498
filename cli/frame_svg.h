/* A frame as an SVG picture: its text as text, curves and lines as shapes, for light and dark pages. */
#ifndef FARSIGHT_CLI_FRAME_SVG_H
#define FARSIGHT_CLI_FRAME_SVG_H

#include <farsight/lab.h>
#include <stdio.h>

#include "frame.h"

/* Writes the picture; `title` is what screen readers say. The same frame gives the same bytes. */
void frame_svg(FILE *to, const frame *f, far_theme theme, const char *title);

#endif
