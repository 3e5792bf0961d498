/* The list of registered agents: the one thing that is kept for the whole process (see
 * farsight/agent.h). It only grows; an entry is complete before its number is counted. An entry whose
 * name was given to another stays for the agents that were made from it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agents/guest.h"
#include "base/error.h"
#include "base/spec.h"

enum { MOST_NAMES = 512, MOST_AGENTS = 16384, LONGEST_NAME = 40 };
_Static_assert(MOST_NAMES + FAR__AGENT_COUNT <= FAR__SPEC_TYPES, "the parser takes them all");

typedef struct entry {
  atomic_bool replaced;
  far__agent_type type;
  far_agent_def def;
  _Alignas(far_param) char text[]; /* parameter rows, and all texts */
} entry;

static entry *registered[MOST_AGENTS];
static atomic_size_t count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

const far__agent_type *far__registered(size_t i) {
  return i < atomic_load_explicit(&count, memory_order_acquire) ? &registered[i]->type : NULL;
}

bool far__is_registered(const char *spec) {
  const far__agent_type *type;
  for (size_t i = 0; (type = far__registered(i)) != NULL; ++i)
    if (far__spec_same_type(spec, type->info.name)) return true;
  return false;
}

bool far__is_replaced(size_t i) {
  return atomic_load_explicit(&registered[i]->replaced, memory_order_acquire);
}

/* ---- checks ---- */

static bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

/* A name of an agent or a parameter: nothing that means something in a spec. */
static bool is_plain_name(const char *name) {
  size_t n = 0;
  if (name == NULL || !(name[0] >= 'a' && name[0] <= 'z')) return false;
  while (is_plain(name[n]) && n <= LONGEST_NAME) ++n;
  return name[n] == '\0' && n <= LONGEST_NAME;
}

#define wrong(error, ...) far__fail((error), FAR_STATUS_RANGE, -1, __VA_ARGS__)

/* Reads a definition of an older or newer header: fields that it lacks become 0, fields unknown here must be 0. */
static far_status read_size(far_agent_def *out, const far_agent_def *def, far_error *error) {
  const bool whole = def->size % sizeof(size_t) == 0; /* else a hook would be copied in part */
  if (def->size < offsetof(far_agent_def, reset) || !whole)
    return wrong(error, "the definition's size is %zu; it must be sizeof(far_agent_def)",
                 def->size);
  *out = (far_agent_def){0};
  memcpy(out, def, def->size < sizeof *out ? def->size : sizeof *out);
  for (size_t i = sizeof *out; i < def->size; ++i)
    if (((const unsigned char *)def)[i] != 0)
      return wrong(error, "the definition uses fields that this version does not know");
  return FAR_OK;
}

static far_status check_hooks(const far_agent_def *def, far_error *error) {
  const char *missing = def->create == NULL    ? "create"
                        : def->free == NULL    ? "free"
                        : def->act == NULL     ? "act"
                        : def->observe == NULL ? "observe"
                                               : NULL;
  if (missing != NULL) return wrong(error, "%s has no hook `%s`", def->name, missing);
  if ((def->save == NULL) != (def->load == NULL))
    return wrong(error, "%s has only one of the hooks `save` and `load`", def->name);
  return FAR_OK;
}

static size_t stored_size(far_param_kind kind) {
  switch (kind) {
  case FAR_PARAM_REAL: return sizeof(double);
  case FAR_PARAM_INTEGER: return sizeof(int64_t);
  case FAR_PARAM_CHOICE: return sizeof(int32_t);
  case FAR_PARAM_TEXT: return FAR_TEXT_SIZE;
  }
  return 0;
}

static bool overlap(const far_param *p, const far_param *q) {
  return p->offset < q->offset + stored_size(q->kind) &&
         q->offset < p->offset + stored_size(p->kind);
}

/* A row by itself. */
static far_status check_row(const far_agent_def *def, const far_param *p, far_error *error) {
  const size_t size = stored_size(p->kind);
  if (!is_plain_name(p->name))
    return wrong(error, "%s: a parameter's name must be 1 to %d of a-z, 0-9, '-' and '_'",
                 def->name, LONGEST_NAME);
  if (size == 0 || p->fallback == NULL || p->derived)
    return wrong(error, "%s: %s needs a kind, and a default that is fixed", def->name, p->name);
  if (!def->bare && strchr(p->fallback, ',') != NULL)
    return wrong(error, "%s: the default of %s has a comma, which ends a value", def->name,
                 p->name);
  if (p->offset > def->params_size || size > def->params_size - p->offset)
    return wrong(error, "%s: %s lies outside the %zu bytes of the parameters", def->name, p->name,
                 def->params_size);
  if (p->kind == FAR_PARAM_CHOICE && (p->choices == NULL || p->choices[0] == '\0'))
    return wrong(error, "%s: %s has no choices", def->name, p->name);
  if (stored_size(p->kind) == sizeof(double) && !(p->min <= p->max))
    return wrong(error, "%s: the bounds of %s are empty", def->name, p->name);
  return FAR_OK;
}

/* Beside the rows before it. */
static far_status check_pair(const far_agent_def *def, const far_param *p, const far_param *q,
                             far_error *error) {
  if (strcmp(p->name, q->name) == 0)
    return wrong(error, "%s has two parameters %s", def->name, p->name);
  if (overlap(p, q))
    return wrong(error, "%s: %s and %s are stored in the same place", def->name, p->name, q->name);
  return FAR_OK;
}

static far_status check_params(const far_agent_def *def, far_error *error) {
  if (def->n_params > FAR__SPEC_PARAMS || def->params_size > FAR__SPEC_BYTES)
    return wrong(error, "%s has more than %d parameters or %d bytes of them", def->name,
                 FAR__SPEC_PARAMS, FAR__SPEC_BYTES);
  if (def->n_params > 0 && def->params == NULL)
    return wrong(error, "%s has %zu parameters and no table of them", def->name, def->n_params);
  far_status status = FAR_OK;
  for (size_t i = 0; status == FAR_OK && i < def->n_params; ++i) {
    status = check_row(def, &def->params[i], error);
    for (size_t k = 0; status == FAR_OK && k < i; ++k)
      status = check_pair(def, &def->params[k], &def->params[i], error);
  }
  if (status == FAR_OK && def->bare &&
      (def->n_params != 1 || def->params[0].kind != FAR_PARAM_TEXT))
    status = wrong(error, "%s is bare, and so must have one parameter of text", def->name);
  return status;
}

/* Every default must be a value that the parser takes. */
static far_status check_defaults(const far_type_info *info, far_error *error) {
  far_status status = FAR_OK;
  for (size_t i = 0; status == FAR_OK && i < info->n_params; ++i) {
    char text[FAR_SPEC_SIZE];
    far__spec spec;
    far_error why;
    snprintf(text, sizeof text, "%s:%s%s%.600s", info->name, info->bare ? "" : info->params[i].name,
             info->bare ? "" : "=", info->params[i].fallback);
    if (far__spec_parse(&spec, text, "agent", &info, 1, &why) != FAR_OK)
      status = wrong(error, "%s: the default of %s is wrong: %.300s", info->name,
                     info->params[i].name, why.message);
  }
  return status;
}

static far_status check_name(const far_agent_def *def, far_error *error) {
  if (!is_plain_name(def->name))
    return wrong(error,
                 "the name of an agent must be 1 to %d of a-z, 0-9, '-' and '_', the first a "
                 "letter; it is '%.60s'",
                 LONGEST_NAME, def->name != NULL ? def->name : "");
  return FAR_OK;
}

/* The registered entry of this name that is in force, or NULL. Holds the lock. */
static entry *entry_named(const char *name) {
  for (size_t i = atomic_load(&count); i-- > 0;)
    if (!far__is_replaced(i) && strcmp(registered[i]->def.name, name) == 0) return registered[i];
  return NULL;
}

/* Holds the lock. */
static far_status check_free(const far_agent_def *def, const entry *before, far_error *error) {
  const far_type_info *info;
  size_t n = 0;
  for (; (info = far_agent_type(n)) != NULL; ++n)
    if (strcmp(info->name, def->name) == 0 && (before == NULL || !def->replaces))
      return far__fail(error, FAR_STATUS_CONFLICT, -1, "there is an agent %s already", def->name);
  const bool room = before != NULL || n - FAR__AGENT_COUNT < MOST_NAMES;
  if (room && atomic_load(&count) < MOST_AGENTS) return FAR_OK;
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no more than %d agents can be registered",
                   room ? MOST_AGENTS : MOST_NAMES);
}

/* ---- the copy ---- */

static size_t text_size(const char *text) {
  return text != NULL ? strlen(text) + 1 : 1;
}

static size_t copied_size(const far_agent_def *def) {
  size_t size = def->n_params * sizeof *def->params + text_size(def->name) +
                text_size(def->summary) + text_size(def->reference) + text_size(def->guarantee);
  for (size_t i = 0; i < def->n_params; ++i) {
    const far_param *p = &def->params[i];
    size +=
        text_size(p->name) + text_size(p->fallback) + text_size(p->choices) + text_size(p->help);
  }
  return size;
}

static const char *copy_text(char **at, const char *text) {
  const size_t size = text_size(text);
  char *copy = *at;
  memcpy(copy, text != NULL ? text : "", size);
  *at += size;
  return copy;
}

static const far_param *copy_params(char **at, const far_agent_def *def) {
  far_param *rows = (far_param *)(void *)*at;
  *at += def->n_params * sizeof *rows;
  for (size_t i = 0; i < def->n_params; ++i) {
    rows[i] = def->params[i];
    rows[i].name = copy_text(at, rows[i].name);
    rows[i].fallback = copy_text(at, rows[i].fallback);
    rows[i].choices = rows[i].choices != NULL ? copy_text(at, rows[i].choices) : NULL;
    rows[i].help = copy_text(at, rows[i].help);
  }
  return rows;
}

static entry *copy_def(const far_agent_def *def, far_error *error) {
  entry *e = malloc(sizeof *e + copied_size(def));
  if (e == NULL) {
    (void)far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to register %s", def->name);
    return NULL;
  }
  char *at = e->text;
  atomic_init(&e->replaced, false);
  e->def = *def;
  e->def.params = copy_params(&at, def);
  e->def.name = copy_text(&at, def->name);
  e->type = far__guest_type;
  e->type.def = &e->def;
  e->type.params_size = (def->params_size + 7) / 8 * 8;
  e->type.info = (far_type_info){.name = e->def.name,
                                 .registered = true,
                                 .summary = copy_text(&at, def->summary),
                                 .reference = copy_text(&at, def->reference),
                                 .bare = def->bare,
                                 .params = e->def.params,
                                 .n_params = def->n_params};
  if (def->guarantee != NULL) e->type.info.guarantee = copy_text(&at, def->guarantee);
  return e;
}

static far_status add(entry *e, far_error *error) {
  pthread_mutex_lock(&lock);
  entry *before = entry_named(e->def.name);
  const far_status status = check_free(&e->def, before, error);
  const size_t n = atomic_load(&count);
  if (status == FAR_OK) {
    registered[n] = e;
    atomic_store_explicit(&count, n + 1, memory_order_release);
    if (before != NULL) atomic_store_explicit(&before->replaced, true, memory_order_release);
  }
  pthread_mutex_unlock(&lock);
  return status;
}

far_status far_agent_register(const far_agent_def *given, far_error *error) {
  far_agent_def def;
  far_status status = read_size(&def, given, error);
  if (status == FAR_OK) status = check_name(&def, error);
  if (status == FAR_OK) status = check_hooks(&def, error);
  if (status == FAR_OK) status = check_params(&def, error);
  if (status != FAR_OK) return status;
  entry *e = copy_def(&def, error);
  if (e == NULL) return FAR_STATUS_MEMORY;
  status = check_defaults(&e->type.info, error);
  if (status == FAR_OK) status = add(e, error);
  if (status != FAR_OK) free(e);
  return status;
}
