/* farsight env: an environment as a process, JSON Lines in and out. */
#include "base/json.h"
#include "cli.h"
#include "lab/study/parts.h"
#include "lines.h"
#include "memory.h"
#include "store_open.h"

#include <farsight/lab.h>
#include <stdlib.h>
#include <string.h>

static const option_info options[] = {
    {0, "seed", "N", "seed of all random streams (default 1)", COMPLETE_NONE},
    {0, "replicate", "K", "replicate to begin with: run K of 'farsight run' (default 0)",
     COMPLETE_NONE},
    {0, "steps", "N", "a run is over after so many steps (default: never)", COMPLETE_NONE},
    {0, "record", "FILE",
     "store every finished run in this file, beside those of 'farsight run --store'; needs --steps "
     "and --name",
     COMPLETE_NONE},
    {0, "name", "AGENT", "with --record: what the outside agent is called there", COMPLETE_NONE},
    {0, "curve", "POINTS",
     "with --record: also the reward so far, at so many steps evenly (100) or logarithmically "
     "('log 100'), or at these (10,100,1000)",
     COMPLETE_NONE},
};

typedef struct world {
  far_mdp *mdp;
  uint64_t seed, replicate;
  far_rng transition, start;
  bool begun;       /* an episode is under way */
  uint32_t s;       /* its state */
  int64_t h;        /* steps of the episode */
  int64_t t, steps; /* of this run; 0: no limit */
  double total;
  far_store *store; /* NULL: nothing is recorded */
  const char *name;
  int64_t *checkpoints;
  double *curve;
  size_t n_checkpoints, passed; /* checkpoints, and how many of them the run has passed */
  bool failed;                  /* a run could not be recorded */
} world;

static void begin_run(world *x, uint64_t replicate) {
  x->replicate = replicate;
  far_rng_init(&x->transition, x->seed, replicate, FAR_PURPOSE_TRANSITION);
  far_rng_init(&x->start, x->seed, replicate, FAR_PURPOSE_START);
  x->begun = false;
  x->t = 0;
  x->total = 0;
  x->passed = 0;
}

/* ---- what is recorded ---- */

static far_imported_run run_of(const world *x) {
  return (far_imported_run){.mdp = x->mdp,
                            .agent = x->name,
                            .steps = x->steps,
                            .seed = x->seed,
                            .replicate = x->replicate,
                            .total = x->total,
                            .checkpoints = x->checkpoints,
                            .curve = x->curve,
                            .n_checkpoints = x->n_checkpoints};
}

/* Could a run of this replicate be recorded? Asked before the run, so that none is lost. */
static bool can_record(const world *x, uint64_t replicate, far_error *error) {
  far_imported_run run = run_of(x);
  bool added;
  run.replicate = replicate;
  return far_store_add(&added, NULL, &run, error) == FAR_OK;
}

static void record(world *x) {
  const far_imported_run run = run_of(x);
  far_error error;
  bool added;
  if (x->store == NULL || far_store_add(&added, x->store, &run, &error) == FAR_OK) return;
  complain("replicate %llu was not recorded: %s", (unsigned long long)x->replicate, error.message);
  x->failed = true;
}

/* ---- requests ---- */

static bool is_over(const world *x) {
  return x->steps > 0 && x->t == x->steps;
}

static void refuse_over(const world *x) {
  refuse("the run is over after %lld steps; begin another by {\"reset\":{\"replicate\":%llu}}",
         (long long)x->t, (unsigned long long)x->replicate + 1);
}

static void answer_step(void *of, const far__json_document *d, const far__json_value *v) {
  world *x = of;
  uint32_t a;
  (void)d;
  if (is_over(x)) {
    refuse_over(x);
    return;
  }
  if (!x->begun) {
    refuse("no episode is under way; begin one by {\"reset\":true}");
    return;
  }
  if (!read_index(v, "step", far_mdp_shape(x->mdp).n_actions, &a)) return;
  const far_outcome *o = far_mdp_step(x->mdp, x->s, a, &x->transition);
  far__json json = begin_answer();
  far__json_integer(&json, "s", x->s);
  far__json_integer(&json, "a", a);
  far__json_real(&json, "r", o->reward);
  far__json_integer(&json, "next", o->next);
  far__json_flag(&json, "done", o->done);
  x->h += 1;
  const bool cut = !o->done && far_mdp_horizon(x->mdp) > 0 && x->h == far_mdp_horizon(x->mdp);
  if (cut) far__json_flag(&json, "truncated", true);
  end_answer(&json);
  x->t += 1;
  x->total += o->reward;
  x->s = o->next;
  x->begun = !o->done && !cut;
  if (x->passed < x->n_checkpoints && x->t == x->checkpoints[x->passed])
    x->curve[x->passed++] = x->total;
  if (is_over(x)) record(x);
}

/* Begins another run, or the next episode of this one. */
static void answer_reset(void *of, const far__json_document *d, const far__json_value *v) {
  static const char *const names[] = {"replicate", NULL};
  world *x = of;
  uint64_t replicate = x->replicate;
  if (!read_nothing(v, "reset")) return;
  const bool object = v->kind == FAR__JSON_OBJECT;
  if (object && !known_members(d, v, "reset", names)) return;
  const far__json_value *other = object ? far__json_member(d, v, "replicate") : NULL;
  if (!read_count(other, "replicate", &replicate)) return;
  if (other == NULL && is_over(x)) {
    refuse_over(x);
    return;
  }
  if (other == NULL && x->begun && x->store != NULL) {
    refuse("with --record an episode ends only where the environment ends it");
    return;
  }
  far_error error;
  if (other != NULL && x->store != NULL && !can_record(x, replicate, &error)) {
    refuse("%s", error.message);
    return;
  }
  if (other != NULL) begin_run(x, replicate);
  x->s = far_mdp_start(x->mdp, &x->start);
  x->begun = true;
  x->h = 0;
  far__json json = begin_answer();
  far__json_integer(&json, "s", x->s);
  far__json_integer(&json, "replicate", x->replicate);
  far__json_integer(&json, "t", (uint64_t)x->t);
  end_answer(&json);
}

static void answer_info(void *of, const far__json_document *d, const far__json_value *v) {
  const world *x = of;
  const far_shape shape = far_mdp_shape(x->mdp);
  (void)d;
  if (!read_nothing(v, "info")) return;
  far__json json = begin_answer();
  far__json_text(&json, "env", far_mdp_spec(x->mdp));
  write_shape(&json, &shape);
  far__json_integer(&json, "seed", x->seed);
  far__json_integer(&json, "replicate", x->replicate);
  far__json_integer(&json, "t", (uint64_t)x->t);
  far__json_real(&json, "total", x->total);
  if (x->steps > 0)
    far__json_integer(&json, "steps", (uint64_t)x->steps);
  else
    far__json_null(&json, "steps");
  end_answer(&json);
}

static const line_request requests[] = {
    {"reset", answer_reset}, {"step", answer_step}, {"info", answer_info}, {NULL, NULL}};

/* ---- the command ---- */

static int check_record(const arguments *args, const world *x) {
  const char *path = args_last(args, "record");
  if (path == NULL && (x->name != NULL || args_last(args, "curve") != NULL))
    return usage_error(args, "--name and --curve go with --record");
  if (path != NULL && (x->name == NULL || x->name[0] == '\0' || x->steps == 0))
    return usage_error(args, "--record needs --name and --steps, as in --record results.db --name "
                             "mine --steps 10000");
  return EXIT_OK;
}

static int read_curve(const arguments *args, world *x) {
  const char *curve = args_last(args, "curve");
  far_error error;
  if (curve == NULL) return EXIT_OK;
  if (need_memory(far__curve_checkpoints(&x->checkpoints, &x->n_checkpoints, curve, x->steps,
                                         &error)) != FAR_OK)
    return usage_error(args, "--curve '%s': %s", curve, error.message);
  x->curve = room_for(x->n_checkpoints, sizeof *x->curve);
  return EXIT_OK;
}

static int open_record(const arguments *args, world *x) {
  const char *path = args_last(args, "record");
  far_error error;
  if (path == NULL) return EXIT_OK;
  if (!can_record(x, x->replicate, &error)) return usage_error(args, "--record: %s", error.message);
  far_status status = open_store(&x->store, path, FAR_STORE_WRITE, &error);
  if (status == FAR_OK) status = far_store_command(x->store, command_line(), &error);
  return status == FAR_OK ? EXIT_OK : run_error(&error);
}

static int run(const arguments *args) {
  const char *spec = args_word(args, 0);
  world x = {.seed = 1, .name = args_last(args, "name")};
  if (spec == NULL) return usage_error(args, "no environment is given, as in 'farsight env chain'");
  if (!args_seed(args, "seed", &x.seed) || !args_seed(args, "replicate", &x.replicate) ||
      !args_integer(args, "steps", 1, INT64_MAX / 2, &x.steps))
    return EXIT_USAGE;
  int code = check_record(args, &x);
  if (code == EXIT_OK) code = read_curve(args, &x);
  if (code == EXIT_OK) code = model_from_spec(&x.mdp, spec);
  if (code == EXIT_OK) code = open_record(args, &x);
  begin_run(&x, x.replicate);
  if (code == EXIT_OK) code = serve_lines(requests, &x);
  if (code == EXIT_OK && x.failed) code = EXIT_FAILED;
  close_store(x.store);
  far_mdp_free(x.mdp);
  free(x.checkpoints);
  free(x.curve);
  return code;
}

const command cmd_env = {
    .name = "env",
    .synopsis = "ENV [OPTIONS]",
    .summary = "Serve an environment as a process that speaks JSON Lines",
    .details =
        "One JSON object a line on standard input is answered by one on standard output:\n"
        "  {\"reset\": true}                {\"s\": state, \"replicate\": 0, \"t\": 0}\n"
        "  {\"step\": a}                    {\"s\":0,\"a\":1,\"r\":0.5,\"next\":3,\"done\":false}\n"
        "  {\"info\": true}                 {\"env\":SPEC, \"states\":S, \"actions\":A, ...}\n"
        "  anything else                  {\"error\": \"...\"}, and nothing has changed\n"
        "Begin with \"reset\", and reset again where a step is done, or \"truncated\": true (the\n"
        "horizon of the environment is reached): the next episode begins. What\n"
        "\"step\" answers is what \"observe\" of 'farsight agent' takes.\n"
        "Replicate K draws the random numbers that run K of 'farsight run' draws with the same\n"
        "seed, so that an outside agent meets what ours met; {\"reset\": {\"replicate\": 4}} "
        "begins\n"
        "another one. --record stores the totals for 'farsight stats' to compare.\n",
    .examples = "  farsight env chain\n"
                "  farsight env riverswim --seed 7 --replicate 3 --steps 10000\n"
                "  farsight env chain --steps 10000 --record results.db --name mine\n",
    .words = "",
    .complete = COMPLETE_ENVIRONMENT,
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = 1,
    .run = run,
};
