/* Agents that plan for a horizon: optimism of every value, certificates, mistakes of episodes.
 *
 * Everything is read through the public functions, in the units of the rewards, as an episode begins: the
 * truth's q is that of (h, s, a), its v that of (h, s), without a discount. */
#include <string.h>

#include "theory/audit/claims.h"
#include "model/model.h"

enum { SHARES = 4 }; /* 1/4, 1/16, 1/64, 1/256 of the most that an episode earns */

typedef struct episodic_watch {
  far__watch base;
  double *q;       /* of (h, s, a) when the last episode began */
  double *v, *low; /* scratch: values of the policy with h and h + 1 steps taken */
  double *p;       /* scratch: the policy of a state */
  bool *met;       /* has an episode begun in this state? */
  bool certified;  /* has there been a certificate? */
} episodic_watch;

static size_t words(const far__truth *truth) {
  return truth->n_pairs * (size_t)truth->horizon + 3 * (size_t)truth->n_states + truth->n_actions;
}

static bool is_live(const far__truth *truth, uint32_t s) {
  return far_shape_is_live(&truth->mdp->shape, s);
}

/* ---- values ---- */

static void check_value(episodic_watch *w, const far_agent *agent, int64_t h, size_t i) {
  const far__truth *truth = w->base.truth;
  const size_t at = (size_t)h * truth->n_pairs + i;
  const uint32_t s = (uint32_t)(i / truth->n_actions), a = (uint32_t)(i % truth->n_actions);
  const double top = (double)(truth->horizon - h) * (truth->low + truth->range);
  double q = 0;
  far_agent_value_at(agent, FAR_VALUE_Q, h, s, a, &q);
  if (far__claim_applies(FAR__CLAIM_STEP_OPTIMISM, agent->type)) {
    far_violation *x = far__check(&w->base, FAR__CLAIM_STEP_OPTIMISM, i, truth->q[at] - q, 0);
    far__note(x, "step", (double)h);
    far__note(x, "q", q);
    far__note(x, "q_star", truth->q[at]);
  }
  if (far__claim_applies(FAR__CLAIM_STEP_BOUNDED, agent->type))
    far__note(far__check(&w->base, FAR__CLAIM_STEP_BOUNDED, i, q, top), "step", (double)h);
  if (far__claim_applies(FAR__CLAIM_STEP_FALLS, agent->type) && agent->t > 0)
    far__note(far__check(&w->base, FAR__CLAIM_STEP_FALLS, i, q - w->q[at], 0), "step", (double)h);
  w->q[at] = q;
}

/* ---- the policy ---- */

/* The expected reward of an action and of the policy after it, which is 0 at the end. */
static double backup(const far__truth *truth, size_t i, const double *next) {
  const far_mdp *mdp = truth->mdp;
  double sum = 0;
  for (size_t k = mdp->row[i]; k < mdp->row[i + 1]; ++k) {
    const far_outcome *o = &mdp->outcome[k];
    sum += o->probability * (o->reward + (o->done ? 0 : next[o->next]));
  }
  return sum;
}

/* Computes the value of the agent's policy in each state as an episode begins, in w->v; false if the agent has no
 * policy to read. */
static bool evaluate(episodic_watch *w, const far_agent *agent) {
  const far__truth *truth = w->base.truth;
  memset(w->v, 0, truth->n_states * sizeof *w->v);
  for (int64_t h = truth->horizon; h-- > 0;) {
    memcpy(w->low, w->v, truth->n_states * sizeof *w->v);
    for (uint32_t s = 0; s < truth->n_states; ++s) {
      w->v[s] = 0;
      if (!is_live(truth, s)) continue;
      if (!far_agent_policy_at(agent, h, s, w->p)) return false;
      for (uint32_t a = 0; a < truth->n_actions; ++a)
        if (w->p[a] > 0)
          w->v[s] += w->p[a] * backup(truth, (size_t)s * truth->n_actions + a, w->low);
    }
  }
  return true;
}

/* Checks the loss of the episode that begins in s: against the certificate, if an episode began there before, and
 * against shares of the largest value. */
static void check_policy(episodic_watch *w, const far_agent *agent, uint32_t s) {
  far__watch *base = &w->base;
  const far__truth *truth = base->truth;
  const double loss = truth->v[s] - w->v[s];
  double bound, share = truth->v_max;
  base->found.fact[FAR__FACT_EPISODES] += 1;
  for (int k = 0; k < SHARES; ++k) {
    share /= 4;
    base->found.fact[FAR__FACT_LOSS_4 + k] += loss > share + truth->rounding;
  }
  if (!w->met[s] || !far__claim_applies(FAR__CLAIM_CERTIFICATE, agent->type)) return;
  const size_t pair = (size_t)s * truth->n_actions;
  const bool given = far_agent_certificate(agent, &bound) || far_agent_uncertified(agent, &bound);
  if (given)
    far__note(far__check(base, FAR__CLAIM_CERTIFICATE, pair, loss, bound), "v_star", truth->v[s]);
  else if (w->certified)
    far__check_event(base, FAR__CLAIM_CERTIFICATE, pair, false, loss, 0);
  w->certified |= given;
}

/* An episode begins in the state `base.next`. */
static void episode(episodic_watch *w, const far_agent *agent) {
  const far__truth *truth = w->base.truth;
  for (int64_t h = 0; h < truth->horizon; ++h)
    for (size_t i = 0; i < truth->n_pairs; ++i)
      if (is_live(truth, (uint32_t)(i / truth->n_actions))) check_value(w, agent, h, i);
  if (evaluate(w, agent)) check_policy(w, agent, w->base.next);
  w->met[w->base.next] = true;
}

static void begin(far__watch *watch, const far_agent *agent, double *memory) {
  episodic_watch *w = (episodic_watch *)watch;
  const far__truth *truth = watch->truth;
  w->q = memory;
  w->v = w->q + truth->n_pairs * (size_t)truth->horizon;
  w->low = w->v + truth->n_states;
  w->p = w->low + truth->n_states;
  w->met = (bool *)(w->p + truth->n_actions);
  memset(w->met, 0, truth->n_states * sizeof *w->met);
  w->certified = false;
  episode(w, agent);
}

static void step(far__watch *watch, const far_agent *agent, const far_transition *tr) {
  if (tr->done || tr->cut) episode((episodic_watch *)watch, agent);
}

static void end(far__watch *watch, const far_agent *agent) {
  (void)watch, (void)agent;
}

static void known(char *out, size_t size, const far_agent *agent) {
  (void)agent;
  if (size > 0) out[0] = '\0';
}

const far__checker far__check_episodic = {
    .size = sizeof(episodic_watch),
    .words = words,
    .begin = begin,
    .step = step,
    .end = end,
    .known = known,
};
