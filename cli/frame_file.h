/* Frames that are printed or written as a picture: --size, --output and --theme. */
#ifndef FARSIGHT_CLI_FRAME_FILE_H
#define FARSIGHT_CLI_FRAME_FILE_H

#include <farsight/lab.h>

#include "cli.h"
#include "frame.h"

typedef struct frame_file {
  int columns, rows;  /* of printed frames; 0: those of the screen */
  const char *output; /* of the picture: a path, or "-"; NULL: none is written */
  far_theme theme;
} frame_file;

/* Reads these options; false after printing a usage error. */
bool frame_file_options(const arguments *args, frame_file *out);

/* Writes the picture; `title` is what screen readers say. The exit code. */
int frame_file_save(const frame_file *file, const frame *f, const char *title);

#endif
