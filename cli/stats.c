/* farsight stats: what the results of a store say, and how surely. Runs nothing. */
#include <farsight/lab.h>

#include "comparison_options.h"
#include "output.h"
#include "store_open.h"

static const option_info options[] = {
    COMPARISON_OPTIONS,
    {0, "markdown", NULL, "the same as --format markdown", COMPLETE_NONE},
    FORMAT_OPTIONS,
};

/* ---- the command ---- */

static int print_comparison(const arguments *args, const far_comparison *comparison,
                            const char *series) {
  if (comparison->n_groups == 0) {
    complain("the store has no results yet");
    return EXIT_FAILED;
  }
  /* What the numbers are of, where that is not what was asked for, or not all of it. */
  if (!comparison->exact)
    note("the store has no '%s'; this is '%s', the nearest checkpoint", series, comparison->series);
  for (size_t i = 0; i < comparison->n_groups; ++i)
    for (size_t e = 0; e < comparison->groups[i].n_envs; ++e) {
      const far_comparison_env *env = &comparison->groups[i].envs[e];
      if (env->unusable != NULL)
        note("the model of '%s' is not used: %s", env->label, env->unusable);
    }
  far_report *report = new_report(args);
  far_comparison_report(comparison, report);
  return print_report(args, report);
}

static int compare(const arguments *args, const far_comparison_def *def, const char *path) {
  far_store *store;
  far_comparison *comparison;
  far_error error;
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
  far_report_format format;
  if (!report_format(args, &format) || !comparison_options(args, &def)) return EXIT_USAGE;
  const int code = compare(args, &def, path);
  comparison_options_free(&def);
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
