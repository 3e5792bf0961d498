/* A run that is played: as in a batch, and the same however one got there. */
#include <farsight/lab.h>

#include "check.h"
#include "plain-q.h"
#include "questions/learning/player.h"

static far__player *play(const far_mdp *mdp, const char *const *agents, size_t n, int64_t steps) {
  far__player_def def = far__player_def_default();
  far__player *player = NULL;
  far_error error = {.message = ""};
  def.mdp = mdp, def.agents = agents, def.n_agents = n, def.steps = steps;
  def.seed = 7, def.replicate = 3;
  CHECK(far__player_create(&player, &def, &error) == FAR_OK);
  CHECK_TEXT(error.message, "");
  return player;
}

static far_mdp *model(const char *spec) {
  far_mdp *mdp = NULL;
  CHECK(far_mdp_create(&mdp, spec, NULL) == FAR_OK);
  return mdp;
}

/* ---- the batch ---- */

static double batch_total(const far_mdp *mdp, const char *agent, int64_t steps) {
  const far_cell cell = {.mdp = mdp, .agent = agent, .steps = steps};
  far_batch_def def = far_batch_def_default();
  far_batch *batch = NULL;
  def.cells = &cell, def.n_cells = 1, def.runs = 1, def.seed = 7, def.first_replicate = 3;
  CHECK(far_batch_run(&batch, &def, NULL) == FAR_OK);
  const double total = far_batch_result(batch, 0)->totals[0];
  far_batch_free(batch);
  return total;
}

static void test_totals(const char *env, const char *one, const char *two) {
  far_mdp *mdp = model(env);
  const char *const agents[] = {one, two};
  far__player *player = play(mdp, agents, 2, 3000);
  CHECK(far__player_t(player) == 0 && far__player_steps(player) == 3000);
  CHECK(far__player_advance(player, 1, NULL) == FAR_OK && far__player_t(player) == 1);
  CHECK(far__player_advance(player, 1000000, NULL) == FAR_OK && far__player_t(player) == 3000);
  for (size_t k = 0; k < 2; ++k) {
    const far__player_run *run = far__player_run_of(player, k);
    CHECK(run->total == batch_total(mdp, agents[k], 3000)); /* to the last bit */
    CHECK(far_agent_steps(run->agent) == 3000);
  }
  CHECK(far__player_run_of(player, 2) == NULL);
  far__player_free(player);
  far_mdp_free(mdp);
}

/* ---- there and back ---- */

typedef struct seen {
  double total, q, visits;
  uint32_t s;
  int64_t episodes, stride;
  size_t n_points;
  far_transition last;
} seen;

static seen look(const far__player *player, size_t k) {
  const far__player_run *run = far__player_run_of(player, k);
  const far_shape *shape = far_agent_shape(run->agent);
  seen out = {.total = run->total, .s = run->s, .episodes = run->episodes, .last = run->last};
  out.stride = run->stride, out.n_points = run->n_points;
  for (uint32_t i = 0; i < shape->n_states * shape->n_actions; ++i) {
    double q = 0;
    far_agent_value(run->agent, FAR_VALUE_Q, i / shape->n_actions, i % shape->n_actions, &q);
    out.q += q * (i + 1);
    out.visits += run->visits[i];
  }
  return out;
}

static void check_seen(const seen *a, const seen *b) {
  CHECK(a->total == b->total && a->q == b->q && a->visits == b->visits && a->s == b->s);
  CHECK(a->episodes == b->episodes && a->stride == b->stride && a->n_points == b->n_points);
  CHECK(a->last.s == b->last.s && a->last.a == b->last.a && a->last.r == b->last.r);
}

static void test_back(const char *env, const char *agent) {
  static const int64_t stops[] = {0, 1, 31, 32, 33, 700, 4000, 6000};
  enum { N = sizeof stops / sizeof *stops };
  far_mdp *mdp = model(env);
  const char *const agents[] = {agent, "q-learning"};
  far__player *player = play(mdp, agents, 2, 6000);
  seen there[N][2];
  for (size_t i = 0; i < N; ++i) {
    CHECK(far__player_advance(player, stops[i] - far__player_t(player), NULL) == FAR_OK);
    for (size_t k = 0; k < 2; ++k) there[i][k] = look(player, k);
    CHECK(there[i][0].visits == (double)stops[i]);
  }
  for (size_t j = 0; j < 3 * N; ++j) { /* in some other order, forward and back */
    const size_t i = j * 5 % N;
    CHECK(far__player_seek(player, stops[i], NULL) == FAR_OK && far__player_t(player) == stops[i]);
    for (size_t k = 0; k < 2; ++k) {
      const seen again = look(player, k);
      check_seen(&there[i][k], &again);
    }
  }
  CHECK(far__player_seek(player, -5, NULL) == FAR_OK && far__player_t(player) == 0);
  CHECK(far__player_seek(player, INT64_MAX, NULL) == FAR_OK && far__player_t(player) == 6000);
  far__player_free(player);
  far_mdp_free(mdp);
}

static void test_curve(void) {
  far_mdp *mdp = model("chain:n=5");
  const char *const agents[] = {"q-learning"};
  far__player *player = play(mdp, agents, 1, 5000);
  double totals[5001];
  for (int64_t t = 0; t <= 5000; ++t) {
    const far__player_run *run = far__player_run_of(player, 0);
    totals[t] = run->total;
    CHECK(run->n_points == (size_t)(t / run->stride) && run->n_points <= FAR__PLAYER_POINTS);
    if (run->n_points > 0)
      CHECK(run->curve[run->n_points - 1] == totals[(int64_t)run->n_points * run->stride]);
    CHECK(far__player_advance(player, 1, NULL) == FAR_OK);
  }
  const far__player_run *run = far__player_run_of(player, 0);
  CHECK(run->stride == 16); /* 5000 / 16 = 312 points: more than half of the room */
  for (size_t i = 0; i < run->n_points; ++i)
    CHECK(run->curve[i] == totals[((int64_t)i + 1) * run->stride]);
  far__player_free(player);
  far_mdp_free(mdp);
}

/* ---- updates ---- */

/* Delayed Q-learning changes nothing until a window of m samples is full. */
static void test_updates(void) {
  far_mdp *mdp = model("loop");
  const char *const agents[] = {"delayed-q:m=5"}, *const others[] = {"random"};
  far__player *player = play(mdp, agents, 1, 1000);
  far__player_update update;
  bool found;
  CHECK(far__player_next_update(player, &update, &found, NULL) == FAR_OK && found);
  const far__player_run *run = far__player_run_of(player, 0);
  CHECK(far__player_t(player) >= 5 && update.agent == 0 && update.kind == FAR_VALUE_Q);
  CHECK(update.s == run->last.s && update.a == run->last.a && update.n_changed == 1);
  double q = 0;
  CHECK(far_agent_value(run->agent, FAR_VALUE_Q, update.s, update.a, &q) && q == update.after);
  CHECK(update.before > update.after);
  CHECK(far__player_seek(player, far__player_t(player) - 1, NULL) == FAR_OK);
  CHECK(far_agent_value(far__player_run_of(player, 0)->agent, FAR_VALUE_Q, update.s, update.a, &q));
  CHECK(q == update.before);
  CHECK(far__player_seek(player, 1000, NULL) == FAR_OK);
  CHECK(far__player_next_update(player, &update, &found, NULL) == FAR_OK && !found); /* the end */
  far__player_free(player);
  player = play(mdp, others, 1, 1000);
  CHECK(far__player_next_update(player, &update, &found, NULL) == FAR_OK && !found);
  CHECK(far__player_t(player) == 0);
  far__player_free(player);
  far_mdp_free(mdp);
}

/* Of an agent that plans by steps the values of the step taken are compared, not those of the next. */
static void test_timed_updates(void) {
  far_mdp *mdp = model("riverswim:n=4,horizon=5");
  const char *const agents[] = {"ucb-h"};
  far__player *player = play(mdp, agents, 1, 60);
  far__player_update update;
  bool found;
  for (int i = 0; i < 20; ++i) {
    CHECK(far__player_next_update(player, &update, &found, NULL) == FAR_OK && found);
    const far__player_run *run = far__player_run_of(player, 0);
    CHECK(update.s == run->last.s && update.a == run->last.a && update.n_changed == 1);
  }
  far__player_free(player);
  far_mdp_free(mdp);
}

/* ---- agents of others ---- */

static int fails_in; /* calls of observe until one fails; 0: none does */

static far_status observe_or_fail(void *of, const far_transition *step, far_error *error) {
  if (fails_in > 0 && --fails_in == 0) return FAR_STATUS_CONFLICT;
  return plain_observe(of, step, error);
}

/* One that cannot be copied begins anew to go back. */
static void test_uncopied(void) {
  far_agent_def def = plain_q_def();
  def.name = "uncopied";
  def.clone = NULL, def.save = NULL, def.load = NULL;
  CHECK(far_agent_register(&def, NULL) == FAR_OK);
  test_back("chain:n=5", "uncopied");
}

/* The first agent has taken the step when the second one fails: both go back before it. */
static void test_failure(void) {
  far_agent_def def = plain_q_def();
  def.name = "fails", def.observe = observe_or_fail;
  CHECK(far_agent_register(&def, NULL) == FAR_OK);
  far_mdp *mdp = model("chain:n=5");
  const char *const agents[] = {"q-learning", "fails"};
  far__player *player = play(mdp, agents, 2, 500), *other = play(mdp, agents, 2, 500);
  far_error error;
  CHECK(far__player_seek(other, 200, &error) == FAR_OK);
  fails_in = 100;
  CHECK(far__player_advance(player, 200, &error) == FAR_STATUS_CONFLICT);
  CHECK(far__player_t(player) == 99);
  CHECK(far__player_advance(player, 101, &error) == FAR_OK && far__player_t(player) == 200);
  for (size_t k = 0; k < 2; ++k) {
    const seen a = look(player, k), b = look(other, k);
    check_seen(&a, &b);
  }
  far__player_free(player);
  far__player_free(other);
  far_mdp_free(mdp);
}

/* ---- failures ---- */

static int64_t asked_at;

static bool stop_at(void *user, int64_t t, int64_t target) {
  (void)user;
  asked_at = t;
  return target < 0;
}

static void test_stop(void) {
  far_mdp *mdp = model("chain:n=5");
  const char *const agents[] = {"q-learning"};
  far__player_def def = far__player_def_default();
  far__player *player = NULL;
  far_error error;
  def.mdp = mdp, def.agents = agents, def.n_agents = 1, def.steps = (int64_t)1 << 40;
  def.progress = stop_at;
  CHECK(far__player_create(&player, &def, &error) == FAR_OK);
  CHECK(far__player_advance(player, def.steps, &error) == FAR_STATUS_CANCELLED);
  CHECK(far__player_t(player) == asked_at && asked_at > 0);
  CHECK(far__player_advance(player, 1, &error) == FAR_OK && far__player_t(player) == asked_at + 1);
  far__player_free(player);
  far_mdp_free(mdp);
}

static void test_refusals(void) {
  far_mdp *mdp = model("chain:n=5");
  const char *const good[] = {"q-learning"}, *const bad[] = {"q-learnin"};
  far__player_def def = far__player_def_default();
  far__player *player = NULL;
  far_error error;
  CHECK(far__player_create(&player, &def, &error) == FAR_STATUS_RANGE && player == NULL);
  def.mdp = mdp, def.agents = bad, def.n_agents = 1;
  CHECK(far__player_create(&player, &def, &error) == FAR_STATUS_UNKNOWN && player == NULL);
  def.agents = good, def.steps = 0;
  CHECK(far__player_create(&player, &def, &error) == FAR_STATUS_RANGE);
  def.steps = 10, def.n_agents = FAR__PLAYER_AGENTS + 1;
  CHECK(far__player_create(&player, &def, &error) == FAR_STATUS_RANGE);
  def.n_agents = 1;
  CHECK(far__player_create(&player, &def, &error) == FAR_OK);
  CHECK(far__player_advance(player, -1, &error) == FAR_STATUS_RANGE);
  far__player_free(player);
  far__player_free(NULL);
  far_mdp_free(mdp);
}

int main(void) {
  test_totals("chain:n=10", "directed-delayed-q", "delayed-q");
  test_totals("frozen-lake", "q-learning", "r-max");
  test_totals("riverswim", "psrl", "optimal");
  test_back("frozen-lake", "dora");
  test_back("chain:n=5", "r-max");
  test_curve();
  test_updates();
  test_timed_updates();
  test_uncopied();
  test_failure();
  test_stop();
  test_refusals();
  return check_report();
}
