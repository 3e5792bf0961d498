/* Reports as the commands print them: in the format that is asked for, to fit the terminal. */
#ifndef FARSIGHT_CLI_OUTPUT_H
#define FARSIGHT_CLI_OUTPUT_H

#include <farsight/lab.h>

#include "cli.h"

/* Options of every command that prints a table; and with another text for --json. */
#define FORMAT_OPTIONS FORMAT_OPTIONS_WITH("the same as --format json")
#define FORMAT_OPTIONS_WITH(json_help)                                                             \
  {0, "format", "F", "text, markdown, json, csv, latex or html (default text)", COMPLETE_FORMAT},  \
      {0, "json", NULL, json_help, COMPLETE_NONE}, {                                               \
    0, "table", "NAME", "which table --format csv prints (default the first)", COMPLETE_NONE       \
  }

/* The format that the options ask for; false after printing a usage error. Ask before long work. */
bool report_format(const arguments *args, far_report_format *out);

/* An empty report of this command. */
far_report *new_report(const arguments *args);

/* Prints a report to standard output and frees it; the exit code. */
int print_report(const arguments *args, far_report *report);

/* The same with another table than the first for CSV, unless --table names one; NULL: the first. */
int print_table(const arguments *args, far_report *report, const char *table);

/* The columns of a terminal: COLUMNS, or else the terminal's own; 0 if it is none. */
int terminal_width(int fd);

/* LC_ALL, LC_CTYPE or LANG, the first that is set, is C or POSIX: print nothing but ASCII. */
bool ascii_only(void);

#endif
