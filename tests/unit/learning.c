/* What an agent knows at several times: against batches, snapshots, agents stepped by hand, and stores. */
#include "base/number.h"
#include "questions/learning/learning.h"
#include "questions/model/model-solution.h"
#include "stores.h"

enum { STEPS = 400, N_TIMES = 4, SEED = 7, REPLICATE = 3, N_AGENTS = 7 };

static const int64_t times[N_TIMES] = {1, 20, 150, 400};
static const char *const agents[N_AGENTS] = {"directed-delayed-q:m=3",
                                             "delayed-q:m=3",
                                             "q-learning:epsilon=0.2",
                                             "bayes-q:choice=sampling",
                                             "r-max:m=4",
                                             "dora",
                                             "optimal"};

static far__learning_def def_of(const far_mdp *mdp, const char *agent) {
  far__learning_def def = far__learning_def_default();
  def.mdp = mdp;
  def.agent = agent;
  def.steps = STEPS;
  def.seed = SEED;
  def.replicate = REPLICATE;
  def.times = times;
  def.n_times = N_TIMES;
  return def;
}

static far__learning *learn(const far__learning_def *def) {
  far__learning *x = NULL;
  far_error error = {.message = ""};
  CHECK(far__learning_create(&x, def, &error) == FAR_OK);
  if (x == NULL) printf("  %s\n", error.message);
  return x;
}

/* ---- against a batch ---- */

static void check_same(const double *x, const double *y, size_t n) {
  CHECK((x == NULL) == (y == NULL));
  if (x != NULL && y != NULL) CHECK(memcmp(x, y, n * sizeof *x) == 0);
}

static far_status keep(void *user, const far_block *blocks, size_t count, far_error *error) {
  const far__learning *x = user;
  size_t seen = 0;
  (void)error;
  for (size_t i = 0; i < count; ++i)
    for (size_t j = 0; j < blocks[i].n_snapshots; ++j, ++seen) {
      const far_snapshot *s = &blocks[i].snapshots[j];
      const far__learning_frame *f = &x->frames[seen];
      const size_t pairs = (size_t)s->n_states * s->n_actions;
      CHECK(s->replicate == REPLICATE && s->step == f->step);
      check_same(f->visits, s->visits, pairs);
      check_same(f->q, s->q, pairs);
      check_same(f->bonus, s->bonus, pairs);
      check_same(f->policy, s->policy, pairs);
    }
  CHECK(seen == N_TIMES);
  return FAR_OK;
}

static void check_batch(const far__learning *x, const far_mdp *mdp, const char *agent) {
  const far_cell cell = {
      .mdp = mdp, .agent = agent, .steps = STEPS, .checkpoints = times, .n_checkpoints = N_TIMES};
  far_batch_def def = far_batch_def_default();
  far_batch *batch = NULL;
  def.cells = &cell;
  def.n_cells = 1;
  def.runs = 1;
  def.seed = SEED;
  def.first_replicate = REPLICATE;
  def.threads = 1;
  def.snapshots = REPLICATE + 1;
  def.keep = keep;
  def.keep_user = (void *)x;
  CHECK(far_batch_run(&batch, &def, NULL) == FAR_OK);
  CHECK(far_batch_result(batch, 0)->totals[0] == x->total);
  CHECK_TEXT(far_batch_result(batch, 0)->agent, x->agent);
  for (size_t k = 0; k < N_TIMES; ++k)
    CHECK(far_batch_point(batch, 0, k)->totals[0] == x->frames[k].total);
  far_batch_free(batch);
  def.snapshots = 0; /* the fused loop */
  def.keep = NULL;
  CHECK(far_batch_run(&batch, &def, NULL) == FAR_OK);
  CHECK(far_batch_result(batch, 0)->totals[0] == x->total);
  far_batch_free(batch);
}

/* ---- against an agent stepped by hand ---- */

static far_agent *step_by_hand(const far_mdp *mdp, const char *spec, int64_t steps) {
  far_agent *agent;
  far_rng transition, start;
  CHECK(far_agent_create_on(&agent, spec, mdp, 0, SEED, REPLICATE, NULL) == FAR_OK);
  far_rng_init(&transition, SEED, REPLICATE, FAR_PURPOSE_TRANSITION);
  far_rng_init(&start, SEED, REPLICATE, FAR_PURPOSE_START);
  uint32_t s = far_mdp_start(mdp, &start);
  for (int64_t t = 0; t < steps; ++t) {
    const uint32_t a = far_agent_act(agent, s);
    const far_outcome *o = far_mdp_step(mdp, s, a, &transition);
    const far_transition step = {.s = s, .a = a, .r = o->reward, .next = o->next, .done = o->done};
    CHECK(far_agent_observe(agent, &step, NULL) == FAR_OK);
    const int64_t horizon = far_mdp_horizon(mdp); /* riverswim has no other end */
    s = o->done || (horizon > 0 && t % horizon == horizon - 1) ? far_mdp_start(mdp, &start)
                                                               : o->next;
  }
  return agent;
}

static void check_kind(const far__learning *x, size_t frame, far__learned quantity, far_value kind,
                       const far_agent *agent) {
  const double *array = far__learning_array(x, frame, quantity);
  size_t wrong = 0;
  for (uint32_t s = 0; s < x->n_states; ++s)
    for (uint32_t a = 0; a < x->n_actions; ++a) {
      double value = 0;
      const bool has = far_agent_value(agent, kind, s, a, &value);
      wrong += has != (array != NULL) || (has && array[s * x->n_actions + a] != value);
    }
  CHECK(wrong == 0);
}

static void check_hand(const far__learning *x, const far_mdp *mdp, const char *spec) {
  for (size_t i = 0; i < x->n_frames; ++i) {
    far_agent *agent = step_by_hand(mdp, spec, x->frames[i].step);
    check_kind(x, i, FAR__LEARNED_Q, FAR_VALUE_Q, agent);
    check_kind(x, i, FAR__LEARNED_BONUS, FAR_VALUE_BONUS, agent);
    check_kind(x, i, FAR__LEARNED_E, FAR_VALUE_E, agent);
    check_kind(x, i, FAR__LEARNED_LEARN, FAR_VALUE_LEARN, agent);
    check_kind(x, i, FAR__LEARNED_N, FAR_VALUE_N, agent);
    far_agent_free(agent);
  }
}

/* ---- what is derived ---- */

static double greatest(const double *row, uint32_t n) {
  double out = row[0];
  for (uint32_t a = 1; a < n; ++a) out = row[a] > out ? row[a] : out;
  return out;
}

static void check_derived(const far__learning *x) {
  for (size_t i = 0; i < x->n_frames; ++i) {
    const far__learning_frame *f = &x->frames[i];
    double visits = 0;
    uint32_t states = 0;
    for (uint32_t s = 0; s < x->n_states; ++s) {
      const double *row = f->visits + (size_t)s * x->n_actions;
      if (f->q != NULL)
        CHECK(f->value[s] == greatest(f->q + (size_t)s * x->n_actions, x->n_actions));
      for (uint32_t a = 0; a < x->n_actions; ++a) visits += row[a];
      states += greatest(row, x->n_actions) > 0;
    }
    CHECK(visits == (double)f->step && states == f->states_visited);
    CHECK(f->states_optimal <= f->states_visited && f->pairs_visited >= f->states_visited);
    CHECK((f->value == NULL) == (f->q == NULL));
  }
}

static void test_agents(const char *env) {
  far_mdp *mdp;
  CHECK(far_mdp_create(&mdp, env, NULL) == FAR_OK);
  for (int i = 0; i < N_AGENTS; ++i) {
    const far__learning_def def = def_of(mdp, agents[i]);
    far__learning *x = learn(&def);
    CHECK(x->n_frames == N_TIMES && x->mdp == mdp && x->owned == NULL);
    check_batch(x, mdp, agents[i]);
    check_hand(x, mdp, agents[i]);
    check_derived(x);
    far__learning_free(x);
  }
  far_mdp_free(mdp);
}

/* ---- exact values ---- */

/* Where the average reward counts there are none, and it is said why, unless a discount is asked for. */
static void test_average(void) {
  far_mdp *mdp;
  CHECK(far_mdp_create(&mdp, "chain:n=5,average=on", NULL) == FAR_OK);
  far__learning_def def = def_of(mdp, "q-learning");
  far__learning *x = learn(&def);
  CHECK(x->exact.q == NULL);
  CHECK_CONTAINS(x->exact.why, "the average reward counts");
  far__learning_free(x);
  def.gamma = 0.5;
  x = learn(&def);
  CHECK(x->exact.q != NULL && x->exact.gamma == 0.5 && x->exact.why[0] == '\0');
  far__learning_free(x);
  far_mdp_free(mdp);
}

static void test_exact(void) {
  far_mdp *mdp;
  far__model_solution *best;
  far__model_solution_def how = far__model_solution_def_default();
  CHECK(far_mdp_create(&mdp, "chain:n=5,gamma=0.9", NULL) == FAR_OK);
  how.mdp = mdp;
  CHECK(far__model_solve(&best, &how, NULL) == FAR_OK);
  far__learning_def def =
      def_of(mdp, "q-learning:gamma=0.5"); /* its own, which is not the problem's */
  far__learning *x = learn(&def);
  CHECK(x->exact.gamma == 0.9 && x->exact.why[0] == '\0');
  CHECK(!x->exact.same_gamma && x->frames[0].q_error != x->frames[0].q_error);
  for (uint32_t s = 0; s < 5; ++s) {
    CHECK_NEAR(x->exact.v[s], best->values.v[s], x->exact.error + best->error);
    CHECK(x->exact.policy[s] == best->values.policy[s]);
  }
  far__learning_free(x);
  def.exact = false;
  x = learn(&def);
  CHECK(x->exact.v == NULL && x->exact.q == NULL && x->exact.policy == NULL);
  CHECK_CONTAINS(x->exact.why, "not asked for");
  CHECK(x->frames[0].states_optimal == 0 && x->frames[0].q_error != x->frames[0].q_error);
  far__learning_free(x);
  def = def_of(mdp, "optimal"); /* takes optimal actions in all states */
  x = learn(&def);
  CHECK(x->frames[3].states_optimal == x->frames[3].states_visited);
  far__learning_free(x);
  far__model_solution_free(best);
  far_mdp_free(mdp);
}

/* What cannot be certified is missing, and the rest is there. */
static void test_no_exact(void) {
  far_mdp *mdp;
  CHECK(far_mdp_create(&mdp, "chain:n=5", NULL) == FAR_OK);
  far__learning_def def = def_of(mdp, "random");
  def.gamma = 1 - 0x1p-50;
  far__learning *x = learn(&def);
  CHECK(x->exact.v == NULL && x->exact.why[0] != '\0' && x->frames[3].step == STEPS);
  far__learning_free(x);
  far_mdp_free(mdp);
}

/* ---- a horizon ---- */

/* Values of a step that is named, wherever in an episode the run is; 400 steps end in the midst of one. */
static void check_step(const far_mdp *mdp, const char *spec, int64_t h) {
  far__learning_def def = def_of(mdp, spec);
  def.step = h;
  far__learning *x = learn(&def);
  const size_t pairs = (size_t)x->n_states * x->n_actions;
  double *row = calloc(pairs, sizeof *row), visits = 0;
  far_solver *solver;
  far_horizon best;
  far_agent *agent = step_by_hand(mdp, spec, STEPS);
  CHECK(far_agent_episode_step(agent) != 0);
  CHECK(far_agent_values_at(agent, FAR_VALUE_Q, h, row));
  check_same(x->frames[3].q, row, pairs);
  CHECK(far_agent_policies_at(agent, h, row));
  check_same(x->frames[3].policy, row, pairs);
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  CHECK(far_solver_horizon(&best, solver, far_mdp_horizon(mdp), 1, NULL) == FAR_OK);
  CHECK(far_horizon_pairs(row, &best, solver, h, NULL) == FAR_OK);
  for (size_t i = 0; i < pairs; ++i) {
    CHECK_NEAR(x->exact.q[i], row[i], 1e-12);
    visits += x->frames[3].visits_at[i];
  }
  for (uint32_t s = 0; s < x->n_states; ++s)
    CHECK_NEAR(x->exact.v[s], best.v[(size_t)h * x->n_states + s], 1e-12);
  CHECK(x->by_step && x->step == h && visits == STEPS / 7 + (h < STEPS % 7));
  CHECK(far__learning_array(x, 3, FAR__LEARNED_VISITS) == x->frames[3].visits_at);
  far_horizon_free(&best);
  far_solver_free(solver);
  far_agent_free(agent);
  free(row);
  far__learning_free(x);
}

static void test_horizon(void) {
  far_mdp *mdp;
  far__learning *x;
  far_error error;
  CHECK(far_mdp_create(&mdp, "riverswim:n=4,horizon=7", NULL) == FAR_OK);
  check_step(mdp, "ucbvi", 0);
  check_step(mdp, "ucb-h", 5);
  far__learning_def def = def_of(mdp, "ucbvi");
  x = learn(&def); /* unasked: values of step 0, visits of all */
  CHECK(x->step == 0 && far__learning_array(x, 3, FAR__LEARNED_VISITS) == x->frames[3].visits);
  check_batch(x, mdp, "ucbvi");
  far__learning_free(x);
  def = def_of(mdp, "q-learning:gamma=0.9"); /* a problem that goes on */
  x = learn(&def);
  CHECK(!x->by_step && x->exact.gamma == FAR_GAMMA_DEFAULT && x->exact.q != NULL);
  check_same(x->frames[3].visits, x->frames[3].visits_at, (size_t)x->n_states * x->n_actions);
  far__learning_free(x);
  def.step = 7;
  CHECK(far__learning_create(&x, &def, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "0 ... 6");
  far_mdp_free(mdp);
}

/* ---- an agent as it is ---- */

static far_agent *trained(const far_mdp *mdp, const char *spec, int64_t *visits) {
  far_agent *agent;
  CHECK(far_agent_create_on(&agent, spec, mdp, 0, SEED, REPLICATE, NULL) == FAR_OK);
  const far_transition steps[] = {{0, 1, 0.5, 1, false, false}, {1, 1, 0.25, 0, false, false}};
  for (size_t i = 0; i < 2; ++i) {
    CHECK(far_agent_observe(agent, &steps[i], NULL) == FAR_OK);
    visits[2 * steps[i].s + steps[i].a] += 1;
  }
  return agent;
}

static void test_live(void) {
  far_mdp *mdp, *other;
  int64_t visits[10] = {0};
  double q[10];
  far__learning *x = NULL;
  far_error error = {0};
  CHECK(far_mdp_create(&mdp, "chain:n=5", NULL) == FAR_OK);
  CHECK(far_mdp_create(&other, "chain:n=6", NULL) == FAR_OK);
  far_agent *agent = trained(mdp, "q-learning:gamma=0.5", visits);
  far__learning_def def = far__learning_def_default();
  def.mdp = mdp;
  CHECK(far__learning_from_agent(&x, agent, visits, &def, &error) == FAR_OK);
  CHECK(x->live && x->n_frames == 1 && x->steps == 2 && x->total != x->total);
  CHECK(x->frames[0].step == 2 && x->frames[0].states_visited == 2 &&
        x->exact.gamma == FAR_GAMMA_DEFAULT);
  CHECK(far_agent_values(agent, FAR_VALUE_Q, q));
  check_same(x->frames[0].q, q, 10);
  CHECK(x->frames[0].visits[1] == 1 && x->frames[0].visits[3] == 1);
  CHECK(x->frames[0].bonus == NULL && x->frames[0].optimal != NULL);
  far__learning_free(x);
  CHECK(far__learning_from_agent(&x, agent, NULL, &def, NULL) == FAR_OK);
  CHECK(x->frames[0].pairs_visited == 0 && x->frames[0].q[1] > 0);
  far__learning_free(x);
  def.mdp = other;
  CHECK(far__learning_from_agent(&x, agent, visits, &def, &error) == FAR_STATUS_MISMATCH);
  CHECK(x == NULL);
  CHECK_CONTAINS(error.message, "the agent has 5 states and 2 actions, the model 6 and 2");
  far_agent_free(agent);
  far_mdp_free(mdp);
  far_mdp_free(other);
}

/* ---- times ---- */

static void test_times(void) {
  static const int64_t expected[] = {10, 30, 100, 500, 2000, 5000};
  int64_t out[FAR__LEARNING_TIMES];
  CHECK(far__learning_times(out, 5000) == 6);
  for (int i = 0; i < 6; ++i) CHECK(out[i] == expected[i]);
  CHECK(far__learning_times(out, 1) == 1 && out[0] == 1);
  CHECK(far__learning_times(out, 0) == 0);
  for (int64_t steps = 2; steps < INT64_MAX / 3; steps += steps / 2) {
    const size_t n = far__learning_times(out, steps);
    CHECK(n >= 2 && n <= FAR__LEARNING_TIMES && out[0] >= 1 && out[n - 1] == steps);
    for (size_t i = 1; i < n; ++i) CHECK(out[i] > out[i - 1]);
  }
}

/* ---- what is refused, and stopping ---- */

static void check_refused(const far__learning_def *def, far_status expected, const char *part) {
  far__learning *x = (far__learning *)&expected;
  far_error error = {.message = ""};
  CHECK(far__learning_create(&x, def, &error) == expected);
  CHECK(x == NULL);
  CHECK_CONTAINS(error.message, part);
}

static void test_refused(void) {
  static const int64_t falling[] = {20, 10}, late[] = {STEPS + 1};
  far_mdp *mdp, *large;
  CHECK(far_mdp_create(&mdp, "chain:n=5", NULL) == FAR_OK);
  CHECK(far_mdp_create(&large, "chain:n=1000000", NULL) == FAR_OK);
  far__learning_def def = def_of(mdp, "q-learning");
  def.steps = 0;
  check_refused(&def, FAR_STATUS_RANGE, "at least 1 step");
  def = def_of(mdp, "q-learning");
  def.times = falling, def.n_times = 2;
  check_refused(&def, FAR_STATUS_RANGE, "10 follows 20");
  def.times = late, def.n_times = 1;
  check_refused(&def, FAR_STATUS_RANGE, "time 401 is outside of 0 ... 400");
  def = def_of(mdp, "q-learning");
  def.gamma = 1;
  check_refused(&def, FAR_STATUS_RANGE, "gamma");
  def = def_of(large, "q-learning");
  check_refused(&def, FAR_STATUS_RANGE, "2000000 pairs of states and actions at 4 times");
  def = def_of(mdp, "q-lerning");
  check_refused(&def, FAR_STATUS_UNKNOWN, "q-learning");
  far_mdp_free(large);
  far_mdp_free(mdp);
}

typedef struct counter {
  int64_t calls, run, solve, stop_at;
} counter;

static bool count_calls(void *user, const char *what, int64_t done, int64_t count) {
  counter *c = user;
  (void)count;
  c->calls += 1;
  *(strcmp(what, "run") == 0 ? &c->run : &c->solve) = done;
  return c->calls != c->stop_at;
}

static void test_progress(void) {
  far_mdp *mdp;
  counter c = {0};
  CHECK(far_mdp_create(&mdp, "chain:n=5", NULL) == FAR_OK);
  far__learning_def def = def_of(mdp, "r-max:m=2"); /* plans: asked after every step */
  def.progress = count_calls;
  def.user = &c;
  far__learning *x = learn(&def);
  CHECK(c.run == STEPS - 1 && c.solve > 0);
  far__learning_free(x);
  const int64_t calls = c.calls;
  c = (counter){.stop_at = 5};
  check_refused(&def, FAR_STATUS_CANCELLED, "running");
  c = (counter){.stop_at = calls};
  check_refused(&def, FAR_STATUS_CANCELLED, "solving");
  far_mdp_free(mdp);
}

/* ---- reports ---- */

static char *render(const far__learning *x, far_report_format format, const char *table,
                    far_buffer *out) {
  far_report *report;
  far_render_def how = far_render_def_default();
  CHECK(far_report_create(&report, "learning", NULL) == FAR_OK);
  far__learning_report(x, report);
  how.format = format;
  how.table = table;
  *out = (far_buffer){0};
  CHECK(far_report_render(report, &how, far_sink_buffer(out), NULL) == FAR_OK);
  far_report_free(report);
  return out->bytes;
}

static void test_report(void) {
  far_mdp *mdp;
  far_buffer text;
  char row[200];
  CHECK(far_mdp_create(&mdp, "chain:n=5", NULL) == FAR_OK);
  const far__learning_def def = def_of(mdp, "directed-delayed-q:m=3");
  far__learning *x = learn(&def);
  CHECK_CONTAINS(render(x, FAR_REPORT_TEXT, NULL, &text), "directed-delayed-q:m=3 in chain");
  snprintf(row, sizeof row, "%lu of 5", (unsigned long)x->frames[3].states_visited);
  CHECK_CONTAINS(text.bytes, row);
  far_buffer_free(&text);
  render(x, FAR_REPORT_CSV, "pairs", &text);
  CHECK_CONTAINS(text.bytes, "step,state,action,visits,q,bonus,e,n,learn,policy,exact_q");
  size_t lines = 0;
  for (size_t i = 0; i < text.length; ++i) lines += text.bytes[i] == '\n';
  CHECK(lines == 1 + N_TIMES * 10);
  far_buffer_free(&text);
  render(x, FAR_REPORT_JSON, NULL, &text);
  char number[FAR__NUMBER_SIZE];
  far__real_format(number, x->frames[3].q[9]);
  CHECK_CONTAINS(text.bytes, number);
  CHECK_CONTAINS(text.bytes, "\"missing\":null");
  far_buffer_free(&text);
  far__learning_free(x);
  far_mdp_free(mdp);
}

static void test_names(void) {
  CHECK_TEXT(far__learned_name(FAR__LEARNED_VISITS), "visits");
  CHECK_TEXT(far__learned_name(FAR__LEARNED_POLICY), "policy");
  CHECK_TEXT(far__learned_title(FAR__LEARNED_BONUS), "exploration bonus");
  CHECK(far__learned_name(FAR__LEARNED_COUNT) == NULL);
  CHECK(far__learned_title(FAR__LEARNED_COUNT) == NULL);
}

/* ---- stores ---- */

static far_record record_of(far_store *store, const char *env, const char *agent) {
  far_record r;
  bool found = true;
  for (size_t i = 0; found; ++i) {
    CHECK(far_store_record(&r, &found, store, i, NULL) == FAR_OK);
    if (found && strstr(r.env, env) != NULL && strstr(r.agent, agent) != NULL) break;
  }
  CHECK(found);
  return r;
}

static void test_store(void) {
  small_batch b;
  far__learning *x;
  far_error error;
  char key[FAR_HASH_TEXT];
  small_make(&b, 5);
  run_through("runs.db", &b.def);
  far_store *store = open_store("runs.db", FAR_STORE_READ);
  snprintf(key, sizeof key, "%s", record_of(store, "chain", "directed").key);
  far__learning_def def = far__learning_def_default();
  def.replicate = 4;
  CHECK(far__learning_from_store(&x, store, key, &def, &error) == FAR_OK);
  CHECK(x->steps == 300 && x->seed == b.def.seed && x->owned == x->mdp);
  CHECK_TEXT(x->env_label, "chain:n=5");
  CHECK(x->frames[x->n_frames - 1].total == x->total);
  far__learning_free(x);
  def.mdp = b.mdps[0];
  CHECK(far__learning_from_store(&x, store, key, &def, &error) == FAR_OK);
  CHECK(x->owned == NULL && x->mdp == b.mdps[0]);
  far__learning_free(x);
  def.mdp = b.mdps[1];
  CHECK(far__learning_from_store(&x, store, key, &def, &error) == FAR_STATUS_MISMATCH && x == NULL);
  def.mdp = NULL;
  def.replicate = 5;
  CHECK(far__learning_from_store(&x, store, key, &def, &error) == FAR_STATUS_UNKNOWN && x == NULL);
  CHECK_CONTAINS(error.message, "no run 5 of this cell, which has 5 runs");
  CHECK(far__learning_from_store(&x, store, "none", &def, &error) == FAR_STATUS_UNKNOWN);
  far_store_close(store);
  small_free(&b);
}

/* A stored total that the run does not have, as another version might have written it. */
static void test_conflict(void) {
  small_batch b;
  far_keeper *keeper;
  far__learning *x;
  far_error error;
  double values[SMALL_WIDTH] = {0};
  char key[FAR_HASH_TEXT];
  small_make(&b, 5);
  far_store *store = open_store("odd.db", FAR_STORE_WRITE);
  CHECK(far_keeper_create(&keeper, store, &b.def, NULL) == FAR_OK);
  values[0] = 0.125;
  const far_block block = {.cell = 0, .first = 0, .runs = 1, .values = values};
  CHECK(far_keeper_keep(keeper, &block, 1, &error) == FAR_OK);
  far_keeper_free(keeper);
  snprintf(key, sizeof key, "%s", record_of(store, "chain", "q-learning").key);
  const far__learning_def def = far__learning_def_default();
  CHECK(far__learning_from_store(&x, store, key, &def, &error) == FAR_STATUS_CONFLICT && x == NULL);
  CHECK_CONTAINS(error.message, "and 0.125 in the store");
  CHECK_CONTAINS(error.message, "other numerics");
  const far_imported_run run = {
      .mdp = b.mdps[0], .agent = "mine", .steps = 9, .seed = 1, .replicate = 0, .total = 1};
  bool added;
  CHECK(far_store_add(&added, store, &run, NULL) == FAR_OK);
  snprintf(key, sizeof key, "%s", record_of(store, "chain", "mine").key);
  CHECK(far__learning_from_store(&x, store, key, &def, &error) == FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "imported");
  far_store_close(store);
  small_free(&b);
}

int main(void) {
  test_agents("frozen-lake");
  test_agents("riverswim");
  test_exact();
  test_average();
  test_no_exact();
  test_horizon();
  test_live();
  test_times();
  test_refused();
  test_progress();
  test_report();
  test_names();
  if (stores_begin()) {
    test_store();
    test_conflict();
  }
  return stores_end();
}
