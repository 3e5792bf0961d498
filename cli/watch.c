/* farsight watch: agents learning, live on a terminal or as printed frames. */
#include "watch.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "frame_file.h"
#include "memory.h"
#include "picture.h"
#include "questions/learning/player.h"
#include "questions/listing/label.h"
#include "screen.h"
#include "watch_store.h"

static const option_info options[] = {
    {'e', "env", "SPEC", "environment", COMPLETE_ENVIRONMENT},
    {'a', "agent", "SPEC", "agent; a second one is shown beside the first", COMPLETE_AGENT},
    GAMMA_OPTION,
    {0, "steps", "N", "steps of the run (default 10000)", COMPLETE_NONE},
    {0, "seed", "N", "seed of all random streams (default 1)", COMPLETE_NONE},
    {0, "replicate", "K", "which run of that seed, as 'farsight run' counts them (default 0)",
     COMPLETE_NONE},
    {0, "speed", "N", "steps a second at the start; 0: paused (default 100)", COMPLETE_NONE},
    {0, "show", "WORD",
     "what the map shows at the start: value, q, bonus, e, learn, visits or policy (default value)",
     COMPLETE_NONE},
    {0, "at", "STEPS", "print frames at these steps, such as 10,100,1e4, and end", COMPLETE_NONE},
    {0, "frames", "N", "print so many frames, evenly over the run, and end (default 4 in a pipe)",
     COMPLETE_NONE},
    {0, "size", "CxR",
     "columns and rows of printed frames, such as 100x30 (default: the terminal's columns, or 80, "
     "and 40 rows)",
     COMPLETE_NONE},
    {'o', "output", "FILE",
     "write the frame of --at, or of STORE, as an SVG picture ('-': to standard output)",
     COMPLETE_OUTPUT},
    THEME_OPTION,
    WATCH_STORE_OPTIONS,
};

enum { MOST_FRAMES = 10000, FRAMES = 4 };

/* ---- options ---- */

typedef struct request {
  const char *env;
  const char *agents[WATCH_AGENTS];
  size_t n_agents;
  int64_t steps, replicate, frames, speed;
  uint64_t seed;
  int64_t *at; /* steps of printed frames; NULL: live, if possible */
  size_t n_at;
  frame_file file;
} request;

/* "10,100,1e4": ascending, each from 0 to the last step. */
static bool read_at(const arguments *args, request *r) {
  const char *text = args_last(args, "at");
  if (text == NULL) return true;
  r->at = room_for(strlen(text) + 1, sizeof *r->at);
  for (const char *p = text;; ++p) {
    const size_t length = strcspn(p, ",");
    int64_t t;
    if (!far__integer_parse(p, length, &t) || t < 0 || t > r->steps ||
        (r->n_at > 0 && t <= r->at[r->n_at - 1])) {
      usage_error(args, "--at '%s': must be ascending steps from 0 to %s, such as 10,100,1000",
                  text, far__brief_count(r->steps).text);
      return false;
    }
    r->at[r->n_at++] = t;
    p += length;
    if (*p == '\0') return true;
  }
}

static void spread_frames(request *r, int64_t n) {
  if (n > r->steps) n = r->steps;
  r->at = room_for((size_t)n, sizeof *r->at);
  for (int64_t i = 1; i <= n; ++i)
    r->at[r->n_at++] = (int64_t)((double)r->steps * ((double)i / (double)n) + 0.5);
}

static bool read_shown(const arguments *args, quantity *shown) {
  static const char *const quantities[] = {"value", "q",      "bonus",  "e",
                                           "learn", "visits", "policy", NULL};
  int place = (int)*shown;
  if (!args_choice(args, "show", quantities, &place)) return false;
  *shown = (quantity)place;
  return true;
}

/* --output needs exactly one frame. */
static bool check_output(const arguments *args, const request *r) {
  if (r->file.output == NULL || r->n_at == 1) return true;
  usage_error(args, "--output writes one frame: say which, as in --at 1000");
  return false;
}

static bool read_numbers(const arguments *args, request *r) {
  if (!args_integer(args, "steps", 1, INT64_MAX / 2, &r->steps) ||
      !args_integer(args, "replicate", 0, INT64_MAX / 2, &r->replicate) ||
      !args_integer(args, "frames", 1, MOST_FRAMES, &r->frames) ||
      !args_integer(args, "speed", 0, 10000000, &r->speed) || !args_seed(args, "seed", &r->seed))
    return false;
  if (args_flag(args, "frames") && args_flag(args, "at")) {
    usage_error(args, "--at and --frames both say which frames are printed: give one");
    return false;
  }
  if (args_flag(args, "frames")) spread_frames(r, r->frames);
  return read_at(args, r) && frame_file_options(args, &r->file) && check_output(args, r);
}

/* Reads the specs of the environment and the agents; returns the exit code, EXIT_OK if none is missing. */
static int read_specs(const arguments *args, request *r) {
  r->env = args_text(args, "env", 0);
  if (r->env == NULL) return usage_error(args, "no environment is given, as in -e chain:n=10");
  if (args_text(args, "env", 1) != NULL)
    return usage_error(args, "one environment is watched at a time");
  for (size_t k = 0; args_text(args, "agent", k) != NULL; ++k) {
    if (k == WATCH_AGENTS) return usage_error(args, "at most two agents are watched at a time");
    r->agents[r->n_agents++] = args_text(args, "agent", k);
  }
  if (r->n_agents == 0) return usage_error(args, "no agent is given, as in -a directed-delayed-q");
  return EXIT_OK;
}

/* ---- printed frames ---- */

static int print_frame(const watch *w, const request *r) {
  int columns, rows, code = EXIT_OK;
  screen_size(&columns, &rows);
  frame *f = frame_create(r->file.columns > 0 ? r->file.columns : columns,
                          r->file.rows > 0 ? r->file.rows : rows);
  watch_draw(w, f);
  if (r->file.output != NULL) {
    char title[3 * FAR_SPEC_SIZE + 200];
    snprintf(title, sizeof title, "%s%s%s on %s after %lld of %lld steps", w->agent[0],
             w->n_agents > 1 ? " and " : "", w->n_agents > 1 ? w->agent[1] : "", w->env,
             (long long)far__player_t(w->player), (long long)far__player_steps(w->player));
    code = frame_file_save(&r->file, f, title);
  } else
    screen_draw(f);
  frame_free(f);
  return code;
}

static int print_frames(watch *w, const request *r) {
  far_error error = {.message = ""};
  int code = EXIT_OK;
  for (size_t i = 0; code == EXIT_OK && i < r->n_at; ++i) {
    const far_status status = watch_seek(w, r->at[i], &error);
    if (status == FAR_STATUS_CANCELLED) return interrupted_code();
    if (status != FAR_OK) return run_error(&error);
    code = print_frame(w, r);
    if (ferror(stdout)) return EXIT_FAILED; /* finish_output says why */
  }
  return code;
}

/* ---- the command ---- */

static int show(watch *w, request *r) {
  screen_open(r->at != NULL ? SCREEN_PLAIN : SCREEN_AUTO);
  w->live = screen_live();
  w->running = w->live && r->speed > 0;
  if (!w->live && r->at == NULL) {
    spread_frames(r, FRAMES);
    if (isatty(STDOUT_FILENO)) note("%s: printing %d frames", screen_why_plain(), FRAMES);
  }
  const int code = w->live ? watch_live(w) : print_frames(w, r);
  screen_close();
  return code;
}

static int play(const arguments *args, watch *w, request *r) {
  far_error error;
  far__player_def def = far__player_def_default();
  w->shape = far_shape_for(far_mdp_shape(w->mdp), r->steps, 0);
  w->layout = far_mdp_layout(w->mdp);
  for (size_t k = 0; k < r->n_agents; ++k) {
    if (far_agent_check(r->agents[k], &w->shape, NULL, NULL, &error) != FAR_OK)
      return spec_error(&error, r->agents[k]);
    print_warnings(args, r->agents[k], r->env, &w->shape);
  }
  def.mdp = w->mdp, def.agents = r->agents, def.n_agents = r->n_agents, def.steps = r->steps;
  def.seed = r->seed, def.replicate = (uint64_t)r->replicate;
  def.progress = watch_progress, def.user = w;
  catch_interrupts();
  if (watch_create(w, &def, &error) != FAR_OK) return library_error(&error);
  for (; w->n_agents < r->n_agents; ++w->n_agents)
    w->numbers[w->n_agents] = numbers_create(&w->shape);
  w->states = table_states(&w->shape);
  w->n_live = far_shape_live(&w->shape);
  for (size_t k = 0; k < w->n_agents; ++k)
    need_memory(far__agent_label(
        w->agent[k], far_agent_spec(far__player_run_of(w->player, k)->agent), &w->shape, NULL));
  snprintf(w->env, sizeof w->env, "%s", far_mdp_label(w->mdp));
  const int code = show(w, r);
  free(w->states);
  for (size_t k = 0; k < w->n_agents; ++k) numbers_free(w->numbers[k]);
  far__player_free(w->player);
  return code;
}

static int watch_agents(const arguments *args) {
  request r = {.steps = 10000, .seed = 1, .speed = 100};
  watch w = {.marked = -1, .shown = SHOW_VALUE};
  char problem[FAR_SPEC_SIZE];
  far_mdp *mdp = NULL;
  int code = read_specs(args, &r);
  if (code == EXIT_OK && (!read_numbers(args, &r) || !read_shown(args, &w.shown)))
    code = EXIT_USAGE;
  if (code == EXIT_OK) code = model_to_run(&mdp, problem, args, r.env);
  if (code == EXIT_OK) {
    w.mdp = mdp;
    w.seed = r.seed, w.replicate = (uint64_t)r.replicate;
    w.speed = r.speed > 0 ? (double)r.speed : 100;
    code = play(args, &w, &r);
  }
  far_mdp_free(mdp);
  free(r.at);
  return code;
}

/* With a word watches the store of that path, without one agents. Some options are for stores only, some for agents. */
static int run(const arguments *args) {
  static const char *const for_agents[] = {"env",   "agent", "steps", "seed",  "replicate",
                                           "speed", "show",  "at",    "frames"};
  static const char *const for_stores[] = {"every", "once", "wait"};
  const bool store = args_word(args, 0) != NULL;
  const char *const *others = store ? for_agents : for_stores;
  const size_t n =
      store ? sizeof for_agents / sizeof *for_agents : sizeof for_stores / sizeof *for_stores;
  for (size_t i = 0; i < n; ++i)
    if (args_flag(args, others[i]))
      return usage_error(args,
                         store ? "--%s is for agents that are watched, not for a store"
                               : "--%s is for a store: farsight watch STORE",
                         others[i]);
  return store ? watch_store(args) : watch_agents(args);
}

const command cmd_watch = {
    .name = "watch",
    .synopsis = "-e ENV -a AGENT [-a AGENT] | STORE [STUDY] [OPTIONS]",
    .summary = "Watch agents learn, or a running study, live in the terminal",
    .details =
        "With -e and -a plays one run: where the agent is, its values over the states (drawn as\n"
        "a grid where the environment is one), and the reward so far. Two agents see the same\n"
        "random numbers. The run is the one that 'farsight run' makes with this seed: after the\n"
        "last step the totals are equal. Press h for the keys: pause, step, go back, change the\n"
        "speed, go to a step, to the next update, to a violated claim ('farsight audit').\n"
        "In a pipe, on a dumb terminal or in a build without ncurses, and with --at or\n"
        "--frames, frames are printed one after the other. NO_COLOR turns colours off.\n\n"
        "With STORE follows the study that 'farsight run --store STORE' is running, from another\n"
        "terminal: the runs, the mean and its 95% interval of every cell and how the interval\n"
        "became narrow, steps a second, time left, ranks of an MPI job. What is planned is read\n"
        "from the command that the store records, with the study file as it is now, or from\n"
        "STUDY. Nothing is added to the store. Keys: arrows scroll, s sorts, f filters, space\n"
        "pauses, i shows who wrote, q ends. In a pipe a frame is printed every 5 seconds until\n"
        "the study is finished (exit code 0).\n",
    .examples = "  farsight watch -e chain:n=10 -a directed-delayed-q\n"
                "  farsight watch -e frozen-lake -a q-learning -a r-max --speed 1000\n"
                "  farsight watch -e cliff-walking -a delayed-q --at 100,1000,10000 | less\n"
                "  farsight watch -e four-rooms -a dora --at 5000 --size 100x30 -o watch.svg\n"
                "  farsight watch results.db    # beside 'farsight run --store results.db'\n"
                "  farsight watch results.db --once\n"
                "  farsight watch results.db --size 100x30 -o progress.svg\n"
                "  farsight watch results.db study.yaml --wait --every 60 >> progress.log\n",
    .words = "",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = 2,
    .run = run,
};
