/* farsight plot: a figure of stored results, or of a study that is run for it. */
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "comparison_options.h"
#include "lab/study/parts.h"
#include "memory.h"
#include "output.h"
#include "picture.h"
#include "plot_source.h"
#include "questions/learning/layout-figure.h"
#include "questions/learning/learning.h"
#include "report/figure/figure.h"
#include "store_open.h"

static const option_info options[] = {
    {'o', "output", "FILE",
     "the figure: .svg, .pdf, .png or .tex (default: SVG to standard output)", COMPLETE_OUTPUT},
    THEME_OPTION,
    {0, "title", "TEXT", "the figure's title; '' for none (default: what it shows)", COMPLETE_NONE},
    {0, "caption", "TEXT", "the smaller text below the title, likewise", COMPLETE_NONE},
    {0, "width", "N", "of the figure, in units of 1/96 inch (default 720)", COMPLETE_NONE},
    {0, "most", "N", "show at most so many agents, the best ones (default 12)", COMPLETE_NONE},
    {0, "per-step", NULL, "curves: the change per step between checkpoints, not the sum so far",
     COMPLETE_NONE},
    {0, "x", "SCALE", "linear or log (default: by the kind)", COMPLETE_NONE},
    {0, "y", "SCALE", "likewise", COMPLETE_NONE},
    {0, "parameter", "KEY",
     "sensitivity: against this parameter, as in m or r-max:m; growth: the key that is the size "
     "(default: all that vary)",
     COMPLETE_NONE},
    {0, "at", "STEPS",
     "kinds on a layout: at these steps of the run, as in 10,100,1000 (default: about six)",
     COMPLETE_NONE},
    GAMMA_OPTION,
    {0, "step", "H",
     "kinds on a layout, with a horizon: values and visits at this step of an episode, from 0 "
     "(default: values at 0, visits over all)",
     COMPLETE_NONE},
    {0, "replicate", "N", "kinds on a layout without a store: which run (default 0)",
     COMPLETE_NONE},
    {0, "format", "F", "instead of the figure its numbers: text, markdown, json, csv or latex",
     COMPLETE_FORMAT},
    {0, "json", NULL, "the same as --format json", COMPLETE_NONE},
    {0, "table", "NAME", "which table --format csv prints (default the figure's)", COMPLETE_NONE},
    COMPARISON_OPTIONS,
};

/* ---- options ---- */

static bool read_plot(const arguments *args, far_plot_def *def) {
  static const char *const scales[] = {"auto", "linear", "log", NULL};
  int x = 0, y = 0;
  int64_t width = (int64_t)def->width, most = (int64_t)def->most_series;
  if (!args_choice(args, "x", scales, &x) || !args_choice(args, "y", scales, &y)) return false;
  if (!args_integer(args, "width", 300, 4000, &width)) return false;
  if (!args_integer(args, "most", 1, 1000, &most)) return false;
  if (!args_integer(args, "step", 0, FAR_HORIZON_MAX, &def->step)) return false;
  def->per_step = args_flag(args, "per-step");
  def->x_scale = (far_plot_scale)x;
  def->y_scale = (far_plot_scale)y;
  def->width = (double)width;
  def->most_series = (size_t)most;
  def->parameter = args_last(args, "parameter");
  return comparison_options(args, &def->results);
}

/* What a plot is of: results by its kind, results on a layout, or one run on a layout. */
typedef enum source { OF_RESULTS, ON_LAYOUT, OF_RUN } source;

static bool is_one_of(const char *kind, const char *const *kinds) {
  for (; *kinds != NULL; ++kinds)
    if (strcmp(*kinds, kind) == 0) return true;
  return false;
}

/* Options of some kinds, of results or on a layout; false after a usage error. */
static bool check_kind_options(const arguments *args, const char *kind, source of) {
  static const struct {
    const char *option, *kinds[4], *what;
    bool layout, run;
  } uses[] = {
      {"per-step", {"curves"}, "curves", false, false},
      {"x", {"curves", "growth", "hardness"}, "curves, growth and hardness", false, false},
      {"y", {"curves", "growth", "sensitivity"}, "curves, growth and sensitivity", true, false},
      {"parameter", {"sensitivity", "growth"}, "sensitivity and growth", false, false},
      {"step", {NULL}, "kinds on a layout", true, true},
      {"at", {NULL}, "kinds on a layout of one run (-e ENV -a AGENT)", false, true},
      {"replicate", {NULL}, "kinds on a layout of one run (-e ENV -a AGENT)", false, true},
  };
  for (size_t i = 0; i < sizeof uses / sizeof *uses; ++i) {
    const bool used = of == OF_RUN      ? uses[i].run
                      : of == ON_LAYOUT ? uses[i].layout
                                        : is_one_of(kind, uses[i].kinds);
    if (used || !args_flag(args, uses[i].option)) continue;
    usage_error(args, "--%s is for %s: here it would change nothing", uses[i].option, uses[i].what);
    return false;
  }
  return true;
}

/* Options that are for a comparison, or for a figure; false after a usage error. */
static bool check_other_options(const arguments *args, source of, bool numbers) {
  static const char *const of_stores[] = {"most",  "series",     "baseline",  "better", "paired",
                                          "level", "correction", "resamples", "seed"};
  static const char *const of_figures[] = {"output", "theme", "width", "title", "caption"};
  for (size_t i = 0; of == OF_RUN && i < sizeof of_stores / sizeof *of_stores; ++i)
    if (args_flag(args, of_stores[i])) {
      usage_error(args, "--%s is for stored results: here one run is shown%s", of_stores[i],
                  strcmp(of_stores[i], "seed") == 0 ? ", whose seed is --run-seed" : "");
      return false;
    }
  for (size_t i = 0; numbers && i < sizeof of_figures / sizeof *of_figures; ++i)
    if (args_flag(args, of_figures[i])) {
      usage_error(args, "--%s is for the figure: numbers are printed, as in '> FILE'",
                  of_figures[i]);
      return false;
    }
  return true;
}

/* ---- figures of results ---- */

/* Checks --output before the work. False after a usage error. */
static bool check_output(const arguments *args) {
  const char *path = args_last(args, "output");
  far_error error;
  if (path == NULL || strcmp(path, "-") == 0 || far__figure_check_path(path, &error) == FAR_OK)
    return true;
  usage_error(args, "--output %s", error.message);
  return false;
}

static int write_figure(const arguments *args, far_figure *figure, far_theme theme) {
  const char *path = args_last(args, "output");
  far_figure_def how = far_figure_def_default();
  far_error error;
  how.theme = theme;
  progress_end();
  if (far__figure_set_heading(figure, args_last(args, "title"), args_last(args, "caption"),
                              &error) != FAR_OK)
    return run_error(&error);
  if (path == NULL || strcmp(path, "-") == 0) {
    const far_status status = far_figure_render(figure, &how, far_sink_file(stdout), &error);
    return status == FAR_STATUS_MEMORY ? run_error(&error) : EXIT_OK;
  }
  const far_status status = far_figure_save(figure, path, theme, &error);
  return status == FAR_OK ? EXIT_OK : run_error(&error);
}

/* Are the numbers wanted, and not the figure? */
static bool wants_numbers(const arguments *args) {
  return args_last(args, "format") != NULL || args_flag(args, "json");
}

static int print_numbers(const arguments *args, const char *kind, const far_plot_def *def,
                         far_store *store) {
  const char *table;
  far_error error;
  far_report *report = new_report(args);
  const far_status status = far_plot_report(report, &table, kind, store, def, &error);
  if (status == FAR_OK) return print_table(args, report, table);
  far_report_free(report);
  return comparison_failed(args, &error);
}

static int plot(const arguments *args, const char *kind, const far_plot_def *def, far_theme theme) {
  far_store *store;
  far_figure *figure;
  far_error error;
  const char *curve = strcmp(kind, "curves") == 0 ? "log 60" : NULL;
  int code = open_source(&store, args, 1, curve);
  if (code != EXIT_OK) return code;
  if (wants_numbers(args)) {
    code = print_numbers(args, kind, def, store);
    close_store(store);
    return code;
  }
  const far_status status = far_plot_create(&figure, kind, store, def, &error);
  close_store(store);
  code = status == FAR_OK ? write_figure(args, figure, theme) : comparison_failed(args, &error);
  far_figure_free(figure);
  return code;
}

/* ---- figures of one run ---- */

/* Which quantity a kind shows on a layout; FAR__LEARNED_COUNT: none. */
static far__learned quantity_of(const char *kind) {
  size_t i = 0;
  while (i < FAR__LEARNED_COUNT && strcmp(far__learned_name(i), kind) != 0) ++i;
  return (far__learned)i;
}

static bool show_steps(void *user, const char *what, int64_t done, int64_t count) {
  (void)user;
  if (count > 0) progress("  %s: %lld of %lld", what, (long long)done, (long long)count);
  return !interrupted();
}

enum { MOST_TIMES = 8 };

/* What -e, -a, --steps, --run-seed, --replicate and --at say. */
static int read_run(const arguments *args, far__learning_def *def, int64_t times[MOST_TIMES]) {
  const char *at = args_last(args, "at");
  int64_t replicate = 0;
  far_error error;
  if (args_text(args, "env", 0) == NULL || args_text(args, "agent", 0) == NULL)
    return usage_error(args,
                       "of which store, or of which run? As in 'results.db', or -e chain:n=10 "
                       "-a directed-delayed-q --steps 5000");
  if (args_text(args, "env", 1) != NULL || args_text(args, "agent", 1) != NULL)
    return usage_error(args, "one environment and one agent are shown: give -e and -a once");
  if (!args_integer(args, "steps", 1, 1000000000000, &def->steps) ||
      !args_integer(args, "episodes", 1, 1000000000000, &def->episodes) ||
      !args_seed(args, "run-seed", &def->seed) ||
      !args_integer(args, "step", 0, FAR_HORIZON_MAX, &def->step) ||
      !args_integer(args, "replicate", 0, INT64_MAX, &replicate))
    return EXIT_USAGE;
  def->replicate = (uint64_t)replicate;
  def->agent = args_last(args, "agent");
  def->times = times;
  if (at != NULL && far__integers_parse(times, &def->n_times, MOST_TIMES, at, &error) != FAR_OK)
    return usage_error(args, "--at: %s", error.message);
  return EXIT_OK;
}

static int draw_run(const arguments *args, const far__learning_def *def, far__learned quantity,
                    double width, far_theme theme) {
  far__learning_figure_def how = far__learning_figure_def_default();
  far__learning *learning;
  far_figure *figure = NULL;
  far_error error;
  far_status status = far__learning_create(&learning, def, &error);
  progress_end();
  if (status == FAR_STATUS_CANCELLED) return interrupted_code();
  if (status != FAR_OK)
    return error.position >= 0 ? spec_error(&error, def->agent) : library_error(&error);
  if (wants_numbers(args)) {
    far_report *report = new_report(args);
    far__learning_report(learning, report);
    const int printed = print_table(args, report, "pairs");
    far__learning_free(learning);
    return printed;
  }
  how.width = width;
  status = far__learning_figure(&figure, learning, quantity, &how, &error);
  const int code = status == FAR_OK ? write_figure(args, figure, theme) : library_error(&error);
  far_figure_free(figure);
  far__learning_free(learning);
  return code;
}

static int plot_run(const arguments *args, far__learned quantity, far_theme theme) {
  far__learning_def def = far__learning_def_default();
  int64_t times[MOST_TIMES], width = 720;
  far_mdp *mdp;
  int code = read_run(args, &def, times);
  if (code != EXIT_OK) return code;
  if (!args_integer(args, "width", 300, 4000, &width)) return EXIT_USAGE;
  char problem[FAR_SPEC_SIZE];
  code = model_to_run(&mdp, problem, args, args_last(args, "env"));
  if (code != EXIT_OK) return code;
  catch_interrupts();
  def.mdp = mdp;
  def.progress = show_steps;
  code = draw_run(args, &def, quantity, (double)width, theme);
  far_mdp_free(mdp);
  return code;
}

/* ---- the command ---- */

static void say_kinds(const arguments *args, const char *kind, const char *const *names, size_t n) {
  const char *near = far__nearest(kind, strlen(kind), names, n);
  if (near != NULL) {
    usage_error(args, "no plot '%.60s'; did you mean '%s'?", kind, near);
    return;
  }
  char *all;
  size_t size;
  FILE *out = open_text(&all, &size);
  for (size_t i = 0; i < n; ++i)
    if (fprintf(out, "%s%s", i > 0 ? ", " : "", names[i]) < 0) out_of_memory();
  close_text(out, &all);
  usage_error(args, "no plot '%.60s'; there are: %s", kind, all);
  free(all);
}

/* Checked before a study is run for the figure. */
static bool is_kind(const arguments *args, const char *kind) {
  enum { MOST = 64 };
  const char *names[MOST];
  far_plot_info info;
  size_t n = 0;
  for (; n < MOST && far_plot_info_at(&info, n); ++n) {
    if (strcmp(info.name, kind) == 0) return true;
    names[n] = info.name;
  }
  say_kinds(args, kind, names, n);
  return false;
}

static int run(const arguments *args) {
  const char *kind = args_word(args, 0);
  far_plot_def def = far_plot_def_default();
  far_theme theme = FAR_THEME_AUTO;
  if (kind == NULL)
    return usage_error(args, "which kind? As in 'farsight plot curves results.db -o curves.svg'");
  if (!is_kind(args, kind)) return EXIT_USAGE;
  far_report_format format;
  if (!report_format(args, &format) || !check_output(args) || !theme_option(args, &theme))
    return EXIT_USAGE;
  const bool layout = quantity_of(kind) != FAR__LEARNED_COUNT;
  const source of = !layout ? OF_RESULTS : args_word(args, 1) != NULL ? ON_LAYOUT : OF_RUN;
  if (!check_kind_options(args, kind, of) || !check_other_options(args, of, wants_numbers(args)))
    return EXIT_USAGE;
  if (of == OF_RUN) return plot_run(args, quantity_of(kind), theme);
  if (args_word(args, 1) == NULL)
    return usage_error(args, "of which store or study? As in 'farsight plot %s results.db'", kind);
  if (!read_plot(args, &def)) return EXIT_USAGE;
  const int code = plot(args, kind, &def, theme);
  comparison_options_free(&def.results);
  return code;
}

const command cmd_plot = {
    .name = "plot",
    .synopsis = "KIND STORE|STUDY... [-o FILE] [OPTIONS]",
    .summary = "Draw a figure of stored results",
    .details =
        "KIND is one of\n"
        "  curves        learning curves with bands (--x log, --series regret)\n"
        "  intervals     means with their intervals, and the runs as dots\n"
        "  differences   paired differences from the baseline\n"
        "  improvements  probability of improvement over the baseline\n"
        "  matrix        the same for all pairs of agents, with corrected p-values\n"
        "  profiles      performance profiles: share of runs above each score\n"
        "  scores        mean, median, IQM and optimality gap over environments\n"
        "  sensitivity   results against a parameter, from a grid of agents\n"
        "  growth        results against the size of the environment\n"
        "  hardness      scores against diameter, gap and value norm\n"
        "and on the layout of an environment, at several times of one run, which is computed "
        "again:\n"
        "  visits, q, bonus, e, learn, value, policy\n\n"
        "STORE is a file that 'farsight run --store' has written; several are put together. A "
        "STUDY\n"
        "(.yaml) is run for the figure, and kept nowhere. The kinds on a layout also take -e ENV\n"
        "-a AGENT --steps N instead. The figure is SVG, for light and dark pages and print; .tex "
        "is\n"
        "TikZ; .pdf and .png need rsvg-convert or inkscape. The same results give the same bytes.\n"
        "The figures of other commands: growth, tune and reproduce have --plot FILE. The numbers\n"
        "behind a figure: --format csv, or 'farsight stats'. A page of all figures: 'farsight "
        "report'.\n",
    .examples = "  farsight plot curves results.db -o curves.svg\n"
                "  farsight plot curves results.db --series regret --x log --y log -o regret.pdf\n"
                "  farsight plot differences results.db -b delayed-q -o differences.tex\n"
                "  farsight plot sensitivity study.yaml --parameter m -o m.svg\n"
                "  farsight plot q -e frozen-lake -a q-learning --steps 1e4 -o q.png\n"
                "  farsight plot profiles results.db --format csv > profiles.csv\n"
                "  farsight plot matrix ours.db theirs.db --theme dark > matrix.svg\n",
#define PLOT(name) #name " "
    .words =
#include "questions/plots/plots.def"
        ,
#undef PLOT
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = 64,
    .run = run,
};
