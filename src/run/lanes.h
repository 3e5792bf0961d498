/* Lanes: several replicates of a cell computed side by side on one thread, where that is faster than one after
 * the other. Every lane makes the steps that it would make alone: same draws, same bits. */
#ifndef FAR_RUN_LANES_H
#define FAR_RUN_LANES_H

#include "farsight/run.h"
#include "run/fused.h"

/* Makes `steps` steps of each of n lanes: body[i] has the memory and parameters of lane i, lane[i] its streams, state,
 * clock and total. Parameters and sizes are the same in all bodies, and their states are equally far apart. */
typedef void far__lanes_loop(const far_mdp *mdp, const far__body *body, far__lane *lane, size_t n,
                             int64_t steps);

/* The loop with which runs of this agent on this model are faster, and its number of lanes; NULL: runs are computed
 * one after the other. Reads only parameters and sizes of the agent. */
far__lanes_loop *far__lanes_for(const far_agent *agent, const far_mdp *mdp, size_t *width);

/* The lanes of a worker for a cell. */
typedef struct far__lanes {
  far__lanes_loop *loop;
  size_t width; /* the most lanes; 1: runs are computed one after the other, and all else is NULL */
  far__body *body;
  far__lane *lane;
  void *memory; /* holds the states and the arrays above */
} far__lanes;

/* The number of lanes that a worker would use for the cell; 1: none. `agent` is one of the cell's. */
size_t far__lanes_width(const far_batch_def *def, const far_cell *cell, const far_agent *agent);

/* Allocates the lanes. Without memory, runs are computed one after the other. */
void far__lanes_enter(far__lanes *out, const far_batch_def *def, const far_cell *cell,
                      const far_agent *agent);
void far__lanes_leave(far__lanes *lanes);

/* Begins replicates first ... first+n-1 in lanes 0 ... n-1; resets the agent, whose first state is that of all. */
void far__lanes_begin(far__lanes *lanes, const far_batch_def *def, const far_mdp *mdp,
                      far_agent *agent, uint64_t first, size_t n);

#endif
