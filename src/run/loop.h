/* One run: an agent on a model, step after step. */
#ifndef FAR_RUN_LOOP_H
#define FAR_RUN_LOOP_H

#include "agents/agent.h"
#include "farsight/run.h"
#include "mdp/model.h"
#include "run/fused.h"

typedef struct far__run {
  const far_mdp *mdp;                 /* NULL: the simulator's ... */
  const far_simulator_def *simulator; /* ... */
  void *instance;
  uint64_t replicate; /* for messages of a simulator */
  far_agent *agent;
  far_rng transition, start;
  uint32_t s;
  double total;     /* undiscounted reward so far */
  int64_t episodes; /* that ended so far; the fused loops do not count them */
  int64_t halt;     /* a loop ends early where so many have */
  const far_metric *const *metrics;
  void *const *watchers; /* one for each metric */
  size_t n_metrics;
  double *visits; /* of each pair, counted by far__run_show; NULL: not counted */
} far__run;

/* Resets the agent and draws the first state; a registered agent is told the seed `told`. */
void far__run_begin(far__run *run, const far_mdp *mdp, far_agent *agent, uint64_t seed,
                    uint64_t told, uint64_t replicate);

/* Shows a step to the metrics; the run stands in the state that follows. */
far_status far__run_show(const far__run *run, const far_transition *step, far_error *error);

/* So many steps, or fewer where run->halt says so; only the fused loops take no notice of that. */
typedef far_status far__loop(far__run *run, int64_t steps, far_error *error);

/* Through the agent's hooks; serves every algorithm. MEMORY if a learned model cannot grow. */
far_status far__loop_generic(far__run *run, int64_t steps, far_error *error);

/* The same, with every step shown to the metrics, and counted where there is room for it. */
far_status far__loop_watched(far__run *run, int64_t steps, far_error *error);

/* Environment step, choice and update fused into one loop (run/fused.h); the generic loop where an
 * algorithm has none. */
far__loop *far__loop_fused(const far_agent *agent);

/* Which of the fused loops the agent has. */
far__fused far__fused_of(const far_agent *agent);

/* Bytes at the beginning of its state that a lane needs, of which nobody sees more than the rewards. */
size_t far__lane_bytes(const far_agent *agent);

/* ---- worlds without a model ---- */

/* The instance of a thread, and its end, if it is not NULL. */
far_status far__simulator_enter(void **instance, const far_simulator_def *def, far_error *error);
void far__simulator_leave(void *instance, const far_simulator_def *def);

far_status far__run_begin_simulated(far__run *run, const far_simulator_def *def, void *instance,
                                    far_agent *agent, uint64_t seed, uint64_t told,
                                    uint64_t replicate, far_error *error);

/* With or without metrics. */
far_status far__loop_simulated(far__run *run, int64_t steps, far_error *error);

#endif
