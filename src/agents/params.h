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
#define FAR__UNIT .min = 0, .max = 1
#define FAR__UNIT_OPEN .min = 0, .min_open = true, .max = 1, .max_open = true
#define FAR__POSITIVE .min = 0, .min_open = true, .max = INFINITY, .max_open = true
#define FAR__SQUARABLE .min = 1e-70, .max = 1e70  /* squares of two, and their ratio, are numbers */
#define FAR__SUMMABLE .min = -1e100, .max = 1e100 /* divided by such a square it is a number */
#define FAR__NOT_NEGATIVE .min = 0, .max = INFINITY, .max_open = true
#define FAR__FINITE .min = -INFINITY, .min_open = true, .max = INFINITY, .max_open = true

/* ---- rows ---- */

#define FAR__ROW_PRESET(type, words, meaning) FAR__ROW_PRESET_OF(type, "practical", words, meaning)

/* The same with another preset than `practical` as the default. */
#define FAR__ROW_PRESET_OF(type, usual, words, meaning)                                            \
  {                                                                                                \
    .name = "preset", .kind = FAR_PARAM_CHOICE, .fallback = usual, .choices = words,               \
    FAR__AT(type, preset), .help = "fills the keys not given: " meaning                            \
  }

#define FAR__ROW_EPS(type)                                                                         \
  {                                                                                                \
    .name = "eps", .kind = FAR_PARAM_REAL, .derived = true, .fallback = "0.1 range/(1-gamma)",     \
    FAR__POSITIVE, FAR__AT(type, eps),                                                             \
    .help = "accuracy that a theory preset guarantees, in units of value"                          \
  }

#define FAR__ROW_DELTA(type)                                                                       \
  {                                                                                                \
    .name = "delta", .kind = FAR_PARAM_REAL, .fallback = "0.1", FAR__UNIT_OPEN,                    \
    FAR__AT(type, delta), .help = "probability with which that guarantee may fail"                 \
  }

/* The discount that an agent plans with. far__take_problem (agents/problem.h) fills it in where it is not given. */
#define FAR__ROW_GAMMA(type)                                                                       \
  {                                                                                                \
    .name = "gamma", .kind = FAR_PARAM_REAL, .derived = true, .fallback = FAR__THE_PROBLEMS,       \
    .word = FAR__SHORT, FAR__UNIT, .max_open = true, FAR__AT(type, gamma),                         \
    .help = "discount that it plans with; short: as far ahead as the data of the run reach"        \
  }

/* The steps that there will be, which rules of parameters count with. Likewise. */
#define FAR__ROW_STEPS(type, least, text)                                                          \
  {                                                                                                \
    .name = "steps", .kind = FAR_PARAM_INTEGER, .derived = true,                                   \
    .fallback = "the run's, or 10000", .min = least, .max = 0x1p53, FAR__AT(type, steps),          \
    .help = text                                                                                   \
  }

/* `rule` is the default in words; the algorithm's resolve fills it in. */
#define FAR__ROW_M(type, rule, text)                                                               \
  {                                                                                                \
    .name = "m", .kind = FAR_PARAM_INTEGER, .derived = true, .fallback = rule, .min = 1,           \
    .max = 0x1p53, FAR__AT(type, m), .help = text                                                  \
  }

#define FAR__ROW_TOL(type)                                                                         \
  {                                                                                                \
    .name = "tol", .kind = FAR_PARAM_REAL, .derived = true, .fallback = "0.001 range",             \
    FAR__POSITIVE, FAR__AT(type, tol),                                                             \
    .help = "largest distance of a plan's values from the fixed point"                             \
  }

#define FAR__ROW_REPLAN(type)                                                                      \
  {                                                                                                \
    .name = "replan", .kind = FAR_PARAM_REAL, .derived = true, .fallback = "1.1", .min = 1,        \
    .max = INFINITY, .max_open = true, FAR__AT(type, replan),                                      \
    .help = "plan when a pair's visits have grown by this factor; 1: after every step"             \
  }

#define FAR__ROW_Q0(type, text)                                                                    \
  {                                                                                                \
    .name = "q0", .kind = FAR_PARAM_REAL, .fallback = "0", FAR__FINITE, FAR__AT(type, q0),         \
    .help = text                                                                                   \
  }

#define FAR__ROW_ALPHA(type, number)                                                               \
  {                                                                                                \
    .name = "alpha", .kind = FAR_PARAM_REAL, .fallback = number, FAR__UNIT, .min_open = true,      \
    FAR__AT(type, alpha), .help = "constant step size"                                             \
  }

#define FAR__ROW_EXPLORE(type)                                                                     \
  {                                                                                                \
    .name = "explore", .kind = FAR_PARAM_CHOICE, .fallback = "epsilon",                            \
    .choices = "epsilon|softmax", .derived = true, FAR__AT(type, explore),                         \
    .help = "how to explore; softmax if a temperature is given"                                    \
  }

#define FAR__ROW_EPSILON(type, text)                                                               \
  {                                                                                                \
    .name = "epsilon", .kind = FAR_PARAM_REAL, .fallback = "0.1", FAR__UNIT,                       \
    FAR__AT(type, epsilon), .help = text                                                           \
  }

#define FAR__ROW_TEMPERATURE(type, rule)                                                           \
  {                                                                                                \
    .name = "temperature", .kind = FAR_PARAM_REAL, .derived = true, .fallback = rule, .min = 0,    \
    .min_open = true, .max = INFINITY, FAR__AT(type, temperature),                                 \
    .help = "softmax: small is greedy, inf is uniform; in units of reward"                         \
  }

#define FAR__ROW_TIES(type)                                                                        \
  {                                                                                                \
    .name = "ties", .kind = FAR_PARAM_CHOICE, .fallback = "random", .choices = FAR__TIES_CHOICES,  \
    FAR__AT(type, ties), .help = "which of several greedy actions is taken"                        \
  }

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
