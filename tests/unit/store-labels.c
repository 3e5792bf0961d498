/* What a store remembers that environments and agents were called: beside results, never in their place. */
#include "lab/store/access.h"
#include "stores.h"

static const char *const envs[] = {"chain:n=[3,4]", "small=loop"};
static const char *const agents[] = {"few=r-max:m=2", "psrl"};

static far_study *make_study(const char *const *of, int64_t runs) {
  far_study_def def = far_study_def_default();
  far_study *study = NULL;
  far_error error = {.message = ""};
  def.envs = envs;
  def.n_envs = 2;
  def.agents = of;
  def.n_agents = 2;
  def.steps = 20;
  def.runs = runs;
  CHECK(far_study_create(&study, &def, &error) == FAR_OK);
  CHECK_TEXT(error.message, "");
  return study;
}

static void run(far_store *store, const char *const *of, int64_t runs) {
  far_study *study = make_study(of, runs);
  far_batch *batch = NULL;
  CHECK(far_store_run(&batch, store, far_study_batch(study), NULL) == FAR_OK);
  far_batch_free(batch);
  far_study_free(study);
}

/* "env/agent" of every label of every record, sorted by records. */
static const char *labels_of(far_store *s) {
  static char out[2000];
  far_record record;
  bool found = true;
  out[0] = '\0';
  for (size_t i = 0; found; ++i) {
    CHECK(far_store_record(&record, &found, s, i, NULL) == FAR_OK);
    if (!found) break;
    char key[FAR_HASH_TEXT], first[200];
    memcpy(key, record.key, sizeof key);
    snprintf(first, sizeof first, "%s/%s", record.env_label, record.agent_label);
    bool more = true;
    for (size_t k = 0; more; ++k) {
      const char *env, *agent;
      char text[200];
      CHECK(far__store_label(&env, &agent, &more, s, key, k, NULL) == FAR_OK);
      if (!more) break;
      snprintf(text, sizeof text, "%s/%s", env, agent);
      CHECK(k > 0 || strcmp(text, first) == 0); /* the record shows the first */
      snprintf(out + strlen(out), sizeof out - strlen(out), "%s%s", k > 0 ? "=" : " ", text);
    }
  }
  return out;
}

static int format_of(far_store *s) {
  far_store_info info;
  CHECK(far_store_info_of(&info, s, NULL) == FAR_OK);
  return info.format;
}

static void test_kept(void) {
  static const char *const others[] = {"r-max:m=2", "psrl"};
  static const char first[] = " chain:n=3/psrl chain:n=3/few chain:n=4/psrl chain:n=4/few "
                              "small/psrl small/few";
  far_store *s = open_store("a.db", FAR_STORE_WRITE);
  CHECK(format_of(s) == 1);
  run(s, agents, 3);
  CHECK(format_of(s) == 3);
  CHECK_TEXT(labels_of(s), first);
  run(s, agents, 5); /* the same names: no second ones */
  CHECK_TEXT(labels_of(s), first);
  run(s, others, 5); /* nothing is computed, and there is a name more */
  CHECK_TEXT(labels_of(s),
             " chain:n=3/psrl chain:n=3/few=chain:n=3/r-max:m=2 chain:n=4/psrl "
             "chain:n=4/few=chain:n=4/r-max:m=2 small/psrl small/few=small/r-max:m=2");
  far_store_close(s);
}

/* The hash of results does not know names, and a merged store does. */
static void test_merged(void) {
  far_store *plain = open_store("plain.db", FAR_STORE_WRITE), *s;
  far_study *study = make_study(agents, 5);
  const far_batch_def *def = far_study_batch(study);
  far_batch_def bare = *def;
  far_cell cells[6];
  far_batch *batch;
  far_store_report x, y;
  int64_t added;
  memcpy(cells, def->cells, sizeof cells);
  for (size_t i = 0; i < 6; ++i) cells[i].env_label = cells[i].agent_label = NULL;
  bare.cells = cells;
  CHECK(far_store_run(&batch, plain, &bare, NULL) == FAR_OK);
  far_batch_free(batch);
  far_study_free(study);
  CHECK(format_of(plain) == 1);
  CHECK_TEXT(labels_of(plain), "");
  s = open_store("a.db", FAR_STORE_READ);
  CHECK(far_store_check(&x, s, NULL, NULL, NULL) == FAR_OK && x.faults == 0);
  CHECK(far_store_check(&y, plain, NULL, NULL, NULL) == FAR_OK && y.faults == 0);
  CHECK_TEXT(x.hash, y.hash);
  far_store_close(s);
  const char *other = store_path("a.db");
  CHECK(far_store_merge(&added, plain, &other, 1, NULL) == FAR_OK && added == 0);
  CHECK(format_of(plain) == 3);
  CHECK_CONTAINS(labels_of(plain), "small/psrl small/few=small/r-max:m=2");
  far_store_close(plain);
}

static void test_unknown(void) {
  far_store *s = open_store("a.db", FAR_STORE_READ);
  const char *env = "x", *agent = "x";
  bool found = true;
  CHECK(far__store_label(&env, &agent, &found, s, "no such key", 0, NULL) == FAR_OK);
  CHECK(!found && env == NULL && agent == NULL);
  far_store_close(s);
}

int main(void) {
  if (stores_begin()) {
    test_kept();
    test_merged();
    test_unknown();
  }
  return stores_end();
}
