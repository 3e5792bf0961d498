/* Batches through a store: the same bits whatever was known before, and no confusion. */
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "lab/store/access.h"
#include "run/blocks.h"
#include "stores.h"

static void same_results(const far_result *x, const far_result *y) {
  CHECK(x->runs == y->runs);
  CHECK_TEXT(x->hash, y->hash);
}

static void same_batch(const far_batch *x, const far_batch *y, const far_batch_def *def) {
  for (size_t i = 0; i < def->n_cells; ++i) {
    same_results(far_batch_result(x, i), far_batch_result(y, i));
    for (size_t k = 0; k < def->n_metrics; ++k)
      same_results(far_batch_metric(x, i, k), far_batch_metric(y, i, k));
    for (size_t k = 0; k < def->cells[i].n_checkpoints; ++k) {
      const far_point *p = far_batch_point(x, i, k), *q = far_batch_point(y, i, k);
      CHECK(memcmp(p->totals, q->totals, (size_t)far__batch_runs(def, i) * sizeof *p->totals) == 0);
      for (size_t m = 0; m < def->n_metrics; ++m) {
        p = far_batch_metric_point(x, i, m, k);
        q = far_batch_metric_point(y, i, m, k);
        CHECK(memcmp(p->totals, q->totals, (size_t)far__batch_runs(def, i) * sizeof *p->totals) ==
              0);
      }
    }
  }
}

static bool stop_early(void *user, const far_progress *progress) {
  const int64_t *enough = user;
  return progress->runs_done < *enough;
}

/* Stopped again and again, with blocks of all sizes; then as if nothing had happened. */
static void test_resume(void) {
  small_batch b;
  far_batch *plain = NULL, *batch = NULL;
  int64_t values = 0;
  small_make(&b, 900);
  CHECK(far_batch_run(&plain, &b.def, NULL) == FAR_OK);
  int stopped = 0;
  for (int64_t enough = 1; enough < 4000; enough += 800) {
    far_store *store = open_store("resume.db", FAR_STORE_WRITE);
    far_batch_def def = b.def;
    def.progress = stop_early;
    def.user = &enough;
    def.threads = (unsigned)(1 + enough % 3);
    const far_status status = far_store_run(&batch, store, &def, NULL);
    CHECK(status == FAR_OK || status == FAR_STATUS_CANCELLED);
    stopped += status == FAR_STATUS_CANCELLED;
    far_batch_free(batch);
    far_store_close(store);
  }
  CHECK(stopped > 0);
  far_store *store = open_store("resume.db", FAR_STORE_WRITE);
  CHECK(far_store_run(&batch, store, &b.def, NULL) == FAR_OK);
  same_batch(plain, batch, &b.def);
  for (size_t i = 0; i < 4; ++i) {
    int64_t known = 0;
    CHECK(far__store_known(&known, store, &b.def, i, NULL) == FAR_OK);
    CHECK(known == 900);
  }
  far_batch_free(batch);
  far_store_close(store);
  run_through("undisturbed.db", &b.def);
  CHECK_TEXT(content("resume.db", &values), content("undisturbed.db", NULL));
  CHECK(values == 4 * 900 * SMALL_WIDTH);
  CHECK(!is_there("resume.db-wal") && !is_there("resume.db-shm"));
  far_batch_free(plain);
  small_free(&b);
}

/* What counts as known: a run of this very cell with all that is asked of it. */
static void test_known(void) {
  small_batch b;
  int64_t known;
  small_make(&b, 70);
  run_through("twice.db", &b.def);
  far_store *store = open_store("twice.db", FAR_STORE_WRITE);
  CHECK(far__store_known(&known, store, &b.def, 2, NULL) == FAR_OK && known == 70);
  b.def.runs = 1000;
  CHECK(far__store_known(&known, store, &b.def, 2, NULL) == FAR_OK && known == 70);
  b.def.first_replicate = 50;
  CHECK(far__store_known(&known, store, &b.def, 2, NULL) == FAR_OK && known == 20);
  b.def.first_replicate = 70;
  CHECK(far__store_known(&known, store, &b.def, 2, NULL) == FAR_OK && known == 0);
  b.def.first_replicate = 0;
  b.cells[2].n_checkpoints = 0;
  CHECK(far__store_known(&known, store, &b.def, 2, NULL) == FAR_OK && known == 70);
  b.cells[2].n_checkpoints = 2; /* another curve is another question */
  CHECK(far__store_known(&known, store, &b.def, 2, NULL) == FAR_OK && known == 0);
  b.cells[2].n_checkpoints = 3;
  b.cells[2].steps = 301;
  CHECK(far__store_known(&known, store, &b.def, 2, NULL) == FAR_OK && known == 0);
  b.cells[2].steps = 300;
  b.def.seed += 1;
  CHECK(far__store_known(&known, store, &b.def, 2, NULL) == FAR_OK && known == 0);
  b.def.seed -= 1;
  b.def.n_metrics = 1; /* fewer metrics are known as well */
  CHECK(far__store_known(&known, store, &b.def, 2, NULL) == FAR_OK && known == 70);
  far_store_close(store);
  small_free(&b);
}

/* A metric that comes later: old totals are computed again, must agree, and are not stored twice. */
static void test_later_metric(void) {
  small_batch b;
  small_make(&b, 40);
  b.def.n_metrics = 0;
  for (int i = 0; i < 4; ++i) b.cells[i].n_checkpoints = 0;
  run_through("metric.db", &b.def);
  b.def.n_metrics = 2;
  for (int i = 0; i < 4; ++i) b.cells[i].n_checkpoints = 3;
  b.def.runs = 55;
  run_through("metric.db", &b.def);
  run_through("metric-once.db", &b.def);
  CHECK_TEXT(content("metric.db", NULL), content("metric-once.db", NULL));
  small_free(&b);
}

/* A store of a version that kept no curves of metrics: its runs are computed again, must agree, and get
 * what they lack. */
static void test_later_curve(void) {
  small_batch b;
  int64_t known, values;
  small_make(&b, 40);
  const far_metric before[] = {*b.metrics[0], *b.metrics[1]};
  for (int m = 0; m < 2; ++m) b.metrics[m]->sofar = NULL;
  CHECK(far__batch_width(&b.def, 0) == 6);
  run_through("no-curve.db", &b.def);
  content("no-curve.db", &values);
  CHECK(values == 4 * 40 * 6);
  for (int m = 0; m < 2; ++m) *b.metrics[m] = before[m];
  CHECK(far__batch_width(&b.def, 0) == SMALL_WIDTH);
  far_store *store = open_store("no-curve.db", FAR_STORE_READ);
  CHECK(far__store_known(&known, store, &b.def, 0, NULL) == FAR_OK && known == 0);
  far_store_close(store);
  run_through("no-curve.db", &b.def);
  run_through("curve-at-once.db", &b.def);
  CHECK_TEXT(content("no-curve.db", &values), content("curve-at-once.db", NULL));
  CHECK(values == 4 * 40 * SMALL_WIDTH);
  b.metrics[1]->name = "mine@10"; /* would be taken for a curve */
  far_error error;
  far_keeper *keeper;
  store = open_store("no-curve.db", FAR_STORE_WRITE);
  CHECK(far_keeper_create(&keeper, store, &b.def, &error) == FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "the name of a curve");
  CHECK(error.position == -1);
  far_store_close(store);
  *b.metrics[1] = before[1];
  small_free(&b);
}

static void check_nearest(far_store *store, const char *series, const char *expected, bool exact) {
  const char *name;
  bool same;
  const far_status status = far_store_series_nearest(&name, &same, store, series, NULL);
  CHECK(status == (expected != NULL ? FAR_OK : FAR_STATUS_UNKNOWN));
  if (status == FAR_OK) CHECK_TEXT(name, expected);
  if (status == FAR_OK) CHECK(same == exact);
}

/* Defaults may be left out, and of checkpoints the nearest is taken. */
static void test_nearest(void) {
  small_batch b;
  small_make(&b, 2);
  run_through("nearest.db", &b.def);
  far_store *store = open_store("nearest.db", FAR_STORE_READ);
  check_nearest(store, "total", "total", true);
  check_nearest(store, "coverage", "coverage:what=states", true);
  check_nearest(store, "coverage:what=pairs", NULL, false);
  check_nearest(store, "curve@100", "curve@100", true);
  check_nearest(store, "curve@56", "curve@100", false);
  check_nearest(store, "curve@55", "curve@10", false); /* of two the earlier */
  check_nearest(store, "curve@9223372036854775807", "curve@300", false);
  check_nearest(store, "curve@", NULL, false);
  check_nearest(store, "curve@x", NULL, false);
  check_nearest(store, "curve@-5", NULL, false);
  check_nearest(store, "curve", NULL, false);
  check_nearest(store, "total@100", NULL, false);
  check_nearest(store, "coverage@100", "coverage:what=states@100", true);
  check_nearest(store, "earned@1000", "earned:fraction=0.5@300", false);
  check_nearest(store, "earned:fraction=0.6@100", NULL, false);
  check_nearest(store, "@", NULL, false);
  check_nearest(store, "", NULL, false);
  far_store_close(store);
  small_free(&b);
}

/* Replicates are stored by their own numbers: two halves make a whole. */
static void test_first_replicate(void) {
  small_batch b;
  small_make(&b, 30);
  run_through("whole.db", &b.def);
  b.def.runs = 12;
  b.def.first_replicate = 18;
  run_through("halves.db", &b.def);
  b.def.runs = 18;
  b.def.first_replicate = 0;
  run_through("halves.db", &b.def);
  CHECK_TEXT(content("halves.db", NULL), content("whole.db", NULL));
  far_batch *batch = NULL;
  far_error error;
  far_store *store = open_store("halves.db", FAR_STORE_WRITE);
  b.def.first_replicate = INT64_MAX - 17;
  CHECK(far_store_run(&batch, store, &b.def, &error) == FAR_STATUS_RANGE && batch == NULL);
  far_store_close(store);
  small_free(&b);
}

/* A model by hand has no spec: its content tells it from others. */
static void test_models_by_hand(void) {
  far_mdp *mdps[2];
  far_store *store = open_store("hand.db", FAR_STORE_WRITE);
  int64_t known;
  for (int i = 0; i < 2; ++i) {
    far_mdp_builder *b;
    CHECK(far_mdp_builder_create(&b, 2, 1, NULL) == FAR_OK);
    CHECK(far_mdp_builder_outcome(b, 0, 0, 1, 1, 0, NULL) == FAR_OK);
    CHECK(far_mdp_builder_outcome(b, 1, 0, 1, 0, 1 + i, NULL) == FAR_OK);
    CHECK(far_mdp_builder_start(b, 0, 1, NULL) == FAR_OK);
    CHECK(far_mdp_builder_finish(&mdps[i], b, NULL) == FAR_OK);
  }
  far_cell cell = {.mdp = mdps[0], .agent = "q-learning", .steps = 10, .name = "by hand"};
  far_batch_def def = far_batch_def_default();
  def.cells = &cell;
  def.n_cells = 1;
  def.runs = 3;
  far_batch *batch;
  CHECK(far_store_run(&batch, store, &def, NULL) == FAR_OK);
  far_batch_free(batch);
  CHECK(far__store_known(&known, store, &def, 0, NULL) == FAR_OK && known == 3);
  cell.mdp = mdps[1];
  CHECK(far__store_known(&known, store, &def, 0, NULL) == FAR_OK && known == 0);
  far_record record;
  bool found;
  CHECK(far_store_record(&record, &found, store, 0, NULL) == FAR_OK && found);
  CHECK(strlen(record.model) == 64 && strlen(record.key) == 64 && record.runs == 3);
  CHECK_TEXT(record.env, "by hand");
  /* a name that is a spec, too, says nothing of a model made by hand; two cells of it share its digest */
  far_cell both[] = {cell, cell};
  both[0].name = "loop";
  both[1].agent = "random";
  def.cells = both;
  def.n_cells = 2;
  CHECK(far_store_run(&batch, store, &def, NULL) == FAR_OK);
  far_batch_free(batch);
  CHECK(far__store_known(&known, store, &def, 0, NULL) == FAR_OK && known == 3);
  CHECK(far__store_known(&known, store, &def, 1, NULL) == FAR_OK && known == 3);
  both[0].mdp = both[1].mdp = mdps[0];
  CHECK(far__store_known(&known, store, &def, 0, NULL) == FAR_OK && known == 0);
  CHECK(far__store_known(&known, store, &def, 1, NULL) == FAR_OK && known == 0);
  /* one model after another, and single runs of them: each by its own digest */
  both[1].mdp = mdps[1];
  both[1].agent = both[0].agent;
  both[1].name = both[0].name;
  CHECK(far_store_run(&batch, store, &def, NULL) == FAR_OK);
  CHECK(strcmp(far_batch_result(batch, 0)->hash, far_batch_result(batch, 1)->hash) != 0);
  far_batch_free(batch);
  for (int i = 0; i < 4; ++i) {
    const far_imported_run run = {.mdp = mdps[i % 2], .agent = "mine", .steps = 10, .total = i % 2};
    bool added;
    CHECK(far_store_add(&added, store, &run, NULL) == FAR_OK && added == (i < 2));
  }
  far_store_close(store);
  for (int i = 0; i < 2; ++i) far_mdp_free(mdps[i]);
}

/* ---- blocks by hand ---- */

static far_status keep(far_keeper *keeper, size_t cell, int64_t first, int64_t runs, double base,
                       far_error *error) {
  double *values = malloc((size_t)runs * SMALL_WIDTH * sizeof *values);
  for (int64_t c = 0; c < SMALL_WIDTH; ++c)
    for (int64_t i = 0; i < runs; ++i)
      values[c * runs + i] = base + (double)(100 * c) + (double)(first + i);
  const far_block block = {
      .cell = cell, .first = first, .runs = runs, .seconds = 1, .values = values};
  const far_status status = far_keeper_keep(keeper, &block, 1, error);
  free(values);
  return status;
}

/* Overlapping blocks in any order are one set of runs; one other number is an alarm. */
static void test_overlaps(void) {
  small_batch b;
  far_keeper *keeper;
  far_error error;
  far_record record;
  bool found;
  const far_block *done;
  size_t n_done;
  small_make(&b, 5000);
  far_store *store = open_store("overlap.db", FAR_STORE_WRITE);
  CHECK(far_keeper_create(&keeper, store, &b.def, NULL) == FAR_OK);
  CHECK(keep(keeper, 1, 10, 20, 0, &error) == FAR_OK);
  CHECK(keep(keeper, 1, 25, 3000, 0, &error) == FAR_OK); /* longer than a row of the table */
  CHECK(keep(keeper, 1, 0, 40, 0, &error) == FAR_OK);
  CHECK(keep(keeper, 1, 0, 3025, 0, &error) == FAR_OK);
  CHECK(keep(keeper, 1, 3000, 50, 0, &error) == FAR_OK);
  CHECK(keep(keeper, 1, 4000, 1, 0, &error) == FAR_OK);
  CHECK(far__keeper_done(&done, &n_done, keeper, NULL) == FAR_OK);
  CHECK(n_done == 2 && done[0].first == 0 && done[0].runs == 3050 && done[1].first == 4000);
  CHECK(keep(keeper, 1, 3040, 20, 0.5, &error) == FAR_STATUS_FORMAT);
  CHECK_CONTAINS(error.message, "run 3040 of 'directed-delayed-q");
  CHECK_CONTAINS(error.message, "total is 3040 in");
  CHECK_CONTAINS(error.message, "and 3040.5 here");
  CHECK(keep(keeper, 1, 3050, 1, 0, &error) == FAR_OK); /* the store is as it was before that */
  CHECK(far_store_record(&record, &found, store, 0, NULL) == FAR_OK && found);
  CHECK(record.runs == 3052 && record.seed == UINT64_MAX - 6);
  CHECK(record.numerics == far_numerics());
  char key[FAR_HASH_TEXT];
  strcpy(key, record.key);
  CHECK(far_store_record(&record, &found, store, 1, NULL) == FAR_OK && !found);
  static const char *const expected[SMALL_WIDTH] = {"total",
                                                    "coverage:what=states",
                                                    "earned:fraction=0.5",
                                                    "curve@10",
                                                    "curve@100",
                                                    "curve@300",
                                                    "coverage:what=states@10",
                                                    "coverage:what=states@100",
                                                    "coverage:what=states@300",
                                                    "earned:fraction=0.5@10",
                                                    "earned:fraction=0.5@100",
                                                    "earned:fraction=0.5@300"};
  const char *name;
  for (size_t i = 0; i < SMALL_WIDTH; ++i) {
    CHECK(far_store_series(&name, &found, store, key, i, NULL) == FAR_OK && found);
    CHECK_TEXT(name, expected[i]);
  }
  CHECK(far_store_series(&name, &found, store, key, SMALL_WIDTH, NULL) == FAR_OK && !found);
  far_keeper_free(keeper);
  far_store_close(store);
  store = open_store("overlap.db", FAR_STORE_READ);
  double *values;
  int64_t *replicates, n;
  CHECK(far__store_values(&values, &replicates, &n, store, key, "curve@100", NULL) == FAR_OK);
  CHECK(n == 3052 && replicates[3051] == 4000 && values[3051] == 4400);
  free(values);
  free(replicates);
  CHECK(far__store_values(&values, &replicates, &n, store, key, "earned:fraction=0.5@100", NULL) ==
        FAR_OK);
  CHECK(n == 3052 && replicates[3051] == 4000 && values[3051] == 5000); /* its tenth column */
  free(values);
  free(replicates);
  CHECK(far__store_values(&values, &replicates, &n, store, key, "loss", &error) ==
        FAR_STATUS_UNKNOWN);
  CHECK_CONTAINS(error.message, "has no series 'loss'");
  CHECK(error.position == -1);
  far_store_close(store);
  small_free(&b);
}

/* The list of columns is read once, and again after anything was written. */
static void test_columns(void) {
  small_batch b;
  far_keeper *keeper;
  far_error error;
  const char *name;
  bool found;
  small_make(&b, 100);
  far_store *store = open_store("columns.db", FAR_STORE_WRITE);
  for (int i = 0; i < 2; ++i) {
    if (i == 1) memcpy(b.checkpoints, (int64_t[]){10, 50, 200}, sizeof b.checkpoints);
    CHECK(far_keeper_create(&keeper, store, &b.def, NULL) == FAR_OK);
    CHECK(keep(keeper, (size_t)i, 0, 10, 0, &error) == FAR_OK);
    far_keeper_free(keeper);
    CHECK(far_store_series(&name, &found, store, NULL, 4, NULL) == FAR_OK && found);
    CHECK_TEXT(name, i == 0 ? "curve@100" : "curve@50");
    /* 3 numbers, and 3 curves of 3 steps, then of 5: 10 is in both */
    CHECK(far_store_series(&name, &found, store, NULL, 12, NULL) == FAR_OK && found == (i == 1));
    CHECK(far_store_series(&name, &found, store, NULL, 18, NULL) == FAR_OK && !found);
  }
  far_record record;
  CHECK(far_store_record(&record, &found, store, 0, NULL) == FAR_OK && found);
  char key[FAR_HASH_TEXT];
  strcpy(key, record.key);
  CHECK(far_store_series(&name, &found, store, key, 12, NULL) == FAR_OK && !found);
  CHECK(far_store_series(&name, &found, store, NULL, 12, NULL) == FAR_OK && found);
  CHECK(far_store_series(&name, &found, store, "none", 1, &error) == FAR_STATUS_UNKNOWN);
  CHECK_CONTAINS(error.message, "columns.db' has no cell 'none'");
  CHECK(error.position == -1);
  far_store_close(store);
  small_free(&b);
}

/* Aligned by replicate, with NAN where a run lacks a number. */
static void test_many_columns(void) {
  static const char *const both[] = {"curve@5", "total"}, *const wrong[] = {"total", "x"};
  far_store *store = open_store("many.db", FAR_STORE_WRITE);
  far_columns columns;
  far_record record;
  far_error error;
  bool found;
  far_mdp *mdp;
  CHECK(far_mdp_create(&mdp, "chain:n=3", NULL) == FAR_OK);
  for (int i = 0; i < 3; ++i) {
    const far_imported_run run = {.mdp = mdp,
                                  .agent = "mine",
                                  .replicate = (uint64_t)(2 * i),
                                  .steps = 10,
                                  .total = i,
                                  .checkpoints = (const int64_t[]){5},
                                  .curve = (const double[]){i / 2.0},
                                  .n_checkpoints = i != 1};
    CHECK(far_store_add(&found, store, &run, &error) == FAR_OK);
  }
  CHECK(far_store_record(&record, &found, store, 0, NULL) == FAR_OK && found);
  char key[FAR_HASH_TEXT];
  strcpy(key, record.key);
  CHECK(far_store_columns(&columns, store, key, both, 2, &error) == FAR_OK);
  CHECK(columns.count == 3 && columns.replicates[1] == 2 && columns.replicates[2] == 4);
  CHECK(columns.values[0] == 0 && isnan(columns.values[1]) && columns.values[2] == 1);
  CHECK(columns.values[3] == 0 && columns.values[4] == 1 && columns.values[5] == 2);
  far_columns_free(&columns);
  CHECK(far_store_columns(&columns, store, key, wrong, 2, &error) == FAR_STATUS_UNKNOWN);
  CHECK_CONTAINS(error.message, "no series 'x'");
  CHECK(columns.values == NULL && columns.count == 0);
  CHECK(far_store_columns(&columns, store, key, NULL, 0, &error) == FAR_OK && columns.count == 0);
  far_columns_free(&columns);
  far_mdp_free(mdp);
  far_store_close(store);
}

/* Curves that no run can have; a check alone needs no store. */
static void test_wrong_curves(void) {
  static const struct {
    int64_t steps[2];
    double curve[2];
    const char *why;
  } wrong[] = {{{5, 2}, {1, 2}, "checkpoint 2 is not in"},
               {{0, 5}, {1, 2}, "checkpoint 0 is"},
               {{5, 11}, {1, 2}, "checkpoint 11 is not in"},
               {{5, 9}, {1, NAN}, "checkpoint 9 is not a"}};
  far_store *store = open_store("curves.db", FAR_STORE_WRITE);
  far_error error;
  bool added;
  far_mdp *mdp;
  CHECK(far_mdp_create(&mdp, "chain:n=3", NULL) == FAR_OK);
  far_imported_run run = {.mdp = mdp, .agent = "mine", .steps = 10, .n_checkpoints = 2};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    run.checkpoints = wrong[i].steps;
    run.curve = wrong[i].curve;
    CHECK(far_store_add(&added, store, &run, &error) == FAR_STATUS_RANGE && !added);
    CHECK_CONTAINS(error.message, wrong[i].why);
    CHECK(far_store_add(&added, NULL, &run, NULL) == FAR_STATUS_RANGE);
  }
  run.n_checkpoints = 0;
  CHECK(far_store_add(&added, NULL, &run, NULL) == FAR_OK && !added);
  far_mdp_free(mdp);
  far_store_close(store);
}

/* All the blocks of a call or none. */
static void test_all_or_nothing(void) {
  small_batch b;
  far_keeper *keeper;
  far_error error;
  const far_block *done;
  size_t n_done;
  double values[2 * SMALL_WIDTH] = {1, 2, 3}, others[2 * SMALL_WIDTH] = {9, 9, 9};
  small_make(&b, 10);
  far_store *store = open_store("nothing.db", FAR_STORE_WRITE);
  CHECK(far_keeper_create(&keeper, store, &b.def, NULL) == FAR_OK);
  far_block blocks[] = {{.cell = 0, .first = 0, .runs = 2, .values = values},
                        {.cell = 1, .first = 0, .runs = 2, .values = values},
                        {.cell = 0, .first = 1, .runs = 2, .values = others}};
  CHECK(far_keeper_keep(keeper, blocks, 3, &error) == FAR_STATUS_FORMAT);
  CHECK(far__keeper_done(&done, &n_done, keeper, NULL) == FAR_OK && n_done == 0);
  far_store_info info;
  CHECK(far_store_info_of(&info, store, NULL) == FAR_OK);
  CHECK(info.cells == 0 && info.sessions == 0 && info.blocks == 0);
  CHECK(far_keeper_keep(keeper, blocks, 2, &error) == FAR_OK);
  CHECK(far__keeper_done(&done, &n_done, keeper, NULL) == FAR_OK && n_done == 2);
  far_keeper_free(keeper);
  far_store_close(store);
  small_free(&b);
}

/* Blocks that were kept come back with their processor time, which is that of the totals, as often as one asks. */
static void test_done(void) {
  small_batch b;
  far_keeper *keeper;
  const far_block *done;
  size_t n_done;
  small_make(&b, 10);
  far_store *store = open_store("done.db", FAR_STORE_WRITE);
  CHECK(far_keeper_create(&keeper, store, &b.def, NULL) == FAR_OK);
  CHECK(keep(keeper, 2, 0, 4, 0, NULL) == FAR_OK && keep(keeper, 2, 6, 2, 0, NULL) == FAR_OK);
  for (int i = 0; i < 2; ++i) {
    CHECK(far__keeper_done(&done, &n_done, keeper, NULL) == FAR_OK && n_done == 2);
    CHECK(done[0].cell == 2 && done[0].first == 0 && done[0].runs == 4);
    CHECK(done[1].cell == 2 && done[1].first == 6 && done[1].runs == 2);
    CHECK(done[0].values[4 + 3] == 103 && done[1].values[2 * 11 + 1] == 1107);
    CHECK_NEAR(done[0].seconds, 1, 1e-12); /* of four runs, and of two */
    CHECK_NEAR(done[1].seconds, 1, 1e-12);
  }
  far_keeper_free(keeper);
  far_store_close(store);
  small_free(&b);
}

/* Rows that a failed call had made are gone, and their numbers may be others' by now. */
static void test_rows_of_others(void) {
  const int64_t steps[] = {5, 7};
  const double curve[] = {1, 2};
  small_batch b;
  far_keeper *keeper;
  bool added;
  int64_t known;
  double values[2 * SMALL_WIDTH] = {1, 2, 3}, others[2 * SMALL_WIDTH] = {9, 9, 9};
  small_make(&b, 2);
  far_store *store = open_store("rows.db", FAR_STORE_WRITE);
  CHECK(far_keeper_create(&keeper, store, &b.def, NULL) == FAR_OK);
  far_block blocks[] = {{.cell = 0, .runs = 2, .values = values},
                        {.cell = 1, .runs = 2, .values = values},
                        {.cell = 0, .runs = 2, .values = others}};
  CHECK(far_keeper_keep(keeper, blocks, 3, NULL) == FAR_STATUS_FORMAT);
  /* a cell and the series of a curve that the batch has not take numbers that were its own */
  const far_imported_run run = {b.mdps[0], "mine", 10, 1, 0, 3, steps, curve, 2};
  CHECK(far_store_add(&added, store, &run, NULL) == FAR_OK && added);
  CHECK(far_keeper_keep(keeper, blocks, 2, NULL) == FAR_OK);
  for (size_t i = 0; i < 4; ++i)
    CHECK(far__store_known(&known, store, &b.def, i, NULL) == FAR_OK && known == (i < 2 ? 2 : 0));
  far_keeper_free(keeper);
  far_store_close(store);
  CHECK(strlen(content("rows.db", NULL)) == 64); /* every checksum is that of its place */
  small_free(&b);
}

/* ---- two processes, and sudden death ---- */

static void test_two_writers(void) {
  small_batch b;
  small_make(&b, 400);
  pid_t children[3];
  for (int i = 0; i < 3; ++i) {
    children[i] = fork();
    if (children[i] != 0) continue;
    far_store *store = NULL;
    far_batch *batch = NULL;
    b.def.threads = 1;
    far_status status = far_store_open(&store, store_path("three.db"), FAR_STORE_WRITE, NULL);
    if (status == FAR_OK) status = far_store_run(&batch, store, &b.def, NULL);
    far_batch_free(batch);
    far_store_close(store);
    small_free(&b);
    _exit(status == FAR_OK ? 0 : 1);
  }
  for (int i = 0; i < 3; ++i) {
    int status = 1;
    CHECK(waitpid(children[i], &status, 0) == children[i] && status == 0);
  }
  run_through("alone.db", &b.def);
  CHECK_TEXT(content("three.db", NULL), content("alone.db", NULL));
  small_free(&b);
}

static void test_killed(void) {
  small_batch b;
  small_make(&b, 3000);
  for (int i = 0; i < 12; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      far_store *store;
      far_batch *batch;
      far_error error;
      far_status status = far_store_open(&store, store_path("killed.db"), FAR_STORE_WRITE, &error);
      if (status == FAR_OK) status = far_store_run(&batch, store, &b.def, &error);
      if (status != FAR_OK) fprintf(stderr, "%s\n", error.message);
      while (status == FAR_OK) pause(); /* a fast one that is done waits with its store open */
      _exit(1);
    }
    int status = 1;
    nanosleep(&(struct timespec){.tv_nsec = 1000000L * (3 + 7 * i)}, NULL);
    kill(child, SIGKILL);
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    if (is_there("killed.db-wal")) CHECK(strlen(content("killed.db", NULL)) == 64);
  }
  run_through("killed.db", &b.def);
  run_through("alive.db", &b.def);
  CHECK_TEXT(content("killed.db", NULL), content("alive.db", NULL));
  small_free(&b);
}

static void test_sessions(void) {
  small_batch b;
  far_session session;
  bool found;
  small_make(&b, 20);
  far_store *store = open_store("session.db", FAR_STORE_WRITE);
  far_batch *batch;
  CHECK(far_store_command(store, "a test of sessions", NULL) == FAR_OK);
  CHECK(far_store_run(&batch, store, &b.def, NULL) == FAR_OK);
  far_batch_free(batch);
  CHECK(far_store_run(&batch, store, &b.def, NULL) == FAR_OK); /* nothing new, so no new session */
  far_batch_free(batch);
  CHECK(far_store_session(&session, &found, store, 0, NULL) == FAR_OK && found);
  CHECK_TEXT(session.command, "a test of sessions");
  CHECK_TEXT(session.version, far_version());
  CHECK(session.numerics == far_numerics() && session.processors > 0 && session.runs == 80);
  CHECK(strlen(session.started) == 20 && strcmp(session.started, session.last) <= 0);
  CHECK(far_store_session(&session, &found, store, 1, NULL) == FAR_OK && !found);
  b.def.keep = far_keeper_keep;
  CHECK(far_store_run(&batch, store, &b.def, NULL) == FAR_STATUS_CONFLICT);
  far_store_close(store);
  small_free(&b);
}

/* The same numbers as through a file, and nothing is left on the disk. */
static void test_memory(void) {
  small_batch b;
  far_batch *plain = NULL, *batch = NULL;
  far_store_info info;
  far_columns columns;
  far_record record;
  bool found = false;
  static const char *const series[] = {"total"};
  small_make(&b, 200);
  CHECK(far_batch_run(&plain, &b.def, NULL) == FAR_OK);
  far_store *store = open_store("nowhere.db", FAR_STORE_MEMORY), *other = NULL;
  for (int64_t again = 0; again < 2; ++again) {
    CHECK(far_store_run(&batch, store, &b.def, NULL) == FAR_OK);
    same_batch(plain, batch, &b.def);
    CHECK(far_batch_result(batch, 3)->known == again * 200);
    far_batch_free(batch);
  }
  CHECK(far_store_info_of(&info, store, NULL) == FAR_OK && info.runs == 800 && info.bytes > 6400);
  CHECK(far_store_record(&record, &found, store, 0, NULL) == FAR_OK && found);
  CHECK(far_store_columns(&columns, store, record.key, series, 1, NULL) == FAR_OK);
  CHECK(columns.count == 200);
  far_columns_free(&columns);
  CHECK(!is_there("nowhere.db"));
  CHECK(far_store_open(&other, "", FAR_STORE_MEMORY, NULL) == FAR_OK); /* another, and empty */
  CHECK(far_store_info_of(&info, other, NULL) == FAR_OK && info.runs == 0);
  far_store_close(other);
  far_store_close(store);
  far_batch_free(plain);
  small_free(&b);
}

int main(void) {
  if (!stores_begin()) return stores_end();
  test_resume();
  test_known();
  test_later_metric();
  test_later_curve();
  test_nearest();
  test_first_replicate();
  test_models_by_hand();
  test_overlaps();
  test_columns();
  test_many_columns();
  test_wrong_curves();
  test_all_or_nothing();
  test_done();
  test_rows_of_others();
  test_sessions();
  test_two_writers();
  test_killed();
  test_memory();
  return stores_end();
}
