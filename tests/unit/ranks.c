/* Ranks: a batch described and made again, damaged descriptions, and who gets the next block. */
#include <farsight/farsight.h>
#include <stdlib.h>

#include "base/file.h"
#include "check.h"
#include "run/mpi/batch-codec.h"
#include "run/mpi/least-busy.h"

static const int64_t every[] = {10, 20, 30}, other[] = {5};

typedef struct world {
  far_mdp *chain, *loop;
  far_metric *metric;
  const far_metric *metrics[1];
  far_cell cells[4];
  far_batch_def def;
} world;

static void make_world(world *w) {
  CHECK(far_mdp_create(&w->chain, "chain:n=5", NULL) == FAR_OK);
  CHECK(far_mdp_create(&w->loop, "loop", NULL) == FAR_OK);
  CHECK(far_metric_create(&w->metric, "coverage:what=pairs", NULL) == FAR_OK);
  w->metrics[0] = w->metric;
  const far_cell cells[] = {
      {.mdp = w->chain, .agent = "q-learning", .steps = 30, .episodes = 4},
      {.mdp = w->chain,
       .agent = "delayed-q:m=2",
       .steps = 30,
       .checkpoints = every,
       .n_checkpoints = 3},
      {.mdp = w->loop,
       .agent = "r-max",
       .steps = 30,
       .checkpoints = every,
       .n_checkpoints = 3,
       .runs = 7},
      {.mdp = w->chain, .agent = "psrl", .steps = 40, .checkpoints = other, .n_checkpoints = 1}};
  memcpy(w->cells, cells, sizeof cells);
  w->def = (far_batch_def){.cells = w->cells,
                           .n_cells = 4,
                           .runs = 9,
                           .seed = UINT64_MAX - 3,
                           .first_replicate = 1000,
                           .metrics = w->metrics,
                           .n_metrics = 1};
}

static void free_world(world *w) {
  far_mdp_free(w->chain);
  far_mdp_free(w->loop);
  far_metric_free(w->metric);
}

static void *packed(const world *w, size_t *size) {
  void *bytes = NULL;
  far_error error;
  CHECK(far__batch_pack(&bytes, size, &w->def, 3, FAR_DEVICE_AUTO, &error) == FAR_OK);
  return bytes;
}

static void same_batch(const far_batch_def *x, const far_batch_def *y) {
  far_batch *a = NULL, *b = NULL;
  CHECK(far_batch_run(&a, x, NULL) == FAR_OK);
  CHECK(far_batch_run(&b, y, NULL) == FAR_OK);
  for (size_t i = 0; i < x->n_cells; ++i) {
    CHECK(x->cells[i].episodes == y->cells[i].episodes);
    CHECK_TEXT(far_batch_result(a, i)->hash, far_batch_result(b, i)->hash);
    CHECK_TEXT(far_batch_metric(a, i, 0)->hash, far_batch_metric(b, i, 0)->hash);
    for (size_t k = 0; k < x->cells[i].n_checkpoints; ++k) {
      CHECK(far_batch_point(a, i, k)->mean == far_batch_point(b, i, k)->mean);
      CHECK(far_batch_metric_point(a, i, 0, k)->mean == far_batch_metric_point(b, i, 0, k)->mean);
    }
  }
  far_batch_free(a);
  far_batch_free(b);
}

/* The batch that comes out computes the same numbers. */
static void test_round_trip(const world *w) {
  size_t size;
  void *bytes = packed(w, &size);
  far__remote_batch plan, again;
  CHECK(far__batch_unpack(&plan, bytes, size, NULL) == FAR_OK);
  CHECK(plan.def.threads == 3 && plan.def.n_cells == 4 && plan.n_models == 2);
  CHECK(plan.device == FAR_DEVICE_AUTO);
  CHECK(plan.cells[0].n_checkpoints == 0 && plan.cells[2].checkpoints == plan.cells[1].checkpoints);
  CHECK(plan.cells[2].mdp == NULL);
  for (size_t i = 0; i < 4; ++i) CHECK(far__remote_batch_model(&plan, i, NULL) == FAR_OK);
  CHECK(plan.cells[0].mdp == plan.cells[3].mdp && plan.cells[0].mdp != plan.cells[2].mdp);
  same_batch(&w->def, &plan.def);
  const far_mdp *made = plan.cells[0].mdp;
  bytes = packed(w, &size);
  CHECK(far__batch_unpack(&again, bytes, size, NULL) == FAR_OK);
  far__remote_batch_adopt(&again, &plan);
  far__remote_batch_free(&plan);
  CHECK(far__remote_batch_model(&again, 3, NULL) == FAR_OK);
  CHECK(again.cells[3].mdp == made);
  far__remote_batch_free(&again);
}

/* No prefix and no flipped byte may be read beyond its end; sanitizers watch. */
static void test_damage(const world *w) {
  size_t size;
  unsigned char *whole = packed(w, &size);
  far__remote_batch plan;
  far_error error;
  for (size_t cut = 0; cut < size; cut += 8) {
    void *part = malloc(cut + 1);
    memcpy(part, whole, cut);
    CHECK(far__batch_unpack(&plan, part, cut, &error) != FAR_OK);
  }
  for (size_t at = 0; at < size; ++at) {
    unsigned char *copy = malloc(size);
    memcpy(copy, whole, size);
    copy[at] ^= 0xff;
    if (far__batch_unpack(&plan, copy, size, &error) == FAR_OK) far__remote_batch_free(&plan);
  }
  whole[16] ^= 1; /* the version */
  CHECK(far__batch_unpack(&plan, whole, size, &error) == FAR_STATUS_MISMATCH);
  CHECK_CONTAINS(error.message, "same version");
}

/* Checkpoints that a batch would refuse: a rank would run beyond the end of the run, or for ever. */
static void test_checkpoints(void) {
  static const int64_t wrong[][2] = {{0, 5}, {-1, 5}, {5, 5}, {6, 5}, {5, 11}, {5, INT64_MAX}};
  far_cell cell = {.agent = "random", .steps = 10, .n_checkpoints = 2};
  const far_batch_def def = {.cells = &cell, .n_cells = 1, .runs = 1};
  far_mdp *mdp = NULL;
  far__remote_batch plan;
  void *bytes;
  size_t size;
  CHECK(far_mdp_create(&mdp, "loop", NULL) == FAR_OK);
  cell.mdp = mdp;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    cell.checkpoints = wrong[i];
    CHECK(far__batch_pack(&bytes, &size, &def, 1, FAR_DEVICE_CPU, NULL) == FAR_OK);
    CHECK(far__batch_unpack(&plan, bytes, size, NULL) == FAR_STATUS_FORMAT);
  }
  far_mdp_free(mdp);
}

/* A length of 32 bits or more is not cut down to those of a size. */
static void test_long(const world *w) {
  size_t size;
  unsigned char *whole = packed(w, &size);
  uint64_t length;
  memcpy(&length, whole + 8, sizeof length); /* of the version's text */
  length += UINT64_C(1) << 32;
  memcpy(whole + 8, &length, sizeof length);
  far__remote_batch plan;
  CHECK(far__batch_unpack(&plan, whole, size, NULL) != FAR_OK);
}

/* A file that has changed since rank 0 read it is refused, as often as it is asked for: of a model as of a map. */
static void test_other_file(const char *spec, const char *path, const char *before,
                            const char *after) {
  far_cell cell = {.agent = "random", .steps = 10};
  const far_batch_def def = {.cells = &cell, .n_cells = 1, .runs = 1};
  far__remote_batch plan, later;
  far_error error;
  far_mdp *mdp = NULL;
  void *bytes, *again;
  size_t size;
  CHECK(far__file_replace(path, before, strlen(before), NULL) == FAR_OK);
  CHECK(far_mdp_create(&mdp, spec, NULL) == FAR_OK);
  cell.mdp = mdp;
  CHECK(far__batch_pack(&bytes, &size, &def, 1, FAR_DEVICE_CPU, NULL) == FAR_OK);
  CHECK(far__batch_pack(&again, &size, &def, 1, FAR_DEVICE_CPU, NULL) == FAR_OK);
  CHECK(far__batch_unpack(&plan, bytes, size, NULL) == FAR_OK);
  CHECK(far__batch_unpack(&later, again, size, NULL) == FAR_OK);
  CHECK(far__file_replace(path, after, strlen(after), NULL) == FAR_OK);
  for (int i = 0; i < 2; ++i) {
    CHECK(far__remote_batch_model(&plan, 0, &error) == FAR_STATUS_MISMATCH);
    CHECK_CONTAINS(error.message, "holds another model here than on rank 0");
  }
  far__remote_batch_adopt(&later, &plan);
  CHECK(far__remote_batch_model(&later, 0, &error) == FAR_STATUS_MISMATCH);
  CHECK(far__file_replace(path, before, strlen(before), NULL) == FAR_OK);
  CHECK(far__remote_batch_model(&later, 0, NULL) == FAR_OK && later.cells[0].mdp != NULL);
  far__remote_batch_free(&plan);
  far__remote_batch_free(&later);
  far_mdp_free(mdp);
  remove(path);
}

static void test_other_files(void) {
  static const char model[] = "discount: 0.9\nvalues: reward\nstates: 2\nactions: 1\nstart: 0\n"
                              "T: 0 : 0 : 1 %s\nT: 0 : 0 : 0 %s\nT: 0 : 1 : 1 1\n"
                              "R: 0 : * : 1 : * 1\n";
  char before[300], after[300];
  snprintf(before, sizeof before, model, "0.5", "0.5");
  snprintf(after, sizeof after, model, "0.25", "0.75");
  test_other_file("file:other-file.mdp", "other-file.mdp", before, after);
  test_other_file("grid:map=@other-map.txt", "other-map.txt", "S..\n..G\n", "S..\n.#G\n");
}

static void test_built_by_hand(void) {
  far_mdp_builder *b = NULL;
  far_mdp *mdp = NULL;
  CHECK(far_mdp_builder_create(&b, 1, 1, NULL) == FAR_OK);
  CHECK(far_mdp_builder_outcome(b, 0, 0, 1, 0, 1, NULL) == FAR_OK);
  CHECK(far_mdp_builder_start(b, 0, 1, NULL) == FAR_OK);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  const far_cell cell = {.mdp = mdp, .agent = "q-learning", .steps = 1};
  const far_batch_def def = {.cells = &cell, .n_cells = 1, .runs = 1};
  void *bytes;
  size_t size;
  far_error error;
  CHECK(far__batch_pack(&bytes, &size, &def, 1, FAR_DEVICE_CPU, &error) == FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "built by hand");
  far_mdp_free(mdp);
}

/* Every rank gets one before any gets two; one that is full gets none. */
static void test_slots(void) {
  far__least_busy ranks_by_load;
  int seen[3] = {0};
  CHECK(far__least_busy_make(&ranks_by_load, 3, 4));
  CHECK(far__least_busy_take(&ranks_by_load) == -1);
  far__least_busy_open(&ranks_by_load, 0, 1);
  far__least_busy_open(&ranks_by_load, 1, 2);
  far__least_busy_open(&ranks_by_load, 2, 99); /* 4 is the most */
  CHECK(ranks_by_load.room == 7);
  for (int i = 0; i < 3; ++i) seen[far__least_busy_take(&ranks_by_load)] += 1;
  CHECK(seen[0] == 1 && seen[1] == 1 && seen[2] == 1);
  for (int i = 0; i < 2; ++i) seen[far__least_busy_take(&ranks_by_load)] += 1;
  CHECK(seen[0] == 1 && seen[1] == 2 && seen[2] == 2);
  CHECK(far__least_busy_return(&ranks_by_load, 0) && !far__least_busy_return(&ranks_by_load, 0));
  CHECK(far__least_busy_take(&ranks_by_load) == 0);
  CHECK(far__least_busy_take(&ranks_by_load) == 2);
  CHECK(far__least_busy_take(&ranks_by_load) == 2);
  CHECK(far__least_busy_take(&ranks_by_load) == -1 && ranks_by_load.room == 0);
  CHECK(!far__least_busy_return(&ranks_by_load, 3) && !far__least_busy_return(&ranks_by_load, -1));
  for (int i = 0; i < 4; ++i) CHECK(far__least_busy_return(&ranks_by_load, 2));
  CHECK(far__least_busy_return(&ranks_by_load, 1));
  CHECK(far__least_busy_take(&ranks_by_load) == 2);
  CHECK(far__least_busy_take(&ranks_by_load) == 1);
  const size_t room = ranks_by_load.room;
  far__least_busy_close(&ranks_by_load, 2); /* which has one of four out */
  CHECK(ranks_by_load.room == room - 3 && far__least_busy_return(&ranks_by_load, 2));
  CHECK(ranks_by_load.room == room - 3 && !far__least_busy_return(&ranks_by_load, 2));
  for (size_t i = 0; i < room - 3; ++i) CHECK(far__least_busy_take(&ranks_by_load) < 2);
  CHECK(far__least_busy_take(&ranks_by_load) == -1);
  far__least_busy_free(&ranks_by_load);
}

/* Whatever comes and goes, the lists hold together: compared with counting. */
static void test_slots_at_random(void) {
  far__least_busy ranks_by_load;
  size_t out[5] = {0};
  const size_t limits[5] = {0, 1, 2, 3, 3};
  far_rng rng;
  far_rng_init(&rng, 1, 0, FAR_PURPOSE_AGENT);
  CHECK(far__least_busy_make(&ranks_by_load, 5, 3));
  for (int i = 0; i < 5; ++i) far__least_busy_open(&ranks_by_load, i, limits[i]);
  bool good = true;
  for (int k = 0; k < 5000; ++k) {
    size_t fewest = SIZE_MAX;
    for (int i = 0; i < 5; ++i)
      if (out[i] < limits[i] && out[i] < fewest) fewest = out[i];
    if (far_rng_uniform(&rng) < 0.55) {
      const int rank = far__least_busy_take(&ranks_by_load);
      good = good && (rank < 0 ? fewest == SIZE_MAX : out[rank] == fewest && fewest < limits[rank]);
      if (rank >= 0) out[rank] += 1;
    } else {
      const int rank = (int)(5 * far_rng_uniform(&rng));
      good = good && far__least_busy_return(&ranks_by_load, rank) == (out[rank] > 0);
      if (out[rank] > 0) out[rank] -= 1;
    }
  }
  CHECK(good);
  far__least_busy_free(&ranks_by_load);
}

int main(void) {
  world w;
  make_world(&w);
  test_round_trip(&w);
  test_damage(&w);
  test_long(&w);
  free_world(&w);
  test_checkpoints();
  test_other_files();
  test_built_by_hand();
  test_slots();
  test_slots_at_random();
  return check_report();
}
