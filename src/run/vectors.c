#include "run/vectors.h"

#include "run/loop.h"

/* More actions are left to the scalar loops, which read long rows in blocks. */
enum { MOST_ACTIONS = 8 };

/* Only the listed extensions are used by the file compiled for AVX-512. */
static bool has_avx512(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
#else
  return false;
#endif
}

static bool has_avx2(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}

/* Every 64-bit ARM processor has it. */
static bool has_neon(void) {
  return true;
}

static const struct {
  const far__vectors *vectors;
  bool (*there)(void);
} sets[] = {{&far__vectors_avx512, has_avx512},
            {&far__vectors_avx2, has_avx2},
            {&far__vectors_neon, has_neon}};

const far__vectors *far__vectors_at(size_t index) {
  for (size_t i = 0; i < sizeof sets / sizeof *sets; ++i)
    if (sets[i].vectors->width > 0 && sets[i].there() && index-- == 0) return sets[i].vectors;
  return NULL;
}

/* Step sizes and choices that need a logarithm or an exponential at every step would not be faster. */
static bool takes_q(const far_agent *agent) {
  const q_params *p = (const q_params *)far__agent_params(agent);
  return p->step == STEP_CONSTANT && p->decay == DECAY_NONE && p->explore == EXPLORE_EPSILON;
}

static bool takes_delayed(const far_agent *agent) {
  return ((const delayed_params *)far__agent_params(agent))->learn != LEARN_2006;
}

bool far__vectors_take(const far_agent *agent) {
  if (agent->shape.n_actions > MOST_ACTIONS) return false;
  switch (far__fused_of(agent)) {
  case FAR__FUSED_q: return takes_q(agent);
  case FAR__FUSED_delayed:
  case FAR__FUSED_directed: return takes_delayed(agent);
  default: return false;
  }
}
