/* farsight agent: an agent as a process, JSON Lines in and out. */
#include <farsight/lab.h>

#include "base/json.h"
#include "cli.h"
#include "lab/study/parts.h"
#include "lines.h"
#include "memory.h"

#include <stdlib.h>
#include <string.h>

static const option_info options[] = {
    {0, "states", "S", "number of states", COMPLETE_NONE},
    {0, "actions", "A", "number of actions", COMPLETE_NONE},
    {0, "rmin", "R", "smallest reward (default 0)", COMPLETE_NONE},
    {0, "rmax", "R", "largest reward (default 1)", COMPLETE_NONE},
    {0, "absent", "LIST", "ids of terminal or unreachable states, as in 5,7,11..12 (default none)",
     COMPLETE_NONE},
    {0, "horizon", "H",
     "steps of an episode, for agents that plan for a finite horizon (default: none)",
     COMPLETE_NONE},
    {0, "gamma", "G", "discount of the problem (default 0.95)", COMPLETE_NONE},
    {0, "steps", "N", "steps that there will be, for agents that ask (default: not known)",
     COMPLETE_NONE},
    {0, "continuing", NULL, "episodes never end: the reward range need not contain 0",
     COMPLETE_NONE},
    {0, "seed", "N", "seed of the agent's random stream (default 1)", COMPLETE_NONE},
    {0, "replicate", "K",
     "replicate of that stream: that of run K of 'farsight run' with this seed (default 0)",
     COMPLETE_NONE},
};

/* ---- requests ---- */

static void answer_count(const char *key, uint64_t n) {
  far__json json = begin_answer();
  far__json_integer(&json, key, n);
  end_answer(&json);
}

static void answer_ok(void) {
  far__json json = begin_answer();
  far__json_flag(&json, "ok", true);
  end_answer(&json);
}

typedef struct served {
  far_agent *agent;
  uint64_t seed, replicate; /* of its stream */
} served;

static void answer_act(void *of, const far__json_document *d, const far__json_value *v) {
  far_agent *agent = ((served *)of)->agent;
  uint32_t s, a = 0;
  far_error error;
  (void)d;
  if (!read_index(v, "act", far_agent_shape(agent)->n_states, &s)) return;
  if (far_agent_try_act(agent, s, &a, &error) != FAR_OK)
    refuse("%s", error.message);
  else
    answer_count("action", a);
}

static void answer_observe(void *of, const far__json_document *d, const far__json_value *v) {
  static const char *const names[] = {"s", "a", "r", "next", "done", "truncated", NULL};
  far_agent *agent = ((served *)of)->agent;
  const far_shape *shape = far_agent_shape(agent);
  far_transition step = {0};
  if (v->kind != FAR__JSON_OBJECT) {
    refuse("'observe' must be an object such as "
           "{\"s\":0,\"a\":1,\"r\":0.5,\"next\":3,\"done\":false}");
    return;
  }
  if (!known_members(d, v, "observe", names)) return;
  if (!read_index(far__json_member(d, v, "s"), "s", shape->n_states, &step.s)) return;
  if (!read_index(far__json_member(d, v, "a"), "a", shape->n_actions, &step.a)) return;
  if (!read_flag(far__json_member(d, v, "done"), "done", &step.done)) return;
  if (!read_flag(far__json_member(d, v, "truncated"), "truncated", &step.cut)) return;
  const far__json_value *r = far__json_member(d, v, "r"), *next = far__json_member(d, v, "next");
  if (r == NULL || r->kind != FAR__JSON_NUMBER) {
    refuse(r == NULL ? "'r' is missing; it must be a number" : "'r' must be a number");
    return;
  }
  if (step.done && step.cut) {
    refuse("an episode is either 'done' or 'truncated', not both");
    return;
  }
  step.r = r->number;
  if (!step.done && !read_index(next, "next", shape->n_states, &step.next)) return;
  far_error error;
  if (far_agent_observe(agent, &step, &error) != FAR_OK)
    refuse("%s", error.message);
  else
    answer_count("t", (uint64_t)far_agent_steps(agent));
}

static void answer_values(void *of, const far__json_document *d, const far__json_value *v) {
  static const char *const names[FAR_VALUE_COUNT] = {"q", "bonus", "e", "n", "learn"};
  const far_agent *agent = ((served *)of)->agent;
  const far_shape *shape = far_agent_shape(agent);
  uint32_t s;
  double x;
  (void)d;
  if (!read_index(v, "values", shape->n_states, &s)) return;
  far__json json = begin_answer();
  for (int kind = 0; kind < FAR_VALUE_COUNT; ++kind) {
    if (!far_agent_value(agent, (far_value)kind, s, 0, &x)) continue;
    far__json_array(&json, names[kind]);
    for (uint32_t a = 0; a < shape->n_actions; ++a) {
      far_agent_value(agent, (far_value)kind, s, a, &x);
      far__json_real(&json, NULL, x);
    }
    far__json_end(&json);
  }
  end_answer(&json);
}

static void answer_policy(void *of, const far__json_document *d, const far__json_value *v) {
  const far_agent *agent = ((served *)of)->agent;
  const far_shape *shape = far_agent_shape(agent);
  uint32_t s;
  (void)d;
  if (!read_index(v, "policy", shape->n_states, &s)) return;
  double *p = room_for(shape->n_actions, sizeof *p);
  if (far_agent_policy(agent, s, p)) {
    far__json json = begin_answer();
    far__json_array(&json, "policy");
    for (uint32_t a = 0; a < shape->n_actions; ++a) far__json_real(&json, NULL, p[a]);
    far__json_end(&json);
    end_answer(&json);
  } else {
    refuse("the probabilities of this agent's actions have no closed form");
  }
  free(p);
}

static void answer_info(void *of, const far__json_document *d, const far__json_value *v) {
  const served *x = of;
  const far_shape *shape = far_agent_shape(x->agent);
  (void)d;
  if (!read_nothing(v, "info")) return;
  far__json json = begin_answer();
  far__json_text(&json, "agent", far_agent_spec(x->agent));
  far__json_integer(&json, "states", shape->n_states);
  far__json_integer(&json, "actions", shape->n_actions);
  far__json_real(&json, "rmin", shape->reward_min);
  far__json_real(&json, "rmax", shape->reward_max);
  far__json_flag(&json, "episodic", shape->episodic);
  if (shape->horizon > 0) {
    far__json_integer(&json, "horizon", (uint64_t)shape->horizon);
    far__json_integer(&json, "h", (uint64_t)far_agent_episode_step(x->agent));
  }
  double bound;
  if (far_agent_certificate(x->agent, &bound)) far__json_real(&json, "certificate", bound);
  if (far_agent_uncertified(x->agent, &bound)) far__json_real(&json, "uncertified", bound);
  if (far_agent_stopped(x->agent)) far__json_flag(&json, "stopped", true);
  far__json_integer(&json, "seed", x->seed);
  far__json_integer(&json, "replicate", x->replicate);
  far__json_integer(&json, "t", (uint64_t)far_agent_steps(x->agent));
  end_answer(&json);
}

/* Forgets everything; the stream stays unless the request names another. */
static void answer_reset(void *of, const far__json_document *d, const far__json_value *v) {
  static const char *const names[] = {"seed", "replicate", NULL};
  served *x = of;
  uint64_t seed = x->seed, replicate = x->replicate;
  if (!read_nothing(v, "reset")) return;
  if (v->kind == FAR__JSON_OBJECT &&
      (!known_members(d, v, "reset", names) ||
       !read_count(far__json_member(d, v, "seed"), "seed", &seed) ||
       !read_count(far__json_member(d, v, "replicate"), "replicate", &replicate)))
    return;
  x->seed = seed;
  x->replicate = replicate;
  far_agent_reset(x->agent, seed, replicate);
  answer_count("t", 0);
}

static bool same_number(const far__json_document *d, const far__json_value *v, const char *name,
                        double x) {
  const far__json_value *m = far__json_member(d, v, name);
  if (m == NULL || (m->kind == FAR__JSON_NUMBER && m->number == x)) return true;
  refuse("'%s' of the problem is not that of this agent, %.17g", name, x);
  return false;
}

/* What `-a process:` says first: an agent that was started for another problem refuses. */
static void answer_hello(void *of, const far__json_document *d, const far__json_value *v) {
  const far_shape *shape = far_agent_shape(((served *)of)->agent);
  if (!read_nothing(v, "hello")) return;
  if (v->kind != FAR__JSON_OBJECT || (same_number(d, v, "states", shape->n_states) &&
                                      same_number(d, v, "actions", shape->n_actions) &&
                                      same_number(d, v, "rmin", shape->reward_min) &&
                                      same_number(d, v, "rmax", shape->reward_max)))
    answer_ok();
}

static bool read_path(const far__json_value *v, const char *name) {
  if (v->kind == FAR__JSON_STRING && v->text[0] != '\0') return true;
  refuse("'%s' must be the path of a file", name);
  return false;
}

static void answer_save(void *of, const far__json_document *d, const far__json_value *v) {
  far_error error;
  (void)d;
  if (!read_path(v, "save")) return;
  if (far_agent_save(((served *)of)->agent, v->text, &error) != FAR_OK)
    refuse("%s", error.message);
  else
    answer_ok();
}

/* The file must hold the same algorithm, parameters and shape; otherwise nothing changes. */
static void answer_load(void *of, const far__json_document *d, const far__json_value *v) {
  far_error error;
  (void)d;
  if (!read_path(v, "load")) return;
  if (far_agent_restore(((served *)of)->agent, v->text, &error) != FAR_OK)
    refuse("%s", error.message);
  else
    answer_ok();
}

static const line_request requests[] = {{"act", answer_act},       {"observe", answer_observe},
                                        {"values", answer_values}, {"policy", answer_policy},
                                        {"info", answer_info},     {"reset", answer_reset},
                                        {"hello", answer_hello},   {"save", answer_save},
                                        {"load", answer_load},     {NULL, NULL}};

/* ---- the shape ---- */

enum { MOST_REPEATED = 1000 }; /* ids of --absent that are named twice */

/* --absent; *out is the caller's to free, and NULL without it. */
static int read_absent(const arguments *args, uint32_t n_states, bool **out) {
  const char *list = args_text(args, "absent", 0);
  const size_t most = (size_t)n_states + MOST_REPEATED;
  far_error error;
  size_t count = 0;
  int code = EXIT_OK;
  *out = NULL;
  if (list == NULL) return EXIT_OK;
  if (args_text(args, "absent", 1) != NULL)
    return usage_error(args, "--absent is given twice: name all ids in one list, as in 5,7,11..12");
  *out = room_for(n_states, sizeof **out);
  int64_t *ids = room_for(most, sizeof *ids);
  if (far__integers_parse(ids, &count, most, list, &error) != FAR_OK)
    code = usage_error(args, "--absent: %s", error.message);
  for (size_t i = 0; i < count && code == EXIT_OK; ++i)
    if (ids[i] < 0 || ids[i] >= (int64_t)n_states)
      code = usage_error(args, "--absent: %lld is no state; they are 0 ... %lu", (long long)ids[i],
                         (unsigned long)n_states - 1);
    else
      (*out)[ids[i]] = true;
  free(ids);
  return code;
}

static int read_shape(const arguments *args, far_shape *shape) {
  int64_t n_states = 0, n_actions = 0;
  *shape = far_shape_default(0, 0);
  shape->episodic = !args_flag(args, "continuing");
  if (!args_integer(args, "states", 1, UINT32_MAX, &n_states) ||
      !args_integer(args, "actions", 1, UINT32_MAX, &n_actions) ||
      !args_integer(args, "horizon", 1, FAR_HORIZON_MAX, &shape->horizon) ||
      !args_integer(args, "steps", 1, INT64_MAX / 2, &shape->steps) ||
      !gamma_option(args, &shape->gamma) || !args_real(args, "rmin", &shape->reward_min) ||
      !args_real(args, "rmax", &shape->reward_max))
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

static int serve_spec(const arguments *args, const char *spec, const far_shape *shape, served *x) {
  far_error error;
  if (far_agent_create(&x->agent, spec, shape, x->seed, x->replicate, &error) != FAR_OK)
    return spec_error(&error, spec);
  print_warnings(args, spec, NULL, shape);
  const int code = serve_lines(requests, x);
  far_agent_free(x->agent);
  return code;
}

static int run(const arguments *args) {
  const char *spec = args_word(args, 0);
  far_shape shape;
  served x = {.seed = 1};
  if (spec == NULL) return usage_error(args, "no agent is given, as in 'farsight agent delayed-q'");
  if (!args_seed(args, "seed", &x.seed) || !args_seed(args, "replicate", &x.replicate))
    return EXIT_USAGE;
  int code = read_shape(args, &shape);
  if (code != EXIT_OK) return code;
  bool *absent;
  code = read_absent(args, shape.n_states, &absent);
  shape.absent = absent;
  if (code == EXIT_OK) code = serve_spec(args, spec, &shape, &x);
  free(absent);
  return code;
}

const command cmd_agent = {
    .name = "agent",
    .synopsis = "AGENT --states S --actions A [OPTIONS]",
    .summary = "Serve an agent as a process that speaks JSON Lines",
    .details =
        "One JSON object a line on standard input is answered by one on standard output:\n"
        "  {\"act\": s}                     {\"action\": a}\n"
        "  {\"observe\": {\"s\":0,\"a\":1,\"r\":0.5,\"next\":3,\"done\":false}}\n"
        "                                 {\"t\": steps so far}\n"
        "  {\"values\": s}                  {\"q\":[...], \"bonus\":[...], ...}\n"
        "  {\"policy\": s}                  {\"policy\":[probability of each action]}\n"
        "  {\"info\": true}                 {\"agent\":SPEC, \"states\":S, ..., \"t\":0}\n"
        "  {\"reset\": {\"replicate\":3}}     {\"t\": 0}; \"seed\" likewise, or just true\n"
        "  {\"save\": \"path\"}               {\"ok\": true}\n"
        "  {\"load\": \"path\"}               {\"ok\": true}\n"
        "  anything else                  {\"error\": \"...\"}, and nothing has changed\n"
        "\"done\" is a true end, after which nothing is earned; \"truncated\": true marks "
        "an episode\n"
        "that was cut off: the agent learns from the value of \"next\", and a new episode "
        "begins.\n"
        "Say by --absent which ids are terminal states or cannot be reached: to an agent "
        "that looks\n"
        "for what it has not met they are states like others.\n"
        "\"info\" of an agent that certifies its policy has \"certificate\", or \"uncertified\" "
        "where its\n"
        "parameters are outside the guarantee, and \"stopped\" once it has stopped.\n",
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
