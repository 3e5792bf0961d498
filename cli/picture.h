/* Options of commands that draw: --theme, and --plot, a figure of what a command computed beside its report. */
#ifndef FARSIGHT_CLI_PICTURE_H
#define FARSIGHT_CLI_PICTURE_H

#include <farsight/lab.h>

#include "cli.h"

#define THEME_OPTION                                                                               \
  { 0, "theme", "WORD", "light, dark or auto: as the reader prefers (default auto)", COMPLETE_NONE }

/* Reads --theme; false after printing a usage error. */
bool theme_option(const arguments *args, far_theme *out);

#define PLOT_OPTION                                                                                \
  { 0, "plot", "FILE", "also draw a figure: .svg, .pdf, .png or .tex", COMPLETE_OUTPUT }

/* Whether the file of --plot, if it is given, has a known ending; false after printing a usage error.
 * Ask before long work. */
bool plot_option(const arguments *args);

/* Writes the figure to the file of --plot, which is given, and frees it; `drawn` is what drawing it came to.
 * The exit code. */
int save_plot(const arguments *args, far_status drawn, far_figure *figure, const far_error *error);

#endif
