/* What changed between two stores: which cells are new, gone, the same or different.
 *
 *     far__changes_def def = far__changes_def_default();
 *     far__changes *changes;
 *     far_status status = far__changes_create(&changes, before, after, &def, &error);
 *     ... changes->count[FAR__CHANGE_DIFFERENT] ...
 *     far__changes_report(changes, report);
 *     far__changes_free(changes);
 *
 * Cells are matched by environment, model, agent, steps and seed; what is left, by all but the seed. Nothing is
 * run.
 */
#ifndef FAR_QUESTIONS_CHANGES_CHANGES_H
#define FAR_QUESTIONS_CHANGES_CHANGES_H

#include "farsight/base.h"
#include "farsight/comparison.h"
#include "farsight/report.h"

typedef enum far__change_kind {
  FAR__CHANGE_DIFFERENT, /* the same specs, steps and seed, and other numbers in some of the runs of both */
  FAR__CHANGE_RESEEDED, /* the same specs and steps with another seed: other runs */
  FAR__CHANGE_EXTENDED, /* all runs of both are equal, and one store has more of them */
  FAR__CHANGE_ADDED,    /* only in the second store */
  FAR__CHANGE_REMOVED,  /* only in the first store */
  FAR__CHANGE_SAME,     /* the same runs with the same results */
} far__change_kind;
enum { FAR__CHANGE_KINDS = FAR__CHANGE_SAME + 1 };

/* "different", "other seed", "other runs", "added", "removed", "same"; NULL past the end. */
const char *far__change_name(size_t kind);

/* A cell in one of the stores. */
typedef struct far__changed_cell {
  bool exists;
  uint64_t seed;
  int numerics;             /* 0: imported */
  int64_t runs;             /* with the series */
  double mean;              /* of times (far__series_event) the restricted one */
  int64_t censored;         /* runs that are (far__series_limit); 0 where the series is no time */
  char hash[FAR_HASH_TEXT]; /* of the series' values in the order of replicates */
} far__changed_cell;

typedef struct far__change {
  far__change_kind kind;
  char *env, *agent;             /* canonical specs, or names of imported ones */
  char *env_label, *agent_label; /* as one would type them */
  int64_t steps;                 /* of a run, the most where it ends by episodes; 0: unknown */
  int64_t episodes;              /* after which a run ends; 0: after its steps */
  far__changed_cell before, after;
  int64_t common; /* runs of both, by replicate; 0 of another seed */
  int64_t equal;  /* of these, with the same number */
  /* The mean of `after` less that of `before`, where kind is DIFFERENT (paired by replicate), RESEEDED or, with
   * other runs, EXTENDED (Welch's, of which the common runs make it too wide); NAN where there is none. */
  bool paired;
  double difference, low, high; /* simultaneous intervals */
  double p, p_adjusted;
  int64_t limit; /* far__series_limit */
} far__change;

/* Strings must live as long as the call. */
typedef struct far__changes_def {
  const char *before, *after;           /* names of the stores, for the report */
  const char *series;                   /* "total" by default, as far__store_values has it */
  double level;                         /* of all intervals together; 0.95 by default */
  far_correction correction;            /* of p-values; FAR_CORRECTION_HOLM by default */
  far_comparison_progress_fn *progress; /* with "cell"; may be NULL */
  void *user;
} far__changes_def;

far__changes_def far__changes_def_default(void);

typedef struct far__changes {
  char *before, *after, *series; /* names */
  double level;
  far_correction correction;
  bool lower;                          /* of the series lower is better */
  size_t count[FAR__CHANGE_KINDS];     /* how many of each kind */
  size_t n_tests;                      /* that p-values and intervals are corrected for */
  size_t better, worse;                /* changes that are decided, by what is better */
  int numerics_before, numerics_after; /* the greatest of computed cells; 0: none is */
  far__change *changes;                /* by kind, then in the order of the stores */
  size_t n_changes;
} far__changes;

/* Reads both stores. Fails as they do, with UNKNOWN (no cell of either has the series), CANCELLED or MEMORY;
 * *out is then NULL. Both may be the same store. */
far_status far__changes_create(far__changes **out, far_store *before, far_store *after,
                               const far__changes_def *def, far_error *error);
void far__changes_free(far__changes *changes); /* NULL is fine */

/* Adds the table "changes", a row for each cell but the same ones, whose number is said, and the methods; as
 * JSON all of them. */
void far__changes_report(const far__changes *changes, far_report *report);

#endif
