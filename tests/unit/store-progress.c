/* A store that is followed while it grows: the numbers against far_comparison and far_sample_moments, what
 * is planned and left, speed, and what a second poll reads. */
#include <time.h>

#include "lab/store/access.h"
#include "lab/study/parts.h"
#include "questions/store/store-progress.h"
#include "stores.h"

enum { RUNS = 37, CELLS = 4 };

static far__follower *follow(const far_batch_def *plan, const far_until *until) {
  far__follower *out = NULL;
  far_error error = {.message = ""};
  far__follower_def def = far__follower_def_default();
  def.plan = plan;
  def.until = until;
  CHECK(far__follower_create(&out, &def, &error) == FAR_OK);
  if (out == NULL) printf("  %s\n", error.message);
  return out;
}

static const far__store_progress *poll(far__follower *f, far_store *store, double now) {
  far_error error = {.message = ""};
  CHECK(far__follower_poll(f, store, now, &error) == FAR_OK);
  CHECK_TEXT(error.message, "");
  return far__follower_seen(f);
}

/* The runs of all cells become so many. */
static void grow(const char *name, int64_t runs, uint64_t first, bool metrics) {
  small_batch b;
  small_make(&b, runs);
  b.def.first_replicate = first;
  if (!metrics) b.def.n_metrics = 0;
  run_through(name, &b.def);
  small_free(&b);
}

/* ---- the numbers ---- */

static void check_widths(const far__store_progress_cell *cell, const double *x) {
  size_t k = 0;
  for (int64_t n = 2; n < cell->runs; n *= 2, ++k) {
    CHECK(k < cell->n_widths && cell->widths[k].runs == n);
    CHECK(cell->widths[k].ci95 == far_sample_moments(x, n).ci95);
  }
  CHECK(cell->n_widths == k + 1 && cell->widths[k].runs == cell->runs);
  CHECK(cell->widths[k].ci95 == cell->ci95);
}

/* A cell against what the store has of it. */
static void check_cell(const far__store_progress_cell *cell, far_store *store, int64_t runs) {
  double *x;
  int64_t *replicates, n;
  CHECK(far__store_values(&x, &replicates, &n, store, cell->key, "total", NULL) == FAR_OK);
  const far_moments m = far_sample_moments(x, n);
  CHECK(cell->runs == runs && n == runs && cell->mean == m.mean && cell->ci95 == m.ci95);
  CHECK(cell->steps == 300 && cell->seed == UINT64_MAX - 6 && cell->seconds > 0);
  check_widths(cell, x);
  free(x);
  free(replicates);
}

/* As `farsight stats` has it. */
static void compare_cell(const far__store_progress_cell *cell, const far_comparison_group *g) {
  for (size_t i = 0; i < g->n_envs * g->n_agents; ++i) {
    if (strcmp(g->envs[i / g->n_agents].label, cell->env) != 0) continue;
    if (strcmp(g->agents[i % g->n_agents].label, cell->agent) != 0) continue;
    const far_summary *s = &g->cells[i].summary;
    CHECK(s->mean == cell->mean && g->cells[i].runs == cell->runs);
    CHECK_NEAR(cell->ci95, (s->high - s->low) / 2, 1e-9 * fabs(s->mean) + 1e-12);
    return;
  }
  CHECK(false);
  printf("  there is no cell %s on %s\n", cell->agent, cell->env);
}

static void test_numbers(void) {
  grow("a.db", RUNS, 0, true);
  far_store *store = open_store("a.db", FAR_STORE_READ);
  far__follower *f = follow(NULL, NULL);
  far_comparison *c = NULL;
  far_comparison_def def = far_comparison_def_default();
  def.bootstrap.resamples = 100;
  const far__store_progress *seen = poll(f, store, (double)time(NULL));
  CHECK(seen->n_cells == CELLS && seen->runs == CELLS * RUNS && seen->seconds > 0);
  CHECK(!seen->has_plan && !seen->finished && isnan(seen->share) && isnan(seen->seconds_left));
  CHECK(far_comparison_create(&c, store, &def, NULL) == FAR_OK && c->n_groups == 1);
  for (size_t i = 0; i < seen->n_cells; ++i) {
    check_cell(&seen->cells[i], store, RUNS);
    if (c != NULL) compare_cell(&seen->cells[i], &c->groups[0]);
    CHECK(!seen->cells[i].is_planned && seen->cells[i].finished);
  }
  far_comparison_free(c);
  far__follower_free(f);
  far_store_close(store);
}

/* ---- growing ---- */

typedef struct taken {
  int64_t blocks, runs, last;
} taken;

static far_status count_block(void *user, const far__store_block *block, far_error *error) {
  taken *t = user;
  (void)error;
  CHECK(block->id > t->last && block->runs > 0 && block->cell.runs == 0);
  CHECK((strcmp(block->series, "total") == 0) == (block->totals != NULL));
  t->last = block->id;
  t->blocks += 1;
  if (block->totals != NULL) t->runs += block->runs;
  return FAR_OK;
}

static far_status refuse_block(void *user, const far__store_block *block, far_error *error) {
  (void)user, (void)block;
  if (error != NULL) snprintf(error->message, sizeof error->message, "enough");
  return FAR_STATUS_CONFLICT;
}

static taken blocks_after(far_store *store, int64_t after) {
  taken t = {.last = after};
  CHECK(far__store_blocks_after(store, after, count_block, &t, NULL) == FAR_OK);
  return t;
}

/* Another connection writes while this one is open. */
static void test_growing(void) {
  grow("b.db", 5, 10, true); /* the later replicates first */
  far_store *store = open_store("b.db", FAR_STORE_READ);
  far__follower *f = follow(NULL, NULL);
  const far__store_progress *seen = poll(f, store, 1e9);
  const taken before = blocks_after(store, 0);
  CHECK(seen->runs == CELLS * 5 && before.runs == seen->runs && before.blocks > CELLS);
  CHECK(blocks_after(store, before.last).blocks == 0);
  CHECK(poll(f, store, 1e9 + 1)->runs == CELLS * 5);
  grow("b.db", 15, 0, true);
  const taken after = blocks_after(store, before.last);
  CHECK(after.runs == CELLS * 10);
  seen = poll(f, store, 1e9 + 2);
  CHECK(seen->runs == CELLS * 15 && seen->n_cells == CELLS);
  for (size_t i = 0; i < seen->n_cells; ++i) check_cell(&seen->cells[i], store, 15);
  CHECK(seen->n_sessions == 2 && seen->sessions[0].runs == CELLS * 5);
  CHECK(seen->sessions[1].runs == CELLS * 10 && seen->sessions[1].steps == CELLS * 10 * 300);
  CHECK(far__store_blocks_after(store, 0, refuse_block, NULL, NULL) == FAR_STATUS_CONFLICT);
  far__follower_free(f);
  far_store_close(store);
}

static int allowed;
static bool allow_some(void *user) {
  (void)user;
  return --allowed >= 0;
}

/* A poll that ends in the middle loses nothing and counts nothing twice; nor does one of another store that
 * is the same file. */
static void test_interruption(void) {
  far__follower_def def = far__follower_def_default();
  far__follower *f;
  far_error error;
  def.proceeds = allow_some;
  CHECK(far__follower_create(&f, &def, NULL) == FAR_OK);
  for (int polls = 0;; ++polls) {
    far_store *store = open_store("a.db", FAR_STORE_READ);
    allowed = 3;
    const far_status status = far__follower_poll(f, store, 1e9, &error);
    if (status != FAR_OK) CHECK(status == FAR_STATUS_CANCELLED && far__follower_seen(f) != NULL);
    const far__store_progress *seen = far__follower_seen(f);
    if (status == FAR_OK) {
      CHECK(polls > 2 && seen->runs == CELLS * RUNS);
      for (size_t i = 0; i < seen->n_cells; ++i) check_cell(&seen->cells[i], store, RUNS);
    }
    far_store_close(store);
    if (status == FAR_OK || polls > 1000) break;
  }
  far__follower_free(f);
}

/* ---- the plan ---- */

/* The store calls the cells of the plan as the keeper does. */
static void check_names(const far_batch_def *def, const far__store_progress *seen) {
  far_keeper *keeper;
  CHECK(far_keeper_create(&keeper, NULL, def, NULL) == FAR_OK);
  for (size_t i = 0; i < CELLS; ++i) {
    const far_record r = far__keeper_record(keeper, i);
    CHECK_TEXT(seen->cells[i].key, r.key);
    CHECK(r.runs == 20 && r.steps == 300);
    CHECK_TEXT(far__keeper_series(keeper, i, 0), "total");
    CHECK_CONTAINS(far__keeper_series(keeper, i, 1), "coverage");
    CHECK_TEXT(far__keeper_series(keeper, i, 3), "curve@10,100,300");
    CHECK(far__keeper_series(keeper, i, 5) != NULL && far__keeper_series(keeper, i, 6) == NULL);
  }
  far_keeper_free(keeper);
}

/* Runs that lack a planned series are not done; what is beyond the plan does not count. */
static void test_plan(void) {
  small_batch b;
  small_make(&b, 20);
  grow("c.db", 30, 0, false);
  far_store *store = open_store("c.db", FAR_STORE_READ);
  far__follower *f = follow(&b.def, NULL);
  const far__store_progress *seen = far__follower_seen(f);
  CHECK(seen->has_plan && seen->n_cells == CELLS && seen->planned == 80 && seen->done == 0);
  CHECK(!seen->finished && seen->share == 0 && isnan(seen->cells[0].mean));
  CHECK_TEXT(seen->cells[0].env, "chain:n=5");
  CHECK_TEXT(seen->cells[1].agent, "directed-delayed-q:m=3");
  CHECK_TEXT(seen->cells[2].env, "riverswim");
  check_names(&b.def, seen);
  const double now = (double)time(NULL);
  seen = poll(f, store, now);
  CHECK(seen->runs == 120 && seen->done == 0 && !seen->finished && seen->n_finished == 0);
  grow("c.db", 8, 0, true);
  seen = poll(f, store, now + 10);
  CHECK(seen->done == 32 && seen->cells[3].done == 8 && seen->cells[3].planned == 20);
  CHECK(seen->runs == 120 && seen->share > 0.3 && seen->share < 0.5);
  CHECK(seen->seconds_left > 5 && seen->seconds_left < 40); /* 15, if all cells cost the same */
  grow("c.db", 25, 0, true);
  seen = poll(f, store, now + 20);
  CHECK(seen->done == 80 && seen->finished && seen->n_finished == CELLS && seen->share == 1);
  CHECK(seen->seconds_left == 0 && seen->cells[0].runs == 30);
  far__follower_free(f);
  far_store_close(store);
  small_free(&b);
}

/* With a stopping rule the study and its follower agree on who needs how many runs. */
static void test_until(void) {
  small_batch b;
  far_batch *batch = NULL;
  far_look looks[CELLS];
  far_until until = far_until_default();
  until.width = 0.2;
  until.relative = true;
  until.first = 10;
  until.most = 100;
  small_make(&b, 1);
  far__follower *f = follow(&b.def, &until);
  CHECK(far__follower_seen(f)->planned == CELLS * 10);
  grow("d.db", 5, 0, true);
  far_store *reader = open_store("d.db", FAR_STORE_READ);
  CHECK(poll(f, reader, 1e9)->done == CELLS * 5);
  grow("d.db", 10, 0, true);
  const int64_t expected = poll(f, reader, 1e9 + 1)->planned;
  CHECK(expected >= CELLS * 10 && !far__follower_seen(f)->finished);
  far_store *store = open_store("d.db", FAR_STORE_WRITE);
  CHECK(far__until_run(&batch, looks, &until, &b.def, store, NULL) == FAR_OK);
  far_store_close(store);
  const far__store_progress *seen = poll(f, reader, 1e9 + 2);
  bool some = false;
  CHECK(seen->finished);
  for (size_t i = 0; i < CELLS; ++i) {
    CHECK(seen->cells[i].planned == looks[i].n && seen->cells[i].done == looks[i].n);
    some = some || looks[i].n > 10;
  }
  CHECK(some);
  until.width = 0;
  far__follower *none = f;
  CHECK(far__follower_create(&none, &(far__follower_def){.plan = &b.def, .until = &until}, NULL) ==
            FAR_STATUS_RANGE &&
        none == NULL);
  far_batch_free(batch);
  far__follower_free(f);
  far_store_close(reader);
  small_free(&b);
}

static void test_refusals(void) {
  small_batch b;
  far__follower *f;
  far_error error;
  small_make(&b, 5);
  b.cells[1].agent = "nobody";
  const far__follower_def def = {.plan = &b.def};
  CHECK(far__follower_create(&f, &def, &error) == FAR_STATUS_UNKNOWN && f == NULL);
  CHECK_CONTAINS(error.message, "nobody");
  b.def.n_cells = 1;
  allowed = 0;
  const far__follower_def stopped = {.plan = &b.def, .proceeds = allow_some};
  CHECK(far__follower_create(&f, &stopped, &error) == FAR_STATUS_CANCELLED && f == NULL);
  far__follower_free(NULL);
  small_free(&b);
}

/* ---- speed ---- */

static void test_speed(void) {
  const double now = (double)time(NULL) + 5;
  small_batch b;
  small_make(&b, 40);
  grow("e.db", 10, 0, true);
  far_store *store = open_store("e.db", FAR_STORE_READ);
  far__follower *f = follow(&b.def, NULL);
  const far__store_progress *seen = poll(f, store, now);
  CHECK(isnan(seen->steps_per_second) && isnan(seen->seconds_left) && seen->quiet < 60);
  grow("e.db", 20, 0, true);
  seen = poll(f, store, now + 10);
  CHECK(seen->steps_per_second == CELLS * 10 * 300 / 10.0 && seen->busy > 0 && seen->quiet == 0);
  CHECK(seen->seconds_left > 10 && seen->seconds_left < 40); /* 20, but for what cells cost */
  CHECK(poll(f, store, now + 11)->steps_per_second == 1200); /* a poll without news says nothing */
  CHECK(poll(f, store, now + 40)->steps_per_second == 300);  /* a long silence does */
  seen = poll(f, store, now + 4000);
  CHECK(seen->steps_per_second == 0 && isnan(seen->seconds_left) && seen->quiet > 3900);
  seen = poll(f, store, now - 100); /* the clock was set back */
  CHECK(!(seen->steps_per_second > 0) || seen->steps_per_second == 1200);
  grow("e.db", 40, 0, true);
  seen = poll(f, store, now - 90);
  CHECK(seen->steps_per_second == CELLS * 20 * 300 / 10.0 && seen->finished);
  far__follower_free(f);
  far_store_close(store);
  small_free(&b);
}

/* ---- sessions ---- */

static void test_sessions(void) {
  static const char *const commands[] = {"farsight run a.yaml --store f.db",
                                         "farsight run a.yaml # 4 ranks x 2 threads",
                                         "# 3 rankings", "# 5 ranks"};
  static const int ranks[] = {1, 4, 1, 5};
  far_store *reader = NULL;
  far__follower *f = follow(NULL, NULL);
  const far__store_progress *seen = NULL;
  for (int i = 0; i < 4; ++i) {
    small_batch b;
    far_batch *batch;
    far_store *store = open_store("f.db", FAR_STORE_WRITE);
    small_make(&b, 2 + i);
    CHECK(far_store_command(store, commands[i], NULL) == FAR_OK);
    CHECK(far_store_run(&batch, store, &b.def, NULL) == FAR_OK);
    far_batch_free(batch);
    far_store_close(store);
    small_free(&b);
    if (reader == NULL) reader = open_store("f.db", FAR_STORE_READ);
    seen = poll(f, reader, (double)time(NULL));
  }
  CHECK(seen->n_sessions == 4);
  for (size_t i = 0; i < seen->n_sessions; ++i) {
    const far__store_progress_session *s = &seen->sessions[i];
    CHECK_TEXT(s->command, commands[i]);
    CHECK_TEXT(s->version, far_version());
    CHECK(s->ranks == ranks[i] && s->processors > 0 && s->machine[0] != '\0');
    CHECK(s->age >= 0 && s->age < 100 && strlen(s->started) == 20 && strlen(s->last) == 20);
    CHECK(s->runs == (i == 0 ? 2 : 1) * CELLS && s->seconds > 0);
  }
  CHECK(poll(f, reader, 0)->sessions[0].age == 0);
  CHECK(fabs(poll(f, reader, (double)time(NULL) + 86400)->sessions[3].age - 86400) < 100);
  far_session s;
  bool found = true;
  CHECK(far__store_origin(&s, &found, reader, 99, NULL) == FAR_OK && !found);
  CHECK(far__store_origin(&s, &found, reader, 1, NULL) == FAR_OK && found && s.runs == 0);
  CHECK_TEXT(s.command, commands[0]);
  far__follower_free(f);
  far_store_close(reader);
}

/* ---- imported ones ---- */

static void test_imported(void) {
  FILE *file = fopen(store_path("theirs.csv"), "w");
  CHECK(file != NULL &&
        fputs("env,agent,seed,value\n"
              "chain:n=10,mine,1,5\nchain:n=10,mine,2,inf\n"
              "\"<b>x</b>, a name\",mine,1,7\n",
              file) >= 0 &&
        fclose(file) == 0);
  far_import_report report;
  far_store *store = open_store("g.db", FAR_STORE_WRITE);
  CHECK(far_store_import(&report, store, store_path("theirs.csv"), NULL) == FAR_OK);
  far__follower *f = follow(NULL, NULL);
  const far__store_progress *seen = poll(f, store, (double)time(NULL));
  CHECK(seen->n_cells == 2 && seen->runs == 3);
  for (size_t i = 0; i < seen->n_cells; ++i) {
    const bool named = strcmp(seen->cells[i].env, "<b>x</b>, a name") == 0;
    CHECK(seen->cells[i].numerics == 0 && seen->cells[i].steps == 0);
    if (!named) CHECK_TEXT(seen->cells[i].env, "chain");
    CHECK(named ? seen->cells[i].mean == 7 : isinf(seen->cells[i].mean));
  }
  far__follower_free(f);
  far_store_close(store);
}

/* What is planned has the names that were typed. */
static void test_typed_names(void) {
  small_batch b;
  small_make(&b, 3);
  b.cells[0].env_label = "small";
  b.cells[0].agent_label = "mine";
  far_store *store = open_store("names.db", FAR_STORE_WRITE);
  far__follower *f = follow(&b.def, NULL);
  const far__store_progress *seen = poll(f, store, 0);
  CHECK(seen->n_planned == CELLS);
  CHECK_TEXT(seen->cells[0].env, "small");
  CHECK_TEXT(seen->cells[0].agent, "mine");
  far__follower_free(f);
  far_store_close(store);
  small_free(&b);
}

int main(void) {
  if (stores_begin()) {
    test_numbers();
    test_growing();
    test_interruption();
    test_plan();
    test_typed_names();
    test_until();
    test_refusals();
    test_speed();
    test_sessions();
    test_imported();
  }
  return stores_end();
}
