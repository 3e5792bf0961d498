/* Which definitions of agents can be registered: for every rule one that just follows it and one that just
 * does not, and what is said of the latter. */
#include <farsight/farsight.h>
#include <stdint.h>

#include "agents/guest.h"
#include "check.h"

/* ---- hooks that are there and never called ---- */

static far_status create(void **instance, const void *params, const far_shape *shape, uint64_t seed,
                         uint64_t replicate, void *user, far_error *error) {
  (void)instance, (void)params, (void)shape, (void)seed, (void)replicate, (void)user, (void)error;
  return FAR_STATUS_IO;
}

static void destroy(void *instance) {
  (void)instance;
}

static far_status act(void *instance, uint32_t s, uint32_t *a, far_error *error) {
  (void)instance, (void)s, (void)a, (void)error;
  return FAR_STATUS_IO;
}

static far_status observe(void *instance, const far_transition *step, far_error *error) {
  (void)instance, (void)step, (void)error;
  return FAR_STATUS_IO;
}

static size_t save(const void *instance, void *bytes, size_t room) {
  (void)instance, (void)bytes, (void)room;
  return 0;
}

static far_status load(void *instance, const void *bytes, size_t size, far_error *error) {
  (void)instance, (void)bytes, (void)size, (void)error;
  return FAR_STATUS_IO;
}

/* ---- a definition, and what becomes of it ---- */

static far_agent_def named(const char *name) {
  return (far_agent_def){.size = sizeof(far_agent_def),
                         .name = name,
                         .create = create,
                         .free = destroy,
                         .act = act,
                         .observe = observe};
}

static size_t listed(void) {
  size_t n = 0;
  while (far_agent_type(n) != NULL) ++n;
  return n;
}

static void check_def(far_agent_def def, const char *why) {
  far_error error = {0};
  const size_t before = listed();
  const far_status status = far_agent_register(&def, &error);
  CHECK(status == (why == NULL ? FAR_OK : FAR_STATUS_RANGE));
  CHECK_TEXT(error.message, why == NULL ? "" : why);
  CHECK(why == NULL || error.position == -1);
  CHECK(listed() - before == (why == NULL));
  CHECK(why != NULL || far__is_registered(def.name));
}

/* ---- names ---- */

#define FORTY "a123456789b123456789c123456789d123456789"

static void test_names(void) {
  static const char *const good[] = {"a", "z", "ab", "az", "a0", "a9", "a-", "a_", FORTY};
  static const char *const bad[] = {"",   "A",  "`",  "{",  "0",  "-",  "_",       "a`",
                                    "a{", "a/", "a:", "aA", "a.", "a ", FORTY "x", "a,b"};
  char why[300];
  for (size_t i = 0; i < sizeof good / sizeof *good; ++i) check_def(named(good[i]), NULL);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    snprintf(
        why, sizeof why,
        "the name of an agent must be 1 to 40 of a-z, 0-9, '-' and '_', the first a letter; it "
        "is '%s'",
        bad[i]);
    check_def(named(bad[i]), why);
  }
}

/* ---- sizes and hooks ---- */

/* Of a header that has more fields: as long as they are 0. */
static void test_newer(void) {
  struct {
    far_agent_def known;
    unsigned char more[16];
  } def = {.known = named("newer")};
  far_error error = {0};
  def.known.size = sizeof def.known + sizeof def.more;
  def.more[15] = 1;
  CHECK(far_agent_register(&def.known, &error) == FAR_STATUS_RANGE && error.position == -1);
  CHECK_TEXT(error.message, "the definition uses fields that this version does not know");
  def.more[15] = 0;
  CHECK(far_agent_register(&def.known, NULL) == FAR_OK && far__is_registered("newer"));
}

static void test_size(void) {
  far_agent_def def = named("least");
  def.size = offsetof(far_agent_def, reset);
  check_def(def, NULL);
  char why[200];
  for (size_t off = 1; off <= 9; off += 8) { /* not enough, and not whole */
    def = named("less");
    def.size = off == 1 ? sizeof def - 1 : offsetof(far_agent_def, reset) - 8;
    snprintf(why, sizeof why, "the definition's size is %zu; it must be sizeof(far_agent_def)",
             def.size);
    check_def(def, why);
  }
}

static void test_hooks(void) {
  far_agent_def def = named("hooks");
  def.create = NULL;
  check_def(def, "hooks has no hook `create`");
  def = named("hooks");
  def.free = NULL;
  check_def(def, "hooks has no hook `free`");
  def = named("hooks");
  def.act = NULL;
  check_def(def, "hooks has no hook `act`");
  def = named("hooks");
  def.observe = NULL;
  check_def(def, "hooks has no hook `observe`");
  def = named("hooks");
  def.save = save;
  check_def(def, "hooks has only one of the hooks `save` and `load`");
  def.load = load;
  def.name = "both-hooks";
  check_def(def, NULL);
  def = named("hooks");
  def.load = load;
  check_def(def, "hooks has only one of the hooks `save` and `load`");
}

/* ---- parameters ---- */

static const far_param REAL = {.name = "x", .fallback = "1", .min = 1, .max = 1};
static const far_param WHOLE = {
    .name = "n", .kind = FAR_PARAM_INTEGER, .fallback = "2", .min = 1, .max = 3, .offset = 8};
static const far_param CHOICE = {
    .name = "c", .kind = FAR_PARAM_CHOICE, .fallback = "on", .choices = "on|off", .offset = 16};
static const far_param TEXT = {
    .name = "t", .kind = FAR_PARAM_TEXT, .fallback = "word", .offset = 20};

/* A definition with these rows in `size` bytes; its name is new each time that it is taken. */
static void check_rows(const far_param *rows, size_t n, size_t size, const char *why) {
  static int taken;
  char name[20] = "rows";
  if (why == NULL) snprintf(name, sizeof name, "rows-%d", taken++);
  far_agent_def def = named(name);
  def.params = rows;
  def.n_params = n;
  def.params_size = size;
  check_def(def, why);
}

/* One row, with a change. */
static void check_row(far_param row, size_t size, const char *why) {
  check_rows(&row, 1, size, why);
}

static void test_places(void) {
  const size_t all = 20 + FAR_TEXT_SIZE;
  far_param rows[4] = {REAL, WHOLE, CHOICE, TEXT};
  check_rows(rows, 4, all, NULL);
  check_rows(rows, 3, 20, NULL);
  check_rows(rows, 2, 16, NULL);
  check_rows(rows, 1, 8, NULL);
  check_rows(rows, 1, 7, "rows: x lies outside the 7 bytes of the parameters");
  check_rows(rows, 3, 19, "rows: c lies outside the 19 bytes of the parameters");
  check_rows(rows + 3, 1, all - 1, "rows: t lies outside the 531 bytes of the parameters");
  rows[1].offset = 7;
  check_rows(rows, 2, 20, "rows: x and n are stored in the same place");
  rows[1].offset = 9;
  check_rows(rows, 3, 20, "rows: n and c are stored in the same place");
  check_rows(NULL, 1, 8, "rows has 1 parameters and no table of them");
  check_rows(NULL, 0, 0, NULL);
  check_row(REAL, 1024, NULL);
  check_row(REAL, 1025, "rows has more than 32 parameters or 1024 bytes of them");
  rows[1] = REAL;
  rows[1].offset = 8;
  check_rows(rows, 2, 16, "rows has two parameters x");
}

/* As many rows as there may be, and one more. */
static void test_number(void) {
  static char names[33][16];
  far_param rows[33];
  for (int i = 0; i < 33; ++i) {
    snprintf(names[i], sizeof names[i], "x%d", i);
    rows[i] = REAL;
    rows[i].name = names[i];
    rows[i].offset = 8 * (size_t)i;
  }
  check_rows(rows, 32, 33 * 8, NULL);
  check_rows(rows, 33, 33 * 8, "rows has more than 32 parameters or 1024 bytes of them");
}

static void test_rows(void) {
  far_param row = REAL;
  row.name = FORTY;
  check_row(row, 8, NULL);
  row.name = FORTY "x";
  check_row(row, 8, "rows: a parameter's name must be 1 to 40 of a-z, 0-9, '-' and '_'");
  row = REAL;
  row.fallback = NULL;
  check_row(row, 8, "rows: x needs a kind, and a default that is fixed");
  row = REAL;
  row.min = 1.5;
  check_row(row, 8, "rows: the bounds of x are empty");
  row = WHOLE;
  row.min = 4;
  check_row(row, 16, "rows: the bounds of n are empty");
  row = WHOLE;
  row.fallback = "0";
  check_row(row, 16, "rows: the default of n is wrong: n=0: n must be a whole number in [1, 3]");
  row = CHOICE;
  row.choices = "";
  check_row(row, 20, "rows: c has no choices");
  row = CHOICE;
  row.min = 1; /* bounds mean nothing there */
  check_row(row, 20, NULL);
}

/* All that follows the colon is the text of a bare agent, commas too. */
static void test_bare(void) {
  far_param rows[2] = {TEXT, REAL};
  rows[0].fallback = "a,b";
  far_agent_def def = named("bare");
  def.bare = true;
  def.params = rows;
  def.params_size = 20 + FAR_TEXT_SIZE;
  static const char why[] = "bare is bare, and so must have one parameter of text";
  check_def(def, why);
  def.n_params = 2;
  check_def(def, why);
  rows[0] = REAL;
  def.n_params = 1;
  check_def(def, why);
  rows[0] = TEXT;
  rows[0].fallback = "a,b";
  check_def(def, NULL);
  CHECK(far_spec_type(far_agent_type, "bare:c,d") != NULL);
  check_row(rows[0], def.params_size, "rows: the default of t has a comma, which ends a value");
}

/* The list has a copy of every text, and "" where there is none. */
static void test_copied(void) {
  char name[] = "copied", summary[] = "in short", help[] = "a number";
  far_param row = REAL;
  row.help = help;
  far_agent_def def = named(name);
  def.summary = summary;
  def.guarantee = "none";
  def.params = &row;
  def.n_params = 1;
  def.params_size = 8;
  CHECK(far_agent_register(&def, NULL) == FAR_OK);
  memset(name, '!', sizeof name - 1), memset(summary, '!', 8), memset(help, '!', 8);
  const far_type_info *info = far_spec_type(far_agent_type, "copied");
  CHECK(info != NULL && info->registered && !info->bare && info->n_params == 1);
  if (info == NULL) return;
  CHECK_TEXT(info->name, "copied");
  CHECK_TEXT(info->summary, "in short");
  CHECK_TEXT(info->reference, "");
  CHECK_TEXT(info->guarantee, "none");
  CHECK_TEXT(info->params[0].help, "a number");
  CHECK(info->params[0].choices == NULL);
  info = far_spec_type(far_agent_type, "both-hooks");
  CHECK(info != NULL && info->guarantee == NULL && info->n_params == 0);
}

int main(void) {
  test_names();
  test_newer();
  test_size();
  test_hooks();
  test_places();
  test_number();
  test_rows();
  test_bare();
  test_copied();
  return check_report();
}
