/* UCB Q-learning, Dong, Wang, Chen & Wang 2020: its running minimum of Q bounds Q* from above and
 * only falls. It changes at the visited pair only. */
#include "theory/audit/claims.h"
#include "model/model.h"

typedef struct ucb_q_watch {
  far__watch base;
  double *q; /* before the step */
} ucb_q_watch;

static size_t words(const far__truth *truth) {
  return truth->n_pairs;
}

/* The agent's Q in shifted units, as in far__truth; far_agent_value gives it in the units of rewards. */
static double value_of(const far__truth *truth, const far_agent *agent, size_t i) {
  double q = 0;
  far_agent_value(agent, FAR_VALUE_Q, (uint32_t)(i / truth->n_actions),
                  (uint32_t)(i % truth->n_actions), &q);
  return q + truth->end;
}

static void begin(far__watch *watch, const far_agent *agent, double *memory) {
  ucb_q_watch *w = (ucb_q_watch *)watch;
  w->q = memory;
  for (size_t i = 0; i < watch->truth->n_pairs; ++i) w->q[i] = value_of(watch->truth, agent, i);
}

static void check_optimism(far__watch *watch, size_t i, double q) {
  const far__truth *truth = watch->truth;
  far_violation *x = far__check(watch, FAR__CLAIM_OPTIMISM, i, truth->q[i] - q, 0);
  far__note(x, "q", q - truth->end);
  far__note(x, "q_star", truth->q[i] - truth->end);
}

static void step(far__watch *watch, const far_agent *agent, const far_transition *tr) {
  ucb_q_watch *w = (ucb_q_watch *)watch;
  const size_t i = (size_t)tr->s * watch->truth->n_actions + tr->a;
  const double q = value_of(watch->truth, agent, i);
  check_optimism(watch, i, q);
  far__check(watch, FAR__CLAIM_BOUNDED, i, q, watch->truth->v_max);
  far__check(watch, FAR__CLAIM_Q_FALLS, i, q - w->q[i], 0);
  w->q[i] = q;
}

static void end(far__watch *watch, const far_agent *agent) {
  const far__truth *truth = watch->truth;
  for (size_t i = 0; i < truth->n_pairs; ++i)
    if (!truth->mdp->terminal[i / truth->n_actions])
      check_optimism(watch, i, value_of(truth, agent, i));
}

static void known(char *out, size_t size, const far_agent *agent) {
  (void)agent;
  if (size > 0) out[0] = '\0';
}

const far__checker far__check_ucb_q = {
    .size = sizeof(ucb_q_watch),
    .words = words,
    .begin = begin,
    .step = step,
    .end = end,
    .known = known,
};
