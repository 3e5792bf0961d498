/* What cells, series and columns are called: every rule of src/lab/store/key.c at its border. */
#include "stores-sql.h"

/* A series of this name; its width, or 0 where it is refused. */
static size_t width_of(const char *name) {
  far__series series;
  far_error error = {.message = ""};
  const far_status status = far__series_name(&series, strdup(name), &error);
  CHECK(status == FAR_OK || (status == FAR_STATUS_FORMAT && error.code == FAR_STATUS_FORMAT));
  if (status != FAR_OK) {
    CHECK_CONTAINS(error.message, "is not a series");
    CHECK(error.position == -1);
    CHECK(series.name == NULL && series.steps == NULL);
    return 0;
  }
  const size_t width = series.width;
  CHECK((series.steps != NULL) == (width > 1 || series.base > 0));
  far__series_free(&series);
  return width;
}

/* Steps are ascending whole numbers without a sign or a leading zero; what has no such steps is one name, unless
 * it would be the rewards' curve. */
static void test_curves(void) {
  CHECK(width_of("curve@1") == 1 && width_of("curve@9") == 1 && width_of("curve@10,19") == 2);
  CHECK(width_of("curve@1,2,9223372036854775807") == 3);
  static const char *const broken[] = {"curve",      "curve@",     "curve@0",
                                       "curve@-1",   "curve@+1",   "curve@01",
                                       "curve@1,",   "curve@,1",   "curve@2,1",
                                       "curve@2,2",  "curve@1,,2", "curve@1x",
                                       "curve@:",    "curve@/",    "curve@1 ",
                                       "curve@1,2;", "curve@1@",   "curve@x@2y",
                                       "curve@1.5",  "curve@1e3",  "curve@9223372036854775808"};
  for (size_t i = 0; i < sizeof broken / sizeof *broken; ++i) CHECK(width_of(broken[i]) == 0);
  CHECK(width_of("regret@10,20") == 2 && width_of("a@b@5,6") == 2);
  CHECK(width_of("regret@20,10") == 1 && width_of("regret@") == 1 && width_of("@5,6") == 1);
  CHECK(width_of("curves") == 1 && width_of("curve2@1,2") == 2 && width_of("curv@1,2") == 2);
}

static void test_texts(void) {
  CHECK(width_of("") == 0 && width_of("a\nb") == 0 && width_of("a\x1f") == 0);
  CHECK(width_of(" ") == 1 && width_of("~") == 1 && width_of("\x7f") == 0);
  CHECK(width_of("\xc3\xa9@5") == 1 && width_of("\xc3") == 0 && width_of("a\xc3\xa9\xff") == 0);
  char *longest = malloc(FAR__LONGEST_TEXT + 2);
  memset(longest, 'a', FAR__LONGEST_TEXT + 1);
  longest[FAR__LONGEST_TEXT + 1] = '\0';
  CHECK(width_of(longest) == 0);
  longest[FAR__LONGEST_TEXT] = '\0';
  CHECK(width_of(longest) == 1);
  free(longest);
}

static void test_parts(void) {
  const int64_t steps[] = {10, 200};
  char *name = far__curve_name("a@b", steps, 2);
  far__series series;
  CHECK_TEXT(name, "a@b@10,200");
  CHECK(far__series_name(&series, name, NULL) == FAR_OK && series.base == 3);
  CHECK(series.steps[0] == 10 && series.steps[1] == 200);
  const far__column_name second = far__series_column(&series, 1);
  CHECK(second.text == name && second.length == 3 && second.step == 200);
  CHECK(far__column_is(&second, "a@b@200") && !far__column_is(&second, "a@b@20"));
  CHECK(!far__column_is(&second, "a@b") && !far__column_is(&second, "a@c@200"));
  CHECK(!far__column_is(&second, "a@b@201") && !far__column_is(&second, "a@b@2000"));
  far__series_plain(&series);
  CHECK(series.width == 1 && series.steps == NULL && series.base == 0);
  const far__column_name whole = far__series_column(&series, 0);
  CHECK(whole.length == 10 && whole.step == 0 && far__column_is(&whole, "a@b@10,200"));
  far__series_free(&series);
  CHECK(far__series_name(&series, NULL, NULL) == FAR_STATUS_MEMORY);
}

static far__column_name column(const char *name, int64_t step) {
  return (far__column_name){name, strlen(name), step};
}

/* Total, metrics by name, the rewards' curve by step, those of metrics by name and step. */
static void test_order(void) {
  const far__column_name ascending[] = {
      column("total", 0),  column("a", 0),        column("ab", 0),     column("b", 0),
      column("curve", 0),  column("tota", 0),     column("totals", 0), column("curve", 1),
      column("curve", 2),  column("curve", 1000), column("a", 5),      column("a", 7),
      column("ab", 1),     column("b", 1),        column("curv", 1),   column("curves", 1),
      column("total", 12),
  };
  const size_t n = sizeof ascending / sizeof *ascending;
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) {
      const int order = far__column_order(&ascending[i], &ascending[j]);
      CHECK((order < 0) == (i < j) && (order > 0) == (i > j));
    }
}

/* A spec that names a file does not tell what was run; nor does what is no environment. */
static void test_specs(void) {
  CHECK(far__spec_tells("chain:n=5") && !far__spec_reads_file("chain:n=5"));
  CHECK(!far__spec_tells("file:model.json") && far__spec_reads_file("file:model.json"));
  CHECK(!far__spec_tells("frozen-lake:map=@map.txt") && far__spec_reads_file("frozen-lake:map=@x"));
  CHECK(!far__spec_tells("") && !far__spec_tells("mine") && !far__spec_reads_file("mine=@x"));
}

/* A cell is its description: any other part is another key. */
static void test_keys(void) {
  far__stored_cell cells[] = {
      {.env = "e", .agent = "a", .model = "m", .steps = 3, .seed = 4, .numerics = 5},
      {.env = "f", .agent = "a", .model = "m", .steps = 3, .seed = 4, .numerics = 5},
      {.env = "e", .agent = "b", .model = "m", .steps = 3, .seed = 4, .numerics = 5},
      {.env = "e", .agent = "a", .model = "", .steps = 3, .seed = 4, .numerics = 5},
      {.env = "e", .agent = "a", .model = "m", .steps = 4, .seed = 4, .numerics = 5},
      {.env = "e", .agent = "a", .model = "m", .steps = 3, .seed = 3, .numerics = 5},
      {.env = "e", .agent = "a", .model = "m", .steps = 3, .seed = 4, .numerics = 0},
      {.env = "em", .agent = "a", .model = "", .steps = 3, .seed = 4, .numerics = 5},
  };
  const size_t n = sizeof cells / sizeof *cells;
  for (size_t i = 0; i < n; ++i) far__stored_cell_key(cells[i].key, &cells[i]);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < i; ++j) CHECK(strcmp(cells[i].key, cells[j].key) != 0);
}

/* ---- in a store ---- */

static far__stored_cell some_cell(const char *env, uint64_t seed) {
  far__stored_cell cell = {.env = strdup(env), .agent = strdup("mine"), .steps = 10, .seed = seed};
  far__stored_cell_key(cell.key, &cell);
  return cell;
}

/* A cell is found by its key, added once, and read back as it was. */
static void test_cells(void) {
  far_store *s = open_store("cells.db", FAR_STORE_WRITE);
  far__stored_cell cell = some_cell("chain", UINT64_MAX), other = some_cell("loop", 0), back;
  int64_t id = 7;
  CHECK(far__stored_cell_find(&id, s, cell.key, NULL) == FAR_OK && id == 0);
  CHECK(far__stored_cell_add(&cell, s, NULL) == FAR_OK && cell.id > 0);
  CHECK(far__stored_cell_add(&other, s, NULL) == FAR_OK && other.id == cell.id + 1);
  CHECK(far__stored_cell_find(&id, s, cell.key, NULL) == FAR_OK && id == cell.id);
  far__stored_cell again = cell;
  again.id = 0;
  CHECK(far__stored_cell_add(&again, s, NULL) == FAR_OK && again.id == cell.id);
  CHECK(far__stored_cell_get(&back, s, cell.id, NULL) == FAR_OK);
  CHECK_TEXT(back.key, cell.key);
  CHECK_TEXT(back.env, "chain");
  CHECK_TEXT(back.agent, "mine");
  CHECK(back.seed == UINT64_MAX && back.steps == 10 && back.numerics == 0 && back.id == cell.id);
  far__stored_cell_free(&back);
  CHECK(back.env == NULL && back.agent == NULL);
  CHECK(far__stored_cell_get(&back, s, 99, NULL) == FAR_STATUS_FORMAT && back.env == NULL);
  far__stored_cell_free(&cell);
  far__stored_cell_free(&other);
  far_store_close(s);
}

/* Series are added once and listed by name, those of a cell only where it has blocks. */
static void test_series(void) {
  far_store *s = open_store("series.db", FAR_STORE_WRITE);
  far__series a, b, *list;
  size_t n;
  far_error error;
  CHECK(far__series_name(&a, strdup("b@5,6"), NULL) == FAR_OK);
  CHECK(far__series_name(&b, strdup("a"), NULL) == FAR_OK);
  CHECK(far__series_find(&a, s, NULL) == FAR_OK && a.id == 0);
  CHECK(far__series_add(&a, s, NULL) == FAR_OK && a.id > 0);
  CHECK(far__series_add(&b, s, NULL) == FAR_OK && b.id == a.id + 1);
  const int64_t id = a.id;
  CHECK(far__series_add(&a, s, NULL) == FAR_OK && a.id == id);
  CHECK(far__series_of_cell(&list, &n, s, 0, NULL) == FAR_OK && n == 2);
  CHECK_TEXT(list[0].name, "a");
  CHECK(list[0].id == b.id && list[0].width == 1 && list[1].id == a.id && list[1].width == 2);
  far__series_list_free(list, n);
  CHECK(far__series_of_cell(&list, &n, s, 1, NULL) == FAR_OK && n == 0 && list == NULL);
  far__series_free(&a);
  far__series_free(&b);
  far_store_close(s);
  /* "x@1,2" of one number is an earlier version's; no other width differs from the name's */
  sql("series.db", "UPDATE series SET width = 1 WHERE name = 'b@5,6'");
  s = open_store("series.db", FAR_STORE_READ);
  CHECK(far__series_of_cell(&list, &n, s, 0, NULL) == FAR_OK && n == 2);
  CHECK(list[1].width == 1 && list[1].steps == NULL);
  far__series_list_free(list, n);
  far_store_close(s);
  static const char *const wrong[] = {"name = 'b@5,6', width = 3", "name = 'b', width = 2",
                                      "name = 'curve@5,6', width = 1", "name = 'b', width = 0",
                                      "name = 'b@5', width = 2"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    char text[100];
    snprintf(text, sizeof text, "UPDATE series SET %s WHERE id = 1", wrong[i]);
    sql("series.db", text);
    s = open_store("series.db", FAR_STORE_READ);
    CHECK(far__series_of_cell(&list, &n, s, 0, &error) == FAR_STATUS_FORMAT && list == NULL);
    CHECK_CONTAINS(error.message, "the width of series 1");
    far_store_close(s);
  }
}

int main(void) {
  test_curves();
  test_texts();
  test_parts();
  test_order();
  test_specs();
  test_keys();
  if (stores_begin()) {
    test_cells();
    test_series();
  }
  return stores_end();
}
