/* The agent 'process:COMMAND': a definition like anybody's (farsight/plugin.h), whose instance is a
 * program that speaks the lines of `farsight agent`. The program is started when it is first needed and
 * serves many runs, one after the other. */
#include "process.h"
#include "child.h"
#include "json.h"

#include <stdlib.h>
#include <string.h>

typedef struct params {
  char command[FAR_TEXT_SIZE];
} params;

static const far_param rows[] = {
    {.name = "command",
     .kind = FAR_PARAM_TEXT,
     .fallback = "python3 agent.py",
     .help = "for the shell: a program that answers the lines of 'farsight agent'",
     .offset = offsetof(params, command)},
};

static double answer_limit = 10; /* seconds; set before the first agent is made */

typedef struct instance {
  params p;
  child program;
  char *hello; /* the first line: the shape */
  uint32_t n_actions;
  uint64_t seed, replicate;
  bool begun; /* it has been told of this run */
} instance;

/* ---- questions ---- */

/* An object without an error; the document points into the child's buffer. */
static far_status ask(instance *x, const char *line, json_document *d, far_error *error) {
  char *answer, shown[80];
  size_t length;
  far_status status =
      child_ask(&x->program, line, strlen(line), answer_limit, &answer, &length, error);
  if (status != FAR_OK) return status;
  snprintf(shown, sizeof shown, "%.60s%s", answer, length > 60 ? "..." : ""); /* json_read writes */
  for (char *c = shown; *c != '\0'; ++c)
    if (*c < 32 || *c == 127) *c = '?';
  const int asked = (int)strcspn(line, "\n");
  if (!json_read(d, answer, length))
    return child_fail(&x->program, error, "answers %.*s with '%s', which is not JSON: %.80s",
                      asked < 80 ? asked : 80, line, shown, d->error);
  const json_value *refused =
      d->values[0].kind == JSON_OBJECT ? json_member(d, &d->values[0], "error") : NULL;
  if (d->values[0].kind != JSON_OBJECT || refused != NULL)
    return child_fail(&x->program, error, "answers %.*s with '%s'%s", asked < 80 ? asked : 80, line,
                      shown, refused == NULL ? ", which is no object" : "");
  return FAR_OK;
}

static far_status start(instance *x, json_document *d, far_error *error) {
  const far_status status = child_start(&x->program, error);
  return status == FAR_OK ? ask(x, x->hello, d, error) : status;
}

/* The program, told of this run; starts it where it is not running. */
static far_status begin(instance *x, far_error *error) {
  char line[120];
  json_document d;
  far_status status = FAR_OK;
  if (x->begun) return FAR_OK;
  if (x->program.pid == 0) status = start(x, &d, error);
  const char *mark = x->seed > (UINT64_C(1) << 53) ? "\"" : "";
  const char *other = x->replicate > (UINT64_C(1) << 53) ? "\"" : "";
  snprintf(line, sizeof line, "{\"reset\":{\"seed\":%s%llu%s,\"replicate\":%s%llu%s}}\n", mark,
           (unsigned long long)x->seed, mark, other, (unsigned long long)x->replicate, other);
  if (status == FAR_OK) status = ask(x, line, &d, error);
  x->begun = status == FAR_OK;
  return status;
}

/* ---- hooks ---- */

static char *hello_of(const far_shape *shape) {
  const size_t room = 256 + 11 * (size_t)(shape->n_states - far_shape_live(shape));
  char *text = malloc(room), low[FAR_NUMBER_SIZE], high[FAR_NUMBER_SIZE];
  if (text == NULL) return NULL;
  far_real_format(low, shape->reward_min);
  far_real_format(high, shape->reward_max);
  size_t n = (size_t)snprintf(text, room,
                              "{\"hello\":{\"states\":%lu,\"actions\":%lu,\"rmin\":%s,\"rmax\":%s,"
                              "\"episodic\":%s,\"absent\":[",
                              (unsigned long)shape->n_states, (unsigned long)shape->n_actions, low,
                              high, shape->episodic ? "true" : "false");
  const char *separator = "";
  for (uint32_t s = 0; s < shape->n_states; ++s) {
    if (far_shape_is_live(shape, s)) continue;
    n += (size_t)snprintf(text + n, room - n, "%s%lu", separator, (unsigned long)s);
    separator = ",";
  }
  snprintf(text + n, room - n, "]}}\n");
  return text;
}

static void destroy(void *of) {
  instance *x = of;
  child_end(&x->program);
  free(x->hello);
  free(x);
}

static far_status reset(void *of, uint64_t seed, uint64_t replicate, far_error *error) {
  instance *x = of;
  (void)error;
  x->seed = seed;
  x->replicate = replicate;
  x->begun = false; /* told when the first action is asked for: nothing is started in vain */
  return FAR_OK;
}

static far_status create(void **out, const void *values, const far_shape *shape, uint64_t seed,
                         uint64_t replicate, void *user, far_error *error) {
  (void)user;
  if (count_ranks() > 1) {
    *error = (far_error){FAR_STATUS_CONFLICT, -1, "it cannot run under mpirun, on several ranks"};
    return FAR_STATUS_CONFLICT;
  }
  instance *x = calloc(1, sizeof *x);
  if (x == NULL) return FAR_STATUS_MEMORY;
  memcpy(&x->p, values, sizeof x->p);
  x->program.command = x->p.command;
  x->n_actions = shape->n_actions;
  x->hello = hello_of(shape);
  if (x->hello == NULL) {
    free(x);
    return FAR_STATUS_MEMORY;
  }
  *out = x;
  return reset(x, seed, replicate, error);
}

static far_status act(void *of, uint32_t s, uint32_t *a, far_error *error) {
  instance *x = of;
  char line[40];
  json_document d;
  far_status status = begin(x, error);
  snprintf(line, sizeof line, "{\"act\":%lu}\n", (unsigned long)s);
  if (status == FAR_OK) status = ask(x, line, &d, error);
  if (status != FAR_OK) return status;
  const json_value *v = json_member(&d, &d.values[0], "action");
  if (v == NULL || v->kind != JSON_NUMBER)
    return child_fail(&x->program, error, "answers {\"act\":%lu} without a number 'action'",
                      (unsigned long)s);
  if (!(v->number >= 0 && v->number < x->n_actions) || v->number != (double)(uint32_t)v->number)
    return child_fail(&x->program, error,
                      "answers {\"act\":%lu} with the action %g, which does not exist",
                      (unsigned long)s, v->number);
  *a = (uint32_t)v->number;
  return FAR_OK;
}

static far_status observe(void *of, const far_transition *step, far_error *error) {
  instance *x = of;
  char line[192], r[FAR_NUMBER_SIZE];
  json_document d;
  far_real_format(r, step->r);
  snprintf(line, sizeof line,
           "{\"observe\":{\"s\":%lu,\"a\":%lu,\"r\":%s,\"next\":%lu,\"done\":%s%s}}\n",
           (unsigned long)step->s, (unsigned long)step->a, r, (unsigned long)step->next,
           step->done ? "true" : "false", step->cut && !step->done ? ",\"truncated\":true" : "");
  const far_status status = begin(x, error);
  return status == FAR_OK ? ask(x, line, &d, error) : status;
}

int register_process(const arguments *args) {
  static const far_agent_def def = {
      .size = sizeof def,
      .name = "process",
      .summary = "An outside program, asked by lines of JSON",
      .params = rows,
      .n_params = 1,
      .params_size = sizeof(params),
      .bare = true,
      .create = create,
      .free = destroy,
      .act = act,
      .observe = observe,
      .reset = reset,
  };
  far_error error;
  if (!args_real(args, "answer-limit", &answer_limit)) return EXIT_USAGE;
  if (!(answer_limit > 0 && answer_limit <= 1e6))
    return usage_error(args, "--answer-limit must be above 0, and at most 1e6 seconds");
  return far_agent_register(&def, &error) == FAR_OK ? EXIT_OK : run_error(&error);
}
