/* Recipes: for every cell of a comparison the hash of its results and the command that computes them again.
 *
 *     far__recipes *recipes;
 *     far_status status = far__recipes_create(&recipes, store, comparison, NULL, NULL, &error);
 *     ... recipes->cells[0].command ...    farsight run -e riverswim:n=6,... -a psrl:... --steps 5000 ...
 *     far__recipes_free(recipes);
 */
#ifndef FAR_QUESTIONS_COMPARISON_RECIPES_H
#define FAR_QUESTIONS_COMPARISON_RECIPES_H

#include "farsight/base.h"
#include "farsight/comparison.h"

typedef struct far__recipe {
  size_t group, env, agent; /* of the comparison */
  const char *key;          /* of the record (far_record); the comparison's */
  int64_t runs;
  bool gaps; /* the runs are not the first ones of their seed: the command computes more */
  /* Of the totals in the order of replicates, as far_result has it; "" if there are none. */
  char hash[FAR_HASH_TEXT];
  /* For a POSIX shell, with all parameters, metrics and the curve; NULL if there is none. */
  char *command;
  const char *why; /* there is none: in words */
} far__recipe;

typedef struct far__recipes {
  /* In the order of groups, environments and agents; imported runs with several seeds have one for each. */
  far__recipe *cells;
  size_t n_cells;
} far__recipes;

/* Reads the totals of all records of the comparison, which must stay. Progress is called with "hash". Fails as
 * the store does, with CANCELLED or MEMORY; *out is then NULL. */
far_status far__recipes_create(far__recipes **out, far_store *store,
                               const far_comparison *comparison,
                               far_comparison_progress_fn *progress, void *user, far_error *error);
void far__recipes_free(far__recipes *recipes); /* NULL is fine */

/* SHA-256 of values as little-endian doubles: what far_result.hash is of totals. MEMORY. */
far_status far__values_hash(char out[FAR_HASH_TEXT], const double *values, int64_t n,
                            far_error *error);

/* Text as one word of a POSIX shell: as it is where all characters are harmless, else in single quotes. The
 * caller frees it (far_free); NULL without memory. */
char *far__shell_quote(const char *text);

#endif
