/* Runs until intervals are narrow, or until agents are ranked: each cell stops on its own, at a look fixed beforehand, with the
 * numbers of a batch of that many runs; whatever the threads and whatever a store knows. */
#include <farsight/lab.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "lab/study/parts.h"

enum { N_CELLS = 4 };

static far_study *make_study(const char *until, int64_t runs) {
  static const char *const envs[] = {"chain:n=[4,8]"};
  static const char *const agents[] = {"q-learning:gamma=0.95,alpha=0.1,q0=20",
                                       "delayed-q:preset=practical"};
  far_study_def def = far_study_def_default();
  far_study *study = NULL;
  def.envs = envs;
  def.n_envs = 1;
  def.agents = agents;
  def.n_agents = 2;
  def.steps = 300;
  def.curve = "3";
  def.until = until;
  def.runs = runs;
  CHECK(far_study_create(&study, &def, NULL) == FAR_OK);
  return study;
}

/* Runs that were computed, over all cells and looks. */
static int64_t computed(const far_look *looks) {
  int64_t sum = 0;
  for (int i = 0; i < N_CELLS; ++i) sum += looks[i].computed;
  return sum;
}

static int64_t all_runs(const far_look *looks) {
  int64_t sum = 0;
  for (int i = 0; i < N_CELLS; ++i) sum += looks[i].n;
  return sum;
}

typedef struct outcome {
  far_look looks[N_CELLS];
  char hashes[N_CELLS][FAR_HASH_TEXT];
} outcome;

static outcome pursue(const char *until, int64_t runs, unsigned threads, far_store *store) {
  outcome out = {0};
  far_until rule;
  far_batch *batch = NULL;
  far_study *study = make_study(until, runs);
  far_batch_def def = *far_study_batch(study);
  def.threads = threads;
  CHECK(far__study_until(&rule, study, NULL) == FAR_OK);
  CHECK(far__until_run(&batch, out.looks, &rule, &def, store, NULL) == FAR_OK);
  for (size_t i = 0; batch != NULL && i < N_CELLS; ++i) {
    const far_result *r = far_batch_result(batch, i);
    CHECK(r->runs == out.looks[i].n && r->mean == out.looks[i].mean);
    CHECK(r->ci95 < out.looks[i].half_width);
    CHECK(far_batch_point(batch, i, 2)->mean == r->mean);
    memcpy(out.hashes[i], r->hash, FAR_HASH_TEXT);
  }
  far_batch_free(batch);
  far_study_free(study);
  return out;
}

static void same(const outcome *x, const outcome *y) {
  for (int i = 0; i < N_CELLS; ++i) {
    CHECK(x->looks[i].n == y->looks[i].n && x->looks[i].half_width == y->looks[i].half_width);
    CHECK_TEXT(x->hashes[i], y->hashes[i]);
  }
}

/* What a plain batch of as many runs says. */
static void same_as_plain(const outcome *x) {
  for (size_t i = 0; i < N_CELLS; ++i) {
    far_study *study = make_study(NULL, x->looks[i].n);
    far_batch *batch = NULL;
    CHECK(far_batch_run(&batch, far_study_batch(study), NULL) == FAR_OK);
    CHECK_TEXT(x->hashes[i], far_batch_result(batch, i)->hash);
    far_batch_free(batch);
    far_study_free(study);
  }
}

static void test_stops(void) {
  const outcome x = pursue("ci=8%,first=30", 0, 1, NULL);
  bool differ = false;
  for (int i = 0; i < N_CELLS; ++i) {
    CHECK(x.looks[i].enough && x.looks[i].half_width <= 0.08 * fabs(x.looks[i].mean));
    differ = differ || x.looks[i].n != x.looks[0].n;
  }
  CHECK(differ);
  CHECK(computed(x.looks) == all_runs(x.looks));
  same_as_plain(&x);
  const outcome threads = pursue("ci=8%,first=30", 0, 3, NULL);
  same(&x, &threads);
}

/* The most is the most, and says so. */
static void test_most(void) {
  const outcome x = pursue("ci=0.0001", 50, 2, NULL);
  for (int i = 0; i < N_CELLS; ++i) {
    CHECK(x.looks[i].n == 50 && x.looks[i].last && !x.looks[i].enough);
  }
}

/* A store that knows nothing, a part, or more than is needed changes nothing. */
static void test_store(void) {
  char path[] = "/tmp/farsight-until-XXXXXX";
  const int file = mkstemp(path);
  far_store *store = NULL;
  far_error error;
  CHECK(file >= 0 && close(file) == 0);
  const outcome x = pursue("ci=8%,first=30", 0, 2, NULL);
  const far_status status = far_store_open(&store, path, FAR_STORE_WRITE, &error);
  CHECK(status == FAR_OK || status == FAR_STATUS_ABSENT);
  if (status == FAR_OK) {
    outcome stored = pursue("ci=20%,first=30", 0, 2, store);
    const int64_t before = all_runs(stored.looks);
    CHECK(computed(stored.looks) == before);
    stored = pursue("ci=8%,first=30", 0, 2, store);
    same(&x, &stored);
    CHECK(computed(stored.looks) == all_runs(stored.looks) - before);
    (void)pursue("ci=4%,first=30", 0, 2, store);
    stored = pursue("ci=8%,first=30", 0, 1, store);
    same(&x, &stored);
    CHECK(computed(stored.looks) == 0);
  }
  far_store_close(store);
  CHECK(unlink(path) == 0);
}

static bool stop_now(void *user, const far_progress *progress) {
  (void)progress;
  return ++*(int *)user < 2;
}

static void test_cancel(void) {
  far_until rule;
  far_batch *batch = NULL;
  far_look looks[N_CELLS];
  int count = 0;
  far_study *study = make_study("ci=1e-9", 100000000);
  far_batch_def def = *far_study_batch(study);
  def.progress = stop_now;
  def.user = &count;
  CHECK(far__study_until(&rule, study, NULL) == FAR_OK);
  CHECK(far__until_run(&batch, looks, &rule, &def, NULL, NULL) == FAR_STATUS_CANCELLED);
  CHECK(batch != NULL && far_batch_result(batch, 0)->runs >= looks[0].n);
  for (size_t i = 0; batch != NULL && i < N_CELLS; ++i)
    CHECK(looks[i].computed == far_batch_result(batch, i)->runs);
  far_batch_free(batch);
  far_study_free(study);
}

static void test_errors(void) {
  static const char *const bad[] = {"4",       "ci=",    "ci=-1", "ci=0",  "ci=1%%",
                                    "width=1", "ci=nan", "rank",  "rank=", "rank=100%"};
  static const char *const env = "chain", *const agent = "delayed-q:preset=practical";
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    far_study_def def = far_study_def_default();
    far_study *study;
    far_error error;
    def.envs = &env;
    def.n_envs = 1;
    def.agents = &agent;
    def.n_agents = 1;
    def.until = bad[i];
    const far_status status = far_study_create(&study, &def, &error);
    CHECK(status == FAR_STATUS_SYNTAX || status == FAR_STATUS_RANGE);
  }
  far_study *study = make_study(NULL, 0);
  far_until rule;
  CHECK(far_study_batch(study)->runs == 300);
  CHECK(far__study_until(&rule, study, NULL) == FAR_STATUS_RANGE);
  far_study_free(study);
  study = make_study("ci=2", 0);
  CHECK(far_study_batch(study)->runs == 100000);
  far_study_free(study);
}

/* ---- until the agents are ranked ---- */

enum { N_PAIRS = N_CELLS / 2 };

typedef struct ranked {
  far_ranking_pair pairs[N_PAIRS];
  int64_t runs[N_CELLS], computed[N_CELLS];
} ranked;

static ranked rank(const char *until, int64_t runs, unsigned threads, far_store *store) {
  ranked out = {0};
  far_ranking_def rule;
  far_ranking *ranking = NULL;
  far_batch *batch = NULL;
  far_study *study = make_study(until, runs);
  far_batch_def def = *far_study_batch(study);
  def.threads = threads;
  CHECK(far__study_ranking(&rule, study, NULL) == FAR_OK);
  CHECK(far_ranking_create(&ranking, &rule, 2, 2, NULL) == FAR_OK);
  CHECK(far__ranking_run(&batch, ranking, out.computed, &def, store, NULL) == FAR_OK);
  for (size_t i = 0; i < N_PAIRS; ++i) out.pairs[i] = *far_ranking_pair_at(ranking, i);
  for (size_t i = 0; batch != NULL && i < N_CELLS; ++i)
    out.runs[i] = far_batch_result(batch, i)->runs;
  far_batch *again = NULL;
  CHECK(far__ranking_run(&again, ranking, out.computed, &def, store, NULL) == FAR_STATUS_CONFLICT);
  far_batch_free(batch);
  far_ranking_free(ranking);
  far_study_free(study);
  return out;
}

static void same_ranking(const ranked *x, const ranked *y) {
  for (size_t i = 0; i < N_PAIRS; ++i) {
    const far_ranking_pair *a = &x->pairs[i], *b = &y->pairs[i];
    CHECK(a->better == b->better && a->look == b->look && a->runs == b->runs);
    CHECK(a->p == b->p && a->p_adjusted == b->p_adjusted && a->mean == b->mean);
  }
  CHECK(memcmp(x->runs, y->runs, sizeof x->runs) == 0);
}

static int64_t sum(const int64_t *x) {
  int64_t total = 0;
  for (int i = 0; i < N_CELLS; ++i) total += x[i];
  return total;
}

/* Each environment stops when its pair is decided, and the decisions are those of the numbers alone. */
static void test_ranks(void) {
  const ranked x = rank("rank=5%,first=30", 0, 1, NULL),
               threads = rank("rank=5%,first=30", 0, 3, NULL);
  for (size_t i = 0; i < N_PAIRS; ++i) {
    CHECK(x.pairs[i].env == i && x.pairs[i].better != 0 && x.pairs[i].p_adjusted <= 0.05);
    CHECK(x.runs[2 * i] == x.pairs[i].runs && x.runs[2 * i + 1] == x.pairs[i].runs);
  }
  CHECK(x.runs[0] != x.runs[2]);
  CHECK(memcmp(x.runs, x.computed, sizeof x.runs) == 0);
  same_ranking(&x, &threads);
  const ranked tie = rank("rank=0.000001,first=20", 40, 1, NULL);
  for (size_t i = 0; i < N_PAIRS; ++i)
    CHECK(tie.pairs[i].better == 0 && tie.runs[2 * i] == 30); /* the next look would be at 45 */
}

/* A store that has nothing, a part or more than is needed changes nothing. */
static void test_ranks_in_store(void) {
  char path[] = "/tmp/farsight-rank-XXXXXX";
  const int file = mkstemp(path);
  far_store *store = NULL;
  CHECK(file >= 0 && close(file) == 0);
  const ranked x = rank("rank=5%,first=30", 0, 2, NULL);
  const far_status status = far_store_open(&store, path, FAR_STORE_WRITE, NULL);
  CHECK(status == FAR_OK || status == FAR_STATUS_ABSENT);
  if (status == FAR_OK) {
    ranked stored = rank("rank=5%,first=30", 40, 2, store);
    const int64_t before = sum(stored.runs);
    stored = rank("rank=5%,first=30", 0, 2, store);
    same_ranking(&x, &stored);
    CHECK(sum(stored.computed) == sum(stored.runs) - before);
    (void)rank("rank=0.00001%,first=30", 500, 2, store);
    stored = rank("rank=5%,first=30", 0, 1, store);
    same_ranking(&x, &stored);
    CHECK(sum(stored.computed) == 0);
  }
  far_store_close(store);
  CHECK(unlink(path) == 0);
}

static void test_ranks_bad(void) {
  far_ranking_def rule;
  far_until until;
  far_study *study = make_study("ci=1%", 0);
  CHECK(far__study_ranking(&rule, study, NULL) == FAR_STATUS_RANGE);
  far_study_free(study);
  study = make_study("rank=5%", 0);
  CHECK(far_study_batch(study)->runs == 10000);
  CHECK(far__study_until(&until, study, NULL) == FAR_STATUS_SYNTAX);
  far_study_free(study);
  study = make_study("rank=5%", 20); /* fewer than the first look by itself */
  CHECK(far__study_ranking(&rule, study, NULL) == FAR_OK && rule.first == 20);
  far_study_free(study);
}

static void test_ranks_cancelled(void) {
  far_ranking_def rule = far_ranking_def_default();
  far_ranking *ranking = NULL;
  far_batch *batch = NULL;
  int64_t computed[N_CELLS];
  int count = 0;
  far_study *study = make_study("rank=0.01%", 100000);
  far_batch_def def = *far_study_batch(study);
  def.progress = stop_now;
  def.user = &count;
  rule.first = rule.most = 100000;
  CHECK(far_ranking_create(&ranking, &rule, 2, 2, NULL) == FAR_OK);
  CHECK(far__ranking_run(&batch, ranking, computed, &def, NULL, NULL) == FAR_STATUS_CANCELLED);
  CHECK(far_ranking_info_of(ranking).looks == 0 && far_ranking_info_of(ranking).n_open == 2);
  for (size_t i = 0; batch != NULL && i < N_CELLS; ++i)
    CHECK(computed[i] == far_batch_result(batch, i)->runs);
  far_batch_free(batch);
  far_ranking_free(ranking);
  far_study_free(study);
}

int main(void) {
  test_ranks();
  test_ranks_in_store();
  test_ranks_bad();
  test_ranks_cancelled();
  test_stops();
  test_most();
  test_store();
  test_cancel();
  test_errors();
  return check_report();
}
