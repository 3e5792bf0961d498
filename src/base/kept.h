/* The memory of a result: blocks that live as long as the result and are freed together. */
#ifndef FAR_BASE_KEPT_H
#define FAR_BASE_KEPT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

typedef struct far__kept {
  far__arena arena;
  bool failed; /* memory ran out once: the result is incomplete */
} far__kept;

/* Zeroed memory for at least one element; NULL without memory, and then `failed` is set. */
void *far__kept_room(far__kept *kept, size_t count, size_t size);

/* Copies of a text (NULL stays NULL), and of its first `length` bytes; NULL without memory. */
char *far__kept_text(far__kept *kept, const char *text);
char *far__kept_part(far__kept *kept, const char *text, size_t length);

/* A text of any length from printf's arguments. */
char *far__kept_format(far__kept *kept, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same from a list of arguments. */
char *far__kept_print(far__kept *kept, const char *format, va_list list);

void far__kept_free(far__kept *kept);

#endif
