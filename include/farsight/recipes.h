/* Recipes: for every cell of a comparison the hash of its results and the command that computes them again.
 *
 *     far_recipes *recipes;
 *     far_status status = far_recipes_create(&recipes, store, comparison, NULL, NULL, &error);
 *     ... recipes->cells[0].command ...    farsight run -e riverswim:n=6,... -a psrl:... --steps 5000 ...
 *     far_recipes_free(recipes);
 */
#ifndef FARSIGHT_RECIPES_H
#define FARSIGHT_RECIPES_H

#include "farsight/comparison.h"
#include "farsight/hash.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct far_recipe {
  size_t group, env, agent; /* of the comparison */
  const char *key;          /* of the record (far_record); the comparison's */
  int64_t runs;
  bool gaps; /* the runs are not the first ones of their seed: the command computes more */
  /* Of the totals in the order of replicates, as far_result has it; "" if there are none. */
  char hash[FAR_HASH_TEXT];
  /* For a POSIX shell, with all parameters, metrics and the curve; NULL if there is none. */
  char *command;
  const char *why; /* there is none: in words */
} far_recipe;

typedef struct far_recipes {
  /* In the order of groups, environments and agents; imported runs with several seeds have one for each. */
  far_recipe *cells;
  size_t n_cells;
} far_recipes;

/* Reads the totals of all records of the comparison, which must stay. Progress is called with "hash". Fails as
 * the store does, with CANCELLED or MEMORY; *out is then NULL. */
FAR_API far_status far_recipes_create(far_recipes **out, far_store *store,
                                      const far_comparison *comparison,
                                      far_comparison_progress_fn *progress, void *user,
                                      far_error *error);
FAR_API void far_recipes_free(far_recipes *recipes); /* NULL is fine */

/* SHA-256 of values as little-endian doubles: what far_result.hash is of totals. MEMORY. */
FAR_API far_status far_values_hash(char out[FAR_HASH_TEXT], const double *values, int64_t n,
                                   far_error *error);

/* Text as one word of a POSIX shell: as it is where all characters are harmless, else in single quotes. The
 * caller frees it (far_free); NULL without memory. */
FAR_API char *far_shell_quote(const char *text);

#ifdef __cplusplus
}
#endif

#endif
