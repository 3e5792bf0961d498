/* farsight report: stored results as one page, or what changed between two stores. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "comparison_options.h"
#include "memory.h"
#include "output.h"
#include "questions/changes/changes.h"
#include "questions/page/page.h"
#include "report/build.h"
#include "store_open.h"

static const option_info options[] = {
    {'o', "output", "FILE", "the page (default: STORE with the ending .html)", COMPLETE_OUTPUT},
    {0, "audit", NULL, "also check what the proofs claim of the agents, along new runs",
     COMPLETE_NONE},
    {0, "audit-runs", "N", "of each audit (default 20)", COMPLETE_NONE},
    {0, "audit-steps", "N", "of each of these runs, at most (default 10000)", COMPLETE_NONE},
    {0, "threads", "N", "of audits (default: all processors)", COMPLETE_NONE},
    {0, "no-figures", NULL, "tables and text alone", COMPLETE_NONE},
    {0, "format", "F", "html, text, markdown, json, csv or latex (default html)", COMPLETE_FORMAT},
    {0, "json", NULL, "the same as --format json", COMPLETE_NONE},
    {0, "table", "NAME", "which table --format csv prints (default the first)", COMPLETE_NONE},
    COMPARISON_OPTIONS,
};

/* ---- where it goes ---- */

/* Formats other than HTML are printed, as other commands print them. */
static bool is_page(const arguments *args) {
  const char *format = args_last(args, "format");
  if (args_flag(args, "json")) return false;
  return format == NULL || strcmp(format, "html") == 0;
}

/* "results.html" for "results.db"; heap. */
static char *page_path(const char *store) {
  const char *slash = strrchr(store, '/'), *name = slash != NULL ? slash + 1 : store;
  const char *dot = strrchr(name, '.');
  const size_t length = dot != NULL && dot > name ? (size_t)(dot - store) : strlen(store);
  char *out = room_for(length + sizeof ".html", 1);
  snprintf(out, length + sizeof ".html", "%.*s.html", (int)length, store);
  return out;
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

static int save(const far_report *report, const char *path) {
  size_t bytes;
  far_error error;
  progress_end();
  const far_status status = far__page_save(report, path, &bytes, &error);
  if (status == FAR_STATUS_CONFLICT)
    return complain("%s; choose another with -o FILE", error.message);
  if (status != FAR_OK) return run_error(&error);
  if (!is_quiet()) say(stdout, "Wrote %s (%s)\n", path, far__brief_bytes((double)bytes).text);
  return EXIT_OK;
}

/* Writes the file that -o or the store names, or prints; frees the report. */
static int give(const arguments *args, far_report *report, const char *store) {
  const char *path = args_last(args, "output");
  if (!is_page(args)) return print_report(args, report);
  if (path != NULL && strcmp(path, "-") == 0) {
    /* To standard output, for -o -. */
    far_render_def how = far_render_def_default();
    far_error error;
    how.format = FAR_REPORT_HTML;
    progress_end();
    const far_status status = far_report_render(report, &how, far_sink_file(stdout), &error);
    far_report_free(report);
    return status == FAR_STATUS_MEMORY ? run_error(&error) : EXIT_OK;
  }
  char *made = path == NULL ? page_path(store) : NULL;
  const int code = save(report, path != NULL ? path : made);
  free(made);
  far_report_free(report);
  return code;
}

/* ---- one store ---- */

static bool read_page(const arguments *args, far__page_def *def) {
  int64_t threads = 0;
  far_report_format format = FAR_REPORT_HTML;
  if (!is_page(args) && !report_format(args, &format)) return false;
  def->audit = args_flag(args, "audit");
  if (args_flag(args, "no-figures") || format == FAR_REPORT_JSON || format == FAR_REPORT_CSV)
    def->figure_bytes = 0; /* there is no place for them */
  if (!args_integer(args, "audit-runs", 1, 100000, &def->audit_runs)) return false;
  if (!args_integer(args, "audit-steps", 1, INT64_MAX / 2, &def->audit_steps)) return false;
  if (!args_integer(args, "threads", 1, 1024, &threads)) return false;
  def->threads = (unsigned)threads;
  return comparison_options(args, &def->results);
}

static int make_page(const arguments *args, const char *path) {
  far__page_def def = far__page_def_default();
  far_store *store;
  far_error error;
  if (!read_page(args, &def)) return EXIT_USAGE;
  def.name = base_name(path);
  catch_interrupts();
  far_status status = open_store(&store, path, FAR_STORE_READ, &error);
  int code = EXIT_FAILED;
  if (status == FAR_OK) {
    far_report *report = new_report(args);
    status = far__store_page(report, store, &def, &error);
    close_store(store);
    if (status == FAR_OK)
      code = give(args, report, path);
    else
      far_report_free(report);
    if (status != FAR_OK) code = comparison_failed(args, &error);
  } else {
    code = run_error(&error);
  }
  comparison_options_free(&def.results);
  return code;
}

/* ---- two stores ---- */

/* open_store keeps track of one store alone, the second. */
static far_status compare_stores(far__changes **out, const char *before, const char *after,
                                 const far__changes_def *def, far_error *error) {
  far_store *a, *b;
  far_status status = far_store_open(&a, before, FAR_STORE_READ, error);
  if (status != FAR_OK) return status;
  status = open_store(&b, after, FAR_STORE_READ, error);
  if (status == FAR_OK) {
    status = far__changes_create(out, a, b, def, error);
    close_store(b);
  }
  far_store_close(a);
  return status;
}

static int make_changes(const arguments *args, const char *before, const char *after) {
  far_comparison_def results;
  far__changes_def def = far__changes_def_default();
  far__changes *changes = NULL;
  far_error error;
  if (!comparison_options(args, &results)) return EXIT_USAGE;
  const bool same = strcmp(base_name(before), base_name(after)) == 0;
  def.before = same ? before : base_name(before);
  def.after = same ? after : base_name(after);
  def.series = results.series;
  def.level = results.bootstrap.level;
  def.correction = results.correction;
  def.progress = results.progress;
  def.user = results.user;
  comparison_options_free(&results);
  catch_interrupts();
  const far_status status = compare_stores(&changes, before, after, &def, &error);
  if (status != FAR_OK) return comparison_failed(args, &error);
  far_report *report = new_report(args);
  need_memory(far__changes_page(report, changes, &error));
  const int code = give(args, report, after);
  far__changes_free(changes);
  return code;
}

/* ---- the command ---- */

/* An option without effect is an error: false after printing it. */
static bool check_options(const arguments *args, bool two) {
  static const char *const of_one[] = {
      "audit", "audit-runs", "audit-steps", "threads", "no-figures", "env",  "agent",    "baseline",
      "steps", "episodes",   "run-seed",    "better",  "paired",     "seed", "resamples"};
  for (size_t i = 0; two && i < sizeof of_one / sizeof *of_one; ++i)
    if (args_flag(args, of_one[i])) {
      usage_error(args, "--%s is for the page of one store: of two, all cells are compared",
                  of_one[i]);
      return false;
    }
  static const char *const of_audit[] = {"audit-runs", "audit-steps", "threads"};
  for (size_t i = 0; !args_flag(args, "audit") && i < sizeof of_audit / sizeof *of_audit; ++i)
    if (args_flag(args, of_audit[i])) {
      usage_error(args, "--%s is of audits: give --audit as well", of_audit[i]);
      return false;
    }
  if (is_page(args) || !args_flag(args, "output")) return true;
  usage_error(args, "--output is for the page: other formats are printed, as in '> FILE'");
  return false;
}

static int run(const arguments *args) {
  const char *first = args_word(args, 0), *second = args_word(args, 1);
  far_report_format format;
  if (first == NULL) return usage_error(args, "which store? As in 'farsight report results.db'");
  if (!report_format(args, &format) || !check_options(args, second != NULL)) return EXIT_USAGE;
  return second != NULL ? make_changes(args, first, second) : make_page(args, first);
}

const command cmd_report = {
    .name = "report",
    .synopsis = "STORE [STORE] [-o FILE] [OPTIONS]",
    .summary = "Write stored results as one HTML page",
    .details =
        "The page needs no network and opens from disk. It begins with the verdict: what was\n"
        "compared, which agent is best, how sure that is, and what limits the conclusion. An\n"
        "agent is called best only if that is decided after correction for all comparisons.\n"
        "Then come figures and tables, the methods in words, all parameters and hashes, and for\n"
        "every cell the command that computes it again. Nothing is run, except one run of the\n"
        "best agent to show what it learned, and audits with --audit.\n"
        "With two stores the page shows what changed from the first to the second: cells that\n"
        "are new, gone, equal or different, bit by bit, and by how much means differ.\n"
        "Without -o the page stands beside the (second) store. A file that is no page of\n"
        "farsight is never replaced. Formats other than HTML are printed; --table names a table\n"
        "of --format csv: cells, comparisons, improvements, scores, profiles, claims, recipes,\n"
        "sessions, or changes.\n",
    .examples = "  farsight run study.yaml --store results.db && farsight report results.db\n"
                "  farsight report results.db -e 'chain*' --series regret -o regret.html\n"
                "  farsight report results.db --audit\n"
                "  farsight report before.db after.db -o changes.html\n"
                "  farsight report results.db --format markdown\n",
    .words = "",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = 2,
    .run = run,
};
