#include "run/interleave.h"

#include <assert.h>

enum { LINE = 64, MOST = 4 * LINE };

/* Prefetches `bytes`. Of long rows the processor fetches the rest itself: they are read in order. */
static inline void fetch(const void *at, size_t bytes) {
  const char *first = (const char *)at;
  for (size_t k = 0; k + 1 < bytes && k < MOST; k += LINE) __builtin_prefetch(first + k);
  __builtin_prefetch(first + (bytes < MOST ? bytes : MOST) - 1);
}

/* Prefetches numbers that lie on one cache line. */
static inline void fetch_one(const void *at) {
  __builtin_prefetch(at);
}

/* ---- what each algorithm reads: for the choice in a state, and for the update of a pair ---- */

#define DELAYED_AHEAD(NAME, KIND)                                                                  \
  static inline void NAME##_state_ahead(const delayed_view *v, uint32_t n_actions, uint32_t s) {   \
    fetch(delayed_row(v, KIND, n_actions, s),                                                      \
          n_actions *delayed_row_words(KIND) * sizeof(double));                                    \
  }                                                                                                \
  static inline void NAME##_pair_ahead(const delayed_view *v, size_t i) {                          \
    const size_t words = delayed_window_words(KIND);                                               \
    if (words % 4 == 0)                                                                            \
      fetch_one(delayed_window_of(v, KIND, i));                                                    \
    else                                                                                           \
      fetch(delayed_window_of(v, KIND, i), words * sizeof(double));                                \
  }

DELAYED_AHEAD(directed, DELAYED_DIRECTED)
DELAYED_AHEAD(visiting, DELAYED_VISITING)
DELAYED_AHEAD(delayed, DELAYED_PLAIN)

static inline void q_state_ahead(const q_view *v, uint32_t n_actions, uint32_t s) {
  fetch(v->q + (size_t)s * n_actions, n_actions * sizeof *v->q);
  if (v->count_states) fetch_one(v->state_visits + s);
}

static inline void q_pair_ahead(const q_view *v, size_t i) {
  if (v->count_pairs) fetch_one(v->visits + i);
}

static inline void count_state_ahead(const count_view *v, uint32_t n_actions, uint32_t s) {
  const size_t i = (size_t)s * n_actions;
  fetch(v->q + i, n_actions * sizeof *v->q);
  if (v->p.place == COUNT_CHOICE) fetch(v->visits + i, n_actions * sizeof *v->visits);
}

static inline void count_pair_ahead(const count_view *v, size_t i) {
  fetch_one(v->visits + i);
}

static inline void ucb_state_ahead(const ucb_view *v, uint32_t n_actions, uint32_t s) {
  fetch(v->low + (size_t)s * n_actions, n_actions * sizeof *v->low);
}

static inline void ucb_pair_ahead(const ucb_view *v, size_t i) {
  fetch_one(v->q + i);
  fetch_one(v->visits + i);
}

static inline void speedy_state_ahead(const speedy_view *v, uint32_t n_actions, uint32_t s) {
  const size_t i = (size_t)s * n_actions, bytes = n_actions * sizeof *v->q;
  fetch(v->q + i, bytes);
  if (v->p.form == SPEEDY_ROUND) fetch(speedy_round_of(v).before + i, bytes);
}

static inline void speedy_pair_ahead(const speedy_view *v, size_t i) {
  fetch_one(v->visits + i);
  if (v->p.form != SPEEDY_ROUND) return;
  fetch_one(speedy_round_of(v).sum + i);
  fetch_one(speedy_round_of(v).samples + i);
}

static inline void dora_state_ahead(const dora_view *v, uint32_t n_actions, uint32_t s) {
  const size_t i = (size_t)s * n_actions, bytes = n_actions * sizeof *v->q;
  fetch(v->q + i, bytes);
  fetch(v->l + i, bytes);
}

static inline void dora_pair_ahead(const dora_view *v, size_t i) {
  (void)v, (void)i;
}

/* ---- what a step reads of the model ---- */

static inline void row_ahead(const far_mdp *mdp, size_t row) {
  fetch_one(mdp->row + row);
}

/* Of a row with an alias table, one column and its outcome are read. */
static inline void outcomes_ahead(const far_mdp *mdp, const far__stages *f) {
  if (f->row.count <= FAR__ALIAS_ABOVE) {
    fetch(mdp->upto + f->row.first, f->row.count * sizeof *mdp->upto);
    fetch(mdp->outcome + f->row.first, f->row.count * sizeof *mdp->outcome);
    return;
  }
  const size_t k = f->row.first + (size_t)((f->draw >> 32) * f->row.count >> 32);
  fetch_one(mdp->upto + k);
  fetch_one(mdp->other + k);
  fetch_one(mdp->outcome + k);
}

/* ---- the loops ---- */

#define LOOP(NAME, SUFFIX, N_ACTIONS)                                                              \
  static void NAME##SUFFIX(const far_mdp *mdp, const far__body *body, far__lane *lane, size_t n,   \
                           int64_t steps) {                                                        \
    const uint32_t n_actions = N_ACTIONS;                                                          \
    NAME##_fused_view v[FAR__INTERLEAVED];                                                         \
    far__stages f[FAR__INTERLEAVED];                                                               \
    assert(n <= FAR__INTERLEAVED);                                                                 \
    for (size_t i = 0; i < n; ++i) v[i] = NAME##_fused_lane_on(body[i]);                           \
    for (int64_t k = 0; k < steps; ++k) {                                                          \
      for (size_t i = 0; i < n; ++i) {                                                             \
        NAME##_fused_act(&v[i], n_actions, &lane[i], &lane[i].agent, &f[i]);                       \
        const size_t pair = (size_t)f[i].step.s * n_actions + f[i].step.a;                         \
        row_ahead(mdp, pair);                                                                      \
        NAME##_pair_ahead(&v[i], pair);                                                            \
      }                                                                                            \
      for (size_t i = 0; i < n; ++i) {                                                             \
        far__stages_find(mdp, n_actions, &f[i]);                                                   \
        outcomes_ahead(mdp, &f[i]);                                                                \
      }                                                                                            \
      for (size_t i = 0; i < n; ++i) {                                                             \
        far__stages_outcome(mdp, &lane[i].start, &f[i]);                                           \
        NAME##_state_ahead(&v[i], n_actions, f[i].after);                                          \
      }                                                                                            \
      for (size_t i = 0; i < n; ++i)                                                               \
        NAME##_fused_observe(&v[i], n_actions, &lane[i], &lane[i].agent, &f[i]);                   \
    }                                                                                              \
  }

/* Two actions, the most frequent number, have a loop of their own. */
#define FAR_FUSED(name) LOOP(name, _2, 2) LOOP(name, _any, body->n_actions)
#include "run/fused.def"
#undef FAR_FUSED

far__lanes_loop *far__interleave(far__fused loop, uint32_t n_actions) {
  switch (loop) {
#define FAR_FUSED(name)                                                                            \
  case FAR__FUSED_##name:                                                                          \
    return n_actions == 2 ? name##_2 : name##_any;
#include "run/fused.def"
#undef FAR_FUSED
  case FAR__FUSED_NONE: break;
  }
  return NULL;
}
