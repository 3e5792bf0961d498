/* Cells as a list and as JSON, shared by the commands that run batches. */
#ifndef FARSIGHT_CLI_CELLS_H
#define FARSIGHT_CLI_CELLS_H

#include "cli.h"

/* Options of every command that runs a batch. */
#define BATCH_OPTIONS                                                                              \
  {0, "runs", "N", "independent runs of every cell (default 300)", COMPLETE_NONE},                 \
      {0, "seed", "N", "seed of all random streams (default 1)", COMPLETE_NONE},                   \
      {0, "threads", "N", "threads; the results do not depend on it (default: all processors)",    \
       COMPLETE_NONE},                                                                             \
      {0, "json", NULL, "print one JSON document on standard output", COMPLETE_NONE}, {            \
    'q', "quiet", NULL, "no notes on lost guarantees", COMPLETE_NONE                               \
  }

/* Reads those options into *def; false after printing a usage error. */
bool batch_options(const arguments *args, far_batch_def *def);

/* The members of a cell's JSON object that every command prints, without the braces. */
void write_cell_json(const far_cell *cell, const far_result *result);

/* {"version": ..., "seed": ..., "cells": [ */
void write_head_json(uint64_t seed);

#endif
