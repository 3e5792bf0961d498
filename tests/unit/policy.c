/* far_agent_policy against what act really does, for every agent (or the one that is the program's
 * argument) and every word of its choices. */
#include <farsight/farsight.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "horizons.h"
#include "worlds.h"

enum { S = 5, A = 3, STEPS = 400, DRAWS = 3000 };

/* Lets the agent live in a random world. The last step is cut: an agent that chooses the next action in
 * `observe` has then none in store, and acts by its rule in every state. */
static void live(far_agent *agent, const far_mdp *mdp) {
  far_rng rng;
  far_rng_init(&rng, 3, 0, FAR_PURPOSE_TRANSITION);
  uint32_t s = 0;
  for (int t = 0; t < STEPS; ++t) {
    const uint32_t a = far_agent_act(agent, s);
    const far_outcome *o = far_mdp_step(mdp, s, a, &rng);
    far_agent_observe(agent, &(far_transition){s, a, o->reward, o->next, o->done, t == STEPS - 1},
                      NULL);
    s = o->next;
  }
}

/* Frequencies within five standard deviations (and a little for the rare). */
static void compare(far_agent *agent, const char *spec, uint32_t s, const double *p) {
  int count[A] = {0};
  double sum = 0;
  for (int i = 0; i < DRAWS; ++i) count[far_agent_act(agent, s)] += 1;
  for (int a = 0; a < A; ++a) {
    const double expected = DRAWS * p[a], sd = sqrt(DRAWS * p[a] * (1 - p[a]));
    const bool good =
        p[a] >= 0 && fabs(count[a] - expected) <= 5 * sd + (p[a] > 0 && p[a] < 1 ? 3 : 0);
    CHECK(good);
    if (!good)
      printf(
          "  %s, state %u, action %d: taken in %d of %d calls of act, %g expected by its policy\n"
          "  hook. Mend the hook; or, if the agent chooses actions ahead in observe, let it "
          "forget\n"
          "  them where a step is cut\n",
          spec, s, a, count[a], DRAWS, expected);
    sum += p[a];
  }
  CHECK(fabs(sum - 1) < 1e-12);
  if (fabs(sum - 1) >= 1e-12)
    printf("  %s, state %u: the probabilities sum to %.17g\n", spec, s, sum);
}

/* Those whose policy has no closed form, by their nature: parts of canonical specs. */
static const char *const SAMPLING[] = {"choice=sampling"};

static bool samples(const far_agent *agent) {
  bool found = false;
  for (size_t i = 0; i < sizeof SAMPLING / sizeof *SAMPLING; ++i)
    found |= strstr(far_agent_spec(agent), SAMPLING[i]) != NULL;
  return found;
}

/* 1 if the spec is one, and has a policy in closed form. */
static int check_spec(const char *spec, const far_mdp *mdp) {
  far_agent *agent;
  double p[A];
  const far_shape shape = shape_for(spec, far_mdp_shape(mdp));
  const far_status status = needs_horizon(spec)
                                ? far_agent_create(&agent, spec, &shape, 1, 0, NULL)
                                : far_agent_create_on(&agent, spec, mdp, 0, 1, 0, NULL);
  if (status != FAR_OK) return 0;
  live(agent, mdp);
  int told = 0;
  for (uint32_t s = 0; s < S; ++s) {
    if (!far_agent_policy(agent, s, p)) continue;
    told = 1;
    compare(agent, spec, s, p);
  }
  CHECK(!far_agent_policy(agent, S, p));
  const bool good = told || samples(agent);
  CHECK(good);
  if (!good)
    printf(
        "  %s has no policy in closed form: if that is so by its nature, name it in SAMPLING in\n"
        "  tests/unit/policy.c\n",
        spec);
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

int main(int argc, char **argv) {
  far_mdp *mdp = random_world(8, S, A, 3);
  const far_type_info *type;
  int n_types = 0, n_told = 0;
  for (size_t i = 0; (type = far_agent_type(i)) != NULL; ++i) {
    if (argc > 1 && strcmp(argv[1], type->name) != 0) continue;
    n_types += 1;
    n_told += check_type(type, mdp);
  }
  CHECK(n_types > 0 && (argc > 1 || n_told > 60));
  if (n_types == 0) printf("  there is no agent %s\n", argc > 1 ? argv[1] : "");
  far_mdp_free(mdp);
  test_params();
  return check_report();
}
