/* Lanes in vector registers, called by hand: every option that they take on models of many shapes, with any number of
 * lanes, gives streams, states and totals of the scalar loops, for each instruction set that the processor has. */
#include "run/vectors.h"

#include <farsight/farsight.h>
#include <stdlib.h>

#include "check.h"
#include "run/loop.h"

enum { MOST_LANES = 41, STEPS = 400 };

/* 1 to 8 actions; rows of as many outcomes, of different numbers, of many with alias tables; terminal states, several
 * starts, rewards below 0, a single state. */
static const char *const models[] = {
    "chain:n=5,left=-0.5",
    "chain:n=40",
    "riverswim",
    "frozen-lake",
    "cliff-walking",
    "garnet:states=1,actions=3,branching=1",
    "garnet:states=9,actions=1,branching=2",
    "garnet:states=7,actions=2,branching=3",
    "garnet:states=12,actions=4,branching=4,seed=3",
    "garnet:states=30,actions=5,branching=12",
    "dirichlet:states=4,actions=8",
};

static const char *const agents[] = {
    "q-learning",
    "q-learning:epsilon=1",
    "q-learning:epsilon=0,ties=lowest,q0=1",
    "q-learning:epsilon=0.3,ties=highest,q0=1",
    "delayed-q",
    "delayed-q:preset=practical,ties=highest",
    "delayed-q:preset=practical,m=1,ties=lowest",
    "delayed-q-ie",
    "delayed-q-ie:preset=practical,m=3,learn=printed",
    "directed-delayed-q",
    "directed-delayed-q:preset=practical,m=2,eps1=0.03125",
    "directed-delayed-q:preset=practical,m=40,eps1=0.03125",
    "directed-delayed-q:preset=practical,learn=printed,clamp=off",
    "directed-delayed-q:preset=practical,delay=full,m=2",
    "directed-delayed-q:preset=practical,delay=full,learn=printed,clamp=off,ties=lowest",
    "directed-delayed-q:preset=practical,lambda=0",
    "directed-delayed-q:preset=practical,bonus=sqrt,lambda=0.1,e0=0.5,ties=highest",
    "directed-delayed-q:preset=practical,threshold=0.01",
};

static const char *const left_out[] = {
    "q-learning:step=polynomial", "q-learning:decay=linear",         "q-learning:explore=softmax",
    "delayed-q:form=2006",        "directed-delayed-q:e_rule=visit", "count-q",
};

static far_mdp *model_of(const char *spec) {
  far_mdp *mdp = NULL;
  CHECK(far_mdp_create(&mdp, spec, NULL) == FAR_OK);
  return mdp;
}

static far_agent *agent_of(const char *spec, const far_mdp *mdp) {
  const far_shape shape = far_mdp_shape(mdp);
  far_agent *agent = NULL;
  far_error error;
  CHECK(far_agent_create(&agent, spec, &shape, 1, 0, &error) == FAR_OK);
  if (agent == NULL) printf("  %s: %s\n", spec, error.message);
  return agent;
}

/* ---- lanes by hand ---- */

typedef struct lanes {
  far__body body[MOST_LANES];
  far__lane lane[MOST_LANES];
  unsigned char *memory;
  size_t each, n;
} lanes;

static void begin(lanes *x, const far_mdp *mdp, far_agent *agent, size_t n) {
  x->each = far__lane_bytes(agent);
  x->n = n;
  x->memory = malloc(n * x->each);
  far_agent_reset(agent, 5, 0);
  for (size_t i = 0; i < n; ++i) {
    x->body[i] = far__agent_body(agent);
    x->body[i].state = x->memory + i * x->each;
    x->lane[i] = far__lane_begin(mdp, 5, i);
    memcpy(x->body[i].state, far__agent_state(agent), x->each);
  }
}

static void scalar_steps(far__fused loop, const far_mdp *mdp, lanes *x, int64_t steps) {
  for (size_t i = 0; i < x->n; ++i) switch (loop) {
#define FAR_FUSED(NAME)                                                                            \
  case FAR__FUSED_##NAME: {                                                                        \
    const NAME##_fused_view v = NAME##_fused_lane_on(x->body[i]);                                  \
    NAME##_steps(&v, mdp, x->body->n_actions, &x->lane[i], steps);                                 \
    break;                                                                                         \
  }
#include "run/fused.def"
#undef FAR_FUSED
    case FAR__FUSED_NONE: CHECK(false);
    }
}

static bool same(const lanes *x, const lanes *y) {
  return memcmp(x->lane, y->lane, x->n * sizeof *x->lane) == 0 &&
         memcmp(x->memory, y->memory, x->n * x->each) == 0;
}

/* In parts, as checkpoints make them: a single step, none, the rest. */
static void compare(const far__vectors *vectors, const far_mdp *mdp, far_agent *agent, size_t n) {
  static const int64_t parts[] = {1, 0, 62, STEPS};
  const far__fused loop = far__fused_of(agent);
  lanes expected, found;
  begin(&expected, mdp, agent, n);
  begin(&found, mdp, agent, n);
  bool all = true;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
    scalar_steps(loop, mdp, &expected, parts[i]);
    vectors->loop[loop](mdp, found.body, found.lane, n, parts[i]);
    all &= same(&expected, &found);
  }
  CHECK(all);
  if (!all)
    printf("  %zu of %zu lanes, %s on %s\n", n, vectors->width, far_agent_spec(agent),
           far_mdp_spec(mdp));
  free(expected.memory);
  free(found.memory);
}

/* All models, the lane counts in turn: each is met with every algorithm. */
static void test_bits(const far__vectors *vectors) {
  size_t n = 1;
  CHECK(vectors->width < MOST_LANES);
  for (size_t m = 0; m < sizeof models / sizeof *models; ++m) {
    far_mdp *mdp = model_of(models[m]);
    for (size_t a = 0; a < sizeof agents / sizeof *agents; ++a) {
      far_agent *agent = agent_of(agents[a], mdp);
      CHECK(far__vectors_take(agent));
      compare(vectors, mdp, agent, n);
      compare(vectors, mdp, agent, vectors->width);
      n = n % MOST_LANES + 1;
      far_agent_free(agent);
    }
    far_mdp_free(mdp);
  }
}

/* Lanes whose clocks differ are told apart. */
static void test_clocks(const far__vectors *vectors) {
  far_mdp *mdp = model_of(models[0]);
  far_agent *agent = agent_of("delayed-q:preset=practical", mdp);
  lanes expected, found;
  begin(&expected, mdp, agent, vectors->width);
  begin(&found, mdp, agent, vectors->width);
  expected.lane[3].t = found.lane[3].t = 7;
  scalar_steps(FAR__FUSED_delayed, mdp, &expected, STEPS);
  vectors->loop[FAR__FUSED_delayed](mdp, found.body, found.lane, vectors->width, STEPS);
  CHECK(same(&expected, &found));
  free(expected.memory);
  free(found.memory);
  far_agent_free(agent);
  far_mdp_free(mdp);
}

/* ---- what is taken ---- */

static void test_taken(void) {
  far_mdp *mdp = model_of(models[0]), *wide = model_of("garnet:states=5,actions=9,branching=2");
  for (size_t i = 0; i < sizeof left_out / sizeof *left_out; ++i) {
    far_agent *agent = agent_of(left_out[i], mdp);
    CHECK(!far__vectors_take(agent));
    far_agent_free(agent);
  }
  far_agent *agent = agent_of("q-learning", wide);
  CHECK(!far__vectors_take(agent));
  far_agent_free(agent);
  far_mdp_free(wide);
  far_mdp_free(mdp);
}

/* Pairs of one outcome and of two: as many as a power of 2, but not all alike. */
static void test_uneven(const far__vectors *vectors) {
  far_mdp_builder *b;
  far_mdp *mdp;
  CHECK(far_mdp_builder_create(&b, 3, 2, NULL) == FAR_OK);
  for (uint32_t s = 0; s < 3; ++s) {
    far_mdp_builder_outcome(b, s, 0, 1, (s + 1) % 3, 0.5, NULL);
    far_mdp_builder_outcome(b, s, 1, 0.25, s, 0.25, NULL);
    far_mdp_builder_outcome(b, s, 1, 0.75, (s + 2) % 3, s == 2, NULL);
  }
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  for (size_t a = 0; a < sizeof agents / sizeof *agents; ++a) {
    far_agent *agent = agent_of(agents[a], mdp);
    compare(vectors, mdp, agent, vectors->width);
    far_agent_free(agent);
  }
  far_mdp_free(mdp);
}

/* The widest registers come first. */
static void test_best(void) {
#if defined(__x86_64__)
  const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl");
  if (wide && far__vectors_avx512.width > 0) CHECK(far__vectors_at(0) == &far__vectors_avx512);
#endif
  for (size_t i = 0; far__vectors_at(i) != NULL; ++i)
    for (size_t k = 0; k < i; ++k) CHECK(far__vectors_at(k) != far__vectors_at(i));
}

int main(void) {
  test_taken();
  test_best();
  for (size_t i = 0; far__vectors_at(i) != NULL; ++i) {
    test_bits(far__vectors_at(i));
    test_uneven(far__vectors_at(i));
    test_clocks(far__vectors_at(i));
  }
  if (far__vectors_at(0) == NULL) printf("skipped: no vectors of this processor are built\n");
  return check_report();
}
