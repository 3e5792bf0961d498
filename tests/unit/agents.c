/* Properties of the agents on random models, their presets and warnings, and their files. */
#include <farsight/farsight.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "theory/delayed.h"
#include "worlds.h"

static far_agent *start(const char *spec, const far_shape *shape) {
  far_agent *agent;
  far_error error = {0};
  CHECK(far_agent_create(&agent, spec, shape, 1, 0, &error) == FAR_OK);
  if (agent == NULL) printf("%s: %s\n", spec, error.message);
  return agent;
}

/* One step of the agent in the world; the next state. */
static uint32_t step(far_agent *agent, const far_mdp *mdp, uint32_t s, far_rng *rng) {
  const uint32_t a = far_agent_act(agent, s);
  const far_outcome *o = far_mdp_step(mdp, s, a, rng);
  CHECK(far_agent_observe(agent, &(far_transition){s, a, o->reward, o->next, o->done, false},
                          NULL) == FAR_OK);
  return o->next;
}

static double get(const far_agent *agent, far_value kind, uint32_t s, uint32_t a) {
  double x = 0;
  far_agent_value(agent, kind, s, a, &x);
  return x;
}

/* ---- clamped, Q, E and Q' never rise, and a pair has at most kappa successes ---- */

typedef struct watch {
  double q, e, sum;
  int successes;
} watch;

static void test_monotone(uint64_t seed, const char *spec, bool expect_rise) {
  enum { S = 5, A = 3 };
  far_mdp *mdp = random_world(seed, S, A, 3);
  const far_shape shape = far_mdp_shape(mdp);
  far_agent *agent = start(spec, &shape);
  far_rng rng;
  far_rng_init(&rng, seed, 0, FAR_PURPOSE_TRANSITION);
  watch seen[S][A];
  int rises = 0, most = 0;
  for (uint32_t s = 0; s < S; ++s)
    for (uint32_t a = 0; a < A; ++a)
      seen[s][a] = (watch){get(agent, FAR_VALUE_Q, s, a), get(agent, FAR_VALUE_E, s, a),
                           get(agent, FAR_VALUE_Q, s, a) + get(agent, FAR_VALUE_BONUS, s, a), 0};
  const double kappa = seen[0][0].sum / 0.02;
  uint32_t s = 0;
  for (int t = 0; t < 3000; ++t) {
    const uint32_t next = step(agent, mdp, s, &rng);
    for (uint32_t a = 0; a < A; ++a) {
      watch *w = &seen[s][a];
      const double q = get(agent, FAR_VALUE_Q, s, a), e = get(agent, FAR_VALUE_E, s, a);
      const double sum = q + get(agent, FAR_VALUE_BONUS, s, a);
      rises += q > w->q || e > w->e;
      CHECK(sum <= w->sum); /* Q' falls whether clamped or not */
      if (sum < w->sum) {
        CHECK(w->sum - sum >= 0.02 * (1 - 1e-12));
        w->successes += 1;
        most = w->successes > most ? w->successes : most;
      }
      w->q = q;
      w->e = e;
      w->sum = sum;
    }
    s = next;
  }
  CHECK(most > 0 && most <= kappa);
  CHECK(expect_rise == (rises > 0));
  far_agent_free(agent);
  far_mdp_free(mdp);
}

/* ---- deterministic world, fully delayed, lambda = 0: what is settled has a small Bellman error --
 */

static void test_settled(uint64_t seed) {
  enum { S = 4, A = 2 };
  const double gamma = 0.9, eps1 = 0.01;
  far_mdp *mdp = random_world(seed, S, A, 1);
  const far_shape shape = far_mdp_shape(mdp);
  far_agent *agent =
      start("directed-delayed-q:gamma=0.9,eps1=0.01,m=20,delay=full,lambda=0,eta=0.99", &shape);
  far_rng rng;
  far_rng_init(&rng, seed, 0, FAR_PURPOSE_TRANSITION);
  uint32_t s = 0;
  for (int t = 0; t < 200000; ++t) s = step(agent, mdp, s, &rng);
  for (int t = 0; t < 200; ++t) { /* the pairs of the final loop */
    const uint32_t a = far_agent_act(agent, s);
    size_t count;
    const far_outcome *o = far_mdp_outcomes(mdp, s, a, &count);
    const double v = fmax(get(agent, FAR_VALUE_Q, o->next, 0), get(agent, FAR_VALUE_Q, o->next, 1));
    CHECK(get(agent, FAR_VALUE_Q, s, a) - (o->reward + gamma * v) <= 2 * eps1 + 1e-9);
    s = step(agent, mdp, s, &rng);
  }
  far_agent_free(agent);
  far_mdp_free(mdp);
}

/* ---- three states on which the printed LEARN rule locks up (tests/oracle/find_lockup.py) ---- */

static double long_run_reward(const char *spec) {
  static const uint32_t next[3][2] = {{1, 1}, {0, 2}, {0, 2}};
  static const double reward[3][2] = {{0.25, 0.5}, {0.5, 0}, {1, 1}};
  far_shape shape = far_shape_default(3, 2);
  shape.episodic = false;
  far_agent *agent = start(spec, &shape);
  uint32_t s = 0;
  double sum = 0;
  for (int t = 0; t < 20000; ++t) {
    const uint32_t a = far_agent_act(agent, s);
    const far_transition step = {s, a, reward[s][a], next[s][a], false, false};
    CHECK(far_agent_observe(agent, &step, NULL) == FAR_OK);
    if (t >= 19000) sum += reward[s][a];
    s = next[s][a];
  }
  far_agent_free(agent);
  return sum / 1000;
}

static void test_lockup(void) {
#define LOCKUP "directed-delayed-q:gamma=0.7,eps1=0.1,m=3,delay=full,lambda=0,ties=lowest,learn="
  CHECK(long_run_reward(LOCKUP "2009") == 1.0);
  CHECK(long_run_reward(LOCKUP "printed") == 0.5);
}

/* ---- presets ---- */

static double spec_value(const far_agent *agent, const char *key) {
  char pattern[32];
  snprintf(pattern, sizeof pattern, "%s=", key);
  for (const char *at = far_agent_spec(agent); (at = strstr(at, pattern)) != NULL; ++at)
    if (at[-1] == ':' || at[-1] == ',') return strtod(at + strlen(pattern), NULL);
  return NAN;
}

/* What is not printed is not in the names of what is; and no preset derives parameters for it. */
static void test_readings(void) {
  const far_shape shape = far_shape_default(3, 2);
  far_agent *printed = start("directed-delayed-q:preset=practical", &shape);
  far_agent *written =
      start("directed-delayed-q:preset=practical,e_rule=success,bonus=log,threshold=0.2,eps1=0.2",
            &shape);
  CHECK_TEXT(far_agent_spec(printed), far_agent_spec(written));
  CHECK(strstr(far_agent_spec(printed), "e_rule") == NULL);
  far_agent_free(printed);
  far_agent_free(written);
  static const struct {
    const char *spec, *part;
    int position;
  } bad[] = {{"directed-delayed-q:alpha_e=0.5", "applies only with e_rule=visit", 19},
             {"directed-delayed-q:bonus=sqrt,eta=0.5", "eta does not apply", 30},
             {"directed-delayed-q:preset=theory,e_rule=visit", "not part of the printed", 40},
             {"directed-delayed-q:preset=paper,bonus=sqrt", "not part of the printed", 38},
             {"directed-delayed-q:preset=paper,threshold=1", "not part of the printed", 42}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    far_error error = {0};
    CHECK(far_agent_check(bad[i].spec, &shape, NULL, NULL, &error) == FAR_STATUS_CONFLICT);
    CHECK_CONTAINS(error.message, bad[i].part);
    CHECK(error.position == bad[i].position);
  }
}

static void test_paper_preset(void) {
  const far_shape shape = far_shape_default(10, 2);
  far_agent *agent = start("directed-delayed-q:preset=paper,gamma=0.9,eps=0.5", &shape);
  CHECK_NEAR(spec_value(agent, "eps1"), 0.0125, 1e-15);
  CHECK_NEAR(spec_value(agent, "eta"), 0.9875, 1e-15);
  CHECK_NEAR(spec_value(agent, "lambda"), 0.2333, 5e-5);
  CHECK_NEAR(spec_value(agent, "m"), 4.1869e6, 50);
  CHECK_NEAR(spec_value(agent, "rho"), 0.0125 * sqrt(spec_value(agent, "m")), 1e-9);
  far_agent_free(agent);
}

/* The fixed point in m serves both lemmas: rho = eps1 sqrt(m) is the least that optimism needs. The
 * values for S = 10, A = 2, gamma = 0.9, eps1 = 0.0125 and the paper's lambda were computed with
 * another program. */
static void test_theory_preset(void) {
  const far__problem p = {10, 2, 0.9, 1};
  far__window w =
      far__theory_interval(p, 0.0125, far__lambda_paper(0.0125, 1, far__ln_eta(0.0125)), 0.1);
  CHECK_NEAR(w.kappa, 818.66, 0.01);
  CHECK_NEAR(w.m, 1.0320e7, 500);
  CHECK_NEAR(far__rho_for_optimism(p, w.m, w.kappa, 0.1), 40.156, 1e-3);
  CHECK_NEAR(0.0125 * sqrt(w.m), 40.156, 1e-3);
  CHECK(0.0125 * sqrt(w.m) >= far__rho_for_optimism(p, w.m, w.kappa, 0.1));
  const double less = w.m - 2; /* a whisker below, the two lemmas contradict each other */
  CHECK(0.0125 * sqrt(less) < far__rho_for_optimism(p, less, w.kappa, 0.1));
  CHECK(far__theory_full(p, 0.0125, 0, 0.1).m < w.m);

  const far_shape shape = far_shape_default(10, 2);
  far_agent *agent = start("directed-delayed-q:preset=theory,gamma=0.9,eps=0.5", &shape);
  const double eps1 = spec_value(agent, "eps1"), eta = spec_value(agent, "eta");
  CHECK_NEAR(eps1, 0.5 * 0.1 / 16, 1e-15);
  CHECK_NEAR(eta, 1 - eps1, 1e-15);
  CHECK_NEAR(spec_value(agent, "rho"), eps1 * sqrt(spec_value(agent, "m")), 1e-9);
  CHECK(far__bonus(spec_value(agent, "lambda"), 1 / far_log(eta), 0.99 * eta) <=
        eps1 * (1 + 1e-12));
  const double m = spec_value(agent, "m");
  far_agent_free(agent);
  agent = start("directed-delayed-q:preset=theory,gamma=0.9,eps=0.5,lambda=5", &shape);
  CHECK(spec_value(agent, "m") > m); /* what is derived follows what is given */
  far_agent_free(agent);
}

/* ---- warnings ---- */

typedef struct heard {
  int severe, notes;
  char text[2000];
} heard;

static void hear(void *user, bool severe, const char *message) {
  heard *h = user;
  h->severe += severe;
  h->notes += !severe;
  strncat(h->text, message, sizeof h->text - strlen(h->text) - 1);
}

static heard warnings_of(const char *spec) {
  const far_shape shape = far_shape_default(10, 2);
  heard h = {0};
  CHECK(far_agent_check(spec, &shape, hear, &h, NULL) == FAR_OK);
  return h;
}

static void test_warnings(void) {
  heard h = warnings_of("directed-delayed-q:preset=theory,eps=1");
  CHECK(h.severe == 0 && h.notes == 0);
  h = warnings_of("directed-delayed-q:preset=theory,eps=1,delay=full");
  CHECK(h.severe == 0 && h.notes == 0);
  h = warnings_of("delayed-q:preset=theory,eps=1");
  CHECK(h.severe == 0 && h.notes == 0);
  h = warnings_of("delayed-q-ie:preset=theory,eps=1");
  CHECK(h.severe == 0 && h.notes == 0);
  h = warnings_of("directed-delayed-q:preset=paper,eps=1");
  CHECK(h.severe == 0 && h.notes == 2);
  CHECK_CONTAINS(h.text, "optimism is not guaranteed");
  CHECK_CONTAINS(h.text, "can remain after one");
  h = warnings_of("directed-delayed-q:preset=theory,eps=1,learn=printed,clamp=off");
  CHECK(h.notes == 2);
  h = warnings_of("directed-delayed-q:e_rule=visit,bonus=sqrt,threshold=0.1");
  CHECK(h.severe == 0);
  CHECK_CONTAINS(h.text, "nothing is proved of e_rule=visit");
  CHECK_CONTAINS(h.text, "nothing is proved of bonus=sqrt");
  CHECK_CONTAINS(h.text, "nothing is proved of threshold = 0.1");
  h = warnings_of("delayed-q-ie:gamma=0.97,m=5,eps1=0.2,rho=1.95");
  CHECK(h.severe == 1);
  CHECK_CONTAINS(h.text, "cannot learn in a continuing problem");
  h = warnings_of("delayed-q:eps1=0.6");
  CHECK(h.severe == 1);
  h = warnings_of("delayed-q:eps1=0.5"); /* 2 eps1 is the whole range */
  CHECK(h.severe == 1);
  CHECK_CONTAINS(h.text, "rounding decides");
  h = warnings_of("delayed-q-ie:preset=practical,eps1=0.25,m=7"); /* rho/sqrt(m) + eps1 = 4 eps1 */
  CHECK(h.severe == 1);
  CHECK_CONTAINS(h.text, "a smaller eps1 or rho");
  h = warnings_of("delayed-q:eps1=0.4999");
  CHECK(h.severe == 0);
  h = warnings_of("q-learning:q0=20,step=polynomial");
  CHECK(h.notes == 1);
  enum { MANY = 2000000 };
  bool *absent = calloc(MANY, sizeof *absent); /* plans do not cost what is absent */
  far_shape sparse = far_shape_default(MANY, 2);
  CHECK(absent != NULL);
  for (uint32_t s = 5; absent != NULL && s < MANY; ++s) absent[s] = true;
  for (int i = 0; i < 2; ++i, sparse.absent = absent) {
    h = (heard){0};
    CHECK(far_agent_check("r-max:m=5,gamma=0.99", &sparse, hear, &h, NULL) == FAR_OK);
    CHECK(h.severe == (i == 0));
  }
  free(absent);
  CHECK(far_agent_check("nonsense", &SHAPE(1, 1, 0, 1, true, NULL, 0), hear, &h, NULL) != FAR_OK);
}

/* Every agent that plans says when a plan may take too long, and none at its defaults. */
static void test_plan_cost(void) {
  static const char *const planners[] = {"r-max", "v-max",  "mbie",       "mbie-eb", "beb",
                                         "oim",   "mormax", "ucrl-gamma", "psrl",    "rlsvi"};
  for (size_t i = 0; i < sizeof planners / sizeof *planners; ++i) {
    char spec[80];
    CHECK(warnings_of(planners[i]).severe == 0);
    snprintf(spec, sizeof spec, "%s:gamma=0.99999999999", planners[i]);
    const heard h = warnings_of(spec);
    CHECK(h.severe == 1);
    CHECK_CONTAINS(h.text, "one plan may take 3.3e+12 sweeps of 20 pairs, about 7.7 days at 10^8 "
                           "backups a second; a smaller gamma or a larger tol");
  }
  heard h = warnings_of("r-max:gamma=0.99999999999,plan=rtdp"); /* it does not plan */
  CHECK(h.severe == 0);
  h = warnings_of("e3:gamma=0.99,horizon=1000000");
  CHECK(h.severe == 0);
  h = (heard){0};
  const far_shape large = far_shape_default(100, 2000);
  CHECK(far_agent_check("e3:gamma=0.99,horizon=10000", &large, hear, &h, NULL) == FAR_OK);
  CHECK(h.severe == 1);
}

/* ---- refusals of observe, and values that do not exist ---- */

static void test_observe(void) {
  far_shape shape = far_shape_default(3, 2);
  far_agent *agent = start("directed-delayed-q", &shape);
  static const far_transition bad[] = {{3, 0, 0, 0, false, false},    {0, 2, 0, 0, false, false},
                                       {0, 0, 0, 3, false, false},    {0, 0, 1.5, 0, false, false},
                                       {0, 0, -0.1, 0, false, false}, {0, 0, NAN, 0, false, false}};
  far_error error;
  double x;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    CHECK(far_agent_observe(agent, &bad[i], &error) == FAR_STATUS_RANGE);
    CHECK(far_agent_steps(agent) == 0);
  }
  CHECK(!far_agent_value(agent, FAR_VALUE_Q, 3, 0, &x));
  CHECK(!far_agent_value(agent, FAR_VALUE_Q, 0, 2, &x));
  far_agent_free(agent);
  agent = start("delayed-q", &shape);
  CHECK(!far_agent_value(agent, FAR_VALUE_E, 0, 0, &x));
  far_agent_free(agent);
  shape.episodic = false;
  agent = start("delayed-q", &shape);
  CHECK(far_agent_observe(agent, &(far_transition){0, 0, 0, 0, true, false}, &error) ==
        FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "continuing");
  far_agent_free(agent);
}

/* With rewards in [-2, -1] an end, worth 0, is better than anything: the agent must find it. */
static void test_negative_rewards(const char *spec) {
  far_mdp_builder *b;
  far_mdp *mdp;
  far_mdp_builder_create(&b, 4, 2, NULL);
  for (uint32_t s = 0; s < 3; ++s) {
    far_mdp_builder_outcome(b, s, 0, 1, s > 0 ? s - 1 : 0, -1, NULL);
    far_mdp_builder_outcome(b, s, 1, 1, s + 1, -2, NULL);
  }
  far_mdp_builder_terminal(b, 3, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  const far_shape shape = far_mdp_shape(mdp);
  far_agent *agent = start(spec, &shape);
  CHECK(far_agent_shape(agent)->reward_max == 0);
  far_rng rng;
  far_rng_init(&rng, 1, 0, FAR_PURPOSE_TRANSITION);
  uint32_t s = 0;
  for (int t = 0; t < 20000; ++t) {
    s = step(agent, mdp, s, &rng);
    if (s == 3) s = 0;
  }
  for (s = 0; s < 3; ++s) CHECK(get(agent, FAR_VALUE_Q, s, 1) > get(agent, FAR_VALUE_Q, s, 0));
  far_agent_free(agent);
  far_mdp_free(mdp);
}

/* ---- files ---- */

static char path[] = "/tmp/farsight-test-XXXXXX", file[64], other[64];

static uint32_t train(far_agent *agent, const far_mdp *mdp, far_rng *rng, uint32_t s, int steps) {
  for (int t = 0; t < steps; ++t) s = step(agent, mdp, s, rng);
  return s;
}

/* Saved, loaded and cloned agents go on as the original does, to the last bit. */
static void test_save(const char *spec) {
  far_mdp *mdp = random_world(9, 5, 3, 3);
  const far_shape shape = far_mdp_shape(mdp);
  far_agent *agent = start(spec, &shape), *loaded, *clone;
  far_rng rng, again;
  far_error error = {0};
  far_rng_init(&rng, 9, 0, FAR_PURPOSE_TRANSITION);
  const uint32_t s = train(agent, mdp, &rng, 0, 501);
  CHECK(far_agent_save(agent, file, &error) == FAR_OK);
  CHECK(far_agent_load(&loaded, file, &error) == FAR_OK);
  CHECK(far_agent_clone(&clone, agent, NULL) == FAR_OK);
  CHECK_TEXT(far_agent_spec(loaded), far_agent_spec(agent));
  CHECK(far_agent_steps(loaded) == 501);
  far_agent *three[] = {agent, loaded, clone};
  const far_rng from = rng;
  for (int i = 0; i < 3; ++i) {
    again = from;
    train(three[i], mdp, &again, s, 500);
  }
  int different = 0;
  for (uint32_t x = 0; x < 5; ++x)
    for (uint32_t a = 0; a < 3; ++a)
      for (int kind = 0; kind < FAR_VALUE_COUNT; ++kind)
        for (int i = 1; i < 3; ++i)
          different += get(three[i], (far_value)kind, x, a) != get(agent, (far_value)kind, x, a);
  CHECK(different == 0);
  for (int i = 0; i < 3; ++i) far_agent_free(three[i]);
  far_mdp_free(mdp);
}

static size_t slurp(const char *name, unsigned char *data, size_t size) {
  FILE *f = fopen(name, "rb");
  const size_t n = f != NULL ? fread(data, 1, size, f) : 0;
  if (f != NULL) fclose(f);
  return n;
}

static void spill(const char *name, const unsigned char *data, size_t size) {
  FILE *f = fopen(name, "wb");
  CHECK(f != NULL && fwrite(data, 1, size, f) == size);
  if (f != NULL) fclose(f);
}

static far_status load_fails(const char *name, const char *part) {
  far_agent *agent;
  far_error error = {0};
  const far_status status = far_agent_load(&agent, name, &error);
  CHECK(status != FAR_OK && agent == NULL);
  CHECK_CONTAINS(error.message, part);
  far_agent_free(agent);
  return status;
}

static void test_damaged_files(void) {
  static unsigned char data[65536];
  const far_shape shape = far_shape_default(2, 2);
  far_agent *agent = start("delayed-q", &shape);
  CHECK(far_agent_save(agent, file, NULL) == FAR_OK);
  const size_t size = slurp(file, data, sizeof data);
  CHECK(size > 200);
  for (size_t i = 0; i < size; ++i) { /* every single byte is guarded */
    data[i] ^= 0x10;
    spill(other, data, size);
    load_fails(other, other);
    data[i] ^= 0x10;
  }
  for (size_t n = 0; n < size; ++n) { /* so is every cut */
    spill(other, data, n);
    CHECK(load_fails(other, other) == FAR_STATUS_FORMAT);
  }
  spill(other, (const unsigned char *)"PNG, honestly", 13);
  CHECK(load_fails(other, "is not a saved agent") == FAR_STATUS_FORMAT);
  data[8] = 2;
  spill(other, data, size);
  CHECK(load_fails(other, "format version 2") == FAR_STATUS_FORMAT);
  CHECK(load_fails("/nonexistent/agent", "cannot read") == FAR_STATUS_IO);
  CHECK(load_fails(path, "not a regular file") == FAR_STATUS_IO);
  far_agent_free(agent);
}

/* A file whose checksum is right but whose numbers no agent could have. */
static void test_impossible_states(void) {
  static unsigned char data[65536];
  static const size_t t_at = 7 * 8;
  const far_shape shape = far_shape_default(2, 2);
  far_agent *agent = start("delayed-q", &shape);
  CHECK(far_agent_save(agent, file, NULL) == FAR_OK);
  const size_t size = slurp(file, data, sizeof data);
  data[t_at + 7] = 0x7f; /* the clock, near its end */
  far_hash(data + size - 32, data, size - 32);
  spill(other, data, size);
  CHECK(load_fails(other, "clock") == FAR_STATUS_FORMAT);
  data[t_at + 7] = 0;
  data[size - 32 - 6 * 8 + 1] =
      0x7f; /* n of the last window, above m; a sum and four values follow */
  far_hash(data + size - 32, data, size - 32);
  spill(other, data, size);
  CHECK(load_fails(other, "no agent can be in its state") == FAR_STATUS_FORMAT);
  far_agent_free(agent);
}

/* A learned row, which stands last in the file, leads where none could: twice to one state, or to the end where the next
 * start is the successor. `end_is_one`: is the end an outcome of its own? */
static void test_impossible_rows(const char *spec, bool end_is_one) {
  static unsigned char data[65536];
  far_shape shape = far_shape_default(2, 1);
  shape.episodic = true;
  far_agent *agent = start(spec, &shape), *loaded = NULL;
  for (uint32_t next = 0; next < 2; ++next)
    CHECK(far_agent_observe(agent, &(far_transition){0, 0, 1, next, false, false}, NULL) == FAR_OK);
  CHECK(far_agent_save(agent, file, NULL) == FAR_OK);
  const size_t size = slurp(file, data, sizeof data), second = size - 32 - 16;
  CHECK(data[second - 16] == 0 && data[second] == 1); /* two arcs: a state, and how often */
  data[second] = 0;
  far_hash(data + size - 32, data, size - 32);
  spill(other, data, size);
  CHECK(load_fails(other, "no agent can be in its state") == FAR_STATUS_FORMAT);
  data[second] = 2;
  far_hash(data + size - 32, data, size - 32);
  spill(other, data, size);
  const far_status status = far_agent_load(&loaded, other, NULL);
  CHECK(status == (end_is_one ? FAR_OK : FAR_STATUS_FORMAT));
  far_agent_free(loaded);
  far_agent_free(agent);
}

static void test_mismatch(void) {
  const far_shape shape = far_shape_default(2, 2), wide = far_shape_default(3, 2);
  far_agent *agent = start("delayed-q", &shape), *same = start("delayed-q", &shape);
  far_agent *larger = start("delayed-q", &wide), *later = start("delayed-q:m=6", &shape);
  CHECK(far_agent_observe(agent, &(far_transition){0, 0, 1, 1, false, false}, NULL) == FAR_OK);
  CHECK(far_agent_save(agent, file, NULL) == FAR_OK);
  CHECK(far_agent_restore(same, file, NULL) == FAR_OK && far_agent_steps(same) == 1);
  CHECK(far_agent_restore(larger, file, NULL) == FAR_STATUS_MISMATCH);
  CHECK(far_agent_restore(later, file, NULL) == FAR_STATUS_MISMATCH && far_agent_steps(later) == 0);
  far_agent_reset(same, 1, 0);
  CHECK(far_agent_steps(same) == 0 && get(same, FAR_VALUE_N, 0, 0) == 0);
  far_agent_free(agent);
  far_agent_free(same);
  far_agent_free(larger);
  far_agent_free(later);
}

/* The marks of absent states are saved, and two agents with different ones do not mix. */
static void test_absent_saved(void) {
  static unsigned char data[65536];
  const bool one[5] = {false, true, false, true, false}, two[5] = {false, true, false, false, true};
  far_shape shape = far_shape_default(5, 2);
  far_agent *plain = start("ucrl2", &shape), *loaded = NULL;
  shape.absent = one;
  far_agent *agent = start("ucrl2", &shape);
  shape.absent = two;
  far_agent *different = start("ucrl2", &shape);
  far_error error;
  CHECK(far_agent_observe(agent, &(far_transition){0, 0, 1, 2, false, false}, NULL) == FAR_OK);
  CHECK(far_agent_save(agent, file, NULL) == FAR_OK);
  CHECK(far_agent_load(&loaded, file, NULL) == FAR_OK && far_agent_steps(loaded) == 1);
  const far_shape *back = far_agent_shape(loaded);
  for (uint32_t s = 0; s < 5; ++s) CHECK(far_shape_is_live(back, s) == !one[s]);
  CHECK(far_shape_live(back) == 3);
  CHECK(far_agent_restore(agent, file, NULL) == FAR_OK);
  CHECK(far_agent_restore(plain, file, &error) == FAR_STATUS_MISMATCH);
  CHECK_CONTAINS(error.message, "other absent states");
  CHECK(far_agent_restore(different, file, NULL) == FAR_STATUS_MISMATCH);
  const size_t size = slurp(file, data, sizeof data), spec = strlen(far_agent_spec(agent));
  data[15 * 8 + (spec + 7) / 8 * 8] = 2; /* the first mark, neither true nor false */
  far_hash(data + size - 32, data, size - 32);
  spill(other, data, size);
  CHECK(load_fails(other, "absent states cannot be read") == FAR_STATUS_FORMAT);
  far_agent_free(plain);
  far_agent_free(agent);
  far_agent_free(different);
  far_agent_free(loaded);
}

/* A save that fails leaves the old file as it was, and nothing beside it. */
static void test_failed_save(void) {
  static unsigned char before[65536], after[65536];
  const far_shape shape = far_shape_default(2, 2);
  far_agent *agent = start("delayed-q", &shape);
  far_error error;
  CHECK(far_agent_save(agent, file, NULL) == FAR_OK);
  const size_t n = slurp(file, before, sizeof before);
  const struct rlimit small = {100, RLIM_INFINITY}, large = {RLIM_INFINITY, RLIM_INFINITY};
  signal(SIGXFSZ, SIG_IGN);
  CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0); /* as if the disk were full */
  CHECK(far_agent_save(agent, file, &error) == FAR_STATUS_IO);
  CHECK(setrlimit(RLIMIT_FSIZE, &large) == 0);
  CHECK(far_agent_save(agent, "/nonexistent/agent", &error) == FAR_STATUS_IO);
  CHECK_CONTAINS(error.message, "cannot write '/nonexistent/agent'");
  CHECK(far_agent_save(agent, path, &error) == FAR_STATUS_IO);
  CHECK(far_agent_save(agent, "/dev/full", &error) == FAR_STATUS_IO);
  CHECK_CONTAINS(error.message, "not a regular file");
  CHECK(slurp(file, after, sizeof after) == n && memcmp(before, after, n) == 0);
  far_agent_free(agent);
}

int main(void) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    test_monotone(seed, "directed-delayed-q:gamma=0.9,eps1=0.02,m=5,rho=0.3,lambda=2", false);
    test_monotone(seed, "directed-delayed-q:gamma=0.9,eps1=0.02,m=5,rho=0.3,lambda=2,learn=printed",
                  false);
    test_settled(seed);
  }
  test_monotone(1, "directed-delayed-q:gamma=0.9,eps1=0.02,m=5,rho=0.3,lambda=2,clamp=off", true);
  test_lockup();
  test_readings();
  test_paper_preset();
  test_theory_preset();
  test_warnings();
  test_plan_cost();
  test_observe();
  test_negative_rewards("delayed-q:gamma=0.95,m=2,eps1=0.01");
  test_negative_rewards("delayed-q-ie:m=2,eps1=0.01,rho=0.02");
  test_negative_rewards("directed-delayed-q:m=2,eps1=0.01,rho=0.02");
  test_negative_rewards("q-learning:gamma=0.95,alpha=0.1");
  CHECK(mkdtemp(path) != NULL);
  snprintf(file, sizeof file, "%s/agent", path);
  snprintf(other, sizeof other, "%s/other", path);
  test_save("directed-delayed-q:m=3,lambda=1");
  test_save("delayed-q:m=3");
  test_save("delayed-q-ie:m=3,rho=0.3");
  test_save("q-learning:decay=linear,epsilon=0.5");
  test_save("q-learning:temperature=0.2");
  test_damaged_files();
  test_impossible_states();
  test_impossible_rows("r-max", true);
  test_impossible_rows("ucrl2", false);
  test_impossible_rows("ucrl2b", false);
  test_mismatch();
  test_absent_saved();
  test_failed_save();
  unlink(file);
  unlink(other);
  CHECK(rmdir(path) == 0); /* nothing else was left behind */
  return check_report();
}
