/* The spec parser as seen through agents and environments: what it accepts, and that every refusal
 * says what, where, and what would be right. */
#include <farsight/farsight.h>

#include "base/spec.h"
#include "check.h"
#include "horizons.h"

static const far_shape shape = {.n_states = 10,
                                .n_actions = 2,
                                .reward_min = 0,
                                .reward_max = 1,
                                .episodic = true,
                                .absent = NULL,
                                .horizon = 0};

static void refused(const char *spec, far_status code, int position, const char *part) {
  far_agent *agent;
  far_error error = {FAR_OK, -2, ""};
  const far_status status = far_agent_create(&agent, spec, &shape, 1, 0, &error);
  CHECK(status == code);
  CHECK(error.code == code);
  CHECK(agent == NULL);
  if (error.position != position)
    printf("%s: position %d: %s\n", spec, error.position, error.message);
  CHECK(error.position == position);
  CHECK_CONTAINS(error.message, part);
  far_agent_free(agent);
}

static void resolved(const char *spec, const char *expected) {
  far_agent *agent, *again;
  far_error error = {0};
  CHECK(far_agent_create(&agent, spec, &shape, 1, 0, &error) == FAR_OK);
  if (agent == NULL) {
    printf("%s: %s\n", spec, error.message);
    return;
  }
  CHECK_TEXT(far_agent_spec(agent), expected);
  CHECK(far_agent_create(&again, far_agent_spec(agent), &shape, 1, 0, &error) == FAR_OK);
  CHECK_TEXT(far_agent_spec(again), far_agent_spec(agent)); /* canonical: a fixed point */
  far_agent_free(agent);
  far_agent_free(again);
}

static void test_refusals(void) {
  refused("", FAR_STATUS_SYNTAX, 0, "missing");
  refused("delayd-q", FAR_STATUS_UNKNOWN, 0, "did you mean 'delayed-q'?");
  refused("PSRL", FAR_STATUS_UNKNOWN, 0, "did you mean 'psrl'?");
  refused("DELAYED-Q:m=5", FAR_STATUS_UNKNOWN, 0, "did you mean 'delayed-q'?");
  refused("xyzzy", FAR_STATUS_UNKNOWN, 0, "there are: directed-delayed-q");
  refused("delayed-q:", FAR_STATUS_SYNTAX, 10, "missing");
  refused("delayed-q:m", FAR_STATUS_SYNTAX, 11, "no value");
  refused("delayed-q:m=", FAR_STATUS_SYNTAX, 12, "no value");
  refused("delayed-q:=5", FAR_STATUS_SYNTAX, 10, "missing");
  refused("delayed-q:m=5,", FAR_STATUS_SYNTAX, 14, "missing");
  refused("delayed-q:m=5,,eps1=1", FAR_STATUS_SYNTAX, 14, "missing");
  refused("delayed-q:m=5,m=6", FAR_STATUS_SYNTAX, 14, "twice");
  refused("few=delayed-q:m=5", FAR_STATUS_SYNTAX, 0, "'few' here, is for studies");
  refused("few=dq:m=5", FAR_STATUS_SYNTAX, 3, "unknown agent 'few=dq'");
  refused("delayed-q:m=5:eps1=1", FAR_STATUS_SYNTAX, 13, "commas, as in 'delayed-q:m=5,eps1=1'");
  refused("delayed-q:m=5 eps1=1", FAR_STATUS_SYNTAX, 13, "commas, as in 'delayed-q:m=5,eps1=1'");
  refused("delayed-q:gamma=0.5;m=5", FAR_STATUS_SYNTAX, 19,
          "commas, as in 'delayed-q:gamma=0.5,m=5'");
  refused("delayed-q:m=5:nothing=1", FAR_STATUS_SYNTAX, 12, "whole number");
  refused("delayed-q:m=1.5", FAR_STATUS_RANGE, 12, "whole number");
  refused("delayed-q:m=0", FAR_STATUS_RANGE, 12, "whole number in [1,");
  refused("delayed-q:m=-3", FAR_STATUS_RANGE, 12, "whole number");
  refused("delayed-q:m=five", FAR_STATUS_SYNTAX, 12, "whole number");
  refused("delayed-q:gamma=1", FAR_STATUS_RANGE, 16, "in [0, 1)");
  refused("delayed-q:gamma=nan", FAR_STATUS_SYNTAX, 16, "in [0, 1)");
  refused("delayed-q:eps1=inf", FAR_STATUS_RANGE, 15, "above 0");
  refused("delayed-q:eps1=0", FAR_STATUS_RANGE, 15, "above 0");
  refused("delayed-q:gama=0.9", FAR_STATUS_UNKNOWN, 10, "did you mean 'gamma'?");
  refused("delayed-q:ties=first", FAR_STATUS_SYNTAX, 15, "one of random, lowest, highest");
  refused("delayed-q:eps=1", FAR_STATUS_CONFLICT, 10,
          "eps applies only with preset=theory, as in delayed-q:preset=theory,eps=1");
  refused("r-max:m=3,delta=0.1", FAR_STATUS_CONFLICT, 10, "as in r-max:preset=theory,delta=0.1");
  refused("delayed-q:preset=theory,eps=1,eps1=0.1", FAR_STATUS_CONFLICT, 24, "eps1, which follows");
  refused("delayed-q:m=9007199254740993", FAR_STATUS_RANGE, 12, "9007199254740992");
  refused("directed-delayed-q:eta=0.5,e0=0.7", FAR_STATUS_CONFLICT, 30, "at most eta");
  refused("directed-delayed-q:eps1=2", FAR_STATUS_CONFLICT, 24, "eta = 1 - eps1/range = -1");
  refused("directed-delayed-q:preset=theory,eps=1e-9", FAR_STATUS_RANGE, -1, "larger eps");
  refused("q-learning:temperature=1,epsilon=0.1", FAR_STATUS_CONFLICT, 25, "explore=epsilon");
  refused("q-learning:omega=0.7", FAR_STATUS_CONFLICT, 11, "step=polynomial");
  refused("q-learning:c=2", FAR_STATUS_CONFLICT, 11, "decay=state");
  refused("delayed-q,m=5", FAR_STATUS_SYNTAX, 9, "a colon follows the name");
  refused("q-learning:q0=inf", FAR_STATUS_RANGE, 14, "must be");
}

static void test_long_and_strange(void) {
  char text[3000];
  memset(text, 'x', sizeof text);
  text[sizeof text - 1] = '\0';
  refused(text, FAR_STATUS_SYNTAX, 1024, "at most 1023 characters");
  text[500] = '\0';
  refused(text, FAR_STATUS_UNKNOWN, 0, "xxx...");
  refused("delayed-q\n", FAR_STATUS_UNKNOWN, 0, "delayed-q?");
}

static void test_canonical(void) {
  resolved("delayed-q:preset=practical", "delayed-q:gamma=0.95,eps1=0.2,m=5,form=2009,ties=random");
  resolved("delayed-q:gamma=0.75", "delayed-q:gamma=0.75,eps1=5e-05,m=8,form=2009,ties=random");
  resolved("delayed-q:preset=practical,ties=lowest,m=1e3",
           "delayed-q:gamma=0.95,eps1=0.2,m=1000,form=2009,ties=lowest");
  resolved("directed-delayed-q:preset=practical,lambda=0",
           "directed-delayed-q:gamma=0.95,eps1=0.2,m=5,lambda=0,eta=0.8,e0=0.8,gamma_e=0.99,"
           "rho=1.341640786499874,delay=interval,learn=2009,clamp=on,ties=random");
  resolved("q-learning:temperature=inf",
           "q-learning:gamma=0.95,q0=0,step=constant,alpha=0.45,explore=softmax,temperature=inf");
  resolved("q-learning:decay=linear,step=polynomial",
           "q-learning:gamma=0.95,q0=0,step=polynomial,omega=0.8,offset=0,explore=epsilon,"
           "decay=linear,epsilon=0.1,epsilon_end=0,decay_steps=10000,ties=random");
}

static void test_shapes(void) {
  const far_shape bad[] = {SHAPE(0, 2, 0, 1, true, NULL, 0),
                           SHAPE(2, 0, 0, 1, true, NULL, 0),
                           SHAPE(2, 2, 0, 0, true, NULL, 0),
                           SHAPE(2, 2, 1, 0, true, NULL, 0),
                           SHAPE(2, 2, NAN, 1, true, NULL, 0),
                           SHAPE(2, 2, 0, INFINITY, true, NULL, 0),
                           SHAPE(UINT32_MAX, UINT32_MAX, 0, 1, true, NULL, 0)};
  far_agent *agent;
  far_error error;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    CHECK(far_agent_create(&agent, "delayed-q", &bad[i], 1, 0, &error) != FAR_OK);
    CHECK(agent == NULL && error.message[0] != '\0');
  }
  CHECK(far_agent_create(&agent, "nonsense", &shape, 1, 0, NULL) == FAR_STATUS_UNKNOWN);
}

static void test_environments(void) {
  far_mdp *mdp;
  far_error error;
  CHECK(far_mdp_create(&mdp, "chian", &error) == FAR_STATUS_UNKNOWN);
  CHECK_CONTAINS(error.message, "unknown environment 'chian'; did you mean 'chain'?");
  CHECK(far_mdp_create(&mdp, "riverswim.drn", &error) == FAR_STATUS_UNKNOWN);
  CHECK_CONTAINS(error.message, "named by file:PATH, as in 'file:riverswim.drn'");
  CHECK(far_mdp_create(&mdp, "my models/a b.Pomdp", &error) == FAR_STATUS_UNKNOWN);
  CHECK_CONTAINS(error.message, "as in 'file:my models/a b.Pomdp'");
  CHECK(far_mdp_create(&mdp, "chain:n=1", &error) == FAR_STATUS_RANGE);
  CHECK(error.position == 8);
  CHECK(far_mdp_create(&mdp, "chain:slip=1.1", &error) == FAR_STATUS_RANGE);
  CHECK(far_mdp_create(&mdp, "chain:n=50", &error) == FAR_OK);
  CHECK_TEXT(far_mdp_spec(mdp), "chain:n=50,slip=0.2,left=0.001,right=1");
  far_mdp_free(mdp);
}

/* Every default in every table lies within its own bounds and is reported in the listing. */
static void test_tables(void) {
  for (size_t i = 0; far_agent_type(i) != NULL; ++i) {
    const far_type_info *info = far_agent_type(i);
    const far_shape own = shape_for(info->name, shape);
    CHECK(far_agent_check(info->name, &own, NULL, NULL, NULL) == FAR_OK);
    CHECK(info->summary && info->reference && info->guarantee && info->n_params <= 32);
    CHECK(info->baseline || !info->peeks);
    for (size_t k = 0; k < info->n_params; ++k) {
      char bounds[160];
      far__param_bounds(bounds, sizeof bounds, &info->params[k]);
      CHECK(bounds[0] != '\0' && info->params[k].help && info->params[k].fallback);
    }
  }
}

static void test_texts(void) {
  char out[FAR_SPEC_SIZE], full[FAR_SPEC_SIZE];
  far_error error;
  size_t length = 7;
  CHECK_TEXT(far_spec_type(far_mdp_family, "chain:n=5")->name, "chain");
  CHECK_TEXT(far_spec_type(far_agent_type, "psrl")->name, "psrl");
  CHECK(far_spec_type(far_agent_type, "psr") == NULL && far_spec_type(far_agent_type, "") == NULL);
  CHECK(far__spec_same_type("chain:n=5", "chain") && !far__spec_same_type("chain", "chains:n=5"));
  const far_type_info *chain = far_spec_type(far_mdp_family, "chain");
  CHECK_TEXT(far_type_param(chain, "n=5", 1)->name, "n");
  CHECK(far_type_param(chain, "nn", 2) == NULL && far_type_param(NULL, "n", 1) == NULL);
  const char *spec = "chain:slip=0.2,n=50";
  CHECK(far_spec_value(spec, "n", &length) == spec + 17 && length == 2);
  CHECK(far_spec_value(spec, "slip", &length) == spec + 11 && length == 3);
  CHECK(far_spec_value(spec, "sl", &length) == NULL && length == 3);
  CHECK(far_spec_value("n=5", "n", &length) == NULL);
  CHECK(far_spec_with(out, "chain", "n", "5", &error) == FAR_OK);
  CHECK_TEXT(out, "chain:n=5");
  CHECK(far_spec_with(out, "chain:", "n", "5", &error) == FAR_OK);
  CHECK_TEXT(out, "chain:n=5");
  CHECK(far_spec_with(out, spec, "slip", "0.25", &error) == FAR_OK);
  CHECK_TEXT(out, "chain:slip=0.25,n=50");
  CHECK(far_spec_with(out, spec, "left", "1", &error) == FAR_OK);
  CHECK_TEXT(out, "chain:slip=0.2,n=50,left=1");
  static const char *const cuts[][3] = {{"chain:n=5", "n", "chain"},
                                        {"chain:n=5,slip=0.2", "n", "chain:slip=0.2"},
                                        {"chain:slip=0.2,n=5", "n", "chain:slip=0.2"},
                                        {"chain:slip=0.2,n=5,left=1", "n", "chain:slip=0.2,left=1"},
                                        {"chain:slip=0.2", "n", "chain:slip=0.2"}};
  for (size_t i = 0; i < sizeof cuts / sizeof *cuts; ++i) {
    CHECK(far__spec_without(out, cuts[i][0], cuts[i][1], &error) == FAR_OK);
    CHECK_TEXT(out, cuts[i][2]);
  }
  memset(full, 'x', sizeof full - 1);
  full[sizeof full - 1] = '\0';
  CHECK(far_spec_with(out, full, "n", "5", &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "longer than");
  CHECK(far__spec_without(out, full, "n", &error) == FAR_OK);
}

int main(void) {
  test_texts();
  test_refusals();
  test_long_and_strange();
  test_canonical();
  test_shapes();
  test_environments();
  test_tables();
  return check_report();
}
