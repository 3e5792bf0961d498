/* What a family of environments implements. */
#ifndef FAR_MODEL_ENVS_FAMILY_H
#define FAR_MODEL_ENVS_FAMILY_H

#include <math.h> /* only for INFINITY */

#include "base/spec.h"
#include "farsight/mdp.h"

typedef struct far__family {
  far_type_info info;
  /* fills in derived parameters, refuses what does not apply, checks what goes together; may be
   * NULL */
  far_status (*resolve)(far__spec *spec, far_error *error);
  /* builds a model from the family's own parameter struct */
  far_status (*build)(far_mdp **out, const void *params, far_error *error);
  /* for families that can be large, else NULL: about how many outcomes will be built */
  double (*outcomes)(const void *params);
} far__family;

/* In a parameter table: the bounds of a reward. */
#define FAR__ANY_REWARD .min = -INFINITY, .min_open = true, .max = INFINITY, .max_open = true

/* What counts in a problem: the discounted sum of rewards, the reward of an episode of `horizon` steps, or the
 * average reward of a step. Every family's struct has it as `criterion`; family.c reads it. */
typedef struct far__criterion {
  int64_t horizon; /* 0: none */
  double gamma;    /* 0: none is given */
  int32_t average;
} far__criterion;

/* The rows that end every family's table. */
#define FAR__ROWS_CRITERION(type)                                                                  \
  {.name = "horizon",                                                                              \
   .kind = FAR_PARAM_INTEGER,                                                                      \
   .derived = true,                                                                                \
   .fallback = "none",                                                                             \
   .min = 1,                                                                                       \
   .max = FAR_HORIZON_MAX,                                                                         \
   .offset = offsetof(type, criterion.horizon),                                                    \
   .help = "criterion: the reward of an episode, which is cut after so many steps"},               \
      {.name = "gamma",                                                                            \
       .kind = FAR_PARAM_REAL,                                                                     \
       .derived = true,                                                                            \
       .fallback = "0.95",                                                                         \
       .min = 0,                                                                                   \
       .min_open = true,                                                                           \
       .max = 1,                                                                                   \
       .max_open = true,                                                                           \
       .offset = offsetof(type, criterion.gamma),                                                  \
       .help = "criterion: the discounted sum of rewards, for all agents"},                        \
  {                                                                                                \
    .name = "average", .kind = FAR_PARAM_CHOICE, .fallback = "off", .choices = "off|on",           \
    .offset = offsetof(type, criterion.average), .help = "criterion: the average reward of a step" \
  }

/* The position of ",KEY=" with a key of the criterion at the end of a text, as behind a file's path; else the length. */
size_t far__criterion_at(const char *text, size_t length);

/* The bounds of a seed: what a spec can hold exactly. */
#define FAR__ANY_SEED .min = 0, .max = 9007199254740991.0

/* The most outcomes that a family builds: more would take minutes, and memory that few machines have. */
#define FAR__MOST_OUTCOMES 0x1p32

/* One factor of a number of outcomes: 10 "states", from the parameter at `offset`. */
typedef struct far__factor {
  double count;
  const char *what;
  size_t offset;
} far__factor;

/* Refuses a product above FAR__MOST_OUTCOMES before anything is built; the error is at the largest factor that the text
 * gives. */
far_status far__check_outcomes(const far__spec *spec, const far__factor *factors, size_t n,
                               far_error *error);

/* A builder that remembers its first failure, so that a family can be written down without a check
 * after every line; after a failure the calls do nothing. */
typedef struct far__sketch {
  far_mdp_builder *builder;
  far_status status;
  far_error *error;
  bool drawn; /* has it a layout? (model/envs/draw.h) */
} far__sketch;

static inline void far__outcome(far__sketch *k, uint32_t s, uint32_t a, double probability,
                                uint32_t next, double reward) {
  if (k->status != FAR_OK) return;
  k->status = far_mdp_builder_outcome(k->builder, s, a, probability, next, reward, k->error);
}

static inline void far__start(far__sketch *k, uint32_t s, double probability) {
  if (k->status == FAR_OK) k->status = far_mdp_builder_start(k->builder, s, probability, k->error);
}

static inline void far__terminal(far__sketch *k, uint32_t s) {
  if (k->status == FAR_OK) k->status = far_mdp_builder_terminal(k->builder, s, k->error);
}

/* The reward range from 0, and from `count` further rewards. */
void far__range(far__sketch *k, const double *rewards, size_t count);

/* Creates a builder, has it filled by fill(&sketch, what), and finishes it. A model of about `successors` of each pair
 * that would not fit into memory is refused at once. */
typedef void far__fill(far__sketch *k, const void *what);
far_status far__family_build(far_mdp **out, uint32_t n_states, uint32_t n_actions,
                             double successors, far__fill *fill, const void *what,
                             far_error *error);

#define FAR_FAMILY(name) extern const far__family far__family_##name;
#include "model/envs/families.def"
#undef FAR_FAMILY

#endif
