#include "lines.h"
#include "base/json.h"
#include "base/number.h"
#include "cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 65536 };

far__json begin_answer(void) {
  far__json json;
  far__json_begin(&json, far_sink_file(stdout));
  far__json_object(&json, NULL);
  return json;
}

void end_answer(far__json *json) {
  far__json_end(json);
  putchar('\n');
}

void refuse(const char *format, ...) {
  char message[600];
  va_list list;
  va_start(list, format);
  vsnprintf(message, sizeof message, format, list);
  va_end(list);
  far__json json = begin_answer();
  far__json_text(&json, "error", message);
  end_answer(&json);
}

/* ---- members ---- */

void write_shape(far__json *json, const far_shape *shape) {
  far__json_integer(json, "states", shape->n_states);
  far__json_integer(json, "actions", shape->n_actions);
  far__json_real(json, "rmin", shape->reward_min);
  far__json_real(json, "rmax", shape->reward_max);
  far__json_flag(json, "episodic", shape->episodic);
  if (shape->horizon > 0) far__json_integer(json, "horizon", (uint64_t)shape->horizon);
  far__json_array(json, "absent");
  for (uint32_t s = 0; s < shape->n_states; ++s)
    if (!far_shape_is_live(shape, s)) far__json_integer(json, NULL, s);
  far__json_end(json);
}

bool read_index(const far__json_value *v, const char *name, uint32_t count, uint32_t *out) {
  if (v == NULL) {
    refuse("'%s' is missing; it must be a whole number from 0 to %lu", name,
           (unsigned long)count - 1);
    return false;
  }
  if (v->kind != FAR__JSON_NUMBER || !(v->number >= 0 && v->number < count) ||
      v->number != (double)(uint32_t)v->number) {
    refuse("'%s' must be a whole number from 0 to %lu", name, (unsigned long)count - 1);
    return false;
  }
  *out = (uint32_t)v->number;
  return true;
}

bool read_flag(const far__json_value *v, const char *name, bool *out) {
  *out = v != NULL && v->kind == FAR__JSON_TRUE;
  if (v == NULL || v->kind == FAR__JSON_TRUE || v->kind == FAR__JSON_FALSE) return true;
  refuse("'%s' must be true or false", name);
  return false;
}

bool read_count(const far__json_value *v, const char *name, uint64_t *out) {
  static const double most =
      9007199254740992.0; /* 2^53: beyond it a double may be another number */
  if (v == NULL) return true;
  if (v->kind == FAR__JSON_NUMBER && v->number >= 0 && v->number <= most &&
      v->number == (double)(uint64_t)v->number) {
    *out = (uint64_t)v->number;
    return true;
  }
  if (v->kind == FAR__JSON_STRING && far__unsigned_parse(v->text, strlen(v->text), out))
    return true;
  refuse("'%s' must be a whole number from 0 on (above 2^53 as text)", name);
  return false;
}

bool known_members(const far__json_document *d, const far__json_value *object, const char *request,
                   const char *const *names) {
  for (int i = object->first; i >= 0; i = d->values[i].next) {
    const char *key = d->values[i].key;
    char list[120] = "";
    size_t k = 0, used = 0;
    for (; names[k] != NULL && strcmp(names[k], key) != 0; ++k)
      used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                               k == 0                 ? ""
                               : names[k + 1] == NULL ? " and "
                                                      : ", ",
                               names[k]);
    if (names[k] != NULL) continue;
    refuse("unknown member '%.40s' of '%s'; it has %s", key, request, list);
    return false;
  }
  return true;
}

bool read_nothing(const far__json_value *v, const char *name) {
  if (v->kind == FAR__JSON_TRUE || v->kind == FAR__JSON_OBJECT) return true;
  refuse("'%s' must be true or an object", name);
  return false;
}

/* ---- lines ---- */

static void refuse_request(const line_request *requests) {
  char list[200] = "";
  size_t used = 0;
  for (size_t i = 0; requests[i].name != NULL; ++i)
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                             i == 0                         ? ""
                             : requests[i + 1].name == NULL ? " or "
                                                            : ", ",
                             requests[i].name);
  refuse("a request is an object with one member: %s", list);
}

void answer_line(const line_request *requests, void *of, char *line, size_t length) {
  far__json_document d;
  if (!far__json_read(&d, line, length)) {
    refuse("%s", d.error);
    return;
  }
  const far__json_value *root = &d.values[0];
  const far__json_value *member =
      root->kind == FAR__JSON_OBJECT && root->first >= 0 ? &d.values[root->first] : NULL;
  const char *key = member != NULL && member->next < 0 ? member->key : "";
  for (size_t i = 0; requests[i].name != NULL; ++i)
    if (strcmp(requests[i].name, key) == 0) {
      requests[i].answer(of, &d, member);
      return;
    }
  refuse_request(requests);
}

/* Reads a line of at most LINE - 1 bytes; *too_long tells that more followed and was dropped. False
 * at the end of the input, and where it cannot be read: half a line is none. */
static bool read_line(char *line, size_t *length, bool *too_long) {
  int c = getchar();
  if (c == EOF) return false;
  *length = 0;
  *too_long = false;
  for (; c != EOF && c != '\n'; c = getchar()) {
    if (*length < LINE - 1)
      line[(*length)++] = (char)c;
    else
      *too_long = true;
  }
  return !ferror(stdin);
}

int serve_lines(const line_request *requests, void *of) {
  static char line[LINE];
  size_t length;
  bool too_long;
  while (read_line(line, &length, &too_long)) {
    if (too_long)
      refuse("the line has more than %d bytes", LINE - 1);
    else
      answer_line(requests, of, line, length);
    if (!flush_output()) return EXIT_FAILED; /* finish_output says why */
  }
  return ferror(stdin) ? complain("cannot read standard input: %s", strerror(errno)) : EXIT_OK;
}
