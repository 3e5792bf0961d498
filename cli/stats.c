/* farsight stats: what the results of a store say, and how surely. Runs nothing. */
#include <farsight/lab.h>
#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "report.h"
#include "store_open.h"

static const option_info options[] = {
    {0, "series", "NAME",
     "what of the runs: total, a metric, or either after STEP steps: curve@STEP, regret@STEP "
     "(default: total); 'farsight store info' lists them",
     COMPLETE_METRIC},
    {'e', "env", "SPEC", "only this environment; may be repeated, or a pattern like 'chain*'",
     COMPLETE_ENVIRONMENT},
    {'a', "agent", "SPEC", "only this agent; may be repeated, or a pattern like 'r-max*'",
     COMPLETE_AGENT},
    {'b', "baseline", "SPEC", "the agent that the others are compared with (default: the best)",
     COMPLETE_AGENT},
    {0, "steps", "N", "only runs of so many steps", COMPLETE_NONE},
    {0, "run-seed", "N", "only runs of this seed", COMPLETE_NONE},
    {0, "better", "WORD", "higher or lower (default: as the series is known, else higher)",
     COMPLETE_NONE},
    {0, "paired", NULL, "pair imported runs, too, by their replicates", COMPLETE_NONE},
    {0, "level", "P", "of all intervals (default 0.95)", COMPLETE_NONE},
    {0, "correction", "NAME", "of p-values: holm, fdr or bonferroni (default holm)", COMPLETE_NONE},
    {0, "resamples", "N", "of the bootstrap (default 10000)", COMPLETE_NONE},
    {0, "seed", "N", "of the bootstrap (default 1)", COMPLETE_NONE},
    {0, "markdown", NULL, "the same as --format markdown", COMPLETE_NONE},
    FORMAT_OPTIONS,
};

/* ---- options ---- */

static bool read_better(const arguments *args, far_comparison_def *def) {
  const char *word = args_last(args, "better");
  if (word == NULL) return true;
  def->better = strcmp(word, "lower") == 0 ? FAR_BETTER_LOWER : FAR_BETTER_HIGHER;
  if (def->better == FAR_BETTER_LOWER || strcmp(word, "higher") == 0) return true;
  usage_error(args, "--better '%s': must be higher or lower", word);
  return false;
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

/* All but the lists. */
static bool read_def(const arguments *args, far_comparison_def *def) {
  far_report_format format;
  if (args_flag(args, "series")) def->series = args_last(args, "series");
  def->paired = args_flag(args, "paired");
  def->one_seed = args_flag(args, "run-seed");
  def->baseline = args_last(args, "baseline");
  return read_level(args, def) &&
         args_integer(args, "resamples", 100, 100000000, &def->bootstrap.resamples) &&
         args_integer(args, "steps", 1, INT64_MAX, &def->steps) &&
         args_seed(args, "seed", &def->bootstrap.seed) && args_seed(args, "run-seed", &def->seed) &&
         read_correction(args, def) && read_better(args, def) && report_format(args, &format);
}

/* ---- progress ---- */

static bool show_parts(void *user, const char *what, size_t done, size_t count) {
  (void)user;
  if (done < count)
    progress("  %s %zu of %zu", what, done + 1, count);
  else
    progress_end();
  return !interrupted();
}

/* ---- the command ---- */

static int comparison_failed(const arguments *args, const far_error *error) {
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

/* What the numbers are of, where that is not what was asked for, or not all of it. */
static void print_notes(const far_comparison *comparison, const char *series) {
  if (!comparison->exact)
    note("the store has no '%s'; this is '%s', the nearest checkpoint", series, comparison->series);
  for (size_t i = 0; i < comparison->n_groups; ++i)
    for (size_t e = 0; e < comparison->groups[i].n_envs; ++e) {
      const far_comparison_env *env = &comparison->groups[i].envs[e];
      if (env->unusable != NULL)
        note("the model of '%s' is not used: %s", env->label, env->unusable);
    }
}

static int print_comparison(const arguments *args, const far_comparison *comparison,
                            const char *series) {
  if (comparison->n_groups == 0) {
    complain("the store has no results yet");
    return EXIT_FAILED;
  }
  print_notes(comparison, series);
  far_report *report = new_report(args);
  far_comparison_report(comparison, report);
  return print_report(args, report);
}

static int compare(const arguments *args, far_comparison_def *def, const char *path) {
  far_store *store;
  far_comparison *comparison;
  far_error error;
  def->progress = show_parts;
  if (open_store(&store, path, FAR_STORE_READ, &error) != FAR_OK) return run_error(&error);
  const far_status status = far_comparison_create(&comparison, store, def, &error);
  close_store(store);
  const int code = status == FAR_OK ? print_comparison(args, comparison, def->series)
                                    : comparison_failed(args, &error);
  far_comparison_free(comparison);
  return code;
}

static int run(const arguments *args) {
  far_comparison_def def = far_comparison_def_default();
  const char *path = args_word(args, 0);
  if (path == NULL) return usage_error(args, "which store? As in 'farsight stats results.db'");
  if (!read_def(args, &def)) return EXIT_USAGE;
  def.envs = option_values(args, "env", NULL, &def.n_envs);
  def.agents = option_values(args, "agent", NULL, &def.n_agents);
  const int code = compare(args, &def, path);
  free((void *)def.envs);
  free((void *)def.agents);
  return code;
}

const command cmd_stats = {
    .name = "stats",
    .synopsis = "STORE [OPTIONS]",
    .summary = "Analyse stored results: intervals, comparisons, scores",
    .details =
        "STORE is a file that 'farsight run --store' has written or 'farsight store import' has\n"
        "filled. Nothing is run. Printed are\n"
        "  - of every cell: mean with Student's and the BCa bootstrap interval, median,\n"
        "    interquartile mean (IQM), quartiles, least and most;\n"
        "  - on every environment: every agent's difference from the baseline. Runs with\n"
        "    the same replicate see the same random numbers, and are paired; imported\n"
        "    runs are not, and are tested by Welch. p-values are adjusted for all\n"
        "    comparisons, and intervals of differences hold together;\n"
        "  - the probability that an agent's run is better than one of the baseline;\n"
        "  - with two or more environments: scores from 0 (random policy) to 1 (best\n"
        "    policy), their aggregates and the performance profile;\n"
        "  - the methods in words, for a paper.\n"
        "Only what is comparable is compared: runs of other steps, another seed or other numerics\n"
        "are a group of their own. Imported results join the groups of their steps. Above 60 "
        "agents\n"
        "in a group, as a search leaves them, -a must say which. The same results give the same\n"
        "output, to the last bit. --format csv prints one table, --table chooses it: cells,\n"
        "comparisons, improvements, scores or profiles. See docs/statistics.md.\n",
    .examples = "  farsight run study.yaml --store results.db && farsight stats results.db\n"
                "  farsight stats results.db -e riverswim -b r-max:m=5 --level 0.99\n"
                "  farsight stats results.db --series regret --markdown\n"
                "  farsight stats results.db --series curve@1000 --json\n"
                "  farsight stats results.db --series regret@1000\n"
                "  farsight stats results.db --format csv --table comparisons > comparisons.csv\n",
    .words = "",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = 1,
    .run = run,
};
