/* One run: an agent in a world, step after step.
 *
 * far__loop_plain is the loop. It serves every agent, in a model or a simulator; metrics, counts of visits and an end
 * by episodes are options of the run. The other forms compute the same bits faster, for agents in run/fused.def, in models
 * without a horizon, with no metrics but tallies:
 *
 *   fused        run/fused.h       step, choice and update in one function: one run after the other
 *   interleaved  run/interleave.c  the runs of a thread take turns, each while the others wait for memory: large models
 *   vector       run/vector*.h     the runs of a thread in the lanes of vector registers: small models
 *   device       gpu/              fused, a run on each thread of a GPU; the only form that computes tallies itself
 *
 * The first is chosen in run/worker.c, the next two in run/lanes-choice.c, the last in run/device-place.c.
 */
#ifndef FAR_RUN_LOOP_H
#define FAR_RUN_LOOP_H

#include "agents/agent.h"
#include "farsight/run.h"
#include "model/model.h"
#include "run/fused.h"

typedef struct far__run {
  /* Set by the caller before far__run_begin: */
  const far_mdp *mdp;                 /* NULL for a simulator */
  const far_simulator_def *simulator; /* NULL for a model */
  void *instance;                     /* of the simulator */
  far_agent *agent;
  uint64_t replicate;
  int64_t most_episodes; /* the plain loop ends after this many, if that is before its last step */
  const far_metric *const *metrics;
  void *const *watchers; /* one for each metric */
  size_t n_metrics;
  double *visits; /* counts of each pair; NULL: they are not counted */
  /* The run's own: */
  far_rng transition, start;
  uint32_t s;
  double total;     /* undiscounted reward so far */
  int64_t episodes; /* ended so far; not counted by the fused loops */
} far__run;

/* Resets the agent and draws the first state; `agent_seed` is the seed that a registered agent gets. Fails only as a
 * simulator does. */
far_status far__run_begin(far__run *run, uint64_t seed, uint64_t told, far_error *error);

static inline bool far__run_is_watched(const far__run *run) {
  return run->n_metrics > 0 || run->visits != NULL;
}

/* Makes `steps` more steps. */
typedef far_status far__loop(far__run *run, int64_t steps, far_error *error);

/* Calls the agent's hooks. Fails with MEMORY if a learned model cannot grow, or as a simulator, a metric or a registered
 * agent does. */
far_status far__loop_plain(far__run *run, int64_t steps, far_error *error);

/* The fused loop of the agent (run/fused.h), or the plain loop if its algorithm has none. */
far__loop *far__loop_fused(const far_agent *agent);

/* Which of the fused loops the agent has. */
far__fused far__fused_of(const far_agent *agent);

/* Bytes at the beginning of the agent's state that a lane needs, in which only the rewards are read. */
size_t far__lane_bytes(const far_agent *agent);

/* ---- simulators ---- */

/* Creates the simulator's instance for a thread, and frees it. */
far_status far__simulator_enter(void **instance, const far_simulator_def *def, far_error *error);
void far__simulator_leave(void *instance, const far_simulator_def *def);

/* Begins an episode; and makes one step: the agent acts, the simulator answers and the agent learns. */
far_status far__simulator_start(far__run *run, far_error *error);
far_status far__simulator_step(far__run *run, far_transition *step, far_error *error);

#endif
