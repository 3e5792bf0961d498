/* What every agent says about its parameters: whether a guarantee holds, and whether it can learn at
 * all. A line that begins with ! is severe. */
#include <farsight/farsight.h>

#include "check.h"

enum { S = 5, A = 3, H = 4 };

static void note(void *user, bool severe, const char *message) {
  char *heard = user;
  const size_t length = strlen(heard);
  snprintf(heard + length, 2000 - length, "%c %s\n", severe ? '!' : '-', message);
}

static void test_advice(const char *spec, const far_shape *shape, const char *expected) {
  char heard[2000] = "";
  CHECK(far_agent_check(spec, shape, note, heard, NULL) == FAR_OK);
  CHECK_TEXT(heard, expected);
}

/* With rewards in [-1, 1]. */
static const struct advice {
  const char *spec, *lines;
} ADVICE[] = {
    {"directed-delayed-q",
     "- optimism is not guaranteed (rho = 0.001633, theory requires 160.4)\n"
     "- an update that is due may be refused (a bonus of 0.0006766 can remain after one, "
     "eps1 = 2e-05)\n"},
    {"directed-delayed-q:preset=theory", ""},
    {"directed-delayed-q:preset=paper",
     "- optimism is not guaranteed (rho = 97.24, theory requires 156.7)\n"
     "- an update that is due may be refused (a bonus of 0.5106 can remain after one, "
     "eps1 = 0.05)\n"},
    {"directed-delayed-q:preset=theory,delay=full", ""},
    {"directed-delayed-q:delay=full",
     "- optimism is not guaranteed (m = 2, theory requires 4.666e+13)\n"
     "- an update that is due may be refused (a bonus of 0.0006766 can remain after one, "
     "eps1 = 2e-05)\n"},
    {"directed-delayed-q:preset=scaled,steps=1000000",
     "- optimism is not guaranteed (rho = 0.01633, theory requires 171.5)\n"
     "- an update that is due may be refused (a bonus of 0.0006766 can remain after one, "
     "eps1 = 2e-05)\n"},
    {"directed-delayed-q:preset=practical",
     "- optimism is not guaranteed (rho = 2.683, theory requires 109.8)\n"
     "- an update that is due may be refused (rho = 2.683, above eps1 sqrt(m) = 0.8944)\n"
     "- an update that is due may be refused (a bonus of 1.051 can remain after one, eps1 "
     "= 0.4)\n"},
    {"directed-delayed-q:e_rule=visit",
     "- nothing is proved of e_rule=visit: exploration values that are learned at every "
     "visit are not printed\n"
     "- optimism is not guaranteed (rho = 0.001633, theory requires 160.4)\n"},
    {"directed-delayed-q:bonus=sqrt",
     "- nothing is proved of bonus=sqrt: this bonus is not printed\n"
     "- optimism is not guaranteed (rho = 0.001633, theory requires 160.4)\n"},
    {"directed-delayed-q:threshold=0.1",
     "- nothing is proved of threshold = 0.1: an update is printed with eps1 = 2e-05\n"
     "- optimism is not guaranteed (rho = 0.001633, theory requires 160.4)\n"},
    {"directed-delayed-q:learn=printed",
     "- the mistake bound is not guaranteed (learn=printed can switch a pair off for ever "
     "while its value is wrong)\n"
     "- optimism is not guaranteed (rho = 0.001633, theory requires 160.4)\n"
     "- an update that is due may be refused (a bonus of 0.0006766 can remain after one, "
     "eps1 = 2e-05)\n"},
    {"directed-delayed-q:clamp=off",
     "- an update that is due may be refused (with clamp=off Q and E can rise)\n"
     "- optimism is not guaranteed (rho = 0.001633, theory requires 160.4)\n"
     "- an update that is due may be refused (a bonus of 0.0006766 can remain after one, "
     "eps1 = 2e-05)\n"},
    {"directed-delayed-q:lambda=0,clamp=off",
     "- optimism is not guaranteed (rho = 0.001633, theory requires 160.4)\n"},
    {"directed-delayed-q:eps1=0.5,m=16,rho=2.1",
     "- optimism is not guaranteed (rho = 2.1, theory requires 113.2)\n"
     "- an update that is due may be refused (rho = 2.1, above eps1 sqrt(m) = 2)\n"
     "- an update that is due may be refused (a bonus of 1.079 can remain after one, eps1 "
     "= 0.5)\n"},
    {"delayed-q", "- optimism is not guaranteed (m = 2, theory requires 4.666e+13)\n"},
    {"delayed-q:form=2006", "- optimism is not guaranteed (m = 2, theory requires 4.666e+13)\n"},
    {"delayed-q:preset=theory", ""},
    {"delayed-q:preset=practical,eps1=0.1",
     "- optimism is not guaranteed (m = 5, theory requires 1.185e+06)\n"},
    {"delayed-q:preset=practical",
     "- optimism is not guaranteed (m = 5, theory requires 6.712e+04)\n"},
    {"delayed-q:eps1=1",
     "! rounding decides whether it learns in a continuing problem: the first update of a pair has "
     "to lower its value by 2, and one reward can lower it by just as much; give a smaller eps1\n- "
     "optimism is not guaranteed (m = 2, theory requires 1.001e+04)\n"},
    {"delayed-q:eps1=1.1", "! it cannot learn in a continuing problem: the first update of a pair "
                           "would have to lower its value by 2.2, and one reward can lower it by 2 "
                           "at most\n- optimism is not guaranteed (m = 2, theory requires 8207)\n"},
    {"delayed-q-ie", "- optimism is not guaranteed (rho = 0.001633, theory requires 160.4)\n"},
    {"delayed-q-ie:preset=theory", ""},
    {"delayed-q-ie:preset=practical,eps1=0.1",
     "- optimism is not guaranteed (rho = 0.6708, theory requires 114.7)\n"
     "- an update that is due may be refused (rho = 0.6708, above eps1 sqrt(m) = 0.2236)\n"},
    {"delayed-q-ie:eps1=0.5,m=16,rho=6",
     "! rounding decides whether it learns in a continuing problem: the first update of a "
     "pair has to lower its value by 2, and one reward can lower it by just as much; give "
     "a smaller eps1 or rho\n"
     "- optimism is not guaranteed (rho = 6, theory requires 113.1)\n"
     "- an update that is due may be refused (rho = 6, above eps1 sqrt(m) = 2)\n"},
    {"delayed-q-ie:eps1=0.5,m=16,rho=7",
     "! it cannot learn in a continuing problem: the first update of a pair would have to "
     "lower its value by 2.25, and one reward can lower it by 2 at most\n"
     "- optimism is not guaranteed (rho = 7, theory requires 113.1)\n"
     "- an update that is due may be refused (rho = 7, above eps1 sqrt(m) = 2)\n"},
    {"q-learning", ""},
    {"q-learning:explore=softmax", ""},
    {"q-learning:step=polynomial", ""},
    {"q-learning:epsilon=0,q0=0", ""},
    {"q-learning:decay=linear", ""},
    {"q-learning:decay=state", ""},
    {"q-learning:temperature=1", ""},
    {"count-q", ""},
    {"count-q:place=choice", ""},
    {"count-q:step=constant", ""},
    {"count-q:beta=0,q0=0",
     "- with beta=0 only an initial value of rmax/(1-gamma) would make it explore\n"},
    {"count-q:beta=0,q0=21", ""},
    {"dora", ""},
    {"dora:rule=softmax", ""},
    {"dora:rule=epsilon", ""},
    {"dora:rule=lll-epsilon,epsilon=0",
     "- with epsilon=0 an action is tried once and then only if it is greedy\n"},
    {"dora:rule=softmax,beta=0",
     "- with beta=0 this rule makes no use of the exploration values\n"},
    {"dora:rule=lll-epsilon", ""},
    {"dora:rule=lll-softmax,beta=0.5", ""},
    {"ucb-q", "- optimism is not guaranteed (c = 0.0037, theory requires 113.2)\n- optimism is not "
              "guaranteed (log=off, theory requires log=on)\n- the mistake bound is not guaranteed "
              "(h = 20, theory requires 276.5 at eps = 4)\n"},
    {"ucb-q:preset=theory", ""},
    {"ucb-q:gamma=0.5", "- the mistake bound is not guaranteed (the theorem is for gamma > 1/2)\n"},
    {"ucb-q:gamma=0.4,log=on",
     "- the mistake bound is not guaranteed (the theorem is for gamma > 1/2)\n"},
    {"ucb-q:c=114,h=7",
     "- optimism is not guaranteed (log=off, theory requires log=on)\n- the mistake bound is not "
     "guaranteed (h = 7, theory requires 276.5 at eps = 4)\n"},
    {"ucb-q:c=114,h=280,log=on", ""},
    {"ucb-q:c=0.5,h=280,log=on", "- optimism is not guaranteed (c = 0.5, theory requires 113.2)\n"},
    {"speedy-q",
     "! it cannot learn if terminal states are among the states and not declared absent: "
     "a round ends when every pair has been visited, and theirs never are; form=step can\n"},
    {"speedy-q:form=step",
     "- convergence is not guaranteed (form=step; the theorem is for rounds)\n"},
    {"speedy-q:epsilon=0",
     "! it cannot learn if terminal states are among the states and not declared absent: "
     "a round ends when every pair has been visited, and theirs never are; form=step can\n"
     "- with epsilon=0 only the initial values make it explore, and they change when all "
     "pairs have been visited\n"},
    {"speedy-q:form=step,epsilon=0",
     "- convergence is not guaranteed (form=step; the theorem is for rounds)\n"
     "- with epsilon=0 only the initial values make it explore\n"},
    {"speedy-q:form=step,explore=softmax",
     "- convergence is not guaranteed (form=step; the theorem is for rounds)\n"},
    {"speedy-q:form=step,temperature=1",
     "- convergence is not guaranteed (form=step; the theorem is for rounds)\n"},
    {"bayes-q", ""},
    {"bayes-q:update=point,choice=vpi", ""},
    {"bayes-q:alpha0=0.5,update=point", ""},
    {"bayes-q:alpha0=0.6,update=point,choice=vpi", ""},
    {"ucb-h", "- optimism is not guaranteed (c = 0.001, theory requires 1)\n"
              "- optimism is not guaranteed (log=off, theory requires log=on)\n"},
    {"ucb-h:preset=theory", ""},
    {"ucb-h:c=1", "- optimism is not guaranteed (log=off, theory requires log=on)\n"},
    {"ucb-b", "- optimism is not guaranteed (c1 = 0.0033, c2 = 0.05; preset=theory has 2)\n"
              "- optimism is not guaranteed (tail = 0, theory requires 495.8)\n"
              "- optimism is not guaranteed (log=off, theory requires log=on)\n"},
    {"ucb-b:preset=theory", ""},
    {"ucb-b:c1=2,c2=1,tail=500,log=on",
     "- optimism is not guaranteed (c1 = 2, c2 = 1; preset=theory has 2)\n"},
    {"ucb-b:c1=1,c2=2,tail=500,log=on",
     "- optimism is not guaranteed (c1 = 1, c2 = 2; preset=theory has 2)\n"},
    {"ucbmq", "- optimism is not guaranteed (the bonus is that of the authors' experiments, not "
              "that of the proof)\n"},
    {"rand-ql", "- the regret is not bounded (form=step; the theorem is for form=staged)\n"},
    {"rand-ql:form=staged", ""},
    {"q-advantage",
     "- optimism is not guaranteed (c = 0.0015, tail = 0.5; preset=theory has 1 and 1)\n"
     "- optimism is not guaranteed (log=off, theory requires log=on)\n"},
    {"q-advantage:preset=theory", ""},
    {"q-advantage:c=1,tail=0.5,log=on",
     "- optimism is not guaranteed (c = 1, tail = 0.5; preset=theory has 1 and 1)\n"},
    {"q-advantage:c=0.5,tail=1,log=on",
     "- optimism is not guaranteed (c = 0.5, tail = 1; preset=theory has 1 and 1)\n"},
    {"r-max", "- its bound is not guaranteed (m = 20, theory requires 1.136e+07)\n"},
    {"r-max:plan=rtdp", "- its bound is not guaranteed (m = 20, theory requires 1.136e+07)\n"},
    {"r-max:preset=theory,eps=1", ""},
    {"r-max:preset=theory,eps=1,m=5",
     "- its bound is not guaranteed (m = 5, theory requires 1.818e+08)\n"},
    {"v-max", "- its bound is not guaranteed (m = 20, theory requires 1.136e+07)\n"},
    {"v-max:preset=theory,eps=1", ""},
    {"mbie", "- its bound is not guaranteed (a = 0.011, theory requires 3.365)\n"
             "- its bound is not guaranteed (b = 0.55, theory requires 7.222)\n"},
    {"mbie:preset=theory,eps=1", ""},
    {"mbie:preset=theory,eps=1,m=5,a=1,b=1",
     "- its bound is not guaranteed (a = 1, theory requires 2.001)\n"
     "- its bound is not guaranteed (b = 1, theory requires 4.784)\n"},
    {"mbie:a=3.4,b=0.55", "- its bound is not guaranteed (b = 0.55, theory requires 7.222)\n"},
    {"mbie:a=0.5,b=7.3", "- its bound is not guaranteed (a = 0.5, theory requires 3.365)\n"},
    {"mbie-eb", "- its bound is not guaranteed (beta = 0.16, theory requires 132.6)\n"},
    {"mbie-eb:preset=theory,eps=1", ""},
    {"beb", "- its bound is not guaranteed (beta = 6, theory requires 1600)\n"},
    {"beb:preset=theory", ""},
    {"beb:preset=theory,eps=1", ""},
    {"oim", "- its bound is not guaranteed (ve = 40; in stochastic problems theory requires the "
            "order of Vmax^2/(eps (1-gamma)), Vmax = 40)\n"},
    {"oim:ve=1", "- optimism is not guaranteed (ve = 1, values can be as large as 40)\n"},
    {"oim:ve=7.9", "- optimism is not guaranteed (ve = 7.9, values can be as large as 40)\n"},
    {"mormax", "- its bound is not guaranteed (m = 20, theory requires 1.296e+09)\n"},
    {"mormax:preset=theory,eps=1", ""},
    {"e3", "- its bound is not guaranteed (m = 20, theory requires 1.136e+07)\n"},
    {"e3:preset=theory,eps=1", ""},
    {"ucrl2", "- its bound is not guaranteed (scale = 0.018, theory requires 1)\n"},
    {"ucrl2:scale=1", ""},
    {"ucrl2b", "- its bound is not guaranteed (scale = 0.0061, theory requires 1)\n"},
    {"ucrl2b:preset=theory", ""},
    {"kl-ucrl", "- its bound is not guaranteed (scale = 0.0166, theory requires 1)\n"
                "- its bound is not guaranteed (scale_r = 0.04, theory requires 1)\n"},
    {"kl-ucrl:scale=1,scale_r=0.5",
     "- its bound is not guaranteed (scale_r = 0.5, theory requires 1)\n"},
    {"kl-ucrl:preset=theory", ""},
    {"ucrl3", "- its bound is not guaranteed (scale = 0.02, theory requires 1)\n"},
    {"ucrl3:scale=1", ""},
    {"ucrl3:preset=theory", ""},
    {"ucrl3:preset=theory,sure=half",
     "- its bound is not guaranteed (sure=half; the theorem has sure=interval)\n"},
    {"imed-rl", ""},
    {"ucrl-gamma", "- its bound is not guaranteed (l1 = 0.5, theory requires 9.722)\n"},
    {"ucrl-gamma:preset=theory,eps=1", ""},
    {"ucrl-gamma:preset=theory,eps=1,batch=3,delay=2,l1=1,a=1",
     "- its bound is not guaranteed (l1 = 1, theory requires 9.876)\n"},
    {"ucbvi-gamma", "- its bound is not guaranteed (u = 0.01, theory requires 46.77)\n- its bound "
                    "is not guaranteed (b = 0, theory requires 100)\n"},
    {"ucbvi-gamma:preset=theory", ""},
    {"ucbvi-gamma:preset=theory,steps=1000", ""},
    {"psrl", ""},
    {"psrl:resample=fixed", ""},
    {"psrl:resample=tsde", ""},
    {"rlsvi", ""},
    {"rlsvi:resample=fixed", ""},
    {"ucbvi", "- its bound is not guaranteed (scale = 0.05, theory requires 1)\n"},
    {"ucbvi:preset=theory", ""},
    {"ucbvi:preset=theory,constants=2017", ""},
    {"ucbvi:stages=apart", "- its bound is not guaranteed (scale = 0.05, theory requires 1)\n"},
    {"ucbvi:bonus=hoeffding", "- its bound is not guaranteed (scale = 0.01, theory requires 1)\n"},
    {"ucbvi:l=1,scale=1", "- its bound is not guaranteed (l = 1, theory requires 17.22)\n"},
    {"ucbvi:preset=theory,delta=0.01,episodes=5000", ""},
    {"mvp", "- its bound is not guaranteed (scale = 0.0011, theory requires 1)\n"},
    {"mvp:preset=theory", ""},
    {"mvp:stages=apart", "- its bound is not guaranteed (scale = 0.0011, theory requires 1)\n"},
    {"mvp:l=1,scale=1", "- its bound is not guaranteed (l = 1, theory requires 31.51)\n"},
    {"mvp:preset=theory,delta=0.01,episodes=5000", ""},
    {"ubev", "- its bound is not guaranteed (scale = 0.1, theory requires 1)\n"},
    {"ubev:preset=theory", ""},
    {"ubev:l=1,scale=1", "- its bound is not guaranteed (l = 1, theory requires 9.288)\n"},
    {"orlc", "- its bound is not guaranteed (correction = 0.001111, theory requires 1)\n"},
    {"orlc:preset=theory", ""},
    {"orlc:l=1,scale=1,correction=1",
     "- its bound is not guaranteed (l = 1, theory requires 10.58)\n"},
    {"orlc:l=11,scale=1,correction=0.5",
     "- its bound is not guaranteed (correction = 0.5, theory requires 1)\n"},
    {"bpi-ucbvi", "- its bound is not guaranteed (scale = 0.0064, theory requires 1)\n"},
    {"bpi-ucbvi:preset=theory", ""},
    {"bpi-ucbvi:scale=1", "- its bound is not guaranteed (dim = 1, theory requires 6)\n"},
    {"bpi-ucbvi:scale=1,dim=6", "- its bound is not guaranteed (c = 1, theory requires 224)\n"},
    {"bpi-ucbvi:eps=0.4", "- its bound is not guaranteed (scale = 0.0064, theory requires 1)\n"},
    {"psrl-episodic", ""},
    {"rlsvi-episodic", ""},
    {"rf-express", "- its bound is not guaranteed (scale = 0.014, theory requires 1)\n"},
    {"rf-express:preset=theory", ""},
    {"rf-express:scale=1", "- its bound is not guaranteed (dim = 1, theory requires 6)\n"},
    {"rf-express:scale=1,dim=6",
     "- its bound is not guaranteed (c = 0.0108, theory requires 240)\n"},
    {"rf-ucrl", "- its bound is not guaranteed (scale = 0.001437, theory requires 1)\n"},
    {"rf-ucrl:preset=theory", ""},
    {"rf-ucrl:scale=1", "- its bound is not guaranteed (dim = 1, theory requires 5)\n"},
    {"bayes-ucbvi", ""},
    {"random", ""},
    {"optimal", ""},
    {"optimal:criterion=discounted", ""},
};

static far_shape shape_of(const char *spec) {
  const far_type_info *type = far_spec_type(far_agent_type, spec);
  return SHAPE(S, A, -1, 1, true, NULL, type != NULL && type->finite_horizon ? H : 0);
}

/* ---- other problems ---- */

static void test_times_of_plans(void) {
  static const struct {
    const char *gamma, *sweeps, *time;
  } plans[] = {{"0.9999", "2.5e+05", "25.3 s"},         {"0.999999", "3.3e+07", "55.5 min"},
               {"0.9999999", "3.3e+08", "9.24 h"},      {"0.99999999", "3.3e+09", "3.85 days"},
               {"0.9999999999", "3.3e+11", "385 days"}, {"0.99999999999", "3.3e+12", "10.5 years"}};
  const far_shape shape = far_shape_default(1000, 10);
  for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i) {
    char spec[80], line[300];
    snprintf(spec, sizeof spec, "oim:ve=1e300,gamma=%s", plans[i].gamma);
    snprintf(line, sizeof line,
             "! one plan may take %s sweeps of 10000 pairs, about %s at 10^8 backups a second; a "
             "smaller gamma or a larger tol makes it shorter\n",
             plans[i].sweeps, plans[i].time);
    char heard[2000] = "";
    CHECK(far_agent_check(spec, &shape, note, heard, NULL) == FAR_OK);
    CHECK_CONTAINS(heard, line);
  }
}

/* One sweep of 10^9 pairs is not too long, and a pair more is. */
static void test_one_sweep(void) {
  if (NARROW) return; /* no room for so many */
  for (uint32_t more = 0; more < 2; ++more) {
    const far_shape shape = far_shape_default(1000000000 + more, 1);
    char heard[2000] = "";
    CHECK(far_agent_check("r-max:m=5,gamma=0.5,tol=1000", &shape, note, heard, NULL) == FAR_OK);
    CHECK((strchr(heard, '!') != NULL) == (more == 1));
    if (more == 1) CHECK_CONTAINS(heard, "may take 1 sweeps of 1000000001 pairs, about 10 s at");
  }
}

/* A plan of a finite horizon is S A H backups: 10^8 are not too many, and one stage more is. */
static void test_long_episodes(void) {
  far_shape shape = SHAPE(50000, 100, -1, 1, true, NULL, 20);
  test_advice("psrl-episodic", &shape, "");
  shape.horizon = 21;
  test_advice("psrl-episodic", &shape,
              "! a plan takes 1e+08 backups, and there may be one after every episode; a larger "
              "replan makes fewer\n");
}

/* Rounds end where terminal states are declared absent, or there are none. */
static void test_rounds(void) {
  const bool absent[S] = {[4] = true};
  test_advice("speedy-q:form=round", &SHAPE(S, A, -1, 1, true, absent, 0), "");
  test_advice("speedy-q:form=round", &SHAPE(S, A, -1, 1, false, NULL, 0), "");
}

/* Who neither plans by steps nor is a baseline says that it takes no notice of a horizon. */
static void test_horizon(void) {
  const far_shape shape = SHAPE(S, A, -1, 1, true, NULL, H);
  test_advice(
      "q-learning", &shape,
      "- it takes no notice of the horizon: it learns as if episodes went on where they are "
      "cut\n");
  test_advice("random", &shape, "");
  test_advice("optimal", &shape, "");
}

/* An absent state is not counted: theory asks for fewer samples. */
static void test_absent(void) {
  const bool absent[S] = {[4] = true};
  test_advice("r-max:m=20", &SHAPE(S, A, -1, 1, true, absent, 0),
              "- its bound is not guaranteed (m = 20, theory requires 1.027e+07)\n");
}

/* ---- problems that are refused ---- */

static void test_refused(const char *spec, far_shape shape, const char *why) {
  far_error error = {0};
  const far_status status = far_agent_check(spec, &shape, NULL, NULL, &error);
  CHECK(status == FAR_STATUS_RANGE || status == FAR_STATUS_MEMORY);
  CHECK(error.code == status && error.position == -1); /* the spec is not to blame */
  CHECK_TEXT(error.message, why);
}

#define EMPTY_RANGE(range)                                                                         \
  "the reward range [" range "] must be finite and not empty; a model file whose rewards are all " \
  "equal must name its reward_range, as in [0, 1]"

/* Values that exceed every number, whatever else an agent's parameters are. */
static void test_too_large(void) {
  static const char *const discounted[] = {"directed-delayed-q",
                                           "delayed-q",
                                           "delayed-q-ie",
                                           "count-q",
                                           "ucb-q",
                                           "bayes-q",
                                           "r-max",
                                           "v-max",
                                           "mbie",
                                           "mbie-eb",
                                           "beb",
                                           "oim",
                                           "mormax",
                                           "e3",
                                           "psrl",
                                           "ucrl-gamma",
                                           "ucbvi-gamma",
                                           "rlsvi"};
  static const char *const episodic[] = {"ucb-h", "ucb-b", "ucbmq", "rand-ql", "q-advantage"};
  char spec[80];
  for (size_t i = 0; i < sizeof discounted / sizeof *discounted; ++i) {
    snprintf(spec, sizeof spec, "%s:gamma=0.9921875", discounted[i]); /* 1 - 2^-7 */
    test_refused(spec, SHAPE(2, 2, 0, 0x1p1020, true, NULL, 0),
                 "the largest value, range/(1-gamma) = 1.12356e+307/(1-0.992188), exceeds every "
                 "number");
  }
  for (size_t i = 0; i < sizeof episodic / sizeof *episodic; ++i)
    test_refused(episodic[i], SHAPE(2, 2, 0, 1e307, true, NULL, 20),
                 "the largest value, range x horizon = 1e+307 x 20, exceeds every number");
}

static void test_refused_shapes(void) {
  const uint32_t many = 1u << 20;
  test_refused("q-learning", SHAPE(0, 2, -1, 1, true, NULL, 0),
               "the number of states must be at least 1");
  test_refused("q-learning", SHAPE(2, 0, -1, 1, true, NULL, 0),
               "the number of actions must be at least 1");
  test_refused("q-learning", SHAPE(2, 2, 0, 1, true, NULL, -1),
               "a horizon of -1 steps is outside 1 ... 1000000000 (0: there is none)");
  test_refused("q-learning", SHAPE(2, 2, 0, 1, true, NULL, 1000000001),
               "a horizon of 1000000001 steps is outside 1 ... 1000000000 (0: there is none)");
  test_refused("q-learning", SHAPE(2, 2, 0, 0, true, NULL, 0), EMPTY_RANGE("0, 0"));
  test_refused("q-learning", SHAPE(2, 2, 1, 1, false, NULL, 0), EMPTY_RANGE("1, 1"));
  test_refused("q-learning", SHAPE(2, 2, -1e308, 1e308, true, NULL, 0),
               EMPTY_RANGE("-1e+308, 1e+308"));
  test_refused("q-learning",
               (far_shape){.n_states = 2,
                           .n_actions = 2,
                           .reward_min = 0,
                           .reward_max = 1,
                           .episodic = true,
                           .absent = (const bool[]){true, true},
                           .horizon = 0},
               "every state is absent: one must be live");
  test_refused("ucbmq", SHAPE(3000, 100, -1, 1, true, NULL, 10),
               "ucbmq keeps a value of every state for every pair and step, here 9e+09 numbers; it "
               "has room for 2^31");
  test_refused("ucb-h", SHAPE(many, 32, -1, 1, true, NULL, 65),
               NARROW
                   ? "1048576 states x 32 actions are too many for this machine"
                   : "1048576 states x 32 actions x 65 steps are too many: an agent that plans by "
                     "steps has room for 2^31");
  const far_shape fits = SHAPE(many, 32, -1, 1, true, NULL, 64);
  CHECK(far_agent_check("ucb-h", &fits, NULL, NULL, NULL) == (NARROW ? FAR_STATUS_MEMORY : FAR_OK));
}

int main(void) {
  for (size_t i = 0; i < sizeof ADVICE / sizeof *ADVICE; ++i) {
    const far_shape shape = shape_of(ADVICE[i].spec);
    test_advice(ADVICE[i].spec, &shape, ADVICE[i].lines);
  }
  test_times_of_plans();
  test_one_sweep();
  test_long_episodes();
  test_rounds();
  test_horizon();
  test_absent();
  test_refused_shapes();
  test_too_large();
  return check_report();
}
