/* What the vector loops of all algorithms share: the draw of an outcome, and the state of a group of lanes. */
#ifndef FAR_RUN_VECTOR_LANES_H
#define FAR_RUN_VECTOR_LANES_H

#include "model/model.h"
#include "run/fused.h"
#include "run/vector.h"

/* vectors.c asks for no more actions; more outcomes are drawn replicate by replicate. */
enum { MOST_ACTIONS = 8, MOST_OUTCOMES = 4 };

/* Steps whose draws are computed at once, with the stream in registers. */
enum { AHEAD = 8 };

/* ---- the model ---- */

typedef struct rows {
  const far_mdp *mdp;
  uint64_t most;    /* outcomes of a pair */
  bool even;        /* all pairs have the same number of outcomes, a power of 2 */
  const void *look; /* what a draw reads first: if even the thresholds, else mdp->row ... */
  int shift;        /* ... in which a row takes 1 << shift bytes */
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
  m.look = m.even ? (const void *)mdp->upto : mdp->row;
  m.shift = m.even ? 3 + __builtin_ctzll(m.most) : 3;
  return m;
}

/* A draw has two parts: the address to read, and what is found there. */
FAR__INLINE words begin_draw(const rows *m, words row) {
  return address_of(m->look) + (row << m->shift);
}

/* The index of the outcome; no draw is above the last threshold. */
FAR__INLINE words passed_even(const rows *m, const spots *look, words draw) {
  words k = (look->at - address_of(m->look)) >> 3;
  k -= (words)(draw > get_words(look, 0));
  for (uint64_t j = 1; j + 1 < m->most; ++j) k -= (words)(draw > get_words(look, 8 * j));
  return k;
}

FAR__INLINE words passed_few(const rows *m, const spots *look, words draw) {
  const word_pairs ends = get_pairs(look, 0);
  const words last = ends.second - ends.first - 1;
  words k = ends.first;
  for (uint64_t j = 0; j + 1 < m->most; ++j) {
    const words there = (words)(last > j);
    const spots upto = {address_of(m->mdp->upto) + ((ends.first + (j & there)) << 3)};
    k -= (words)(draw > get_words(&upto, 0)) & there;
  }
  return k;
}

FAR__INLINE words passed_many(const rows *m, const spots *look, words draw) {
  const far_mdp *mdp = m->mdp;
  words k = {0};
  FOR_LANES {
    const size_t row = (size_t)((const size_t *)look->pointer[l] - mdp->row);
    k[l] = (uint64_t)(far__mdp_draw(mdp, row, draw[l]) - mdp->outcome);
  }
  return k;
}

/* The addresses of the outcomes. */
FAR__INLINE words end_draw(const rows *m, const spots *look, words draw) {
  static_assert(sizeof(far_outcome) == 16 + 8, "as this multiplies");
  const words k = m->even                    ? passed_even(m, look, draw)
                  : m->most <= MOST_OUTCOMES ? passed_few(m, look, draw)
                                             : passed_many(m, look, draw);
  return address_of(m->mdp->outcome) + ((k << 4) + (k << 3));
}

/* ---- lanes ---- */

typedef struct group {
  words state; /* addresses of the agents' memory */
  streams transition, agent;
  words s;
  reals total;
  words draw[AHEAD]; /* of the next steps */
  spots look,
      outcome;   /* of the current step: addresses at the beginning and at the end of its draw */
  uint32_t done; /* bits: replicates that reached the end of an episode */
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

FAR__INLINE void draw_ahead(group *g, int64_t steps) {
  streams rng = g->transition;
  for (int64_t k = 0; k < steps; ++k) g->draw[k] = next_words(&rng);
  g->transition = rng;
}

/* The contents of outcomes. The word behind the reward has `next` and, above it, `done`. */
typedef struct arrivals {
  reals r;
  words next;
  integers done; /* the highest bit */
} arrivals;

FAR__INLINE arrivals look_at_outcome(const spots *outcome) {
  static_assert(offsetof(far_outcome, next) == offsetof(far_outcome, reward) + 8 &&
                    offsetof(far_outcome, done) == offsetof(far_outcome, next) + 4,
                "two words that lie together");
  const word_pairs got = get_pairs(outcome, offsetof(far_outcome, reward));
  return (arrivals){(reals)got.first, got.second & 0xffffffffu, -(integers)(got.second >> 32 & 1)};
}

/* Adds the reward of the step's outcome, which it returns, and moves to the next state. */
FAR__INLINE reals arrive(group *g) {
  const arrivals got = look_at_outcome(&g->outcome);
  g->s = got.next;
  g->done = bits_of(got.done);
  g->total += got.r;
  return got.r;
}

/* x, or `end` for replicates that reached the end of an episode. */
FAR__INLINE reals or_at_end(const group *g, reals x, double end) {
  if (g->done != 0) FOR_LANES if (g->done >> l & 1) x[l] = end;
  return x;
}

/* Draws a start for the replicates that are done. */
static __attribute__((noinline)) void start_anew(group *g, const far_mdp *mdp, far__lane *lane) {
  for (uint32_t done = g->done; done != 0; done &= done - 1) {
    const int l = __builtin_ctz(done);
    g->s[l] = far__mdp_start(mdp, &lane[l].start);
  }
}

/* ---- replicates picked from any groups ---- */

/* Offsets in bytes: from the beginning of all groups to the element in a group's first vector. */
typedef struct picks {
  size_t n;
  uint16_t at[GROUPS * LANES + 4]; /* pick writes four at once, and fill_up a vector */
} picks;

/* Adds the replicates of the group at this offset whose bits are set, without a branch, which would be mispredicted. */
FAR__INLINE void pick(picks *p, size_t offset, uint32_t bits) {
  static_assert(LANES <= 4 && sizeof(words) == 8 * LANES, "as the table is made");
  static const uint16_t element[16][4] = {
      {0},      {0},         {8},         {0, 8},     /* 0 ... 3 */
      {16},     {0, 16},     {8, 16},     {0, 8, 16}, /* 4 ... 7 */
      {24},     {0, 24},     {8, 24},     {0, 8, 24}, /* 8 ... 11 */
      {16, 24}, {0, 16, 24}, {8, 16, 24}, {0, 8, 16, 24}};
  uint64_t at;
  memcpy(&at, element[bits], sizeof at);
  at += offset * 0x0001000100010001u;
  memcpy(&p->at[p->n], &at, sizeof at);
  p->n += (size_t)__builtin_popcount(bits);
}

/* Repeats the last pick up to a full vector: it is read, computed and written once more, with the same result. */
FAR__INLINE void fill_up(picks *p) {
  FOR_LANES p->at[p->n + (size_t)l] = p->at[p->n - 1];
}

/* Addresses of the picked elements of the vector that is `offset` bytes behind the beginning of a group. */
FAR__INLINE spots picked_elements(void *first, const uint16_t *at, size_t offset) {
  spots out;
  FOR_LANES out.pointer[l] = (char *)first + offset + at[l];
  return out;
}

/* The picked elements themselves, which are addresses. */
FAR__INLINE spots picked_spots(void *first, const uint16_t *at, size_t offset) {
  const spots from = picked_elements(first, at, offset);
  spots out;
  FOR_LANES memcpy(&out.pointer[l], from.pointer[l], sizeof out.pointer[l]);
  return out;
}

/* ---- loops ---- */

/* vector_NAME_steps: makes `steps` steps of n groups of lanes, at most GROUPS, whose clocks all show the same time, by
 *   vector_OF_enter(x, v, KIND, n_actions, body, lane)
 *   vector_OF_choose(x, v, KIND, n_actions)        up to the first read of the model
 *   vector_OF_arrive(x, v, KIND, n_actions)        up to the read of the next state
 *   vector_OF_update(x, n, v, KIND, n_actions, t)  the updates of all groups; t counts this step
 *   vector_OF_move(x, v, KIND, n_actions)          after a new start
 *   vector_OF_leave(x, lane, steps)
 * Each is done for all groups before the next, so that memory has answered when a group's turn comes again, and
 * few branches are decided late. The state of a group is small: memory moves one vector in a cycle or two. */
#define VECTOR_STEPS(NAME, OF, KIND)                                                               \
  FAR__INLINE void vector_##NAME##_step(vector_##OF##_lanes *x, const vector_##OF##_setting *v,    \
                                        uint32_t n_actions, far__lane *lane, size_t n, int64_t t,  \
                                        int k) {                                                   \
    for (size_t i = 0; i < n; ++i) vector_##OF##_choose(&x[i], v, KIND, n_actions);                \
    for (size_t i = 0; i < n; ++i)                                                                 \
      x[i].g.outcome.at = end_draw(&v->model, &x[i].g.look, x[i].g.draw[k]);                       \
    for (size_t i = 0; i < n; ++i) vector_##OF##_arrive(&x[i], v, KIND, n_actions);                \
    vector_##OF##_update(x, n, v, KIND, n_actions, t);                                             \
    for (size_t i = 0; i < n; ++i)                                                                 \
      if (x[i].g.done != 0) {                                                                      \
        start_anew(&x[i].g, v->model.mdp, lane + i * LANES);                                       \
        vector_##OF##_move(&x[i], v, KIND, n_actions);                                             \
      }                                                                                            \
  }                                                                                                \
  FAR__INLINE void vector_##NAME##_steps(const vector_##OF##_setting *v, uint32_t n_actions,       \
                                         const far__body *body, far__lane *lane, size_t n,         \
                                         int64_t steps) {                                          \
    static_assert(sizeof(vector_##OF##_lanes[GROUPS]) <= UINT16_MAX, "picks can tell where");      \
    vector_##OF##_lanes x[GROUPS];                                                                 \
    for (size_t i = 0; i < n; ++i)                                                                 \
      vector_##OF##_enter(&x[i], v, KIND, n_actions, body + i * LANES, lane + i * LANES);          \
    for (int64_t t = lane->t + 1, left = steps; left > 0; left -= AHEAD) {                         \
      const int ahead = left < AHEAD ? (int)left : AHEAD;                                          \
      for (size_t i = 0; i < n; ++i) draw_ahead(&x[i].g, ahead);                                   \
      for (int k = 0; k < ahead; ++k, ++t) vector_##NAME##_step(x, v, n_actions, lane, n, t, k);   \
    }                                                                                              \
    for (size_t i = 0; i < n; ++i) vector_##OF##_leave(&x[i], lane + i * LANES, steps);            \
  }

#endif
