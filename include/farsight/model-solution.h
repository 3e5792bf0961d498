/* A model solved exactly, as one question: discounted values, those of a given policy, a finite horizon or
 * the average reward; the structure and the diameter if they are wanted; and the answer as a report.
 *
 *     far_model_solution_def def = far_model_solution_def_default();
 *     def.mdp = mdp;
 *     def.structure = true;
 *     far_model_solution *solution;
 *     far_status status = far_model_solve(&solution, &def, &error);
 *     printf("%g, within %g\n", solution->start, solution->error);
 *     far_model_solution_free(solution);
 *
 * The parts, for programs that need only one of them, are in solve.h.
 */
#ifndef FARSIGHT_MODEL_SOLUTION_H
#define FARSIGHT_MODEL_SOLUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farsight/measures.h"
#include "farsight/report.h"
#include "farsight/solve.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum far_solve_kind {
  FAR_SOLVE_DISCOUNTED, /* the optimal discounted values */
  FAR_SOLVE_POLICY,     /* the discounted values of a given policy */
  FAR_SOLVE_HORIZON,    /* the best so many steps */
  FAR_SOLVE_AVERAGE,    /* the best average reward */
} far_solve_kind;

typedef enum far_solving {
  FAR_SOLVING_DIAMETER, /* `done` counts states */
  FAR_SOLVING_VALUES,   /* `done` counts sweeps */
  FAR_SOLVING_MEASURES, /* `done` counts parts of the work, and begins again with each measure */
} far_solving;

enum { FAR_EASY_DIAMETER = 1000 }; /* states: up to so many the diameter comes with the structure */
enum { FAR_EASY_COVER = 1000 };    /* live states, of the unrolled model if it has a horizon */
enum { FAR_EASY_MIXING = 300 };    /* likewise */
enum { FAR_EASY_UNROLLED = 20000 }; /* states times steps: above, neither is there for a horizon */
/* Outcomes / (1 - gamma); of a horizon outcomes x steps x steps / 100. */
#define FAR_EASY_EFFECTIVE 1e7

typedef struct far_model_solution_def {
  const far_mdp *mdp; /* must outlive the solution */
  far_solve_kind kind;
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
  int64_t horizon;   /* FAR_SOLVE_HORIZON: steps; 0, the default: the model's own */
  int64_t step;      /* of them, from 0, which the report and far_model_solution_policy show */
  far_policy policy; /* FAR_SOLVE_POLICY: borrowed during far_model_solve */
  /* Also the structure and, up to FAR_EASY_DIAMETER states, the diameter; and the measures of hardness, each if
   * the model is small enough for it. */
  bool structure;
  bool diameter; /* also the structure and the diameter, whatever the number of states */
  /* Called after every sweep of the values and now and then while the diameter or a measure is computed, with the
   * bound on the error so far (of these: 0). False stops with CANCELLED. May be NULL. */
  bool (*progress)(void *user, far_solving what, int64_t done, double error);
  far_device_note_fn *note; /* as in far_solve_def */
  void *user;
} far_model_solution_def;

FAR_API far_model_solution_def far_model_solution_def_default(void);

/* Measures of hardness (measures.h), by the values that were solved for. */
typedef struct far_measures {
  far_norm norm;
  bool has_gaps; /* not of a given policy */
  far_reciprocals gaps;
  bool has_effective; /* of the best discounted values and of a horizon, up to FAR_EASY_EFFECTIVE */
  far_effective effective;
  uint64_t n_chain; /* live states, or timed states of episodes with a horizon */
  bool has_mixing;  /* up to FAR_EASY_MIXING of them */
  far_mixing best;  /* of the best policy (far_solution_ties), or the one given */
  far_mixing uniform;
  bool has_cover; /* up to FAR_EASY_COVER of them */
  far_cover cover;
  bool has_diameter;     /* up to FAR_EASY_DIAMETER of them */
  far_diameter diameter; /* of the live states, or the timed ones: what an agent faces */
} far_measures;

/* The answer. Of values, horizon and average only the one is filled that belongs to the problem; the others
 * are zero. All arrays belong to the solution. */
typedef struct far_model_solution {
  far_model_solution_def def; /* with gamma as it was used (NAN for the average reward) */
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
  far_measures measures;
} far_model_solution;

/* Solves: first the structure, then the diameter, the values and the measures. Fails with RANGE for numbers out
 * of bounds and as the functions of solve.h do, with MEMORY, with CONFLICT for the average reward of a multichain model,
 * and with CANCELLED; *out is NULL then. */
FAR_API far_status far_model_solve(far_model_solution **out, const far_model_solution_def *def,
                                   far_error *error);
FAR_API void far_model_solution_free(far_model_solution *solution); /* NULL is fine */

/* The action of each state: the best, with a horizon the first one, for a given policy the improved one. An
 * array of the solution's. */
FAR_API const uint32_t *far_model_solution_policy(const far_model_solution *solution);

/* Adds the answer to a report: the model, its drawing with the policy if it has a small layout, the table
 * "states", what is certified, the structure, and the JSON document, which has all numbers. Tables of more
 * than `most_rows` rows show the first and the last ones (0: all). The solution must stay until the report is
 * freed. */
FAR_API void far_model_solution_report(const far_model_solution *solution, size_t most_rows,
                                       far_report *report);

#ifdef __cplusplus
}
#endif

#endif
