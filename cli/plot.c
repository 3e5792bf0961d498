/* farsight plot: a figure of stored results, or of a study that is run for it. */
#include <stdlib.h>
#include <string.h>

#include "comparison_options.h"
#include "memory.h"
#include "output.h"
#include "plot_source.h"
#include "store_open.h"

static const option_info options[] = {
    {'o', "output", "FILE",
     "the figure: .svg, .pdf, .png or .tex (default: SVG to standard output)", COMPLETE_NONE},
    {0, "theme", "WORD", "light, dark or auto: as the reader prefers (default auto)",
     COMPLETE_NONE},
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
    COMPARISON_OPTIONS,
};

/* ---- options ---- */

/* The position of the option's word among the three `words`, ended by NULL; *out stays without the option. */
static bool read_word(const arguments *args, const char *option, const char *const *words,
                      int *out) {
  const char *given = args_last(args, option);
  if (given == NULL) return true;
  for (int i = 0; words[i] != NULL; ++i)
    if (strcmp(words[i], given) == 0) {
      *out = i;
      return true;
    }
  usage_error(args, "--%s '%s': must be %s, %s or %s", option, given, words[0], words[1], words[2]);
  return false;
}

static bool read_plot(const arguments *args, far_plot_def *def) {
  static const char *const scales[] = {"auto", "linear", "log", NULL};
  int x = 0, y = 0;
  int64_t width = (int64_t)def->width, most = (int64_t)def->most_series;
  if (!read_word(args, "x", scales, &x) || !read_word(args, "y", scales, &y)) return false;
  if (!args_integer(args, "width", 300, 4000, &width)) return false;
  if (!args_integer(args, "most", 1, 1000, &most)) return false;
  def->per_step = args_flag(args, "per-step");
  def->x_scale = (far_plot_scale)x;
  def->y_scale = (far_plot_scale)y;
  def->width = (double)width;
  def->most_series = (size_t)most;
  def->parameter = args_last(args, "parameter");
  return comparison_options(args, &def->results);
}

static bool read_theme(const arguments *args, far_theme *theme) {
  static const char *const words[] = {"auto", "light", "dark", NULL};
  int word = 0;
  if (!read_word(args, "theme", words, &word)) return false;
  *theme = (far_theme)word;
  return true;
}

/* ---- the command ---- */

static int write_figure(const arguments *args, const far_figure *figure, far_theme theme) {
  const char *path = args_last(args, "output");
  far_figure_def how = far_figure_def_default();
  far_error error;
  how.theme = theme;
  progress_end();
  if (path == NULL || strcmp(path, "-") == 0) {
    const far_status status = far_figure_render(figure, &how, far_sink_file(stdout), &error);
    return status == FAR_STATUS_MEMORY ? run_error(&error) : EXIT_OK;
  }
  const far_status status = far_figure_save(figure, path, theme, &error);
  if (status == FAR_STATUS_UNKNOWN) return usage_error(args, "--output %s", error.message);
  return status == FAR_OK ? EXIT_OK : run_error(&error);
}

static int plot(const arguments *args, const char *kind, const far_plot_def *def, far_theme theme) {
  far_store *store;
  far_figure *figure;
  far_error error;
  const char *curve = strcmp(kind, "curves") == 0 ? "log 60" : NULL;
  int code = open_source(&store, args, 1, curve);
  if (code != EXIT_OK) return code;
  const far_status status = far_plot_create(&figure, kind, store, def, &error);
  close_store(store);
  code = status == FAR_OK ? write_figure(args, figure, theme) : comparison_failed(args, &error);
  far_figure_free(figure);
  return code;
}

/* A slip in the kind must not cost a study. */
static bool is_kind(const arguments *args, const char *kind) {
  far_plot_info info;
  char *names;
  size_t size;
  FILE *out = open_text(&names, &size);
  bool found = false;
  for (size_t i = 0; far_plot_info_at(&info, i) && !found; ++i) {
    found = strcmp(info.name, kind) == 0;
    if (fprintf(out, "%s%s", i > 0 ? ", " : "", info.name) < 0) out_of_memory();
  }
  close_text(out, &names);
  if (!found) usage_error(args, "no plot '%.60s'; there are: %s", kind, names);
  free(names);
  return found;
}

static int run(const arguments *args) {
  const char *kind = args_word(args, 0);
  far_plot_def def = far_plot_def_default();
  far_theme theme = FAR_THEME_AUTO;
  if (kind == NULL)
    return usage_error(args, "which kind? As in 'farsight plot curves results.db -o curves.svg'");
  if (!is_kind(args, kind)) return EXIT_USAGE;
  if (args_word(args, 1) == NULL)
    return usage_error(args, "of which store or study? As in 'farsight plot %s results.db'", kind);
  if (!read_theme(args, &theme) || !read_plot(args, &def)) return EXIT_USAGE;
  const int code = plot(args, kind, &def, theme);
  comparison_options_free(&def.results);
  return code;
}

const command cmd_plot = {
    .name = "plot",
    .synopsis = "KIND STORE|STUDY... [-o FILE] [OPTIONS]",
    .summary = "Draw a figure of stored results",
    .details = "KIND is one of\n",
    .examples = "  farsight plot intervals results.db -o intervals.svg\n",
    .words = "intervals",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = 64,
    .run = run,
};
