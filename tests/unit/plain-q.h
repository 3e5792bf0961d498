/* An agent of others: epsilon-greedy Q-learning written against the public headers alone, with every
 * hook that there is. It draws as the library's own q-learning does, so that both earn the same to
 * the last bit. */
#ifndef FARSIGHT_TESTS_PLAIN_Q_H
#define FARSIGHT_TESTS_PLAIN_Q_H

#include <farsight/farsight.h>
#include <stdlib.h>
#include <string.h>

typedef struct plain_params {
  double gamma, alpha, epsilon;
  int32_t ties;
} plain_params;

static const far_param PLAIN_PARAMS[] = {
    {.name = "gamma",
     .fallback = "0.95",
     .max = 1,
     .max_open = true,
     .help = "discount factor",
     .offset = offsetof(plain_params, gamma)},
    {.name = "alpha",
     .fallback = "0.1",
     .min_open = true,
     .max = 1,
     .help = "step size",
     .offset = offsetof(plain_params, alpha)},
    {.name = "epsilon",
     .fallback = "0.1",
     .max = 1,
     .help = "probability of a random action",
     .offset = offsetof(plain_params, epsilon)},
    {.name = "ties",
     .kind = FAR_PARAM_CHOICE,
     .fallback = "random",
     .choices = "random|lowest",
     .help = "which of several best actions",
     .offset = offsetof(plain_params, ties)},
};

typedef struct plain_q {
  plain_params p;
  uint32_t n_states, n_actions;
  far_rng rng;
  double q[];
} plain_q;

static inline size_t plain_pairs(const plain_q *x) {
  return (size_t)x->n_states * x->n_actions;
}

static inline far_status plain_reset(void *of, uint64_t seed, uint64_t replicate,
                                     far_error *error) {
  plain_q *x = of;
  (void)error;
  far_rng_init(&x->rng, seed, replicate, FAR_PURPOSE_AGENT);
  memset(x->q, 0, plain_pairs(x) * sizeof *x->q);
  return FAR_OK;
}

static inline far_status plain_create(void **out, const void *params, const far_shape *shape,
                                      uint64_t seed, uint64_t replicate, void *user,
                                      far_error *error) {
  (void)user;
  plain_q *x = malloc(sizeof *x + (size_t)shape->n_states * shape->n_actions * sizeof *x->q);
  if (x == NULL) return FAR_STATUS_MEMORY;
  memcpy(&x->p, params, sizeof x->p);
  x->n_states = shape->n_states;
  x->n_actions = shape->n_actions;
  *out = x;
  return plain_reset(x, seed, replicate, error);
}

static inline double plain_best(const double *q, uint32_t n) {
  double most = q[0];
  for (uint32_t a = 1; a < n; ++a) most = q[a] > most ? q[a] : most;
  return most;
}

static inline far_status plain_act(void *of, uint32_t s, uint32_t *a, far_error *error) {
  plain_q *x = of;
  const double *q = x->q + (size_t)s * x->n_actions;
  (void)error;
  if (far_rng_uniform(&x->rng) < x->p.epsilon) {
    *a = far_rng_below(&x->rng, x->n_actions);
    return FAR_OK;
  }
  uint32_t best = 0, tied = 1;
  for (uint32_t i = 1; i < x->n_actions; ++i) {
    if (q[i] > q[best]) {
      best = i;
      tied = 1;
    } else if (q[i] == q[best] && x->p.ties == 0 && far_rng_below(&x->rng, ++tied) == 0) {
      best = i;
    }
  }
  *a = best;
  return FAR_OK;
}

static inline far_status plain_observe(void *of, const far_transition *step, far_error *error) {
  plain_q *x = of;
  double *q = &x->q[(size_t)step->s * x->n_actions + step->a];
  (void)error;
  const double future =
      step->done ? 0 : plain_best(x->q + (size_t)step->next * x->n_actions, x->n_actions);
  *q += x->p.alpha * (step->r + x->p.gamma * future - *q);
  return FAR_OK;
}

static inline bool plain_value(const void *of, far_value kind, uint32_t s, uint32_t a,
                               double *out) {
  const plain_q *x = of;
  if (kind == FAR_VALUE_Q) *out = x->q[(size_t)s * x->n_actions + a];
  return kind == FAR_VALUE_Q;
}

static inline far_status plain_policy(const void *of, uint32_t s, double *out, far_error *error) {
  const plain_q *x = of;
  const double *q = x->q + (size_t)s * x->n_actions, most = plain_best(q, x->n_actions);
  uint32_t tied = 0;
  (void)error;
  for (uint32_t a = 0; a < x->n_actions; ++a) {
    out[a] = q[a] == most && (x->p.ties == 0 || tied == 0);
    tied += out[a] > 0;
  }
  for (uint32_t a = 0; a < x->n_actions; ++a)
    out[a] = (1 - x->p.epsilon) * (out[a] / tied) + x->p.epsilon / x->n_actions;
  return FAR_OK;
}

static inline far_status plain_clone(void **copy, const void *of, far_error *error) {
  const plain_q *x = of;
  const size_t size = sizeof *x + plain_pairs(x) * sizeof *x->q;
  (void)error;
  *copy = malloc(size);
  if (*copy == NULL) return FAR_STATUS_MEMORY;
  memcpy(*copy, x, size);
  return FAR_OK;
}

/* Three bytes more than whole words, so that padding is met. */
static inline size_t plain_save(const void *of, void *bytes, size_t room) {
  const plain_q *x = of;
  const size_t table = plain_pairs(x) * sizeof *x->q, size = sizeof x->rng + table + 3;
  if (room < size) return size;
  memcpy(bytes, &x->rng, sizeof x->rng);
  memcpy((char *)bytes + sizeof x->rng, x->q, table);
  memcpy((char *)bytes + size - 3, "end", 3);
  return size;
}

static inline far_status plain_load(void *of, const void *bytes, size_t size, far_error *error) {
  plain_q *x = of;
  const size_t table = plain_pairs(x) * sizeof *x->q;
  *error = (far_error){FAR_STATUS_FORMAT, -1, "the table is damaged"};
  if (size != sizeof x->rng + table + 3) return FAR_STATUS_FORMAT;
  memcpy(&x->rng, bytes, sizeof x->rng);
  memcpy(x->q, (const char *)bytes + sizeof x->rng, table);
  for (size_t i = 0; i < plain_pairs(x); ++i)
    if (!(x->q[i] >= -1e6 && x->q[i] <= 1e6)) return FAR_STATUS_FORMAT;
  return memcmp((const char *)bytes + size - 3, "end", 3) == 0 ? FAR_OK : FAR_STATUS_FORMAT;
}

static inline far_agent_def plain_q_def(void) {
  return (far_agent_def){.size = sizeof(far_agent_def),
                         .name = "plain-q",
                         .summary = "Q-learning of the tests",
                         .reference = "Watkins 1989",
                         .params = PLAIN_PARAMS,
                         .n_params = sizeof PLAIN_PARAMS / sizeof *PLAIN_PARAMS,
                         .params_size = sizeof(plain_params),
                         .create = plain_create,
                         .free = free,
                         .act = plain_act,
                         .observe = plain_observe,
                         .reset = plain_reset,
                         .value = plain_value,
                         .policy = plain_policy,
                         .clone = plain_clone,
                         .save = plain_save,
                         .load = plain_load};
}

#endif
