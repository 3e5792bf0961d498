#include "comparison_options.h"

#include <stdlib.h>
#include <string.h>

#include "grid.h"

static bool read_better(const arguments *args, far_comparison_def *def) {
  static const char *const words[] = {"higher", "lower", NULL};
  int place = -1;
  if (!args_choice(args, "better", words, &place)) return false;
  if (place >= 0) def->better = place == 1 ? FAR_BETTER_LOWER : FAR_BETTER_HIGHER;
  return true;
}

static bool read_correction(const arguments *args, far_comparison_def *def) {
  const char *name = args_last(args, "correction");
  if (name == NULL) return true;
  for (int c = 0; far_correction_name((far_correction)c) != NULL; ++c) {
    def->correction = (far_correction)c;
    if (strcmp(name, far_correction_name(def->correction)) == 0) return true;
  }
  usage_error(args, "--correction '%s': must be holm, fdr or bonferroni", name);
  return false;
}

static bool read_level(const arguments *args, far_comparison_def *def) {
  double *level = &def->bootstrap.level;
  if (!args_real(args, "level", level)) return false;
  if (*level > 0 && *level < 1) return true;
  usage_error(args, "--level '%s': must be between 0 and 1, such as 0.95",
              args_last(args, "level"));
  return false;
}

static bool show_parts(void *user, const char *what, size_t done, size_t count) {
  (void)user;
  if (done < count)
    progress("  %s %zu of %zu", what, done + 1, count);
  else
    progress_end();
  return !interrupted();
}

bool comparison_options(const arguments *args, far_comparison_def *def) {
  *def = far_comparison_def_default();
  def->progress = show_parts;
  if (args_flag(args, "series")) def->series = args_last(args, "series");
  def->paired = args_flag(args, "paired");
  def->one_seed = args_flag(args, "run-seed");
  def->baseline = args_last(args, "baseline");
  if (!read_level(args, def) ||
      !args_integer(args, "resamples", 100, 100000000, &def->bootstrap.resamples) ||
      !args_integer(args, "steps", 1, INT64_MAX, &def->steps) ||
      !args_integer(args, "episodes", 1, INT64_MAX, &def->episodes) ||
      !args_seed(args, "seed", &def->bootstrap.seed) || !args_seed(args, "run-seed", &def->seed) ||
      !read_correction(args, def) || !read_better(args, def))
    return false;
  def->envs = option_values(args, "env", NULL, &def->n_envs);
  def->agents = option_values(args, "agent", NULL, &def->n_agents);
  return true;
}

void comparison_options_free(far_comparison_def *def) {
  free((void *)def->envs);
  free((void *)def->agents);
}

int comparison_failed(const arguments *args, const far_error *error) {
  switch (error->code) {
  case FAR_STATUS_UNKNOWN:
    complain("%s\n'farsight store info' lists what the store has.", error->message);
    return EXIT_USAGE;
  case FAR_STATUS_CONFLICT:
    return usage_error(args, "%s (-a SPEC or a pattern, --steps, --run-seed)", error->message);
  case FAR_STATUS_RANGE: return usage_error(args, "%s", error->message);
  case FAR_STATUS_CANCELLED: return interrupted_code();
  default: return run_error(error);
  }
}
