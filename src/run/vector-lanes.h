/* What the vector loops of all algorithms share: the draw of an outcome, and what a group of lanes carries. */
#ifndef FAR_RUN_VECTOR_LANES_H
#define FAR_RUN_VECTOR_LANES_H

#include "mdp/model.h"
#include "run/fused.h"
#include "run/vector.h"

/* More actions are not asked for (vectors.c), and more outcomes are drawn replica by replica. */
enum { MOST_ACTIONS = 8, MOST_OUTCOMES = 4 };

/* ---- the model ---- */

typedef struct rows {
  const far_mdp *mdp;
  uint64_t most; /* outcomes of a pair */
  bool even;     /* all pairs have as many, and that is a power of 2 ... */
  int shift;     /* ... with this exponent */
} rows;

static inline rows rows_of(const far_mdp *mdp) {
  rows m = {.mdp = mdp};
  uint64_t least = UINT64_MAX;
  for (size_t i = 0; i + 1 < mdp->n_rows; ++i) {
    const uint64_t count = mdp->row[i + 1] - mdp->row[i];
    if (count > m.most) m.most = count;
    if (count < least) least = count;
  }
  m.even = least == m.most && m.most <= MOST_OUTCOMES && (m.most & (m.most - 1)) == 0;
  m.shift = m.even ? __builtin_ctzll(m.most) : 0;
  return m;
}

/* A draw in two parts: where to look, and what is there. */
typedef struct draws {
  words draw;
  spots look; /* even: the row's thresholds; else its entry in mdp->row */
} draws;

FAR__INLINE void begin_draw(draws *d, const rows *m, words row, words draw) {
  d->draw = draw;
  d->look.at = m->even ? address_of(m->mdp->upto) + (row << m->shift << 3)
                       : address_of(m->mdp->row) + (row << 3);
}

FAR__INLINE words passed_even(const draws *d, const rows *m) {
  words k = (d->look.at - address_of(m->mdp->upto)) >> 3;
  for (uint64_t j = 0; j + 1 < m->most; ++j) k -= (words)(d->draw > get_words(&d->look, 8 * j));
  return k;
}

FAR__INLINE words passed_few(const draws *d, const rows *m) {
  const word_pairs ends = get_pairs(&d->look, 0);
  const words last = ends.second - ends.first - 1;
  words k = ends.first;
  for (uint64_t j = 0; j + 1 < m->most; ++j) {
    const words there = (words)(last > j);
    const spots upto = {address_of(m->mdp->upto) + ((ends.first + (j & there)) << 3)};
    k -= (words)(d->draw > get_words(&upto, 0)) & there;
  }
  return k;
}

FAR__INLINE words passed_many(const draws *d, const rows *m) {
  const far_mdp *mdp = m->mdp;
  words k = {0};
  FOR_LANES {
    const size_t row = (size_t)((const size_t *)d->look.pointer[l] - mdp->row);
    k[l] = (uint64_t)(far__mdp_draw(mdp, row, d->draw[l]) - mdp->outcome);
  }
  return k;
}

/* The addresses of the outcomes. */
FAR__INLINE words end_draw(const draws *d, const rows *m) {
  static_assert(sizeof(far_outcome) == 16 + 8, "as this multiplies");
  const words k = m->even                    ? passed_even(d, m)
                  : m->most <= MOST_OUTCOMES ? passed_few(d, m)
                                             : passed_many(d, m);
  return address_of(m->mdp->outcome) + ((k << 4) + (k << 3));
}

/* ---- lanes ---- */

typedef struct group {
  words state; /* addresses of the agents' memory */
  streams transition, agent;
  words s, next;
  reals total;
  uint32_t done; /* a bit for each that arrived at the end of an episode */
} group;

static inline void get_streams(streams *out, const far_rng *first) {
  for (int i = 0; i < 4; ++i)
    FOR_LANES out->word[i][l] =
        ((const far_rng *)((const char *)first + (size_t)l * sizeof(far__lane)))->word[i];
}

static inline void put_streams(const streams *from, far_rng *first) {
  for (int i = 0; i < 4; ++i)
    FOR_LANES((far_rng *)((char *)first + (size_t)l * sizeof(far__lane)))->word[i] =
        from->word[i][l];
}

static inline void enter_group(group *g, const far__body *body, const far__lane *lane) {
  get_streams(&g->transition, &lane->transition);
  get_streams(&g->agent, &lane->agent);
  FOR_LANES {
    g->state[l] = (uint64_t)(uintptr_t)body[l].state;
    g->s[l] = lane[l].s;
    g->total[l] = lane[l].total;
  }
}

static inline void leave_group(const group *g, far__lane *lane, int64_t steps) {
  put_streams(&g->transition, &lane->transition);
  put_streams(&g->agent, &lane->agent);
  FOR_LANES {
    lane[l].s = (uint32_t)g->s[l];
    lane[l].t += steps;
    lane[l].total = g->total[l];
  }
}

/* The step's outcome: adds the reward, which it returns, and notes where it leads. The word behind the reward has
 * `next` and, above it, `done`. */
FAR__INLINE reals arrive(group *g, const spots *outcome) {
  static_assert(offsetof(far_outcome, next) == offsetof(far_outcome, reward) + 8 &&
                    offsetof(far_outcome, done) == offsetof(far_outcome, next) + 4,
                "two words that lie together");
  const word_pairs got = get_pairs(outcome, offsetof(far_outcome, reward));
  g->next = got.second & 0xffffffffu;
  g->done = bits_of((integers)(got.second << 31));
  g->total += (reals)got.first;
  return (reals)got.first;
}

/* Takes what belongs to the end of an episode where there is one. */
FAR__INLINE reals or_at_end(const group *g, reals x, double end) {
  if (g->done != 0) FOR_LANES if (g->done >> l & 1) x[l] = end;
  return x;
}

/* The replicas that are done begin anew. */
static __attribute__((noinline)) void start_anew(group *g, const far_mdp *mdp, far__lane *lane) {
  for (uint32_t done = g->done; done != 0; done &= done - 1) {
    const int l = __builtin_ctz(done);
    g->s[l] = far__mdp_start(mdp, &lane[l].start);
  }
}

/* vector_NAME_steps: so many steps of n groups of lanes, at most GROUPS, whose clocks all show the same time, by
 *   vector_OF_enter(x, v, KIND, n_actions, body, lane)
 *   vector_OF_choose(x, v, KIND, n_actions)           up to the first look at the model
 *   vector_OF_arrive(x, v, KIND, n_actions)           up to the look at the next state
 *   vector_OF_update(x, v, KIND, n_actions, t)        what all do; t counts this step
 *   vector_OF_settle(x, v, KIND, n_actions, t, lane)  what few do
 * Each is done for all groups before the next, so that what a group waits for has come when its turn comes again, and
 * few branches are decided late. What a group carries is kept small: memory takes one vector in a cycle or two. */
#define VECTOR_STEPS(NAME, OF, KIND)                                                               \
  FAR__INLINE void vector_##NAME##_steps(const vector_##OF##_setting *v, uint32_t n_actions,       \
                                         const far__body *body, far__lane *lane, size_t n,         \
                                         int64_t steps) {                                          \
    vector_##OF##_lanes x[GROUPS];                                                                 \
    for (size_t i = 0; i < n; ++i)                                                                 \
      vector_##OF##_enter(&x[i], v, KIND, n_actions, body + i * LANES, lane + i * LANES);          \
    for (int64_t t = lane->t + 1, end = lane->t + steps; t <= end; ++t) {                          \
      for (size_t i = 0; i < n; ++i) vector_##OF##_choose(&x[i], v, KIND, n_actions);              \
      for (size_t i = 0; i < n; ++i) x[i].outcome.at = end_draw(&x[i].d, &v->model);               \
      for (size_t i = 0; i < n; ++i) vector_##OF##_arrive(&x[i], v, KIND, n_actions);              \
      for (size_t i = 0; i < n; ++i) vector_##OF##_update(&x[i], v, KIND, n_actions, t);           \
      for (size_t i = 0; i < n; ++i)                                                               \
        vector_##OF##_settle(&x[i], v, KIND, n_actions, t, lane + i * LANES);                      \
    }                                                                                              \
    for (size_t i = 0; i < n; ++i) leave_group(&x[i].g, lane + i * LANES, steps);                  \
  }

#endif
