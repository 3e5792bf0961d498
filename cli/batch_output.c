#include "batch_output.h"

#include "device.h"

bool batch_options(const arguments *args, far_batch_def *def) {
  int64_t threads = 0;
  if (!args_integer(args, "runs", 1, 100000000, &def->runs)) return false;
  if (!args_seed(args, "seed", &def->seed)) return false;
  if (!args_integer(args, "threads", 1, 1024, &threads)) return false;
  def->threads = (unsigned)threads;
  def->progress = show_progress;
  return device_option(args, &def->pool);
}

int score_option(const arguments *args, const char **out) {
  const char *metric = args_last(args, "score");
  far_metric *made;
  far_error error;
  if (metric == NULL) return EXIT_OK;
  if (far_metric_create(&made, metric, &error) != FAR_OK) return spec_error(&error, metric);
  far_metric_free(made);
  *out = metric;
  return EXIT_OK;
}

/* The error's message says how many runs were finished. */
int stopped_batch(const far_batch *batch, size_t n_cells, const char *store,
                  const far_error *error) {
  bool any = false;
  for (size_t i = 0; batch != NULL && i < n_cells && !any; ++i)
    any = far_batch_result(batch, i)->runs > 0;
  flush_output();
  if (any)
    complain("%s; what is finished is above%s%s%s", error->message, store != NULL ? " and in " : "",
             store != NULL ? store : "", store != NULL ? ": the same command resumes" : "");
  else if (batch != NULL)
    complain("stopped; no run was finished");
  else
    complain("%s", error->message);
  return interrupted_code();
}
