/* The manual page in the man macros of groff. */
#ifndef FARSIGHT_CLI_ROFF_H
#define FARSIGHT_CLI_ROFF_H

#include "cli.h"

/* In ASCII, whatever the locale: an installed page is read in others. */
void print_roff(const char *utf8);

/* What a command does, its options and examples. */
void print_command_page(const command *c);

#endif
