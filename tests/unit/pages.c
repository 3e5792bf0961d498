/* Pages: the verdict in words on hand-made stores, the numbers of the page, hostile names, sizes, files. */
#include "handmade.h"
#include "questions/changes/changes.h"
#include "questions/page/page.h"
#include "report/build.h"

/* Of a long text, which is not printed. */
#define CHECK_HAS(text, part) CHECK(strstr((text), (part)) != NULL)

static far__page_def plain_def(void) {
  far__page_def def = far__page_def_default();
  def.name = "toy.db";
  def.results.bootstrap.resamples = 100;
  def.figure_bytes = 0;
  return def;
}

static far_report *page_of(far_store *store, const far__page_def *def) {
  far_report *report;
  far_error error = {.message = ""};
  CHECK(far_report_create(&report, "report", NULL) == FAR_OK);
  CHECK(far__store_page(report, store, def, &error) == FAR_OK);
  CHECK_TEXT(error.message, "");
  return report;
}

/* Rendered; of text without line breaks, so that sentences can be searched. Heap. */
static char *render(const far_report *report, far_report_format format, const char *table) {
  far_render_def how = far_render_def_default();
  far_buffer out = {0};
  how.format = format;
  how.table = table;
  CHECK(far_report_render(report, &how, far_sink_buffer(&out), NULL) == FAR_OK);
  if (format != FAR_REPORT_TEXT) return out.bytes;
  size_t n = 0;
  for (size_t i = 0; i < out.length; ++i) {
    const bool space = out.bytes[i] == '\n' || out.bytes[i] == ' ';
    if (!space || (n > 0 && out.bytes[n - 1] != ' ')) out.bytes[n++] = space ? ' ' : out.bytes[i];
  }
  out.bytes[n] = '\0';
  return out.bytes;
}

/* The page of such a store, as one line. */
static char *words_of(const char *text, const far__page_def *given) {
  const far__page_def def = given != NULL ? *given : plain_def();
  far_store *store = handmade(text);
  far_report *report = page_of(store, &def);
  char *out = render(report, FAR_REPORT_TEXT, NULL);
  far_report_free(report);
  far_store_close(store);
  return out;
}

static void says(const char *text, const far__page_def *def, const char *sentence) {
  char *words = words_of(text, def);
  CHECK_CONTAINS(words, sentence);
  free(words);
}

static bool has(const char *text, const char *sentence) {
  char *words = words_of(text, NULL);
  const bool found = strstr(words, sentence) != NULL;
  free(words);
  return found;
}

/* ---- the verdict ---- */

#define HIGH "toy,high,10,11,9,10,12,10,11,9,10,11"
#define LOW "toy,low,1,2,3,1,2,1,3,2,2,1"
#define MIDDLE "toy,middle,5,6,5,4,5,6,5,4,5,6"

static void one_environment(void) {
  far__page_def lower = plain_def();
  lower.results.better = FAR_BETTER_LOWER;
  says(HIGH ";" LOW, NULL, "toy.db: 2 agents on toy");
  says(HIGH ";" LOW, NULL,
       "high is better than low on toy: a mean total reward of 10.30 ± 0.68 "
       "against 1.80 ± 0.56 (p < 0.0001).");
  says(HIGH ";" LOW, NULL, "Mean total reward with 95% intervals, the best agents first");
  says(HIGH ";" LOW ";" MIDDLE, NULL,
       "high is best on toy: its mean total reward of 10.30 ± 0.68 is better than that of each of "
       "the other 2 agents (p < 0.0001 for each).");
  says(HIGH ";" LOW, &lower, "low is better than high on toy");
  says(HIGH ";" LOW, &lower, "by total reward (lower is better)");
  says(HIGH, NULL,
       "high has a mean total reward of 10.30 ± 0.68 on toy (95% interval, 10 runs). "
       "There is nothing to compare it with.");
  says("toy,one,10;toy,two,1", NULL,
       "One run each: nothing can be said about which agent is better. one has the highest number, "
       "10.");
  says("toy,one,10", NULL, "one has a total reward of 10 on toy (1 run).");
}

static void ties(void) {
  const char *tied = "toy,one,10,12,8,11,9,10;toy,two,10,11,8,11,9,10;toy,zero,0,1,0,2,1,0";
  says(tied, NULL,
       "No winner on toy: one has the highest mean, 10.0 ± 1.5, but cannot be told apart "
       "from two.");
  says("toy,one,1,2,3,4;toy,two,4,3,2,1", NULL,
       "No winner on toy: one shares the highest mean, 2.5 ± 2.1, and cannot be told apart "
       "from two.");
  says("toy,one,3,3,3;toy,two,3,3,3", NULL,
       "No single winner on toy: one has the same results as two.");
  says("toy,one,3,3,3;toy,two,1,1,1", NULL,
       "None of these differences could be tested: the runs are too few, do not vary, or are "
       "infinite.");
}

static void several_environments(void) {
  far__page_def def = plain_def();
  const char *won = HIGH ";" LOW ";yard,high,7,8,7,9;yard,low,1,1,2,1";
  says(won, &def, "high is best over all 2 environments together");
  says(won, &def, "its runs are better than those of the other agent with a probability");
  says(HIGH ";" LOW ";" MIDDLE ";yard,high,7,8,7,9;yard,low,1,1,2,1;yard,middle,4,5,4,5", &def,
       "its runs are better than those of every other agent with a probability");
  says(won, &def, "Environment by environment, high is best on 2.");
  says(won, &def, "yard high is best with 7.8 ± 1.5. Next is low with 1.25 ± 0.80: difference");
  /* single winners on both environments, and none over all */
  says(HIGH ";" LOW ";yard,low,7,8,7,9,7,8,7,9,8,7;yard,high,1,1,2,1,2,1,1,2,1,1", &def,
       "No winner over all 2 environments: high cannot be told apart from low.");
  says(HIGH ";" LOW ";yard,else,7,8,7,9", &def,
       "Nothing can be said over all 2 environments: no agent has runs on all of them.");
}

static void caveats(void) {
  const char *text = HIGH ";" LOW;
  says(text, NULL,
       "2 agents were imported: such runs have random numbers of their own, and are compared "
       "without pairs.");
  says("toy,one,1,2,3;toy,two,1,2,4", NULL, "Few runs: 2 of 2 cells have fewer than 10.");
  says("toy,one,1,2,3;toy,two,1", NULL, "1 of 2 cells has a single run");
  says("toy,one,1,2,3;toy,two,1,2,3,4", NULL, "Cells have from 3 to 4 runs");
  says(HIGH ";yard,low,1,2,3,4", NULL, "2 of 4 cells have no runs");
  says("toy,one,3,3,3;toy,two,1,1,1", NULL, "The runs of 2 cells do not vary");
  says(HIGH ";" LOW ";toy,high@500,10,11,9,10;toy,low@500,1,2,3,1", NULL, "2 groups of results");
  says(HIGH ";" LOW ";toy,high@500,10,11,9,10;toy,low@500,1,2,3,1", NULL,
       "500 steps, imported high is better than low on toy");
}

static void shapes_of_runs(void) {
  const char *tail = "toy,one,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,9;toy,r-max,1,1";
  says(tail, NULL,
       "The runs of 1 cell are skewed or have two humps (one on toy): a mean hides that");
  says(
      tail, NULL,
      "The interval of 1 mean leaves the possible range (one on toy: below 0, which no run is; the "
      "bootstrap's interval is");
  says("toy,one,0,0,0,0,0,0,0,0,0,0,9,9,9,9,9,9,9,9,9,9", NULL, "The runs of 1 cell are skewed or");
  says("toy,one,0,-1,0,-5;toy,two,1,2,1,2", NULL, "one on toy: above 0, which no run is; the");
  CHECK(!has(tail, "default parameters")); /* what an imported agent is called is its own matter */
  CHECK(!has(HIGH ";" LOW, "humps") && !has(HIGH ";" LOW, "possible range"));
}

/* The page of runs that were computed here, as one line; agents end with NULL. */
static char *words_of_runs(const char *env, const char *const *agents) {
  enum { MOST = 8 };
  far_mdp *mdp;
  far_batch *batch = NULL;
  far_store *store;
  far_cell cells[MOST];
  const far__page_def def = plain_def();
  far_batch_def batch_def = far_batch_def_default();
  CHECK(far_mdp_create(&mdp, env, NULL) == FAR_OK);
  for (; batch_def.n_cells < MOST && agents[batch_def.n_cells] != NULL; ++batch_def.n_cells)
    cells[batch_def.n_cells] =
        (far_cell){.mdp = mdp, .agent = agents[batch_def.n_cells], .steps = 50};
  batch_def.cells = cells, batch_def.runs = 3;
  CHECK(far_store_open(&store, "", FAR_STORE_MEMORY, NULL) == FAR_OK);
  CHECK(far_store_run(&batch, store, &batch_def, NULL) == FAR_OK);
  far_report *report = page_of(store, &def);
  char *words = render(report, FAR_REPORT_TEXT, NULL);
  far_report_free(report);
  far_batch_free(batch);
  far_store_close(store);
  far_mdp_free(mdp);
  return words;
}

/* Where the best total is that of agents that get nowhere. */
static void totals_that_say_nothing(void) {
  const char *const agents[] = {"q-learning", "random", NULL};
  char *words = words_of_runs("cliff-walking", agents);
  CHECK_CONTAINS(words, "On cliff-walking a policy that never reaches a terminal state has the "
                        "highest total reward, -1 a "
                        "step: the metrics episodes and return tell agents apart.");
  free(words);
  words = words_of_runs("chain:n=4", agents);
  CHECK(strstr(words, "tell agents apart") == NULL);
  free(words);
}

static void check_agents(const char *env, const char *const *agents, const char *defaults,
                         const char *planners) {
  char *words = words_of_runs(env, agents);
  if (defaults != NULL) CHECK_CONTAINS(words, defaults);
  if (defaults == NULL) CHECK(strstr(words, "ran with default") == NULL);
  if (planners != NULL) CHECK_CONTAINS(words, planners);
  if (planners == NULL) CHECK(strstr(words, "planned with another") == NULL);
  free(words);
}

/* Bare names, and discounts that are not the problem's. */
static void agents_of_ours(void) {
  static const char *const few[] = {"r-max", "q-learning:gamma=0.5", "random", NULL};
  static const char *const set[] = {"q-learning:alpha=0.5", "optimal:gamma=0.5", "optimal", NULL};
  static const char *const many[] = {"r-max:m=3", "psrl", "q-learning", "v-max",
                                     "dora",      "e3",   NULL};
  static const char *const four[] = {"psrl", "q-learning", "v-max", "dora", NULL};
  static const char *const two[] = {"r-max:gamma=0.5", "psrl:gamma=0.75,prior=2", NULL};
  const char *const default_one =
      "1 agent (r-max) ran with default parameters, which were searched for other problems and "
      "carry no guarantee; 'farsight tune' searches for these. 1 agent (q-learning:gamma=0.5) "
      "planned with another discount than the problem's, which judges all.";
  check_agents("chain:n=3", few, default_one, "1 agent (q-learning:gamma=0.5) planned");
  check_agents("chain:n=3,gamma=0.5", few, "2 agents (q-learning, r-max) ran",
               NULL); /* the same discount */
  check_agents("chain:n=3,gamma=0.75", two, NULL, "1 agent (r-max:gamma=0.5) planned");
  check_agents("chain:n=3", two, NULL,
               "2 agents (psrl:gamma=0.75,prior=2, r-max:gamma=0.5) planned");
  check_agents("chain:n=3,horizon=5", few, "1 agent (r-max) ran", NULL); /* no discount counts */
  check_agents("chain:n=3,average=on", few, "1 agent (r-max) ran", NULL);
  check_agents("chain:n=3", set, NULL, NULL); /* who is told the model is no contestant */
  check_agents("chain:n=3", four, "4 agents (dora, psrl, q-learning, v-max) ran", NULL);
  check_agents("chain:n=3", many, "5 agents (dora, e3, psrl, q-learning, ...) ran", NULL);
}

static void empty_store(void) {
  far_store *store;
  far_report *report;
  far_error error;
  const far__page_def def = plain_def();
  CHECK(far_store_open(&store, "", FAR_STORE_MEMORY, NULL) == FAR_OK);
  CHECK(far_report_create(&report, "report", NULL) == FAR_OK);
  CHECK(far__store_page(report, store, &def, &error) == FAR_STATUS_UNKNOWN);
  CHECK_TEXT(error.message, "the store has no results yet");
  far_report_free(report);
  far_store_close(store);
}

/* ---- the parts ---- */

static bool count_parts(void *user, const char *what, size_t done, size_t count) {
  *(size_t *)user += strcmp(what, "audit") == 0;
  return done <= count;
}

/* A computed store: commands, hashes, sessions, figures, audits. */
static void computed(void) {
  small_batch b;
  far_batch *batch;
  far_store *store;
  far__page_def def = plain_def();
  size_t audits = 0;
  small_make(&b, 5);
  CHECK(far_store_open(&store, "", FAR_STORE_MEMORY, NULL) == FAR_OK);
  CHECK(far_store_command(store, "farsight run \x1b[31m", NULL) == FAR_OK);
  CHECK(far_store_run(&batch, store, &b.def, NULL) == FAR_OK);
  def.figure_bytes = 2000000;
  def.audit = true;
  def.audit_runs = 2;
  def.audit_steps = 50;
  def.results.progress = count_parts;
  def.results.user = &audits;
  far_report *report = page_of(store, &def);
  char *html = render(report, FAR_REPORT_HTML, NULL),
       *csv = render(report, FAR_REPORT_CSV, "recipes"),
       *claims = render(report, FAR_REPORT_CSV, "claims");
  for (size_t i = 0; i < 4; ++i) {
    CHECK_HAS(html, far_batch_result(batch, i)->hash);
    CHECK_HAS(csv, far_batch_result(batch, i)->hash);
  }
  CHECK_HAS(html, "<svg");
  CHECK_HAS(html, "farsight run ?[31m");
  CHECK_HAS(html, "Learning curves on ");
  CHECK_HAS(claims, "directed-delayed-q:m=3,bounded");
  CHECK_HAS(html, "claims of the proofs are violated in 2 audits");
  CHECK(audits > 0 && strlen(html) < 2000000);
  free(html);
  free(csv);
  free(claims);
  far_report_free(report);
  def = plain_def();
  report = page_of(store, &def);
  html = render(report, FAR_REPORT_HTML, NULL);
  CHECK_HAS(html, "No audit was run.");
  char *text = render(report, FAR_REPORT_TEXT, NULL);
  CHECK_HAS(text, "farsight audit -e chain:n=5,");
  free(text);
  CHECK(strstr(html, "<svg") == NULL);
  free(html);
  far_report_free(report);
  far_batch_free(batch);
  far_store_close(store);
  small_free(&b);
}

/* Names are text, whatever stands in them. */
static void hostile(void) {
  far__page_def def = plain_def();
  far_store *store =
      handmade("<img src=x onerror=alert(1)>,</script><script>alert(2)</script>,1,2,3;"
               "<img src=x onerror=alert(1)>,'\"&%s%n \xe2\x80\xae"
               "evil,2,2,3");
  def.figure_bytes = 1000000;
  far_report *report = page_of(store, &def);
  char *html = render(report, FAR_REPORT_HTML, NULL);
  CHECK(strstr(html, "<img src=x") == NULL && strstr(html, "<script>alert") == NULL);
  CHECK_HAS(html, "&lt;img src=x onerror=alert(1)&gt;");
  free(html);
  far_report_free(report);
  far_store_close(store);
}

/* Many agents: all in one table, few in detail, and a small file. */
static void many_agents(void) {
  enum { AGENTS = 500 };
  far_buffer text = {0};
  far__page_def def = plain_def();
  for (int j = 0; j < AGENTS; ++j) {
    char cell[80];
    const int n = snprintf(cell, sizeof cell, "toy,agent-%03d,%d,%d,%d;", j, j, j + 1, j + 3);
    far_buffer_add(&text, cell, (size_t)n);
  }
  far_store *store = handmade(text.bytes);
  def.figure_bytes = 1200000;
  def.results.quick = true;
  far_report *report = page_of(store, &def);
  char *html = render(report, FAR_REPORT_HTML, NULL),
       *csv = render(report, FAR_REPORT_CSV, "cells");
  size_t rows = 0;
  for (const char *p = csv; (p = strchr(p, '\n')) != NULL; ++p) ++rows;
  CHECK(rows == 61);
  CHECK_HAS(html, "The best 60 of 500 agents");
  CHECK_HAS(html, "agent-000"); /* the worst */
  CHECK(strlen(html) < 2000000);
  free(html);
  free(csv);
  far_report_free(report);
  far_store_close(store);
  far_buffer_free(&text);
}

/* ---- two stores ---- */

static char *changes_words(far_store *a, far_store *b) {
  far__changes *changes;
  far_report *report;
  far__changes_def def = far__changes_def_default();
  def.before = "a.db";
  def.after = "b.db";
  CHECK(far__changes_create(&changes, a, b, &def, NULL) == FAR_OK);
  CHECK(far_report_create(&report, "report", NULL) == FAR_OK);
  CHECK(far__changes_page(report, changes, NULL) == FAR_OK);
  char *out = render(report, FAR_REPORT_TEXT, NULL), *json = render(report, FAR_REPORT_JSON, NULL);
  CHECK_CONTAINS(json, "\"equal_runs\"");
  far__changes_free(changes);
  far_report_free(report);
  free(json);
  return out;
}

static void two_stores(void) {
  far_store *a = handmade("toy,same,1,2,3;toy,other,1,2,3,4,5,6");
  far_store *b = handmade("toy,same,1,2,3;toy,other,2,3,4.5,5,6,7");
  char *words = changes_words(a, b);
  CHECK_CONTAINS(words,
                 "What changed from a.db to b.db 1 of 2 cells has other results in b.db than in "
                 "a.db, although specs, steps and seed are the same.");
  CHECK_CONTAINS(words, "Of 1 comparison, 1 means are better and 0 worse than before");
  free(words);
  words = changes_words(a, a);
  CHECK_CONTAINS(words, "Nothing changed: all 2 cells of both stores have the same results");
  free(words);
  far_store_close(a);
  far_store_close(b);
}

/* Which view of a figure is shown, unless a reader chooses. */
static void last_view(void) {
  far_store *store = handmade(HIGH ";" LOW);
  const far_plot_def how = far_plot_def_default();
  far_report *report;
  far_figure *figure;
  CHECK(far_report_create(&report, "report", NULL) == FAR_OK);
  far__report_show_last(report); /* there is no figure: nothing happens */
  far__report_figure(report, "intervals", "two views");
  for (int i = 0; i < 2; ++i) {
    CHECK(far_plot_create(&figure, "intervals", store, &how, NULL) == FAR_OK);
    far__report_view(report, figure, i == 0 ? "first" : "second");
  }
  far__report_show_last(report);
  char *html = render(report, FAR_REPORT_HTML, NULL);
  CHECK_HAS(html, "id=\"v1-0\"><label");
  CHECK_HAS(html, "id=\"v1-1\" checked><label");
  free(html);
  far_report_free(report);
  far_store_close(store);
}

/* The table of changes by itself. */
static void change_table(void) {
  far_store *a = handmade("toy,one,1,2,3"), *b = handmade("toy,one,1,2,4;toy,two,5");
  const far__changes_def def = far__changes_def_default();
  far__changes *changes;
  far_report *report;
  CHECK(far__changes_create(&changes, a, b, &def, NULL) == FAR_OK);
  CHECK(far_report_create(&report, "report", NULL) == FAR_OK);
  far__changes_report(changes, report);
  char *csv = render(report, FAR_REPORT_CSV, "changes");
  CHECK_HAS(csv, "\ndifferent,toy,");
  CHECK_HAS(csv, ",2 of 3,");
  CHECK_HAS(csv, "\nadded,toy,");
  free(csv);
  far_report_free(report);
  far__changes_free(changes);
  far_store_close(a);
  far_store_close(b);
}

/* ---- files ---- */

static void files(void) {
  far_store *store = handmade(HIGH ";" LOW);
  const far__page_def def = plain_def();
  far_report *report = page_of(store, &def);
  far_error error;
  size_t bytes = 0, again = 0;
  const char *path = store_path("page.html");
  char *html = render(report, FAR_REPORT_HTML, NULL);
  CHECK(far__page_save(report, path, &bytes, &error) == FAR_OK && bytes == strlen(html));
  CHECK(far__page_save(report, path, &again, &error) == FAR_OK && again == bytes);
  FILE *file = fopen(store_path("mine.html"), "w");
  fprintf(file, "<html>mine</html>\n");
  fclose(file);
  CHECK(far__page_save(report, store_path("mine.html"), &bytes, &error) == FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "not a page that Farsight wrote");
  CHECK(bytes == 0);
  CHECK(far__page_save(report, "/nowhere/at/all.html", NULL, &error) == FAR_STATUS_IO);
  free(html);
  far_report_free(report);
  far_store_close(store);
}

int main(void) {
  if (!stores_begin()) return stores_end();
  one_environment();
  ties();
  several_environments();
  caveats();
  shapes_of_runs();
  totals_that_say_nothing();
  agents_of_ours();
  empty_store();
  computed();
  hostile();
  many_agents();
  two_stores();
  last_view();
  change_table();
  files();
  return stores_end();
}
