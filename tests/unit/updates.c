/* The formulas inside single updates, in numbers that are exact in binary or known in closed form. Whole traces
 * are in traces.c and exploring.c. */
#include <float.h>

#include "agents/count-q.h"
#include "agents/delayed.h"
#include "agents/dora.h"
#include "agents/q-learning.h"
#include "agents/speedy-q.h"
#include "check.h"

/* ---- Q-learning ---- */

static void test_q_epsilon(void) {
  int64_t state_visits[] = {0, 3, 7};
  q_view v = {.p = {.decay = DECAY_NONE, .epsilon = 0.75}, .state_visits = state_visits};
  CHECK(q_epsilon(&v, 1, 1000) == 0.75);
  v.p = (q_params){.decay = DECAY_STATE, .c = 2};
  CHECK(q_epsilon(&v, 0, 0) == 1); /* 2/1 is no chance */
  CHECK(q_epsilon(&v, 1, 0) == 0.5 && q_epsilon(&v, 2, 0) == 0.25);
  v.p.c = 1;
  CHECK(q_epsilon(&v, 0, 0) == 1);
  v.p = (q_params){.decay = DECAY_LINEAR, .epsilon = 1, .epsilon_end = 0.5, .decay_steps = 8};
  CHECK(q_epsilon(&v, 0, 0) == 1 && q_epsilon(&v, 0, 4) == 0.75);
  CHECK(q_epsilon(&v, 0, 8) == 0.5 && q_epsilon(&v, 0, 9) == 0.5);
}

static void test_q_alpha(void) {
  int64_t visits[] = {0, 12};
  q_view v = {.p = {.step = STEP_CONSTANT, .alpha = 0.25}, .visits = visits};
  CHECK(q_alpha(&v, 1) == 0.25);
  v.p = (q_params){.step = STEP_POLYNOMIAL, .omega = 0.5, .offset = 4};
  CHECK_NEAR(q_alpha(&v, 1), 0.25, 1e-15); /* 16^(-1/2) */
  CHECK_NEAR(q_alpha(&v, 0), 0.5, 1e-15);
}

/* A lane has no memory for what its rule does not count. */
static void test_q_lane(void) {
  const far_shape shape = far_shape_default(5, 3);
  q_params p = {.decay = DECAY_NONE, .step = STEP_CONSTANT};
  CHECK(q_lane_size(&shape, &p) == 15 * 8);
  p.step = STEP_POLYNOMIAL;
  CHECK(q_lane_size(&shape, &p) == 2 * 15 * 8);
  p.decay = DECAY_STATE;
  CHECK(q_lane_size(&shape, &p) == (2 * 15 + 5) * 8);
  p.step = STEP_CONSTANT;
  CHECK(q_lane_size(&shape, &p) == (2 * 15 + 5) * 8);
}

/* ---- counts ---- */

static void test_count(void) {
  count_params p = {.gamma = 0.5, .beta = 3, .alpha = 0.125, .decay = COUNT_SQRT};
  CHECK(count_bonus(&p, 4) == 1.5 && count_bonus(&p, 1) == 3);
  p.decay = COUNT_LINEAR;
  CHECK(count_bonus(&p, 4) == 0.75);
  p.step = COUNT_CONSTANT;
  CHECK(count_step_size(&p, 6) == 0.125);
  p.step = COUNT_HORIZON; /* (2 + 1) / (2 + n) */
  CHECK(count_step_size(&p, 1) == 1 && count_step_size(&p, 4) == 0.5);
}

/* Two states of two actions; the row of state 1 is where its values are. */
static void test_count_rows(void) {
  double q[] = {9, 8, 1, 2};
  int64_t visits[] = {1, 1, 4, 1};
  count_view v = {.p = {.gamma = 0.5,
                        .beta = 4,
                        .decay = COUNT_SQRT,
                        .place = COUNT_CHOICE,
                        .step = COUNT_CONSTANT,
                        .alpha = 0.5,
                        .ties = FAR__TIES_LOWEST},
                  .most = 2,
                  .q = q,
                  .visits = visits};
  far_rng rng;
  far_rng_init(&rng, 1, 0, FAR_PURPOSE_AGENT);
  CHECK(count_act(&v, 2, 1, &rng) == 1); /* 1 + 4/2 < 2 + 4 */
  CHECK(count_act(&v, 2, 0, &rng) == 0);
  visits[2] = 0;
  CHECK(count_act(&v, 2, 1, &rng) == 0); /* untried */
  const far_transition into = {1, 1, 0.5, 0, false, false}, last = {1, 1, 0.5, 0, true, false};
  count_observe(&v, 2, &into);
  CHECK(q[3] == 1.75 && visits[3] == 2); /* 2 + (0.5 + 0.5 min(9, 2) - 2) / 2 */
  v.p.place = COUNT_TARGET;
  visits[3] = 3;
  count_observe(&v, 2, &last);
  CHECK(q[3] == 2.125 && visits[3] == 4); /* 1.75 + (0.5 + 4/2 - 1.75) / 2 */
}

/* ---- speedy ---- */

/* One state and one action that stays, with reward 1 and gamma = 1/2, from q = 0: T q = 1 + q/2. */
static void test_speedy_steps(void) {
  double q[] = {0};
  int64_t visits[] = {0};
  speedy_state state = {0};
  const speedy_view v = {.p = {.gamma = 0.5, .form = SPEEDY_STEP},
                         .pairs = 1,
                         .live_pairs = 1,
                         .state = &state,
                         .q = q,
                         .visits = visits};
  const far_transition stay = {0, 0, 1, 0, false, false}, last = {0, 0, 1, 0, true, false};
  speedy_observe(&v, 1, &stay); /* alpha = 1: T q = 1 */
  CHECK(q[0] == 1 && visits[0] == 1 && state.k == 1 && state.old == 0);
  speedy_observe(&v, 1, &stay); /* alpha = 1/2: 1 + (1 - 1)/2 + (1.5 - 1)/2 */
  CHECK(q[0] == 1.25 && visits[0] == 2 && state.k == 1 && state.old == 1);
  visits[0] = 3; /* alpha = 1/4; an end has no future: T q = 1 before and now */
  speedy_observe(&v, 1, &last);
  CHECK(q[0] == 1.1875 && visits[0] == 4 && state.old == 1.25);
}

/* ---- exploration values ---- */

/* In logarithms: E = 1/2 becomes 1/4 where nothing comes back, and stays 1 where 1 does. */
static void test_dora_e(void) {
  const double ln2 = far_log(2);
  dora_view v = {.p = {.alpha_e = 0.5, .gamma_e = 0, .unit = ln2}};
  CHECK_NEAR(dora_update_e(&v, ln2, 0), 2 * ln2, 1e-15);
  CHECK_NEAR(dora_update_e(&v, ln2, INFINITY), 2 * ln2, 1e-15);
  v.p.gamma_e = 1;
  CHECK_NEAR(dora_update_e(&v, ln2, INFINITY), 2 * ln2, 1e-15);
  CHECK(fabs(dora_update_e(&v, 0, 0)) <= 1e-15 && dora_update_e(&v, 0, 0) >= 0);
  CHECK_NEAR(dora_update_e(&v, ln2, 0), 2 * ln2 - far_log(3), 1e-15); /* 1/4 + 1/2 */
  CHECK_NEAR(dora_update_e(&v, 0, ln2), 2 * ln2 - far_log(3), 1e-15); /* 1/2 + 1/4 */
}

/* A pair that is switched off learns again if something changed since its window began: at that time or later, and in
 * the form of 2006 later only, and not from this sample. */
static void test_enabled(void) {
  static const struct {
    delayed_learn learn;
    int64_t begun, count;
    bool counts;
    int64_t begun_then, count_then;
  } cases[] = {{LEARN_2009, 5, 0, true, 5, 1},     {LEARN_2009, 6, 0, false, 6, 0},
               {LEARN_2009, 6, 7, true, 6, 7},     {LEARN_PRINTED, 5, 4, true, 5, 5},
               {LEARN_PRINTED, 6, 4, false, 6, 4}, {LEARN_2006, 5, 0, false, 5, 0},
               {LEARN_2006, 4, 0, false, 4, 1},    {LEARN_2006, 4, 3, true, 4, 3}};
  delayed_state state = {.last_success = 5};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const delayed_view v = {.learn = cases[i].learn, .state = &state};
    delayed_window w = {.begun = cases[i].begun, .count = cases[i].count};
    CHECK(delayed_enabled(&v, &w) == cases[i].counts);
    CHECK(w.begun == cases[i].begun_then && w.count == cases[i].count_then);
  }
}

/* A window that changed nothing switches the pair off, unless something changed since it began. */
static void test_failed(void) {
  static const struct {
    delayed_learn learn;
    int64_t begun, begun_then, count_then;
  } cases[] = {{LEARN_2009, 5, 5, 1},
               {LEARN_2009, 6, 6, 0},
               {LEARN_PRINTED, 3, 9, 0},
               {LEARN_2006, 4, 9, 1},
               {LEARN_2006, 5, 9, 0}};
  delayed_state state = {.last_success = 5};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const delayed_view v = {.learn = cases[i].learn, .state = &state};
    delayed_window w = {.begun = cases[i].begun, .count = 1};
    delayed_failed(&v, &w, 9);
    CHECK(w.begun == cases[i].begun_then && w.count == cases[i].count_then);
  }
}

static void test_e_floor(void) {
  CHECK(delayed_e_floor(0) == 0 && delayed_e_floor(0.5) == 0.5 && delayed_e_floor(2) == 2);
  CHECK(delayed_e_floor(DBL_MIN / 2) == DBL_MIN && delayed_e_floor(DBL_MIN) == DBL_MIN);
}

/* Every value is q0 at first, also those that a round begins with. A round ends for all states at once, so that its
 * policy is not local; there are no bonuses. */
static void test_speedy_beginning(void) {
  const far_shape shape = far_shape_default(2, 2);
  far_agent *step, *round;
  CHECK(far__agent_create(&step, "speedy-q:form=step,q0=3", &shape, 1, 0, NULL) == FAR_OK);
  CHECK(far__agent_create(&round, "speedy-q:form=round,q0=3", &shape, 1, 0, NULL) == FAR_OK);
  const speedy_view v = speedy_view_on(far__agent_body(round));
  for (uint32_t s = 0; s < 2; ++s)
    for (uint32_t a = 0; a < 2; ++a) {
      double x = 0;
      CHECK(far_agent_value(step, FAR_VALUE_Q, s, a, &x) && x == 3);
      CHECK(far_agent_value(round, FAR_VALUE_Q, s, a, &x) && x == 3);
      CHECK(speedy_round_of(&v).before[2 * s + a] == 3);
      CHECK(!far_agent_value(step, FAR_VALUE_BONUS, s, a, &x));
    }
  CHECK(far__agent_local(step));
  CHECK(!far__agent_local(round));
  far_agent_free(step);
  far_agent_free(round);
}

int main(void) {
  test_q_epsilon();
  test_q_alpha();
  test_q_lane();
  test_count();
  test_count_rows();
  test_speedy_steps();
  test_speedy_beginning();
  test_dora_e();
  test_enabled();
  test_failed();
  test_e_floor();
  return check_report();
}
