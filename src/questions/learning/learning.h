/* What an agent knows at several times of one run: visits, action values, bonuses, exploration values, the
 * policy; beside them the exact values.
 *
 *     far__learning_def def = far__learning_def_default();
 *     def.mdp = mdp;
 *     def.agent = "directed-delayed-q";
 *     def.steps = 5000;
 *     far__learning *learning;
 *     far_status status = far__learning_create(&learning, &def, &error);
 *     ... learning->frames[0].q[s * n_actions + a] ...
 *     far__learning_report(learning, report);
 *     far__learning_free(learning);
 *
 * The run is that of a batch (run.h) with this seed and replicate: the same random numbers, the same total to
 * the bit. Unlike snapshots (far_snapshot), frames hold all numbers of an agent.
 */
#ifndef FAR_QUESTIONS_LEARNING_LEARNING_H
#define FAR_QUESTIONS_LEARNING_LEARNING_H

#include "farsight/agent.h"
#include "farsight/base.h"
#include "farsight/comparison.h"
#include "farsight/mdp.h"
#include "farsight/report.h"
#include "farsight/store.h"

/* ---- the quantities ---- */

typedef enum far__learned {
  FAR__LEARNED_VISITS, /* how often the run has taken the action in the state */
  FAR__LEARNED_Q,      /* the agent's action value, without the bonus */
  FAR__LEARNED_BONUS,  /* its exploration bonus */
  FAR__LEARNED_E,      /* its exploration value */
  FAR__LEARNED_LEARN,  /* 1 where the pair is being learned, else 0 */
  FAR__LEARNED_N,      /* its samples (FAR_VALUE_N) */
  FAR__LEARNED_VALUE,  /* of a state: the greatest q of its actions */
  FAR__LEARNED_POLICY, /* the probability of the action */
  FAR__LEARNED_COUNT
} far__learned;

/* "visits", "q", "bonus", "e", "learn", "n", "value", "policy"; NULL past the end. */
const char *far__learned_name(size_t quantity);

/* "visits", "action value", "exploration bonus", ...: for titles and captions; NULL past the end. */
const char *far__learned_title(size_t quantity);

/* ---- the question ---- */

/* Called often: with "run" and the steps done, then with "solve" and the sweeps done (count is 0 there).
 * False stops the work with CANCELLED. An agent that plans is asked after every step. */
typedef bool far__learning_progress_fn(void *user, const char *what, int64_t done, int64_t count);

/* Strings and arrays must live as long as the call of far__learning_create; the model must outlive the
 * result. */
typedef struct far__learning_def {
  const far_mdp *mdp;
  const char *agent;  /* spec */
  int64_t steps;      /* at least 1; 5000 by default */
  int64_t episodes;   /* the run ends after so many episodes, if that is before; 0: after `steps` */
  uint64_t seed;      /* 1 by default */
  uint64_t replicate; /* 0 by default */
  const int64_t
      *times; /* ascending, each in 0 ... steps; none, the default: about six, from 10 steps or
                         * fewer to all, each about the same factor after the one before */
  size_t n_times;
  /* Where there is a horizon: the step of an episode whose values and policy are shown, from 0, and whose
   * visits are counted. FAR__LEARNING_FIRST, the default: values of step 0, visits of all steps. */
  int64_t step;
  bool exact; /* solve the model as well; true by default */
  /* Of the exact values, in [0, 1); NAN, the default: the agent's own, else the model's, else 0.95; of an
   * agent that plans by steps 1. */
  double gamma;
  const char *name;                    /* of a model without a spec; may be NULL */
  far__learning_progress_fn *progress; /* may be NULL */
  void *user;
} far__learning_def;

far__learning_def far__learning_def_default(void);

enum { FAR__LEARNING_FIRST = -1 }; /* of far__learning_def.step */

enum { FAR__LEARNING_TIMES = 8 }; /* the most that far__learning_times gives */

/* The times of the default: how many, in `out`. None if there are no steps. */
size_t far__learning_times(int64_t out[FAR__LEARNING_TIMES], int64_t steps);

/* ---- the answer ---- */

/* Arrays of n_states x n_actions numbers, state by state, 0 in states that are not live; NULL where the
 * algorithm has no such number. */
typedef struct far__learning_frame {
  int64_t step;   /* steps taken so far */
  double total;   /* undiscounted reward so far; NAN: unknown */
  double *visits; /* of all steps of an episode; never NULL */
  /* Those on the step shown, of an agent that plans by steps or where a step was asked for; else all. Not
   * known of an agent as it is: all. */
  double *visits_at;
  double *q, *bonus, *e, *learn, *n;
  double *policy; /* NULL where there is no closed form */
  double *value;  /* n_states: the greatest q of a state; NULL without q */
  /* n_states: the probability that the policy takes an optimal action, 0 where a state is not live; NULL
   * without a policy or exact values. */
  double *optimal;
  uint32_t states_visited; /* states in which an action was taken */
  uint64_t pairs_visited;  /* states and actions */
  uint32_t
      states_optimal; /* visited states whose most probable action is optimal; 0 without a policy or
                            * exact values */
  double q_error;     /* the greatest |q - exact| over visited pairs; NAN where there is none */
  uint32_t states_compared; /* of which states_optimal are a part: those in visits_at */
} far__learning_frame;

/* The optimal discounted values, of a problem without a horizon, which is what a stationary agent assumes; of
 * an agent that plans by steps those of the step shown. The arrays are NULL if they are missing. */
typedef struct far__learning_exact {
  double gamma; /* the problem's, or the definition's */
  bool
      same_gamma; /* the agent plans with it, too; if not, its values are not compared with these */
  double *v;      /* n_states */
  double *q;      /* n_states x n_actions */
  uint32_t *policy; /* n_states: the lowest of the best actions; 0 if terminal */
  double error;     /* certified bound on the error of v and q */
  char why[256];    /* why they are missing; "" if they are there */
} far__learning_exact;

typedef struct far__learning {
  const far_mdp *mdp;
  char env[FAR_SPEC_SIZE], agent[FAR_SPEC_SIZE];             /* canonical specs, or a name */
  char env_label[FAR_SPEC_SIZE], agent_label[FAR_SPEC_SIZE]; /* as one would type them */
  uint32_t n_states, n_actions, n_live;                      /* live: states that can be acted in */
  int64_t steps;
  int64_t horizon, step; /* of an episode, 0: none; and the step of it that is shown */
  bool by_step;          /* the agent plans by steps */
  bool step_given;       /* a step was asked for: visits are counted on it alone */
  bool live; /* of an agent as it is: seed, replicate and total are not known, 0 and NAN */
  uint64_t seed, replicate;
  double total; /* of all steps */
  far__learning_frame *frames;
  size_t n_frames;
  far__learning_exact exact;
  far_mdp *owned; /* the model, if it was made from a store's record; else NULL */
} far__learning;

/* The most numbers of each kind: pairs times frames. */
enum { FAR__LEARNING_PAIRS = 1 << 21 };

/* Runs the agent and keeps what it knows at each time. Fails as far_agent_create_on does for the agent, with
 * RANGE (steps, times, gamma, or more than FAR__LEARNING_PAIRS), CANCELLED or MEMORY, or with the failure of
 * a registered agent; *out is then NULL. That the model cannot be solved is no failure. */
far_status far__learning_create(far__learning **out, const far__learning_def *def,
                                far_error *error);

/* The same of a run that a store has: of the record `key` (far_record), replicate def->replicate. The run is
 * computed again, and its total compared with the stored one. Of the definition agent, steps and seed are
 * not read; mdp may be NULL, the model is then made from the record and belongs to the result. UNKNOWN if
 * there is no such record or run; CONFLICT if the results are imported, were computed by a version with other
 * numerics, or have another total; MISMATCH if it is another model. Fails also as far_record_model does. */
far_status far__learning_from_store(far__learning **out, far_store *store, const char *key,
                                    const far__learning_def *def, far_error *error);

/* A computed cell of a store. */
typedef struct far__learning_cell {
  char key[FAR_HASH_TEXT];
  uint64_t replicate; /* the first that it has */
  const far_mdp *mdp; /* its model, if that is one of the choice's; else NULL */
  size_t count;       /* how many such cells there are */
} far__learning_cell;

/* The index-th computed cell that a choice of results names, in the order of a comparison. UNKNOWN if there are
 * not as many. Fails also as far_comparison_create does, but for the number of agents. */
far_status far__learning_find(far__learning_cell *out, far_store *store,
                              const far_comparison_def *choice, size_t index, far_error *error);

/* What an agent knows now, as the only frame: also of one that learns elsewhere. `visits` is of each pair; NULL:
 * unknown. Of the definition mdp, step, exact, gamma, name, progress and user are read; visits have no step.
 * MISMATCH if the agent is not of the model's sizes; fails also as far__learning_create does. */
far_status far__learning_from_agent(far__learning **out, const far_agent *agent,
                                    const int64_t *visits, const far__learning_def *def,
                                    far_error *error);

void far__learning_free(far__learning *learning); /* NULL is fine */

/* The array of a quantity in a frame: n_states numbers of VALUE, else one for each pair; NULL where the
 * algorithm has none. */
const double *far__learning_array(const far__learning *learning, size_t frame,
                                  far__learned quantity);

/* Adds a heading, the table "times" and, for programs, the table "pairs": of each time, state and action all
 * numbers (left out, with a note, where it would have more than 100,000 rows). As JSON: all arrays. The
 * learning must outlive the report. */
void far__learning_report(const far__learning *learning, far_report *report);

/* ---- what its files share ---- */

/* Solves the model, if it is asked for, and compares the frames with it. */
far_status far__learning_solve(far__learning *x, const far_agent *agent,
                               const far__learning_def *def, far_error *error);

#endif
