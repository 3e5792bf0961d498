/* farsight list dependencies: the libraries of others, those of the command among them. */
#ifndef FARSIGHT_CLI_DEPENDENCIES_H
#define FARSIGHT_CLI_DEPENDENCIES_H

#include "cli.h"

int list_dependencies(const arguments *args);

#endif
