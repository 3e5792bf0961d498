#include "cells.h"

#include <math.h>
#include <string.h>

#include "json.h"

bool batch_options(const arguments *args, far_batch_def *def) {
  int64_t threads = 0;
  if (!args_integer(args, "runs", 1, 100000000, &def->runs)) return false;
  if (!args_seed(args, "seed", &def->seed)) return false;
  if (!args_integer(args, "threads", 1, 1024, &threads)) return false;
  def->threads = (unsigned)threads;
  def->pool = all_ranks();
  def->progress = show_progress;
  return true;
}

void write_head_json(uint64_t seed) {
  printf("{\"version\":");
  json_write_string(stdout, far_version());
  printf(",\"numerics\":%d,\"seed\":", far_numerics());
  json_write_integer(stdout, seed);
  printf(",\"cells\":[");
}

/* ,"mean":... and so on; `seconds` belongs to a cell alone */
static void write_numbers(const far_result *result) {
  const struct {
    const char *name;
    double value;
  } numbers[] = {{"mean", result->mean},
                 {"std", result->std},
                 {"ci95", result->ci95},
                 {"min", result->min},
                 {"max", result->max}};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
    printf(",\"%s\":", numbers[i].name);
    json_write_real(stdout, numbers[i].value);
  }
}

static void write_point(const far_point *p) {
  printf("{\"step\":");
  json_write_integer(stdout, (uint64_t)p->step);
  printf(",\"mean\":");
  json_write_real(stdout, p->mean);
  printf(",\"std\":");
  json_write_real(stdout, p->std);
  printf(",\"ci95\":");
  json_write_real(stdout, p->ci95);
  printf("}");
}

/* What metric k said so far; nothing where it says nothing before the end. */
static void write_metric_curve(const far_batch *batch, size_t i, size_t k) {
  const far_point *p;
  for (size_t c = 0; (p = far_batch_metric_point(batch, i, k, c)) != NULL; ++c) {
    printf(c == 0 ? ",\"curve\":[\n      " : ",\n      ");
    write_point(p);
  }
  if (far_batch_metric_point(batch, i, k, 0) != NULL) printf("]");
}

void write_metrics_json(const far_batch *batch, const far_batch_def *def, size_t i) {
  if (def->n_metrics == 0) return;
  printf(",\"metrics\":[");
  for (size_t k = 0; k < def->n_metrics; ++k) {
    const far_result *result = far_batch_metric(batch, i, k);
    printf("%s\n    {\"metric\":", k ? "," : "");
    json_write_string(stdout, def->metrics[k]->name);
    write_numbers(result);
    printf(",\"hash\":\"%s\"", result->hash);
    write_metric_curve(batch, i, k);
    printf("}");
  }
  printf("]");
}

void write_curve_json(const far_batch *batch, const far_batch_def *def, size_t i) {
  if (def->cells[i].n_checkpoints == 0) return;
  printf(",\"curve\":[");
  for (size_t k = 0; k < def->cells[i].n_checkpoints; ++k) {
    printf("%s\n    ", k ? "," : "");
    write_point(far_batch_point(batch, i, k));
  }
  printf("]");
}

void write_cell_json(const far_cell *cell, const far_result *result) {
  printf("\"env\":");
  json_write_string(stdout, far_mdp_spec(cell->mdp));
  printf(",\"agent\":");
  json_write_string(stdout, result->agent);
  printf(",\"steps\":");
  json_write_integer(stdout, (uint64_t)cell->steps);
  printf(",\"runs\":");
  json_write_integer(stdout, (uint64_t)result->runs);
  write_numbers(result);
  printf(",\"seconds\":");
  json_write_real(stdout, result->seconds);
  printf(",\"hash\":\"%s\"", result->hash);
}

/* The error's own words say how many runs were finished; they stand above, unless there are none. */
int stopped_batch(const far_batch *batch, size_t n_cells, const char *store,
                  const far_error *error) {
  bool any = false;
  for (size_t i = 0; batch != NULL && i < n_cells && !any; ++i)
    any = far_batch_result(batch, i)->runs > 0;
  fflush(stdout);
  if (any)
    complain("%s; what is finished is above%s%s%s", error->message, store != NULL ? " and in " : "",
             store != NULL ? store : "", store != NULL ? ": the same command resumes" : "");
  else if (batch != NULL)
    complain("stopped; no run was finished");
  else
    complain("%s", error->message);
  return interrupted_code();
}

static far_status run_through(far_batch **out, const batch_job *job, far_store *store,
                              far_error *error) {
  if (job->until != NULL) return far_until_run(out, job->looks, job->until, job->def, store, error);
  return store != NULL ? far_store_run(out, store, job->def, error)
                       : far_batch_run(out, job->def, error);
}

static far_status run_job(far_batch **out, const batch_job *job, far_error *error) {
  far_store *store = NULL;
  far_status status = FAR_OK;
  *out = NULL;
  if (job->store != NULL) status = open_store(&store, job->store, FAR_STORE_WRITE, error);
  if (status != FAR_OK) return status;
  if (store != NULL) status = far_store_command(store, command_line(), error);
  if (status == FAR_OK) status = run_through(out, job, store, error);
  close_store(store);
  return status;
}

int run_batch(const batch_job *job, print_batch *print, const void *context) {
  far_batch *batch;
  far_error error;
  catch_interrupts();
  const far_status status = run_job(&batch, job, &error);
  if (status != FAR_OK && status != FAR_STATUS_CANCELLED) return run_error(&error);
  if (batch == NULL) return stopped_batch(NULL, 0, NULL, &error);
  print(batch, job->def, context);
  const int code =
      status == FAR_OK ? EXIT_OK : stopped_batch(batch, job->def->n_cells, job->store, &error);
  far_batch_free(batch);
  return code;
}

number_text format_number(double x) {
  number_text out = {"–"};
  const bool plain = fabs(x) >= 1000 && fabs(x) < 1e15;
  if (x == x) snprintf(out.text, sizeof out.text, plain ? "%.0f" : "%.4g", x);
  return out;
}

int interval_digits(double ci95) {
  int digits = 0;
  for (double unit = 10; ci95 < unit && digits < 6; unit /= 10) ++digits;
  return digits;
}

number_text format_interval(double mean, double ci95) {
  const number_text alone = format_number(mean);
  number_text out = alone;
  if (mean != mean || ci95 != ci95) return out;
  const int digits = interval_digits(ci95);
  if (ci95 <= 1e-9 * fabs(mean)) /* all runs alike, up to the rounding of their mean */
    snprintf(out.text, sizeof out.text, "%.50s ± 0", alone.text);
  else if (ci95 < 1e-5 || fabs(mean) >= 1e15 || ci95 >= 1e15)
    snprintf(out.text, sizeof out.text, "%.4g ± %.2g", mean, ci95);
  else
    snprintf(out.text, sizeof out.text, "%.*f ± %.*f", digits, mean, digits, ci95);
  return out;
}

void print_specs(const far_batch *batch, size_t n_cells) {
  for (size_t i = 0; i < n_cells; ++i) {
    const char *spec = far_batch_result(batch, i)->agent;
    bool seen = false;
    for (size_t k = 0; k < i && !seen; ++k)
      seen = strcmp(spec, far_batch_result(batch, k)->agent) == 0;
    if (!seen) printf("  %s\n", spec);
  }
}
