/* What a misplaced word or option was probably meant to be. */
#include "hints.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/spec.h"

const char *nearest_type(far_listing *list, const char *spec) {
  const char *names[64];
  size_t count = 0;
  for (; list(count) != NULL; ++count) names[count] = list(count)->name;
  return far__nearest(spec, strcspn(spec, ":"), names, count);
}

const option_info *find_option(const command *c, const char *name, size_t length) {
  const option_info *o;
  for (size_t i = 0; (o = command_option(c, i)) != NULL; ++i)
    if (strlen(o->name) == length && memcmp(o->name, name, length) == 0) break;
  return o;
}

const option_info *find_letter(const command *c, char letter) {
  const option_info *o;
  for (size_t i = 0; (o = command_option(c, i)) != NULL; ++i)
    if (o->letter == letter) break;
  return o;
}

/* ---- hints ---- */

/* What specs name, and the options that take them. */
static const struct {
  far_listing *list;
  const char *option, *one, *many;
  char letter;
} kinds[] = {{far_agent_type, "agent", "an agent", "agents", 'a'},
             {far_mdp_family, "env", "an environment", "environments", 'e'}};

enum { N_KINDS = sizeof kinds / sizeof *kinds };

static bool takes(const command *c, size_t kind) {
  return find_option(c, kinds[kind].option, strlen(kinds[kind].option)) != NULL;
}

static hint hint_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

static hint hint_of(const char *format, ...) {
  hint out;
  va_list list;
  va_start(list, format);
  vsnprintf(out.text, sizeof out.text, format, list);
  va_end(list);
  return out;
}

hint word_hint(const command *c, const char *word) {
  for (size_t k = 0; k < N_KINDS; ++k)
    if (takes(c, k) && far_spec_type(kinds[k].list, word) != NULL)
      return hint_of("; %s is given with -%c, as in -%c %.100s", kinds[k].one, kinds[k].letter,
                     kinds[k].letter, word);
  return hint_of("%s", "");
}

/* --step is more likely an abbreviated --steps than a key. */
static bool is_cut(const command *c, const char *name, size_t length) {
  const option_info *o;
  for (size_t i = 0; (o = command_option(c, i)) != NULL; ++i)
    if (length > 2 && strncmp(o->name, name, length) == 0) break;
  return o != NULL;
}

hint option_hint(const arguments *args, const command *c, const char *name, size_t length,
                 const char *value) {
  for (size_t k = 0; k < N_KINDS; ++k) {
    if (!takes(c, k) || is_cut(c, name, length)) continue;
    const char *given = args_text(args, kinds[k].option, 0);
    const far_type_info *type = given != NULL ? far_spec_type(kinds[k].list, given) : NULL;
    for (size_t i = 0; type == NULL || type->bare || far_type_param(type, name, length) == NULL;
         ++i) {
      type = kinds[k].list(i);
      if (type == NULL) break;
    }
    if (type != NULL)
      return hint_of("; %.*s is a key of %s, as in -%c %s:%.*s=%.40s", (int)length, name,
                     kinds[k].many, kinds[k].letter, type->name, (int)length, name,
                     value != NULL ? value : "...");
  }
  return hint_of("%s", "");
}

bool is_absent(const char *path) {
  return access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR);
}
