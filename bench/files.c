/* farsight-bench files: numbers as text, digests and model files, beside the C library's conversions and a digest in
 * plain C. The compared results must agree before a time is printed. */
#include "bench/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/number.h"
#include "base/hash.h"
#include "cli/memory.h"
#include "report/build.h"

enum { NUMBERS = 10000, DIGEST_BYTES = 1 << 20, MOST_ROWS = 16 };

static const char MODEL[] = "garnet:states=20000,actions=2,branching=3";

typedef struct row {
  char what[40];
  const char *unit, *beside;
  double here, other; /* seconds for `amount`; `other` is 0 without a comparison */
  double amount;
} row;

typedef struct results {
  row of[MOST_ROWS];
  int count;
} results;

static void keep_best(double *best, double begun) {
  *best = fmin(*best, far__clock_thread() - begun);
}

static row *new_row(results *r, const char *unit, const char *beside, double amount) {
  row *out = &r->of[r->count++];
  *out = (row){.unit = unit, .beside = beside, .amount = amount, .here = INFINITY};
  if (beside != NULL) out->other = INFINITY;
  return out;
}

static int differ(const char *what) {
  fprintf(stderr, "farsight: %s does not give what it is compared with\n", what);
  return EXIT_FAILED;
}

/* ---- numbers ---- */

typedef struct numbers {
  double x[NUMBERS], ours[NUMBERS], theirs[NUMBERS];
  char text[NUMBERS][FAR__NUMBER_SIZE];
  size_t length[NUMBERS];
} numbers;

/* Draws random numbers from 0 to 1, with all digits or only the first three. */
static void draw_numbers(numbers *n, bool few) {
  far_rng rng;
  far_rng_init(&rng, 1, 0, FAR_PURPOSE_AGENT);
  for (int i = 0; i < NUMBERS; ++i) {
    const double x = (double)(far_rng_next(&rng) >> 11) * 0x1p-53;
    n->x[i] = few ? floor(1000 * x) / 1000 : x;
  }
}

static void write_numbers(numbers *n, row *out) {
  char text[64];
  double begun = far__clock_thread();
  for (int i = 0; i < NUMBERS; ++i) n->length[i] = far__real_format(n->text[i], n->x[i]);
  keep_best(&out->here, begun);
  begun = far__clock_thread();
  for (int i = 0; i < NUMBERS; ++i) snprintf(text, sizeof text, "%.17g", n->x[i]);
  keep_best(&out->other, begun);
}

static void read_numbers(numbers *n, row *out) {
  double begun = far__clock_thread();
  for (int i = 0; i < NUMBERS; ++i)
    if (!far__real_parse(n->text[i], n->length[i], &n->ours[i])) n->ours[i] = NAN;
  keep_best(&out->here, begun);
  begun = far__clock_thread();
  for (int i = 0; i < NUMBERS; ++i) n->theirs[i] = strtod(n->text[i], NULL);
  keep_best(&out->other, begun);
}

static int measure_numbers(results *r, int64_t repeats, bool few) {
  numbers *n = room_for(1, sizeof *n);
  row *written = new_row(r, "ns", "snprintf %.17g", NUMBERS);
  row *read = new_row(r, "ns", "strtod", NUMBERS);
  snprintf(written->what, sizeof written->what, "write a number of %s",
           few ? "3 digits" : "17 digits");
  snprintf(read->what, sizeof read->what, "read a number of %s", few ? "3 digits" : "17 digits");
  draw_numbers(n, few);
  bool same = true;
  for (int64_t k = 0; k < repeats && same; ++k) {
    write_numbers(n, written);
    read_numbers(n, read);
    for (int i = 0; i < NUMBERS; ++i)
      same = same && n->x[i] == n->ours[i] && n->x[i] == n->theirs[i];
  }
  free(n);
  return same ? EXIT_OK : differ(read->what);
}

/* ---- digests ---- */

static int measure_digest(results *r, int64_t repeats) {
  uint8_t *bytes = room_for(DIGEST_BYTES, 1), ours[FAR_HASH_BYTES], plain[FAR_HASH_BYTES];
  row *out = new_row(r, "MB/s", "plain C", DIGEST_BYTES);
  snprintf(out->what, sizeof out->what, "SHA-256");
  for (size_t i = 0; i < DIGEST_BYTES; ++i) bytes[i] = (uint8_t)(i * i >> 8);
  bool same = true;
  for (int64_t k = 0; k < repeats && same; ++k) {
    double begun = far__clock_thread();
    far_hash(ours, bytes, DIGEST_BYTES);
    keep_best(&out->here, begun);
    begun = far__clock_thread();
    far__digest_portable(plain, bytes, DIGEST_BYTES);
    keep_best(&out->other, begun);
    same = memcmp(ours, plain, sizeof ours) == 0;
  }
  free(bytes);
  return same ? EXIT_OK : differ(out->what);
}

/* ---- model files ---- */

/* Writes the model, reads the text back and writes it again; both texts must be equal. */
static far_status measure_once(const far_mdp *mdp, far_format format, row *written, row *read,
                               bool *same, far_error *error) {
  char *text = NULL, *again = NULL;
  size_t length = 0, other = 0;
  far_mdp *copy = NULL;
  double begun = far__clock_thread();
  far_status status = far_mdp_print(&text, &length, mdp, format, 0.95, error);
  keep_best(&written->here, begun);
  begun = far__clock_thread();
  if (status == FAR_OK) status = far_mdp_read(&copy, text, length, format, error);
  keep_best(&read->here, begun);
  if (status == FAR_OK) status = far_mdp_print(&again, &other, copy, format, 0.95, error);
  *same = status == FAR_OK && length == other && memcmp(text, again, length) == 0;
  written->amount = read->amount = (double)length;
  far_mdp_free(copy);
  free(text);
  free(again);
  return status;
}

static int measure_models(results *r, int64_t repeats) {
  static const far_format formats[] = {FAR_FORMAT_DRN, FAR_FORMAT_JSON, FAR_FORMAT_CASSANDRA};
  far_mdp *mdp;
  far_error error;
  bool same = true;
  far_status status = far_mdp_create(&mdp, MODEL, &error);
  for (int i = 0; i < 3 && same && status == FAR_OK; ++i) {
    row *written = new_row(r, "MB/s", NULL, 0), *read = new_row(r, "MB/s", NULL, 0);
    snprintf(written->what, sizeof written->what, "write a model, %s", far_format_name(formats[i]));
    snprintf(read->what, sizeof read->what, "read a model, %s", far_format_name(formats[i]));
    for (int64_t k = 0; k < repeats && same && status == FAR_OK; ++k)
      status = measure_once(mdp, formats[i], written, read, &same, &error);
  }
  far_mdp_free(mdp);
  if (status != FAR_OK) return run_error(&error);
  return same ? EXIT_OK : differ("a model that is read again");
}

/* ---- the table ---- */

/* `seconds` in the row's unit: nanoseconds for each number, or MB a second. */
static double in_unit(const row *x, double seconds) {
  return x->unit[0] == 'n' ? 1e9 * seconds / x->amount : 1e-6 * x->amount / seconds;
}

static void add_table(const void *of, far_report *report) {
  const results *r = of;
  far__report_heading(report, 2, "Numbers as text, digests, and model files (%s)", MODEL);
  far_table *t = far__report_table(report, "files");
  far__table_column(t, "what", "what", FAR__COLUMN_TEXT);
  far__table_column(t, "unit", "unit", FAR__COLUMN_TEXT);
  far__table_column(t, "here", "farsight", FAR__COLUMN_REAL);
  far__table_column(t, "other", "beside it", FAR__COLUMN_REAL);
  far__table_column(t, "beside", "which is", FAR__COLUMN_TEXT);
  far__table_column(t, "times", "times faster", FAR__COLUMN_REAL);
  for (const row *x = r->of; x < r->of + r->count; ++x) {
    far__table_row(t);
    far__table_text(t, "%s", x->what);
    far__table_text(t, "%s", x->unit);
    far__table_real_as(t, in_unit(x, x->here), "%.0f", in_unit(x, x->here));
    if (x->beside == NULL) {
      far__table_none(t);
      far__table_none(t);
      far__table_none(t);
      continue;
    }
    far__table_real_as(t, in_unit(x, x->other), "%.0f", in_unit(x, x->other));
    far__table_text(t, "%s", x->beside);
    far__table_real_as(t, x->other / x->here, "%.1f", x->other / x->here);
  }
}

static void write_json(const void *of, far__json *j) {
  const results *r = of;
  for (const row *x = r->of; x < r->of + r->count; ++x) {
    far__json_object(j, NULL);
    far__json_text(j, "what", x->what);
    far__json_text(j, "unit", x->unit);
    far__json_real(j, "here", in_unit(x, x->here));
    far__json_text(j, "beside", x->beside);
    far__json_real(j, "other", x->beside != NULL ? in_unit(x, x->other) : NAN);
    far__json_end(j);
  }
}

int measure_files(measured *out, int64_t repeats) {
  results *r = room_for(1, sizeof *r);
  *out = (measured){add_table, write_json, r};
  int code = measure_numbers(r, repeats, false);
  if (code == EXIT_OK) code = measure_numbers(r, repeats, true);
  if (code == EXIT_OK) code = measure_digest(r, repeats);
  return code == EXIT_OK ? measure_models(r, repeats) : code;
}
