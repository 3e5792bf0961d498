/* farsight stats: what the results of a store say, and how surely. Runs nothing. */
#include "stats.h"

#include <stdlib.h>
#include <string.h>

#include "cells.h"

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
    {0, "paired", NULL, "runs made elsewhere with the same replicate met the same luck",
     COMPLETE_NONE},
    {0, "level", "P", "of all intervals (default 0.95)", COMPLETE_NONE},
    {0, "correction", "NAME", "of p-values: holm, fdr or bonferroni (default holm)", COMPLETE_NONE},
    {0, "resamples", "N", "of the bootstrap (default 10000)", COMPLETE_NONE},
    {0, "seed", "N", "of the bootstrap (default 1)", COMPLETE_NONE},
    {0, "json", NULL, "print one JSON document on standard output", COMPLETE_NONE},
    {0, "markdown", NULL, "print Markdown", COMPLETE_NONE},
};

/* ---- options ---- */

/* Without --better the series says it, once it is known. */
static bool read_better(stats_query *q) {
  const char *word = args_last(q->args, "better");
  if (word == NULL) return true;
  q->lower = strcmp(word, "lower") == 0;
  if (q->lower || strcmp(word, "higher") == 0) return true;
  usage_error(q->args, "--better '%s': must be higher or lower", word);
  return false;
}

static bool read_correction(stats_query *q) {
  static const struct {
    const char *name;
    far_correction value;
  } all[] = {{"holm", FAR_CORRECTION_HOLM},
             {"fdr", FAR_CORRECTION_FDR},
             {"bonferroni", FAR_CORRECTION_BONFERRONI}};
  const char *name = args_last(q->args, "correction");
  if (name == NULL) name = "holm";
  for (size_t i = 0; i < 3; ++i) {
    if (strcmp(name, all[i].name) != 0) continue;
    q->correction = all[i].value;
    q->correction_name = all[i].name;
    return true;
  }
  usage_error(q->args, "--correction '%s': must be holm, fdr or bonferroni", name);
  return false;
}

static bool read_query(stats_query *q) {
  const arguments *args = q->args;
  q->how = far_bootstrap_def_default();
  q->steps = -1;
  q->paired = args_flag(args, "paired");
  q->one_seed = args_flag(args, "run-seed");
  q->baseline = args_last(args, "baseline");
  if (!args_real(args, "level", &q->how.level)) return false;
  if (!(q->how.level > 0 && q->how.level < 1)) {
    usage_error(args, "--level '%s': must be between 0 and 1, such as 0.95",
                args_last(args, "level"));
    return false;
  }
  if (args_flag(args, "json") && args_flag(args, "markdown")) {
    usage_error(args, "--json or --markdown, not both");
    return false;
  }
  return args_integer(args, "resamples", 100, 100000000, &q->how.resamples) &&
         args_integer(args, "steps", 1, INT64_MAX, &q->steps) &&
         args_seed(args, "seed", &q->how.seed) && args_seed(args, "run-seed", &q->run_seed) &&
         read_correction(q) && read_better(q);
}

/* ---- the series ---- */

enum { SHOWN = 12 };

static int unknown_series(far_store *store, const char *series) {
  const char *name;
  bool found = true;
  far_error error;
  fprintf(stderr, "farsight: the store has no series '%s'; there are", series);
  for (size_t i = 0; found && i < SHOWN; ++i) {
    if (far_store_series(&name, &found, store, NULL, i, &error) != FAR_OK || !found) break;
    fprintf(stderr, "%s %s", i ? "," : "", name);
  }
  fprintf(stderr, "%s\n", found ? ", ...; 'farsight store info --json' lists all" : "");
  return EXIT_USAGE;
}

/* The stored series that --series means (heap). A store without results has none: the name stays. */
static int find_series(char **out, far_store *store, const char *given) {
  const char *name;
  bool any;
  far_error error;
  far_status status = far_store_series(&name, &any, store, NULL, 0, &error);
  if (status == FAR_OK && any) status = stored_series(out, store, given, &error);
  if (status == FAR_STATUS_UNKNOWN) return unknown_series(store, given);
  if (status != FAR_OK) return run_error(&error);
  if (!any) *out = copy_of(given);
  return EXIT_OK;
}

/* ---- the command ---- */

/* More agents than a table can show, or a reader compare: as a search leaves them. They are analysed
 * only if they are asked for by name. */
enum { MOST_AGENTS = 60 };

static int check_agents(const stats_groups *groups, const stats_query *q) {
  for (size_t i = 0; i < groups->count && !args_flag(q->args, "agent"); ++i) {
    const stats_group *g = &groups->list[i];
    if (g->n_agents <= MOST_AGENTS) continue;
    return usage_error(q->args,
                       "%zu agents have runs of %lld steps with seed %llu; above %d say which with "
                       "-a SPEC or a pattern (-a '%.*s*'), or choose with --steps or --run-seed",
                       g->n_agents, (long long)g->steps, (unsigned long long)g->seed, MOST_AGENTS,
                       (int)strcspn(g->agents[0].label, ":"), g->agents[0].label);
  }
  return EXIT_OK;
}

static int analyse(const stats_query *q, const stats_data *data) {
  stats_groups groups;
  far_error error;
  int code = stats_groups_make(&groups, data, q);
  if (code == EXIT_OK) code = check_agents(&groups, q);
  bool baseline = q->baseline == NULL;
  for (size_t i = 0; i < groups.count && code == EXIT_OK; ++i) {
    stats_group *g = &groups.list[i];
    if (stats_compute(g, data, q, &error) != FAR_OK) code = run_error(&error);
    baseline = baseline || g->baseline < g->n_agents;
  }
  if (code == EXIT_OK && !baseline) code = stats_unknown_agent(data, "baseline", q->baseline);
  if (code == EXIT_OK && args_flag(q->args, "json"))
    stats_print_json(&groups, data, q);
  else if (code == EXIT_OK)
    stats_print(&groups, data, q, args_flag(q->args, "markdown"));
  stats_groups_free(&groups);
  return code;
}

static int run(const arguments *args) {
  stats_query q = {.args = args};
  const char *path = args_word(args, 0);
  if (path == NULL) return usage_error(args, "which store? As in 'farsight stats results.db'");
  char *series = NULL;
  const char *given = args_last(args, "series");
  int code = read_query(&q) ? EXIT_OK : EXIT_USAGE;
  far_store *store = NULL;
  stats_data data = {0};
  far_error error;
  if (code == EXIT_OK && open_store(&store, path, FAR_STORE_READ, &error) != FAR_OK)
    code = run_error(&error);
  if (code == EXIT_OK) code = find_series(&series, store, given != NULL ? given : "total");
  q.series = series;
  if (code == EXIT_OK && !args_flag(args, "better")) q.lower = !far_series_higher_is_better(series);
  if (code == EXIT_OK) code = stats_data_read(&data, store, &q);
  if (code == EXIT_OK) code = analyse(&q, &data);
  close_store(store);
  stats_data_free(&data);
  free(series);
  return code;
}

const command cmd_stats = {
    .name = "stats",
    .synopsis = "STORE [OPTIONS]",
    .summary = "Analyse stored results: intervals, comparisons, scores over environments",
    .details =
        "STORE is a file that 'farsight run --store' has written or 'farsight store import' has\n"
        "filled. Nothing is run. Printed are\n"
        "  - of every cell: mean with Student's and the BCa bootstrap interval, median,\n"
        "    interquartile mean (IQM), quartiles, least and most;\n"
        "  - on every environment: every agent's difference to the baseline. Runs with\n"
        "    the same replicate met the same luck, and are paired; what was made\n"
        "    elsewhere is not, and is tested by Welch. p-values are adjusted for all\n"
        "    comparisons, and intervals of differences hold together;\n"
        "  - the probability that an agent's run is better than one of the baseline;\n"
        "  - with two or more environments: scores from 0 (random policy) to 1 (best\n"
        "    policy), their aggregates and the performance profile;\n"
        "  - the methods in words, for a paper.\n"
        "Only what is comparable is compared: runs of other steps, another seed or other numerics\n"
        "are a group of their own. What was made elsewhere joins the groups of its steps. Above "
        "60\n"
        "agents in a group, as a search leaves them, -a must say which. The same results give\n"
        "the same output, to the last bit. docs/statistics.md tells more.\n",
    .examples = "  farsight run study.yaml --store results.db && farsight stats results.db\n"
                "  farsight stats results.db -e riverswim -b r-max:m=5 --level 0.99\n"
                "  farsight stats results.db --series regret --markdown\n"
                "  farsight stats results.db --series curve@1000 --json\n"
                "  farsight stats results.db --series regret@1000\n",
    .words = "",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = 1,
    .run = run,
};
