/* What a store gives back: exports byte by byte, columns of several series, counts, names that are near. */
#include "lab/store/access.h"
#include "run/blocks.h"
#include "stores-sql.h"

/* ---- where exports go ---- */

typedef struct sheet {
  char text[1 << 18];
  size_t length;
  int writes, most; /* most: so many writes, then it says no; 0: any */
} sheet;

static sheet page;

static bool write_down(void *user, const char *bytes, size_t length) {
  sheet *to = user;
  if (to->most > 0 && to->writes == to->most) return false;
  to->writes += 1;
  if (to->length + length >= sizeof to->text) return false;
  memcpy(to->text + to->length, bytes, length);
  to->length += length;
  to->text[to->length] = '\0';
  return true;
}

static const char *exported(far_store *s, far_export format, const char *const *series, size_t n) {
  page = (sheet){0};
  CHECK(far_store_export(s, format, series, n, write_down, &page, NULL) == FAR_OK);
  return page.text;
}

#define NAMES "env,agent,steps,episodes,seed,replicate,series,step,value,model,numerics\n"

/* Quotes where a field needs them, infinities, no step where there is none. */
static void test_text(void) {
  import_text("text.db", LONG "\"a,b\",\"say \"\"x\"\"\",30,7,2,total,,-inf\n"
                              "\"a,b\",\"say \"\"x\"\"\",30,7,2,curve,5,0.5\n"
                              "plain,m,0,0,9,\"m,1\",,inf\nplain,m,0,0,9,\"m,1\",3,0.1\n");
  far_store *s = open_store("text.db", FAR_STORE_READ);
  CHECK_TEXT(exported(s, FAR_EXPORT_CSV, NULL, 0),
             NAMES "\"a,b\",\"say \"\"x\"\"\",30,,7,2,total,,-inf,,0\n"
                   "\"a,b\",\"say \"\"x\"\"\",30,,7,2,curve,5,0.5,,0\n"
                   "plain,m,0,,0,9,\"m,1\",,inf,,0\nplain,m,0,,0,9,\"m,1\",3,0.1,,0\n");
  CHECK(page.writes == 1);
  CHECK_TEXT(exported(s, FAR_EXPORT_JSONL, (const char *const[]){"total", "m,1@3"}, 2),
             "{\"env\":\"a,b\",\"agent\":\"say \\\"x\\\"\",\"steps\":30,\"seed\":7,"
             "\"replicate\":2,\"series\":\"total\",\"step\":null,\"value\":\"-inf\","
             "\"model\":\"\",\"numerics\":0}\n"
             "{\"env\":\"plain\",\"agent\":\"m\",\"steps\":0,\"seed\":0,\"replicate\":9,"
             "\"series\":\"m,1\",\"step\":3,\"value\":0.1,\"model\":\"\","
             "\"numerics\":0}\n");
  /* a whole series is its number and its curve */
  CHECK_TEXT(exported(s, FAR_EXPORT_CSV, (const char *const[]){"m,1"}, 1),
             NAMES "plain,m,0,,0,9,\"m,1\",,inf,,0\nplain,m,0,,0,9,\"m,1\",3,0.1,,0\n");
  CHECK_TEXT(exported(s, FAR_EXPORT_CSV, (const char *const[]){"curve"}, 1),
             NAMES "\"a,b\",\"say \"\"x\"\"\",30,,7,2,curve,5,0.5,,0\n");
  far_error error;
  CHECK(far_store_export(s, FAR_EXPORT_CSV, (const char *const[]){"total", "loss"}, 2, write_down,
                         &page, &error) == FAR_STATUS_UNKNOWN);
  CHECK_CONTAINS(error.message, "has no series 'loss'; 'farsight store info'");
  CHECK(error.position == -1);
  CHECK(far_store_export(s, FAR_EXPORT_CSV, (const char *const[]){""}, 1, write_down, &page,
                         &error) == FAR_STATUS_UNKNOWN);
  CHECK_CONTAINS(error.message, "has no series ''");
  far_store_close(s);
}

/* The first step of a curve is one, too. */
static void test_first_step(void) {
  import_text("first.db", LONG "w,m,3,0,0,curve,1,0.5\n");
  far_store *s = open_store("first.db", FAR_STORE_READ);
  CHECK_TEXT(exported(s, FAR_EXPORT_CSV, NULL, 0), NAMES "w,m,3,,0,0,curve,1,0.5,,0\n");
  CHECK_TEXT(exported(s, FAR_EXPORT_JSONL, NULL, 0),
             "{\"env\":\"w\",\"agent\":\"m\",\"steps\":3,\"seed\":0,\"replicate\":0,"
             "\"series\":\"curve\",\"step\":1,\"value\":0.5,\"model\":\"\",\"numerics\":0}\n");
  far_store_close(s);
}

/* Many rows come in pieces of 64 KiB or a little more, and can be stopped at any. */
static void test_pieces(void) {
  static char text[60000];
  far_error error;
  size_t n = (size_t)snprintf(text, sizeof text, "env,agent,seed,value\n");
  for (int i = 0; i < 5000; ++i) n += (size_t)snprintf(text + n, sizeof text - n, "w,m,%d,1\n", i);
  import_text("pieces.db", text);
  far_store *s = open_store("pieces.db", FAR_STORE_READ);
  CHECK(strlen(exported(s, FAR_EXPORT_CSV, NULL, 0)) > 100000 && page.writes == 2);
  size_t lines = 0;
  for (size_t i = 0; i < page.length; ++i) lines += page.text[i] == '\n';
  CHECK(lines == 5001);
  page = (sheet){.most = 1};
  CHECK(far_store_export(s, FAR_EXPORT_CSV, NULL, 0, write_down, &page, &error) ==
        FAR_STATUS_CANCELLED);
  CHECK_TEXT(error.message, "stopped on request");
  CHECK(error.position == -1);
  CHECK(page.length > 1 << 16 && page.length < (1 << 16) + 100);
  far_store_close(s);
}

static void test_snapshots(void) {
  static const char names[] =
      "env,agent,steps,episodes,seed,replicate,step,state,action,q,bonus,visits,"
      "probability,model,numerics\n";
  far_mdp *mdp;
  far_keeper *k;
  far_snapshot x[2];
  const int64_t checkpoints[] = {5, 10};
  double numbers[] = {1, 2, 3};
  char expected[900];
  CHECK(far_mdp_create(&mdp, "chain:n=3", NULL) == FAR_OK);
  const far_cell cell = {
      .mdp = mdp, .agent = "random", .steps = 10, .checkpoints = checkpoints, .n_checkpoints = 2};
  far_batch_def def = far_batch_def_default();
  def.cells = &cell;
  def.n_cells = 1;
  def.runs = 1;
  def.snapshots = 1;
  far_store *s = open_store("shots.db", FAR_STORE_WRITE);
  CHECK(far_keeper_create(&k, s, &def, NULL) == FAR_OK);
  CHECK(far__snapshot_create(&x[0], 2, 1, true, false, true, NULL) == FAR_OK);
  CHECK(far__snapshot_create(&x[1], 1, 2, false, true, false, NULL) == FAR_OK);
  for (int i = 0; i < 6; ++i) x[0].visits[i] = i;
  for (int i = 0; i < 4; ++i) x[1].visits[i] = 10 + i;
  x[0].step = 5;
  x[1].step = 10;
  const far_block block = {.runs = 1, .values = numbers, .snapshots = x, .n_snapshots = 2};
  CHECK(far_keeper_keep(k, &block, 1, NULL) == FAR_OK);
  page = (sheet){0};
  CHECK(far_store_export_snapshots(s, write_down, &page, NULL) == FAR_OK);
  const far_record r = far__keeper_record(k, 0);
  char head[200], tail[100];
  snprintf(head, sizeof head, "chain:n=3,%s,10,1,0", r.agent);
  snprintf(tail, sizeof tail, ",%d\n", far_numerics());
  const char *env = strchr(page.text, '\n') + 1; /* as the spec has it, in quotes or not */
  const size_t length = (size_t)(strstr(env, ",10,,1,0,5,") - env);
  snprintf(expected, sizeof expected,
           "%s%.*s,10,,1,0,5,0,0,2,,0,4,%s%.*s,10,,1,0,5,1,0,3,,1,5,%s"
           "%.*s,10,,1,0,10,0,0,,12,10,,%s%.*s,10,,1,0,10,0,1,,13,11,,%s",
           names, (int)length, env, tail, (int)length, env, tail, (int)length, env, tail,
           (int)length, env, tail);
  CHECK_TEXT(page.text, expected);
  /* one is read at its place, or the next one after it */
  static const int64_t asked[][4] = {{0, 0, 0, 5}, {0, 5, 0, 5}, {0, 6, 0, 10}, {0, 10, 0, 10}};
  char key[FAR_HASH_TEXT];
  memcpy(key, r.key, sizeof key);
  far_snapshot one;
  bool found;
  for (size_t i = 0; i < 4; ++i) {
    CHECK(far_store_snapshot_read(&one, &found, s, key, asked[i][0], asked[i][1], NULL) == FAR_OK);
    CHECK(found && one.replicate == asked[i][2] && one.step == asked[i][3]);
    far_snapshot_free(&one);
  }
  CHECK(far_store_snapshot_read(&one, &found, s, key, 0, 11, NULL) == FAR_OK && !found);
  CHECK(far_store_snapshot_read(&one, &found, s, key, 1, 0, NULL) == FAR_OK && !found);
  far_snapshot_free(&x[0]);
  far_snapshot_free(&x[1]);
  far_keeper_free(k);
  far_store_close(s);
  far_mdp_free(mdp);
}

/* ---- columns of two series ---- */

static void check_column(far_store *s, const char *series, const char *runs) {
  far_record record;
  bool found;
  double *values = NULL;
  int64_t *replicates = NULL, count = 0;
  char text[200] = "", key[FAR_HASH_TEXT];
  CHECK(far_store_record(&record, &found, s, 0, NULL) == FAR_OK && found);
  memcpy(key, record.key, sizeof key);
  CHECK(far__store_values(&values, &replicates, &count, s, key, series, NULL) == FAR_OK);
  for (int64_t i = 0; i < count; ++i)
    snprintf(text + strlen(text), sizeof text - strlen(text), "%lld=%g ", (long long)replicates[i],
             values[i]);
  CHECK_TEXT(text, runs);
  free(values);
  free(replicates);
}

/* Single runs with other checkpoints: step 5 is in two series, whose runs alternate or are the same. */
static void add_runs(far_store *s, const int64_t *steps, const int *runs, size_t n, double shift) {
  far_mdp *mdp;
  bool added;
  CHECK(far_mdp_create(&mdp, "chain:n=3", NULL) == FAR_OK);
  for (size_t i = 0; i < n; ++i) {
    const double curve[] = {10 * runs[i] + 5 + shift, 10 * runs[i] + steps[1]};
    const far_imported_run run = {mdp, "mine", 10, 1, (uint64_t)runs[i], runs[i], steps, curve, 2};
    CHECK(far_store_add(&added, s, &run, NULL) == FAR_OK);
  }
  far_mdp_free(mdp);
}

/* Columns that end before others have NAN there. */
static void check_aligned(far_store *s) {
  static const char *const names[] = {"curve@9", "total"}, *const wrong[] = {"x", "total"};
  static const char *const turned[] = {"total", "curve@9"};
  far_record record;
  far_columns c;
  bool found;
  char key[FAR_HASH_TEXT];
  CHECK(far_store_record(&record, &found, s, 0, NULL) == FAR_OK && found);
  memcpy(key, record.key, sizeof key);
  CHECK(far_store_columns(&c, s, key, names, 2, NULL) == FAR_OK && c.count == 7);
  CHECK(isnan(c.values[0]) && c.values[1] == 19 && c.values[5] == 69 && isnan(c.values[6]));
  CHECK(c.values[7] == 0 && c.values[13] == 8 && c.replicates[5] == 6 && c.replicates[6] == 8);
  far_columns_free(&c);
  CHECK(far_store_columns(&c, s, key, turned, 2, NULL) == FAR_OK);
  CHECK(c.count == 7 && c.replicates[0] == 0 && c.replicates[6] == 8); /* in either order */
  CHECK(c.values[0] == 0 && c.values[6] == 8 && isnan(c.values[7]) && c.values[8] == 19);
  far_columns_free(&c);
  CHECK(c.count == 0 && c.replicates == NULL && c.values == NULL);
  c = (far_columns){.count = 7, .values = (double[]){1}, .replicates = (int64_t[]){1}};
  CHECK(far_store_columns(&c, s, key, wrong, 2, NULL) == FAR_STATUS_UNKNOWN);
  CHECK(c.count == 0 && c.replicates == NULL && c.values == NULL);
  far_error error = {.message = ""};
  CHECK(far_store_columns(&c, s, "none", names, 2, &error) == FAR_STATUS_UNKNOWN && c.count == 0);
  CHECK_CONTAINS(error.message, "has no cell 'none'");
}

static void test_united(void) {
  static const int64_t early[] = {5, 7}, late[] = {5, 9};
  far_store_report report;
  far_store *s = open_store("united.db", FAR_STORE_WRITE);
  add_runs(s, early, (const int[]){0, 2, 3, 8}, 4, 0);
  add_runs(s, late, (const int[]){1, 3, 4, 6}, 4, 0);
  check_column(s, "curve@5", "0=5 1=15 2=25 3=35 4=45 6=65 8=85 ");
  check_column(s, "curve@7", "0=7 2=27 3=37 8=87 ");
  check_column(s, "curve@9", "1=19 3=39 4=49 6=69 ");
  check_column(s, "total", "0=0 1=1 2=2 3=3 4=4 6=6 8=8 ");
  far_store_close(s);
  /* the first series ends before the second */
  s = open_store("ending.db", FAR_STORE_WRITE);
  add_runs(s, early, (const int[]){0, 2}, 2, 0);
  add_runs(s, late, (const int[]){1, 3, 4}, 3, 0);
  check_column(s, "curve@5", "0=5 1=15 2=25 3=35 4=45 ");
  far_store_close(s);
  int64_t values = 0;
  CHECK(strlen(content("united.db", &values)) == 64 && values == 7 + 7 + 4 + 4);
  s = open_store("united.db", FAR_STORE_WRITE);
  check_aligned(s);
  /* the same run must have the same number in both */
  add_runs(s, early, (const int[]){6}, 1, 0.5);
  far_error error;
  far_record record;
  bool found;
  double *x;
  int64_t *replicates, count;
  CHECK(far_store_record(&record, &found, s, 0, NULL) == FAR_OK && found);
  char key[FAR_HASH_TEXT];
  memcpy(key, record.key, sizeof key);
  CHECK(far__store_values(&x, &replicates, &count, s, key, "total", &error) == FAR_STATUS_FORMAT);
  CHECK_CONTAINS(error.message, "has two numbers at step 5 of run 6 of 'mine' on 'chain");
  CHECK(error.position == -1);
  CHECK(x == NULL && replicates == NULL && count == 0);
  CHECK(far_store_check(&report, s, NULL, NULL, NULL) == FAR_OK && report.faults == 1);
  far_store_close(s);
}

/* Steps 5 agree and become one column, 7 moves up, 9 disagree: what was moved is freed once. Or 5 disagree, and that 9
 * agree does not mend it. */
static void test_disunited(const char *store, double at_5, double at_9, const char *part) {
  const int64_t two[] = {5, 9}, three[] = {5, 7, 9};
  const double first[] = {0, 9}, second[] = {at_5, 7, at_9};
  far_mdp *mdp;
  far_store *s = open_store(store, FAR_STORE_WRITE);
  far_record record;
  far_error error;
  bool added, found;
  double *x;
  int64_t *replicates, count;
  char key[FAR_HASH_TEXT];
  CHECK(far_mdp_create(&mdp, "chain:n=3", NULL) == FAR_OK);
  const far_imported_run runs[] = {{mdp, "mine", 10, 1, 2, 0, two, first, 2},
                                   {mdp, "mine", 10, 1, 2, 0, three, second, 3}};
  for (int i = 0; i < 2; ++i) CHECK(far_store_add(&added, s, &runs[i], NULL) == FAR_OK && added);
  CHECK(far_store_record(&record, &found, s, 0, NULL) == FAR_OK && found);
  memcpy(key, record.key, sizeof key);
  CHECK(far__store_values(&x, &replicates, &count, s, key, "curve@5", &error) == FAR_STATUS_FORMAT);
  CHECK_CONTAINS(error.message, part);
  far_store_close(s);
  far_mdp_free(mdp);
}

/* ---- counts, and names that are near ---- */

static void test_counts(void) {
  far_store_info info;
  far_store *s = open_store("united.db", FAR_STORE_READ), *memory = NULL;
  CHECK(far_store_info_of(&info, s, NULL) == FAR_OK);
  CHECK(info.format == 1 && info.cells == 1 && info.runs == 7 && info.sessions == 2);
  CHECK(info.values == 7 + 2 * 9 &&
        info.blocks == sql_number("united.db", "SELECT count(*) FROM block"));
  CHECK(info.snapshots == 0 && info.seconds == 0 && info.bytes >= 4096);
  far_store_close(s);
  s = open_store("shots.db", FAR_STORE_READ);
  CHECK(far_store_info_of(&info, s, NULL) == FAR_OK && info.format == 2 && info.snapshots == 2);
  far_store_close(s);
  CHECK(far_store_open(&memory, "", FAR_STORE_MEMORY, NULL) == FAR_OK);
  CHECK(far_store_info_of(&info, memory, NULL) == FAR_OK && info.runs == 0);
  CHECK(info.bytes >= 8 * 4096 && info.bytes < 1 << 20 && info.bytes % 4096 == 0);
  far_store_close(memory);
}

static void nearest(far_store *s, const char *wanted, const char *expected, bool is_exact) {
  const char *name = NULL;
  bool exact = !is_exact;
  CHECK(far_store_series_nearest(&name, &exact, s, wanted, NULL) == FAR_OK && exact == is_exact);
  CHECK_TEXT(name != NULL ? name : "", expected);
}

static void test_nearest(void) {
  far_error error;
  const char *name;
  bool exact;
  far_store *s = open_store("united.db", FAR_STORE_READ);
  nearest(s, "curve@5", "curve@5", true);
  nearest(s, "curve@6", "curve@5", false); /* as near as 7: the first */
  nearest(s, "curve@8", "curve@7", false);
  nearest(s, "curve@0", "curve@5", false);
  nearest(s, "curve@9999", "curve@9", false);
  nearest(s, "total", "total", true);
  static const char *const none[] = {"curve@-1", "curve@x", "curv@5", "curves@5", "total@5", "x"};
  for (size_t i = 0; i < sizeof none / sizeof *none; ++i) {
    CHECK(far_store_series_nearest(&name, &exact, s, none[i], &error) == FAR_STATUS_UNKNOWN);
    CHECK(name == NULL && !exact);
    CHECK_CONTAINS(error.message, "has no series '");
    CHECK(error.position == -1);
  }
  far_store_close(s);
  /* a metric by its canonical spec, or by the short name under which it was imported */
  import_text("metrics.db", LONG "w,m,0,0,0,coverage,,1\nw,m,0,0,0,coverage:what=states,4,1\n");
  s = open_store("metrics.db", FAR_STORE_READ);
  nearest(s, "coverage:what=states@5", "coverage:what=states@4", false);
  nearest(s, "coverage@4", "coverage:what=states@4", true);
  nearest(s, "coverage", "coverage", true);
  far_store_close(s);
}

/* Lists are read anew at their first, and an index without one is as good as any. */
static void test_lists(void) {
  const char *name;
  far_session session;
  bool found;
  far_store *s = open_store("metrics.db", FAR_STORE_READ);
  CHECK(far_store_series(&name, &found, s, NULL, 1, NULL) == FAR_OK && found);
  CHECK_TEXT(name, "coverage:what=states@4");
  CHECK(far_store_series(&name, &found, s, NULL, 0, NULL) == FAR_OK && found);
  CHECK_TEXT(name, "coverage");
  CHECK(far_store_series(&name, &found, s, NULL, 2, NULL) == FAR_OK && !found && name == NULL);
  CHECK(far_store_session(&session, &found, s, 0, NULL) == FAR_OK && found && session.runs == 0);
  CHECK_TEXT(session.version, far_version());
  CHECK(far_store_session(&session, &found, s, 1, NULL) == FAR_OK && !found);
  CHECK(far__store_origin(&session, &found, s, 1, NULL) == FAR_OK && found);
  CHECK(far__store_origin(&session, &found, s, 2, NULL) == FAR_OK && !found);
  CHECK(session.version == NULL);
  far_store_close(s);
}

int main(void) {
  if (!stores_begin()) return stores_end();
  test_text();
  test_first_step();
  test_pieces();
  test_snapshots();
  test_united();
  test_disunited("late.db", 0, 10, "has two numbers at step 9 of run 2 of 'mine' on 'chain");
  test_disunited("early.db", 6, 9, "has two numbers at step 5 of run 2 of 'mine' on 'chain");
  test_disunited("zero.db", -0.0, 9, "has two numbers at step 5 of run 2"); /* by their bits */
  test_counts();
  test_nearest();
  test_lists();
  return stores_end();
}
