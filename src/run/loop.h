/* One run: an agent in a world, step after step.
 *
 * far__loop_plain is the loop. It serves every agent, in a model or a simulator; metrics, counts of visits and an end
 * by episodes are options of the run. The other forms compute the same bits sooner, of agents in run/fused.def, in models
 * without a horizon, where nobody watches but tallies:
 *
 *   fused        run/fused.h       step, choice and update in one function: one run after the other
 *   interleaved  run/interleave.c  the runs of a thread take turns, each while the others wait for memory: large models
 *   vector       run/vector*.h     the runs of a thread in the lanes of vector registers: small models
 *   device       gpu/              fused, a run on each thread of a GPU; the only form that computes tallies by itself
 *
 * The first is chosen in run/worker.c, the next two in run/lanes-choice.c, the last in run/device.c.
 */
#ifndef FAR_RUN_LOOP_H
#define FAR_RUN_LOOP_H

#include "agents/agent.h"
#include "farsight/run.h"
#include "model/model.h"
#include "run/fused.h"

typedef struct far__run {
  /* Set by the caller before far__run_begin: */
  const far_mdp *mdp;                 /* NULL: the simulator's ... */
  const far_simulator_def *simulator; /* ... */
  void *instance;
  far_agent *agent;
  uint64_t replicate;
  int64_t
      most_episodes; /* the plain loop ends early where so many have ended; INT64_MAX: it does not */
  const far_metric *const *metrics;
  void *const *watchers; /* one for each metric */
  size_t n_metrics;
  double *visits; /* of each pair, which are counted; NULL: they are not */
  /* The run's own: */
  far_rng transition, start;
  uint32_t s;
  double total;     /* undiscounted reward so far */
  int64_t episodes; /* that ended so far; the fused loops do not count them */
} far__run;

/* Resets the agent and draws the first state; a registered agent is told the seed `told`. Fails only as a simulator
 * does. */
far_status far__run_begin(far__run *run, uint64_t seed, uint64_t told, far_error *error);

static inline bool far__run_is_watched(const far__run *run) {
  return run->n_metrics > 0 || run->visits != NULL;
}

/* So many more steps. */
typedef far_status far__loop(far__run *run, int64_t steps, far_error *error);

/* Through the agent's hooks. MEMORY if a learned model cannot grow; what a simulator, a metric or a registered agent
 * fails with. */
far_status far__loop_plain(far__run *run, int64_t steps, far_error *error);

/* Environment step, choice and update fused into one loop (run/fused.h); the plain loop where an algorithm has none. */
far__loop *far__loop_fused(const far_agent *agent);

/* Which of the fused loops the agent has. */
far__fused far__fused_of(const far_agent *agent);

/* Bytes at the beginning of its state that a lane needs, of which nobody sees more than the rewards. */
size_t far__lane_bytes(const far_agent *agent);

/* ---- worlds without a model ---- */

/* The instance of a thread, and its end, if it is not NULL. */
far_status far__simulator_enter(void **instance, const far_simulator_def *def, far_error *error);
void far__simulator_leave(void *instance, const far_simulator_def *def);

/* A new episode; and one step, in which the agent acts, the simulator answers and the agent learns. */
far_status far__simulator_start(far__run *run, far_error *error);
far_status far__simulator_step(far__run *run, far_transition *step, far_error *error);

#endif
