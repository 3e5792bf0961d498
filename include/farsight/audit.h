/* The audit: the claims of an agent's proof, checked along real runs against the exact solution.
 *
 *     far_mdp *mdp;
 *     far_audit *audit;
 *     if (far_mdp_create(&mdp, "chain:n=3,gamma=0.5", &error)) return puts(error.message);
 *     far_audit_def def = far_audit_def_default(); // set only what differs
 *     def.mdp = mdp;
 *     def.agent = "directed-delayed-q:preset=theory,eps=1";
 *     def.runs = 5;
 *     if (far_audit_run(&audit, &def, &error)) return puts(error.message);
 *     for (size_t i = 0; i < audit->n_claims; ++i)
 *       printf("%s: %s\n", audit->claims[i].name, far_verdict_text(audit->claims[i].verdict));
 *     far_audit_free(audit);
 *     far_mdp_free(mdp);
 *
 * A claim is either certain (it must hold at every check of every run) or holds with probability 1
 * - delta (then the share of runs in which it fails is compared with delta). A claim that was never
 * checked is reported as untested, not as kept. docs/audit.md describes how each claim is checked.
 */
#ifndef FARSIGHT_AUDIT_H
#define FARSIGHT_AUDIT_H

#include "farsight/run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct far_audit_def {
  const far_mdp *mdp;
  const char *agent;        /* spec */
  int64_t steps;            /* of a run; 10000 by default */
  int64_t runs;             /* 100 by default */
  uint64_t seed;            /* 1 by default */
  uint64_t first_replicate; /* runs are replicates first_replicate + 0 ... runs-1 */
  unsigned threads;         /* 0: one for each processor; the results do not depend on it */
  double delta;  /* what failures are compared with; 0, the default: the agent's, or 0.1 */
  int64_t every; /* accuracy is evaluated when as many steps have passed, and something changed, and
                    at the end; 1000 by default */
  far_progress_fn *progress; /* may be NULL */
  void *user;
} far_audit_def;

FAR_API far_audit_def far_audit_def_default(void);

typedef enum far_verdict {
  FAR_VERDICT_UNTESTED, /* the claim's precondition never occurred */
  FAR_VERDICT_KEPT,     /* no violation */
  FAR_VERDICT_WITHIN,   /* violations in some runs, not significantly more than delta allows */
  FAR_VERDICT_VIOLATED, /* of a certain claim: at all; else: the whole interval lies above delta */
} far_verdict;

/* "untested", "kept", "within delta", "VIOLATED". */
FAR_API const char *far_verdict_text(far_verdict verdict);

enum { FAR_VIOLATION_VALUES = 6 };

/* One failed check: enough to find it again. */
typedef struct far_violation {
  uint64_t replicate;
  int64_t t;     /* after as many transitions */
  uint32_t s, a; /* the pair; a is 0 where the claim is one of states */
  double value, bound;
  size_t n_values;
  struct {
    const char *name;
    double value;
  } values[FAR_VIOLATION_VALUES]; /* further numbers that help to explain it */
} far_violation;

typedef struct far_claim {
  const char *name;      /* one word */
  const char *statement; /* in one line */
  const char *source;    /* where it is claimed */
  bool certain;
  int64_t checked, violated;   /* over all runs; a check asks whether value <= bound */
  int64_t runs, runs_violated; /* runs with a check, and of these those with a violation */
  double low, high;    /* 95% interval (Clopper & Pearson) of the probability of such a run */
  double worst, bound; /* of the check with the greatest value - bound; NaN if there was none */
  far_verdict verdict;
  far_violation first; /* of the lowest replicate, if violated > 0 */
} far_claim;

/* A count of events, which shows how much was really tested. */
typedef struct far_fact {
  const char *name, *meaning;
  int64_t total; /* over all runs */
} far_fact;

typedef struct far_audit {
  const char *agent;   /* canonical spec */
  int64_t steps, runs; /* finished */
  double delta;
  char known[160]; /* which pairs count as known, in words */
  int64_t cut; /* steps after which episodes are cut, of an agent that takes no notice of it: its
                      claims are of the problem that goes on; 0: none */
  size_t n_claims, n_facts;
  const far_claim *claims;
  const far_fact *facts;
} far_audit;

/* Runs the audit. CONFLICT if there are no claims to audit for this agent; the message lists the
 * agents that have some. On CANCELLED *out holds what is finished and must be freed as well; on any
 * other error it is NULL. */
FAR_API far_status far_audit_run(far_audit **out, const far_audit_def *def, far_error *error);
FAR_API void far_audit_free(far_audit *audit); /* NULL is fine */

/* Whether there are claims to audit for this algorithm. */
FAR_API bool far_agent_auditable(const char *name);

#ifdef __cplusplus
}
#endif

#endif
