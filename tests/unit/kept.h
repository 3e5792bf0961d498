/* Which states `valid` takes from a file, word by word: each is given values at both sides of what it
 * may be. */
#ifndef FARSIGHT_TESTS_KEPT_H
#define FARSIGHT_TESTS_KEPT_H

#include <farsight/farsight.h>
#include <stdint.h>

#include "agents/agent.h"
#include "check.h"

enum { S = 2, A = 2, P = S * A, H = 2, STEPS = 5, RANGE = 2 };

/* An agent that has made STEPS steps, as far as it knows. */
static inline far_agent *start(const char *spec) {
  const far_type_info *type = far_spec_type(far_agent_type, spec);
  const far_shape shape =
      SHAPE(S, A, -1, 1, true, NULL, type != NULL && type->finite_horizon ? H : 0);
  far_agent *agent = NULL;
  CHECK(far__agent_create(&agent, spec, &shape, 1, 0, NULL) == FAR_OK);
  if (agent != NULL) agent->t = STEPS;
  return agent;
}

static inline bool valid(const far_agent *agent) {
  return far__agent_type_of(agent)->valid(agent);
}

/* ---- one word ---- */

typedef union word {
  double x;
  int64_t n;
} word;

static inline void try(far_agent *agent, size_t i, word value, bool good, char kind) {
  word *at = (word *)far__agent_state(agent) + i;
  const word before = *at;
  *at = value;
  const bool right = valid(agent) == good;
  CHECK(right);
  if (!right)
    printf("  %s: word %zu (%c) = %g or %lld is %s\n", agent->spec, i, kind, value.x,
           (long long)value.n, good ? "refused" : "taken");
  *at = before;
}

static inline void real(far_agent *agent, size_t i, double x, bool good, char kind) {
  try(agent, i, (word){.x = x}, good, kind);
}

static inline void whole(far_agent *agent, size_t i, int64_t n, bool good, char kind) {
  try(agent, i, (word){.n = n}, good, kind);
}

/* From `least` on, and finite. */
static inline void at_least(far_agent *agent, size_t i, double least, double below, char kind) {
  real(agent, i, least, true, kind);
  real(agent, i, least + 2.5, true, kind);
  real(agent, i, below, false, kind);
  real(agent, i, INFINITY, false, kind);
  real(agent, i, NAN, false, kind);
}

static inline void between(far_agent *agent, size_t i, int64_t least, int64_t most, char kind) {
  whole(agent, i, least, true, kind);
  whole(agent, i, most, true, kind);
  whole(agent, i, least - 1, false, kind);
  whole(agent, i, most + 1, false, kind);
}

static inline void any_number(far_agent *agent, size_t i, bool infinite, char kind) {
  real(agent, i, -1.5, true, kind);
  real(agent, i, INFINITY, infinite, kind);
  real(agent, i, -INFINITY, infinite, kind);
  real(agent, i, NAN, false, kind);
}

/* One of two numbers, or between them where `inside`. */
static inline void within(far_agent *agent, size_t i, double least, double most, bool inside,
                          char kind) {
  real(agent, i, least, true, kind);
  real(agent, i, most, true, kind);
  real(agent, i, (least + most) / 2, inside || least == most, kind);
  real(agent, i, least - 0.5, false, kind);
  real(agent, i, most + 0.5, false, kind);
  real(agent, i, NAN, false, kind);
}

static inline void test_whole_word(far_agent *agent, size_t i, char kind) {
  switch (kind) {
  case 'C': between(agent, i, 0, STEPS, kind); break;       /* a count, or a time */
  case 'Z': between(agent, i, 0, 0, kind); break;           /* a part of a count that is 0 */
  case 'S': between(agent, i, -1, S - 1, kind); break;      /* a state, or none */
  case 'Q': between(agent, i, -2, P - 1, kind); break;      /* a pair, none, or a cut */
  case 'A': between(agent, i, 0, A - 1, kind); break;       /* an action */
  case 'B': between(agent, i, 0, 1, kind); break;           /* yes or no */
  case 'M': between(agent, i, 0, 2 * 3 - 1, kind); break;   /* 2n + LEARN, where m = 3 */
  case 'D': between(agent, i, 0, 3, kind); break;           /* steps of a delay of 3 */
  case 'L': between(agent, i, 0, 2 * (S + 1), kind); break; /* the room of a row */
  default: CHECK(!"a kind of word");
  }
}

static inline void test_word(far_agent *agent, size_t i, char kind) {
  const double begun = ((const word *)far__agent_state(agent))[i].x;
  switch (kind) {
  case 'F': any_number(agent, i, false, kind); break;          /* finite */
  case 'N': any_number(agent, i, true, kind); break;           /* a number */
  case 'P': at_least(agent, i, 0, -0.5, kind); break;          /* at least 0 */
  case 'U': at_least(agent, i, 1, 0.5, kind); break;           /* at least 1 */
  case 'I': at_least(agent, i, begun, begun / 2, kind); break; /* no less than it begins with */
  case '=': within(agent, i, begun, begun, true, kind); break; /* what it begins with */
  case 't': within(agent, i, 0, STEPS, true, kind); break;     /* a count */
  case 'r': within(agent, i, 0, RANGE, true, kind); break;     /* a reward, shifted */
  case 'h': within(agent, i, 0, H, true, kind); break;         /* a return, in units of it */
  case 'b': within(agent, i, 0, 1, false, kind); break;        /* yes or no */
  case '.': real(agent, i, NAN, true, kind); break;            /* anything */
  default: test_whole_word(agent, i, kind);
  }
}

/* ---- layouts: how many words of which kind, or of which sequence of kinds ---- */

typedef struct layout {
  const char *spec, *words;
} layout;

static inline void test_layout(const char *spec, const char *words) {
  far_agent *agent = start(spec);
  if (agent == NULL) return;
  size_t i = 0;
  int times = 0, length = 0;
  CHECK(valid(agent));
  for (; sscanf(words, " %d%*[^ ]%n", &times, &length) == 1; words += length) {
    const char *kinds = words + strspn(words, " 0123456789"), *end = words + length;
    for (int k = 0; k < times; ++k)
      for (const char *at = kinds; at < end; ++at) test_word(agent, i++, *at);
  }
  CHECK(8 * i == agent->state_size);
  far_agent_free(agent);
}

#endif
