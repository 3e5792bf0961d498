/* A model solved exactly, as one question: discounted values, those of a given policy, a finite horizon or
 * the average reward; the structure and the diameter if they are wanted; and the answer as a report.
 *
 *     far__model_solution_def def = far__model_solution_def_default();
 *     def.mdp = mdp;
 *     def.structure = true;
 *     far__model_solution *solution;
 *     far_status status = far__model_solve(&solution, &def, &error);
 *     printf("%g, within %g\n", solution->start, solution->error);
 *     far__model_solution_free(solution);
 *
 * The parts, for programs that need only one of them, are in farsight/solve.h.
 */
#ifndef FAR_QUESTIONS_MODEL_MODEL_SOLUTION_H
#define FAR_QUESTIONS_MODEL_MODEL_SOLUTION_H

#include "base/json.h"
#include "farsight/report.h"
#include "base/text.h"
#include "farsight/solve.h"

typedef enum far__solve_kind {
  FAR__SOLVE_DISCOUNTED, /* the optimal discounted values */
  FAR__SOLVE_POLICY,     /* the discounted values of a given policy */
  FAR__SOLVE_HORIZON,    /* the best so many steps */
  FAR__SOLVE_AVERAGE,    /* the best average reward */
} far__solve_kind;

typedef enum far__solving {
  FAR__SOLVING_DIAMETER, /* `done` counts states */
  FAR__SOLVING_VALUES,   /* `done` counts sweeps */
  FAR__SOLVING_MEASURES, /* `done` counts parts of the work, and begins again with each measure */
} far__solving;

enum {
  FAR__EASY_DIAMETER = 1000
};                               /* states: up to so many the diameter comes with the structure */
enum { FAR__EASY_COVER = 1000 }; /* live states, of the unrolled model if it has a horizon */
enum { FAR__EASY_MIXING = 300 }; /* likewise */
enum { FAR__EASY_UNROLLED = 20000 }; /* states times steps: above, neither is there for a horizon */
/* Outcomes / (1 - gamma); of a horizon outcomes x steps x steps / 100. */
#define FAR__EASY_EFFECTIVE 1e7

typedef struct far__model_solution_def {
  const far_mdp *mdp; /* must outlive the solution */
  far__solve_kind kind;
  /* NAN, the default: the model's own discount, or 0.95 if it has none; 1 with a horizon. In [0, 1), with a
   * horizon in [0, 1]. Not read for the average reward. */
  double gamma;
  double
      tolerance; /* of the values or the average reward, 1e-6 by default; of the diameter, relatively,
                         if it is larger than that and below 1. Not read for a horizon's values. */
  far_method method; /* of discounted values, and of a policy's; FAR_METHOD_AUTO by default */
  unsigned threads;  /* that share sweeps; 0, the default: one for each processor */
  far_device device; /* as in far_solve_def; FAR_DEVICE_CPU by default */
  int64_t
      max_sweeps; /* as in far_solve_def; for the diameter: of each state. 0, the default: no limit */
  int64_t horizon;   /* FAR__SOLVE_HORIZON: steps; 0, the default: the model's own */
  int64_t step;      /* of them, from 0, which the report and far__model_solution_policy show */
  far_policy policy; /* FAR__SOLVE_POLICY: borrowed during far__model_solve */
  /* Also the structure and, up to FAR__EASY_DIAMETER states, the diameter; and the measures of hardness, each if
   * the model is small enough for it. */
  bool structure;
  bool diameter; /* also the structure and the diameter, whatever the number of states */
  /* Called after every sweep of the values and now and then while the diameter or a measure is computed, with the
   * bound on the error so far (of these: 0). False stops with CANCELLED. May be NULL. */
  bool (*progress)(void *user, far__solving what, int64_t done, double error);
  far_device_note_fn *note; /* as in far_solve_def */
  void *user;
} far__model_solution_def;

far__model_solution_def far__model_solution_def_default(void);

/* Measures of hardness (farsight/solve.h), by the values that were solved for. */
typedef struct far__measures {
  far_norm norm;
  bool has_gaps; /* not of a given policy */
  far_reciprocals gaps;
  bool
      has_effective; /* of the best discounted values and of a horizon, up to FAR__EASY_EFFECTIVE */
  far_effective effective;
  uint64_t n_chain; /* live states, or timed states of episodes with a horizon */
  bool has_mixing;  /* up to FAR__EASY_MIXING of them */
  far_mixing best;  /* of the best policy (far_solution_ties), or the one given */
  far_mixing uniform;
  bool has_cover; /* up to FAR__EASY_COVER of them */
  far_cover cover;
  bool has_diameter;     /* up to FAR__EASY_DIAMETER of them */
  far_diameter diameter; /* of the live states, or the timed ones: what an agent faces */
} far__measures;

/* The answer. Of values, horizon and average only the one is filled that belongs to the problem; the others
 * are zero. All arrays belong to the solution. */
typedef struct far__model_solution {
  far__model_solution_def def; /* with gamma as it was used (NAN for the average reward) */
  far_shape shape;
  size_t n_outcomes;
  double error;        /* certified, of the values or the average reward */
  bool converged;      /* the error is at most the tolerance; false only if max_sweeps came first */
  double start;        /* the expected value of the start; NAN for the average reward */
  far_solution values; /* discounted, or of the policy */
  far_gaps gaps;       /* of `values` */
  double *gap;         /* of each state, as in far_solution_gaps; NULL without `values` */
  far_horizon horizon;
  far_average average;
  bool has_structure, has_diameter;
  far_structure structure;
  far_diameter diameter;
  bool has_measures; /* with the structure */
  far__measures measures;
} far__model_solution;

/* Solves: first the structure, then the diameter, the values and the measures. Fails with RANGE for numbers out
 * of bounds and as the functions of farsight/solve.h do, with MEMORY, with CONFLICT for the average reward of a multichain model,
 * and with CANCELLED; *out is NULL then. */
far_status far__model_solve(far__model_solution **out, const far__model_solution_def *def,
                            far_error *error);
void far__model_solution_free(far__model_solution *solution); /* NULL is fine */

/* The action of each state: the best, with a horizon the first one, for a given policy the improved one. An
 * array of the solution's. */
const uint32_t *far__model_solution_policy(const far__model_solution *solution);

/* Adds the answer to a report: the model, its drawing with the policy if it has a small layout, the table
 * "states", what is certified, the structure, and the JSON document, which has all numbers. Tables of more
 * than `most_rows` rows show the first and the last ones (0: all). The solution must stay until the report is
 * freed. */
void far__model_solution_report(const far__model_solution *solution, size_t most_rows,
                                far_report *report);

/* ---- what its files share ---- */

/* The value of each state, or its bias. */
const double *far__solution_values(const far__model_solution *x);

/* Writes the members of the JSON document. `user` is the solution. */
void far__solution_json(const void *user, far__json *json);

/* The diameter, as well as doubles can certify it: where it is too large for the tolerance, the tolerance is
 * raised, up to 1/100. */
far_status far__solution_diameter(far_diameter *out, const far_solver *solver, far_solve_def def,
                                  far_error *error);

/* Computes the measures of hardness, once the values are there. */
far_status far__solution_measures(far__model_solution *x, const far_solver *solver,
                                  far_error *error);

/* Their list in a report, and their object in JSON. */
void far__measures_report(const far__model_solution *x, far_report *report);
void far__measures_json(const far__model_solution *x, far__json *json);

/* What the model calls a state or an action, cut where it is long; its number if it has no name. */
enum { FAR__NAME_WIDTH = 24 };
typedef struct far__name_text {
  char text[4 * FAR__NAME_WIDTH + 4];
} far__name_text;
/* An error, rounded up to two digits. */
far__real_text far__two_digits(double x);

far__name_text far__state_name(const far__model_solution *x, uint32_t s);
far__name_text far__action_name(const far__model_solution *x, uint32_t a);

#endif
