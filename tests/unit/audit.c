/* The audit: every claim's check on states made by hand, then real runs that must keep their claims
 * and runs that must not. */
#include <farsight/farsight.h>
#include <stdlib.h>

#include "agents/delayed.h"
#include "base/number.h"
#include "check.h"
#include "theory/audit/claims.h"
#include "worlds.h"

/* ---- checks on states made by hand ---- */

/* One action, reward 0.5 for ever, range [0, 1]; gamma 0.5: Q* = 1, Vmax = 2. One state, or two
 * between which a coin decides. */
typedef struct hand {
  far_mdp *mdp;
  far_agent *agent;
  double reward[2], q[2], v[3];
  far__truth truth;
  const far__checker *checker;
  far__watch *watch;
  double *words;
} hand;

static hand hand_create(const char *spec, uint32_t n_states) {
  far_mdp_builder *b;
  hand h = {.reward = {0.5, 0.5}, .q = {1, 1}, .v = {1, 1, 0}};
  far_mdp_builder_create(&b, n_states, 1, NULL);
  for (uint32_t s = 0; s < n_states; ++s)
    for (uint32_t next = 0; next < n_states; ++next)
      far_mdp_builder_outcome(b, s, 0, 1.0 / n_states, next, 0.5, NULL);
  far_mdp_builder_range(b, 0, 1, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&h.mdp, b, NULL) == FAR_OK);
  const far_shape shape = far_mdp_shape(h.mdp);
  CHECK(far_agent_create(&h.agent, spec, &shape, 1, 0, NULL) == FAR_OK);
  h.truth = (far__truth){.mdp = h.mdp,
                         .n_states = n_states,
                         .n_actions = 1,
                         .n_pairs = n_states,
                         .gamma = 0.5,
                         .range = 1,
                         .v_max = 2,
                         .gain = 0.5,
                         .rounding = 1e-9};
  h.checker = far__checker_of(h.agent->type);
  h.watch = calloc(1, h.checker->size);
  h.words = calloc(h.checker->words(&h.truth), sizeof *h.words);
  return h;
}

/* The pointers lead into the caller's struct, so it begins there. */
static void hand_begin(hand *h) {
  h->truth.reward = h->reward;
  h->truth.q = h->q;
  h->truth.v = h->v;
  h->watch->truth = &h->truth;
  h->watch->every = 1000;
  h->watch->found = (far__claim_findings){0};
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

/* Shows a step; what the agent made of it, the caller has written into its state. */
static void hand_show(hand *h, double r) {
  h->watch->t = h->agent->t;
  h->checker->step(h->watch, h->agent, &(far_transition){0, 0, r, 0, false, false});
}

static int64_t violations(const hand *h, far__claim_id id) {
  return h->watch->found.claim[id].violated;
}

#define DIRECTED                                                                                   \
  "directed-delayed-q:gamma=0.5,eps1=0.1,m=4,lambda=0.2,eta=0.9,e0=0.9,gamma_e=0.9,rho=0.1"

/* An update to these numbers, which succeeds whatever they are. */
static far__claim_findings after_update(double q, double bonus, double e) {
  hand h = hand_create(DIRECTED, 1);
  hand_begin(&h);
  delayed_view v = delayed_view_of(h.agent);
  *delayed_at(&v, DELAYED_Q, 0) = q;
  *delayed_at(&v, DELAYED_BONUS, 0) = bonus;
  *delayed_at(&v, DELAYED_E, 0) = e;
  h.agent->t = v.state->last_success = 1;
  hand_show(&h, 0.5);
  const far__claim_findings found = h.watch->found;
  hand_free(&h);
  return found;
}

static void test_updates_by_hand(void) {
#define VIOLATED(f, id) ((f).claim[FAR__CLAIM_##id].violated == 1)
  far__claim_findings f = after_update(1.7, 0.2, 0.81); /* a good one */
  CHECK(f.claim[FAR__CLAIM_PROGRESS].checked == 1 && f.claim[FAR__CLAIM_UPDATES].checked == 1);
  for (int k = 0; k < FAR__CLAIM_COUNT; ++k) CHECK(f.claim[k].violated == 0);
  CHECK(f.fact[FAR__FACT_SUCCESSES] == 1 && f.fact[FAR__FACT_WINDOWS] == 1);

  f = after_update(0.99, 0.2, 0.81); /* below Q* = 1 */
  CHECK(VIOLATED(f, OPTIMISM) && f.claim[FAR__CLAIM_BOUNDED].violated == 0);
  CHECK_NEAR(f.claim[FAR__CLAIM_OPTIMISM].worst, 0.01, 1e-12);
  CHECK(f.claim[FAR__CLAIM_OPTIMISM].first.t == 1);
  CHECK_TEXT(f.claim[FAR__CLAIM_OPTIMISM].first.values[1].name, "q_star");
  CHECK_NEAR(f.claim[FAR__CLAIM_OPTIMISM].first.values[1].value, 1, 1e-12);

  f = after_update(2.05, 0, 0.81); /* Q rises, though Q + bonus falls by enough */
  CHECK(VIOLATED(f, Q_FALLS) && f.claim[FAR__CLAIM_PROGRESS].violated == 0);
  f = after_update(1.7, 0.2, 0.91);
  CHECK(VIOLATED(f, E_FALLS) && f.claim[FAR__CLAIM_Q_FALLS].violated == 0);
  f = after_update(1.95, 0.2, 0.81); /* falls by half of eps1 */
  CHECK(VIOLATED(f, PROGRESS) && f.claim[FAR__CLAIM_BOUNDED].violated == 0);
  f = after_update(2.1, 0.2, 0.81); /* above Vmax + lambda = 2.2 */
  CHECK(VIOLATED(f, BOUNDED));
#undef VIOLATED
}

/* kappa = 2.2 / 0.1: the twenty-third update is one too many. */
static void test_kappa_by_hand(void) {
  hand h = hand_create(DIRECTED, 1);
  hand_begin(&h);
  delayed_view v = delayed_view_of(h.agent);
  for (int k = 1; k <= 22; ++k) {
    h.agent->t = v.state->last_success = k;
    hand_show(&h, 0.5);
  }
  CHECK(violations(&h, FAR__CLAIM_UPDATES) == 0);
  h.agent->t = v.state->last_success = 23;
  hand_show(&h, 0.5);
  CHECK(violations(&h, FAR__CLAIM_UPDATES) == 1);
  hand_free(&h);
}

/* Q' = 2.2 and R + gamma V = 1.5: an error of 0.7, outside K = 0.4. Four samples without an update
 * violate A1; the pair must not be switched off then. At an error inside K both are fine. */
static void window_of_four(double q, int64_t expected) {
  hand h = hand_create(DIRECTED, 1);
  delayed_view v = delayed_view_of(h.agent);
  *delayed_at(&v, DELAYED_Q, 0) = q;
  hand_begin(&h);
  for (int k = 1; k <= 4; ++k) {
    h.agent->t = k;
    delayed_window_of(&v, v.kind, 0)->count = k < 4 ? 2 * k + 1 : 0;
    hand_show(&h, 0.5);
  }
  const int64_t *fact = h.watch->found.fact;
  CHECK(violations(&h, FAR__CLAIM_A1) == expected);
  CHECK(violations(&h, FAR__CLAIM_LEARN) == expected);
  CHECK(h.watch->found.claim[FAR__CLAIM_LEARN].checked == 1);
  CHECK(fact[FAR__FACT_WINDOWS] == 1 && fact[FAR__FACT_COMPLETED] == 1);
  CHECK(fact[FAR__FACT_WINDOWS_OUTSIDE] == expected && fact[FAR__FACT_SWITCHED_OFF] == 1);
  CHECK(fact[FAR__FACT_COMPLETED_OUTSIDE] == expected);
  CHECK(fact[FAR__FACT_VISITS_OUTSIDE] == 4 * expected);
  CHECK_NEAR(expected ? h.watch->found.claim[FAR__CLAIM_A1].worst : 0.7, 0.7, 1e-12);
  h.agent->t = 5;
  delayed_window_of(&v, v.kind, 0)->begun = 4; /* later than the last update: it stays off */
  h.checker->begin(h.watch, h.agent, h.words);
  hand_show(&h, 0.5);
  CHECK(fact[FAR__FACT_IGNORED] == 1 && fact[FAR__FACT_COMPLETED] == 1);
  hand_free(&h);
}

/* Escapes count visits outside K, against 2 m S A kappa = 2 * 4 * 22; accuracy is 0 where the one
 * pair is outside K, and Q' - Q* inside it. */
static void test_escapes_by_hand(void) {
  hand h = hand_create(DIRECTED, 1);
  hand_begin(&h);
  delayed_view v = delayed_view_of(h.agent);
  for (int k = 1; k <= 177; ++k) {
    h.agent->t = k;
    delayed_window_of(&v, v.kind, 0)->count = 3; /* n = 1, LEARN */
    hand_show(&h, 0.5);
  }
  CHECK(violations(&h, FAR__CLAIM_ESCAPES) == 1);
  CHECK(h.watch->found.claim[FAR__CLAIM_ESCAPES].first.t == 177);
  h.checker->end(h.watch, h.agent);
  CHECK_NEAR(h.watch->found.claim[FAR__CLAIM_ACCURACY].worst, 0, 1e-9);
  *delayed_at(&v, DELAYED_Q, 0) = 1.3;
  *delayed_at(&v, DELAYED_BONUS, 0) = 0.1;
  hand_begin(&h);
  h.checker->end(h.watch, h.agent);
  CHECK_NEAR(h.watch->found.claim[FAR__CLAIM_ACCURACY].worst, 1.4 - 1, 1e-8);
  CHECK_NEAR(h.watch->found.claim[FAR__CLAIM_ACCURACY].bound, 0.8, 1e-12);
  hand_free(&h);
}

/* An agent that is told lies: a reward other than 0.5, or that the coin always falls on 0. */
static far__claim_findings told_of(uint32_t n_states, const char *spec, double r, int times) {
  hand h = hand_create(spec, n_states);
  hand_begin(&h);
  for (int k = 0; k < times; ++k) {
    CHECK(far_agent_observe(h.agent, &(far_transition){0, 0, r, 0, false, false}, NULL) == FAR_OK);
    hand_show(&h, r);
  }
  h.checker->end(h.watch, h.agent);
  const far__claim_findings found = h.watch->found;
  hand_free(&h);
  return found;
}

static far__claim_findings told(const char *spec, double r, int times) {
  return told_of(1, spec, r, times);
}

/* State 0 is said to follow always, which is off by 0.5 for either state, by 1 in the L1 norm. */
static void test_false_coin(void) {
  far__claim_findings f = told_of(2, "ucrl-gamma:gamma=0.5,l1=1", 0.5, 2);
  const far__claim_finding *box = &f.claim[FAR__CLAIM_SET_BOX]; /* widths 2/3 and, at n = 2, 1/3 */
  CHECK(box->checked == 4 && box->violated == 2 && box->first.t == 2);
  CHECK_NEAR(box->worst, 0.5, 1e-12);
  CHECK_NEAR(box->bound, 1.0 / 3, 1e-12);

  f = told_of(2, "mbie:gamma=0.5,b=1.2", 0.5, 2);
  const far__claim_finding *ball = &f.claim[FAR__CLAIM_SET_ROW]; /* 1.2 and 0.849 */
  CHECK(ball->checked == 2 && ball->violated == 1 && ball->first.t == 2);
  CHECK_NEAR(ball->worst, 1, 1e-12);
  CHECK_NEAR(ball->bound, 1.2 / sqrt(2), 1e-12);

  f = told_of(2, "ucrl2:scale=0.1", 0.5, 1);
  CHECK_NEAR(f.claim[FAR__CLAIM_SET_ROW].bound, 0.1 * sqrt(14 * 2 * log(2 * 2 / 0.1)), 1e-12);
  CHECK_NEAR(f.claim[FAR__CLAIM_SET_REWARD].bound, 0.1 * sqrt(3.5 * log(2 * 2 * 2 / 0.1)), 1e-12);

  f = told_of(2, "ucrl2b:scale=0.02", 0.5, 2); /* at n = 2: 6 ln(6 2 2/0.1)/2, 0.5 = p(1-p) is 0 */
  const far__claim_finding *around = &f.claim[FAR__CLAIM_SET_INTERVAL];
  CHECK(around->checked == 4 && around->violated == 2 && around->first.t == 2);
  CHECK_NEAR(around->bound, 0.02 * 3 * log(6 * 2 * 2 / 0.1), 1e-12);
  CHECK(f.claim[FAR__CLAIM_SET_REWARD].checked == 2 &&
        f.claim[FAR__CLAIM_SET_REWARD].violated == 0);
  CHECK(f.claim[FAR__CLAIM_GAIN].checked > 0 && f.claim[FAR__CLAIM_GAIN].violated == 0);
  f = told_of(2, "kl-ucrl:scale=0.1,scale_r=0.1", 0.5,
              4); /* ln 2 against C_P/n, t = 5 at the last */
  const far__claim_finding *ball_kl = &f.claim[FAR__CLAIM_SET_KL];
  const double b = log(2 * exp(1) * 4 * log(5) / 0.1), x = b + 1 / log(5);
  CHECK(ball_kl->checked == 4 && ball_kl->violated > 0);
  CHECK_NEAR(ball_kl->worst, log(2), 1e-12);
  CHECK_NEAR(ball_kl->bound, 0.1 * 2 * (b + log(x) * (1 + 1 / x)) / 4, 1e-12);
  CHECK_NEAR(f.claim[FAR__CLAIM_SET_REWARD].bound, 0.1 * sqrt(log(4 * 2 * log(5) / 0.1) / 1.99 / 4),
             1e-12);
  CHECK(f.claim[FAR__CLAIM_GAIN].checked > 0 && f.claim[FAR__CLAIM_GAIN].violated == 0);
  f = told_of(2, "ucrl3:scale=0.1", 0.5,
              4); /* x = 1/2 for f = 1 and for f = 0; g = 1/4 either way */
  const far__claim_finding *tight = &f.claim[FAR__CLAIM_SET_INTERVAL];
  const double risk = 0.1 / (3 * 2 * 3),
               l4 = 1.12 * log(log(4.48) * log(5.0176) / (log(1.12) * log(1.12) * risk));
  const double bernstein = sqrt(0.1 * l4 / 2 / 4) + 0.1 * l4 / 12;
  const double laplace = sqrt(0.5 * 1.25 * 0.1 * log(2 * sqrt(5) / risk) / 4);
  CHECK(tight->checked == 8 && tight->violated > 0);
  CHECK_NEAR(tight->worst, 0.5, 1e-12);
  CHECK_NEAR(tight->bound, fmin(bernstein, laplace), 1e-12);
  CHECK_NEAR(f.claim[FAR__CLAIM_SET_REWARD].bound,
             fmin(7 * 0.1 * l4 / 12, sqrt(0.1 * 1.25 * log(sqrt(5) / risk) / 8)), 1e-12);
  CHECK(f.claim[FAR__CLAIM_GAIN].checked > 0 && f.claim[FAR__CLAIM_GAIN].violated == 0);
  f = told("ucrl2b:scale=0", 0.25, 1); /* the gain that it believes in is 0.25, the true one 0.5 */
  CHECK(f.claim[FAR__CLAIM_GAIN].violated > 0);
  CHECK_NEAR(f.claim[FAR__CLAIM_GAIN].worst, 0.25, 1e-12);

  f = told_of(2, "e3:gamma=0.5,m=3", 0.5, 3);
  CHECK_NEAR(f.claim[FAR__CLAIM_KNOWN_ROW].worst, 1, 1e-12);
  CHECK_NEAR(f.claim[FAR__CLAIM_KNOWN_ROW].bound, 0.2 * 0.5 / (4 * 0.5 * 2), 1e-12);
}

static void test_lies(void) {
  far__claim_findings f = told("r-max:gamma=0.5,m=3", 0.5, 5);
  for (int k = 0; k < FAR__CLAIM_COUNT; ++k) CHECK(f.claim[k].violated == 0);
  CHECK(f.claim[FAR__CLAIM_KNOWN_REWARD].checked == 1 && f.fact[FAR__FACT_KNOWN] == 1);
  CHECK(f.claim[FAR__CLAIM_UNKNOWN_VISITS].checked == 3);
  CHECK_NEAR(f.claim[FAR__CLAIM_NEAR_OPTIMISM].worst, 0, 1e-3);
  f = told("r-max:gamma=0.5,m=3", 0, 5);
  CHECK(f.claim[FAR__CLAIM_KNOWN_REWARD].violated == 1);
  CHECK_NEAR(f.claim[FAR__CLAIM_KNOWN_REWARD].worst, 0.5, 1e-12);
  CHECK_NEAR(f.claim[FAR__CLAIM_KNOWN_REWARD].bound, 0.2 * 0.5 / 8, 1e-12); /* eps = 0.1 Vmax */
  CHECK(f.claim[FAR__CLAIM_NEAR_OPTIMISM].violated > 0);
  CHECK_NEAR(f.claim[FAR__CLAIM_NEAR_OPTIMISM].worst, 1, 2e-3); /* Q = 0, Q* = 1 */

  f = told("mbie:gamma=0.5,a=0.6,b=0", 0, 2); /* |0 - 0.5| <= 0.6 / sqrt(n) at n = 1 only */
  CHECK(f.claim[FAR__CLAIM_SET_REWARD].checked == 2);
  CHECK(f.claim[FAR__CLAIM_SET_REWARD].violated == 1);
  CHECK(f.claim[FAR__CLAIM_SET_REWARD].first.t == 2);
  CHECK(f.claim[FAR__CLAIM_SET_ROW].checked == 2 && f.claim[FAR__CLAIM_SET_ROW].violated == 0);
  f = told("ucrl-gamma:gamma=0.5,a=0.6", 0, 2);
  CHECK(f.claim[FAR__CLAIM_SET_REWARD].violated == 1);
  CHECK(f.claim[FAR__CLAIM_SET_BOX].checked == 2 && f.claim[FAR__CLAIM_SET_BOX].violated == 0);
  f = told("mormax:gamma=0.5,m=2,eps1=0", 0, 4);
  CHECK(f.claim[FAR__CLAIM_KNOWN_BACKUP].violated == 1 && f.fact[FAR__FACT_ROWS] == 1);
  CHECK_NEAR(f.claim[FAR__CLAIM_KNOWN_BACKUP].worst, 0.5, 1e-12); /* 0 + 0.5 V*, Q* = 1 */
  f = told("ucb-q:gamma=0.5,c=0,h=0", 0, 3);
  CHECK(f.claim[FAR__CLAIM_OPTIMISM].violated > 0 && f.claim[FAR__CLAIM_Q_FALLS].violated == 0);
  f = told("ucbvi-gamma:gamma=0.5,u=0", 0, 3); /* Q = 1/2, 1/4, 1/8 of Vmax; Q* is 1 */
  CHECK(f.claim[FAR__CLAIM_OPTIMISM].violated > 0 && f.claim[FAR__CLAIM_Q_FALLS].violated == 0);
  CHECK_NEAR(f.claim[FAR__CLAIM_OPTIMISM].worst, 1 - 2.0 / 8, 1e-12);
  f = told("mbie-eb:gamma=0.5,beta=0", 0, 3);
  CHECK(f.claim[FAR__CLAIM_OPTIMISM].violated > 0);
  CHECK_NEAR(f.claim[FAR__CLAIM_OPTIMISM].bound, 0.001, 1e-15); /* a plan's tolerance */
  f = told("oim:gamma=0.5,ve=2", 0.5, 30); /* ve = Vmax keeps the sum above Q* */
  CHECK(f.claim[FAR__CLAIM_OPTIMISM].violated == 0 && f.claim[FAR__CLAIM_OPTIMISM].checked > 0);
}

/* Tells the agent of the one step that there is, and shows it. */
static void hand_observe(hand *h) {
  CHECK(far_agent_observe(h->agent, &(far_transition){0, 0, 0.5, 0, false, false}, NULL) == FAR_OK);
  hand_show(h, 0.5);
}

/* mormax with a batch that was emptied and no row, as a refusal leaves it: the agent is put back to
 * its beginning when the second sample is due. The next batch is then accepted. */
static void test_first_batch_by_hand(void) {
  hand h = hand_create("mormax:gamma=0.5,m=2", 1);
  hand_begin(&h);
  const far__claim_finding *first = &h.watch->found.claim[FAR__CLAIM_FIRST_BATCH];
  hand_observe(&h);
  CHECK(first->checked == 0);
  far_agent_reset(h.agent, 1, 0);
  h.agent->t = 2;
  hand_show(&h, 0.5);
  CHECK(first->checked == 1 && first->violated == 1 && first->first.t == 2);
  CHECK_TEXT(first->first.values[0].name, "q");
  CHECK_NEAR(first->first.values[0].value, 2, 1e-12); /* Vmax, where it would stay */
  hand_observe(&h);
  hand_observe(&h);
  CHECK(first->checked == 2 && first->violated == 1);
  CHECK(h.watch->found.fact[FAR__FACT_BATCHES] == 2 && h.watch->found.fact[FAR__FACT_ROWS] == 1);
  hand_free(&h);

  far__claim_findings f = told("mormax:gamma=0.5,m=1", 0.5, 3); /* every step fills a batch */
  CHECK(f.claim[FAR__CLAIM_FIRST_BATCH].checked == 3 && f.fact[FAR__FACT_BATCHES] == 3);
  CHECK(f.claim[FAR__CLAIM_FIRST_BATCH].violated == 0);
  f = told("mormax:gamma=0.5,m=2", 1, 4); /* the row is worth Vmax: no value changes */
  CHECK(f.fact[FAR__FACT_PLANS] == 0 && f.fact[FAR__FACT_ROWS] == 1);
  CHECK(f.claim[FAR__CLAIM_KNOWN_BACKUP].checked == 1);
}

/* ---- real runs ---- */

/* The problem has the discount that the agent's spec names, if it names one. */
static void take_gamma(far_mdp *mdp, const char *agent) {
  size_t length;
  double gamma = FAR_GAMMA_DEFAULT;
  const char *text = far_spec_value(agent, "gamma", &length);
  if (text != NULL) CHECK(far__real_parse(text, length, &gamma));
  CHECK(far_mdp_set_gamma(mdp, gamma, NULL) == FAR_OK);
}

static far_audit *audit(far_mdp *mdp, const char *agent, int64_t steps, int64_t runs,
                        unsigned threads) {
  far_audit_def def = far_audit_def_default();
  far_audit *out = NULL;
  far_error error = {.message = ""};
  take_gamma(mdp, agent);
  def.mdp = mdp;
  def.agent = agent;
  def.steps = steps;
  def.runs = runs;
  def.threads = threads;
  CHECK(far_audit_run(&out, &def, &error) == FAR_OK);
  CHECK_TEXT(error.message, "");
  return out;
}

static const far_claim *claim(const far_audit *a, const char *name) {
  for (size_t i = 0; i < a->n_claims; ++i)
    if (strcmp(a->claims[i].name, name) == 0) return &a->claims[i];
  CHECK(false);
  return &a->claims[0];
}

static int64_t fact(const far_audit *a, const char *name) {
  for (size_t i = 0; i < a->n_facts; ++i)
    if (strcmp(a->facts[i].name, name) == 0) return a->facts[i].total;
  CHECK(false);
  return -1;
}

static int count_verdict(const far_audit *a, far_verdict verdict) {
  int n = 0;
  for (size_t i = 0; i < a->n_claims; ++i) n += a->claims[i].verdict == verdict;
  return n;
}

static far_mdp *model(const char *spec) {
  far_mdp *mdp = NULL;
  CHECK(far_mdp_create(&mdp, spec, NULL) == FAR_OK);
  return mdp;
}

/* tests/oracle/lockup.json: three states on which the printed LEARN rule locks up */
static far_mdp *lockup_world(void) {
  static const uint32_t next[3][2] = {{1, 1}, {0, 2}, {0, 2}};
  static const double reward[3][2] = {{0.25, 0.5}, {0.5, 0}, {1, 1}};
  far_mdp_builder *b;
  far_mdp *mdp = NULL;
  far_mdp_builder_create(&b, 3, 2, NULL);
  for (uint32_t s = 0; s < 3; ++s)
    for (uint32_t a = 0; a < 2; ++a)
      far_mdp_builder_outcome(b, s, a, 1, next[s][a], reward[s][a], NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

#define LOCKUP "directed-delayed-q:gamma=0.7,eps1=0.1,m=3,delay=full,lambda=0,ties=lowest,learn="

static void test_lockup(void) {
  far_mdp *mdp = lockup_world();
  far_audit *good = audit(mdp, LOCKUP "2009", 20000, 10, 2);
  CHECK(count_verdict(good, FAR_VERDICT_KEPT) == (int)good->n_claims);
  CHECK(claim(good, "a1")->checked > 0 && claim(good, "learn")->checked > 0);
  CHECK(fact(good, "left_outside") == 0);
  far_audit *bad = audit(mdp, LOCKUP "printed", 20000, 10, 2);
  const far_claim *learn = claim(bad, "learn");
  CHECK(learn->verdict == FAR_VERDICT_VIOLATED && learn->runs_violated == 10);
  CHECK(claim(bad, "escapes")->verdict == FAR_VERDICT_VIOLATED);
  CHECK(claim(bad, "optimism")->verdict == FAR_VERDICT_KEPT);
  CHECK(learn->first.replicate == 0 && learn->first.t == 33);
  CHECK(learn->first.s == 1 && learn->first.a == 0);
  CHECK(fact(bad, "left_outside") == 20);
  far_audit *plain = audit(mdp, "delayed-q:gamma=0.7,eps1=0.1,m=3,ties=lowest", 20000, 1, 1);
  CHECK(fact(plain, "updates") * 10 == fact(good, "updates")); /* the same algorithm */
  CHECK_NEAR(claim(plain, "accuracy")->worst, claim(good, "accuracy")->worst, 1e-6);
  far_audit *old =
      audit(mdp, "delayed-q:form=2006,gamma=0.7,eps1=0.1,m=3,ties=lowest", 20000, 2, 1);
  CHECK(count_verdict(old, FAR_VERDICT_KEPT) == (int)old->n_claims);
  far_audit_free(old);
  far_audit_free(plain);
  far_audit_free(good);
  far_audit_free(bad);
  far_mdp_free(mdp);
}

/* The repaired preset on models so small that windows of m = some 10^4 samples really complete. */
static void test_repaired(const char *agent, bool full) {
  int64_t completed = 0, outside = 0, off = 0, broken_runs = 0, runs = 0;
  for (int seed = 0; seed < 10; ++seed) {
    char spec[96];
    snprintf(spec, sizeof spec, "garnet:states=3,actions=2,branching=2,rewarded=1,seed=%d", seed);
    far_mdp *mdp = model(spec);
    far_audit *a = audit(mdp, agent, 1000000, 1, 0);
    CHECK(count_verdict(a, FAR_VERDICT_VIOLATED) == 0);
    CHECK(count_verdict(a, FAR_VERDICT_UNTESTED) <= 1); /* learn, if no pair is switched off yet */
    CHECK(claim(a, "a1")->checked > 0);
    completed += fact(a, "completed");
    outside += fact(a, "completed_outside");
    off += fact(a, "switched_off");
    broken_runs += claim(a, "a1")->runs_violated + claim(a, "optimism")->runs_violated;
    runs += a->runs;
    far_audit_free(a);
    far_mdp_free(mdp);
  }
  CHECK(runs == 10 && broken_runs <= 1); /* delta = 0.1 */
  CHECK(completed > 20 && off > 10);     /* so that silence means something */
  CHECK(!full || outside > 20);
}

/* The paper's lambda leaves a bonus above eps1 after an update: A1 fails, whatever m. */
static void test_paper(void) {
  far_mdp *mdp = model("garnet:states=3,actions=2,branching=2,rewarded=1");
  far_audit *a = audit(mdp, "directed-delayed-q:preset=paper,gamma=0.5,eps=1", 100000, 20, 2);
  CHECK(claim(a, "a1")->verdict == FAR_VERDICT_VIOLATED);
  CHECK(claim(a, "learn")->verdict == FAR_VERDICT_VIOLATED);
  CHECK(claim(a, "updates")->verdict == FAR_VERDICT_VIOLATED); /* printed: Vmax / eps = 2 */
  CHECK(claim(a, "updates")->first.value == 3 && claim(a, "updates")->bound == 2);
  CHECK(claim(a, "progress")->verdict == FAR_VERDICT_KEPT);
  CHECK(fact(a, "completed_outside") == claim(a, "a1")->violated);
  far_audit_free(a);
  far_mdp_free(mdp);
}

/* Without the clamp Q and E rise, with it never. */
static void test_clamp(void) {
  far_mdp *mdp = random_world(5, 4, 2, 3);
#define CLAMP "directed-delayed-q:gamma=0.8,eps1=0.05,m=10,rho=0.2,lambda=1,gamma_e=0.5,clamp="
  far_audit *off = audit(mdp, CLAMP "off", 5000, 20, 2), *on = audit(mdp, CLAMP "on", 5000, 20, 2);
  CHECK(claim(off, "e-falls")->verdict == FAR_VERDICT_VIOLATED);
  CHECK(claim(off, "q-falls")->verdict == FAR_VERDICT_VIOLATED);
  CHECK(claim(off, "q-falls")->worst > 0);
  CHECK(claim(off, "bounded")->verdict == FAR_VERDICT_KEPT); /* Q + bonus only falls all the same */
  const char *const sure[] = {"q-falls", "e-falls", "progress", "updates", "bounded", "accuracy"};
  for (int i = 0; i < 6; ++i) CHECK(claim(on, sure[i])->verdict == FAR_VERDICT_KEPT);
  far_audit_free(off);
  far_audit_free(on);
  far_mdp_free(mdp);
}

/* The 2006 form discards the sample with which a pair is switched on again: no window begins there,
 * so that all windows but the open ones are completed. */
static void test_discarded(void) {
  far_mdp *mdp = model("chain:n=4");
  far_audit *a = audit(mdp, "delayed-q:form=2006", 10000, 5, 1);
  CHECK(fact(a, "switched_on") > 5 * 8 && fact(a, "ignored") > 0);
  CHECK(fact(a, "windows") >= fact(a, "completed"));
  CHECK(fact(a, "windows") <= fact(a, "completed") + 5 * 8);
  far_audit_free(a);
  far_mdp_free(mdp);
}

/* Confidence sets: as the theory has them they hold the truth, far too narrow ones do not. */
static void test_sets(void) {
  far_mdp *mdp = random_world(2, 3, 2, 3);
  static const char *const good[] = {"mbie:preset=theory,gamma=0.5,eps=1",
                                     "ucrl2:preset=theory",
                                     "ucrl-gamma:preset=theory,gamma=0.5,eps=1",
                                     "r-max:preset=theory,gamma=0.5,eps=2",
                                     "v-max:preset=theory,gamma=0.5,eps=2",
                                     "e3:preset=theory,gamma=0.5,eps=2",
                                     "mbie-eb:preset=theory,gamma=0.5,eps=1",
                                     "ucb-q:preset=theory,gamma=0.6,eps=1",
                                     "ucrl2b:preset=theory",
                                     "ucbvi-gamma:preset=theory,gamma=0.5",
                                     "kl-ucrl:preset=theory",
                                     "ucrl3:preset=theory"};
  for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
    far_audit *a = audit(mdp, good[i], 4000, 30, 0);
    CHECK(count_verdict(a, FAR_VERDICT_VIOLATED) == 0);
    CHECK(count_verdict(a, FAR_VERDICT_UNTESTED) == 0);
    far_audit_free(a);
  }
  static const char *const bad[][2] = {{"mbie:a=0.01,b=0.01", "row-set"},
                                       {"mbie:a=0.01,b=0.01", "reward-set"},
                                       {"ucrl2:scale=0.01", "row-set"},
                                       {"ucrl-gamma:l1=0.01", "box-set"},
                                       {"r-max:m=2", "known-row"},
                                       {"e3:m=2", "known-reward"},
                                       {"mormax:m=2", "known-backup"},
                                       {"mbie-eb:beta=0", "optimism"},
                                       {"ucrl2b:scale=0.001", "box-set"},
                                       {"ucrl2b:scale=0", "gain"},
                                       {"ucbvi-gamma:gamma=0.5,u=0", "optimism"},
                                       {"kl-ucrl:scale=0.001", "kl-set"},
                                       {"kl-ucrl:scale=0,scale_r=0", "gain"},
                                       {"ucrl3:scale=0.001", "box-set"},
                                       {"ucrl3:scale=0", "gain"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    far_audit *a = audit(mdp, bad[i][0], 2000, 30, 0);
    CHECK(claim(a, bad[i][1])->verdict == FAR_VERDICT_VIOLATED);
    far_audit_free(a);
  }
  far_mdp_free(mdp);
}

/* Ends, rewards of either sign: in a deterministic world R-max with m = 1 knows Q* exactly, which it
 * does not if the audit's units are wrong. ucrl2 counts an end as a step to the next start. */
static void test_ends(void) {
  far_mdp_builder *b;
  far_mdp *mdp = NULL;
  far_mdp_builder_create(&b, 4, 2, NULL);
  for (uint32_t s = 0; s < 3; ++s) {
    far_mdp_builder_outcome(b, s, 0, 1, s + 1, s == 2 ? 0.5 : -1, NULL);
    far_mdp_builder_outcome(b, s, 1, 1, 0, -0.25, NULL);
  }
  far_mdp_builder_terminal(b, 3, NULL);
  far_mdp_builder_start(b, 0, 0.5, NULL);
  far_mdp_builder_start(b, 1, 0.5, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  far_audit *a = audit(mdp, "r-max:m=1,gamma=0.9,tol=1e-6", 300, 5, 1);
  CHECK(count_verdict(a, FAR_VERDICT_KEPT) == (int)a->n_claims);
  CHECK(fact(a, "known") == 30);
  CHECK(claim(a, "optimism")->worst > -1e-5 && claim(a, "optimism")->worst < 1e-5);
  far_audit *sets = audit(mdp, "ucrl2:scale=0.2", 2000, 5, 1);
  CHECK(count_verdict(sets, FAR_VERDICT_KEPT) == (int)sets->n_claims);
  far_audit *gain = audit(mdp, "ucrl2b:scale=0.3", 2000, 5, 1);
  CHECK(count_verdict(gain, FAR_VERDICT_KEPT) == (int)gain->n_claims);
  CHECK(claim(gain, "gain")->worst > -0.5); /* in the units of the truth */
  far_audit_free(gain);
  far_audit *delayed = audit(mdp, "delayed-q:gamma=0.9,eps1=0.05,m=2", 30000, 5, 1);
  CHECK(count_verdict(delayed, FAR_VERDICT_KEPT) == (int)delayed->n_claims);
  CHECK(claim(delayed, "optimism")->worst > -2);
  far_audit_free(a);
  far_audit_free(sets);
  far_audit_free(delayed);
  far_mdp_free(mdp);
}

/* Rows worth Vmax that round above it, for some m. */
static void test_first_batch(void) {
  static const int m[] = {3, 6, 12, 13, 24};
  far_mdp *mdp = detour_world();
  for (int i = 0; i < 5; ++i) {
    char spec[64];
    snprintf(spec, sizeof spec, "mormax:gamma=0.99,m=%d", m[i]);
    far_audit *a = audit(mdp, spec, 1000, 5, 1);
    CHECK(count_verdict(a, FAR_VERDICT_KEPT) == (int)a->n_claims);
    CHECK(fact(a, "rows") >= 5 * 4); /* every pair has one */
    CHECK(claim(a, "first-batch")->checked == fact(a, "batches"));
    far_audit_free(a);
  }
  far_mdp_free(mdp);
}

static void same(const far_audit *x, const far_audit *y) {
  for (size_t i = 0; i < x->n_claims; ++i) {
    const far_claim *p = &x->claims[i], *q = &y->claims[i];
    CHECK(p->checked == q->checked && p->violated == q->violated && p->runs == q->runs);
    CHECK(p->runs_violated == q->runs_violated && p->verdict == q->verdict);
    CHECK(p->worst == q->worst || (p->worst != p->worst && q->worst != q->worst));
    CHECK(p->violated == 0 || (p->first.replicate == q->first.replicate &&
                               p->first.t == q->first.t && p->first.value == q->first.value));
  }
  for (size_t i = 0; i < x->n_facts; ++i) CHECK(x->facts[i].total == y->facts[i].total);
}

static void test_threads(void) {
  far_mdp *mdp = model("chain:n=4");
  static const char *const agents[] = {"directed-delayed-q:clamp=off,learn=printed,lambda=5,m=3",
                                       "r-max:m=3", "ucb-q:c=0.001"};
  for (int i = 0; i < 3; ++i) {
    far_audit *one = audit(mdp, agents[i], 700, 37, 1), *two = audit(mdp, agents[i], 700, 37, 2);
    far_audit *seven = audit(mdp, agents[i], 700, 37, 7);
    CHECK(count_verdict(one, FAR_VERDICT_VIOLATED) > 0);
    same(one, two);
    same(one, seven);
    far_audit_free(one);
    far_audit_free(two);
    far_audit_free(seven);
  }
  far_mdp_free(mdp);
}

/* A violation is found again by its replicate and time alone, as the last thing that happens. */
static void test_replay(void) {
  far_mdp *mdp = model("garnet:states=3,actions=2,branching=3,rewarded=1");
  far_audit *a = audit(mdp, "mbie:a=1,b=3", 500, 60, 0);
  const far_claim *c = claim(a, "row-set");
  CHECK(c->violated > 0 && c->first.replicate > 0);
  far_audit_def def = far_audit_def_default();
  far_audit *again = NULL;
  def.mdp = mdp;
  def.agent = "mbie:a=1,b=3";
  def.first_replicate = c->first.replicate;
  def.runs = 1;
  def.steps = c->first.t;
  CHECK(far_audit_run(&again, &def, NULL) == FAR_OK);
  const far_claim *d = claim(again, "row-set");
  CHECK(d->violated == 1 && d->first.t == c->first.t && d->first.value == c->first.value);
  CHECK(d->first.replicate == c->first.replicate);
  far_audit_free(again);
  far_audit_free(a);
  far_mdp_free(mdp);
}

/* A stopped audit keeps the runs that are finished and names their replicates. */
static bool stop_soon(void *user, const far_progress *p) {
  (void)user;
  return p->runs_done < 2;
}

static void test_cancel(void) {
  far_mdp *mdp = model("chain:n=4");
  far_audit_def def = far_audit_def_default();
  far_audit *a = NULL;
  def.mdp = mdp;
  def.agent = "directed-delayed-q:rho=0,eps1=0.01";
  def.steps = 300000;
  def.runs = 100000;
  def.threads = 2;
  def.progress = stop_soon;
  CHECK(far_audit_run(&a, &def, NULL) == FAR_STATUS_CANCELLED);
  CHECK(a != NULL && a->runs >= 2 && a->runs < 100000);
  CHECK(claim(a, "optimism")->runs == a->runs);
  far_audit_free(a);
  far_mdp_free(mdp);
}

static void test_refusals(void) {
  far_mdp *mdp = model("chain:n=4");
  far_audit_def def = far_audit_def_default();
  far_audit *a = NULL;
  far_error error;
  def.mdp = mdp;
  def.agent = "q-learning";
  CHECK(far_audit_run(&a, &def, &error) == FAR_STATUS_CONFLICT && a == NULL);
  CHECK_CONTAINS(error.message, "q-learning makes no claim that could be audited");
  CHECK_CONTAINS(error.message, "directed-delayed-q, delayed-q, delayed-q-ie, ucb-q, ");
  CHECK_CONTAINS(error.message, "r-max, v-max");
  CHECK_CONTAINS(error.message, "ucrl-gamma");
  CHECK_CONTAINS(error.message, "orlc");
  def.agent = "directed-delayed-q:bonus=sqrt";
  CHECK(far_audit_run(&a, &def, &error) == FAR_STATUS_CONFLICT && a == NULL);
  CHECK_CONTAINS(error.message, "with bonus=sqrt, which is not printed");
  def.agent = "delayed-q:m=0";
  CHECK(far_audit_run(&a, &def, &error) == FAR_STATUS_RANGE && a == NULL);
  def.agent = "delayed-q";
  def.delta = 1;
  CHECK(far_audit_run(&a, &def, &error) == FAR_STATUS_RANGE && a == NULL);
  CHECK(far_agent_auditable("r-max") && !far_agent_auditable("psrl"));
  CHECK(!far_agent_auditable("nobody"));
  far_mdp_free(mdp);
}

/* Against a window too long for the run, A1 and LEARN are untested, not kept. */
static void test_untested(void) {
  far_mdp *mdp = model("chain:n=4");
  far_audit *a = audit(mdp, "delayed-q:m=100000", 100, 2, 1);
  CHECK(claim(a, "a1")->verdict == FAR_VERDICT_UNTESTED);
  CHECK(claim(a, "learn")->verdict == FAR_VERDICT_UNTESTED);
  CHECK(claim(a, "a1")->worst != claim(a, "a1")->worst);
  CHECK_TEXT(far_verdict_text(claim(a, "a1")->verdict), "untested");
  CHECK(fact(a, "completed") == 0);
  far_audit_free(a);
  far_mdp_free(mdp);
}

/* Values of R's binom.test. */
static void test_interval(void) {
  static const struct {
    int64_t failed, n;
    double low, high;
  } rows[] = {{0, 10, 0, 0.3084971},
              {10, 10, 0.6915029, 1},
              {1, 20, 0.001265089, 0.2487328},
              {5, 10, 0.1870860, 0.8129140},
              {0, 1, 0, 0.975}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    double low, high;
    far_proportion_interval(rows[i].failed, rows[i].n, &low, &high);
    CHECK_NEAR(low, rows[i].low, 1e-7);
    CHECK_NEAR(high, rows[i].high, 1e-7);
  }
  double low, high;
  far_proportion_interval(500000, 1000000, &low, &high);
  CHECK_NEAR(high - 0.5, 1.96 * 0.5 / 1000, 2e-6);
  CHECK_NEAR(low + high, 1, 1e-9);
}

int main(void) {
  test_updates_by_hand();
  test_kappa_by_hand();
  window_of_four(2, 1);
  window_of_four(1.2, 0); /* 1.4 - (0.5 + 0.6) = 0.3 */
  test_escapes_by_hand();
  test_lies();
  test_first_batch_by_hand();
  test_false_coin();
  test_lockup();
  test_repaired("directed-delayed-q:preset=theory,gamma=0.5,eps=1", false);
  test_repaired("directed-delayed-q:preset=theory,gamma=0.5,eps=1.5,delay=full", true);
  test_repaired("delayed-q-ie:preset=theory,gamma=0.5,eps=1", false);
  test_paper();
  test_clamp();
  test_discarded();
  test_sets();
  test_ends();
  test_first_batch();
  test_threads();
  test_replay();
  test_cancel();
  test_refusals();
  test_untested();
  test_interval();
  return check_report();
}
