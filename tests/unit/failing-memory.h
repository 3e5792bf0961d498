/* The library while memory runs out: of every call each allocation fails once, alone, and once with all that
 * follow. The call then gives the same result as ever, or MEMORY with a message; the address
 * sanitizer sees what it leaks. Only allocations of our own code fail; the command's tests
 * (cli/test_memory.py) add those of other libraries. Shared by unit/memory*.c, one program a subject. */
#ifndef FARSIGHT_TESTS_FAILING_MEMORY_H
#define FARSIGHT_TESTS_FAILING_MEMORY_H

#include <errno.h>
#include <stdatomic.h>

#include "report/figure/figure.h"
#include "plain-q.h"
#include "stores.h"

/* ---- the allocations ---- */

static atomic_long count, fails_at;
static atomic_bool goes_on;
static atomic_bool fills;         /* new memory is full of bytes that are 1 */
#define FILLED 0x0101010101010101 /* what eight of them are as a number */

#ifdef FARSIGHT_WRAPPED_MALLOC
static bool fails(void) {
  const long n = atomic_fetch_add(&count, 1) + 1, at = atomic_load(&fails_at);
  if (at == 0 || !(n == at || (n > at && atomic_load(&goes_on)))) return false;
  errno = ENOMEM;
  return true;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t number, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t number, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);

void *__wrap_malloc(size_t size) {
  void *out = fails() ? NULL : __real_malloc(size);
  if (out != NULL && fills) memset(out, 1, size);
  return out;
}

void *__wrap_calloc(size_t number, size_t size) {
  return fails() ? NULL : __real_calloc(number, size);
}

void *__wrap_realloc(void *old, size_t size) {
  return fails() ? NULL : __real_realloc(old, size);
}

char *__wrap_strdup(const char *text) {
  return fails() ? NULL : __real_strdup(text);
}
#endif

/* ---- what calls share ---- */

/* A number that stands for the result; `what` is the spec that the call is about. */
typedef far_status call(double *out, const char *what, far_error *error);

static inline double digest(const void *data, size_t length) {
  uint8_t hash[FAR_HASH_BYTES];
  far_hash(hash, data, length);
  double out = 0;
  for (int i = 0; i < 6; ++i) out = out * 256 + hash[i];
  return out;
}

/* A batch of three cells with this metric. */
static inline far_status run_cells(double *out, const far_mdp *mdp, const far_metric *metric,
                                   unsigned threads, far_store *store, far_error *error) {
  const int64_t steps[] = {5, 20};
  const far_cell cells[] = {
      {.mdp = mdp, .agent = "delayed-q:m=2", .steps = 20, .checkpoints = steps, .n_checkpoints = 2},
      {.mdp = mdp, .agent = "psrl", .steps = 20},
      {.mdp = mdp, .agent = "plain-q", .steps = 20}};
  far_batch_def def = far_batch_def_default();
  far_batch *batch;
  def.cells = cells;
  def.n_cells = 3;
  def.runs = 3 * threads;
  def.threads = threads;
  def.metrics = &metric;
  def.n_metrics = metric != NULL;
  def.snapshots = 1;
  const far_status status = store != NULL ? far_store_run(&batch, store, &def, error)
                                          : far_batch_run(&batch, &def, error);
  if (status != FAR_OK) {
    CHECK(batch == NULL);
    return status;
  }
  for (size_t i = 0; i < 2; ++i) {
    const far_result *r = far_batch_result(batch, i);
    *out += r->mean + (double)r->runs;
    if (metric != NULL) *out += far_batch_metric(batch, i, 0)->mean;
  }
  far_batch_free(batch);
  return FAR_OK;
}

/* A report in every format, added to *out. The buffer that it goes to may run out of memory, too; to the
 * report that is any sink that fails. */
static inline far_status render(double *out, const far_report *report, far_error *error) {
  far_status status = FAR_OK;
  for (int f = 0; status == FAR_OK && far_report_format_name((far_report_format)f) != NULL; ++f) {
    far_buffer text = {0};
    far_render_def how = far_render_def_default();
    how.format = (far_report_format)f;
    how.ascii = true; /* which takes memory */
    status = far_report_render(report, &how, far_sink_buffer(&text), error);
    if (text.failed) status = error->code = FAR_STATUS_MEMORY;
    if (status == FAR_OK) *out += digest(text.bytes, text.length);
    far_buffer_free(&text);
  }
  return status;
}

/* The same of a report that is freed. */
static inline far_status finish(double *out, far_report *report, far_error *error) {
  const far_status status = render(out, report, error);
  far_report_free(report);
  return status;
}

/* A figure as SVG, freed; `drawn` is what drawing it came to. */
static inline far_status draw(double *out, far_status drawn, far_figure *figure, far_error *error) {
  const far_figure_def def = far_figure_def_default();
  far_buffer text = {0};
  if (drawn != FAR_OK) return drawn;
  far_status status = far_figure_render(figure, &def, far_sink_buffer(&text), error);
  if (text.failed) status = error->code = FAR_STATUS_MEMORY;
  if (status == FAR_OK) *out += digest(text.bytes, text.length);
  far_buffer_free(&text);
  far_figure_free(figure);
  return status;
}

/* ---- the sweep ---- */

#ifndef POINTS_INTO_TEXT /* what is read from a text says where in it */
#define POINTS_INTO_TEXT 0
#endif

static inline void try_once(call *f, const char *what, long at, bool on, double right) {
  far_error error = {.code = FAR_OK};
  double out = 0;
  atomic_store(&count, 0);
  atomic_store(&goes_on, on);
  atomic_store(&fails_at, at);
  const far_status status = f(&out, what, &error);
  atomic_store(&fails_at, 0);
  const bool good =
      status == FAR_OK ? out == right
                       : status == FAR_STATUS_MEMORY && error.code == FAR_STATUS_MEMORY &&
                             (POINTS_INTO_TEXT || error.position == -1) && error.message[0] != '\0';
  CHECK(good);
  if (!good)
    printf("  %s, allocation %ld%s: status %d, %s, %.17g, expected %.17g\n", what, at,
           on ? " and on" : "", (int)status, error.message, out, right);
}

#ifndef MOST_POINTS
#define MOST_POINTS 100
#endif

/* Some points, always the same, where there are many. */
static inline void sweep(call *f, const char *what) {
  far_error error;
  double right = 0;
  atomic_store(&count, 0);
  const far_status status = f(&right, what, &error);
  if (status == FAR_STATUS_ABSENT) return;
  CHECK(status == FAR_OK && right == right);
  if (status != FAR_OK) printf("  %s: %s\n", what, error.message);
  const long all = atomic_load(&count), stride = (all + MOST_POINTS - 1) / MOST_POINTS;
  CHECK(all > 0);
  for (long at = 1; status == FAR_OK && at <= all; at += stride) {
    try_once(f, what, at, false, right);
    try_once(f, what, at, true, right);
  }
}

/* Calls `sweep_all`; `stores` says whether this build has a store. The result is that of main. */
static inline int sweep_memory(void (*sweep_all)(bool stores)) {
#ifdef FARSIGHT_WRAPPED_MALLOC
  const far_agent_def guest = plain_q_def();
  CHECK(far_agent_register(&guest, NULL) == FAR_OK);
  sweep_all(stores_begin());
  return stores_end();
#else
  (void)sweep_all;
  puts("nothing was tested: the linker cannot wrap malloc");
  return 0;
#endif
}

#endif
