/* far_agent_policy against what act really does, for every agent and every word of its choices. */
#include <farsight/farsight.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "worlds.h"

enum { S = 5, A = 3, STEPS = 400, DRAWS = 3000 };

/* Lets the agent live in a random world; the state it is left in. */
static uint32_t live(far_agent *agent, const far_mdp *mdp) {
  far_rng rng;
  far_rng_init(&rng, 3, 0, FAR_PURPOSE_TRANSITION);
  uint32_t s = 0;
  for (int t = 0; t < STEPS; ++t) {
    const uint32_t a = far_agent_act(agent, s);
    const far_outcome *o = far_mdp_step(mdp, s, a, &rng);
    far_agent_observe(agent, &(far_transition){s, a, o->reward, o->next, o->done, false}, NULL);
    s = o->next;
  }
  return s;
}

/* Frequencies within five standard deviations (and a little for the rare). */
static void compare(far_agent *agent, uint32_t s, const double *p) {
  int count[A] = {0};
  double sum = 0;
  for (int i = 0; i < DRAWS; ++i) count[far_agent_act(agent, s)] += 1;
  for (int a = 0; a < A; ++a) {
    const double expected = DRAWS * p[a], sd = sqrt(DRAWS * p[a] * (1 - p[a]));
    CHECK(p[a] >= 0 && fabs(count[a] - expected) <= 5 * sd + (p[a] > 0 && p[a] < 1 ? 3 : 0));
    sum += p[a];
  }
  CHECK(fabs(sum - 1) < 1e-12);
}

/* 1 if the spec is one, and has a policy in closed form. */
static int check_spec(const char *spec, const far_mdp *mdp) {
  far_agent *agent;
  double p[A];
  if (far_agent_create_on(&agent, spec, mdp, 1, 0, NULL) != FAR_OK) return 0;
  const uint32_t now = live(agent, mdp);
  int told = 0;
  for (uint32_t s = 0; s < S; ++s) {
    if (!far_agent_policy(agent, s, p)) continue;
    told = 1;
    /* dora has chosen its next action already */
    if (s != now || strncmp(spec, "dora", 4) != 0) compare(agent, s, p);
  }
  CHECK(!far_agent_policy(agent, S, p));
  const bool samples = strstr(far_agent_spec(agent), "choice=sampling") != NULL;
  CHECK(told || samples);
  if (!told && !samples)
    printf("  %s has no policy in closed form: if that is so by its nature, name it here\n", spec);
  far_agent_free(agent);
  return told;
}

/* All words of all choices, one at a time. */
static int check_type(const far_type_info *info, const far_mdp *mdp) {
  char spec[256];
  int n = check_spec(info->name, mdp);
  for (size_t i = 0; i < info->n_params; ++i) {
    const far_param *p = &info->params[i];
    if (p->kind != FAR_PARAM_CHOICE || strcmp(p->name, "preset") == 0) continue;
    for (const char *word = p->choices; *word != '\0';) {
      const int length = (int)strcspn(word, "|");
      snprintf(spec, sizeof spec, "%s:%s=%.*s", info->name, p->name, length, word);
      n += check_spec(spec, mdp);
      word += length + (word[length] == '|');
    }
  }
  return n;
}

static void test_params(void) {
  const far_shape shape = far_shape_default(2, 2);
  far_agent *agent;
  double x;
  CHECK(far_agent_create(&agent, "r-max:gamma=0.875,m=7", &shape, 1, 0, NULL) == FAR_OK);
  CHECK(far_agent_param(agent, "gamma", &x) && x == 0.875);
  CHECK(far_agent_param(agent, "m", &x) && x == 7);
  CHECK(!far_agent_param(agent, "ties", &x)); /* a word */
  CHECK(!far_agent_param(agent, "lambda", &x));
  far_agent_free(agent);
}

int main(void) {
  far_mdp *mdp = random_world(8, S, A, 3);
  int n = 0;
  for (size_t i = 0; far_agent_type(i) != NULL; ++i) n += check_type(far_agent_type(i), mdp);
  CHECK(n > 60);
  far_mdp_free(mdp);
  test_params();
  return check_report();
}
