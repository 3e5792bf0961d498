/* Models as arrays: the outcomes of all pairs in compressed rows (CSR), for programs whose models
 * are already arrays, and for programs that read a whole model in one call.
 *
 *     far_csr csr = far_csr_default(2, 1);             s=0 a=0: stay (0.9, reward 0), or end (0.1, reward 1)
 *     csr.offsets = (const int64_t[]){0, 2, 2};
 *     csr.n_outcomes = 2;
 *     csr.probability = (const double[]){0.9, 0.1};
 *     csr.next = (const uint32_t[]){0, 1};
 *     csr.reward = (const double[]){0, 1};
 *     csr.terminal = (const bool[]){false, true};
 *     csr.n_starts = 1;
 *     csr.start_state = (const uint32_t[]){0};
 *     csr.start_probability = (const double[]){1};
 *     far_status status = far_mdp_from_csr(&mdp, &csr, &error);
 */
#ifndef FARSIGHT_CSR_H
#define FARSIGHT_CSR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farsight/mdp.h"
#include "farsight/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pair (s, a) is row i = s * n_actions + a; its outcomes are numbers offsets[i] ... offsets[i+1] - 1 of
 * the three arrays behind it, in their order, which decides what a random draw leads to. */
typedef struct far_csr {
  uint32_t n_states, n_actions;
  size_t n_outcomes;
  const int64_t *offsets; /* n_states * n_actions + 1: from 0, never falling, to n_outcomes */
  const double *probability;
  const uint32_t *next;
  const double *reward;
  const bool *terminal; /* n_states; NULL: no state is. A terminal state has no outcomes */
  size_t n_starts;
  const uint32_t *start_state; /* the start distribution: n_starts states ... */
  const double *start_probability;
  double reward_min, reward_max; /* the range given to agents; if min > max, that of the outcomes */
  double discount;               /* see far_mdp_discount; 0: none */
  int64_t horizon;               /* see far_mdp_horizon; 0: none */
  void *memory;                  /* of far_mdp_to_csr; NULL in an array model of the caller's own */
} far_csr;

/* No outcomes and starts yet, the reward range that of the outcomes. */
FAR_API far_csr far_csr_default(uint32_t n_states, uint32_t n_actions);

/* Creates a model from arrays, which are copied. They are checked as by a builder (farsight/mdp.h): RANGE,
 * with a message that names the index, or MEMORY; *out is then NULL. */
FAR_API far_status far_mdp_from_csr(far_mdp **out, const far_csr *csr, far_error *error);

/* The same for a model that is to have names or a layout, too: adds what the arrays hold to a builder, which
 * `finish` then makes a model of. RANGE if the builder has other sizes; after any failure it can only be freed. */
FAR_API far_status far_mdp_builder_csr(far_mdp_builder *builder, const far_csr *csr,
                                       far_error *error);

/* The model as arrays, all in one block of memory that far_csr_free frees. A model made from them has
 * the same far_mdp_hash; names, layout and spec are not in them. Fails with MEMORY; *out is then empty. */
FAR_API far_status far_mdp_to_csr(far_csr *out, const far_mdp *mdp, far_error *error);

/* Frees what far_mdp_to_csr filled in, and empties it. */
FAR_API void far_csr_free(far_csr *csr);

#ifdef __cplusplus
}
#endif

#endif
