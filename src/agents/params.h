/* What the parameter tables of several algorithms share: their rows, and the steps of resolving
 * that are the same for all. A row macro takes the algorithm's own parameter struct, in which the
 * field has the name of the key. */
#ifndef FAR_AGENTS_PARAMS_H
#define FAR_AGENTS_PARAMS_H

#include <math.h> /* only for INFINITY */

#include "agents/agent.h"
#include "agents/greedy.h"
#include "agents/problem.h"

/* ---- parts of rows ---- */

#define FAR__AT(type, field) .offset = offsetof(type, field)
#define FAR__BETWEEN(least, most) .min = least, .max = most
#define FAR__UNIT FAR__BETWEEN(0, 1)
#define FAR__UNIT_OPEN FAR__UNIT, .min_open = true, .max_open = true
#define FAR__UNIT_ABOVE_0 FAR__UNIT, .min_open = true
#define FAR__UNIT_BELOW_1 FAR__UNIT, .max_open = true
#define FAR__NOT_NEGATIVE FAR__BETWEEN(0, INFINITY), .max_open = true
#define FAR__POSITIVE FAR__NOT_NEGATIVE, .min_open = true
#define FAR__ABOVE_0 FAR__BETWEEN(0, INFINITY), .min_open = true /* infinity included */
#define FAR__AT_LEAST_1 FAR__BETWEEN(1, INFINITY), .max_open = true
#define FAR__FINITE FAR__BETWEEN(-INFINITY, INFINITY), .min_open = true, .max_open = true
#define FAR__COUNT FAR__BETWEEN(1, 0x1p53)
#define FAR__SQUARABLE FAR__BETWEEN(1e-70, 1e70)  /* squares of two, and their ratio, are numbers */
#define FAR__SUMMABLE FAR__BETWEEN(-1e100, 1e100) /* divided by such a square it is a number */

/* ---- rows: a key that is a field of the parameter struct, its default as text, its bounds or words, its help ---- */

#define FAR__ROW(type, key, of_kind, usual, text)                                                  \
  .name = #key, .kind = of_kind, .fallback = usual, FAR__AT(type, key), .help = text

#define FAR__ROW_REAL(type, key, usual, bounds, text)                                              \
  { FAR__ROW(type, key, FAR_PARAM_REAL, usual, text), bounds }
#define FAR__ROW_INTEGER(type, key, usual, bounds, text)                                           \
  { FAR__ROW(type, key, FAR_PARAM_INTEGER, usual, text), bounds }
#define FAR__ROW_CHOICE(type, key, usual, words, text)                                             \
  { FAR__ROW(type, key, FAR_PARAM_CHOICE, usual, text), .choices = words }

/* The same where the default is a rule in words, which the algorithm's resolve computes. */
#define FAR__ROW_DERIVED(type, key, rule, bounds, text)                                            \
  { FAR__ROW(type, key, FAR_PARAM_REAL, rule, text), .derived = true, bounds }
#define FAR__ROW_DERIVED_INTEGER(type, key, rule, bounds, text)                                    \
  { FAR__ROW(type, key, FAR_PARAM_INTEGER, rule, text), .derived = true, bounds }
#define FAR__ROW_DERIVED_CHOICE(type, key, rule, words, text)                                      \
  { FAR__ROW(type, key, FAR_PARAM_CHOICE, rule, text), .derived = true, .choices = words }

/* ---- rows that several algorithms have ---- */

#define FAR__ROW_PRESET(type, words, meaning) FAR__ROW_PRESET_OF(type, "practical", words, meaning)

/* The same with another preset than `practical` as the default. */
#define FAR__ROW_PRESET_OF(type, usual, words, meaning)                                            \
  FAR__ROW_CHOICE(type, preset, usual, words, "fills the keys not given: " meaning)

#define FAR__ROW_EPS(type)                                                                         \
  FAR__ROW_DERIVED(type, eps, "0.1 range/(1-gamma)", FAR__POSITIVE,                                \
                   "accuracy that a theory preset guarantees, in units of value")

#define FAR__ROW_DELTA(type)                                                                       \
  FAR__ROW_REAL(type, delta, "0.1", FAR__UNIT_OPEN,                                                \
                "probability with which that guarantee may fail")

/* The discount that an agent plans with. far__take_problem (agents/problem.h) fills it in where it is not given. */
#define FAR__ROW_GAMMA(type)                                                                       \
  {                                                                                                \
    FAR__ROW(type, gamma, FAR_PARAM_REAL, FAR__THE_PROBLEMS,                                       \
             "discount that it plans with; short: as far ahead as the data of the run reach"),     \
        .derived = true, .word = FAR__SHORT, FAR__UNIT_BELOW_1                                     \
  }

/* The steps of the run, by which rules derive parameters. far__take_problem fills them in, too. */
#define FAR__ROW_STEPS(type, least, text)                                                          \
  FAR__ROW_DERIVED_INTEGER(type, steps, "the run's, or 10000", FAR__BETWEEN(least, 0x1p53), text)

#define FAR__ROW_M(type, rule, text) FAR__ROW_DERIVED_INTEGER(type, m, rule, FAR__COUNT, text)

#define FAR__ROW_TOL(type)                                                                         \
  FAR__ROW_DERIVED(type, tol, "0.001 range", FAR__POSITIVE,                                        \
                   "largest distance of a plan's values from the fixed point")

#define FAR__ROW_REPLAN(type)                                                                      \
  FAR__ROW_DERIVED(type, replan, "1.1", FAR__AT_LEAST_1,                                           \
                   "plan when a pair's visits have grown by this factor; 1: after every step")

#define FAR__ROW_Q0(type, text) FAR__ROW_REAL(type, q0, "0", FAR__FINITE, text)

#define FAR__ROW_ALPHA(type, number)                                                               \
  FAR__ROW_REAL(type, alpha, number, FAR__UNIT_ABOVE_0, "constant step size")

#define FAR__ROW_EXPLORE(type)                                                                     \
  FAR__ROW_DERIVED_CHOICE(type, explore, "epsilon", "epsilon|softmax",                             \
                          "how to explore; softmax if a temperature is given")

#define FAR__ROW_EPSILON(type, text) FAR__ROW_REAL(type, epsilon, "0.1", FAR__UNIT, text)

#define FAR__ROW_TEMPERATURE(type, rule)                                                           \
  FAR__ROW_DERIVED(type, temperature, rule, FAR__ABOVE_0,                                          \
                   "softmax: small is greedy, inf is uniform; in units of reward")

/* The Dirichlet prior of a row, and the mean of the normal prior of a mean reward. */
#define FAR__ROW_PRIOR(type)                                                                       \
  FAR__ROW_REAL(type, prior, "1", FAR__BETWEEN(0, 1000000),                                        \
                "total weight of the Dirichlet prior, spread over all outcomes")
#define FAR__ROW_MU0(type)                                                                         \
  FAR__ROW_DERIVED(type, mu0, "rmin", FAR__SUMMABLE, "prior mean of a reward")

#define FAR__ROW_TIES(type)                                                                        \
  FAR__ROW_CHOICE(type, ties, "random", FAR__TIES_CHOICES,                                         \
                  "which of several greedy actions is taken")

/* ---- steps of resolving ---- */

/* RANGE if range/(1-gamma), the largest value, exceeds every number. */
far_status far__check_v_max(const far_shape *shape, double gamma, far_error *error);

/* RANGE if range times horizon, the largest value of an episode, exceeds every number. */
far_status far__check_episode(const far_shape *shape, far_error *error);

/* A key that does not apply where `hide` holds; `why` as for far__spec_refuse. */
typedef struct far__refusal {
  bool hide;
  size_t offset;
  const char *why;
} far__refusal;

/* Hides all that do not apply; an error for the first of them that is given. */
far_status far__refuse(far__spec *spec, const far__refusal *rules, size_t n, far_error *error);

/* Hides the preset's own keys (`preset` and, say, eps and delta): the canonical spec holds what
 * came of them. An error if one other than the preset is given with the practical preset. */
far_status far__consume_preset(far__spec *spec, bool practical, size_t preset, const size_t *others,
                               size_t n_others, far_error *error);

/* The hook `advise` of an agent whose parameters cost nothing in learning or guarantee. */
void far__advise_nothing(const far__spec *spec, const far_shape *shape, const far__advice *advice);

/* Gives a piece of advice, formatted. */
void far__say(const far__advice *advice, bool severe, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
