/* The agent 'process:COMMAND': registered as a program's own agent is (farsight/agent.h). Its instance is a
 * program that speaks the lines of `farsight agent`. The program is started when it is first needed and
 * serves many runs, one after the other. */
#include "process.h"
#include "base/json.h"
#include "child.h"
#include "lines.h"

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
static bool allowed;             /* set before a batch begins */

typedef struct instance {
  params p;
  child program;
  far_buffer hello; /* the first line: the shape */
  far_buffer line;  /* the one under way */
  far__json json;   /* that writes it */
  uint32_t n_actions;
  uint64_t seed, replicate;
  bool begun; /* the program was told of this run */
} instance;

/* ---- questions ---- */

static far__json *begin_line(instance *x) {
  if (x->line.failed) far_buffer_free(&x->line);
  x->line.length = 0;
  far__json_begin(&x->json, far_sink_buffer(&x->line));
  far__json_object(&x->json, NULL);
  return &x->json;
}

static far_status no_memory(far_error *error) {
  *error = (far_error){FAR_STATUS_MEMORY, -1, "no memory for a line to the process"};
  return FAR_STATUS_MEMORY;
}

/* Asks the program, and reads an object without a member 'error'. The document points into the child's buffer. */
static far_status ask(instance *x, const far_buffer *asks, far__json_document *d,
                      far_error *error) {
  char *answer, shown[80];
  size_t length;
  if (asks->failed) return no_memory(error);
  const char *line = asks->bytes;
  far_status status =
      child_ask(&x->program, line, asks->length, answer_limit, &answer, &length, error);
  if (status != FAR_OK) return status;
  snprintf(shown, sizeof shown, "%.60s%s", answer,
           length > 60 ? "..." : ""); /* reading overwrites it */
  const int asked = (int)strcspn(line, "\n");
  if (!far__json_read(d, answer, length))
    return child_fail(&x->program, error, "answers %.*s with '%s', which is not JSON: %.80s",
                      asked < 80 ? asked : 80, line, shown, d->error);
  const far__json_value *refused =
      d->values[0].kind == FAR__JSON_OBJECT ? far__json_member(d, &d->values[0], "error") : NULL;
  if (d->values[0].kind != FAR__JSON_OBJECT || refused != NULL)
    return child_fail(&x->program, error, "answers %.*s with '%s'%s", asked < 80 ? asked : 80, line,
                      shown, refused == NULL ? ", which is no object" : "");
  return FAR_OK;
}

/* Ends the line under way, and asks it. */
static far_status ask_line(instance *x, far__json_document *d, far_error *error) {
  far__json_end(&x->json);
  far_buffer_add(&x->line, "\n", 1);
  return ask(x, &x->line, d, error);
}

static far_status start(instance *x, far__json_document *d, far_error *error) {
  if (!allowed) return child_fail(&x->program, error, "is not started here (--process)");
  const far_status status = child_start(&x->program, error);
  return status == FAR_OK ? ask(x, &x->hello, d, error) : status;
}

/* Starts the program unless it is running, and sends it seed and replicate of this run. */
static far_status begin(instance *x, far_error *error) {
  far__json_document d;
  far_status status = FAR_OK;
  if (x->begun) return FAR_OK;
  if (x->program.pid == 0) status = start(x, &d, error);
  far__json *json = begin_line(x);
  far__json_object(json, "reset");
  far__json_integer(json, "seed", x->seed);
  far__json_integer(json, "replicate", x->replicate);
  far__json_end(json);
  if (status == FAR_OK) status = ask_line(x, &d, error);
  x->begun = status == FAR_OK;
  return status;
}

/* ---- hooks ---- */

static void destroy(void *of) {
  instance *x = of;
  child_end(&x->program);
  far_buffer_free(&x->hello);
  far_buffer_free(&x->line);
  free(x);
}

static far_status reset(void *of, uint64_t seed, uint64_t replicate, far_error *error) {
  instance *x = of;
  (void)error;
  x->seed = seed;
  x->replicate = replicate;
  x->begun = false; /* the first question starts the program and sends it this run */
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
  far__json json;
  far__json_begin(&json, far_sink_buffer(&x->hello));
  far__json_object(&json, NULL);
  far__json_object(&json, "hello");
  write_shape(&json, shape);
  far__json_end(&json);
  far__json_end(&json);
  far_buffer_add(&x->hello, "\n", 1);
  if (x->hello.failed) {
    far_buffer_free(&x->hello);
    free(x);
    return FAR_STATUS_MEMORY;
  }
  *out = x;
  return reset(x, seed, replicate, error);
}

static far_status act(void *of, uint32_t s, uint32_t *a, far_error *error) {
  instance *x = of;
  far__json_document d;
  far_status status = begin(x, error);
  if (status != FAR_OK) return status;
  far__json_integer(begin_line(x), "act", s);
  status = ask_line(x, &d, error);
  if (status != FAR_OK) return status;
  const far__json_value *v = far__json_member(&d, &d.values[0], "action");
  if (v == NULL || v->kind != FAR__JSON_NUMBER)
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
  far__json_document d;
  const far_status status = begin(x, error);
  if (status != FAR_OK) return status;
  far__json *json = begin_line(x);
  far__json_object(json, "observe");
  far__json_integer(json, "s", step->s);
  far__json_integer(json, "a", step->a);
  far__json_real(json, "r", step->r);
  far__json_integer(json, "next", step->next);
  far__json_flag(json, "done", step->done);
  if (step->cut && !step->done) far__json_flag(json, "truncated", true);
  far__json_end(json);
  return ask_line(x, &d, error);
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

/* ---- whose programs ---- */

typedef enum whose { NONE, TYPED, ALL } whose;

/* Is this an agent of the type, also with a name, as in "mine=process:COMMAND"? */
static bool is_process(const char *agent) {
  const size_t name = strcspn(agent, ":=");
  const char *spec = agent[name] == '=' ? agent + name + 1 : agent;
  const far_type_info *type = far_spec_type(far_agent_type, spec);
  return type != NULL && strcmp(type->name, "process") == 0;
}

int allow_processes(const arguments *args, const char *const *agents, size_t count,
                    const char *file) {
  static const char *const words[] = {"none", "typed", "all", NULL};
  int which = TYPED;
  if (!args_choice(args, "process", words, &which)) return EXIT_USAGE;
  for (size_t i = 0; i < count; ++i) {
    if (!is_process(agents[i])) continue;
    if (which == NONE)
      return usage_error(args, "'%.200s' would start a program, and --process none allows none",
                         agents[i]);
    if (which == TYPED && file != NULL)
      return usage_error(args,
                         "the study '%.200s' would start a program, '%.200s': --process all allows "
                         "it, if you trust whoever wrote the file",
                         file, agents[i]);
  }
  allowed = true;
  return EXIT_OK;
}
