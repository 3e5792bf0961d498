/* What judges a candidate: runs in every cell of the definition, and the goal. */
#ifndef FAR_LAB_TUNE_SCORER_H
#define FAR_LAB_TUNE_SCORER_H

#include "farsight/run.h"
#include "lab/tune/search.h"

/* The mean of a cell's totals and, where a standard deviation is to be met, the sum of squares about it. */
typedef struct far__cell_moments {
  double mean, squares;
  int64_t runs;
} far__cell_moments;

typedef struct far__scorer {
  const far_tune_def *def;
  far_metric *metric; /* what is scored; NULL: the total reward */
  uint64_t seed;      /* of the runs that it measures now */
  bool normalised;
  far_tune_progress progress;
  double steps_before;        /* of the stage, in the batches before */
  double begun;               /* the clock */
  far__cell_moments *scratch; /* two a cell */
  double *sums;               /* of the totals of each cell */
} far__scorer;

/* Cell i of the definition, as a batch takes it; without an agent. */
far_cell far__tune_cell(const far_tune_def *def, size_t i);

/* Checks the definition, which must outlive the scorer; far__scorer_free in any case. */
far_status far__scorer_make(far__scorer *out, const far_tune_def *def, far_error *error);
void far__scorer_free(far__scorer *scorer);

/* An objective that uses the scorer. */
far__objective far__scorer_objective(far__scorer *scorer);

/* A stage begins: runs come from its seed. */
void far__scorer_stage(far__scorer *scorer, far_tune_stage stage, double steps);

/* The score of totals[cell * runs + run], of rewards or of the metric; `values`, unless NULL, gets what each run adds. */
double far__scorer_score(const far__scorer *scorer, const double *totals, int64_t runs,
                         double *values);

#endif
