/* What a misplaced word or option was probably meant to be. */
#ifndef FARSIGHT_CLI_HINTS_H
#define FARSIGHT_CLI_HINTS_H

#include "cli.h"

/* The name in a list that is nearest to the one of a spec ("chian:n=5"), or NULL. */
const char *nearest_type(far_listing *list, const char *spec);

const option_info *find_option(const command *c, const char *name, size_t length);
const option_info *find_letter(const command *c, char letter);

/* The rest of an error's sentence, from the semicolon; "" if there is nothing to say. */
typedef struct hint {
  char text[256];
} hint;

/* Of a word where none is expected: it may name an agent or an environment. */
hint word_hint(const command *c, const char *word);

/* The same for the command that the arguments are of. */
hint word_hint_of(const arguments *args, const char *word);

/* Complains about an input that does not exist: EXIT_FAILED, or EXIT_USAGE where the word is known
 * as something else than a file, such as an agent. */
int absent_file(const arguments *args, const char *what, const char *path);

/* Of an unknown option, with its value or NULL: it may be a key of an agent or an environment. */
hint option_hint(const arguments *args, const command *c, const char *name, size_t length,
                 const char *value);

/* Is there no file of this name, for certain? If that cannot be decided, opening the file gives the error. */
bool is_absent(const char *path);

#endif
