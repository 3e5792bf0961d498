/* Serving JSON Lines: one request a line on standard input, one answer a line on standard output. */
#ifndef FARSIGHT_CLI_LINES_H
#define FARSIGHT_CLI_LINES_H

#include <farsight/farsight.h>
#include <stdbool.h>
#include "base/json.h"

/* An answer: what is written between the two is its members. */
far__json begin_answer(void);
void end_answer(far__json *json);

/* {"error": "..."}; whatever is served is as it was. */
void refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Members that describe a problem: states, actions, rmin, rmax, episodic, absent. */
void write_shape(far__json *json, const far_shape *shape);

/* What a member of a request says; false after refusing. */
bool read_index(const far__json_value *v, const char *name, uint32_t count,
                uint32_t *out); /* below */
bool read_flag(const far__json_value *v, const char *name,
               bool *out); /* false where there is none */

/* Any of 64 bits, as a number or (above 2^53) as text; *out stays as it is where there is none. */
bool read_count(const far__json_value *v, const char *name, uint64_t *out);

/* Has the object no member but these (ended by NULL)? */
bool known_members(const far__json_document *d, const far__json_value *object, const char *request,
                   const char *const *names);

/* A request that needs nothing: true or an object. */
bool read_nothing(const far__json_value *v, const char *name);

/* A request is an object with one member, whose key says which it is. */
typedef struct line_request {
  const char *name;
  void (*answer)(void *of, const far__json_document *d, const far__json_value *v);
} line_request;

/* Answers one line, by the first request (of a list ended by a NULL name) with its key. */
void answer_line(const line_request *requests, void *of, char *line, size_t length);

/* Answers all lines; the exit code. */
int serve_lines(const line_request *requests, void *of);

#endif
