/* Which states of agents without a model `valid` takes from a file, word by word. The layouts are those
 * of the comments in src/agents. */
#include "agents/speedy-q.h"
#include "agents/ucb-q.h"
#include "kept.h"

static const layout LAYOUTS[] = {
    {"q-learning", "4N 4C 2C"},
    {"count-q", "4F 4C"},
    {"dora", "1SA 4F 4P"},
    {"bayes-q", "4F 4I 4I 4I 4C"},
    {"delayed-q:m=3", "1C... 4CMF 4F"},
    {"directed-delayed-q:m=3", "1C... 4CMFF 2FFFFFF"},
    {"ucb-h", "8F 8C"},
    {"ucb-b", "8F 8F 8P 8P 8C"},
    {"ucbmq", "8F 8F 8C 4F 16F"},
    {"rand-ql:ensemble=3", "8F 8U 24F 8Z 8C"},
    {"q-advantage", "8F 8FFFFPFPFC 4FFFB"},
    {"optimal", "2A"},
};

/* ---- words that depend on each other ---- */

/* 0 <= low <= Vmax = 2/(1-1/2) = 4, and low <= q. */
static void test_ucb_q(void) {
  far_agent *agent = start("ucb-q:gamma=0.5");
  if (agent == NULL) return;
  double *q = far__agent_state(agent), *low = q + P;
  for (size_t i = 0; i < P; ++i) q[i] = 16;
  for (size_t i = 0; i < P; ++i) {
    real(agent, P + i, 0, true, 'l');
    real(agent, P + i, 4, true, 'l');
    real(agent, P + i, -0.5, false, 'l');
    real(agent, P + i, 4.5, false, 'l');
    low[i] = 2;
    at_least(agent, i, 2, 1.5, 'q');
    between(agent, 2 * P + i, 0, STEPS, 'C');
  }
  far_agent_free(agent);
}

/* k is 0, or a pair that has been visited. */
static void test_speedy_step(void) {
  far_agent *agent = start("speedy-q:form=step");
  if (agent == NULL) return;
  const speedy_view v = speedy_view_on(far__agent_body(agent));
  between(agent, 0, 0, 0, 'k');
  real(agent, 1, NAN, true, '.');
  any_number(agent, 2, false, 'F');
  for (size_t i = 0; i < P; ++i) {
    any_number(agent, 4 + i, false, 'F');
    between(agent, 4 + P + i, 0, STEPS, 'C');
    v.visits[i] = 1;
    whole(agent, 0, (int64_t)i + 1, true, 'k');
    v.visits[i] = 0;
    whole(agent, 0, (int64_t)i + 1, false, 'k');
  }
  for (size_t i = 0; i < P; ++i) v.visits[i] = 1;
  between(agent, 0, 0, P, 'k');
  far_agent_free(agent);
}

/* `left` pairs have no sample in this round, and none has more samples than visits. */
static void test_speedy_round(void) {
  far_agent *agent = start("speedy-q:form=round");
  if (agent == NULL) return;
  const speedy_view v = speedy_view_on(far__agent_body(agent));
  const speedy_round round = speedy_round_of(&v);
  CHECK(v.state->left == P);
  between(agent, 0, 0, STEPS, 'k');
  between(agent, 1, P, P, 'l');
  for (size_t i = 0; i < P; ++i) {
    any_number(agent, 4 + i, false, 'F');
    between(agent, 4 + P + i, 0, STEPS, 'C');
    any_number(agent, 4 + 2 * P + i, false, 'F');
    any_number(agent, 4 + 3 * P + i, false, 'F');
    whole(agent, 4 + 4 * P + i, -1, false, 's');
    v.visits[i] = 2;
    v.state->left = P - 1;
    whole(agent, 4 + 4 * P + i, 1, true, 's');
    whole(agent, 4 + 4 * P + i, 2, true, 's');
    whole(agent, 4 + 4 * P + i, 3, false, 's');
    whole(agent, 4 + 4 * P + i, 0, false, 's');
    v.state->left = P;
  }
  for (size_t i = 0; i < P; ++i) round.samples[i] = 1;
  v.state->left = 0;
  CHECK(!valid(agent)); /* a round that is over has been closed */
  far_agent_free(agent);
}

/* With three samples of two visits there is none that a visit did not make. */
static void test_rand_ql(void) {
  far_agent *agent = start("rand-ql:ensemble=3");
  if (agent == NULL) return;
  enum { T = P * H, COUNT = 5 * T, VISITS = 6 * T };
  for (size_t i = 0; i < T; ++i) {
    ((int64_t *)far__agent_state(agent))[VISITS + i] = 2;
    between(agent, COUNT + i, 0, 2, 'c');
  }
  far_agent_free(agent);
}

int main(void) {
  for (size_t i = 0; i < sizeof LAYOUTS / sizeof *LAYOUTS; ++i)
    test_layout(LAYOUTS[i].spec, LAYOUTS[i].words);
  test_ucb_q();
  test_speedy_step();
  test_speedy_round();
  test_rand_ql();
  return check_report();
}
