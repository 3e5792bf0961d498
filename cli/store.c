/* farsight store: info, check, export, import and merge. */
#define _GNU_SOURCE /* renameat2 */
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "base/spec.h"
#include "hints.h"
#include "memory.h"
#include "output.h"
#include "questions/store/store-report.h"
#include "report/build.h"
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
    {'o', "output", "FILE", "export: where to write (default: standard output)", COMPLETE_OUTPUT},
};

far__brief counted(int64_t n, const char *thing) {
  far__brief out;
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
  const far__store_contents_def def = {
      .name = path, .most_rows = format == FAR_REPORT_CSV ? 0 : MOST_ROWS, .proceeds = proceeds};
  far_report *report = new_report(args);
  if (far__store_contents_report(store, &def, report, &error) == FAR_OK)
    return print_report(args, report);
  far_report_free(report);
  return store_failed(&error);
}

static int check(const arguments *args, far_store *store, const char *path) {
  far_store_report found;
  far_error error;
  far_report *report = new_report(args);
  if (far__store_check_report(&found, store, path, report, &error) != FAR_OK) {
    far_report_free(report);
    return store_failed(&error);
  }
  const int code = print_report(args, report);
  return code == EXIT_OK && found.faults > 0 ? EXIT_FAILED : code;
}

/* ---- import, merge ---- */

/* Inputs are checked before a new store is made for them, so that a wrong name leaves no empty store behind. */
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

static void write_counts(const void *counts, far__json *j) {
  for (const count_entry *c = counts; c->key != NULL; ++c)
    far__json_integer(j, c->key, (uint64_t)c->n);
}

static void add_counts(far_report *report, const char *name, const count_entry *counts) {
  far_table *t = far__report_table(report, name);
  size_t n = 0;
  for (; counts[n].key != NULL; ++n) far__table_column(t, counts[n].key, NULL, FAR__COLUMN_COUNT);
  far__report_data_by(report, write_counts,
                      far__report_copy(report, counts, (n + 1) * sizeof *counts));
  far__table_row(t);
  for (const count_entry *c = counts; c->key != NULL; ++c) far__table_count(t, c->n);
}

static far_status import(const arguments *args, far_store *store, const char *path,
                         far_report *document, far_error *error) {
  far_import_report report;
  const far_status status = far_store_import(&report, store, args_word(args, 2), error);
  if (status != FAR_OK) return status;
  if (report.unused[0] != '\0') note("columns that were not read: %s", report.unused);
  if (report.apart > 0)
    warning("%s without a model (%s); 'stats' keeps them apart from runs on that "
            "file, unless a column 'model' gives its digest, as in 'store export'",
            counted(report.apart, "row").text, report.why);
  const count_entry counts[] = {
      {"rows", report.rows}, {"added", report.added}, {"apart", report.apart}, {NULL, 0}};
  far__report_paragraph(document, "%s: %s, %lld of them new", path,
                        counted(report.rows, "row").text, (long long)report.added);
  add_counts(document, "import", counts);
  return FAR_OK;
}

static far_status merge(const arguments *args, far_store *store, const char *path,
                        far_report *document, far_error *error) {
  const char *others[256];
  size_t count = 0;
  int64_t added;
  for (; args_word(args, count + 2) != NULL && count < 256; ++count)
    others[count] = args_word(args, count + 2);
  const far_status status = far_store_merge(&added, store, others, count, error);
  if (status != FAR_OK) return status;
  const count_entry counts[] = {{"stores", (int64_t)count}, {"added", added}, {NULL, 0}};
  far__report_paragraph(document, "%s: %s from %s", path, counted(added, "new number").text,
                        counted((int64_t)count, "store").text);
  add_counts(document, "merge", counts);
  return FAR_OK;
}

/* ---- the command ---- */

typedef struct action {
  const char *name, *others; /* what it takes besides the store */
  size_t least, most;        /* how many of these */
  int (*show)(const arguments *args, far_store *store, const char *path);
  /* or NULL, and then: looks at what it is given; takes it into the store, and reports that */
  far_status (*inputs)(const arguments *args, far_error *error);
  far_status (*take)(const arguments *args, far_store *store, const char *path,
                     far_report *document, far_error *error);
} action;

static const action actions[] = {
    {"info", "", 0, 0, info, NULL, NULL},
    {"check", "", 0, 0, check, NULL, NULL},
    {"export", "", 0, 0, store_export, NULL, NULL},
    {"import", "FILE.csv", 1, 1, NULL, check_table, import},
    {"merge", "OTHER...", 1, 250, NULL, check_stores, merge},
};

enum { N_ACTIONS = sizeof actions / sizeof *actions };

static const action *find_action(const char *name) {
  for (size_t i = 0; i < N_ACTIONS; ++i)
    if (strcmp(actions[i].name, name) == 0) return &actions[i];
  return NULL;
}

static bool check_options(const arguments *args, const action *a) {
  static const char *const of_export[] = {"series", "output", "snapshots"};
  const bool export = a->show == store_export;
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

static int show(const arguments *args, const action *a, const char *path) {
  far_store *store;
  far_error error;
  if (open_store(&store, path, FAR_STORE_READ, &error) != FAR_OK) return store_failed(&error);
  const int code = a->show(args, store, path);
  close_store(store);
  return code;
}

/* Imports or merges into the store in `file`, which messages call `path`. */
static int take_into(const arguments *args, const action *a, const char *file, const char *path,
                     far_report *document) {
  far_store *store;
  far_error error;
  far_status status = open_store(&store, file, FAR_STORE_WRITE, &error);
  if (status == FAR_OK) status = far_store_command(store, command_line(), &error);
  if (status == FAR_OK) status = a->take(args, store, path, document, &error);
  close_store(store);
  return status == FAR_OK ? EXIT_OK : store_failed(&error);
}

/* A new store is filled in a new folder of its own, so that whatever is written and removed there is ours. */
static const char *const STORE_INSIDE = "/store";

/* Makes that folder beside the target; `name` has room for 48 characters more than its name. */
static bool make_folder_beside(const char *target, char *name) {
  for (unsigned i = 0; i < 1000;
       ++i) { /* others may be left from a crash, or in use by another process */
    sprintf(name, "%s.%u.new", target, i);
    if (mkdir(name, 0700) == 0) return true;
    if (errno != EEXIST) return false;
  }
  return false;
}

/* Renames a file, unless the new name is taken: then false, with errno EEXIST. */
static bool rename_to_free(const char *from, const char *to) {
#ifdef RENAME_NOREPLACE /* of Linux; not of every file system */
  if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS) return false;
#endif
  return link(from, to) == 0 && unlink(from) == 0;
}

/* Gives a finished store its name; false if another process has taken the name meanwhile. */
static bool put_in_place(const char *made, const char *path, int *code) {
  bool there = rename_to_free(made, path);
  if (!there && errno != EEXIST) there = is_absent(path) && rename(made, path) == 0;
  const int why = errno; /* the next look at the path changes it */
  if (there || !is_absent(path)) return there;
  *code = complain("cannot write '%s': %s", path, strerror(why));
  return true;
}

/* Fills a new store in the folder and puts it in its place; false if another process has made one there. */
static bool make_inside(const arguments *args, const action *a, char *folder, const char *path,
                        far_report *document, int *code) {
  const size_t length = strlen(folder);
  strcpy(folder + length, STORE_INSIDE);
  *code = take_into(args, a, folder, path, document);
  const bool placed = *code != EXIT_OK || put_in_place(folder, path, code);
  folder[length] = '\0';
  return placed;
}

/* A new store is filled beside its place, so that a failure leaves no empty store. */
static int take_into_new(const arguments *args, const action *a, const char *path,
                         far_report **document) {
  char *folder = room_for(strlen(path) + 48, 1);
  far_error error;
  int code;
  if (a->inputs(args, &error) != FAR_OK) return free(folder), store_failed(&error);
  if (!make_folder_beside(path, folder)) {
    code = complain("cannot write '%s': %s", path, strerror(errno));
    return free(folder), code;
  }
  const bool placed = make_inside(args, a, folder, path, *document, &code);
  /* The name has room for the ends of SQLite's other files: there may be no memory for more. */
  static const char *const ends[] = {"-wal", "-shm", "-journal", ""};
  const size_t length = strlen(folder);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i) {
    sprintf(folder + length, "%s%s", STORE_INSIDE, ends[i]);
    unlink(folder);
  }
  folder[length] = '\0';
  rmdir(folder);
  free(folder);
  if (placed) return code;
  far_report_free(*document); /* another process has made a store meanwhile: add to that one */
  *document = new_report(args);
  return take_into(args, a, path, path, *document);
}

static int take(const arguments *args, const action *a, const char *path) {
  far_report *document = new_report(args);
  const bool there = !is_absent(path);
  const int code =
      there ? take_into(args, a, path, path, document) : take_into_new(args, a, path, &document);
  if (code == EXIT_OK) return print_report(args, document);
  far_report_free(document);
  return code;
}

static int run(const arguments *args) {
  const char *name = args_word(args, 0), *path = args_word(args, 1);
  size_t others = 0;
  if (name == NULL)
    return usage_error(args, "what is to be done? There are info, check, export, import, merge");
  const action *a = find_action(name);
  if (a == NULL) {
    const char *names[N_ACTIONS];
    for (size_t i = 0; i < N_ACTIONS; ++i) names[i] = actions[i].name;
    const char *near = far__nearest(name, strlen(name), names, N_ACTIONS);
    if (near != NULL) return usage_error(args, "there is no '%s'; did you mean '%s'?", name, near);
    return usage_error(args, "there is no '%s'; there are info, check, export, import and merge",
                       name);
  }
  while (args_word(args, others + 2) != NULL) ++others;
  if (path == NULL || others < a->least)
    return usage_error(args, "%s needs %s, as in 'farsight store %s results.db%s%s'", name,
                       path == NULL ? "a store" : a->others, name, a->least > 0 ? " " : "",
                       a->others);
  if (others > a->most)
    return usage_error(args, "unexpected argument '%s'", args_word(args, a->most + 2));
  if (!check_options(args, a)) return EXIT_USAGE;
  catch_interrupts();
  return a->show != NULL ? show(args, a, path) : take(args, a, path);
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
