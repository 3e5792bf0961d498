/* What judges a candidate: runs in every cell of the definition, and the goal. */
#ifndef FAR_TUNE_JUDGE_H
#define FAR_TUNE_JUDGE_H

#include "tune/search.h"

typedef struct far__bench {
  const far_tune_def *def;
  uint64_t seed; /* of the runs that it measures now */
  bool normalised;
  far_tune_progress progress;
  double steps_before; /* of the stage, in the batches before */
  double begun;        /* the clock */
  double *scratch;     /* two numbers a cell */
} far__bench;

/* Checks the definition, which must outlive the bench; far__bench_free in any case. */
far_status far__bench_make(far__bench *out, const far_tune_def *def, far_error *error);
void far__bench_free(far__bench *bench);

/* A judge that uses the bench. */
far__judge far__bench_judge(far__bench *bench);

/* A stage begins: runs come from its seed. */
void far__bench_stage(far__bench *bench, far_tune_stage stage, double steps);

/* The score of totals[cell * runs + run]; `values`, unless NULL, gets what each run adds. */
double far__bench_score(const far__bench *bench, const double *totals, int64_t runs,
                        double *values);

/* Mean and half-width of the 95% interval (Student) of n numbers. */
typedef struct far__interval {
  double mean, ci95;
} far__interval;
far__interval far__interval_of(const double *values, int64_t n);

#endif
