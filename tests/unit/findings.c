/* Findings, recipes and changes: hand-made stores whose answers are known, and numbers against the functions
 * of statistics.h called directly. */
#include "handmade.h"
#include "questions/changes/changes.h"
#include "questions/comparison/findings.h"
#include "questions/comparison/recipes.h"

/* ---- who is best ---- */

static far__findings *find_in(const far_comparison *c, size_t group) {
  far__findings *out = NULL;
  CHECK(far__findings_create(&out, c, group, NULL) == FAR_OK);
  return out;
}

/* The p-value is Welch's, adjusted for the three pairs of agents. */
static void clear_winner(void) {
  far_store *store = handmade("toy,high,10,11,9,10,12,10,11,9;toy,low,1,2,3,1,2,1,3,2;"
                              "toy,middle,5,6,5,4,5,6,5,4");
  far_comparison *c = compare_all(store, NULL);
  far__findings *f = find_in(c, 0);
  const far__finding *e = &f->envs[0];
  const far_comparison_cell *x = &c->groups[0].cells[0];
  double p[3], adjusted[3];
  const size_t pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  for (size_t i = 0; i < 3; ++i) {
    const far_comparison_cell *a = &x[pairs[i][0]], *b = &x[pairs[i][1]];
    far_welch w;
    CHECK(far_samples_compare(&w, a->values, a->runs, b->values, b->runs, 0.95, NULL) == FAR_OK);
    p[i] = w.p;
  }
  CHECK(far_p_adjust(adjusted, p, 3, FAR_CORRECTION_HOLM, NULL) == FAR_OK);
  CHECK_TEXT(c->groups[0].agents[e->leader].label, "high");
  CHECK_TEXT(c->groups[0].agents[e->next].label, "middle");
  CHECK(e->kind == FAR__FINDING_BEST && e->n_compared == 3 && e->n_rivals == 0);
  CHECK(f->n_tests == 3 && e->lead_p == adjusted[1]);
  CHECK(e->p == (adjusted[0] > adjusted[1] ? adjusted[0] : adjusted[1]));
  CHECK_NEAR(e->lead, 10.25 - 5, 1e-12);
  CHECK(e->low > 0 && e->high > e->lead);
  CHECK(!f->overall.exists && f->won[e->leader] == 1 && f->led[e->leader] == 1);
  CHECK(f->order[0] == e->leader && f->order[1] == e->next);
  far__findings_free(f);
  far_comparison_free(c);
  far_store_close(store);
}

/* The same numbers, of which less is better. */
static void lower_is_better(void) {
  far_store *store = handmade("toy,high,10,11,9,10,12,10,11,9;toy,low,1,2,3,1,2,1,3,2");
  far_comparison_def def = far_comparison_def_default();
  def.better = FAR_BETTER_LOWER;
  far_comparison *c = compare_all(store, &def);
  far__findings *f = find_in(c, 0);
  CHECK_TEXT(c->groups[0].agents[f->envs[0].leader].label, "low");
  CHECK(f->envs[0].kind == FAR__FINDING_BEST && f->envs[0].lead < 0);
  far__findings_free(f);
  far_comparison_free(c);
  far_store_close(store);
}

/* The leader is told apart from the last, but not from the second. */
static void tie(void) {
  far_store *store =
      handmade("toy,one,10,12,8,11,9,10;toy,two,10,11,8,11,9,10;toy,zero,0,1,0,2,1,0");
  far_comparison *c = compare_all(store, NULL);
  far__findings *f = find_in(c, 0);
  const far__finding *e = &f->envs[0];
  CHECK_TEXT(c->groups[0].agents[e->leader].label, "one");
  CHECK(e->kind == FAR__FINDING_TIED && e->n_rivals == 1 && e->n_untested == 0);
  CHECK_TEXT(c->groups[0].agents[e->rivals[0].agent].label, "two");
  CHECK(e->rivals[0].tested && !e->rivals[0].same && e->rivals[0].p_adjusted > 0.05);
  CHECK(e->p < 0.05 && f->won[e->leader] == 0 && f->led[e->leader] == 1);
  far__findings_free(f);
  far_comparison_free(c);
  far_store_close(store);
}

/* A p-value that is small by itself and not after the correction decides nothing. */
static void correction(void) {
  far_store *store = handmade("toy,one,10,11,12,13,14,15;toy,two,7.3,8.3,9.3,10.3,11.3,12.3;"
                              "toy,zero,0,1,2,0,1,2");
  far_comparison_def def = far_comparison_def_default();
  for (int strict = 0; strict < 2; ++strict) {
    def.correction = strict ? FAR_CORRECTION_BONFERRONI : FAR_CORRECTION_HOLM;
    far_comparison *c = compare_all(store, &def);
    far__findings *f = find_in(c, 0);
    const far_comparison_cell *cells = c->groups[0].cells;
    far_welch w;
    CHECK(far_samples_compare(&w, cells[0].values, 6, cells[1].values, 6, 0.95, NULL) == FAR_OK);
    CHECK(w.p < 0.05 && 3 * w.p > 0.05);
    CHECK(f->envs[0].kind == (strict ? FAR__FINDING_TIED : FAR__FINDING_BEST));
    CHECK_NEAR(f->envs[0].lead_p, strict ? 3 * w.p : w.p, 1e-15);
    far__findings_free(f);
    far_comparison_free(c);
  }
  far_store_close(store);
}

/* What cannot be tested is never called best: single runs, and runs that do not vary. */
static void untested(void) {
  far_store *store = handmade("toy,one,10;toy,two,1");
  far_comparison *c = compare_all(store, NULL);
  far__findings *f = find_in(c, 0);
  CHECK(f->envs[0].kind == FAR__FINDING_TIED && f->envs[0].n_untested == 1 && f->n_tests == 0);
  CHECK(isnan(f->envs[0].p) && isnan(f->envs[0].lead_p));
  far__findings_free(f);
  far_comparison_free(c);
  far_store_close(store);
  store = handmade("toy,one,10,10,10;toy,two,1,1,1;toy,three,10,10,10");
  c = compare_all(store, NULL);
  f = find_in(c, 0);
  CHECK(f->envs[0].kind == FAR__FINDING_TIED && f->envs[0].n_untested == 2 && f->n_tests == 3);
  CHECK(f->envs[0].rivals[0].same && !f->envs[0].rivals[1].same);
  far__findings_free(f);
  far_comparison_free(c);
  far_store_close(store);
}

/* Paired by replicate, the difference is clear; as two samples it is not. */
static void pairs(void) {
  far_store *store = handmade("toy,one,1,20,300,4000,50,6;toy,two,2,21.5,301,4001.4,51,7.2");
  far_comparison_def def = far_comparison_def_default();
  far_comparison *c = compare_all(store, &def);
  far__findings *f = find_in(c, 0);
  CHECK(f->envs[0].kind == FAR__FINDING_TIED);
  far__findings_free(f);
  far_comparison_free(c);
  def.paired = true;
  c = compare_all(store, &def);
  f = find_in(c, 0);
  CHECK(f->envs[0].kind == FAR__FINDING_BEST);
  CHECK_TEXT(c->groups[0].agents[f->envs[0].leader].label, "two");
  far__findings_free(f);
  far_comparison_free(c);
  far_store_close(store);
}

/* Over two environments by the probability of improvement; and groups, which are apart. */
static void environments(void) {
  far_store *store =
      handmade("toy,one,10,12,8,11,9,10,9,11;toy,two,1,2,1,3,2,1,2,3;"
               "yard,one,5,6,5,7,6,5,6,7;yard,two,1,2,3,1,2,1,2,3;odd,three,1,2,3,4,5,6,7,8");
  far_comparison *c = compare_all(store, NULL);
  far__findings *f = find_in(c, 0);
  const far_comparison_group *g = &c->groups[0];
  CHECK(g->n_envs == 3 && f->overall.exists && f->overall.kind == FAR__FINDING_NOTHING);
  CHECK(f->overall.leader == g->n_agents); /* no agent is on all environments */
  far__findings_free(f);
  far_comparison_free(c);
  far_comparison_def def = far_comparison_def_default();
  const char *envs[] = {"toy", "yard"};
  def.envs = envs;
  def.n_envs = 2;
  c = compare_all(store, &def);
  f = find_in(c, 0);
  CHECK(f->overall.kind == FAR__FINDING_BEST && f->overall.better == 1 && f->overall.p < 0.05);
  CHECK_TEXT(c->groups[0].agents[f->overall.leader].label, "one");
  CHECK(f->overall.by_iqm == f->overall.leader && f->overall.by_mean == f->overall.leader);
  CHECK(f->won[f->overall.leader] == 2);
  far_error error;
  far__findings *none = f;
  CHECK(far__findings_create(&none, c, 1, &error) == FAR_STATUS_RANGE && none == NULL);
  far__findings_free(f);
  far_comparison_free(c);
  far_store_close(store);
}

/* An agent that is told about the model is no contestant, and no baseline where learners are asked for. */
static void references(void) {
  static const char *const agents[] = {"optimal", "random", "psrl"};
  far_mdp *mdp;
  far_cell cells[3];
  far_store *store;
  far_batch *batch;
  far_batch_def run = far_batch_def_default();
  CHECK(far_mdp_create(&mdp, "chain:n=5", NULL) == FAR_OK);
  for (int i = 0; i < 3; ++i) cells[i] = (far_cell){.mdp = mdp, .agent = agents[i], .steps = 400};
  run.cells = cells;
  run.n_cells = 3;
  run.runs = 10;
  CHECK(far_store_open(&store, "", FAR_STORE_MEMORY, NULL) == FAR_OK);
  CHECK(far_store_run(&batch, store, &run, NULL) == FAR_OK);
  far_comparison_def def = far_comparison_def_default();
  for (int learners = 0; learners < 2; ++learners) {
    def.learners = learners;
    far_comparison *c = compare_all(store, &def);
    far__findings *f = find_in(c, 0);
    const far_comparison_group *g = &c->groups[0];
    CHECK_TEXT(g->agents[g->baseline].label, learners ? "psrl" : "optimal");
    CHECK_TEXT(g->agents[f->envs[0].leader].label, "psrl");
    CHECK(f->envs[0].kind == FAR__FINDING_BEST && f->envs[0].n_compared == 2 && f->n_tests == 3);
    CHECK_TEXT(g->agents[f->order[2]].label, "optimal");
    CHECK(f->reference[f->order[2]] && !f->reference[f->order[0]]);
    far__findings_free(f);
    far_comparison_free(c);
  }
  far_batch_free(batch);
  far_store_close(store);
  far_mdp_free(mdp);
}

/* Nor is it a contestant over several environments. */
static void references_overall(void) {
  static const char *const agents[] = {"optimal", "random", "psrl"}, *const envs[] = {"chain:n=4",
                                                                                      "chain:n=5"};
  far_mdp *mdps[2];
  far_cell cells[6];
  far_store *store;
  far_batch *batch;
  far_batch_def run = far_batch_def_default();
  for (int i = 0; i < 2; ++i) CHECK(far_mdp_create(&mdps[i], envs[i], NULL) == FAR_OK);
  for (int i = 0; i < 6; ++i)
    cells[i] = (far_cell){.mdp = mdps[i / 3], .agent = agents[i % 3], .steps = 400};
  run.cells = cells;
  run.n_cells = 6;
  run.runs = 5;
  CHECK(far_store_open(&store, "", FAR_STORE_MEMORY, NULL) == FAR_OK);
  CHECK(far_store_run(&batch, store, &run, NULL) == FAR_OK);
  far_comparison *c = compare_all(store, NULL);
  far__findings *f = find_in(c, 0);
  CHECK(f->overall.exists && f->overall.n_compared == 2);
  CHECK_TEXT(c->groups[0].agents[f->overall.leader].label, "psrl");
  far__findings_free(f);
  far_comparison_free(c);
  far_batch_free(batch);
  far_store_close(store);
  for (int i = 0; i < 2; ++i) far_mdp_free(mdps[i]);
}

/* An agent that has no score, as it has no runs on one environment, is behind those that have one, whatever its rank. */
static void scored_first(void) {
  far_store *store =
      handmade("a,one,1,1,1,1;a,two,5,6,5,6;b,one,1,1,1,1;b,two,5,6,5,6;c,one,1,1,1,1;"
               "c,two,5,6,5,6;d,one,1,1,1,1;d,two,5,6,5,6;e,one,1,2,1,2;e,three,0,1,0,1");
  far_comparison *c = compare_all(store, NULL);
  far__findings *f = find_in(c, 0);
  const far_comparison_group *g = &c->groups[0];
  CHECK(g->agents[f->order[0]].scores.exists && !g->agents[f->order[1]].scores.exists);
  CHECK_TEXT(g->agents[f->order[0]].label, "one");
  CHECK_TEXT(g->agents[f->order[1]].label, "two");
  far__findings_free(f);
  far_comparison_free(c);
  far_store_close(store);
}

/* ---- recipes ---- */

static void quoting(void) {
  static const char *const texts[][2] = {{"chain:n=10", "chain:n=10"},
                                         {"", "''"},
                                         {"a b", "'a b'"},
                                         {"it's", "'it'\\''s'"},
                                         {"'", "''\\'''"},
                                         {"$(rm x)", "'$(rm x)'"},
                                         {"ü", "'ü'"}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    char *quoted = far__shell_quote(texts[i][0]);
    CHECK_TEXT(quoted, texts[i][1]);
    far_free(quoted);
  }
}

/* Hashes are those of the batch itself; commands name everything that was recorded. */
static void recipes(void) {
  small_batch b;
  far_batch *batch;
  far_store *store;
  far__recipes *r = NULL;
  small_make(&b, 6);
  CHECK(far_store_open(&store, "", FAR_STORE_MEMORY, NULL) == FAR_OK);
  CHECK(far_store_run(&batch, store, &b.def, NULL) == FAR_OK);
  far_comparison *c = compare_all(store, NULL);
  CHECK(far__recipes_create(&r, store, c, NULL, NULL, NULL) == FAR_OK && r->n_cells == 4);
  for (size_t i = 0; i < r->n_cells; ++i) {
    const far__recipe *cell = &r->cells[i];
    /* the comparison sorts agents: its first is the batch's second */
    const size_t at = cell->env * 2 + 1 - cell->agent;
    CHECK_TEXT(cell->hash, far_batch_result(batch, at)->hash);
    CHECK(cell->runs == 6 && !cell->gaps && cell->why == NULL);
    CHECK_CONTAINS(cell->command, "farsight run -e ");
    CHECK_CONTAINS(cell->command, far_cell_env(&b.cells[at]));
    CHECK_CONTAINS(cell->command, far_batch_result(batch, at)->agent);
    CHECK_CONTAINS(cell->command, " --steps 300 --runs 6 --seed 18446744073709551609");
    CHECK_CONTAINS(cell->command, " --metric coverage:what=states --metric earned:");
    CHECK_CONTAINS(cell->command, " --curve 10,100,300 --json");
  }
  far__recipes_free(r);
  far_comparison_free(c);
  far_batch_free(batch);
  far_store_close(store);
  small_free(&b);
}

static bool stop(void *user, const char *what, size_t done, size_t count) {
  (void)user, (void)what, (void)count;
  return done < 1;
}

static void imported_recipes(void) {
  far_store *store = handmade("toy,one,1,2,3;toy,two,1,2,4");
  far_comparison *c = compare_all(store, NULL);
  far__recipes *r = NULL;
  far_error error;
  char hash[FAR_HASH_TEXT];
  const double values[] = {1, 2, 3};
  CHECK(far__recipes_create(&r, store, c, NULL, NULL, NULL) == FAR_OK && r->n_cells == 2);
  CHECK(far__values_hash(hash, values, 3, NULL) == FAR_OK);
  CHECK_TEXT(r->cells[0].hash, hash);
  CHECK(r->cells[0].command == NULL);
  CHECK_TEXT(r->cells[0].why, "imported");
  far__recipes_free(r);
  CHECK(far__recipes_create(&r, store, c, stop, NULL, &error) == FAR_STATUS_CANCELLED && r == NULL);
  far_comparison_free(c);
  far_store_close(store);
}

/* ---- what changed ---- */

static far__changes *changes_of(far_store *before, far_store *after) {
  far__changes *out = NULL;
  const far__changes_def def = far__changes_def_default();
  far_error error = {.message = ""};
  CHECK(far__changes_create(&out, before, after, &def, &error) == FAR_OK);
  CHECK_TEXT(error.message, "");
  return out;
}

static void changes(void) {
  far_store *a = handmade("toy,same,1,2,3;toy,gone,1,2,3;toy,other,1,2,3,4,5,6;toy,more,1,2,3");
  far_store *b = handmade("toy,same,1,2,3;toy,new,1,2,3;toy,other,2,3,4.5,5,6,7;toy,more,1,2,3,4");
  far__changes *c = changes_of(a, b);
  CHECK(c->n_changes == 5);
  for (size_t k = 0; k < FAR__CHANGE_KINDS; ++k)
    CHECK(c->count[k] == (k == FAR__CHANGE_RESEEDED ? 0 : 1));
  const far__change *d = &c->changes[0]; /* sorted by kind */
  const double x[] = {2, 3, 4.5, 5, 6, 7}, y[] = {1, 2, 3, 4, 5, 6};
  const far_bootstrap_def how = {.level = far_simultaneous_level(0.95, 2)};
  far_paired p;
  CHECK(far_pairs_compare(&p, x, y, 6, &how, NULL) == FAR_OK);
  CHECK(d->kind == FAR__CHANGE_DIFFERENT && d->paired && d->common == 6 && d->equal == 0);
  CHECK_TEXT(d->agent, "other");
  CHECK(c->n_tests == 2 && d->difference == p.mean && d->low == p.low && d->high == p.high);
  CHECK(d->p == p.p && d->p_adjusted == 2 * p.p);
  CHECK(c->better == 1 && c->worse == 0);
  CHECK(strcmp(d->before.hash, d->after.hash) != 0);
  const far__change *more = &c->changes[1];
  CHECK(more->kind == FAR__CHANGE_EXTENDED && more->equal == 3 && more->after.runs == 4);
  CHECK_TEXT(far__change_name(FAR__CHANGE_SAME), "same");
  CHECK(far__change_name(FAR__CHANGE_KINDS) == NULL);
  far__changes_free(c);
  c = changes_of(a, a);
  CHECK(c->count[FAR__CHANGE_SAME] == 4 && c->n_changes == 4 && c->n_tests == 0);
  far__changes_free(c);
  far_store_close(a);
  far_store_close(b);
}

/* Other seeds are other runs; what neither store has is UNKNOWN. */
static void reseeded(void) {
  small_batch b;
  far_batch *batch;
  far_store *stores[2];
  far__changes *c;
  far__changes_def def = far__changes_def_default();
  far_error error;
  small_make(&b, 6);
  for (int i = 0; i < 2; ++i) {
    CHECK(far_store_open(&stores[i], "", FAR_STORE_MEMORY, NULL) == FAR_OK);
    b.def.seed = (uint64_t)i + 1;
    CHECK(far_store_run(&batch, stores[i], &b.def, NULL) == FAR_OK);
    far_batch_free(batch);
  }
  c = changes_of(stores[0], stores[1]);
  CHECK(c->count[FAR__CHANGE_RESEEDED] == 4 && c->n_changes == 4 && c->n_tests == 4);
  CHECK(c->changes[0].before.seed == 1 && c->changes[0].after.seed == 2);
  CHECK(!c->changes[0].paired && c->changes[0].low < c->changes[0].high);
  CHECK_TEXT(c->changes[0].env_label, "chain:n=5");
  far__changes_free(c);
  def.series = "nothing";
  CHECK(far__changes_create(&c, stores[0], stores[1], &def, &error) == FAR_STATUS_UNKNOWN);
  def = far__changes_def_default();
  def.progress = stop;
  CHECK(far__changes_create(&c, stores[0], stores[1], &def, &error) == FAR_STATUS_CANCELLED);
  for (int i = 0; i < 2; ++i) far_store_close(stores[i]);
  small_free(&b);
}

int main(void) {
  if (!stores_begin()) return stores_end();
  clear_winner();
  lower_is_better();
  tie();
  correction();
  untested();
  pairs();
  environments();
  references();
  references_overall();
  scored_first();
  quoting();
  recipes();
  imported_recipes();
  changes();
  reseeded();
  return stores_end();
}
