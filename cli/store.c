/* farsight store: the care of a store. */
#include "store.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cells.h"
#include "json.h"
#include "memory.h"

static const option_info options[] = {
    {0, "json", NULL, "info, check, import, merge: one JSON document on standard output",
     COMPLETE_NONE},
    {0, "format", "NAME", "export: csv or jsonl (default: as the extension of FILE says, or csv)",
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

/* ---- check ---- */

typedef struct findings {
  bool json;
  int64_t count;
  FILE *list; /* JSON: of the faults, for a document that is printed once it is whole */
} findings;

static void note_fault(void *user, const char *sentence) {
  findings *f = user;
  if (f->json) {
    json_print(f->list, "%s", f->count > 0 ? "," : "");
    json_write_string(f->list, sentence);
  } else {
    printf("  %s\n", sentence);
  }
  f->count += 1;
}

static void print_json(const far_store_report *report, const char *faults) {
  printf("{\"faults\":[%s],\"count\":%lld,\"cells\":%lld,\"blocks\":%lld,\"values\":%lld,"
         "\"snapshots\":%lld,\"hash\":",
         faults, (long long)report->faults, (long long)report->cells, (long long)report->blocks,
         (long long)report->values, (long long)report->snapshots);
  const char *quote = report->faults == 0 ? "\"" : "";
  printf("%s%s%s}\n", quote, report->faults == 0 ? report->hash : "null", quote);
}

static void print_merge(const far_store_report *report, const char *path) {
  printf("%s: %s, %s, %s", path, counted(report->cells, "cell").text,
         counted(report->blocks, "block").text, counted(report->values, "number").text);
  if (report->snapshots > 0) printf(", %s", counted(report->snapshots, "snapshot").text);
  printf("; ");
  if (report->faults == 0)
    printf("nothing is wrong\nresults %s\n", report->hash);
  else
    printf("%lld %s wrong\n", (long long)report->faults,
           report->faults == 1 ? "thing is" : "things are");
}

static int check(const arguments *args, far_store *store, const char *path) {
  findings f = {.json = args_flag(args, "json")};
  far_store_report report;
  far_error error;
  char *faults = NULL;
  size_t size = 0;
  if (f.json) f.list = open_text(&faults, &size);
  const far_status status = far_store_check(&report, store, note_fault, &f, &error);
  if (f.json) close_text(f.list, &faults);
  if (f.json && json_lost()) out_of_memory();
  if (status == FAR_OK && f.json)
    print_json(&report, faults);
  else if (status == FAR_OK)
    print_merge(&report, path);
  free(faults);
  if (status != FAR_OK) return store_failed(&error);
  return report.faults == 0 ? EXIT_OK : EXIT_FAILED;
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
  if (args_flag(args, "json"))
    printf("{\"rows\":%lld,\"added\":%lld,\"apart\":%lld}\n", (long long)report.rows,
           (long long)report.added, (long long)report.apart);
  else
    printf("%s: %s, %lld of them new\n", path, counted(report.rows, "row").text,
           (long long)report.added);
  return EXIT_OK;
}

static int merge(const arguments *args, far_store *store, const char *path) {
  const char *others[256];
  size_t count = 0;
  int64_t added;
  far_error error;
  for (; args_word(args, count + 2) != NULL && count < 256; ++count)
    others[count] = args_word(args, count + 2);
  if (far_store_merge(&added, store, others, count, &error) != FAR_OK) return store_failed(&error);
  if (args_flag(args, "json"))
    printf("{\"stores\":%zu,\"added\":%lld}\n", count, (long long)added);
  else
    printf("%s: %s from %s\n", path, counted(added, "new number").text,
           counted((int64_t)count, "store").text);
  return EXIT_OK;
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
    {"info", "", 0, 0, FAR_STORE_READ, store_info, NULL},
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
  static const char *const of_export[] = {"format", "series", "output", "snapshots"};
  const bool export = a->run == store_export;
  for (size_t i = 0; i < 4 && !export; ++i)
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
  if (!export || !args_flag(args, "json")) return true;
  usage_error(args, "export writes CSV or JSON Lines; say --format jsonl");
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
    .summary = "Look into a store of results, check it, take results out and in",
    .details =
        "A store is the file that 'farsight run --store FILE' keeps results in. 'info' tells what\n"
        "it has and where that came from. 'check' reads all of it, lists what is wrong (exit\n"
        "code 1), and prints a hash of all results: two stores with the same results have the\n"
        "same, however they were made. 'export' writes a row for every number; numbers read\n"
        "back exactly. 'import' takes in results made elsewhere: a CSV file with columns env,\n"
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
