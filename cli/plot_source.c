#include "plot_source.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grid.h"
#include "hints.h"
#include "memory.h"
#include "store_open.h"

static bool is_study(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot != NULL && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

/* ---- studies ---- */

static int run_study(far_store *store, const char *path, const char *curve) {
  const far_study_run_def def = {.store = store, .progress = show_progress};
  far_study_def over = far_study_def_default();
  far_study *study;
  far_results *results;
  far_error error;
  over.curve = curve;
  far_status status = far_study_load(&study, path, &over, 0, &error);
  if (status == FAR_OK && curve != NULL && far_study_info_of(study).curve[0] == '\0') {
    far_study_free(study); /* it has no curve of its own */
    status = far_study_load(&study, path, &over, FAR_STUDY_CURVE, &error);
  }
  if (status != FAR_OK) return study_file_error(&error, path);
  status = far_study_run(&results, study, &def, &error);
  far_results_free(results);
  far_study_free(study);
  progress_end();
  if (status == FAR_STATUS_CANCELLED) return interrupted_code();
  return status == FAR_OK ? EXIT_OK : run_error(&error);
}

/* ---- all of them ---- */

static int add_source(far_store *store, const char *path, const char *curve) {
  far_error error;
  int64_t added;
  if (is_study(path)) return run_study(store, path, curve);
  if (far_store_merge(&added, store, &path, 1, &error) == FAR_OK) return EXIT_OK;
  return error.code == FAR_STATUS_CANCELLED ? interrupted_code() : run_error(&error);
}

int open_source(far_store **out, const arguments *args, size_t first, const char *curve) {
  const char *path = args_word(args, first);
  const bool one = args_word(args, first + 1) == NULL && !is_study(path);
  far_error error;
  for (size_t i = first; args_word(args, i) != NULL; ++i)
    if (is_absent(args_word(args, i))) return absent_file(args, "file", args_word(args, i));
  catch_interrupts();
  if (open_store(out, one ? path : "", one ? FAR_STORE_READ : FAR_STORE_MEMORY, &error) != FAR_OK)
    return run_error(&error);
  int code = EXIT_OK;
  for (size_t i = first; !one && code == EXIT_OK && args_word(args, i) != NULL; ++i)
    code = add_source(*out, args_word(args, i), curve);
  if (code == EXIT_OK) return code;
  close_store(*out);
  *out = NULL;
  return code;
}
