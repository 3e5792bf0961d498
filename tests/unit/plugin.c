/* Agents of others: registered, refused, run in batches beside the library's own, kept in a store;
 * and what happens when their hooks misbehave. The conformance suite runs over one as well. */
#include <pthread.h>

#include "plain-q.h"
#include "stores.h"

/* ---- what is refused ---- */

static void refused(far_agent_def def, far_status status, const char *why) {
  far_error error = {.message = ""};
  CHECK(far_agent_register(&def, &error) == status);
  CHECK_CONTAINS(error.message, why);
}

static size_t listed(void) {
  size_t n = 0;
  while (far_agent_type(n) != NULL) ++n;
  return n;
}

static void with_rows(const far_param *rows, size_t n, const char *why) {
  far_agent_def def = plain_q_def();
  def.name = "rows";
  def.params = rows;
  def.n_params = n;
  refused(def, FAR_STATUS_RANGE, why);
}

static void test_params_refused(void) {
  const far_param good = PLAIN_PARAMS[0];
  far_param rows[2] = {good, good};
  with_rows(NULL, 1, "no table");
  with_rows(rows, 33, "more than 32");
  with_rows(rows, 2, "two parameters gamma");
  rows[1].name = "other";
  with_rows(rows, 2, "same place");
  rows[0] = PLAIN_PARAMS[1];
  rows[1] = good;
  rows[0].fallback = "0.5,gamma=0.5"; /* would be read as two values */
  with_rows(rows, 2, "has a comma");
  rows[0] = good;
  rows[0].name = "no=";
  with_rows(rows, 1, "name must be");
  rows[0] = good;
  rows[0].derived = true;
  with_rows(rows, 1, "fixed");
  rows[0] = good;
  rows[0].fallback = "7";
  with_rows(rows, 1, "default of gamma is wrong");
  rows[0] = good;
  rows[0].offset = sizeof(plain_params) - 7;
  with_rows(rows, 1, "outside the");
  rows[0] = good;
  rows[0].max = NAN;
  with_rows(rows, 1, "bounds of gamma");
  rows[0] = PLAIN_PARAMS[3];
  rows[0].choices = NULL;
  with_rows(rows, 1, "no choices");
  rows[0].kind = (far_param_kind)9;
  with_rows(rows, 1, "kind");
}

static void test_refused(void) {
  const size_t before = listed();
  static const char *const names[] = {
      NULL,  "",    "My", "9lives",   "a:b",
      "a b", "a,b", "-a", "\xc3\xa4", "a234567890123456789012345678901234567890x"};
  far_agent_def def = plain_q_def();
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    def.name = names[i];
    refused(def, FAR_STATUS_RANGE, "name of an agent");
  }
  def = plain_q_def();
  def.name = "q-learning";
  refused(def, FAR_STATUS_CONFLICT, "already");
  def = plain_q_def();
  def.size = 8;
  refused(def, FAR_STATUS_RANGE, "size");
  def.size = offsetof(far_agent_def, reset) + 1; /* a byte of a pointer */
  refused(def, FAR_STATUS_RANGE, "size");
  def = plain_q_def();
  def.act = NULL;
  refused(def, FAR_STATUS_RANGE, "`act`");
  def = plain_q_def();
  def.load = NULL;
  refused(def, FAR_STATUS_RANGE, "`save` and `load`");
  def = plain_q_def();
  def.bare = true;
  refused(def, FAR_STATUS_RANGE, "bare");
  test_params_refused();
  CHECK(listed() == before);
}

/* A larger struct of a later header is taken if what is unknown in it is not used. */
static void test_versions(void) {
  struct {
    far_agent_def def;
    void *later;
  } x = {plain_q_def(), &x};
  far_error error;
  x.def.size = sizeof x;
  x.def.name = "later";
  CHECK(far_agent_register(&x.def, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "does not know");
  x.later = NULL;
  CHECK(far_agent_register(&x.def, &error) == FAR_OK);
}

/* ---- the same as ours ---- */

static const char OURS[] = "q-learning:gamma=0.95,q0=0,alpha=0.1,epsilon=0.1";

static far_batch *run_cells(const char *env, const char *const *agents, size_t n, int64_t runs,
                            unsigned threads, const far_metric *metric, far_error *error) {
  far_mdp *mdp;
  far_cell cells[4];
  far_batch *batch = NULL;
  static const int64_t points[] = {10, 700};
  CHECK(far_mdp_create(&mdp, env, NULL) == FAR_OK);
  for (size_t i = 0; i < n; ++i)
    cells[i] = (far_cell){
        .mdp = mdp, .agent = agents[i], .steps = 700, .checkpoints = points, .n_checkpoints = 2};
  far_batch_def def = far_batch_def_default();
  def.cells = cells;
  def.n_cells = n;
  def.runs = runs;
  def.threads = threads;
  def.metrics = &metric;
  def.n_metrics = metric != NULL;
  const far_status status = far_batch_run(&batch, &def, error);
  CHECK((status == FAR_OK) == (batch != NULL));
  far_mdp_free(mdp);
  return batch;
}

static void test_same_totals(const char *env) {
  const char *const agents[] = {"plain-q", OURS};
  far_metric *metric;
  CHECK(far_metric_create(&metric, "mistakes", NULL) == FAR_OK);
  char first[FAR_HASH_TEXT] = "";
  for (unsigned threads = 1; threads <= 3; ++threads) {
    far_batch *batch = run_cells(env, agents, 2, 30, threads, threads == 2 ? metric : NULL, NULL);
    const far_result *x = far_batch_result(batch, 0), *y = far_batch_result(batch, 1);
    CHECK_TEXT(x->hash, y->hash);
    CHECK_TEXT(x->agent, "plain-q:gamma=0.95,alpha=0.1,epsilon=0.1,ties=random");
    if (threads == 1) strcpy(first, x->hash);
    CHECK_TEXT(first, x->hash);
    CHECK(far_batch_point(batch, 0, 0)->mean == far_batch_point(batch, 1, 0)->mean);
    if (threads == 2)
      CHECK_TEXT(far_batch_metric(batch, 0, 0)->hash, far_batch_metric(batch, 1, 0)->hash);
    far_batch_free(batch);
  }
  far_metric_free(metric);
}

/* Twice through a store: the second time nothing is computed. */
static void test_store(void) {
  far_mdp *mdp;
  CHECK(far_mdp_create(&mdp, "chain:n=5", NULL) == FAR_OK);
  const far_cell cell = {.mdp = mdp, .agent = "plain-q:alpha=0.5", .steps = 100};
  far_batch_def def = far_batch_def_default();
  def.cells = &cell;
  def.n_cells = 1;
  def.runs = 12;
  for (int turn = 0; turn < 2; ++turn) {
    far_store *store = open_store("guest.db", FAR_STORE_WRITE);
    far_batch *batch = NULL;
    CHECK(far_store_run(&batch, store, &def, NULL) == FAR_OK);
    CHECK(far_batch_result(batch, 0)->known == (turn == 0 ? 0 : 12));
    far_batch_free(batch);
    far_store_close(store);
  }
  far_mdp_free(mdp);
}

/* ---- one agent ---- */

static void test_spec(void) {
  const far_shape shape = far_shape_default(4, 2);
  far_error error;
  char spec[FAR_SPEC_SIZE];
  far_agent *agent;
  double x;
  CHECK(far_agent_resolve(spec, "plain-q:ties=lowest", &shape, NULL) == FAR_OK);
  CHECK_TEXT(spec, "plain-q:gamma=0.95,alpha=0.1,epsilon=0.1,ties=lowest");
  CHECK(far_agent_check("plain-q:alpha=2", &shape, NULL, NULL, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "alpha must be a number in (0, 1]");
  CHECK(far_agent_check("plain_q", &shape, NULL, NULL, &error) == FAR_STATUS_UNKNOWN);
  CHECK_CONTAINS(error.message, "did you mean 'plain-q'");
  far_shape other = shape; /* a default of its own is not the problem's */
  other.gamma = 0.5, other.steps = 7;
  CHECK(far_agent_resolve(spec, "plain-q", &other, NULL) == FAR_OK);
  CHECK_TEXT(spec, "plain-q:gamma=0.95,alpha=0.1,epsilon=0.1,ties=random");
  CHECK(far_agent_create(&agent, "plain-q:gamma=0.5", &shape, 1, 2, NULL) == FAR_OK);
  CHECK(far_agent_param(agent, "gamma", &x) && x == 0.5);
  CHECK(far_agent_observe(agent, &(far_transition){1, 1, 1, 0, true, false}, NULL) == FAR_OK);
  CHECK(far_agent_value(agent, FAR_VALUE_Q, 1, 1, &x) && x == 0.1);
  CHECK(!far_agent_value(agent, FAR_VALUE_BONUS, 1, 1, &x));
  CHECK(far_agent_observe(agent, &(far_transition){1, 9, 1, 0, true, false}, &error) ==
        FAR_STATUS_RANGE);
  uint32_t a = 7;
  CHECK(far_agent_try_act(agent, 4, &a, NULL) == FAR_STATUS_RANGE && a == 7);
  CHECK(far_agent_try_act(agent, 3, &a, NULL) == FAR_OK && a < 2);
  far_agent_free(agent);
  CHECK(!far_agent_auditable("plain-q"));
  far_mdp *mdp;
  CHECK(far_mdp_create(&mdp, "chain:n=4", NULL) == FAR_OK);
  const far_audit *audit;
  far_audit_def def = far_audit_def_default();
  def.mdp = mdp;
  def.agent = "plain-q";
  CHECK(far_audit_run((far_audit **)&audit, &def, &error) == FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "makes no claim");
  far_mdp_free(mdp);
}

/* ---- hooks that misbehave ---- */

typedef enum fault {
  ACTION,
  ACT_STATUS,
  SILENT,
  OBSERVE_STATUS,
  POLICY_SUM,
  POLICY_STATUS,
  VALUE_NAN,
  CREATE,
  FAULTS
} fault;

/* Goes wrong in replicate 5, at its step 20. */
typedef struct faulty {
  fault fault;
  uint64_t replicate;
  int steps;
} faulty;

static bool due(const faulty *x) {
  return x->replicate == 5 && x->steps >= 19;
}

static far_status faulty_create(void **out, const void *params, const far_shape *shape,
                                uint64_t seed, uint64_t replicate, void *user, far_error *error) {
  (void)params, (void)shape, (void)seed, (void)error;
  faulty *x = calloc(1, sizeof *x);
  *out = x;
  if (x == NULL) return FAR_STATUS_MEMORY;
  x->fault = (fault)(uintptr_t)user;
  x->replicate = replicate;
  if (x->fault != CREATE || replicate != 5) return FAR_OK;
  free(x);
  return FAR_STATUS_IO;
}

static far_status faulty_act(void *of, uint32_t s, uint32_t *a, far_error *error) {
  faulty *x = of;
  *a = s % 2;
  if (!due(x)) return FAR_OK;
  if (x->fault == ACTION) *a = 2;
  if (x->fault == ACT_STATUS) *error = (far_error){FAR_STATUS_IO, -1, "the muse is silent"};
  return x->fault == ACT_STATUS || x->fault == SILENT ? FAR_STATUS_IO : FAR_OK;
}

static far_status faulty_observe(void *of, const far_transition *step, far_error *error) {
  faulty *x = of;
  (void)step, (void)error;
  x->steps += 1;
  return x->fault == OBSERVE_STATUS && x->replicate == 5 && x->steps == 20 ? FAR_STATUS_RANGE
                                                                           : FAR_OK;
}

static far_status faulty_policy(const void *of, uint32_t s, double *out, far_error *error) {
  const faulty *x = of;
  (void)s, (void)error;
  out[0] = 0.5;
  out[1] = x->fault == POLICY_SUM && due(x) ? 0.6 : 0.5;
  return x->fault == POLICY_STATUS && due(x) ? FAR_STATUS_IO : FAR_OK;
}

static bool faulty_value(const void *of, far_value kind, uint32_t s, uint32_t a, double *out) {
  const faulty *x = of;
  (void)s, (void)a;
  *out = due(x) ? NAN : 0;
  return kind == FAR_VALUE_Q;
}

static const char *const FAULT_NAMES[FAULTS] = {"bad-action", "bad-act",    "bad-silent",
                                                "bad-learn",  "bad-policy", "bad-policy-status",
                                                "bad-value",  "bad-create"};

static void register_faulty(void) {
  for (int i = 0; i < FAULTS; ++i) {
    const far_agent_def def = {.size = sizeof def,
                               .name = FAULT_NAMES[i],
                               .user = (void *)(uintptr_t)i,
                               .create = faulty_create,
                               .free = free,
                               .act = faulty_act,
                               .observe = faulty_observe,
                               .value = faulty_value,
                               .policy = i == ACT_STATUS ? NULL : faulty_policy};
    CHECK(far_agent_register(&def, NULL) == FAR_OK);
  }
}

static far_status count_kept(void *user, const far_block *blocks, size_t count, far_error *error) {
  (void)error;
  bool *seen = user;
  for (size_t i = 0; i < count; ++i)
    for (int64_t k = 0; k < blocks[i].runs; ++k) seen[blocks[i].first + k] = true;
  return FAR_OK;
}

/* The failure names agent, step and replicate; what was finished before is kept. */
static void test_fault(fault which, const char *why, const char *metric_spec, unsigned threads) {
  bool seen[40] = {false};
  far_mdp *mdp;
  far_metric *metric = NULL;
  far_batch *batch;
  far_error error = {.message = ""};
  CHECK(far_mdp_create(&mdp, "chain:n=4", NULL) == FAR_OK);
  if (metric_spec != NULL) CHECK(far_metric_create(&metric, metric_spec, NULL) == FAR_OK);
  const far_metric *const metrics[] = {metric};
  const far_cell cell = {.mdp = mdp, .agent = FAULT_NAMES[which], .steps = 50};
  far_batch_def def = far_batch_def_default();
  def.cells = &cell;
  def.n_cells = 1;
  def.runs = 40;
  def.threads = threads;
  def.metrics = metrics;
  def.n_metrics = metric != NULL;
  def.keep = count_kept;
  def.keep_user = seen;
  CHECK(far_batch_run(&batch, &def, &error) != FAR_OK && batch == NULL);
  CHECK_CONTAINS(error.message, FAULT_NAMES[which]);
  CHECK_CONTAINS(error.message, "of replicate 5");
  CHECK_CONTAINS(error.message, why);
  for (int i = 0; threads == 1 && i < 5; ++i) CHECK(seen[i]);
  CHECK(!seen[5]);
  far_mdp_free(mdp);
  far_metric_free(metric);
}

static void test_faults(void) {
  static const struct {
    fault fault;
    const char *why, *metric;
  } cases[] = {
      {ACTION, "step 20 of replicate 5: action 2 is outside 0 ... 1", NULL},
      {ACT_STATUS, "step 20 of replicate 5: the muse is silent", NULL},
      {SILENT, "could not read or write", NULL},
      {OBSERVE_STATUS, "step 20 of", NULL},
      {POLICY_SUM, "the sum of its entries is 1.1", "mistakes:gamma=0.95"},
      {POLICY_STATUS, "could not read", "mistakes:gamma=0.95"},
      {CREATE, "step 0 of", NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    for (unsigned threads = 1; threads <= 4; threads += 3)
      test_fault(cases[i].fault, cases[i].why, cases[i].metric, threads);
}

/* A failure stays until a reset; values that are not finite are one. */
static void test_sticky(void) {
  const far_shape shape = far_shape_default(4, 2);
  far_agent *agent, *copy;
  far_error error;
  double x;
  uint32_t a = 9;
  CHECK(far_agent_create(&agent, "bad-value", &shape, 1, 5, NULL) == FAR_OK);
  for (int t = 0; t < 19; ++t) {
    CHECK(far_agent_value(agent, FAR_VALUE_Q, 0, 0, &x));
    CHECK(far_agent_observe(agent, &(far_transition){0, 0, 0, 1, false, false}, NULL) == FAR_OK);
  }
  CHECK(!far_agent_value(agent, FAR_VALUE_Q, 0, 0, &x));
  CHECK(far_agent_try_act(agent, 0, &a, &error) == FAR_STATUS_RANGE && a == 9);
  CHECK_CONTAINS(error.message, "is not finite");
  CHECK(far_agent_act(agent, 1) == 0);
  CHECK(far_agent_observe(agent, &(far_transition){0, 0, 0, 1, false, false}, NULL) != FAR_OK);
  CHECK(far_agent_clone(&copy, agent, &error) == FAR_STATUS_CONFLICT && copy == NULL);
  CHECK_CONTAINS(error.message, "`clone`");
  far_agent_reset(agent, 1, 4);
  CHECK(far_agent_act(agent, 1) == 1);
  CHECK(far_agent_save(agent, "/nonexistent/x", &error) == FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "`save`");
  far_agent_free(agent);
}

/* Metrics that need a policy or copies say so. */
static void test_metrics_refuse(void) {
  static const char *const agents[] = {"bad-act"}, *const whole[] = {"plain-q"};
  far_metric *metric;
  far_error error;
  CHECK(far_metric_create(&metric, "mistakes:gamma=0.95", NULL) == FAR_OK);
  CHECK(run_cells("chain:n=4", agents, 1, 2, 1, metric, &error) == NULL);
  CHECK_CONTAINS(error.message, "bad-act does not provide its policy");
  far_metric_free(metric);
  CHECK(far_metric_create(&metric, "mistakes:estimator=rollout", NULL) == FAR_OK);
  CHECK(run_cells("chain:n=4", whole, 1, 2, 1, metric, &error) == NULL);
  CHECK_CONTAINS(error.message, "estimator=rollout");
  far_metric_free(metric);
}

/* ---- threads ---- */

static void *register_one(void *argument) {
  far_agent_def def = plain_q_def();
  const far_shape shape = far_shape_default(4, 2);
  char name[40];
  snprintf(name, sizeof name, "thread-%d", (int)(intptr_t)argument);
  def.name = name;
  intptr_t wrong = far_agent_register(&def, NULL) != FAR_OK;
  memset(name, 'x', sizeof name - 1); /* the text was copied */
  for (int i = 0; i < 200; ++i)
    wrong += far_agent_check("plain-q", &shape, NULL, NULL, NULL) != FAR_OK;
  return (void *)wrong;
}

static void test_threads(void) {
  enum { N = 8 };
  pthread_t ids[N];
  const size_t before = listed();
  for (intptr_t i = 0; i < N; ++i) pthread_create(&ids[i], NULL, register_one, (void *)i);
  for (int i = 0; i < N; ++i) {
    void *wrong;
    pthread_join(ids[i], &wrong);
    CHECK(wrong == NULL);
  }
  CHECK(listed() == before + N);
}

/* ---- a name that is given to a newer definition ---- */

static void test_replaces(void) {
  const far_shape shape = far_shape_default(4, 2);
  far_agent_def def = plain_q_def();
  def.name = "edited";
  def.summary = "the first";
  CHECK(far_agent_register(&def, NULL) == FAR_OK);
  far_agent *old, *young;
  CHECK(far_agent_create(&old, "edited:alpha=0.5", &shape, 1, 0, NULL) == FAR_OK);
  const size_t before = listed();
  refused(def, FAR_STATUS_CONFLICT, "already");
  def.replaces = true;
  def.summary = "the second";
  def.n_params = 1; /* gamma alone */
  CHECK(far_agent_register(&def, NULL) == FAR_OK);
  CHECK(listed() == before);
  CHECK_TEXT(far_spec_type(far_agent_type, "edited")->summary, "the second");
  CHECK(far_agent_check("edited:alpha=0.5", &shape, NULL, NULL, NULL) == FAR_STATUS_UNKNOWN);
  CHECK(far_agent_create(&young, "edited:gamma=0.5", &shape, 1, 0, NULL) == FAR_OK);
  CHECK_TEXT(far_agent_spec(young), "edited:gamma=0.5");
  double x;
  CHECK(far_agent_param(old, "alpha", &x) && x == 0.5); /* is what it was */
  CHECK(far_agent_observe(old, &(far_transition){1, 1, 1, 0, true, false}, NULL) == FAR_OK);
  CHECK(far_agent_value(old, FAR_VALUE_Q, 1, 1, &x) && x == 0.5);
  far_agent_free(old);
  far_agent_free(young);
  def.name = "r-max";
  refused(def, FAR_STATUS_CONFLICT, "already");
  def.name = "edited";
  for (int i = 0; i < 1000; ++i) CHECK(far_agent_register(&def, NULL) == FAR_OK);
  CHECK(listed() == before);
}

/* ---- hooks that cannot say what is wrong ---- */

static bool value_nan(const void *of, far_value kind, uint32_t s, uint32_t a, double *out) {
  (void)of, (void)s, (void)a;
  *out = NAN;
  return kind == FAR_VALUE_Q;
}

static size_t save_nothing(const void *of, void *bytes, size_t room) {
  (void)of, (void)bytes, (void)room;
  return SIZE_MAX;
}

static void say_why(const void *of, far_error *error) {
  (void)of;
  *error = (far_error){FAR_STATUS_IO, -1, "out of ink"};
}

static void test_explain(void) {
  const far_shape shape = far_shape_default(4, 2);
  far_agent_def def = plain_q_def();
  def.name = "explains";
  def.value = value_nan;
  def.save = save_nothing;
  def.explain = say_why;
  CHECK(far_agent_register(&def, NULL) == FAR_OK);
  far_agent *agent;
  far_error error = {.message = ""};
  void *bytes;
  size_t size;
  double x;
  uint32_t a;
  CHECK(far_agent_create(&agent, "explains", &shape, 1, 0, NULL) == FAR_OK);
  CHECK(far_agent_save_memory(&bytes, &size, agent, &error) == FAR_STATUS_IO);
  CHECK_CONTAINS(error.message, "explains could not be saved: out of ink");
  CHECK(!far_agent_value(agent, FAR_VALUE_Q, 1, 1, &x));
  CHECK(far_agent_try_act(agent, 0, &a, &error) == FAR_STATUS_IO);
  CHECK_CONTAINS(error.message, "out of ink");
  far_agent_free(agent);
}

static void test_full(void) {
  char name[40];
  far_error error = {.message = ""};
  far_agent_def def = plain_q_def();
  def.name = name;
  far_status status = FAR_OK;
  for (int i = 0; status == FAR_OK && i < 1000; ++i) {
    snprintf(name, sizeof name, "many-%d", i);
    status = far_agent_register(&def, &error);
  }
  CHECK(status == FAR_STATUS_MEMORY);
  CHECK_CONTAINS(error.message, "can be registered");
}

int main(void) {
  const far_agent_def def = plain_q_def();
  CHECK(far_agent_register(&def, NULL) == FAR_OK);
  refused(def, FAR_STATUS_CONFLICT, "already");
  test_refused();
  test_versions();
  test_same_totals("chain");
  test_same_totals("frozen-lake");
  test_spec();
  register_faulty();
  test_faults();
  test_sticky();
  test_metrics_refuse();
  test_threads();
  if (stores_begin()) test_store();
  test_replaces();
  test_explain();
  test_full();
  return stores_end();
}
