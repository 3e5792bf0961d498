/* What the suites that every agent must pass share: the specs to try, worlds with dyadic numbers, a
 * walk through them, and the comparison of two agents to the last bit. */
#ifndef FARSIGHT_TESTS_SUITE_H
#define FARSIGHT_TESTS_SUITE_H

#include <farsight/farsight.h>
#include <stdlib.h>

#include "agents/agent.h"
#include "check.h"
#include "horizons.h"

/* ---- specs: the default, every word of every choice, and some that get far in few steps ---- */

enum { SPEC_SIZE = 256 };

typedef void spec_fn(const far_type_info *type, const char *spec);

static const far_shape SUITE_SHAPE = {.n_states = 6,
                                      .n_actions = 3,
                                      .reward_min = -1,
                                      .reward_max = 1,
                                      .episodic = true,
                                      .absent = NULL,
                                      .horizon = 0};

static bool accepted(const char *spec) {
  const far_shape shape = shape_for(spec, SUITE_SHAPE);
  return far_agent_check(spec, &shape, NULL, NULL, NULL) == FAR_OK;
}

/* The word that `at` points to, as key=word; the next word, or NULL behind the last. */
static const char *take_word(char *out, const char *key, const char *at) {
  const int length = (int)strcspn(at, "|");
  snprintf(out, SPEC_SIZE / 4, "%s=%.*s", key, length, at);
  return at[length] == '|' ? at + length + 1 : NULL;
}

/* key=word with any one word of another choice, for those that do not go alone. */
static bool accepted_with_another(char *spec, const far_type_info *type, const char *setting) {
  char other[SPEC_SIZE / 4];
  for (size_t i = 0; i < type->n_params; ++i) {
    if (type->params[i].kind != FAR_PARAM_CHOICE) continue;
    for (const char *at = type->params[i].choices; at != NULL;) {
      at = take_word(other, type->params[i].name, at);
      snprintf(spec, SPEC_SIZE, "%s:%s,%s", type->name, other, setting);
      if (accepted(spec)) return true;
    }
  }
  return false;
}

/* The spec with one setting more, unless it has that key already or has no use for it. */
static void with_setting(char *out, const char *spec, const char *key, const char *word) {
  char pattern[SPEC_SIZE / 4];
  snprintf(pattern, sizeof pattern, "%s=", key);
  const char mark = strchr(spec, ':') != NULL ? ',' : ':';
  const int length = snprintf(out, SPEC_SIZE, "%s%c%s=%s", spec, mark, key, word);
  if (length >= SPEC_SIZE || strstr(spec, pattern) != NULL || !accepted(out))
    snprintf(out, SPEC_SIZE, "%s", spec);
}

/* A choice is tried with short samples; the default and QUICK have others. */
static void each_choice(const far_type_info *type, const far_param *param, spec_fn *test) {
  char setting[SPEC_SIZE / 4], spec[SPEC_SIZE], quick[SPEC_SIZE];
  for (const char *at = param->choices; at != NULL;) {
    at = take_word(setting, param->name, at);
    snprintf(spec, sizeof spec, "%s:%s", type->name, setting);
    const bool good = accepted(spec) || accepted_with_another(spec, type, setting);
    CHECK(good);
    if (!good) printf("  %s with %s is never accepted\n", type->name, setting);
    if (!good) continue;
    with_setting(quick, spec, "draws", "3");
    test(type, quick);
  }
}

/* Small windows, batches and delays, so that a few hundred steps pass through all of the code. */
static const char *const QUICK[] = {
    "directed-delayed-q:m=2,eps1=0.03125",
    "directed-delayed-q:m=2,eps1=0.03125,clamp=off,delay=full",
    "directed-delayed-q:m=2,eps1=0.03125,e_rule=visit,bonus=sqrt,alpha_e=0.125",
    "directed-delayed-q:m=2,threshold=0.03125",
    "delayed-q:m=2,eps1=0.03125",
    "delayed-q:m=2,eps1=0.03125,form=2006",
    "delayed-q-ie:m=3,eps1=0.03125",
    "q-learning:q0=8,epsilon=0",
    "q-learning:decay=linear,decay_steps=100",
    "r-max:m=2",
    "r-max:m=2,plan=rtdp",
    "v-max:m=3",
    "mbie:m=5,replan=1",
    "mbie-eb:m=20,replan=1",
    "beb:prior=2,replan=1",
    "beb:preset=theory",
    "oim:replan=1,ve=4",
    "mormax:m=2",
    "mormax:m=1,eps1=0",
    "e3:m=2,horizon=5",
    "e3:m=1,freeze=on,theta=0.5",
    "e3:m=1,theta=0,horizon=6", /* explores for ever */
    "ucrl2:scale=0.01",
    "ucrl2b:scale=0.005",
    "kl-ucrl:scale=0.001,scale_r=0",
    "imed-rl:tol=0.00001,ties=lowest",
    "ucrl3:scale=0.005,kappa=1",
    "ucrl-gamma:delay=3,batch=2",
    "ucbvi-gamma:u=0.001,b=0.5",
    "psrl:prior=0",
    "psrl:prior=40,resample=fixed,tau=1",
    "psrl:resample=tsde,ties=lowest",
    "rlsvi:resample=fixed,tau=1,ties=highest",
    "count-q:place=choice,decay=linear",
    "dora:gamma_e=0",
    "dora:rule=epsilon,place=choice",
    "dora:rule=softmax,place=target",
    "ucb-q:c=0.01",
    "speedy-q:form=round,epsilon=1",
    "bayes-q:choice=vpi,update=point",
    "ucb-h:preset=theory,ties=lowest",
    "ucb-b:c1=0.5,tail=2,log=on,delta=0.25",
    "ucbmq:c=0",
    "rand-ql:form=staged,ensemble=2,r0=2",
    "rand-ql:ensemble=3,falls=on,kappa=2,prior=0.5",
    "q-advantage:c=0,tail=0,settle=0.75",
    "ucbvi:preset=theory,scale=0.02,constants=2017",
    "ucbvi:stages=apart,replan=1.5,scale=0.01",
    "mvp:samples=latest,stages=apart,scale=0.0005",
    "ubev:stages=apart,replan=2,scale=0.02",
    "orlc:stages=apart,correction=0,replan=1.5",
    "bpi-ucbvi:scale=0.0001",
    "bpi-ucbvi:scale=0.001,stages=apart,ties=lowest",
    "psrl-episodic:prior=0",
    "psrl-episodic:prior=40,stages=apart",
    "rf-express:scale=0.0005",
    "rf-ucrl:scale=0.0001,ties=highest",
    "bayes-ucbvi:draws=3,kappa=1,r0=2",
};

/* Of all agents; a name as the program's argument: of that one only. */
static void each_spec(spec_fn *test, int argc, char **argv) {
  const far_type_info *type;
  size_t n = 0;
  for (size_t i = 0; (type = far_agent_type(i)) != NULL; ++i) {
    const size_t length = strlen(type->name);
    if (argc > 1 && strcmp(argv[1], type->name) != 0) continue;
    n += 1;
    test(type, type->name);
    for (size_t k = 0; k < type->n_params; ++k)
      if (type->params[k].kind == FAR_PARAM_CHOICE) each_choice(type, &type->params[k], test);
    for (size_t k = 0; k < sizeof QUICK / sizeof *QUICK; ++k)
      if (strncmp(QUICK[k], type->name, length) == 0 && QUICK[k][length] == ':')
        test(type, QUICK[k]);
  }
  CHECK(n > 0);
  if (n == 0) printf("  there is no agent %s\n", argc > 1 ? argv[1] : "");
}

/* Where a check of an agent fails, its spec is worth more than the line. */
static inline void check_agent(bool good, const char *spec, const char *what) {
  check_that(good, __FILE__, __LINE__, what);
  if (!good) printf("  %s\n", spec);
}

/* ---- worlds ---- */

enum { WORLD_STATES = 6, WORLD_ACTIONS = 3 };

/* Three likely outcomes a pair; rewards are multiples of 1/16 in [-1, 1], times scale, plus shift:
 * exact in all sums. Every eighth outcome ends the episode where there are ends. */
static inline far_mdp *dyadic_world(bool ends, double scale, double shift) {
  far_rng rng;
  far_mdp_builder *b;
  far_mdp *mdp = NULL;
  far_rng_init(&rng, 7, 0, FAR_PURPOSE_SEARCH);
  far_mdp_builder_create(&b, WORLD_STATES, WORLD_ACTIONS, NULL);
  for (uint32_t s = 0; s < WORLD_STATES - (ends ? 1 : 0); ++s)
    for (uint32_t a = 0; a < WORLD_ACTIONS; ++a)
      for (uint32_t k = 0; k < 3; ++k) {
        const double r = (double)far_rng_below(&rng, 33) / 16 - 1;
        const uint32_t drawn = far_rng_below(&rng, 8 * (WORLD_STATES - 1));
        const uint32_t next =
            ends && drawn < WORLD_STATES - 1 ? WORLD_STATES - 1 : drawn % (WORLD_STATES - 1);
        far_mdp_builder_outcome(b, s, a, k == 0 ? 0.5 : 0.25, next, r * scale + shift, NULL);
      }
  if (ends) far_mdp_builder_terminal(b, WORLD_STATES - 1, NULL);
  far_mdp_builder_range(b, -scale + shift, scale + shift, NULL);
  far_mdp_builder_start(b, 0, 0.5, NULL);
  far_mdp_builder_start(b, 3, 0.5, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

/* ---- walks ---- */

typedef struct walk {
  const far_mdp *mdp;
  far_rng transition, start;
  uint32_t s;
  int t;
  bool ended; /* was the last step a true end? */
} walk;

static inline walk begin_walk(const far_mdp *mdp, uint64_t seed) {
  walk w = {.mdp = mdp};
  far_rng_init(&w.transition, seed, 0, FAR_PURPOSE_TRANSITION);
  far_rng_init(&w.start, seed, 0, FAR_PURPOSE_START);
  w.s = far_mdp_start(mdp, &w.start);
  return w;
}

/* What comes of action a. Every 37th step is cut off: a new start without an end. */
static inline far_transition go(walk *w, uint32_t a) {
  const far_outcome *o = far_mdp_step(w->mdp, w->s, a, &w->transition);
  const far_transition step = {w->s, a, o->reward, o->next, o->done, false};
  w->ended = o->done;
  w->t += 1;
  w->s = o->done || w->t % 37 == 0 ? far_mdp_start(w->mdp, &w->start) : o->next;
  return step;
}

static inline uint32_t walk_step(walk *w, far_agent *agent) {
  const uint32_t a = far_agent_act(agent, w->s);
  CHECK(a < far_agent_shape(agent)->n_actions);
  const far_transition step = go(w, a);
  CHECK(far_agent_observe(agent, &step, NULL) == FAR_OK);
  return a;
}

static inline void walk_steps(walk *w, far_agent *agent, int steps) {
  while (steps-- > 0) walk_step(w, agent);
}

static inline void check_begun(far_status status, const char *spec, const far_error *error) {
  CHECK(status == FAR_OK);
  if (status == FAR_OK) return;
  printf("  %s: %s\n", spec, error->message);
  exit(1);
}

/* Not for those that peek, which need a model. One that needs a horizon is given one: to it every so
 * many steps are an episode, wherever they lead. */
static inline far_agent *begin_agent(const char *spec, const far_shape *given, uint64_t seed) {
  far_agent *agent;
  far_error error = {0};
  const far_shape shape = shape_for(spec, *given);
  check_begun(far_agent_create(&agent, spec, &shape, seed, 0, &error), spec, &error);
  return agent;
}

static inline far_agent *begin_in(const far_mdp *mdp, const char *spec, uint64_t seed) {
  far_agent *agent;
  far_error error = {0};
  const far_shape shape = far_mdp_shape(mdp);
  if (needs_horizon(spec)) return begin_agent(spec, &shape, seed);
  check_begun(far_agent_create_on(&agent, spec, mdp, 0, seed, 0, &error), spec, &error);
  return agent;
}

/* ---- comparing ---- */

/* Have two agents of one spec learned the same, to the last bit? */
static inline bool same_state(const far_agent *x, const far_agent *y) {
  const far__agent_type *type = far__agent_type_of(x);
  if (type != far__agent_type_of(y) || x->t != y->t || x->h != y->h) return false;
  if (x->state_size != y->state_size || x->pool_used != y->pool_used) return false;
  const size_t size = x->state_size + x->pool_used * 8;
  return memcmp(x->block + x->state_offset, y->block + y->state_offset, size) == 0;
}

static inline bool same_stream(const far_agent *x, const far_agent *y) {
  return memcmp(&x->rng, &y->rng, sizeof x->rng) == 0;
}

static inline bool same_agent(const far_agent *x, const far_agent *y) {
  return same_state(x, y) && same_stream(x, y);
}

#endif
