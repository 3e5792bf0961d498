/* Results from CSV, and single runs from elsewhere: what is taken, what is refused and in which words, and that all
 * rows or none are stored. */
#include "lab/store/access.h"
#include "stores-sql.h"

static void write_text(const char *name, const char *text) {
  FILE *f = fopen(store_path(name), "wb");
  CHECK(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
}

static far_status import(far_import_report *out, far_store *s, const char *text, far_error *error) {
  write_text("rows.csv", text);
  *error = (far_error){.message = ""};
  const far_status status = far_store_import(out, s, store_path("rows.csv"), error);
  CHECK(status == FAR_OK || error->position == -1); /* the message has line and column */
  return status;
}

/* The message, after the file's name, without a store and with one; nothing is stored. */
static void refuses(const char *text, far_status expected, const char *part) {
  far_import_report report;
  far_error error;
  CHECK(import(&report, NULL, text, &error) == expected && report.added == 0);
  CHECK_CONTAINS(error.message, part);
  far_store *s = open_store("refused.db", FAR_STORE_WRITE);
  CHECK(import(&report, s, text, &error) == expected && report.added == 0);
  CHECK_CONTAINS(error.message, part);
  far_store_close(s);
  CHECK(sql_number("refused.db", "SELECT count(*) FROM session") == 0);
}

#define HEAD "env,agent,seed,value\n"
#define WITH_MODEL "env,agent,steps,seed,replicate,series,step,value,model\n"
#define HASH "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static void test_first_line(void) {
  refuses("", FAR_STATUS_FORMAT, "rows.csv:1:1: the file is empty");
  refuses("env;agent;seed;value\n", FAR_STATUS_FORMAT, "by commas, not semicolons");
  refuses("env\tagent\tseed\tvalue\n", FAR_STATUS_FORMAT, "by commas, not tabs");
  refuses("x\n", FAR_STATUS_FORMAT, "rows.csv:1:1: there is no column 'env'");
  refuses("x;y,z\n", FAR_STATUS_FORMAT, "there is no column 'env'; the first line must name");
  refuses("agent,seed,value\n", FAR_STATUS_FORMAT, "there is no column 'env'");
  refuses("env,seed,value\n", FAR_STATUS_FORMAT, "there is no column 'agent'");
  refuses("env,agent,value\n", FAR_STATUS_FORMAT, "there is no column 'seed'");
  refuses("env,agent,seed\n", FAR_STATUS_FORMAT, "there is no column 'value'");
  refuses("env,agnt,seed,value\n", FAR_STATUS_FORMAT,
          "rows.csv:1:5: there is no column 'agent'; did you mean 'agnt'?");
  refuses("envs,agent,seed,value\n", FAR_STATUS_FORMAT,
          "rows.csv:1:1: there is no column 'env'; did you mean 'envs'?");
  refuses("env,agent,seed,value,env\n", FAR_STATUS_FORMAT, "rows.csv:1:22: a second column 'env'");
  refuses("env,agent,seed,value,series,metric\n", FAR_STATUS_FORMAT, "a second column 'metric'");
  refuses("env,agent,seed,value,metric,series\n", FAR_STATUS_FORMAT, "a second column 'series'");
}

static void test_fields(void) {
  refuses(HEAD "e,a,1,x\n", FAR_STATUS_FORMAT, "rows.csv:2:7: value 'x' must be a number");
  refuses(HEAD "e,a,1,nan\n", FAR_STATUS_FORMAT, "value 'nan' must be a number");
  refuses(HEAD "e,a,1,-ing\n", FAR_STATUS_FORMAT, "value '-ing' must be a number");
  refuses(HEAD "e,a,1,-infx\n", FAR_STATUS_FORMAT, "value '-infx' must be a number");
  refuses(HEAD "e,a,-1,1\n", FAR_STATUS_FORMAT, "seed '-1' must be a whole number from 0 to ");
  refuses(HEAD "e,a,9223372036854775807,1\n", FAR_STATUS_FORMAT, "to 9223372036854775806");
  refuses(HEAD ",a,1,1\n", FAR_STATUS_FORMAT, "rows.csv:2:1: env '' must be a name");
  refuses(HEAD "e,\"a\nb\",1,1\n", FAR_STATUS_FORMAT, "must be a name: 1 to 4096 bytes");
  refuses(HEAD "e,\x7f,1,1\n", FAR_STATUS_FORMAT, "must be a name");
  refuses(HEAD "\xff,a,1,1\n", FAR_STATUS_FORMAT, "must be a name");
  refuses(WITH_MODEL "e,a,-1,1,0,,,1,\n", FAR_STATUS_FORMAT,
          "steps '-1' must be a whole number from 0");
  refuses(WITH_MODEL "e,a,,x,0,,,1,\n", FAR_STATUS_FORMAT, "seed 'x' must be");
  refuses(WITH_MODEL "e,a,,1,-1,,,1,\n", FAR_STATUS_FORMAT,
          "replicate '-1' must be a whole number");
  refuses(WITH_MODEL "e,a,,1,0,,0,1,\n", FAR_STATUS_FORMAT,
          "step '0' must be a whole number from 1");
  refuses(WITH_MODEL "e,a,,1,0,total,5,1,\n", FAR_STATUS_FORMAT, "the total has no steps");
  refuses(WITH_MODEL "e,a,,1,0,curve,,1,\n", FAR_STATUS_FORMAT, "a row of a curve needs its step");
  refuses(WITH_MODEL "e,a,,1,0,\"x@1,2\",,1,\n", FAR_STATUS_FORMAT,
          "series 'x@1,2' must be total, the name of a metric, or curve");
  refuses(WITH_MODEL "e,a,,1,0,curve@,,1,\n", FAR_STATUS_FORMAT, "series 'curve@' must be");
  refuses(WITH_MODEL "e,a,,1,0,,,1,abc\n", FAR_STATUS_FORMAT,
          "model 'abc' must be empty or a SHA-256");
  refuses(WITH_MODEL "e,a,,1,0,,,1," HASH "0\n", FAR_STATUS_FORMAT, "must be empty or a SHA-256");
  refuses(WITH_MODEL "e,a,,1,0,,,1,X" HASH "\n", FAR_STATUS_FORMAT, "must be empty or a SHA-256");
  char hash[] = WITH_MODEL "e,a,,1,0,,,1," HASH "\n";
  hash[sizeof hash - 3] = 'g';
  refuses(hash, FAR_STATUS_FORMAT, "must be empty or a SHA-256 of 64 hexadecimal digits");
  char text[10000], name[5000];
  memset(name, 'n', 4097);
  name[4097] = '\0';
  snprintf(text, sizeof text, HEAD "%s,a,1,1\n", name);
  refuses(text, FAR_STATUS_FORMAT, "must be a name");
  far_import_report report;
  far_error error;
  name[4096] = '\0';
  snprintf(text, sizeof text, HEAD "%s,a,1,1\n", name);
  CHECK(import(&report, NULL, text, &error) == FAR_OK && report.rows == 1);
}

/* The values of a series of the only record. */
static void check_values(far_store *s, const char *series, int64_t n, const double *expected) {
  far_record record;
  bool found;
  double *values = NULL;
  int64_t *replicates = NULL, count = -1;
  CHECK(far_store_record(&record, &found, s, 0, NULL) == FAR_OK && found);
  char key[FAR_HASH_TEXT];
  memcpy(key, record.key, sizeof key);
  CHECK(far__store_values(&values, &replicates, &count, s, key, series, NULL) == FAR_OK);
  CHECK(count == n);
  for (int64_t i = 0; i < n && count == n; ++i)
    CHECK(replicates[i] == (int64_t)expected[2 * i] && values[i] == expected[2 * i + 1]);
  free(values);
  free(replicates);
}

static void test_taken(void) {
  far_import_report r;
  far_error error;
  far_record record;
  bool found;
  far_store *s = open_store("taken.db", FAR_STORE_WRITE);
  CHECK(import(&r, s,
               "value,seed,agent,env,a note,numerics,another\n"
               "1.5,3,mine,their-world,x,9,\ninf,4,mine,their-world,,,\n"
               "-inf,0,mine,their-world,,,\n1.5,3,mine,their-world,,,\n",
               &error) == FAR_OK);
  CHECK(r.rows == 4 && r.added == 3 && r.apart == 0);
  CHECK_TEXT(r.unused, "a note, another");
  CHECK_TEXT(r.why, "");
  CHECK(far_store_record(&record, &found, s, 0, NULL) == FAR_OK && found);
  CHECK(record.runs == 3 && record.steps == 0 && record.seed == 0 && record.numerics == 0);
  CHECK_TEXT(record.model, "");
  check_values(s, "total", 3, (const double[]){0, -INFINITY, 3, 1.5, 4, INFINITY});
  CHECK(import(&r, s, HEAD "their-world,mine,3,1.5\n", &error) == FAR_OK && r.added == 0);
  CHECK(import(&r, s, HEAD "their-world,mine,3,2.5\n", &error) == FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "run 3 of 'mine' on 'their-world' (0 steps, seed 0): total is 1.5");
  sql("taken.db", "BEGIN IMMEDIATE; ROLLBACK"); /* what failed keeps nobody out */
  CHECK(import(&r, s, HEAD "w,m,1,1\nw,m,1,2\n", &error) == FAR_STATUS_FORMAT);
  CHECK_CONTAINS(error.message, "rows.csv:3:1: total of seed or replicate 1 of 'm' on 'w' is 2; "
                                "line 2 has 1");
  CHECK(import(&r, s, HEAD "w,m,1,0\nw,m,1,-0\n", &error) == FAR_STATUS_FORMAT);
  CHECK(import(&r, s, HEAD, &error) == FAR_OK && r.rows == 0 && r.added == 0);
  /* a long name is cut in the message */
#define SIXTY "a123456789b123456789c123456789d123456789e123456789f123456789"
  CHECK(import(&r, s, "env,agent,seed,value,metric\nw,m,1,1," SIXTY "xyz\n", &error) == FAR_OK);
  CHECK(import(&r, s, "env,agent,seed,value,metric\nw,m,1,2," SIXTY "xyz\n", &error) ==
        FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "seed 0): " SIXTY " is 1 in '");
  far_store_close(s);
  s = open_store("taken.db", FAR_STORE_WRITE);
  CHECK(import(&r, s, HEAD "their-world,mine,3,1.5\n", &error) == FAR_OK && r.added == 0);
  far_store_close(s);
  /* what changed nothing has left no session */
  CHECK(sql_number("taken.db", "SELECT count(*) FROM session") == 1);
  CHECK(sql_number("taken.db", "SELECT count(*) FROM block") == 3);
}

/* With replicates the seed is that of the cell, and series are total, metrics, curves. */
static void test_series(void) {
  far_import_report r;
  far_error error;
  far_store *s = open_store("series.db", FAR_STORE_WRITE);
  CHECK(import(&r, s,
               WITH_MODEL "w,m,30,18446744073709551615,0,,,1," HASH "\n"
                          "w,m,30,18446744073709551615,1,total,,2," HASH "\n"
                          "w,m,30,18446744073709551615,0,,5,3," HASH "\n"
                          "w,m,30,18446744073709551615,0,curve,1,4," HASH "\n"
                          "w,m,30,18446744073709551615,0,regret,,5," HASH "\n"
                          "w,m,30,18446744073709551615,0,regret,7,6," HASH "\n",
               &error) == FAR_OK);
  CHECK(r.rows == 6 && r.added == 6);
  check_values(s, "total", 2, (const double[]){0, 1, 1, 2});
  check_values(s, "curve@5", 1, (const double[]){0, 3});
  check_values(s, "curve@1", 1, (const double[]){0, 4});
  check_values(s, "regret", 1, (const double[]){0, 5});
  check_values(s, "regret@7", 1, (const double[]){0, 6});
  far_record record;
  bool found;
  CHECK(far_store_record(&record, &found, s, 0, NULL) == FAR_OK && found);
  CHECK(record.seed == UINT64_MAX && record.steps == 30);
  CHECK_TEXT(record.model, HASH);
  CHECK(far_store_record(&record, &found, s, 1, NULL) == FAR_OK && !found);
  far_store_close(s);
}

/* More cells than the first table of groups has room for, and rows in any order. */
static void test_many_groups(void) {
  far_import_report r;
  far_error error;
  static char text[40000];
  size_t n = (size_t)snprintf(text, sizeof text, HEAD);
  for (int i = 0; i < 600; ++i)
    n += (size_t)snprintf(text + n, sizeof text - n, "w%d,m,%d,%d\n", i % 150, i / 150, i);
  far_store *s = open_store("groups.db", FAR_STORE_WRITE);
  CHECK(import(&r, s, text, &error) == FAR_OK && r.rows == 600 && r.added == 600);
  far_store_close(s);
  CHECK(sql_number("groups.db", "SELECT count(*) FROM cell") == 150);
  CHECK(sql_number("groups.db", "SELECT count(*) FROM block WHERE first = 0 AND runs = 4") == 150);
  CHECK(strlen(content("groups.db", NULL)) == 64);
}

static bool count_asks(void *user, double waited) {
  (void)waited;
  *(int *)user += 1;
  return true;
}

/* Of many rows the watcher is asked now and then; without a store there is nobody to ask. */
static void test_many_rows(void) {
  enum { ROWS = 9000 };
  static char text[12 * ROWS];
  far_import_report r;
  far_error error;
  int asks = 0;
  size_t n = (size_t)snprintf(text, sizeof text, HEAD);
  for (int i = 0; i < ROWS; ++i) n += (size_t)snprintf(text + n, sizeof text - n, "w,m,%d,1\n", i);
  CHECK(import(&r, NULL, text, &error) == FAR_OK && r.rows == ROWS && r.added == 0);
  far_store *s = open_store("many.db", FAR_STORE_WRITE);
  far__store_watch(s, count_asks, &asks);
  CHECK(import(&r, s, text, &error) == FAR_OK && r.rows == ROWS && r.added == ROWS);
  CHECK(asks >= 3 && asks < ROWS / 10); /* twice while they are read, once when they are stored */
  far_store_close(s);
}

/* ---- models that are files ---- */

static const char a_model[] = "discount: 0.9\nvalues: reward\nstates: 2\nactions: 1\n"
                              "start: 0\nT: 0 : 0 : 1 1\nT: 0 : 1 : 0 1\nR: 0 : 0 : 1 : * 1\n";

/* Rows of a file join the runs of what the file is now, and stay apart where that is not known. */
static void test_files(void) {
  far_import_report r;
  far_error error;
  far_record record;
  bool found;
  char text[3000], path[700];
  far_mdp *mdp;
  write_text("model.mdp", a_model);
  snprintf(path, sizeof path, "file:%s", store_path("model.mdp"));
  CHECK(far_mdp_create(&mdp, path, &error) == FAR_OK);
  if (mdp == NULL) printf("  %s\n", error.message);
  char hash[FAR_HASH_TEXT] = "";
  if (mdp != NULL) far_mdp_hash(hash, mdp);
  far_store *s = open_store("files.db", FAR_STORE_WRITE);
  snprintf(text, sizeof text,
           HEAD "\"%s\",m,1,1\n\"%s\",m,2,2\nfile:none,m,1,1\nfile:none,m,2,1\n"
                "file:other,m,1,1\nfile:none,m,3,1\n",
           path, path);
  CHECK(import(&r, s, text, &error) == FAR_OK && r.added == 6 && r.apart == 4);
  CHECK_TEXT(r.why, "file:none: the file cannot be read");
  int models = 0;
  for (size_t i = 0; i < 3; ++i) {
    CHECK(far_store_record(&record, &found, s, i, NULL) == FAR_OK && found);
    models += strcmp(record.model, hash) == 0;
  }
  CHECK(models == 1);
  /* the file has changed since: what it is called now may be the one or the other */
  char other[sizeof a_model];
  memcpy(other, a_model, sizeof other);
  strstr(other, "* 1\n")[2] = '2';
  write_text("model.mdp", other);
  CHECK(import(&r, s, text, &error) == FAR_OK && r.apart == 6 && r.added == 2);
  CHECK_CONTAINS(r.why, "model.mdp: the store has results of another model of that name");
  CHECK(import(&r, NULL, text, &error) == FAR_OK && r.apart == 4 && r.added == 0);
  far_store_close(s);
  /* what is apart has no digest: two names without a file, and the changed one */
  CHECK(sql_number("files.db", "SELECT count(*) FROM cell WHERE model = ''") == 3);
  CHECK(sql_number("files.db", "SELECT count(*) FROM cell") == 4);
  /* a record's own model is its model, if it is still that */
  far_mdp *again = NULL;
  CHECK(far_record_model(&again, path, hash, &error) == FAR_STATUS_MISMATCH && again == NULL);
  CHECK_CONTAINS(error.message, "it is not the model of the stored runs");
  CHECK(error.position == -1);
  write_text("model.mdp", a_model);
  CHECK(far_record_model(&again, path, hash, &error) == FAR_OK && again != NULL);
  far_mdp_free(again);
  const int next = dup(0); /* the number that the next file gets: none stays open */
  close(next);
  CHECK(far_record_model(&again, path, "", &error) == FAR_OK);
  far_mdp_free(again);
  const int after = dup(0);
  CHECK(next >= 0 && after == next);
  close(after);
  CHECK(far_record_model(&again, "file:/none/such", "", &error) == FAR_STATUS_IO && again == NULL);
  CHECK(far_record_model(&again, "no-such-world", "", &error) != FAR_OK && again == NULL);
  far_mdp_free(mdp);
}

/* The file of a name is looked at once, and another name is another file, however near it is. */
static void test_near_names(void) {
  far_import_report r;
  far_error error;
  char text[6000], path[700];
  write_text("model.mdp", a_model);
  snprintf(path, sizeof path, "file:%s", store_path("model.md"));
  static const char ends[] = "qpqqppo";
  size_t n = (size_t)snprintf(text, sizeof text, HEAD);
  for (int i = 0; ends[i] != '\0'; ++i)
    n += (size_t)snprintf(text + n, sizeof text - n, "%s%c,m,%d,1\n", path, ends[i], i);
  far_store *s = open_store("near.db", FAR_STORE_WRITE);
  CHECK(import(&r, s, text, &error) == FAR_OK && r.rows == 7 && r.apart == 4);
  CHECK_CONTAINS(r.why, "model.mdq: the file cannot be read");
  far_store_close(s);
  CHECK(sql_number("near.db", "SELECT count(*) FROM cell WHERE model <> ''") == 1);
  CHECK(sql_number("near.db", "SELECT count(*) FROM cell WHERE env LIKE '%mdp' AND model <> ''") ==
        1);
}

/* Results of another model, stored under the name that the rows have or under the canonical one of the runs. */
static void test_either_name(void) {
  far_import_report r;
  far_error error;
  char text[3000], path[700];
  far_mdp *mdp;
  bool added;
  for (int canonical = 0; canonical < 2; ++canonical) {
    write_text("map.txt", "SF\nFG\n");
    snprintf(path, sizeof path, "frozen-lake:map=@%s", store_path("map.txt"));
    snprintf(text, sizeof text, HEAD "\"%s\",m,1,1\n", path);
    CHECK(far_mdp_create(&mdp, path, &error) == FAR_OK);
    CHECK(strcmp(far_mdp_spec(mdp), path) != 0);
    const far_imported_run run = {.mdp = mdp, .agent = "mine", .steps = 10};
    far_store *s = open_store(canonical ? "lakes.db" : "lake.db", FAR_STORE_WRITE);
    if (canonical) CHECK(far_store_add(&added, s, &run, &error) == FAR_OK && added);
    if (!canonical) CHECK(import(&r, s, text, &error) == FAR_OK && r.added == 1 && r.apart == 0);
    if (!canonical) CHECK(import(&r, s, text, &error) == FAR_OK && r.apart == 0); /* the same */
    write_text("map.txt", "SF\nHG\n");
    CHECK(import(&r, s, text, &error) == FAR_OK && r.apart == 1);
    CHECK_CONTAINS(r.why, "the store has results of another model of that name");
    far_store_close(s);
    far_mdp_free(mdp);
  }
}

/* A store may be a stranger's: of the files that it names only regular ones are read, up to 256 MiB. */
static void test_strange_files(void) {
  far_mdp *mdp = NULL;
  far_error error = {.message = ""};
  char path[700];
  CHECK(far_record_model(&mdp, "file:/dev/null", "", &error) == FAR_STATUS_IO && mdp == NULL);
  CHECK_CONTAINS(error.message, "'/dev/null': it is not a regular file");
  write_text("model.mdp", a_model);
  CHECK(truncate(store_path("model.mdp"), ((off_t)1 << 28) + 1) == 0);
  snprintf(path, sizeof path, "file:%s", store_path("model.mdp"));
  CHECK(far_record_model(&mdp, path, "", &error) == FAR_STATUS_IO && mdp == NULL);
  CHECK_CONTAINS(error.message, "it has 268435457 bytes, at most 268435456");
  CHECK(error.position == -1);
}

/* ---- single runs ---- */

static const int64_t steps[] = {5, 10};
static const double curve[] = {0.5, 1.5};

static far_status add(far_store *s, far_imported_run run, bool *added, far_error *error) {
  *error = (far_error){.message = ""};
  *added = true;
  const far_status status = far_store_add(added, s, &run, error);
  CHECK(status == FAR_OK || (!*added && error->position == -1));
  return status;
}

static void test_runs(void) {
  far_mdp *mdp;
  far_error error;
  bool added;
  CHECK(far_mdp_create(&mdp, "chain:n=3", NULL) == FAR_OK);
  const far_imported_run good = {mdp, "mine", 10, 1, 3, 1.5, steps, curve, 2};
  far_imported_run run = good;
  char name[257] = "";
  far_store *s = open_store("runs.db", FAR_STORE_WRITE);
  CHECK(add(s, good, &added, &error) == FAR_OK && added);
  CHECK(add(s, good, &added, &error) == FAR_OK && !added);
  CHECK(add(NULL, good, &added, &error) == FAR_OK && !added);
  run.total = 2;
  CHECK(add(s, run, &added, &error) == FAR_STATUS_CONFLICT && !added);
  run = good;
  run.curve = (const double[]){0.5, 2};
  CHECK(add(s, run, &added, &error) == FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "curve at step 10 is 1.5 in");
  run = good;
  run.mdp = NULL;
  CHECK(add(s, run, &added, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "a run needs a model and the name of its agent: 1 to 255 bytes");
  run = good;
  run.agent = NULL;
  CHECK(add(s, run, &added, &error) == FAR_STATUS_RANGE);
  run.agent = memset(name, 'a', 256);
  CHECK(add(s, run, &added, &error) == FAR_STATUS_RANGE);
  name[255] = '\0';
  CHECK(add(s, run, &added, &error) == FAR_OK && added);
  run = good;
  run.steps = 0;
  run.n_checkpoints = 0;
  CHECK(add(s, run, &added, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "a run needs steps, a replicate below 2^63");
  run.steps = 1;
  CHECK(add(s, run, &added, &error) == FAR_OK && added);
  run = good;
  run.total = NAN;
  CHECK(add(s, run, &added, &error) == FAR_STATUS_RANGE);
  run = good;
  run.replicate = (uint64_t)INT64_MAX + 1;
  CHECK(add(s, run, &added, &error) == FAR_STATUS_RANGE);
  CHECK(add(NULL, run, &added, &error) == FAR_STATUS_RANGE);
  run.replicate = (uint64_t)INT64_MAX; /* the next one must be a number, too */
  CHECK(add(s, run, &added, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "replicates above 9223372036854775807 cannot be stored");
  run.replicate = (uint64_t)INT64_MAX - 1;
  CHECK(add(s, run, &added, &error) == FAR_OK && added);
  static const int64_t wrong[][2] = {{0, 5}, {5, 5}, {6, 5}, {5, 11}};
  for (size_t i = 0; i < 4; ++i) {
    run = good;
    run.checkpoints = wrong[i];
    CHECK(add(s, run, &added, &error) == FAR_STATUS_RANGE);
    CHECK_CONTAINS(error.message, "is not in 1 ... 10, the run's steps, or does not ascend");
    CHECK(error.position == -1);
  }
  run = good; /* the first and the last step there may be */
  run.replicate = 4;
  run.checkpoints = (const int64_t[]){1, 10};
  CHECK(add(s, run, &added, &error) == FAR_OK && added);
  run = good;
  run.curve = (const double[]){0.5, NAN};
  CHECK(add(s, run, &added, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "the total at checkpoint 10 is not a number");
  far_store_close(s);
  CHECK(strlen(content("runs.db", NULL)) == 64);
  CHECK(sql_number("runs.db", "SELECT max(first) FROM block") == INT64_MAX - 1);
  CHECK(sql_number("runs.db", "SELECT count(*) FROM cell") == 3);
  far_mdp_free(mdp);
}

/* A run is stored as a whole or not at all, and one that is there leaves no session. */
static void test_whole_runs(void) {
  far_mdp *mdp;
  far_error error;
  bool added;
  char rows[200];
  CHECK(far_mdp_create(&mdp, "chain:n=3", NULL) == FAR_OK);
  const far_imported_run run = {mdp, "mine", 10, 1, 3, 1.5, steps, curve, 1};
  snprintf(rows, sizeof rows, LONG "\"%s\",mine,10,1,3,curve,5,0.75\n", far_mdp_spec(mdp));
  import_text("whole.db", rows);
  far_store *s = open_store("whole.db", FAR_STORE_WRITE);
  CHECK(add(s, run, &added, &error) == FAR_STATUS_CONFLICT); /* its total would be new */
  CHECK_CONTAINS(error.message, "curve at step 5 is 0.75 in");
  far_store_close(s);
  CHECK(sql_number("whole.db", "SELECT count(*) FROM block") == 1);
  for (int i = 0; i < 2; ++i) {
    s = open_store("twice.db", FAR_STORE_WRITE);
    CHECK(add(s, run, &added, &error) == FAR_OK && added == (i == 0));
    CHECK(sqlite3_get_autocommit(s->db));
    far_store_close(s);
  }
  CHECK(sql_number("twice.db", "SELECT count(*) FROM session") == 1);
  CHECK(sql_number("twice.db", "SELECT count(*) FROM block") == 2);
  far_mdp_free(mdp);
}

int main(void) {
  if (!stores_begin()) return stores_end();
  test_first_line();
  test_fields();
  test_taken();
  test_series();
  test_many_groups();
  test_many_rows();
  test_files();
  test_near_names();
  test_either_name();
  test_strange_files();
  test_runs();
  test_whole_runs();
  return stores_end();
}
