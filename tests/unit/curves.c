/* Learning curves of stored results: the numbers against the store's own, computed here once more, what may be
 * asked, and what is refused. */
#include "lab/store/access.h"
#include "questions/curves/curves.h"
#include "stores.h"

enum { RUNS = 12 };

static far__curves *read_curves(const char *name, const far__curves_def *def) {
  far__curves *out = NULL;
  far_error error = {.message = "untouched"};
  far_store *store = open_store(name, FAR_STORE_READ);
  CHECK(far__curves_create(&out, store, def, &error) == FAR_OK && out != NULL);
  CHECK_TEXT(error.message, "untouched");
  far_store_close(store);
  return out;
}

static void import_rows(const char *name, const char *rows) {
  FILE *file = fopen(store_path("rows.csv"), "w");
  CHECK(file != NULL && fputs(rows, file) >= 0 && fclose(file) == 0);
  far_store *store = open_store(name, FAR_STORE_WRITE);
  far_import_report report;
  far_error error = {.message = ""};
  CHECK(far_store_import(&report, store, store_path("rows.csv"), &error) == FAR_OK);
  CHECK_TEXT(error.message, "");
  far_store_close(store);
}

/* ---- the numbers ---- */

/* Mean and half-width of some values, in the plainest way. */
static void plain_moments(const double *x, int n, double t, double *mean, double *half) {
  double sum = 0, squares = 0;
  for (int i = 0; i < n; ++i) sum += x[i];
  *mean = sum / n;
  for (int i = 0; i < n; ++i) squares += (x[i] - *mean) * (x[i] - *mean);
  *half = t * sqrt(squares / (n - 1) / n);
}

/* The values of the i-th record at a checkpoint; freed by the caller. */
static double *stored(size_t i, const char *series, int64_t step) {
  far_store *store = open_store("small.db", FAR_STORE_READ);
  far_record record;
  bool found;
  char key[FAR_HASH_TEXT], name[100];
  double *x = NULL;
  int64_t *replicates, n;
  for (size_t k = 0; k <= i; ++k) /* the first one reads the store */
    CHECK(far_store_record(&record, &found, store, k, NULL) == FAR_OK && found);
  snprintf(key, sizeof key, "%s", record.key);
  snprintf(name, sizeof name, "%s@%lld", series, (long long)step);
  CHECK(far__store_values(&x, &replicates, &n, store, key, name, NULL) == FAR_OK && n == RUNS);
  free(replicates);
  far_store_close(store);
  return x;
}

static void check_curve(const far__curve *c, size_t record, const char *series, double t,
                        bool per_step) {
  static const int64_t steps[] = {10, 100, 300};
  double before[RUNS] = {0};
  CHECK(c->n == 3);
  for (size_t k = 0; k < 3; ++k) {
    double *x = stored(record, series, steps[k]), mean, half;
    const double width = (double)(steps[k] - (k > 0 ? steps[k - 1] : 0));
    for (int i = 0; i < RUNS; ++i) {
      const double now = x[i];
      if (per_step) x[i] = (now - before[i]) / width;
      before[i] = now;
    }
    plain_moments(x, RUNS, t, &mean, &half);
    const double close = 1e-12 * (fabs(mean) + 1);
    CHECK(c->steps[k] == steps[k] && c->runs[k] == RUNS);
    CHECK_NEAR(c->mean[k], mean, close);
    CHECK_NEAR(c->low[k], mean - half, close);
    CHECK_NEAR(c->high[k], mean + half, close);
    free(x);
  }
}

static void check_all(const char *series, const char *stored_as, double level, double t,
                      bool per_step) {
  far__curves_def def = far__curves_def_default();
  def.choice.series = series;
  def.choice.bootstrap.level = level;
  def.per_step = per_step;
  far__curves *c = read_curves("small.db", &def);
  const far__curves_group *g = &c->groups[0];
  CHECK_TEXT(c->series, stored_as);
  CHECK(c->n_groups == 1 && c->level == level && c->per_step == per_step && c->n_without == 0);
  CHECK(g->n_envs == 2 && g->n_agents == 2 && g->steps == 300 && g->numerics == far_numerics());
  CHECK_TEXT(g->envs[1].label, "riverswim");
  CHECK_TEXT(g->agents[1].label, "q-learning");
  for (size_t i = 0; i < 4; ++i)
    check_curve(far__curve_of(g, i / 2, i % 2), i, stored_as, t, per_step);
  far__curves_free(c);
}

/* Quantiles of Student's distribution with 11 degrees, as SciPy has them. */
static void numbers(void) {
  check_all("total", "curve", 0.95, 2.2009851600916397, false);
  check_all("curve", "curve", 0.8, 1.3634303180205405, true);
  check_all("coverage", "coverage:what=states", 0.95, 2.2009851600916397, false);
}

/* Names instead of labels. */
static void names(void) {
  const char *const envs[] = {"riverswim"}, *const called[] = {"River & swim"};
  far__curves_def def = far__curves_def_default();
  def.choice.envs = envs;
  def.choice.env_names = called;
  def.choice.n_envs = 1;
  far__curves *c = read_curves("small.db", &def);
  CHECK_TEXT(c->groups[0].envs[0].label, "River & swim");
  CHECK_TEXT(c->groups[0].agents[1].label, "q-learning");
  far__curves_free(c);
}

/* The lines of policies that need not learn are known for rewards alone. */
static void lines(const small_batch *b) {
  far__curves_def def = far__curves_def_default();
  far__curves *c = read_curves("small.db", &def);
  for (size_t e = 0; e < 2; ++e) {
    double low, high;
    CHECK(far_solve_random_total(&low, b->mdps[e], 1, NULL, NULL) == FAR_OK);
    CHECK(far_solve_best_total(&high, b->mdps[e], 1, NULL, NULL) == FAR_OK);
    CHECK(c->groups[0].envs[e].random == low && c->groups[0].envs[e].best == high && low < high);
  }
  CHECK(!c->lower);
  far__curves_free(c);
  def.choice.series = "coverage";
  c = read_curves("small.db", &def);
  CHECK(isnan(c->groups[0].envs[0].best) && isnan(c->groups[0].envs[0].random));
  far__curves_free(c);
}

/* ---- what may be asked ---- */

static void choices(void) {
  const char *const envs[] = {"river*"}, *const agents[] = {"q-learning"};
  far__curves_def def = far__curves_def_default();
  def.choice.envs = envs;
  def.choice.agents = agents;
  def.choice.n_envs = def.choice.n_agents = 1;
  far__curves *c = read_curves("small.db", &def);
  const far__curves_group *g = &c->groups[0];
  CHECK(c->n_groups == 1 && g->n_envs == 1 && g->n_agents == 1);
  check_curve(far__curve_of(g, 0, 0), 3, "curve", 2.2009851600916397, false);
  far__curves_free(c);
}

/* Imported runs of several seeds are one cell; their checkpoints need not be the same. Single and infinite
 * values have no interval, equal ones one of no width. */
static void imported(void) {
  import_rows(
      "theirs.db",
      "env,agent,steps,seed,replicate,series,step,value\n"
      "maze,dqn,40,1,0,curve,10,1\nmaze,dqn,40,1,0,curve,20,5\nmaze,dqn,40,1,0,curve,40,9\n"
      "maze,dqn,40,1,1,curve,10,3\nmaze,dqn,40,1,1,curve,20,5\nmaze,dqn,40,1,1,curve,40,inf\n"
      "maze,dqn,40,2,0,curve,10,8\nmaze,dqn,40,2,0,curve,30,2\n"
      "maze,other,40,1,0,curve,10,4\nmaze,\"<b>&'\xd7\xa9\",40,1,0,total,,4\n");
  far__curves_def def = far__curves_def_default();
  far__curves *c = read_curves("theirs.db", &def);
  const far__curves_group *g = &c->groups[0];
  CHECK(c->n_groups == 1 && g->n_envs == 1 && g->n_agents == 2 && c->n_without == 1);
  const far__curve *x = far__curve_of(g, 0, 0), *y = far__curve_of(g, 0, 1);
  CHECK(g->agents[0].origin == FAR_ORIGIN_IMPORTED && isnan(g->envs[0].best));
  CHECK(x->n == 4 && x->steps[2] == 30 && x->runs[0] == 3 && x->runs[1] == 2 && x->runs[2] == 1);
  double mean, half;
  plain_moments((double[]){1, 3, 8}, 3, 4.302652729749464, &mean, &half);
  CHECK_NEAR(x->mean[0], mean, 1e-14);
  CHECK_NEAR(x->high[0], mean + half, 1e-12);
  CHECK(x->mean[1] == 5 && x->low[1] == 5 && x->high[1] == 5);
  CHECK(x->mean[2] == 2 && isnan(x->low[2]) && isnan(x->high[2]));
  CHECK(x->mean[3] == INFINITY && isnan(x->low[3]));
  CHECK(y->n == 1 && y->mean[0] == 4 && isnan(y->low[0]));
  far__curves_free(c);
  def.per_step = true;
  c = read_curves("theirs.db", &def);
  x = far__curve_of(&c->groups[0], 0, 0);
  CHECK(x->n == 4 && x->mean[1] == (0.4 + 0.2) / 2 && x->mean[2] == (2 - 8) / 20.0);
  far__curves_free(c);
}

/* ---- what is refused ---- */

static void refuses(const char *name, const far__curves_def *def, far_status code,
                    const char *words) {
  far__curves *out = (far__curves *)def; /* anything but NULL */
  far_error error = {.message = ""};
  far_store *store = open_store(name, FAR_STORE_READ);
  CHECK(far__curves_create(&out, store, def, &error) == code && out == NULL);
  CHECK_CONTAINS(error.message, words);
  far_store_close(store);
}

static void refused(void) {
  far__curves_def def = far__curves_def_default();
  def.choice.series = "regret";
  refuses("small.db", &def, FAR_STATUS_UNKNOWN,
          "no curve of 'regret'; there are curve, coverage:what=states, earned:fraction=0.5");
  def = far__curves_def_default();
  def.choice.steps = 7;
  refuses("small.db", &def, FAR_STATUS_UNKNOWN, "no cell has these steps");
  def = far__curves_def_default();
  def.choice.bootstrap.level = 1;
  refuses("small.db", &def, FAR_STATUS_RANGE, "between 0 and 1");
  def = far__curves_def_default();
  def.choice.most_agents = 1;
  refuses("small.db", &def, FAR_STATUS_CONFLICT, "more than 1");
  import_rows("flat.db", "env,agent,seed,value\nmaze,dqn,0,3\n");
  def = far__curves_def_default();
  refuses("flat.db", &def, FAR_STATUS_UNKNOWN, "there is none");
}

static bool stops_at(void *user, const char *what, size_t done, size_t count) {
  CHECK(what[0] != '\0' && done <= count);
  return --*(int *)user > 0;
}

static void stopped(void) {
  far_store *store = open_store("small.db", FAR_STORE_READ);
  far__curves_def def = far__curves_def_default();
  def.choice.progress = stops_at;
  bool all = false;
  for (int at = 1; at < 100000 && !all; at += 1 + at / 8) {
    int left = at;
    far__curves *out;
    def.choice.user = &left;
    const far_status status = far__curves_create(&out, store, &def, NULL);
    all = status == FAR_OK;
    CHECK(all == (left > 0) && (all || status == FAR_STATUS_CANCELLED));
    far__curves_free(out);
  }
  CHECK(all);
  far_store_close(store);
}

static void empty(void) {
  far_store_close(open_store("empty.db", FAR_STORE_WRITE));
  far__curves_def def = far__curves_def_default();
  far__curves *c = read_curves("empty.db", &def);
  CHECK(c->n_groups == 0);
  far__curves_free(c);
  far__curves_free(NULL);
}

/* ---- the report ---- */

static void report(void) {
  static const char *const words[] = {
      "riverswim", "| step |", "\"curves\":[\n  {\"env\":\"chain:n=5\"",
      "env,steps,episodes,seed,agent,origin,step,runs,mean,mean_low,mean_high", "\\toprule"};
  far__curves_def def = far__curves_def_default();
  far__curves *c = read_curves("small.db", &def);
  far_report *r;
  CHECK(far_report_create(&r, "plot", NULL) == FAR_OK);
  far__curves_report(c, r);
  far__curves_free(c); /* the report has copies */
  CHECK_TEXT(far_report_table_name(r, 0), "curves");
  CHECK_TEXT(far_report_table_name(r, 1), "lines");
  for (int format = 0; format < 5; ++format) {
    far_render_def how = far_render_def_default();
    far_buffer out = {0};
    how.format = (far_report_format)format;
    CHECK(far_report_render(r, &how, far_sink_buffer(&out), NULL) == FAR_OK);
    CHECK_CONTAINS(out.bytes, words[format]);
    far_buffer_free(&out);
  }
  far_report_free(r);
}

int main(void) {
  if (!stores_begin()) return stores_end();
  small_batch b;
  small_make(&b, RUNS);
  run_through("small.db", &b.def);
  numbers();
  names();
  lines(&b);
  choices();
  imported();
  refused();
  stopped();
  empty();
  report();
  small_free(&b);
  return stores_end();
}
