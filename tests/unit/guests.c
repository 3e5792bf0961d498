/* What stands between a registered agent and the library: every way in which one of its hooks can fail,
 * what is said then, and what comes back from its copies and files. The agent is a puppet: its hooks do
 * as `script` says. */
#include <farsight/farsight.h>
#include <stdint.h>
#include <stdlib.h>

#include "agents/guest.h"
#include "check.h"

enum { S = 3, A = 2 };

/* ---- the puppet ---- */

static struct script {
  far_status create, reset, act, observe, policy, clone, load; /* what these return */
  const char *message;                                         /* what they and `explain` say */
  far_status explained;                                        /* the code that `explain` gives */
  bool no_instance, no_value;
  uint32_t action;
  double value, policy_of[A];
  size_t length, later_length; /* of what it saves: asked for, and written */
} script;

static int made, freed;

static far_status say(far_status status, far_error *error) {
  if (script.message != NULL) snprintf(error->message, sizeof error->message, "%s", script.message);
  return status;
}

static far_status make(void **instance, far_status status, far_error *error) {
  if (status == FAR_OK && !script.no_instance) *instance = calloc(1, 16), ++made;
  return say(status, error);
}

static far_status create(void **instance, const void *params, const far_shape *shape, uint64_t seed,
                         uint64_t replicate, void *user, far_error *error) {
  (void)params, (void)shape, (void)user;
  const far_status status = make(instance, script.create, error);
  if (*instance != NULL) ((unsigned char *)*instance)[0] = (unsigned char)(10 * seed + replicate);
  return status;
}

static void destroy(void *instance) {
  ++freed;
  free(instance);
}

static far_status act(void *instance, uint32_t s, uint32_t *a, far_error *error) {
  (void)instance, (void)s;
  *a = script.action;
  return say(script.act, error);
}

static far_status observe(void *instance, const far_transition *step, far_error *error) {
  ((unsigned char *)instance)[1] = (unsigned char)step->next;
  return say(script.observe, error);
}

static far_status reset(void *instance, uint64_t seed, uint64_t replicate, far_error *error) {
  ((unsigned char *)instance)[0] = (unsigned char)(100 + 10 * seed + replicate);
  return say(script.reset, error);
}

static bool value(const void *instance, far_value kind, uint32_t s, uint32_t a, double *out) {
  (void)instance, (void)kind;
  *out = script.value + 10 * s + a;
  return !script.no_value;
}

static far_status policy(const void *instance, uint32_t s, double *out, far_error *error) {
  (void)instance, (void)s;
  memcpy(out, script.policy_of, sizeof script.policy_of);
  return say(script.policy, error);
}

static far_status clone(void **copy, const void *instance, far_error *error) {
  const far_status status = make(copy, script.clone, error);
  if (*copy != NULL) memcpy(*copy, instance, 16);
  return status;
}

static size_t save(const void *instance, void *bytes, size_t room) {
  if (bytes == NULL) return script.length;
  if (room >= script.length && room <= 16) memcpy(bytes, instance, script.length);
  return script.later_length > 0 ? script.later_length : script.length;
}

static far_status load(void *instance, const void *bytes, size_t size, far_error *error) {
  CHECK(size == script.length);
  if (size <= 16) memcpy(instance, bytes, size);
  return say(script.load, error);
}

static void explain(const void *instance, far_error *error) {
  (void)instance;
  error->code = script.explained;
  say(FAR_OK, error);
}

static far_agent_def puppet(const char *name) {
  return (far_agent_def){.size = sizeof(far_agent_def),
                         .name = name,
                         .create = create,
                         .free = destroy,
                         .act = act,
                         .observe = observe,
                         .reset = reset,
                         .value = value,
                         .policy = policy,
                         .clone = clone,
                         .save = save,
                         .load = load,
                         .explain = explain};
}

static void begin(void) {
  script = (struct script){.policy_of = {0.25, 0.75}, .length = 16};
}

/* ---- its life ---- */

static far_agent *start(const char *name) {
  const far_shape shape = far_shape_default(S, A);
  far_agent *agent = NULL;
  begin();
  CHECK(far_agent_create(&agent, name, &shape, 1, 2, NULL) == FAR_OK);
  return agent;
}

static const unsigned char *bytes_of(const far_agent *agent) {
  return agent->guest->instance;
}

/* The failure that stays, and its text; "" if there is none. */
static void check_failure(const far_agent *agent, far_status status, const char *text) {
  far_error error = {0};
  CHECK(far__guest_status(agent, &error) == status && far__guest_status(agent, NULL) == status);
  CHECK_TEXT(error.message, text);
  CHECK(error.code == status && error.position == (status == FAR_OK ? 0 : -1));
}

static void test_create(void) {
  static const struct {
    far_status status;
    bool none;
    const char *message, *said;
    far_status expected;
  } cases[] = {
      {FAR_STATUS_CONFLICT, false, "no ink", "puppet could not be created: no ink",
       FAR_STATUS_CONFLICT},
      {FAR_STATUS_RANGE, false, NULL, "puppet could not be created: a value is outside its bounds",
       FAR_STATUS_RANGE},
      {FAR_OK, true, NULL, "puppet could not be created: a value is outside its bounds",
       FAR_STATUS_RANGE},
  };
  const far_shape shape = far_shape_default(S, A);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    far_agent *agent = NULL;
    far_error error = {0};
    begin();
    script.create = cases[i].status;
    script.no_instance = cases[i].none;
    script.message = cases[i].message;
    CHECK(far_agent_create(&agent, "puppet", &shape, 1, 2, &error) == cases[i].expected);
    CHECK(agent == NULL && error.code == cases[i].expected && error.position == -1);
    CHECK_TEXT(error.message, cases[i].said);
  }
}

static const far_transition STEP = {0, 1, 0.5, 2, false, false};

/* Without `reset` the instance is made again. */
static void test_reset(const char *name, unsigned char first) {
  far_agent *agent = start(name);
  if (agent == NULL) return;
  const int before = made;
  CHECK(bytes_of(agent)[0] == 12);
  far_agent_reset(agent, 3, 4);
  CHECK(bytes_of(agent)[0] == first && made - before == (first == 34));
  script.act = FAR_STATUS_IO;
  CHECK(far_agent_act(agent, 0) == 0); /* a failure: the stream that it names is the new one */
  char text[200];
  snprintf(text, sizeof text, "%s, step 1 of replicate 4: %s", name,
           far_status_text(FAR_STATUS_IO));
  check_failure(agent, FAR_STATUS_IO, text);
  far_agent_reset(agent, 3, 5);
  check_failure(agent, FAR_OK, "");
  far_agent_free(agent);
}

static void test_reset_fails(void) {
  far_agent *agent = start("puppet");
  script.reset = FAR_STATUS_CONFLICT;
  script.message = "stuck";
  far_agent_reset(agent, 1, 7);
  check_failure(agent, FAR_STATUS_CONFLICT, "puppet, step 0 of replicate 7: stuck");
  far_agent_free(agent);
  agent = start("simple");
  script.create = FAR_STATUS_IO;
  far_agent_reset(agent, 1, 8);
  CHECK(agent->guest->instance == NULL);
  check_failure(agent, FAR_STATUS_IO,
                "simple, step 0 of replicate 8: simple could not be created: the system could not "
                "read or write");
  begin();
  far_agent_reset(agent, 5, 5); /* there is no instance to free */
  check_failure(agent, FAR_OK, "");
  CHECK(bytes_of(agent)[0] == 55);
  far_agent_free(agent);
}

/* ---- choices and updates ---- */

static void test_act(void) {
  far_agent *agent = start("puppet");
  script.action = A - 1;
  CHECK(far_agent_act(agent, 0) == A - 1);
  CHECK(far_agent_observe(agent, &STEP, NULL) == FAR_OK && bytes_of(agent)[1] == 2);
  check_failure(agent, FAR_OK, "");
  script.action = A;
  CHECK(far_agent_act(agent, 0) == 0);
  check_failure(agent, FAR_STATUS_RANGE,
                "puppet, step 2 of replicate 2: action 2 is outside 0 ... 1");
  script.action = 1;
  CHECK(far_agent_act(agent, 0) == 0); /* not asked any more */
  far_agent_free(agent);
}

static void test_observe(void) {
  far_agent *agent = start("puppet");
  const far_transition other = {0, 1, 0.5, 1, false, false};
  script.observe = FAR_STATUS_RANGE;
  script.message = "too much";
  far_agent_observe(agent, &STEP, NULL);
  check_failure(agent, FAR_STATUS_RANGE, "puppet, step 1 of replicate 2: too much");
  script.observe = FAR_OK;
  far_agent_observe(agent, &other, NULL);
  CHECK(bytes_of(agent)[1] == 2); /* not told any more */
  far_agent_free(agent);
}

/* ---- values and policies ---- */

static void test_value(void) {
  far_agent *agent = start("puppet");
  double x = 0;
  CHECK(far_agent_value(agent, FAR_VALUE_Q, 2, 1, &x) && x == 21);
  script.no_value = true;
  CHECK(!far_agent_value(agent, FAR_VALUE_Q, 2, 1, &x));
  check_failure(agent, FAR_OK, "");
  begin();
  script.value = INFINITY;
  CHECK(!far_agent_value(agent, FAR_VALUE_Q, 2, 1, &x));
  check_failure(agent, FAR_STATUS_RANGE,
                "puppet, step 0 of replicate 2: the value inf of state 2 is not finite");
  begin();
  CHECK(!far_agent_value(agent, FAR_VALUE_Q, 2, 1, &x)); /* it has failed */
  far_agent_reset(agent, 1, 2);
  script = (struct script){.value = NAN, .message = "no ink", .explained = FAR_STATUS_IO};
  CHECK(!far_agent_value(agent, FAR_VALUE_Q, 0, 0, &x));
  check_failure(agent, FAR_STATUS_IO, "puppet, step 0 of replicate 2: no ink");
  far_agent_free(agent);
  agent = start("simple");
  CHECK(!far_agent_value(agent, FAR_VALUE_Q, 0, 0, &x) && !far_agent_policy(agent, 0, &x));
  check_failure(agent, FAR_OK, "");
  far_agent_free(agent);
}

static void test_policy(double p, double q, const char *sum) {
  far_agent *agent = start("puppet");
  double out[A] = {0};
  char text[200];
  snprintf(text, sizeof text,
           "puppet, step 0 of replicate 2: the policy of state 1 is not a distribution: the sum of "
           "its entries is %s",
           sum != NULL ? sum : "");
  script.policy_of[0] = p;
  script.policy_of[1] = q;
  CHECK(far_agent_policy(agent, 1, out) == (sum == NULL));
  check_failure(agent, sum == NULL ? FAR_OK : FAR_STATUS_RANGE, sum == NULL ? "" : text);
  CHECK(out[0] == p && out[1] == q);
  far_agent_free(agent);
}

static void test_policies(void) {
  test_policy(0.25, 0.75, NULL);
  test_policy(0, 1, NULL);
  test_policy(0.5, 0.5 + 0x1p-31, NULL); /* 10^-9 may be rounding */
  test_policy(0.5, 0.5 + 0x1p-29, "1.0000000018626451");
  test_policy(0.5, 0.5 - 0x1p-29, "0.9999999981373549");
  test_policy(-0.5, 1.5, "1");
  test_policy(1.5, -0.5, "1");
  test_policy(0, 0, "0");
  far_agent *agent = start("puppet");
  double out[A];
  script.policy = FAR_STATUS_IO;
  script.message = "torn";
  CHECK(!far_agent_policy(agent, 1, out));
  check_failure(agent, FAR_STATUS_IO, "puppet, step 0 of replicate 2: torn");
  begin();
  CHECK(!far_agent_policy(agent, 1, out)); /* it has failed */
  far_agent_free(agent);
}

/* ---- copies ---- */

static void test_clone(void) {
  far_agent *agent = start("puppet"), *copy = NULL;
  far_error error = {0};
  CHECK(far_agent_clone(&copy, agent, NULL) == FAR_OK && bytes_of(copy)[0] == 12);
  CHECK(bytes_of(copy) != bytes_of(agent) && copy->guest->replicate == 2);
  far_agent_free(copy);
  script.action = 9;
  far_agent_act(agent, 0); /* a failure is copied, too */
  CHECK(far_agent_clone(&copy, agent, NULL) == FAR_OK);
  check_failure(copy, FAR_STATUS_RANGE,
                "puppet, step 1 of replicate 2: action 9 is outside 0 ... 1");
  far_agent_free(copy);
  script.clone = FAR_STATUS_CONFLICT;
  script.message = "unique";
  CHECK(far_agent_clone(&copy, agent, &error) == FAR_STATUS_CONFLICT && copy == NULL);
  CHECK_TEXT(error.message, "puppet could not be copied: unique");
  begin();
  script.no_instance = true;
  CHECK(far_agent_clone(&copy, agent, &error) == FAR_STATUS_RANGE && error.position == -1);
  CHECK_TEXT(error.message, "puppet could not be copied: a value is outside its bounds");
  far_agent_free(agent);
  agent = start("simple");
  CHECK(far_agent_clone(&copy, agent, &error) == FAR_STATUS_CONFLICT && error.position == -1);
  CHECK_TEXT(error.message, "simple cannot be copied: it has no `clone`");
  far_agent_free(agent);
}

/* ---- files ---- */

/* What is saved in so many bytes comes back: 16 are two words, 9 more than one, 0 none. */
static void test_round_trip(size_t length) {
  far_agent *agent = start("puppet"), *back = NULL;
  void *data = NULL;
  size_t size = 0;
  for (unsigned char i = 0; i < 16; ++i) ((unsigned char *)agent->guest->instance)[i] = i + 1;
  script.length = length;
  CHECK(far_agent_save_memory(&data, &size, agent, NULL) == FAR_OK);
  CHECK(far_agent_load_memory(&back, data, size, NULL) == FAR_OK);
  for (size_t i = 1; back != NULL && i < 16; ++i)
    CHECK(bytes_of(back)[i] == (i < length ? i + 1 : 0));
  far_agent_free(back);
  far_free(data);
  far_agent_free(agent);
}

static void test_save_fails(struct script then, far_status status, const char *text) {
  far_agent *agent = start("puppet");
  far_error error = {0};
  void *data = NULL;
  size_t size = 0;
  script = then;
  CHECK(far_agent_save_memory(&data, &size, agent, &error) == status && data == NULL);
  CHECK(error.code == status && error.position == -1);
  CHECK_TEXT(error.message, text);
  far_agent_free(agent);
}

static void test_saves_fail(void) {
  test_save_fails((struct script){.length = 8, .later_length = 7}, FAR_STATUS_RANGE,
                  "puppet saves itself in different lengths");
  test_save_fails((struct script){.length = SIZE_MAX}, FAR_STATUS_MEMORY,
                  "no memory to save the agent");
  test_save_fails((struct script){.length = SIZE_MAX / 4}, FAR_STATUS_MEMORY,
                  "no memory to save the agent");
  test_save_fails((struct script){.length = SIZE_MAX, .message = "no ink"}, FAR_STATUS_RANGE,
                  "puppet could not be saved: no ink");
  test_save_fails(
      (struct script){.length = SIZE_MAX, .message = "no ink", .explained = FAR_STATUS_IO},
      FAR_STATUS_IO, "puppet could not be saved: no ink");
  far_agent *agent = start("puppet");
  far_error error = {0};
  void *data = NULL;
  size_t size = 0;
  script.act = FAR_STATUS_IO;
  far_agent_act(agent, 0);
  begin();
  CHECK(far_agent_save_memory(&data, &size, agent, &error) == FAR_STATUS_IO && data == NULL);
  CHECK_CONTAINS(error.message, "puppet, step 1 of replicate 2: ");
  far_agent_free(agent);
  agent = start("simple");
  CHECK(far_agent_save_memory(&data, &size, agent, &error) == FAR_STATUS_CONFLICT);
  CHECK_TEXT(error.message, "simple cannot be saved: it has no `save`");
  far_agent_free(agent);
}

static void test_load_fails(far_status says, far_status status) {
  far_agent *agent = start("puppet"), *back = NULL;
  far_error error = {0};
  void *data = NULL;
  size_t size = 0;
  CHECK(far_agent_save_memory(&data, &size, agent, NULL) == FAR_OK);
  script.load = says;
  script.message = "illegible";
  CHECK(far_agent_load_memory(&back, data, size, &error) == status && back == NULL);
  CHECK_CONTAINS(error.message, "puppet could not be loaded: illegible");
  far_free(data);
  far_agent_free(agent);
}

/* Words that are fewer than the length says, or none at all. */
static void test_thaw(void) {
  far_agent *agent = start("puppet");
  far_agent frozen;
  far_error error = {0};
  CHECK(far__guest_freeze(&frozen, agent, NULL) == FAR_OK && frozen.pool_used == 3);
  for (size_t words = 0; words < 4; ++words) {
    far_agent part = frozen;
    part.guest = agent->guest;
    part.pool_used = words;
    if (words == 3) script.message = "illegible", script.load = FAR_STATUS_RANGE;
    CHECK(far__guest_thaw(&part, &error) == FAR_STATUS_FORMAT && error.position == -1);
    CHECK_TEXT(error.message, words < 3 ? "puppet cannot be loaded from this"
                                        : "puppet could not be loaded: illegible");
  }
  begin();
  CHECK(far__guest_thaw(&frozen, &error) == FAR_OK && frozen.pool_used == 0);
  free(frozen.block);
  far_agent_free(agent);
}

int main(void) {
  far_agent_def def = puppet("puppet");
  CHECK(far_agent_register(&def, NULL) == FAR_OK);
  def = (far_agent_def){.size = sizeof def,
                        .name = "simple",
                        .create = create,
                        .free = destroy,
                        .act = act,
                        .observe = observe};
  CHECK(far_agent_register(&def, NULL) == FAR_OK);
  test_create();
  test_reset("puppet", 134);
  test_reset("simple", 34);
  test_reset_fails();
  test_act();
  test_observe();
  test_value();
  test_policies();
  test_clone();
  test_round_trip(16);
  test_round_trip(9);
  test_round_trip(8);
  test_round_trip(0);
  test_saves_fail();
  test_load_fails(FAR_STATUS_RANGE, FAR_STATUS_FORMAT);
  test_load_fails(FAR_STATUS_MEMORY, FAR_STATUS_MEMORY);
  test_thaw();
  CHECK(made == freed);
  return check_report();
}
