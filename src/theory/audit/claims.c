#include "theory/audit/claims.h"

#include "model/model.h"

bool far__claim_applies(far__claim_id id, size_t agent_type) {
  static const uint64_t agents[] = {
#define FAR_CLAIM(id, name, certain, agents, statement, source) agents,
#include "theory/audit/claims.def"
#undef FAR_CLAIM
  };
  return agents[id] >> agent_type & 1;
}

bool far__fact_applies(far__fact_id id, size_t agent_type) {
  static const uint64_t agents[] = {
#define FAR_FACT(id, name, agents, meaning) agents,
#include "theory/audit/claims-facts.def"
#undef FAR_FACT
  };
  return agents[id] >> agent_type & 1;
}

const far__checker *far__checker_of(size_t agent_type) {
  if (agent_type >= FAR__AGENT_COUNT) return NULL; /* a registered one */
  if (DELAYED >> agent_type & 1) return &far__check_delayed;
  if (LEARNERS >> agent_type & 1) return &far__check_learner;
  if (STEPWISE >> agent_type & 1) return &far__check_episodic;
  return agent_type == FAR__AGENT_ucb_q ? &far__check_ucb_q : NULL;
}

static far_violation *violated(far__watch *watch, far__claim_finding *finding, size_t pair,
                               double value, double bound) {
  finding->violated += 1;
  if (finding->violated > 1) return NULL;
  finding->first = (far_violation){.t = watch->t,
                                   .s = (uint32_t)(pair / watch->truth->n_actions),
                                   .a = (uint32_t)(pair % watch->truth->n_actions),
                                   .value = value,
                                   .bound = bound};
  return &finding->first;
}

static void keep_worst(far__claim_finding *finding, double value, double bound) {
  if (value - bound <= finding->worst - finding->bound) return; /* false while worst is NaN */
  finding->worst = value;
  finding->bound = bound;
}

far_violation *far__check(far__watch *watch, far__claim_id id, size_t pair, double value,
                          double bound) {
  far__claim_finding *finding = &watch->found.claim[id];
  keep_worst(finding, value, bound);
  finding->checked += 1;
  if (value - bound <= watch->truth->rounding) return NULL;
  return violated(watch, finding, pair, value, bound);
}

far_violation *far__check_event(far__watch *watch, far__claim_id id, size_t pair, bool holds,
                                double value, double bound) {
  far__claim_finding *finding = &watch->found.claim[id];
  finding->checked += 1;
  if (holds) return NULL;
  keep_worst(finding, value, bound);
  return violated(watch, finding, pair, value, bound);
}

void far__note(far_violation *violation, const char *name, double value) {
  if (violation == NULL || violation->n_values == FAR_VIOLATION_VALUES) return;
  violation->values[violation->n_values].name = name;
  violation->values[violation->n_values].value = value;
  violation->n_values += 1;
}

double far__expect(const far__truth *truth, size_t pair, const double *v) {
  const far_mdp *mdp = truth->mdp;
  double sum = 0;
  for (size_t k = mdp->row[pair]; k < mdp->row[pair + 1]; ++k) {
    const far_outcome *o = &mdp->outcome[k];
    sum += o->probability * (o->done ? truth->end : v[o->next]);
  }
  return sum;
}
