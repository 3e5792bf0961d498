/* How claims are checked along a run. A checker watches one kind of agent; its findings go into
 * the watch, a run at a time, and audit.c adds up the runs.
 *
 * Everything is in the agents' own units: rewards are shifted to [0, range], a terminal state has
 * the value -reward_min / (1 - gamma), and Q* is shifted by the same amount. */
#ifndef FAR_THEORY_AUDIT_CLAIMS_H
#define FAR_THEORY_AUDIT_CLAIMS_H

#include "agents/agent.h"
#include "farsight/audit.h"

/* Sets of algorithms, for claims.def and claims-facts.def. */
#define ON(agent) ((uint64_t)1 << FAR__AGENT_##agent)
_Static_assert(FAR__AGENT_COUNT <= 64, "a set has a bit for every algorithm");
#define DELAYED (ON(directed_delayed_q) | ON(delayed_q) | ON(delayed_q_ie))
/* those that plan for average reward and keep the plan's gain */
#define GAINED (ON(ucrl2b) | ON(kl_ucrl) | ON(ucrl3))
#define AVERAGE (ON(ucrl2) | GAINED) /* an end is a step to the next start */
#define LEARNERS                                                                                   \
  (ON(r_max) | ON(v_max) | ON(mbie) | ON(mbie_eb) | ON(beb) | ON(oim) | ON(mormax) | ON(e3) |      \
   ON(ucrl_gamma) | ON(ucbvi_gamma) | AVERAGE)

/* Agents that plan for a horizon; STEPWISE has all of them that are audited. */
#define STEP_PLANNERS (ON(ucbvi) | ON(mvp) | ON(ubev) | ON(orlc) | ON(bpi_ucbvi))
#define STEP_OPTIMISTS (STEP_PLANNERS | ON(ucb_h) | ON(ucb_b) | ON(q_advantage))
#define CERTIFIERS (ON(orlc) | ON(bpi_ucbvi) | ON(rf_express) | ON(rf_ucrl))
#define STEPWISE (STEP_OPTIMISTS | CERTIFIERS)

typedef enum far__claim_id {
#define FAR_CLAIM(id, name, certain, agents, statement, source) FAR__CLAIM_##id,
#include "theory/audit/claims.def"
#undef FAR_CLAIM
  FAR__CLAIM_COUNT
} far__claim_id;

typedef enum far__fact_id {
#define FAR_FACT(id, name, agents, meaning) FAR__FACT_##id,
#include "theory/audit/claims-facts.def"
#undef FAR_FACT
  FAR__FACT_COUNT
} far__fact_id;

/* The exact solution of the problem, shared by all watches, which only read it. */
typedef struct far__truth {
  const far_mdp *mdp;
  uint32_t n_states, n_actions;
  size_t n_pairs;
  bool episodic;
  double gamma; /* the agent's; 0 where it has none */
  double low, range, v_max;
  double end; /* rewards are shifted by low; a terminal state has the value `end` */
  /* of agents that plan for one, else 0. With a horizon there is no discount and nothing is shifted: q is that of
   * (h, s, a), v that of (h, s) */
  int64_t horizon;
  double *reward;  /* expected, of a pair */
  double *q, *v;   /* optimal; v has one more entry, that of the end */
  double gain;     /* the best average reward; NAN if it is not needed, or depends on the start */
  double rounding; /* larger differences violate a claim */
} far__truth;

/* The findings of one run. */
typedef struct far__claim_finding {
  int64_t checked, violated;
  double worst, bound; /* NaN if there was none */
  far_violation first;
} far__claim_finding;

typedef struct far__claim_findings {
  uint64_t stream; /* of the run: the first word of the agent's stream names its replicate */
  far__claim_finding claim[FAR__CLAIM_COUNT];
  int64_t fact[FAR__FACT_COUNT];
} far__claim_findings;

/* The beginning of every watch; a checker's own struct begins with it. */
typedef struct far__watch {
  const far__truth *truth;
  int64_t every;
  int64_t t;     /* transitions so far */
  uint32_t next; /* the state in which the next transition begins */
  far__claim_findings found;
} far__watch;

/* The checks for one kind of agent. */
typedef struct far__checker {
  size_t size; /* of its watch */
  /* words of memory that the watch needs besides */
  size_t (*words)(const far__truth *truth);
  void (*begin)(far__watch *watch, const far_agent *agent, double *words);
  void (*step)(far__watch *watch, const far_agent *agent, const far_transition *step);
  void (*end)(far__watch *watch, const far_agent *agent);
  /* which pairs are known, in words */
  void (*known)(char *out, size_t size, const far_agent *agent);
  /* the parameter, in words, for which no claim is made; NULL if there is none. The hook may be NULL */
  const char *(*excluded)(const far_agent *agent);
} far__checker;

extern const far__checker far__check_delayed, far__check_learner, far__check_ucb_q,
    far__check_episodic;

/* The checker of an algorithm, by its index; NULL if no claim of it can be audited. */
const far__checker *far__checker_of(size_t agent_type);

bool far__claim_applies(far__claim_id id, size_t agent_type);
bool far__fact_applies(far__fact_id id, size_t agent_type);

/* Checks value <= bound (up to rounding) for a pair. The result is NULL, or the first violation of
 * the run, to which the caller may add numbers. */
far_violation *far__check(far__watch *watch, far__claim_id id, size_t pair, double value,
                          double bound);

/* Checks an event that either holds or does not. Value and bound only illustrate it, and count as the worst only
 * if it does not hold. */
far_violation *far__check_event(far__watch *watch, far__claim_id id, size_t pair, bool holds,
                                double value, double bound);

/* Adds a named number to a violation; does nothing for NULL. */
void far__note(far_violation *violation, const char *name, double value);

/* The expected value of a pair's successors: v of states, `end` of terminal states. */
double far__expect(const far__truth *truth, size_t pair, const double *v);

#endif
