/* Studies: grids, ranges, curves, YAML files and their errors, printing and reading back. */
#include <farsight/lab.h>
#include <stdlib.h>

#include "check.h"
#include "lab/study/curve.h"
#include "lab/study/parts.h"
#include "lab/study/spec-grid.h"
#include "lab/study/study.h"
#include "questions/results/results.h"

static const far_type_info *type_of(const char *spec) {
  const far_type_info *type = far_spec_type(far_agent_type, spec);
  return type != NULL ? type : far_spec_type(far_mdp_family, spec);
}

/* The specs that a grid stands for, joined by spaces, or the error. */
static const char *expanded(const char *text) {
  static char out[2000];
  far__grid g;
  far_error error;
  out[0] = '\0';
  if (far__grid_parse(&g, text, type_of(text), 1000, &error) != FAR_OK)
    snprintf(out, sizeof out, "%d: %s", error.position, error.message);
  for (size_t i = 0; out[0] == '\0' || (i > 0 && i < g.count); ++i) {
    char *spec = far__grid_spec(&g, i);
    const size_t used = strlen(out);
    snprintf(out + used, sizeof out - used, "%s%s", i ? " " : "", spec);
    free(spec);
  }
  far__grid_free(&g);
  return out;
}

static void test_grids(void) {
  CHECK_TEXT(expanded("chain"), "chain");
  CHECK_TEXT(expanded("chain:n=5"), "chain:n=5");
  CHECK_TEXT(expanded("chain:n=[5,0.10,1e3]"), "chain:n=5 chain:n=0.10 chain:n=1e3");
  CHECK_TEXT(expanded("chain:n=[1,2],left=0,slip=[3,4]"),
             "chain:n=1,left=0,slip=3 chain:n=1,left=0,slip=4 "
             "chain:n=2,left=0,slip=3 chain:n=2,left=0,slip=4");
  CHECK_TEXT(expanded("chain:n=[2..4]"), "chain:n=2 chain:n=3 chain:n=4");
  CHECK_TEXT(expanded("chain:n=[2 .. 4]"), "chain:n=2 chain:n=3 chain:n=4");
  CHECK_TEXT(expanded("chain:n=[2.. 6  step 2]"), "chain:n=2 chain:n=4 chain:n=6");
  CHECK_TEXT(expanded("chain:n=[ 7 , 2..4 ]"), "chain:n=7 chain:n=2 chain:n=3 chain:n=4");
  CHECK_TEXT(expanded("q-learning:alpha=[0.1..0.9 step 0.2]"),
             "q-learning:alpha=0.1 q-learning:alpha=0.3 q-learning:alpha=0.5 q-learning:alpha=0.7 "
             "q-learning:alpha=0.9");
  CHECK_TEXT(expanded("q-learning:alpha=[0.001..0.1 log 5]"),
             "q-learning:alpha=0.001 q-learning:alpha=0.00316227766 q-learning:alpha=0.01 "
             "q-learning:alpha=0.0316227766 q-learning:alpha=0.1");
  CHECK_TEXT(expanded("q-learning:q0=[-0.10..0.10 count 3]"),
             "q-learning:q0=-0.10 q-learning:q0=0 q-learning:q0=0.10");
  CHECK_TEXT(expanded("q-learning:q0=[-0.2..0.2 step 0.1]"),
             "q-learning:q0=-0.2 q-learning:q0=-0.1 q-learning:q0=0 q-learning:q0=0.1 "
             "q-learning:q0=0.2");
  /* keys of whole numbers: logarithmic ranges are rounded, and what falls together counts once */
  CHECK_TEXT(expanded("chain:n=[10..1000 log 5]"),
             "chain:n=10 chain:n=32 chain:n=100 chain:n=316 chain:n=1000");
  CHECK_TEXT(expanded("chain:n=[2..4 log 6]"), "chain:n=2 chain:n=3 chain:n=4");
  CHECK_TEXT(expanded("chain:n=[2..0.4e1 log 50]"), "chain:n=2 chain:n=3 chain:n=0.4e1");
  CHECK_TEXT(expanded("chain:n=[2.0..4 count 9]"), "chain:n=2.0 chain:n=3 chain:n=4");
  CHECK_TEXT(expanded("chain:n=[5..10 step 2.5]"), "chain:n=5 chain:n=7.5 chain:n=10");
  /* text is no range, a path no grid */
  CHECK_TEXT(expanded("grid:map=[S..G,1..3]"), "grid:map=S..G grid:map=1..3");
  CHECK_TEXT(expanded("file:a=[1,2].mdp"), "file:a=[1,2].mdp");
  CHECK_TEXT(expanded("nothing:x=[1,2]"), "nothing:x=1 nothing:x=2");
  CHECK_TEXT(expanded("chain:n,slip=[1]"), "chain:n,slip=1"); /* left to the parser of specs */
}

static void test_wrong_grids(void) {
  CHECK_CONTAINS(expanded("chain:n=[1,2"), "8: the bracket is not closed");
  CHECK_CONTAINS(expanded("chain:n=[1]2"), "11: a comma must follow");
  CHECK_CONTAINS(expanded("chain:n=[]"), "9: a value is missing");
  CHECK_CONTAINS(expanded("chain:n=[1,,2]"), "11: a value is missing");
  CHECK_CONTAINS(expanded("chain:n=[1..]"), "12: a range is");
  CHECK_CONTAINS(expanded("chain:n=[1 .. x]"), "14: a range is");
  CHECK_CONTAINS(expanded("chain:n=[5..1]"), "9: a range must rise");
  CHECK_CONTAINS(expanded("chain:n=[1..5 stp 2]"), "14: a range is");
  CHECK_CONTAINS(expanded("chain:n=[1..5 step 0]"), "a step must be above 0");
  CHECK_CONTAINS(expanded("chain:n=[1..5 step x]"), "a range is");
  CHECK_CONTAINS(expanded("chain:n=[0..5 log 3]"), "begin above 0");
  CHECK_CONTAINS(expanded("chain:n=[1..5 count 1]"), "from 2 to 1000");
  CHECK_CONTAINS(expanded("chain:slip=[0.1..0.9]"), "give the division of the range");
  CHECK_CONTAINS(expanded("chain:n=[1..5000]"), "a range of 5e+03 values; at most 1000");
  CHECK_CONTAINS(expanded("chain:n=[0..1 step 1e-300]"), "at most 1000");
  CHECK_CONTAINS(expanded("chain:n=[1..100],left=[1..100]"), "more than 1000 specs");
  CHECK_CONTAINS(expanded("chain:n=[1e300..2e300]"), "within 2^53");
}

static void test_source(void) {
  const char *text = "q-learning:q0=[1,22],epsilon=[0.1..0.9 step 0.1],gamma=7";
  far__grid g;
  CHECK(far__grid_parse(&g, text, type_of(text), 1000, NULL) == FAR_OK && g.count == 18);
  char *spec = far__grid_spec(&g, 12); /* the second q0 and the fourth epsilon */
  CHECK_TEXT(spec, "q-learning:q0=22,epsilon=0.4,gamma=7");
  const struct {
    const char *in_spec, *in_text;
  } cases[] = {{"learning", "learning"}, {"q0=", "q0="},      {"22", "22"},       {"2,e", "2]"},
               {"epsilon", "epsilon"},   {"0.4", "0.1..0.9"}, {"gamma", "gamma"}, {"7", "7"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const size_t at = (size_t)(strstr(spec, cases[i].in_spec) - spec);
    CHECK(far__grid_source(&g, 12, at) == (size_t)(strstr(text, cases[i].in_text) - text));
  }
  CHECK(far__grid_source(&g, 12, strlen(spec)) == strlen(text));
  free(spec);
  far__grid_free(&g);
}

/* Checkpoints joined by spaces, or the error. */
static const char *curve(const char *text, int64_t steps, bool cut) {
  static char out[1000];
  int64_t *points;
  size_t count;
  far_error error;
  out[0] = '\0';
  if (far__curve_parse(&points, &count, text, (far__length){steps, "steps"}, cut, &error) != FAR_OK)
    snprintf(out, sizeof out, "%s", error.message);
  for (size_t i = 0; i < count; ++i)
    snprintf(out + strlen(out), sizeof out - strlen(out), "%s%lld", i ? " " : "",
             (long long)points[i]);
  free(points);
  return out;
}

static void test_curves(void) {
  CHECK_TEXT(curve("4", 100, false), "25 50 75 100");
  CHECK_TEXT(curve("1", 100, false), "100");
  CHECK_TEXT(curve("10", 3, false), "1 2 3");
  CHECK_TEXT(curve("log 5", 10000, false), "1 10 100 1000 10000");
  CHECK_TEXT(curve("log 100", 5, false), "1 2 3 4 5");
  CHECK_TEXT(curve("log 1", 7, false), "7");
  CHECK_TEXT(curve("10, 100,50e1", 1000, false), "10 100 500 1000");
  CHECK_TEXT(curve("10,", 1000, false), "10 1000");
  CHECK_TEXT(curve("10,100,1000", 100, true), "10 100");
  CHECK_TEXT(curve("[5, 20..40 step 10]", 100, false), "5 20 30 40 100");
  CHECK_TEXT(curve("20..40:10", 100, false), "20 30 40 100");
  CHECK_TEXT(curve("1..1000 log 4", 100, true), "1 10 100");
  CHECK_CONTAINS(curve("50..200:50", 100, false), "150 is beyond the run's 100 steps");
  CHECK_CONTAINS(curve("5,1..9", 100, false), "must be above 0 and grow");
  CHECK_CONTAINS(curve("10,100,1000", 100, false), "1000 is beyond the run's 100 steps");
  CHECK_CONTAINS(curve("10,10", 100, false), "must be above 0 and grow");
  CHECK_CONTAINS(curve("0,10", 100, false), "must be above 0 and grow");
  const char *const wrong[] = {"",     "x",   "log",   "log x", "0",  "-1", "10001",
                               "1,,2", "1.5", "lin 5", "[",     "[]", "[1,"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
    CHECK_CONTAINS(curve(wrong[i], 100, false), "is no curve: it must be");
}

/* ---- studies ---- */

static far_study *read_text(const char *text, far_error *error) {
  far_study *study;
  const far_status status = far_study_read(&study, text, strlen(text), NULL, 0, error);
  CHECK((status == FAR_OK) == (study != NULL));
  if (status != FAR_OK) CHECK(error->code == status && error->message[0] != '\0');
  return study;
}

static const char whole[] = "# what it is for\n"
                            "name: \"two words\"\n"
                            "steps: 300\n"
                            "runs: 4\n"
                            "seed: 18446744073709551615\n"
                            "environments:\n"
                            "  - chain: {n: [5, 10], slip: 0.10}\n"
                            "  - riverswim\n"
                            "  - frozen-lake:map=4x4\n"
                            "  - grid:\n"
                            "      map: S..G\n"
                            "agents:\n"
                            "  - q-learning: {q0: 20, epsilon: 0.001..0.1 log 3}\n"
                            "  - directed-delayed-q: {clamp: off, m: 1..2}\n"
                            "  - delayed-q-ie:\n"
                            "metrics: [\"coverage:what=pairs\", coverage: {what: states}]\n"
                            "curve: [10, 100]\n"
                            "until: ci=1%\n";

static const char *const envs[] = {"chain:n=[5,10],slip=0.10", "riverswim", "frozen-lake:map=4x4",
                                   "grid:map=S..G"};
static const char *const agents[] = {"q-learning:q0=20,epsilon=[0.001..0.1 log 3]",
                                     "directed-delayed-q:clamp=off,m=[1..2]", "delayed-q-ie"};
static const char *const metrics[] = {"coverage:what=[pairs,states]"};

static far_study_def lists(void) {
  far_study_def def = far_study_def_default();
  def.name = "two words";
  def.envs = envs;
  def.n_envs = 4;
  def.agents = agents;
  def.n_agents = 3;
  def.metrics = metrics;
  def.n_metrics = 1;
  def.steps = 300;
  def.runs = 4;
  def.seed = UINT64_MAX;
  def.curve = "10,100";
  def.until = "ci=1%";
  return def;
}

static void check_same(const far_study *x, const far_study *y) {
  const far_batch_def *a = far_study_batch(x), *b = far_study_batch(y);
  CHECK(a->n_cells == b->n_cells && a->runs == b->runs && a->seed == b->seed);
  CHECK(a->n_metrics == b->n_metrics);
  CHECK_TEXT(far_study_info_of(x).name, far_study_info_of(y).name);
  CHECK_TEXT(far_study_info_of(x).until, far_study_info_of(y).until);
  for (size_t i = 0; i < a->n_cells && a->n_cells == b->n_cells; ++i) {
    CHECK_TEXT(far_mdp_spec(a->cells[i].mdp), far_mdp_spec(b->cells[i].mdp));
    CHECK_TEXT(a->cells[i].agent, b->cells[i].agent);
    CHECK_TEXT(a->cells[i].env_label, b->cells[i].env_label);
    CHECK_TEXT(a->cells[i].agent_label, b->cells[i].agent_label);
    CHECK(a->cells[i].steps == b->cells[i].steps);
    CHECK(a->cells[i].n_checkpoints == b->cells[i].n_checkpoints);
    for (size_t k = 0; k < a->cells[i].n_checkpoints; ++k)
      CHECK(a->cells[i].checkpoints[k] == b->cells[i].checkpoints[k]);
  }
  for (size_t k = 0; k < a->n_metrics; ++k) CHECK_TEXT(a->metrics[k]->name, b->metrics[k]->name);
}

static void check_reads_back(const far_study *study) {
  far_error error;
  char *text = NULL;
  CHECK(far_study_print(&text, study, &error) == FAR_OK);
  if (text == NULL) return;
  far_study *again = read_text(text, &error);
  CHECK(again != NULL);
  if (again != NULL) check_same(study, again);
  far_study_free(again);
  free(text);
}

static void test_file_is_list_is_print(void) {
  far_error error;
  far_study *file = read_text(whole, &error), *list;
  const far_study_def def = lists();
  CHECK(file != NULL);
  CHECK(far_study_create(&list, &def, &error) == FAR_OK);
  if (file == NULL || list == NULL) return;
  const far_study_info info = far_study_info_of(file);
  CHECK(info.n_envs == 5 && info.n_agents == 6 && info.n_metrics == 2);
  CHECK_TEXT(info.envs[1], "chain:n=10,slip=0.10");
  CHECK_TEXT(info.agents[1], "q-learning:q0=20,epsilon=0.01");
  CHECK(far_study_batch(file)->n_cells == 30);
  CHECK_TEXT(far_study_batch(file)->cells[7].agent, "q-learning:q0=20,epsilon=0.01");
  CHECK_TEXT(far_mdp_spec(far_study_batch(file)->cells[7].mdp),
             "chain:n=10,slip=0.1,left=0.001,right=1");
  check_same(file, list);
  const far_study *both[] = {file, list};
  for (int i = 0; i < 2; ++i) check_reads_back(both[i]);
  far_study_free(file);
  far_study_free(list);
}

/* Names as in the list, as a mapping, and in each form of an entry. */
static void test_names(void) {
  static const char *const texts[] = {
      "environments: [small=chain:n=3, 'loop', far=chain:n=4]\n"
      "agents: ['fast=r-max:m=5', psrl]\nsteps: 9\nruns: 1\n",
      "environments: {small: chain:n=3, loop: , far: {chain: {n: 4}}}\n"
      "agents:\n  fast: {r-max: {m: 5}}\n  psrl:\nsteps: 9\nruns: 1\n",
      "environments:\n- small: {chain: {n: 3}}\n- loop\n- far: chain:n=4\n"
      "agents:\n- fast: r-max:m=5\n- psrl: {}\nsteps: 9\nruns: 1\n"};
  for (size_t i = 0; i < 3; ++i) {
    far_error error = {.message = ""};
    far_study *study = read_text(texts[i], &error);
    CHECK_TEXT(error.message, "");
    if (study == NULL) continue;
    const far_study_info info = far_study_info_of(study);
    CHECK(info.n_envs == 3 && info.n_agents == 2);
    CHECK_TEXT(info.envs[0], "chain:n=3");
    CHECK_TEXT(info.env_labels[0], "small");
    CHECK_TEXT(info.env_labels[1], "loop");
    CHECK_TEXT(info.env_labels[2], "far");
    CHECK_TEXT(info.agents[0], "r-max:m=5");
    CHECK_TEXT(info.agent_labels[0], "fast");
    CHECK_TEXT(info.agent_labels[1], "psrl");
    check_reads_back(study);
    far_study_free(study);
  }
}

static const char *named(const char *a, const char *b) {
  static char out[2000];
  static const char *const env = "chain:n=3";
  const char *const both[] = {a, b}, *wrong = NULL;
  far_study_def def = far_study_def_default();
  far_study *study = NULL;
  far_error error;
  def.envs = &env;
  def.n_envs = 1;
  def.agents = both;
  def.n_agents = 2;
  def.steps = 9;
  def.runs = 1;
  def.wrong = &wrong;
  out[0] = '\0';
  if (far_study_create(&study, &def, &error) == FAR_OK) {
    const far_study_info info = far_study_info_of(study);
    for (size_t i = 0; i < info.n_agents; ++i)
      snprintf(out + strlen(out), sizeof out - strlen(out), "%s%s", i ? " " : "",
               info.agent_labels[i]);
  } else {
    CHECK(wrong != NULL);
    snprintf(out, sizeof out, "%s@%d: %s", wrong != NULL ? wrong : "", error.position,
             error.message);
  }
  far_study_free(study);
  return out;
}

/* Positions are in the text with its name. */
static void test_labels(void) {
  CHECK_TEXT(named("x=r-max:m=5", "psrl"), "x psrl");
  CHECK_TEXT(named("x=r-max:m=[5,6],gamma=0.9,tol=[0.1]", "y z=psrl"), "x:m=5 x:m=6 y z");
  CHECK_TEXT(named("Größe=r-max", "r-max:m=7"), "Größe r-max:m=7");
  CHECK_CONTAINS(named("psrl", "x=r-max:m=0"), "x=r-max:m=0@10: m=0: m must be");
  CHECK_CONTAINS(named("psrl", "x=r-max:m=[5,0]"), "x=r-max:m=[5,0]@13: m=0: m must be");
  CHECK_CONTAINS(named("psrl", "x=r-mx"), "x=r-mx@2: unknown agent 'r-mx'; did you mean 'r-max'?");
  CHECK_CONTAINS(named("psrl", "x=r-max:m=[5"), "x=r-max:m=[5@10: the bracket is not closed");
  CHECK_CONTAINS(named("x=psrl", "x=r-max"), "@0: the name 'x' is given to two agents");
  CHECK_CONTAINS(named("psrl", "r-max=psrl"), "@0: 'r-max' cannot be a name: it is the agent");
  CHECK_CONTAINS(named("psrl", "chain=psrl"), "'chain' cannot be a name: it is the environment");
  CHECK_CONTAINS(named("psrl", "=psrl"), "@0: a name has 1 to 255 bytes");
  CHECK_CONTAINS(named("psrl", "a\tb=psrl"), "@0: a name has 1 to 255 bytes");
  CHECK_TEXT(named("r-max", "<a, [b] & *>=psrl"), "r-max <a, [b] & *>");
  CHECK_CONTAINS(named("psrl", "a\xff=psrl"), "@0: a name has 1 to 255 bytes");
  CHECK_CONTAINS(named("x=psrl", "y=psrl"), "'psrl' is given twice, as 'x' and as 'y'");
  CHECK_CONTAINS(named("psrl", "slip=0.1"), "unknown agent 'slip=0.1'");
  CHECK_CONTAINS(named("psrl", "x="), "x=@2: the name of the agent is missing");
  CHECK_CONTAINS(named("psrl", "x=y=r-max"), "@2: a spec has one name, not 'x' and 'y'");
  CHECK_CONTAINS(named("psrl", "best policy=r-max"), "tables and figures have a row of that name");
  static const char *const unseen[] = {
      " =r-max",        " x=r-max", "x =r-max", "x\xe2\x80\x8b=r-max", "\xe2\x80\xaex=r-max",
      "\xc2\x9bx=r-max"};
  for (size_t i = 0; i < sizeof unseen / sizeof *unseen; ++i)
    CHECK_CONTAINS(named("psrl", unseen[i]), "without control or invisible characters");
  char most[300] = {0};
  memset(most, 'a', 255);
  memcpy(most + 255, "=psrl", 5);
  CHECK_CONTAINS(named("r-max", most), "r-max aaaaaaaa");
  memcpy(most + 255, "a=psrl", 6);
  CHECK_CONTAINS(named("r-max", most), "a name has 1 to 255 bytes");
}

static void take_unused(void *user, const far_study_note *note) {
  if (strstr(note->message, "does not count here") != NULL)
    snprintf((char *)user, 200, "%s: %s", note->env, note->message);
}

/* A discount for all leaves a horizon and the average reward alone, and says so. */
static void test_discount_unused(void) {
  static const struct {
    const char *env, *note;
  } cases[] = {
      {"chain:n=3", ""},
      {"chain:n=3,horizon=4", "chain:n=3,horizon=4: the discount 0.8, given to all environments, "
                              "does not count here: the horizon does"},
      {"chain:n=3,average=on", "chain:n=3,average=on: the discount 0.8, given to all environments, "
                               "does not count here: the average reward does"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    static const char *const one[] = {"psrl"};
    char said[200] = "";
    far_study *study = NULL;
    far_study_def def = far_study_def_default();
    def.envs = &cases[i].env;
    def.n_envs = 1;
    def.agents = one;
    def.n_agents = 1;
    def.steps = 10;
    def.runs = 1;
    def.gamma = 0.8;
    def.note = take_unused;
    def.note_user = said;
    CHECK(far_study_create(&study, &def, NULL) == FAR_OK);
    CHECK_TEXT(said, cases[i].note);
    far_study_free(study);
  }
}

static void test_print_odd_texts(void) {
  const char *const names[] = {
      "",  "a: b", "- x", "\"'\\", "Größe ≤ 5 # no comment", "\xc2\x85 \xe2\x80\xa8", "null", "[x",
      "{", "*a",   "&a",  "%x",    "x\xef\xbb\xbf"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    far_study_def def = lists();
    far_study *study, *again;
    far_error error;
    char *text = NULL;
    def.name = names[i];
    CHECK(far_study_create(&study, &def, &error) == FAR_OK);
    CHECK(far_study_print(&text, study, &error) == FAR_OK);
    again = read_text(text, &error);
    CHECK(again != NULL);
    if (again != NULL) CHECK_TEXT(far_study_info_of(again).name, names[i]);
    far_study_free(again);
    far_study_free(study);
    free(text);
  }
}

/* Ranges keep their brackets and lose spaces at their ends. */
static void test_print_ranges(void) {
  far_error error;
  char *text = NULL;
  far_study *study = read_text("environments: [chain]\nagents: [\"psrl:gamma=[0.5 , 0.6 ]\"]\n"
                               "steps: 9\nruns: 2\n",
                               &error);
  CHECK(study != NULL && far_study_print(&text, study, &error) == FAR_OK);
  if (text != NULL) CHECK_CONTAINS(text, "gamma: [0.5, 0.6]");
  far_study_free(study);
  free(text);
}

/* Errors of a file say the line and the key, and that once. */
static void test_wrong_files(void) {
  static const struct {
    const char *text, *says;
  } cases[] = {
      {"environments: [chain]\nagents:\n  - psrl\n  - r-max: {gamma: 0.9, m: x}\nruns: 2\n",
       "line 4: agents[1].m=x: "},
      {"environments: [chain]\nagents: [psrl]\nruns: 99999999999\n",
       "line 3: runs: must be a whole number from 1"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    far_error error = {.message = ""};
    CHECK(read_text(cases[i].text, &error) == NULL);
    CHECK_CONTAINS(error.message, cases[i].says);
  }
}

static void test_overrides(void) {
  far_study *study;
  far_error error;
  far_study_def over = far_study_def_default();
  static const char *const other[] = {"loop"};
  over.envs = other;
  over.n_envs = 1;
  over.steps = 50;
  over.runs = 9;
  over.seed = 0;
  const unsigned members = FAR_STUDY_ENVS | FAR_STUDY_STEPS | FAR_STUDY_RUNS | FAR_STUDY_SEED;
  CHECK(far_study_read(&study, whole, strlen(whole), &over, members, &error) == FAR_OK);
  const far_batch_def *def = far_study_batch(study);
  CHECK(def->n_cells == 6 && def->runs == 9 && def->seed == 0 && def->n_metrics == 2);
  CHECK(def->cells[0].steps == 50 && def->cells[0].n_checkpoints == 2); /* 10 and 50: 100 is cut */
  CHECK(def->cells[0].checkpoints[1] == 50);
  CHECK_TEXT(far_study_info_of(study).curve, "10,50");
  check_reads_back(study);
  far_study_free(study);
  over.steps = 5; /* all are cut */
  CHECK(far_study_read(&study, whole, strlen(whole), &over, members, &error) == FAR_OK);
  CHECK_TEXT(far_study_info_of(study).curve, "5,");
  check_reads_back(study);
  far_study_free(study);
  CHECK(far_study_read(&study, whole, strlen(whole), &over, FAR_STUDY_METRICS, &error) == FAR_OK);
  CHECK(far_study_batch(study)->n_metrics == 0 && far_study_batch(study)->runs == 4);
  far_study_free(study);
  /* an error in what replaces the file's is told of that */
  static const char *const bad[] = {"chain:n=[5,x]"};
  const char *wrong = "nothing";
  over.envs = bad;
  over.wrong = &wrong;
  CHECK(far_study_read(&study, whole, strlen(whole), &over, FAR_STUDY_ENVS, &error) != FAR_OK);
  CHECK(study == NULL && wrong == bad[0] && error.position == 11);
  CHECK_CONTAINS(error.message, "n=x: n must be");
}

/* ---- models in place of specs ---- */

static far_mdp *built(double reward) {
  far_mdp *mdp = NULL;
  far_mdp_builder *b;
  CHECK(far_mdp_builder_create(&b, 2, 1, NULL) == FAR_OK);
  CHECK(far_mdp_builder_outcome(b, 0, 0, 1, 1, 0, NULL) == FAR_OK);
  CHECK(far_mdp_builder_outcome(b, 1, 0, 1, 0, reward, NULL) == FAR_OK);
  CHECK(far_mdp_builder_start(b, 0, 1, NULL) == FAR_OK);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

static void check_names(far_mdp *const *mdps) {
  static const char *const taken[] = {"chain:n=4", "chain", "", "a\nb", "file:x"};
  far_study_def def = far_study_def_default();
  static const char *const learners[] = {"q-learning"};
  const far_mdp *models[] = {mdps[0], mdps[1]};
  const char *names[2];
  const char *wrong;
  far_study *study;
  far_error error;
  def.envs = names;
  def.models = models;
  def.n_envs = 2;
  def.agents = learners;
  def.n_agents = 1;
  def.wrong = &wrong;
  names[0] = "good";
  for (size_t i = 0; i < sizeof taken / sizeof *taken; ++i) {
    names[1] = taken[i];
    CHECK(far_study_create(&study, &def, &error) != FAR_OK && study == NULL);
    CHECK(wrong == taken[i]);
  }
  names[1] = "good"; /* twice */
  CHECK(far_study_create(&study, &def, &error) == FAR_STATUS_CONFLICT && study == NULL);
  CHECK_CONTAINS(error.message, "'good' is given twice");
}

/* Between specs, in their order; a name has no grid. Its runs are those of the model itself, and a store
 * tells models of one name apart. */
static void test_models(void) {
  static const char *const given[] = {"chain:n=[3,4]", "mine [1,2]", "loop"};
  static const char *const learners[] = {"q-learning", "r-max:m=2"};
  far_mdp *mdps[] = {built(1), built(2)};
  const far_mdp *models[] = {NULL, mdps[0], NULL};
  far_study_def def = far_study_def_default();
  far_study *study;
  far_error error;
  far_batch *batch;
  char *text;
  def.envs = given;
  def.models = models;
  def.n_envs = 3;
  def.agents = learners;
  def.n_agents = 2;
  def.steps = 10;
  def.runs = 3;
  CHECK(far_study_create(&study, &def, &error) == FAR_OK);
  const far_study_info info = far_study_info_of(study);
  const far_batch_def *b = far_study_batch(study);
  CHECK(info.n_envs == 4 && b->n_cells == 8);
  CHECK_TEXT(info.envs[2], "mine [1,2]");
  CHECK(b->cells[4].mdp == mdps[0] && b->cells[6].mdp != NULL);
  CHECK_TEXT(far_cell_env(&b->cells[4]), "mine [1,2]");
  CHECK_TEXT(far_cell_env(&b->cells[0]), "chain:n=3,slip=0.2,left=0.001,right=1");
  CHECK(far_batch_run(&batch, b, &error) == FAR_OK);
  CHECK(far_batch_result(batch, 4)->mean == 5); /* every second step */
  far_batch_free(batch);
  CHECK(far_study_print(&text, study, &error) == FAR_STATUS_CONFLICT && text == NULL);
  CHECK_CONTAINS(error.message, "'mine [1,2]' is a model of the program");
  far_study_free(study);
  check_names(mdps);
  for (int i = 0; i < 2; ++i) far_mdp_free(mdps[i]);
}

/* ---- simulators in place of specs ---- */

static far_status walk_reset(void *instance, far_rng *rng, uint32_t *s, far_error *error) {
  (void)instance, (void)rng, (void)error;
  *s = 0;
  return FAR_OK;
}

static far_status walk_step(void *instance, far_rng *rng, far_transition *step, far_error *error) {
  (void)instance, (void)rng, (void)error;
  step->r = 1;
  step->done = true;
  return FAR_OK;
}

static void check_simulated(const far_study *study) {
  const far_batch_def *b = far_study_batch(study);
  far_error error;
  far_batch *batch;
  char *text;
  CHECK(b->n_cells == 2 && b->cells[0].mdp != NULL && b->cells[1].mdp == NULL);
  CHECK_TEXT(far_cell_env(&b->cells[1]), "the walk");
  CHECK(far_batch_run(&batch, b, &error) == FAR_OK);
  CHECK(far_batch_result(batch, 1)->mean == 10);
  far_batch_free(batch);
  CHECK(far_study_print(&text, study, &error) == FAR_STATUS_CONFLICT && text == NULL);
  CHECK_CONTAINS(error.message, "'walk' is a simulator of the program");
  far_results *results;
  CHECK(far_study_run(&results, study, &(far_study_run_def){.threads = 1}, &error) == FAR_OK);
  double best[2];
  CHECK(far__results_best(best, results, NULL, &error) == FAR_OK);
  CHECK(best[0] == best[0] && best[1] != best[1]);
  far_report *report = NULL;
  CHECK(far_report_create(&report, "run", &error) == FAR_OK);
  far_results_report(results, report);
  far_report_free(report);
  far_results_free(results);
}

static void test_simulators(void) {
  static const char *const given[] = {"chain:n=3", "walk"};
  static const char *const learners[] = {"q-learning"};
  const char *watched[] = {"episodes"};
  const far_simulator_def walk = {.size = sizeof walk,
                                  .name = "the walk",
                                  .shape = far_shape_default(2, 2),
                                  .reset = walk_reset,
                                  .step = walk_step};
  const far_simulator_def *simulators[] = {NULL, &walk};
  far_study_def def = far_study_def_default();
  far_study *study;
  far_error error;
  def.envs = given;
  def.simulators = simulators;
  def.n_envs = 2;
  def.agents = learners;
  def.metrics = watched;
  def.n_agents = def.n_metrics = 1;
  def.steps = 10;
  def.runs = 3;
  CHECK(far_study_create(&study, &def, &error) == FAR_OK);
  check_simulated(study);
  far_study_free(study);
  watched[0] = "regret";
  CHECK(far_study_create(&study, &def, &error) == FAR_STATUS_CONFLICT && study == NULL);
  CHECK_CONTAINS(error.message, "regret with q-learning on walk: the metric needs a model");
}

/* far_study_create's errors: the spec that is wrong, and where in it. */
static void test_wrong_lists(void) {
  const struct {
    const char *env, *agent, *metric, *says;
    int which, position; /* 0 env, 1 agent, 2 metric, 3 none */
  } cases[] = {
      {"chan", "psrl", "coverage", "did you mean 'chain'?", 0, 0},
      {"chain:n=[5,6,1e9]", "psrl", "coverage", "n=1e9", 0, 13},
      {"chain:n=[5,5.0]", "psrl", "coverage",
       "'chain:n=5' and 'chain:n=5.0' are the same: chain:n=5,", 0, 11},
      {"chain", "psrl:gamma=[0.5..1.5 count 3]", "coverage", "gamma=1:", 1, 12},
      {"chain", "psrl:gama=[1,2]", "coverage", "did you mean 'gamma'?", 1, 5},
      {"chain", "q-learning:gamma=[0.95,0.950]", "coverage",
       "are the same on chain: q-learning:", 1, 23},
      {"chain", "r-max:gamma=[0.9,0.5],m=[5,6,5]", "coverage",
       "'r-max:gamma=0.9,m=5' is given twice", 1, 29},
      {"chain", "psrl", "coverage:wat=pairs", "did you mean 'what'?", 2, 9},
      {"chain", "psrl", "coverage:what=[pairs,pairs]", "is given twice", 2, 21},
      {"chain:horizon=9", "psrl", "mistakes", "mistakes with psrl on chain:horizon=9:", 2, -1},
      {"chain:n=[1..2000]", "q-learning:alpha=[0.0001..1 step 0.0001]", "coverage",
       "2000 environments x 10000 agents are 2e+07 cells; at most 1000000", 3, -1},
      {"chain:n=[1..200000]", "psrl", "coverage", "at most 100000", 0, 9},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    far_study_def def = far_study_def_default();
    const char *wrong = "nothing";
    far_study *study;
    far_error error;
    def.envs = &cases[i].env;
    def.agents = &cases[i].agent;
    def.metrics = &cases[i].metric;
    def.n_envs = def.n_agents = def.n_metrics = 1;
    def.wrong = &wrong;
    CHECK(far_study_create(&study, &def, &error) != FAR_OK && study == NULL);
    CHECK_CONTAINS(error.message, cases[i].says);
    const char *const specs[] = {cases[i].env, cases[i].agent, cases[i].metric, NULL};
    CHECK(wrong == specs[cases[i].which]);
    CHECK(error.position == cases[i].position);
    CHECK(far_study_create(&study, &def, NULL) != FAR_OK);
  }
}

/* ---- notes ---- */

typedef struct counts {
  int env, agent, metric, severe;
} counts;

static void count_note(void *user, const far_study_note *note) {
  counts *c = user;
  c->env += note->agent == NULL && strstr(note->message, "never be reached") != NULL;
  c->agent += note->agent != NULL && note->metric == NULL;
  c->metric += note->metric != NULL;
  c->severe += note->severe;
}

static void test_notes(void) {
  static const char *const env[] = {"grid:map=S.G/###/...", "chain:n=5"};
  static const char *const agent[] = {"directed-delayed-q", "q-learning"};
  static const char *const metric[] = {"mistakes:eps=100"};
  far_study_def def = far_study_def_default();
  counts c = {0};
  far_study *study;
  def.envs = env;
  def.agents = agent;
  def.metrics = metric;
  def.n_envs = def.n_agents = 2;
  def.n_metrics = 1;
  def.note = count_note;
  def.note_user = &c;
  CHECK(far_study_create(&study, &def, NULL) == FAR_OK);
  CHECK(c.env == 1 && c.agent >= 2 && c.metric == 4 && c.severe == 4);
  far_study_free(study);
}

/* What is said of an environment where the total reward tells nothing; "" if that is not said. */
typedef struct said_total {
  char text[300];
} said_total;

static void hear_total(void *user, const far_study_note *note) {
  if (strstr(note->message, "total reward,") == NULL) return;
  CHECK(!note->severe && note->agent == NULL && note->metric == NULL);
  snprintf(((said_total *)user)->text, sizeof(said_total), "%s", note->message);
}

static said_total same_total(const char *env, const char *metric) {
  static const char *const agent = "random";
  far_study_def def = far_study_def_default();
  said_total out = {""};
  far_study *study;
  def.envs = &env;
  def.agents = &agent;
  def.metrics = &metric;
  def.n_envs = def.n_agents = 1;
  def.n_metrics = metric != NULL;
  def.note = hear_total;
  def.note_user = &out;
  CHECK(far_study_create(&study, &def, NULL) == FAR_OK);
  far_study_free(study);
  return out;
}

static void test_same_total(void) {
  static const char *const silent[] = {"chain",
                                       "frozen-lake",
                                       "taxi",
                                       "mountain-car:goal=0",
                                       "cliff-walking:fall=0",
                                       "grid:map=S.G,step=0,goal=1",
                                       "grid:map=S.G,step=0,goal=-1"};
  CHECK_TEXT(
      same_total("cliff-walking", NULL).text,
      "a policy that never reaches a terminal state has the highest total reward, -1 a step: "
      "the metrics episodes and return tell agents apart");
  CHECK_CONTAINS(same_total("cliff-walking:slippery=on,horizon=100", NULL).text, "that never");
  CHECK_CONTAINS(same_total("grid:map=S.G/PP.,step=0,goal=0,pit=-1", "coverage").text,
                 "that never");
  CHECK_CONTAINS(same_total("mountain-car", NULL).text,
                 "every policy has the same total reward, -1 a step");
  CHECK_CONTAINS(same_total("grid:map=S.G,step=0.5,goal=0.5", NULL).text, "every policy");
  for (size_t i = 0; i < sizeof silent / sizeof *silent; ++i)
    CHECK_TEXT(same_total(silent[i], NULL).text, "");
  CHECK_TEXT(same_total("cliff-walking", "episodes").text, ""); /* it follows the advice */
  CHECK_TEXT(same_total("cliff-walking", "success:at_least=-20").text, "");
}

/* ---- canonical specs without making anything ---- */

static void test_resolve(void) {
  char text[FAR_SPEC_SIZE];
  for (size_t i = 0; far_mdp_family(i) != NULL; ++i) {
    far_mdp *mdp;
    if (far_mdp_family(i)->bare || far_mdp_create(&mdp, far_mdp_family(i)->name, NULL) != FAR_OK)
      continue;
    CHECK(far_mdp_resolve(text, far_mdp_family(i)->name, NULL) == FAR_OK);
    CHECK_TEXT(text, far_mdp_spec(mdp));
    const far_shape shape = far_mdp_shape(mdp);
    for (size_t j = 0; far_agent_type(j) != NULL && i < 3; ++j) {
      if (far_agent_type(j)->finite_horizon) continue;
      far_agent *agent;
      CHECK(far_agent_create_on(&agent, far_agent_type(j)->name, mdp, 0, 1, 0, NULL) == FAR_OK);
      CHECK(far_agent_resolve(text, far_agent_type(j)->name, &shape, NULL) == FAR_OK);
      CHECK_TEXT(text, far_agent_spec(agent));
      far_agent_free(agent);
    }
    far_mdp_free(mdp);
  }
}

static bool has_yaml(void) {
  far_study *study;
  return far_study_read(&study, "", 0, NULL, 0, NULL) != FAR_STATUS_ABSENT;
}

/* ---- lists of whole numbers ---- */

static void reads(const char *text, const char *expected) {
  int64_t out[10];
  size_t n = 0;
  char found[200] = "";
  far_error error;
  const far_status status = far__integers_parse(out, &n, 10, text, &error);
  for (size_t i = 0; status == FAR_OK && i < n; ++i)
    snprintf(found + strlen(found), sizeof found - strlen(found), "%s%lld", i ? " " : "",
             (long long)out[i]);
  CHECK_TEXT(status == FAR_OK ? found : error.message, expected);
}

static void reads_not(const char *text, int position, const char *part) {
  int64_t out[10];
  size_t n;
  far_error error = {.code = FAR_OK};
  CHECK(far__integers_parse(out, &n, 10, text, &error) != FAR_OK && n <= 10);
  CHECK(error.position == position);
  CHECK_CONTAINS(error.message, part);
}

static void test_integers(void) {
  reads("7", "7");
  reads("5,10, 20", "5 10 20");
  reads("3..6,8", "3 4 5 6 8");
  reads("5..20:5", "5 10 15 20");
  reads("5..20 step 5", "5 10 15 20");
  reads("[5..20 step 5, 40]", "5 10 15 20 40");
  reads("5..21:5", "5 10 15 20");
  reads("5..5", "5");
  reads("5..5:3", "5");
  reads("1..1000 log 4", "1 10 100 1000");
  reads("1..3 count 5", "1 2 3");
  reads("1e3,-2", "1000 -2");
  reads_not("", 0, "whole number");
  reads_not("5,", 2, "whole number");
  reads_not("5,x", 2, "'x' must be a whole number (20) or a range");
  reads_not("5..x", 0, "a range is");
  reads_not("1,5..3", 2, "must rise");
  reads_not("5..9:0", 0, "above 0");
  reads_not("5..9:0.5", 0, "whole number");
  reads_not("0.5..9 step 1", 0, "whole number");
  reads_not("1..11", 0, "at most 10");
  reads_not("1..6,7..12", 5, "more than 10");
  reads_not("[5", 0, "whole number");
  reads_not("5..9:", 0, "a range is");
  reads_not("..", 0, "whole number");
}

int main(void) {
  test_integers();
  test_grids();
  test_wrong_grids();
  test_source();
  test_curves();
  test_wrong_lists();
  test_notes();
  test_labels();
  test_discount_unused();
  test_same_total();
  test_resolve();
  if (has_yaml()) {
    test_file_is_list_is_print();
    test_names();
    test_print_odd_texts();
    test_print_ranges();
    test_wrong_files();
    test_overrides();
    test_models();
    test_simulators();
  }
  return check_report();
}
