/* A player: one run of one agent or several, stepped forward and back, for views that show agents learning.
 *
 *     far__player_def def = far__player_def_default();   set only what differs
 *     const char *agents[] = {"directed-delayed-q", "delayed-q"};
 *     def.mdp = mdp;
 *     def.agents = agents;
 *     def.n_agents = 2;
 *     far__player *player;
 *     far_status status = far__player_create(&player, &def, &error);
 *     status = far__player_advance(player, 100, &error);
 *     ... far__player_run_of(player, 0)->total ...
 *     status = far__player_seek(player, 50, &error);    back
 *     far__player_free(player);
 *
 * All agents see the random numbers of replicate `replicate` of a batch (farsight/run.h) with this seed, each in
 * a world of its own, so that after `steps` steps the totals are those of the batch, to the last bit. What is
 * seen after t steps does not depend on the way there: to go back, the player restores a copy that it kept
 * and repeats the steps from there.
 */
#ifndef FAR_QUESTIONS_LEARNING_PLAYER_H
#define FAR_QUESTIONS_LEARNING_PLAYER_H

#include "farsight/agent.h"
#include "farsight/base.h"
#include "farsight/mdp.h"

enum {
  FAR__PLAYER_AGENTS = 8,   /* the most agents */
  FAR__PLAYER_POINTS = 512, /* the most points of a curve */
};

/* Called about ten times a second while steps are taken, with the step that was reached and the one that is
 * wanted. False stops with CANCELLED; the player then stands at the step reached. */
typedef bool far__player_progress_fn(void *user, int64_t t, int64_t target);

typedef struct far__player_def {
  const far_mdp *mdp;                /* borrowed; must outlive the player */
  const char *const *agents;         /* specs; read by far__player_create alone */
  size_t n_agents;                   /* 1 ... FAR__PLAYER_AGENTS */
  int64_t steps;                     /* of the run, at least 1; 10000 by default */
  uint64_t seed;                     /* 1 by default */
  uint64_t replicate;                /* 0 by default */
  far__player_progress_fn *progress; /* may be NULL */
  void *user;
} far__player_def;

far__player_def far__player_def_default(void);

/* One agent in its world, after the steps so far. Owned by the player, and valid until it moves. */
typedef struct far__player_run {
  const far_agent *agent; /* only to be read: far_agent_value and the like */
  uint32_t s;             /* where it is, and acts next */
  double total;           /* undiscounted reward so far */
  int64_t episodes;       /* that have ended */
  far_transition last;    /* the last step, if there was one */
  const double *visits;   /* how often each action was taken: visits[s * n_actions + a] */
  const double *curve;    /* totals after stride, 2 stride, ... n_points stride steps */
  size_t n_points;
  int64_t stride;
} far__player_run;

typedef struct far__player far__player;

/* A player before the first step. Fails with RANGE, as far_agent_create_on does, or with MEMORY; *out is
 * then NULL. */
far_status far__player_create(far__player **out, const far__player_def *def, far_error *error);
void far__player_free(far__player *player); /* NULL is fine */

/* The steps so far, and those of the whole run. */
int64_t far__player_t(const far__player *player);
int64_t far__player_steps(const far__player *player);

/* Agent k in its world; NULL past the last. */
const far__player_run *far__player_run_of(const far__player *player, size_t k);

/* Takes n >= 0 steps, fewer if the run ends. RANGE, CANCELLED, MEMORY, or the failure of a registered agent;
 * the player then stands after the last step that succeeded, and can move again. */
far_status far__player_advance(far__player *player, int64_t n, far_error *error);

/* Goes to step t, forward or back; before the first and after the last step means there. As above. Time is
 * that of the steps since the nearest copy kept: about 1/32 of the steps taken so far, at most. */
far_status far__player_seek(far__player *player, int64_t t, far_error *error);

/* A change of an agent's numbers by one step: the first pair of which one changed. */
typedef struct far__player_update {
  size_t agent;
  far_value kind; /* FAR_VALUE_Q, FAR_VALUE_E or FAR_VALUE_LEARN: the first of these that changed */
  uint32_t s, a;
  double before, after;
  size_t n_changed; /* pairs of which this number changed */
} far__player_update;

/* Takes steps until one changes Q, E or LEARN of an agent, or the run ends; *found says which. Agents that
 * have no such numbers never change: with these alone no step is taken. Of an agent that plans by steps
 * (far__agent_by_step) the numbers of the step of the episode that was taken are compared. Each step takes time in the number of
 * pairs. Fails as far__player_advance does. */
far_status far__player_next_update(far__player *player, far__player_update *out, bool *found,
                                   far_error *error);

#endif
