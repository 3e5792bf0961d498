/* The audit of agents that plan for a horizon: every claim on states made by hand, then real runs that must
 * keep their claims and runs that must not. */
#include <farsight/farsight.h>
#include <stdlib.h>
#include <string.h>

#include "agents/episodic.h"
#include "check.h"
#include "theory/audit/claims.h"

/* ---- states made by hand ---- */

/* One state, two actions worth 1/2 and 0 a step, episodes of two steps, rewards in [0, 1]: Q* = 1 and 1/2 at the
 * first step, 1/2 and 0 at the second. */
typedef struct hand {
  far_mdp *mdp;
  far_agent *agent;
  far_solver *solver;
  far__truth truth;
  double q[4], v[2];
  const far__checker *checker;
  far__watch *watch;
  double *words;
} hand;

static void hand_begin(hand *h, const char *spec) {
  far_mdp_builder *b;
  *h = (hand){.q = {1, 0.5, 0.5, 0}, .v = {1, 0.5}};
  far_mdp_builder_create(&b, 1, 2, NULL);
  far_mdp_builder_outcome(b, 0, 0, 1, 0, 0.5, NULL);
  far_mdp_builder_outcome(b, 0, 1, 1, 0, 0, NULL);
  far_mdp_builder_range(b, 0, 1, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  far_mdp_builder_horizon(b, 2, NULL);
  CHECK(far_mdp_builder_finish(&h->mdp, b, NULL) == FAR_OK);
  const far_shape shape = far_mdp_shape(h->mdp);
  CHECK(far_agent_create(&h->agent, spec, &shape, 1, 0, NULL) == FAR_OK);
  h->truth = (far__truth){.mdp = h->mdp,
                          .n_states = 1,
                          .n_actions = 2,
                          .n_pairs = 2,
                          .range = 1,
                          .v_max = 2,
                          .horizon = 2,
                          .q = h->q,
                          .v = h->v,
                          .rounding = 1e-9};
  h->checker = far__checker_of(h->agent->type);
  h->watch = calloc(1, h->checker->size);
  h->words = calloc(h->checker->words(&h->truth), sizeof *h->words);
  h->watch->truth = &h->truth;
  for (int k = 0; k < FAR__CLAIM_COUNT; ++k)
    h->watch->found.claim[k].worst = h->watch->found.claim[k].bound = NAN;
  h->checker->begin(h->watch, h->agent, h->words);
}

static void hand_free(hand *h) {
  free(h->watch);
  free(h->words);
  far_agent_free(h->agent);
  far_mdp_free(h->mdp);
}

/* An episode that ends with these values, as if the agent had come to them. */
static void hand_show(hand *h, const double q[4]) {
  memcpy(episodic_of(h->agent).q, q, 4 * sizeof *q);
  h->agent->t += 2;
  h->watch->t = h->agent->t;
  h->checker->step(h->watch, h->agent, &(far_transition){0, 0, 0.5, 0, false, false});
  h->checker->step(h->watch, h->agent, &(far_transition){0, 0, 0.5, 0, false, true});
}

static far__claim_findings after(const char *spec, const double q[4]) {
  hand h;
  hand_begin(&h, spec);
  hand_show(&h, q);
  const far__claim_findings found = h.watch->found;
  hand_free(&h);
  return found;
}

#define VIOLATED(f, id) ((f).claim[FAR__CLAIM_##id].violated)
#define CHECKED(f, id) ((f).claim[FAR__CLAIM_##id].checked)

static void test_values(void) {
  far__claim_findings f = after("ucbvi", (const double[]){1.25, 1, 0.75, 0.5});
  CHECK(CHECKED(f, STEP_OPTIMISM) == 8 && CHECKED(f, STEP_BOUNDED) == 8); /* two episodes begin */
  CHECK(CHECKED(f, STEP_FALLS) == 4 && CHECKED(f, CERTIFICATE) == 0);
  for (int k = 0; k < FAR__CLAIM_COUNT; ++k) CHECK(f.claim[k].violated == 0);
  CHECK(f.fact[FAR__FACT_EPISODES] == 2);

  f = after("ucbvi", (const double[]){1.25, 1, 0.375, 0.5}); /* the last step, below 1/2 */
  CHECK(VIOLATED(f, STEP_OPTIMISM) == 1 && VIOLATED(f, STEP_BOUNDED) == 0);
  const far_violation *first = &f.claim[FAR__CLAIM_STEP_OPTIMISM].first;
  CHECK(first->t == 2 && first->s == 0 && first->a == 0);
  CHECK_NEAR(first->value, 0.125, 1e-12);
  CHECK_TEXT(first->values[0].name, "step");
  CHECK(first->values[0].value == 1 && first->values[2].value == 0.5);

  f = after("mvp", (const double[]){1.25, 1, 1.5, 0.5}); /* above what one step can earn */
  CHECK(VIOLATED(f, STEP_BOUNDED) == 1 && VIOLATED(f, STEP_OPTIMISM) == 0);
  CHECK(CHECKED(f, STEP_FALLS) == 0);
}

static void test_rise(void) {
  hand h;
  hand_begin(&h, "ucbvi");
  hand_show(&h, (const double[]){1.25, 1, 0.75, 0.5});
  hand_show(&h, (const double[]){1.25, 1.125, 0.75, 0.5});
  CHECK(VIOLATED(h.watch->found, STEP_FALLS) == 1);
  CHECK(h.watch->found.claim[FAR__CLAIM_STEP_FALLS].first.t == 4);
  hand_free(&h);
}

/* The lower bounds of the first step follow the values in orlc's own words. The policy is greedy: with these
 * values it takes the action worth 0 at the first step and loses 1/2. */
static void test_certificate(void) {
  static const double q[] = {1.25, 1.5, 0.75, 0.5};
  hand h;
  hand_begin(&h, "orlc:ties=lowest");
  episodic e = episodic_of(h.agent);
  CHECK(CHECKED(h.watch->found, CERTIFICATE) == 0);
  e.seen[0] = 1;
  e.v[0] = 1.5;
  e.own[0] = 1; /* a certificate of 1/2: just right */
  hand_show(&h, q);
  CHECK(CHECKED(h.watch->found, CERTIFICATE) == 1 && VIOLATED(h.watch->found, CERTIFICATE) == 0);
  e.own[0] = 1.125;
  hand_show(&h, q);
  CHECK(VIOLATED(h.watch->found, CERTIFICATE) == 1);
  CHECK_NEAR(h.watch->found.claim[FAR__CLAIM_CERTIFICATE].worst, 0.5, 1e-12);
  CHECK_NEAR(h.watch->found.claim[FAR__CLAIM_CERTIFICATE].bound, 0.375, 1e-12);
  e.own[0] = NAN; /* no certificate where there was one */
  hand_show(&h, q);
  CHECK(VIOLATED(h.watch->found, CERTIFICATE) == 2);
  CHECK(h.watch->found.fact[FAR__FACT_LOSS_4] == 0); /* 1/2 is a quarter of 2, not more */
  CHECK(h.watch->found.fact[FAR__FACT_LOSS_16] == 3);
  hand_free(&h);
}

/* ---- real runs ---- */

static far_audit *audit(const char *env, const char *agent, int64_t steps, int64_t runs) {
  far_audit_def def = far_audit_def_default();
  far_audit *out = NULL;
  far_mdp *mdp;
  far_error error = {0};
  CHECK(far_mdp_create(&mdp, env, NULL) == FAR_OK);
  def.mdp = mdp;
  def.agent = agent;
  def.steps = steps;
  def.runs = runs;
  CHECK(far_audit_run(&out, &def, &error) == FAR_OK);
  CHECK_TEXT(error.message, "");
  far_mdp_free(mdp);
  return out;
}

static far_verdict verdict(const far_audit *a, const char *name) {
  for (size_t i = 0; i < a->n_claims; ++i)
    if (strcmp(a->claims[i].name, name) == 0) return a->claims[i].verdict;
  CHECK(false);
  return FAR_VERDICT_UNTESTED;
}

static void test_kept(const char *env, const char *agent) {
  far_audit *a = audit(env, agent, 2000, 5);
  for (size_t i = 0; i < a->n_claims; ++i) CHECK(a->claims[i].verdict == FAR_VERDICT_KEPT);
  far_audit_free(a);
}

static void test_broken(const char *agent, const char *name) {
  far_audit *a = audit("riverswim:n=4,form=2013,horizon=8", agent, 4000, 20);
  CHECK(verdict(a, name) == FAR_VERDICT_VIOLATED);
  if (verdict(a, name) != FAR_VERDICT_VIOLATED) printf("  %s of %s\n", name, agent);
  far_audit_free(a);
}

int main(void) {
  static const char *const all[] = {
      "ucbvi", "ucbvi:bonus=hoeffding", "mvp", "ubev", "orlc", "ucb-h", "ucb-b", "q-advantage"};
  test_values();
  test_rise();
  test_certificate();
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    char spec[96];
    snprintf(spec, sizeof spec, "%s%cpreset=theory", all[i], strchr(all[i], ':') ? ',' : ':');
    test_kept("riverswim:n=4,form=2013,horizon=8", spec);
    test_kept("frozen-lake:hole=0.25,horizon=6", spec); /* episodes that end, absent states */
  }
  test_kept("riverswim:n=4,form=2013,horizon=8", "orlc:preset=theory,correction=0.01");
  test_broken("ucbvi:scale=0", "optimism");
  test_broken("ubev:scale=0", "optimism");
  test_broken("ucb-h:c=0", "optimism");
  test_broken("orlc:scale=0,correction=0", "certificate");
  return check_report();
}
