#include "dry_run.h"

#include <unistd.h>

#include "device.h"
#include "output.h"
#include "hints.h"

enum { MOST_ROWS = 50 }; /* of a table for people */

/* 0: one for each processor. */
static unsigned count_workers(const far_batch_def *def) {
  if (all_ranks() == NULL) return def->threads;
  return (unsigned)count_ranks() * (def->threads > 0 ? def->threads : 1);
}

static int print_cost(const far_cost *cost, far_report_format format, const arguments *args) {
  far_report *report = new_report(args);
  far_cost_report(cost, format == FAR_REPORT_CSV ? 0 : MOST_ROWS, report);
  return print_report(args, report);
}

int dry_run(const grid *g, const arguments *args) {
  far_cost_def def = far_cost_def_default();
  far_cost *cost = NULL;
  far_error error;
  far_status status = FAR_OK;
  far_report_format format;
  if (!report_format(args, &format)) return EXIT_USAGE;
  def.study = g->study;
  def.store_name = args_last(args, "store");
  def.workers = count_workers(&g->def);
  def.device = device_pool();
  if (def.store_name != NULL && !is_absent(def.store_name))
    status = far_store_open(&def.store, def.store_name, FAR_STORE_READ, &error);
  if (status == FAR_OK) status = far_cost_estimate(&cost, &def, &error);
  const int code = status == FAR_OK ? print_cost(cost, format, args) : run_error(&error);
  far_cost_free(cost);
  far_store_close(def.store);
  return code;
}
