/* farsight store: the care of a store. */
#include "store.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output.h"
#include "store_open.h"

static const option_info options[] = {
    {0, "format", "F",
     "text, markdown, json, csv, latex or html (default text); export: csv or jsonl (default: as "
     "the "
     "extension of FILE says, or csv)",
     COMPLETE_FORMAT},
    {0, "json", NULL, "the same as --format json", COMPLETE_NONE},
    {0, "table", "NAME", "info: which table --format csv prints (default the first)",
     COMPLETE_NONE},
    {0, "series", "NAME",
     "export: only total, a metric (with its curve), curve, curve@STEP or METRIC@STEP; may be "
     "repeated "
     "(default: all)",
     COMPLETE_NONE},
    {0, "snapshots", NULL, "export: the snapshots, a row of CSV for every state and action",
     COMPLETE_NONE},
    {'o', "output", "FILE", "export: where to write (default: standard output)", COMPLETE_NONE},
};

short_text counted(int64_t n, const char *thing) {
  short_text out;
  snprintf(out.text, sizeof out.text, "%lld %s%s", (long long)n, thing, n == 1 ? "" : "s");
  return out;
}

int store_failed(const far_error *error) {
  if (error->code != FAR_STATUS_CANCELLED || !interrupted()) return run_error(error);
  complain("stopped; nothing was changed");
  return interrupted_code();
}

/* ---- info, check ---- */

enum { MOST_ROWS = 20 }; /* of a table for people */

static bool proceeds(void *user) {
  (void)user;
  return !interrupted();
}

static int info(const arguments *args, far_store *store, const char *path) {
  far_report_format format;
  far_error error;
  if (!report_format(args, &format)) return EXIT_USAGE;
  const far_store_contents_def def = {
      .name = path, .most_rows = format == FAR_REPORT_CSV ? 0 : MOST_ROWS, .proceeds = proceeds};
  far_report *report = new_report(args);
  if (far_store_contents_report(store, &def, report, &error) == FAR_OK)
    return print_report(args, report);
  far_report_free(report);
  return store_failed(&error);
}

static int check(const arguments *args, far_store *store, const char *path) {
  far_store_report found;
  far_error error;
  far_report *report = new_report(args);
  if (far_store_check_report(&found, store, path, report, &error) != FAR_OK) {
    far_report_free(report);
    return store_failed(&error);
  }
  const int code = print_report(args, report);
  return code == EXIT_OK && found.faults > 0 ? EXIT_FAILED : code;
}

/* ---- import, merge ---- */

/* What is to be taken in is looked at before a new store is made for it: a slip in a name must not
 * leave an empty one behind. */
static far_status check_table(const arguments *args, far_error *error) {
  far_import_report report;
  return far_store_import(&report, NULL, args_word(args, 2), error);
}

static far_status check_stores(const arguments *args, far_error *error) {
  far_status status = FAR_OK;
  for (size_t i = 2; status == FAR_OK && args_word(args, i) != NULL; ++i) {
    far_store *other;
    status = open_store(&other, args_word(args, i), FAR_STORE_READ, error);
    close_store(other);
  }
  return status;
}

/* What an action counted, for programs: a row, and members of the JSON document. */
typedef struct count_entry {
  const char *key; /* NULL ends a list */
  int64_t n;
} count_entry;

static int print_counts(const arguments *args, far_report *report, const char *name,
                        const count_entry *counts) {
  far_table *t = far_report_table(report, name);
  for (const count_entry *c = counts; c->key != NULL; ++c) {
    far_table_column(t, c->key, NULL, FAR_COLUMN_COUNT);
    far_json_integer(far_report_data(report), c->key, (uint64_t)c->n);
  }
  far_table_row(t);
  for (const count_entry *c = counts; c->key != NULL; ++c) far_table_count(t, c->n);
  return print_report(args, report);
}

static int import(const arguments *args, far_store *store, const char *path) {
  far_import_report report;
  far_error error;
  if (far_store_import(&report, store, args_word(args, 2), &error) != FAR_OK)
    return store_failed(&error);
  if (report.unused[0] != '\0') note("columns that were not read: %s", report.unused);
  if (report.apart > 0)
    warning("%s without a model (%s); 'stats' keeps them apart from runs on that "
            "file, unless a column 'model' gives its digest, as in 'store export'",
            counted(report.apart, "row").text, report.why);
  const count_entry counts[] = {
      {"rows", report.rows}, {"added", report.added}, {"apart", report.apart}, {NULL, 0}};
  far_report *document = new_report(args);
  far_report_paragraph(document, "%s: %s, %lld of them new", path, counted(report.rows, "row").text,
                       (long long)report.added);
  return print_counts(args, document, "import", counts);
}

static int merge(const arguments *args, far_store *store, const char *path) {
  const char *others[256];
  size_t count = 0;
  int64_t added;
  far_error error;
  for (; args_word(args, count + 2) != NULL && count < 256; ++count)
    others[count] = args_word(args, count + 2);
  if (far_store_merge(&added, store, others, count, &error) != FAR_OK) return store_failed(&error);
  const count_entry counts[] = {{"stores", (int64_t)count}, {"added", added}, {NULL, 0}};
  far_report *document = new_report(args);
  far_report_paragraph(document, "%s: %s from %s", path, counted(added, "new number").text,
                       counted((int64_t)count, "store").text);
  return print_counts(args, document, "merge", counts);
}

/* ---- the command ---- */

typedef struct action {
  const char *name, *others; /* what it takes besides the store */
  size_t least, most;        /* how many of these */
  far_store_mode mode;
  int (*run)(const arguments *args, far_store *store, const char *path);
  far_status (*inputs)(const arguments *args, far_error *error); /* looks at them */
} action;

static const action actions[] = {
    {"info", "", 0, 0, FAR_STORE_READ, info, NULL},
    {"check", "", 0, 0, FAR_STORE_READ, check, NULL},
    {"export", "", 0, 0, FAR_STORE_READ, store_export, NULL},
    {"import", "FILE.csv", 1, 1, FAR_STORE_WRITE, import, check_table},
    {"merge", "OTHER...", 1, 250, FAR_STORE_WRITE, merge, check_stores},
};

enum { N_ACTIONS = sizeof actions / sizeof *actions };

static const action *find_action(const char *name) {
  for (size_t i = 0; i < N_ACTIONS; ++i)
    if (strcmp(actions[i].name, name) == 0) return &actions[i];
  return NULL;
}

static int unknown_action(const arguments *args, const char *name) {
  const char *names[N_ACTIONS];
  for (size_t i = 0; i < N_ACTIONS; ++i) names[i] = actions[i].name;
  const char *near = far_nearest(name, strlen(name), names, N_ACTIONS);
  if (near != NULL) return usage_error(args, "there is no '%s'; did you mean '%s'?", name, near);
  return usage_error(args, "there is no '%s'; there are info, check, export, import and merge",
                     name);
}

static bool check_options(const arguments *args, const action *a) {
  static const char *const of_export[] = {"series", "output", "snapshots"};
  const bool export = a->run == store_export;
  far_report_format format;
  for (size_t i = 0; i < 3 && !export; ++i)
    if (args_flag(args, of_export[i])) {
      usage_error(args, "--%s is for 'farsight store export'", of_export[i]);
      return false;
    }
  if (export && args_flag(args, "snapshots") &&
      (args_flag(args, "series") || args_flag(args, "format"))) {
    usage_error(args, "--snapshots are written as CSV, all of them: --series and --format do not "
                      "apply");
    return false;
  }
  if (!export) return report_format(args, &format);
  if (args_flag(args, "table")) {
    usage_error(args, "--table chooses a table of 'farsight store info'; export has one");
    return false;
  }
  if (!args_flag(args, "json")) return true;
  usage_error(args, "export writes CSV or JSON Lines: give --format jsonl");
  return false;
}

static int run(const arguments *args) {
  const char *name = args_word(args, 0), *path = args_word(args, 1);
  size_t others = 0;
  if (name == NULL)
    return usage_error(args, "what is to be done? There are info, check, export, import, merge");
  const action *a = find_action(name);
  if (a == NULL) return unknown_action(args, name);
  while (args_word(args, others + 2) != NULL) ++others;
  if (path == NULL || others < a->least)
    return usage_error(args, "%s needs %s, as in 'farsight store %s results.db%s%s'", name,
                       path == NULL ? "a store" : a->others, name, a->least > 0 ? " " : "",
                       a->others);
  if (others > a->most)
    return usage_error(args, "unexpected argument '%s'", args_word(args, a->most + 2));
  if (!check_options(args, a)) return EXIT_USAGE;
  far_store *store;
  far_error error;
  catch_interrupts();
  if (a->inputs != NULL && access(path, F_OK) != 0 && a->inputs(args, &error) != FAR_OK)
    return store_failed(&error);
  if (open_store(&store, path, a->mode, &error) != FAR_OK) return store_failed(&error);
  const far_status noted =
      a->mode == FAR_STORE_WRITE ? far_store_command(store, command_line(), &error) : FAR_OK;
  const int code = noted == FAR_OK ? a->run(args, store, path) : run_error(&error);
  close_store(store);
  return code;
}

const command cmd_store = {
    .name = "store",
    .synopsis = "info|check|export|import|merge STORE [FILE...] [OPTIONS]",
    .summary = "Inspect, check, export, import and merge stored results",
    .details =
        "A store is the file that 'farsight run --store FILE' keeps results in. 'info' shows what\n"
        "it has and where that came from. 'check' reads all of it, lists what is wrong (exit\n"
        "code 1), and prints a hash of all results: two stores with the same results have the\n"
        "same, however they were made. 'export' writes a row for every number; numbers read\n"
        "back exactly. 'import' takes in results of other programs: a CSV file with columns env,\n"
        "agent, seed, value in any order and perhaps steps, replicate, series (or metric), step\n"
        "and model; every row is a run (or a point of its curve) of its own, and all or none\n"
        "are taken. 'merge' takes in all results of other stores. To import or merge the same\n"
        "twice changes nothing; a run with two different numbers is an error.\n",
    .examples = "  farsight store info results.db\n"
                "  farsight store export results.db -o results.csv\n"
                "  farsight store export results.db --series total --format jsonl\n"
                "  farsight store import results.db theirs.csv\n"
                "  farsight store merge all.db monday.db tuesday.db\n",
    .words = "info check export import merge",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = 252,
    .run = run,
};
