/* Snapshots against runs by hand; in blocks, in stores, and where there can be none. */
#include "lab/store/access.h"
#include "run/blocks.h"
#include "run/snapshot.h"
#include "stores.h"

enum { RUNS = 9, TAKEN = 4, N_POINTS = 3, SEED = 3, N_CELLS = 5 };

static const int64_t points[N_POINTS] = {7, 60, 150};
/* with a bonus and without; a policy without a closed form; one that learns a model */
static const char *const agents[N_CELLS] = {"directed-delayed-q:m=3", "q-learning:epsilon=0.2",
                                            "bayes-q:choice=sampling", "r-max:m=4", "mbie-eb"};

typedef struct world {
  far_mdp *mdp;
  far_cell cells[N_CELLS];
  far_batch_def def;
} world;

/* The frozen lake has ends: states without actions. */
static void make_world(world *w, unsigned threads) {
  *w = (world){.def = far_batch_def_default()};
  CHECK(far_mdp_create(&w->mdp, "frozen-lake", NULL) == FAR_OK);
  for (int i = 0; i < N_CELLS; ++i)
    w->cells[i] = (far_cell){.mdp = w->mdp,
                             .agent = agents[i],
                             .steps = 150,
                             .checkpoints = points,
                             .n_checkpoints = N_POINTS};
  w->def.cells = w->cells;
  w->def.n_cells = N_CELLS;
  w->def.runs = RUNS;
  w->def.seed = SEED;
  w->def.threads = threads;
  w->def.snapshots = TAKEN;
}

/* ---- by hand ---- */

static void check_array(const double *array, bool has, double expected, size_t i) {
  CHECK((array != NULL) == has);
  if (array != NULL) CHECK(array[i] == expected);
}

static void check_agent(const far_snapshot *x, const far_agent *agent, const double *visits) {
  const far_shape *shape = far_agent_shape(agent);
  double q = 0, bonus = 0, row[16] = {0};
  CHECK(x->n_states == shape->n_states && x->n_actions == shape->n_actions);
  for (uint32_t s = 0; s < shape->n_states; ++s) {
    const bool live = far_shape_is_live(shape, s), policy = far_agent_policy(agent, s, row);
    for (uint32_t a = 0; a < shape->n_actions; ++a) {
      const size_t i = (size_t)s * shape->n_actions + a;
      const bool has_q = far_agent_value(agent, FAR_VALUE_Q, s, a, &q);
      const bool has_bonus = far_agent_value(agent, FAR_VALUE_BONUS, s, a, &bonus);
      check_array(x->q, has_q, q, i);
      check_array(x->bonus, has_bonus, bonus, i);
      if (live) check_array(x->policy, policy, row[a], i);
      if (!live && x->policy != NULL) CHECK(x->policy[i] == 0);
      CHECK(x->visits[i] == visits[i]);
    }
  }
}

/* The same run step by step, up to the snapshot. */
static void check_snapshot(const far_snapshot *x, const world *w, size_t cell) {
  far_agent *agent;
  far_rng transition, start;
  double visits[1024] = {0};
  const far_shape shape = far_mdp_shape(w->mdp);
  const uint64_t k = (uint64_t)x->replicate;
  CHECK(far_agent_create(&agent, agents[cell], &shape, SEED, k, NULL) == FAR_OK);
  far_rng_init(&transition, SEED, k, FAR_PURPOSE_TRANSITION);
  far_rng_init(&start, SEED, k, FAR_PURPOSE_START);
  uint32_t s = far_mdp_start(w->mdp, &start);
  for (int64_t t = 0; t < x->step; ++t) {
    const uint32_t a = far_agent_act(agent, s);
    const far_outcome *o = far_mdp_step(w->mdp, s, a, &transition);
    const far_transition step = {.s = s, .a = a, .r = o->reward, .next = o->next, .done = o->done};
    CHECK(far_agent_observe(agent, &step, NULL) == FAR_OK);
    visits[s * shape.n_actions + a] += 1;
    s = o->done ? far_mdp_start(w->mdp, &start) : o->next;
  }
  check_agent(x, agent, visits);
  far_agent_free(agent);
}

/* ---- in blocks ---- */

typedef struct shelf {
  const world *w;
  int seen[N_CELLS][RUNS][N_POINTS];
} shelf;

static size_t index_of(int64_t step) {
  size_t k = 0;
  while (k + 1 < N_POINTS && points[k] != step) ++k;
  CHECK(points[k] == step);
  return k;
}

static far_status keep(void *user, const far_block *blocks, size_t count, far_error *error) {
  shelf *on = user;
  (void)error;
  for (size_t i = 0; i < count; ++i)
    for (size_t j = 0; j < blocks[i].n_snapshots; ++j) {
      const far_snapshot *x = &blocks[i].snapshots[j];
      const int64_t run = x->replicate - (int64_t)on->w->def.first_replicate;
      CHECK(run >= blocks[i].first && run < blocks[i].first + blocks[i].runs);
      on->seen[blocks[i].cell][run][index_of(x->step)] += 1;
      check_snapshot(x, on->w, blocks[i].cell);
    }
  return FAR_OK;
}

/* Each once, of the right runs; and the runs are what they are without. */
static void test_blocks(unsigned threads, uint64_t first) {
  world w;
  far_batch *with = NULL, *without = NULL;
  make_world(&w, threads);
  w.def.first_replicate = first;
  shelf on = {.w = &w};
  w.def.keep = keep;
  w.def.keep_user = &on;
  CHECK(far_batch_run(&with, &w.def, NULL) == FAR_OK);
  w.def.keep = NULL;
  w.def.snapshots = 0;
  CHECK(far_batch_run(&without, &w.def, NULL) == FAR_OK);
  for (size_t i = 0; i < N_CELLS; ++i) {
    CHECK_TEXT(far_batch_result(with, i)->hash, far_batch_result(without, i)->hash);
    for (int r = 0; r < RUNS; ++r)
      for (int k = 0; k < N_POINTS; ++k) CHECK(on.seen[i][r][k] == ((uint64_t)r + first < TAKEN));
  }
  far_batch_free(with);
  far_batch_free(without);
  far_mdp_free(w.mdp);
}

static bool stop_soon(void *user, const far_progress *progress) {
  (void)user;
  return progress->runs_done < 3;
}

static bool tenth_time(void *user) {
  return ++*(int *)user == 10;
}

/* A run that is stopped between its checkpoints leaves no snapshot, though one was taken: there is a look before every
 * third step. What is given back can be freed twice. */
static void test_stopped(void) {
  world w;
  far_worker *worker;
  int asked = 0;
  make_world(&w, 1);
  far_block block = {.cell = 1, .runs = 2};
  CHECK(far_worker_create(&worker, &w.def, tenth_time, &asked, NULL) == FAR_OK);
  CHECK(far_worker_run(worker, &block, NULL) == FAR_OK && asked == 10);
  CHECK(block.runs == 0 && block.n_snapshots == 0 && block.values == NULL);
  far__block_free(&block);
  asked = 10; /* never again */
  block = (far_block){.cell = 1, .runs = 2};
  CHECK(far_worker_run(worker, &block, NULL) == FAR_OK && block.runs == 2);
  CHECK(block.n_snapshots == 2 * N_POINTS);
  for (int i = 0; i < 2; ++i) {
    far__block_free(&block);
    CHECK(block.values == NULL && block.snapshots == NULL && block.n_snapshots == 0);
  }
  far_worker_free(worker);
  far_mdp_free(w.mdp);
}

/* Four arrays of 2^62 numbers: there is no memory for them, rather than for what is left of 2^64. */
static void test_beyond_memory(void) {
  const uint32_t n = UINT32_C(1) << 31;
  far_snapshot x;
  far_error error = {.position = 0};
  CHECK(far__snapshot_create(&x, n, n, true, true, true, &error) == FAR_STATUS_MEMORY);
  CHECK(x.visits == NULL && x.policy == NULL && error.position == -1);
}

/* What is stopped, or fails, loses no memory; and what is impossible is refused. */
static void test_refused(void) {
  world w;
  far_batch *batch = NULL;
  far_error error;
  make_world(&w, 2);
  w.def.progress = stop_soon;
  for (int i = 0; i < N_CELLS; ++i) w.cells[i].steps = 20000;
  const far_status status = far_batch_run(&batch, &w.def, &error);
  CHECK(status == FAR_STATUS_CANCELLED || status == FAR_OK);
  far_batch_free(batch);
  w.def.progress = NULL;
  w.def.snapshots = -1;
  CHECK(far_batch_run(&batch, &w.def, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "snapshots must be 0 or more");
  far_mdp_free(w.mdp);
  make_world(&w, 1);
  far_mdp *large;
  CHECK(far_mdp_create(&large, "chain:n=1000000", NULL) == FAR_OK);
  w.cells[1].mdp = large;
  CHECK(far_batch_run(&batch, &w.def, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "are too many");
  far_mdp_free(large);
  far_mdp_free(w.mdp);
}

/* ---- in stores ---- */

static int format_of(const char *name, int64_t *snapshots) {
  far_store_info info = {0};
  far_store *store = open_store(name, FAR_STORE_READ);
  CHECK(far_store_info_of(&info, store, NULL) == FAR_OK);
  far_store_close(store);
  if (snapshots != NULL) *snapshots = info.snapshots;
  return info.format;
}

static size_t cell_of(const far_record *record, const world *w) {
  size_t i = 0;
  const far_shape shape = far_mdp_shape(w->mdp);
  for (; i < N_CELLS; ++i) {
    char spec[FAR_SPEC_SIZE];
    CHECK(far_agent_resolve(spec, agents[i], &shape, NULL) == FAR_OK);
    if (strcmp(spec, record->agent) == 0) break;
  }
  CHECK(i < N_CELLS);
  return i;
}

/* Those of one record, compared with runs by hand; how many there are. */
static int64_t read_record(far_store *store, const char *key, const world *w, size_t cell) {
  int64_t n = 0, replicate = 0, step = 0;
  for (bool more = true; more;) {
    far_snapshot x;
    CHECK(far_store_snapshot_read(&x, &more, store, key, replicate, step, NULL) == FAR_OK);
    if (!more) break;
    check_snapshot(&x, w, cell);
    CHECK(x.replicate == n / N_POINTS && x.step == points[n % N_POINTS]); /* in order */
    replicate = x.replicate;
    step = x.step + 1;
    far_snapshot_free(&x);
    n += 1;
  }
  return n;
}

static int64_t read_all(const char *name, const world *w) {
  far_store *store = open_store(name, FAR_STORE_READ);
  far_record record;
  far_snapshot x;
  bool found = true;
  int64_t n = 0;
  for (size_t i = 0; found; ++i) {
    char key[FAR_HASH_TEXT];
    CHECK(far_store_record(&record, &found, store, i, NULL) == FAR_OK);
    if (!found) break;
    snprintf(key, sizeof key, "%s", record.key);
    n += read_record(store, key, w, cell_of(&record, w));
  }
  CHECK(far_store_snapshot_read(&x, &found, store, "none", 0, 0, NULL) == FAR_STATUS_UNKNOWN);
  far_store_close(store);
  return n;
}

static int64_t known(const char *name, const world *w) {
  int64_t out = 0;
  far_store *store = open_store(name, FAR_STORE_READ);
  CHECK(far__store_known(&out, store, &w->def, 1, NULL) == FAR_OK);
  far_store_close(store);
  return out;
}

/* A store without any stays of format 1, and gets what it lacks. */
static void test_store(void) {
  world w;
  int64_t snapshots;
  make_world(&w, 2);
  w.def.snapshots = 0;
  run_through("late.db", &w.def);
  CHECK(format_of("late.db", &snapshots) == 1 && snapshots == 0 && read_all("late.db", &w) == 0);
  w.def.snapshots = 2;
  CHECK(known("late.db", &w) == RUNS - 2);
  run_through("late.db", &w.def);
  CHECK(format_of("late.db", &snapshots) == 2 && snapshots == N_CELLS * 2 * N_POINTS);
  CHECK(known("late.db", &w) == RUNS);
  w.def.snapshots = TAKEN;
  CHECK(known("late.db", &w) == RUNS - TAKEN + 2);
  run_through("late.db", &w.def);
  run_through("late.db", &w.def);
  CHECK(read_all("late.db", &w) == N_CELLS * TAKEN * N_POINTS);
  run_through("once.db", &w.def);
  CHECK_TEXT(content("late.db", NULL), content("once.db", NULL));
  w.def.snapshots = 0; /* fewer are known as well */
  CHECK(known("late.db", &w) == RUNS);
  run_through("none.db", &w.def);
  CHECK(strcmp(content("none.db", NULL), content("once.db", NULL)) != 0);
  far_mdp_free(w.mdp);
}

static far_status merge(const char *to, const char *from, int64_t *added, far_error *error) {
  far_store *store = open_store(to, FAR_STORE_WRITE);
  const char *const others[] = {store_path(from)};
  const far_status status = far_store_merge(added, store, others, 1, error);
  far_store_close(store);
  return status;
}

/* Halves make a whole, twice changes nothing, and into a store of format 1 they go as well. */
static void test_merge(void) {
  world w;
  int64_t added;
  far_error error;
  make_world(&w, 1);
  w.def.runs = 2;
  run_through("first.db", &w.def);
  w.def.runs = RUNS - 2;
  w.def.first_replicate = 2;
  run_through("second.db", &w.def);
  CHECK(merge("merged.db", "first.db", &added, &error) == FAR_OK && added > 0);
  CHECK(merge("merged.db", "second.db", &added, &error) == FAR_OK && added > 0);
  CHECK_TEXT(content("merged.db", NULL), content("once.db", NULL));
  CHECK(merge("merged.db", "second.db", &added, &error) == FAR_OK && added == 0);
  CHECK(format_of("none.db", NULL) == 1);
  CHECK(merge("none.db", "once.db", &added, &error) == FAR_OK && added > 0);
  CHECK_TEXT(content("none.db", NULL), content("once.db", NULL));
  CHECK(read_all("none.db", &w) == N_CELLS * TAKEN * N_POINTS);
  far_mdp_free(w.mdp);
}

/* Another snapshot of a run that is there is an alarm, and changes nothing. */
static void test_conflict(void) {
  world w;
  far_keeper *keeper;
  far_error error;
  double values[4] = {0};
  far_snapshot x;
  make_world(&w, 1);
  far_store *store = open_store("other.db", FAR_STORE_WRITE);
  CHECK(far_keeper_create(&keeper, store, &w.def, NULL) == FAR_OK);
  CHECK(far__snapshot_create(&x, 16, 4, true, false, true, NULL) == FAR_OK);
  CHECK(x.bonus == NULL && x.q == x.visits + 64 && x.policy == x.q + 64);
  x.replicate = 2;
  x.step = 7;
  const far_block block = {
      .cell = 1, .first = 2, .runs = 1, .values = values, .snapshots = &x, .n_snapshots = 1};
  CHECK(far_keeper_keep(keeper, &block, 1, &error) == FAR_OK);
  CHECK(far_keeper_keep(keeper, &block, 1, &error) == FAR_OK);
  x.policy[63] = 1;
  CHECK(far_keeper_keep(keeper, &block, 1, &error) == FAR_STATUS_FORMAT);
  CHECK_CONTAINS(error.message, "run 2 of 'q-learning");
  CHECK_CONTAINS(error.message, "the snapshot at step 7 in");
  far_snapshot_free(&x);
  CHECK(x.replicate == 0 && x.step == 0 && x.n_states == 0 && x.visits == NULL);
  far_snapshot_free(&x);
  far_keeper_free(keeper);
  far_store_close(store);
  int64_t snapshots;
  CHECK(format_of("other.db", &snapshots) == 2 && snapshots == 1);
  far_mdp_free(w.mdp);
}

typedef struct sum {
  size_t lines;
  char first[256];
} sum;

static bool count_lines(void *user, const char *bytes, size_t length) {
  sum *to = user;
  if (to->lines == 0)
    snprintf(to->first, sizeof to->first, "%.*s", (int)strcspn(bytes, "\n"), bytes);
  for (size_t i = 0; i < length; ++i) to->lines += bytes[i] == '\n';
  return true;
}

static void test_export(void) {
  far_store *store = open_store("once.db", FAR_STORE_READ);
  sum to = {0};
  CHECK(far_store_export_snapshots(store, count_lines, &to, NULL) == FAR_OK);
  CHECK(to.lines == 1 + N_CELLS * TAKEN * N_POINTS * 64);
  CHECK_TEXT(to.first,
             "env,agent,steps,episodes,seed,replicate,step,state,action,q,bonus,visits,probability,"
             "model,numerics");
  far_store_close(store);
}

int main(void) {
  test_blocks(1, 0);
  test_blocks(3, 0);
  test_blocks(2, 3);
  test_blocks(2, TAKEN);
  test_stopped();
  test_refused();
  test_beyond_memory();
  if (stores_begin()) {
    test_store();
    test_merge();
    test_conflict();
    test_export();
  }
  return stores_end();
}
