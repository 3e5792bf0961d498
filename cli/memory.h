/* Memory of the commands. Where there is none, the command ends with a message and exit code 1: what
 * lacks a part for want of memory would be a wrong result. */
#ifndef FARSIGHT_CLI_MEMORY_H
#define FARSIGHT_CLI_MEMORY_H

#include <farsight/farsight.h>
#include <stdio.h>
#include <stdlib.h>

/* Zeroed memory, of one element at least; a text. */
void *room_for(size_t count, size_t size);
char *copy_of(const char *text);

/* A stream into a text (free it), and its end. */
FILE *open_text(char **text, size_t *size);
void close_text(FILE *stream, char *const *text);

_Noreturn void out_of_memory(void);

/* For callers that read a failure as "there is none": lack of memory is no such failure, and ends the
 * command. The status is returned. */
far_status need_memory(far_status status);

#endif
