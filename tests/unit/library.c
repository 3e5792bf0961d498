/* The manners of a C library: version, status texts, memory that it hands out; and public functions that
 * no other test calls by name. */
#include <farsight/farsight.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/spec.h"
#include "check.h"
#include "model/criterion.h"
#include "run/blocks.h"
#include "statistics/sample.h"

static void test_version(void) {
  char text[32];
  snprintf(text, sizeof text, "%d.%d.%d", FAR_VERSION_MAJOR, FAR_VERSION_MINOR, FAR_VERSION_PATCH);
  CHECK_TEXT(FAR_VERSION_TEXT, text);
  CHECK_TEXT(far_version(), FAR_VERSION_TEXT); /* the library's and the header's */
  CHECK(FAR_VERSION_MINOR < 1000 && FAR_VERSION_PATCH < 1000);
  CHECK(FAR_VERSION_NUMBER ==
        FAR_VERSION_OF(FAR_VERSION_MAJOR, FAR_VERSION_MINOR, FAR_VERSION_PATCH));
#if FAR_VERSION_NUMBER < FAR_VERSION_OF(1, 0, 0)
#error "the preprocessor compares versions"
#endif
}

static void test_status(void) {
  CHECK(FAR_OK == 0 && FAR_STATUS_SYNTAX == 1 && FAR_STATUS_MEMORY == 5 && FAR_STATUS_ABSENT == 10);
  CHECK_TEXT(far_status_text(FAR_OK), "success");
  for (int i = 0; i <= FAR_STATUS_ABSENT; ++i) {
    const char *text = far_status_text((far_status)i);
    CHECK(strcmp(text, "unknown status") != 0);
    for (int k = 0; k < i; ++k) CHECK(strcmp(text, far_status_text((far_status)k)) != 0);
  }
  CHECK_TEXT(far_status_text((far_status)(FAR_STATUS_ABSENT + 1)), "unknown status");
}

static void test_free(void) {
  far_mdp *mdp;
  char *text;
  size_t length;
  far_free(NULL);
  CHECK(far_mdp_create(&mdp, "chain:n=3", NULL) == FAR_OK);
  CHECK(far_mdp_print(&text, &length, mdp, FAR_FORMAT_JSON, 0, NULL) == FAR_OK);
  CHECK(strlen(text) == length);
  far_free(text);
  far_mdp_free(mdp);
}

static void test_nearest(void) {
  static const char *const names[] = {"delayed-q", "q-learning", "r-max"};
  CHECK_TEXT(far__nearest("q-leraning", 10, names, 3), "q-learning");
  CHECK_TEXT(far__nearest("rmax, and more", 4, names, 3), "r-max");
  CHECK(far__nearest("something else", 14, names, 3) == NULL);
  CHECK(far__nearest("foo", 3, (const char *[]){"loop"}, 1) == NULL); /* two of three letters */
  CHECK_TEXT(far__nearest("chan", 4, (const char *[]){"chain"}, 1), "chain");
  CHECK(far__nearest("r-max", 5, names, 0) == NULL);
}

static void test_file_open(void) {
  char path[] = "/tmp/farsight-library-XXXXXX";
  FILE *file = (FILE *)1;
  far_error error = {0};
  const int fd = mkstemp(path);
  CHECK(fd >= 0 && write(fd, "12345", 5) == 5 && close(fd) == 0);
  CHECK(far__file_open(&file, NULL, path, 5, NULL) == FAR_OK && fgetc(file) == '1');
  if (file != NULL) fclose(file);
  CHECK(far__file_open(&file, NULL, path, 4, &error) == FAR_STATUS_IO && file == NULL);
  CHECK_CONTAINS(error.message, "at most 4");
  CHECK(far__file_open(&file, NULL, "/tmp", 4, &error) == FAR_STATUS_IO && file == NULL);
  CHECK_CONTAINS(error.message, "not a regular file");
  CHECK(unlink(path) == 0);
  CHECK(far__file_open(&file, NULL, path, 5, &error) == FAR_STATUS_IO && file == NULL);
}

/* What cannot be written leaves the old file, and nothing beside it. */
static void test_file_replace(void) {
  char folder[] = "/tmp/farsight-library-XXXXXX", path[64], found[8] = "";
  far_error error = {0};
  FILE *file = NULL;
  CHECK(mkdtemp(folder) != NULL);
  snprintf(path, sizeof path, "%s/file", folder);
  CHECK(far__file_replace(path, "old", 3, &error) == FAR_OK);
  CHECK(far__file_replace(path, "newer", 5, &error) == FAR_OK);
  CHECK(far__file_open(&file, NULL, path, 5, NULL) == FAR_OK && fread(found, 1, 8, file) == 5);
  if (file != NULL) fclose(file);
  CHECK_TEXT(found, "newer");
  CHECK(far__file_replace(folder, "x", 1, &error) == FAR_STATUS_IO);
  CHECK_CONTAINS(error.message, "not a regular file");
  CHECK(unlink(path) == 0 && rmdir(folder) == 0);
  CHECK(far__file_replace(path, "x", 1, &error) == FAR_STATUS_IO);
  CHECK_CONTAINS(error.message, "No such file");
}

static void test_caveat(void) {
  static const char startless[] = "{\"0\": {\"0\": [[1, 1, 1, false]]}, "
                                  "\"1\": {\"0\": [[1, 0, 0, false]]}}";
  far_mdp *mdp = NULL;
  CHECK(far_mdp_read(&mdp, startless, strlen(startless), FAR_FORMAT_JSON, NULL) == FAR_OK);
  if (mdp != NULL) CHECK_CONTAINS(far__mdp_caveat(mdp), "names no start");
  far_mdp_free(mdp);
  CHECK(far_mdp_create(&mdp, "chain:n=3", NULL) == FAR_OK);
  CHECK(far__mdp_caveat(mdp) == NULL);
  far_mdp_free(mdp);
}

/* A file may lack a start and have the discount 1: both are said, and another criterion drops only the latter. */
static void test_two_caveats(void) {
  static const char json[] = "{\"discount\": 1, \"P\": {\"0\": {\"0\": [[1, 1, 1, false]]}, "
                             "\"1\": {\"0\": [[1, 0, 0, false]]}}}";
  static const char drn[] =
      "//@ discount 1\n@type: MDP\n@parameters\n\n@reward_models\nr\n"
      "@nr_states\n2\n@nr_choices\n2\n@model\nstate 0 [0]\n\taction a [1]\n\t\t1 : 1\n"
      "state 1 [0]\n\taction a [0]\n\t\t0 : 1\n";
  static const struct {
    const char *text, *start;
    far_format format;
  } cases[] = {{json, "names no start", FAR_FORMAT_JSON}, {drn, "label 'init'", FAR_FORMAT_DRN}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    far_mdp *mdp = NULL;
    far_error error;
    CHECK(far_mdp_read(&mdp, cases[i].text, strlen(cases[i].text), cases[i].format, &error) ==
          FAR_OK);
    if (mdp == NULL) continue;
    CHECK_CONTAINS(far__mdp_caveat(mdp), cases[i].start);
    CHECK_CONTAINS(far__mdp_caveat(mdp), "; the model's discount is 1");
    CHECK(far_mdp_set_gamma(mdp, 0.9, NULL) == FAR_OK);
    CHECK_CONTAINS(far__mdp_caveat(mdp), cases[i].start);
    CHECK(strstr(far__mdp_caveat(mdp), "discount") == NULL);
    far_mdp_free(mdp);
  }
}

static void test_numbers(void) {
  CHECK(far__sorted_mean((const double[]){1, 2, 6}, 3) == 3);
  CHECK_TEXT(far_theorem_kind_name(FAR_THEOREM_MISTAKES), "mistakes");
  CHECK_TEXT(far_theorem_kind_name(FAR_THEOREM_BAYES), "near-Bayesian");
  CHECK_TEXT(far_theorem_kind_name(FAR_THEOREM_REGRET), "regret");
  CHECK_TEXT(far_theorem_kind_name(FAR_THEOREM_LOWER), "lower bound");
  CHECK_TEXT(far_theorem_kind_name(FAR_THEOREM_STOPPING), "stopping");
}

/* A pool that is made by hand and used twice computes what the batch's own does. */
static void test_pool(void) {
  far_mdp *mdp;
  far_pool *pool;
  far_batch *own, *lent;
  CHECK(far_mdp_create(&mdp, "chain:n=3", NULL) == FAR_OK);
  const int64_t at[] = {10, 50};
  const far_cell cell = {
      .mdp = mdp, .agent = "r-max", .steps = 50, .checkpoints = at, .n_checkpoints = 2};
  far_batch_def def = far_batch_def_default();
  def.cells = &cell;
  def.n_cells = 1;
  def.runs = 20;
  def.threads = 1;
  CHECK(far__batch_width(&def, 0) == 3 && far__batch_runs(&def, 0) == 20);
  CHECK(far_batch_run(&own, &def, NULL) == FAR_OK);
  CHECK(far_pool_create(&pool, 2, NULL) == FAR_OK);
  def.pool = pool;
  for (int i = 0; i < 2; ++i) {
    CHECK(far_batch_run(&lent, &def, NULL) == FAR_OK);
    CHECK_TEXT(far_batch_result(lent, 0)->hash, far_batch_result(own, 0)->hash);
    far_batch_free(lent);
  }
  far_pool_free(pool);
  far_pool_free(NULL);
  far_batch_free(own);
  far_mdp_free(mdp);
}

int main(void) {
  test_version();
  test_status();
  test_free();
  test_nearest();
  test_file_open();
  test_file_replace();
  test_caveat();
  test_two_caveats();
  test_numbers();
  test_pool();
  return check_report();
}
