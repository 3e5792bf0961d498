/* The model's memory and the draw of an outcome.
 *
 * Rows are pairs s * n_actions + a; the last row is the start distribution. A row of few outcomes
 * is sampled by inversion in its own order: upto[k] is the last draw that leads to outcome k or an
 * earlier one. A row of more than FAR__ALIAS_ABOVE outcomes has an alias table (Walker 1977, Vose 1991):
 * the high part of the draw times the number of outcomes is a column k, its low part a uniform number; the
 * outcome is k if that number is at most upto[k], else other[k].
 */
#ifndef FAR_MODEL_MODEL_H
#define FAR_MODEL_MODEL_H

#include "base/inline.h"
#include "farsight/mdp.h"
#include "model/layout.h"

enum { FAR__ALIAS_ABOVE = 8 };

/* Why every episode starts in state 0, if the file names no start. */
typedef enum far__startless {
  FAR__HAS_START,
  FAR__NO_START, /* the key of a JSON file */
  FAR__NO_INIT,  /* the label of a DRN file */
  FAR__STARTLESS_KINDS
} far__startless;

struct far_mdp {
  far_shape shape;
  size_t n_rows; /* pairs + 1 */
  size_t *row;   /* n_rows + 1 offsets into the arrays below */
  far_outcome *outcome;
  uint64_t *upto;
  uint32_t *other; /* NULL where no row has an alias table */
  bool *terminal;
  bool *absent; /* terminal or unreachable; NULL if no state is, and the same as shape.absent */
  char *spec, *label; /* NULL in a model that a program built */
  double discount;    /* 0 if there is none */
  far__startless startless;
  bool undiscounted;  /* the model's discount is 1, and no other criterion was set since */
  char **state_name;  /* n_states, NULL among them; NULL if no state has a name */
  char **action_name; /* likewise */
  far__layout layout;
  struct far__known *known; /* see known.h */
};

/* The outcomes of a row: mdp->outcome[first] and following. */
typedef struct far__mdp_span {
  size_t first, count;
} far__mdp_span;

static inline FAR_DEVICE far__mdp_span far__mdp_row(const far_mdp *mdp, size_t row) {
  const far__mdp_span found = {mdp->row[row], mdp->row[row + 1] - mdp->row[row]};
  return found;
}

static inline FAR_DEVICE const far_outcome *far__mdp_pick(const far_mdp *mdp, far__mdp_span row,
                                                          uint64_t draw) {
  const uint64_t *upto = mdp->upto + row.first;
  size_t k = 0;
  if (row.count <= FAR__ALIAS_ABOVE) {
    FAR__SHORT_LOOP
    for (size_t j = 0; j + 1 < row.count; ++j) k += draw > upto[j];
  } else {
    const uint64_t low = (draw & 0xffffffffu) * row.count;
    const uint64_t high = (draw >> 32) * row.count + (low >> 32);
    k = (size_t)(high >> 32);
    if ((high << 32 | (low & 0xffffffffu)) > upto[k]) k = mdp->other[row.first + k];
  }
  return mdp->outcome + row.first + k;
}

static inline FAR_DEVICE const far_outcome *far__mdp_draw(const far_mdp *mdp, size_t row,
                                                          uint64_t draw) {
  return far__mdp_pick(mdp, far__mdp_row(mdp, row), draw);
}

/* A start; one draw from the stream. */
static inline FAR_DEVICE uint32_t far__mdp_start(const far_mdp *mdp, far_rng *rng) {
  return far__mdp_draw(mdp, mdp->n_rows - 1, far_rng_next(rng))->next;
}

/* Finds the absent states of a model whose rows are complete. */
far_status far__mdp_find_absent(far_mdp *mdp, far_error *error);

/* Takes ownership of both (heap, or NULL). */
void far__mdp_name(far_mdp *mdp, char *spec, char *label);

/* Makes the builder leave a row alone whose probabilities add to 1 up to rounding. Scaling would bring the sum no
 * nearer, and a model that is written and read again must keep its bits. */
void far__mdp_builder_keep(far_mdp_builder *builder);

/* States and actions for a message: "state 3, action 1", or "state 'left', action 'go'" where they
 * have names. Long names are cut. */
typedef struct far__named {
  char text[160];
} far__named;
far__named far__mdp_builder_state(const far_mdp_builder *builder, size_t s);
far__named far__mdp_builder_pair(const far_mdp_builder *builder, size_t s, size_t a);

/* Fails with MEMORY, before anything is added, if a model of about `outcomes` would not fit into the machine's
 * memory. */
far_status far__mdp_builder_expect(far_mdp_builder *builder, double outcomes, far_error *error);

/* RANGE unless the builder's model has these sizes. */
far_status far__mdp_builder_fits(const far_mdp_builder *builder, uint32_t n_states,
                                 uint32_t n_actions, far_error *error);

/* Frees `count` names and their array, which may be NULL. */
void far__names_free(char **names, size_t count);

#endif
