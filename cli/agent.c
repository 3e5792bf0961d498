/* farsight agent: an agent as a process, JSON Lines in and out. */
#include "cli.h"
#include "json.h"
#include "memory.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 65536 };

static const option_info options[] = {
    {0, "states", "S", "number of states", COMPLETE_NONE},
    {0, "actions", "A", "number of actions", COMPLETE_NONE},
    {0, "rmin", "R", "smallest reward (default 0)", COMPLETE_NONE},
    {0, "rmax", "R", "largest reward (default 1)", COMPLETE_NONE},
    {0, "absent", "LIST", "ids of terminal or unreachable states, as in 5,7,11..12 (default none)",
     COMPLETE_NONE},
    {0, "continuing", NULL, "episodes never end: the reward range need not contain 0",
     COMPLETE_NONE},
    {0, "seed", "N", "seed of the agent's random stream (default 1)", COMPLETE_NONE},
    {'q', "quiet", NULL, "hide notes about parameters outside the guarantee", COMPLETE_NONE},
};

static void refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* {"error": "..."}; the agent is as it was. */
static void refuse(const char *format, ...) {
  char message[600];
  va_list list;
  va_start(list, format);
  vsnprintf(message, sizeof message, format, list);
  va_end(list);
  printf("{\"error\":");
  json_write_string(stdout, message);
  printf("}\n");
}

/* An index below `count`; false after refusing. */
static bool read_index(const json_value *v, const char *name, uint32_t count, uint32_t *out) {
  if (v == NULL) {
    refuse("'%s' is missing; it must be a whole number from 0 to %lu", name,
           (unsigned long)count - 1);
    return false;
  }
  if (v->kind != JSON_NUMBER || !(v->number >= 0 && v->number < count) ||
      v->number != (double)(uint32_t)v->number) {
    refuse("'%s' must be a whole number from 0 to %lu", name, (unsigned long)count - 1);
    return false;
  }
  *out = (uint32_t)v->number;
  return true;
}

static bool read_flag(const json_value *v, const char *name, bool *out) {
  *out = v != NULL && v->kind == JSON_TRUE;
  if (v == NULL || v->kind == JSON_TRUE || v->kind == JSON_FALSE) return true;
  refuse("'%s' must be true or false", name);
  return false;
}

/* ---- requests ---- */

static void answer_act(far_agent *agent, const json_value *v) {
  uint32_t s;
  if (read_index(v, "act", far_agent_shape(agent)->n_states, &s))
    printf("{\"action\":%lu}\n", (unsigned long)far_agent_act(agent, s));
}

static bool known_members(const json_document *d, const json_value *object) {
  static const char *const names[] = {"s", "a", "r", "next", "done", "truncated"};
  const size_t count = sizeof names / sizeof *names;
  for (int i = object->first; i >= 0; i = d->values[i].next) {
    const char *key = d->values[i].key;
    size_t k = 0;
    while (k < count && strcmp(names[k], key) != 0) ++k;
    if (k < count) continue;
    refuse("unknown member '%.40s' of 'observe'; it has s, a, r, next, done and truncated", key);
    return false;
  }
  return true;
}

static void answer_observe(far_agent *agent, const json_document *d, const json_value *v) {
  const far_shape *shape = far_agent_shape(agent);
  far_transition step = {0};
  bool truncated;
  if (v->kind != JSON_OBJECT) {
    refuse("'observe' must be an object such as "
           "{\"s\":0,\"a\":1,\"r\":0.5,\"next\":3,\"done\":false}");
    return;
  }
  if (!known_members(d, v)) return;
  if (!read_index(json_member(d, v, "s"), "s", shape->n_states, &step.s)) return;
  if (!read_index(json_member(d, v, "a"), "a", shape->n_actions, &step.a)) return;
  if (!read_flag(json_member(d, v, "done"), "done", &step.done)) return;
  if (!read_flag(json_member(d, v, "truncated"), "truncated", &truncated)) return;
  const json_value *r = json_member(d, v, "r"), *next = json_member(d, v, "next");
  if (r == NULL || r->kind != JSON_NUMBER) {
    refuse(r == NULL ? "'r' is missing; it must be a number" : "'r' must be a number");
    return;
  }
  if (step.done && truncated) {
    refuse("an episode is either 'done' or 'truncated', not both");
    return;
  }
  step.r = r->number;
  if (!step.done && !read_index(next, "next", shape->n_states, &step.next)) return;
  far_error error;
  if (far_agent_observe(agent, &step, &error) != FAR_OK)
    refuse("%s", error.message);
  else
    printf("{\"t\":%lld}\n", (long long)far_agent_steps(agent));
}

static void answer_values(const far_agent *agent, const json_value *v) {
  static const char *const names[FAR_VALUE_COUNT] = {"q", "bonus", "e", "n", "learn"};
  const far_shape *shape = far_agent_shape(agent);
  uint32_t s;
  double x;
  if (!read_index(v, "values", shape->n_states, &s)) return;
  const char *separator = "";
  putchar('{');
  for (int kind = 0; kind < FAR_VALUE_COUNT; ++kind) {
    if (!far_agent_value(agent, (far_value)kind, s, 0, &x)) continue;
    printf("%s\"%s\":", separator, names[kind]);
    separator = ",";
    for (uint32_t a = 0; a < shape->n_actions; ++a) {
      far_agent_value(agent, (far_value)kind, s, a, &x);
      putchar(a == 0 ? '[' : ',');
      json_write_real(stdout, x);
    }
    putchar(']');
  }
  printf("}\n");
}

static bool read_path(const json_value *v, const char *name) {
  if (v->kind == JSON_STRING && v->text[0] != '\0') return true;
  refuse("'%s' must be the path of a file", name);
  return false;
}

static void answer_save(const far_agent *agent, const json_value *v) {
  far_error error;
  if (!read_path(v, "save")) return;
  if (far_agent_save(agent, v->text, &error) != FAR_OK)
    refuse("%s", error.message);
  else
    printf("{\"ok\":true}\n");
}

/* The file must hold the same algorithm, parameters and shape; otherwise nothing changes. */
static void answer_load(far_agent *agent, const json_value *v) {
  far_error error;
  if (!read_path(v, "load")) return;
  if (far_agent_restore(agent, v->text, &error) != FAR_OK)
    refuse("%s", error.message);
  else
    printf("{\"ok\":true}\n");
}

static void answer(far_agent *agent, char *line, size_t length) {
  json_document d;
  if (!json_read(&d, line, length)) {
    refuse("%s", d.error);
    return;
  }
  const json_value *root = &d.values[0];
  const json_value *request =
      root->kind == JSON_OBJECT && root->first >= 0 ? &d.values[root->first] : NULL;
  const char *key = request != NULL && request->next < 0 ? request->key : "";
  if (strcmp(key, "act") == 0)
    answer_act(agent, request);
  else if (strcmp(key, "observe") == 0)
    answer_observe(agent, &d, request);
  else if (strcmp(key, "values") == 0)
    answer_values(agent, request);
  else if (strcmp(key, "save") == 0)
    answer_save(agent, request);
  else if (strcmp(key, "load") == 0)
    answer_load(agent, request);
  else
    refuse("a request is an object with one member: act, observe, values, save or load");
}

/* ---- lines ---- */

/* Reads a line of at most LINE - 1 bytes; *too_long tells that more followed and was dropped. False
 * at the end of the input. */
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
  return true;
}

static int serve(far_agent *agent) {
  static char line[LINE];
  size_t length;
  bool too_long;
  while (read_line(line, &length, &too_long)) {
    if (too_long)
      refuse("the line has more than %d bytes", LINE - 1);
    else
      answer(agent, line, length);
    if (fflush(stdout) != 0) return EXIT_FAILED; /* finish_output says why */
  }
  return EXIT_OK;
}

/* Marks the states of an item of the list: an id, or FROM..TO. */
static bool mark_absent(bool *absent, uint32_t n_states, const char *item, size_t length) {
  const char *dots = length > 2 ? strstr(item, "..") : NULL;
  const size_t first = dots != NULL && dots < item + length ? (size_t)(dots - item) : length;
  int64_t from, to;
  if (!far_integer_parse(item, first, &from)) return false;
  to = from;
  if (first < length && !far_integer_parse(dots + 2, length - first - 2, &to)) return false;
  if (from < 0 || to < from || to >= (int64_t)n_states) return false;
  for (int64_t s = from; s <= to; ++s) absent[s] = true;
  return true;
}

/* --absent; *out is the caller's to free, and NULL without it. */
static int read_absent(const arguments *args, uint32_t n_states, bool **out) {
  const char *list = args_text(args, "absent", 0);
  *out = NULL;
  if (list == NULL) return EXIT_OK;
  *out = room_for(n_states, sizeof **out);
  for (const char *item = list;; item += strcspn(item, ",") + 1) {
    const size_t length = strcspn(item, ",");
    if (!mark_absent(*out, n_states, item, length))
      return usage_error(args,
                         "--absent: '%.*s' is neither a state from 0 to %lu nor a range such as "
                         "3..5 of them",
                         (int)length, item, (unsigned long)n_states - 1);
    if (item[length] == '\0') return EXIT_OK;
  }
}

static int read_shape(const arguments *args, far_shape *shape) {
  int64_t n_states = 0, n_actions = 0;
  *shape = far_shape_default(0, 0);
  shape->episodic = !args_flag(args, "continuing");
  if (!args_integer(args, "states", 1, UINT32_MAX, &n_states) ||
      !args_integer(args, "actions", 1, UINT32_MAX, &n_actions) ||
      !args_real(args, "rmin", &shape->reward_min) || !args_real(args, "rmax", &shape->reward_max))
    return EXIT_USAGE;
  if (n_states == 0 || n_actions == 0)
    return usage_error(args, "--states and --actions are needed, as in --states 10 --actions 2");
  if (!(shape->reward_min < shape->reward_max))
    return usage_error(args, "--rmin %s must be below --rmax %s", exact(shape->reward_min).text,
                       exact(shape->reward_max).text);
  shape->n_states = (uint32_t)n_states;
  shape->n_actions = (uint32_t)n_actions;
  return EXIT_OK;
}

static int serve_spec(const arguments *args, const char *spec, const far_shape *shape,
                      uint64_t seed) {
  far_agent *agent;
  far_error error;
  if (far_agent_create(&agent, spec, shape, seed, 0, &error) != FAR_OK)
    return spec_error(&error, spec);
  print_warnings(args, spec, NULL, shape);
  const int code = serve(agent);
  far_agent_free(agent);
  return code;
}

static int run(const arguments *args) {
  const char *spec = args_word(args, 0);
  far_shape shape;
  uint64_t seed = 1;
  if (spec == NULL) return usage_error(args, "no agent is given, as in 'farsight agent delayed-q'");
  if (!args_seed(args, "seed", &seed)) return EXIT_USAGE;
  int code = read_shape(args, &shape);
  if (code != EXIT_OK) return code;
  bool *absent;
  code = read_absent(args, shape.n_states, &absent);
  shape.absent = absent;
  if (code == EXIT_OK) code = serve_spec(args, spec, &shape, seed);
  free(absent);
  return code;
}

const command cmd_agent = {
    .name = "agent",
    .synopsis = "AGENT --states S --actions A [OPTIONS]",
    .summary = "Serve an agent as a process that speaks JSON Lines",
    .details = "One JSON object a line on standard input is answered by one on standard output:\n"
               "  {\"act\": s}                     {\"action\": a}\n"
               "  {\"observe\": {\"s\":0,\"a\":1,\"r\":0.5,\"next\":3,\"done\":false}}\n"
               "                                 {\"t\": steps so far}\n"
               "  {\"values\": s}                  {\"q\":[...], \"bonus\":[...], ...}\n"
               "  {\"save\": \"path\"}               {\"ok\": true}\n"
               "  {\"load\": \"path\"}               {\"ok\": true}\n"
               "  anything else                  {\"error\": \"...\"}, and nothing has changed\n"
               "\"done\" is a true end, after which nothing is earned; \"truncated\": true marks "
               "an episode\n"
               "that was cut off and still learns from \"next\".\n"
               "Say by --absent which ids are terminal states or cannot be reached: to an agent "
               "that looks\n"
               "for what it has not met they are states like others.\n",
    .examples = "  farsight agent directed-delayed-q --states 10 --actions 2\n"
                "  farsight agent delayed-q:m=20 --states 500 --actions 6 --rmin -10 --rmax 20\n"
                "  farsight agent ucrl2 --states 16 --actions 4 --absent 5,7,11..12,15\n",
    .words = "",
    .complete = COMPLETE_AGENT,
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = 1,
    .run = run,
};
