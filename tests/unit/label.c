/* Labels: the shortest spec that stands for a canonical one, and keys that tell labels apart. */
#include <farsight/lab.h>

#include "check.h"
#include "horizons.h"
#include "questions/listing/label.h"

/* What is typed, resolved and shortened again. */
static const char *agent_again(const char *typed, const far_shape *shape) {
  static char label[FAR_SPEC_SIZE];
  char canonical[FAR_SPEC_SIZE];
  CHECK(far_agent_resolve(canonical, typed, shape, NULL) == FAR_OK);
  CHECK(far__agent_label(label, canonical, shape, NULL) == FAR_OK);
  return label;
}

static const char *env_again(const char *typed) {
  static char label[FAR_SPEC_SIZE];
  char canonical[FAR_SPEC_SIZE];
  CHECK(far_mdp_resolve(canonical, typed, NULL) == FAR_OK);
  CHECK(far__env_label(label, canonical, NULL) == FAR_OK);
  return label;
}

static void shortened(void) {
  const far_shape shape = far_shape_default(6, 2);
  CHECK_TEXT(agent_again("r-max", &shape), "r-max");
  CHECK_TEXT(agent_again("r-max:gamma=0.95,m=5", &shape), "r-max:m=5");
  CHECK_TEXT(agent_again("delayed-q:preset=theory", &shape), "delayed-q:preset=theory");
  CHECK_TEXT(env_again("chain"), "chain");
  CHECK_TEXT(env_again("chain:n=10"), "chain");
  CHECK_TEXT(env_again("chain:n=5"), "chain:n=5");
  CHECK_TEXT(env_again("file:models/a.mdp"), "file:models/a.mdp");
}

/* Every agent's defaults are its bare name, on any shape. */
static void every_type(void) {
  const far_shape shape = far_shape_default(4, 3);
  for (size_t i = 0; far_agent_type(i) != NULL; ++i) {
    const far_shape own = shape_for(far_agent_type(i)->name, shape);
    CHECK_TEXT(agent_again(far_agent_type(i)->name, &own), far_agent_type(i)->name);
  }
  for (size_t i = 0; far_mdp_family(i) != NULL; ++i)
    if (!far_mdp_family(i)->bare)
      CHECK_TEXT(env_again(far_mdp_family(i)->name), far_mdp_family(i)->name);
}

/* What is no spec of this version is copied, and cut where it is too long. */
static void foreign(void) {
  const far_shape shape = far_shape_default(6, 2);
  char label[FAR_SPEC_SIZE], name[2000];
  CHECK(far__agent_label(label, "dqn (theirs)", &shape, NULL) == FAR_OK);
  CHECK_TEXT(label, "dqn (theirs)");
  CHECK(far__agent_label(label, "r-max:old=1", &shape, NULL) == FAR_OK);
  CHECK_TEXT(label, "r-max:old=1");
  memset(name, 'x', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  CHECK(far__env_label(label, name, NULL) == FAR_OK);
  CHECK(strlen(label) == FAR_SPEC_SIZE - 1);
}

static void distinguished(void) {
  static const char canonical[] = "r-max:gamma=0.95,m=20,plan=full,tol=0.002,ties=random";
  const char *const others[] = {"r-max", "r-max:m=5", "psrl:prior=2"};
  char label[FAR_SPEC_SIZE];
  far__label_distinguish(label, "r-max", canonical, others, 3);
  CHECK_TEXT(label, "r-max:m=20");
  far__label_distinguish(label, "r-max", canonical, others, 1);
  CHECK_TEXT(label, "r-max");
  far__label_distinguish(label, "theirs", "theirs", others, 3);
  CHECK_TEXT(label, "theirs");
}

/* What version 1.0 called by a bare name is one label, whatever its parameters came to on an environment. */
static void of_version_1(void) {
  static const char *const envs[] = {"chain:n=10", "frozen-lake", "riverswim"};
  static const char *const given[] = {
      "directed-delayed-q:gamma=short,steps=10000", "delayed-q-ie:gamma=short,steps=10000",
      "directed-delayed-q:gamma=short,steps=10000,m=5", "psrl", "r-max:m=5"};
  for (size_t e = 0; e < sizeof envs / sizeof *envs; ++e) {
    far_mdp *mdp = NULL;
    CHECK(far_mdp_create(&mdp, envs[e], NULL) == FAR_OK);
    if (mdp == NULL) continue;
    const far_shape shape = far_shape_for(far_mdp_shape(mdp), 5000, 0);
    for (size_t i = 0; i < sizeof given / sizeof *given; ++i) {
      char canonical[FAR_SPEC_SIZE], label[FAR_SPEC_SIZE], again[FAR_SPEC_SIZE];
      CHECK(far_agent_resolve(canonical, given[i], &shape, NULL) == FAR_OK);
      CHECK(far__agent_label_stored(label, canonical, &shape, 2, NULL) == FAR_OK);
      CHECK_TEXT(label, given[i]);
      CHECK(far_agent_resolve(again, label, &shape, NULL) == FAR_OK);
      CHECK_TEXT(again, canonical);
      const char *const others[] = {label, "directed-delayed-q:m=7,rho=0.1"};
      far__label_distinguish(again, label, canonical, others, 2);
      if (strstr(label, "short") != NULL) CHECK_TEXT(again, label);
    }
    char label[FAR_SPEC_SIZE], canonical[FAR_SPEC_SIZE];
    CHECK(far_agent_resolve(canonical, "directed-delayed-q", &shape, NULL) == FAR_OK);
    CHECK(far__agent_label_stored(label, canonical, &shape, 3, NULL) == FAR_OK);
    CHECK_TEXT(label, "directed-delayed-q");
    far_mdp_free(mdp);
  }
}

static void brief(void) {
  const char *const all[] = {"q-learning:alpha=0.1,q0=1", "q-learning:alpha=0.1,q0=2", "r-max:m=5",
                             "theirs (v: 2, old)"};
  char label[FAR_SPEC_SIZE];
  far__label_brief(label, all[1], all, 4);
  CHECK_TEXT(label, "q-learning:…q0=2");
  far__label_brief(label, all[2], all, 4);
  CHECK_TEXT(label, all[2]); /* alone of its type */
  far__label_brief(label, all[3], all, 4);
  CHECK_TEXT(label, all[3]);
  const char *const plain[] = {"q-learning", "q-learning:q0=1"};
  far__label_brief(label, plain[1], plain, 2);
  CHECK_TEXT(label, "q-learning:q0=1");
  far__label_brief(label, plain[0], plain, 2);
  CHECK_TEXT(label, "q-learning");
}

static void in_columns(void) {
  const char *const labels[] = {"r-max", "q-learning:alpha=0.1,epsilon=0.1,q0=1",
                                "q-learning:alpha=0.1,epsilon=0.2,q0=1"};
  char *cut[3];
  CHECK(far__labels_cut(cut, labels, 3, 24, NULL) == FAR_OK);
  CHECK_TEXT(cut[0], "r-max");
  CHECK(strcmp(cut[1], cut[2]) != 0 && strlen(cut[1]) <= 24 + 4); /* two ellipses are 6 bytes */
  for (int i = 0; i < 3; ++i) far_free(cut[i]);
}

static void series(void) {
  static const char *const all[][2] = {
      {"total", "total reward"},
      {"curve", "total reward"},
      {"curve@1000", "total reward after 1000 steps"},
      {"regret", "regret"},
      {"regret:against=gain", "regret (against=gain)"},
      {"regret:against=gain@50", "regret (against=gain) after 50 steps"},
  };
  char label[FAR_SPEC_SIZE];
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    far__series_label(label, all[i][0]);
    CHECK_TEXT(label, all[i][1]);
  }
}

int main(void) {
  brief();
  series();
  in_columns();
  shortened();
  every_type();
  foreign();
  distinguished();
  of_version_1();
  return check_report();
}
