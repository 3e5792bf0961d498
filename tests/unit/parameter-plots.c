/* Figures of parameters, sizes, hardness, searches and the paper's tables: the numbers of the structs, the
 * same bytes each time, hostile names, and results with nothing to draw. */
#include "questions/growth/growth-curves.h"
#include "questions/growth/scaling.h"
#include "questions/hardness/hardness.h"
#include "questions/paper/paper-tables.h"
#include "questions/sensitivity/sensitivity.h"
#include "questions/tuning/tuned-comparison.h"
#include "report/build.h"
#include "report/figure/figure.h"
#include "statistics/growth.h"
#include "stores.h"

/* A figure as SVG, freed; drawn twice to the same bytes by the callers. */
static far_buffer rendered(far_figure *figure, far_figure_format format) {
  far_figure_def how = far_figure_def_default();
  far_buffer out = {0};
  how.format = format;
  CHECK(figure != NULL);
  if (figure == NULL) return out;
  CHECK(far_figure_render(figure, &how, far_sink_buffer(&out), NULL) == FAR_OK);
  const far_figure_info info = far_figure_info_of(figure);
  CHECK(info.title[0] != '\0' && info.description[0] != '\0' && info.height > 100);
  far_figure_free(figure);
  return out;
}

static void check_same(far_buffer *a, far_buffer *b) {
  CHECK(a->length > 0 && a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0);
  far_buffer_free(b);
}

/* How often a part is in a text. */
static int count_of(const char *text, const char *part) {
  int n = 0;
  for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part)) ++n;
  return n;
}

static const char *interval(double value, double low, double high) {
  static far__brief text[4];
  static int next;
  next = (next + 1) % 4;
  text[next] = far__brief_interval(value, (high - low) / 2);
  return text[next].text;
}

static const char HOSTILE[] = "<script>\"&'</svg>";
static const char SAFE[] = "&lt;script&gt;";

/* ---- sensitivity ---- */

static far_buffer drawn_sensitivity(const far__sensitivity *x, far_figure_format format) {
  const far_plot_def def = far_plot_def_default();
  far_figure *figure;
  far_error error = {.message = ""};
  CHECK(far__sensitivity_figure(&figure, x, &def, &error) == FAR_OK);
  CHECK_TEXT(error.message, "");
  return rendered(figure, format);
}

/* Two lines on two environments; values that are not finite, and places without runs. */
static void test_sensitivity(void) {
  static const far__sensitivity_value values[] = {{"1", 1, 0}, {"10", 10, 0.5}, {"100", 100, 1}};
  static const far__sensitivity_point points[] = {
      {5, 0, 12.5, 11, 14, "q=1"},       {5, 0, NAN, NAN, NAN, "q=1"},
      {5, 0, INFINITY, NAN, NAN, "q=1"}, {5, 0, -3, NAN, NAN, "q=2"},
      {0, 0, NAN, NAN, NAN, "q=2"},      {5, 0, 7.25, 7, 7.5, "q=2"},
      {5, 0, 12.5, 11, 14, "q=1"},       {5, 0, 5, -INFINITY, 6, "q=1"},
      {5, 0, 7.25, 7, 7.5, "q=2"}};
  static const char *const lines[] = {"q=1", "q=2"};
  const far__sensitivity_panel panels[] = {{HOSTILE, points, points + 6},
                                           {"loop", points, points + 6}};
  const far__sensitivity_parameter p = {.agent = HOSTILE,
                                        .key = "m",
                                        .scale = FAR__VALUES_LOG,
                                        .values = values,
                                        .n_values = 3,
                                        .lines = lines,
                                        .n_lines = 2,
                                        .n_left_out = 4,
                                        .panels = panels,
                                        .n_panels = 2};
  far__sensitivity x = {.series = "total", .level = 0.9, .parameters = &p, .n_parameters = 1};
  far_buffer svg = drawn_sensitivity(&x, FAR_FIGURE_SVG),
             two = drawn_sensitivity(&x, FAR_FIGURE_SVG);
  check_same(&svg, &two);
  CHECK_CONTAINS(svg.bytes, "m=1,q=1 on loop: 12.5 ± 1.5");
  CHECK_CONTAINS(svg.bytes, "m=100,q=2 on loop: 7.25 ± 0.25");
  CHECK_CONTAINS(svg.bytes, "90% intervals");
  CHECK_CONTAINS(svg.bytes, "2 of 6 settings of the other parameters");
  CHECK(count_of(svg.bytes, "stroke-width=\"1.8\"") == 4); /* each line, in each panel */
  CHECK_CONTAINS(svg.bytes, SAFE);
  CHECK(strstr(svg.bytes, "<script") == NULL && strstr(svg.bytes, "nan") == NULL);
  CHECK(count_of(svg.bytes, "m=10,q=1") == 2); /* the best of each panel */
  far_buffer_free(&svg);
  far_buffer tikz = drawn_sensitivity(&x, FAR_FIGURE_TIKZ);
  CHECK_CONTAINS(tikz.bytes, "tikzpicture");
  far_buffer_free(&tikz);
}

static void test_words_and_many(void) {
  enum { MANY = 300 };
  static far__sensitivity_value values[MANY];
  static far__sensitivity_point points[MANY];
  static char texts[MANY][32];
  static const char *const lines[] = {""};
  const far__sensitivity_panel panel = {"loop", points, points};
  far__sensitivity_parameter p = {.agent = "a",
                                  .key = "word",
                                  .values = values,
                                  .lines = lines,
                                  .n_lines = 1,
                                  .panels = &panel,
                                  .n_panels = 1};
  const far__sensitivity x = {
      .series = "total", .level = 0.95, .parameters = &p, .n_parameters = 1};
  for (int k = 0; k < 2; ++k) {
    p.n_values = k == 0 ? 4 : MANY;
    for (size_t v = 0; v < p.n_values; ++v) {
      snprintf(texts[v], sizeof texts[v], "%s%zu", k == 0 ? "word " : "", v);
      values[v] = (far__sensitivity_value){texts[v], k == 0 ? NAN : (double)v, (double)v / MANY};
      points[v] = (far__sensitivity_point){
          3, 0, (double)(v % 7), (double)(v % 7) - 1, (double)(v % 7) + 1, ""};
    }
    far_buffer svg = drawn_sensitivity(&x, FAR_FIGURE_SVG);
    CHECK_CONTAINS(svg.bytes, k == 0 ? ">word 3</text>" : "word=299 on loop");
    far_buffer_free(&svg);
  }
}

/* ---- growth ---- */

static far_buffer drawn_growth(const far__growth_curves *x, const far_plot_def *def) {
  far_figure *figure;
  CHECK(far__growth_curves_figure(&figure, x, def, NULL) == FAR_OK);
  return rendered(figure, FAR_FIGURE_SVG);
}

static const int64_t sizes[] = {4, 8, 16};

static far__growth_curves growth_of(far__growth_family *family, const far__growth_curve *curves,
                                    size_t n, size_t n_sizes) {
  *family = (far__growth_family){.env = HOSTILE,
                                 .key = "n",
                                 .sizes = sizes,
                                 .n_sizes = n_sizes,
                                 .curves = curves,
                                 .n_curves = n};
  return (far__growth_curves){.quantity = "steps to learn",
                              .times = true,
                              .lower = true,
                              .level = 0.95,
                              .families = family,
                              .n_families = 1};
}

static void test_growth(void) {
  static const far__growth_point points[] = {{20, 0, false, 16, 12, 20, 100},
                                             {20, 0, false, 64, 60, 70, 100},
                                             {20, 3, false, 256, 200, 300, 500},
                                             {20, 1, false, 30, 20, INFINITY, 100},
                                             {20, 12, false, INFINITY, 80, INFINITY, 500},
                                             {0, 0, true, NAN, NAN, NAN, NAN}};
  const double x[] = {4, 8, 16}, y[] = {16, 64, 256};
  far__growth_curve curves[] = {{"square", points, {.better = FAR__LAW_COUNT}},
                                {"a:b=1,c=2", points + 3, {.better = FAR__LAW_COUNT}}};
  far__growth_family family;
  far_plot_def def = far_plot_def_default();
  CHECK(far__growth_fit(&curves[0].fit.growth, x, y, 3, NULL) == FAR_OK);
  curves[0].fit.fitted = true;
  curves[0].fit.better = FAR__LAW_POLYNOMIAL;
  const far__growth_curves growth = growth_of(&family, curves, 2, 3);
  far_buffer svg = drawn_growth(&growth, &def), two = drawn_growth(&growth, &def);
  check_same(&svg, &two);
  CHECK_CONTAINS(svg.bytes, "n = 8: 64 [60, 70]");
  CHECK_CONTAINS(svg.bytes, "n = 16: 256 [200, 300]; 3 of 20 runs took longer");
  CHECK_CONTAINS(svg.bytes, "n = 8: more than 500; 12 of 20 runs took longer");
  CHECK_CONTAINS(svg.bytes, "n = 4: 30 [20, ∞]");
  CHECK_CONTAINS(svg.bytes, ">square</text>"); /* beside its line */
  CHECK_CONTAINS(svg.bytes, "∝ n^(2");
  CHECK_CONTAINS(svg.bytes, "at least half of the runs");
  CHECK(strstr(svg.bytes, "<script") == NULL && strstr(svg.bytes, "nan") == NULL);
  far_buffer_free(&svg);
  def.most_series = 1;
  svg = drawn_growth(&growth, &def);
  CHECK_CONTAINS(svg.bytes, "the best 1 of 2 agents");
  CHECK(strstr(svg.bytes, "more than 500") == NULL); /* the better one stays */
  far_buffer_free(&svg);
}

/* More families than panels. */
static void test_many_families(void) {
  static const far__growth_point points[] = {{20, 0, false, 16, 12, 20, 100},
                                             {20, 0, false, 64, 60, 70, 100}};
  const far__growth_curve curve = {"x", points, {.better = FAR__LAW_COUNT}};
  const far_plot_def def = far_plot_def_default();
  far__growth_family families[14];
  far__growth_curves growth = growth_of(&families[0], &curve, 1, 2);
  for (size_t i = 1; i < 14; ++i) families[i] = families[0];
  growth.n_families = 14;
  far_buffer svg = drawn_growth(&growth, &def);
  CHECK_CONTAINS(svg.bytes, "medians with 95% intervals; 2 more families are left out");
  far_buffer_free(&svg);
}

/* One size; every point censored; nothing known at all. */
static void test_little_growth(void) {
  static const far__growth_point censored[] = {{5, 5, false, INFINITY, NAN, INFINITY, 50}},
                                 nothing[] = {{0, 0, false, NAN, NAN, NAN, NAN}},
                                 odd[] = {{5, 0, false, INFINITY, NAN, NAN, NAN}};
  const far__growth_point *const all[] = {censored, nothing, odd};
  const far_plot_def def = far_plot_def_default();
  for (size_t k = 0; k < 3; ++k) {
    const far__growth_curve curve = {"x", all[k], {.better = FAR__LAW_COUNT}};
    far__growth_family family;
    const far__growth_curves growth = growth_of(&family, &curve, 1, 1);
    far_buffer svg = drawn_growth(&growth, &def);
    CHECK(strstr(svg.bytes, "nan") == NULL && strstr(svg.bytes, "inf\"") == NULL);
    CHECK((strstr(svg.bytes, "more than") != NULL) == (k != 1));
    far_buffer_free(&svg);
  }
}

/* ---- hardness ---- */

static void test_hardness(void) {
  static const far__hardness_env envs[] = {
      {"easy", NULL, 5, 2, 0.95, 4, 0, 0.5, 0, 1e-6, 7},
      {"hard", NULL, 50, 2, 0.95, INFINITY, 0, 0.001, 2, 1e-6, 7},
      {HOSTILE, NULL, 50, 2, 0.95, NAN, NAN, INFINITY, 3, 1e-6, 7},
      {"lost", "it has more than 20 outcomes", 0, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN}};
  static const char *const agents[] = {"one", "two"};
  static const far__hardness_score scores[] = {{0.9, 0.8, 1.0}, {0.5, NAN, NAN}, {0.1, 0.05, 0.15},
                                               {NAN, NAN, NAN}, {0.3, 0.2, 0.4}, {0.2, 0.1, 0.3},
                                               {0.7, 0.6, 0.8}, {0.7, 0.6, 0.8}};
  far__hardness x = {.series = "total",
                     .level = 0.95,
                     .policies = true,
                     .envs = envs,
                     .n_envs = 4,
                     .agents = agents,
                     .n_agents = 2,
                     .scores = scores};
  const far_plot_def def = far_plot_def_default();
  far_figure *figure;
  far_error error;
  CHECK(far__hardness_figure(&figure, &x, &def, NULL) == FAR_OK);
  far_buffer svg = rendered(figure, FAR_FIGURE_SVG);
  CHECK(far__hardness_figure(&figure, &x, &def, NULL) == FAR_OK);
  far_buffer two = rendered(figure, FAR_FIGURE_SVG);
  check_same(&svg, &two);
  char tip[100];
  snprintf(tip, sizeof tip, "one on easy: score %s, diameter 4", interval(0.9, 0.8, 1));
  CHECK_CONTAINS(svg.bytes, tip);
  snprintf(tip, sizeof tip, "one on hard: score %s, diameter infinite", interval(0.1, 0.05, 0.15));
  CHECK_CONTAINS(svg.bytes, tip);
  CHECK_CONTAINS(svg.bytes, "value norm 2");
  CHECK_CONTAINS(svg.bytes, "1 environment not solved");
  CHECK_CONTAINS(svg.bytes, "∞");
  CHECK(strstr(svg.bytes, "two on hard") == NULL && strstr(svg.bytes, "on lost") == NULL);
  CHECK(strstr(svg.bytes, "<script") == NULL && strstr(svg.bytes, "nan") == NULL);
  far_buffer_free(&svg);
  x.envs = envs + 3, x.n_envs = 1;
  CHECK(far__hardness_figure(&figure, &x, &def, &error) == FAR_STATUS_UNKNOWN && figure == NULL);
  CHECK_CONTAINS(error.message, "no environment");
}

/* How many lines from a name to its point run through other names. */
static size_t count_crossings(const far_figure *f) {
  size_t n = 0;
  for (size_t i = 0; i < f->n_items; ++i) {
    const far__item *line = &f->items[i];
    if (line->paint.opacity != 0.8 || line->n != 2) continue;
    for (size_t j = 0; j < i; ++j) {
      const far__item *name = &f->items[j];
      if (name->shape != FAR__TEXT || name->font.size != 10) continue;
      const double end = name->x[0] + far__text_length(name->text, 10, false);
      for (int k = 1; k < 12; ++k) {
        const double x = line->x[0] + k * (line->x[1] - line->x[0]) / 12,
                     y = line->y[0] + k * (line->y[1] - line->y[0]) / 12;
        if (x <= name->x[0] || x >= end || y <= name->y[0] - 7 || y >= name->y[0]) continue;
        ++n;
        break;
      }
    }
  }
  return n;
}

/* Names of points that are dense lead to them past other names. */
static void test_dense_names(void) {
  enum { N = 24 };
  static const char *const agents[] = {"one"};
  static char labels[N][20];
  far__hardness_env envs[N];
  far__hardness_score scores[N];
  far_rng rng;
  size_t crossings = 0, lines = 0;
  far_rng_init(&rng, 1, 0, FAR_PURPOSE_MODEL);
  for (int round = 0; round < 5; ++round) {
    for (int e = 0; e < N; ++e) {
      const double score = far_rng_uniform(&rng);
      snprintf(labels[e], sizeof labels[e], "environment-%d", e);
      envs[e] = (far__hardness_env){labels[e], NULL, 5, 2,    0.95, 1 + 9 * far_rng_uniform(&rng),
                                    0,         0.5,  1, 1e-6, 7};
      scores[e] = (far__hardness_score){score, score, score};
    }
    const far__hardness x = {.series = "total",
                             .level = 0.95,
                             .policies = true,
                             .envs = envs,
                             .n_envs = N,
                             .agents = agents,
                             .n_agents = 1,
                             .scores = scores};
    const far_plot_def def = far_plot_def_default();
    far_figure *figure;
    CHECK(far__hardness_figure(&figure, &x, &def, NULL) == FAR_OK);
    crossings += count_crossings(figure);
    for (size_t i = 0; i < figure->n_items; ++i) lines += figure->items[i].paint.opacity == 0.8;
    far_figure_free(figure);
  }
  CHECK(lines > 0 && crossings == 0);
}

/* ---- nothing to draw ---- */

static void test_nothing(void) {
  const far__sensitivity none = {.series = "total"};
  const far__growth_curves small = {.quantity = "total"};
  const far_plot_def def = far_plot_def_default();
  far_figure *figure = (far_figure *)&none;
  far_error error;
  CHECK(far__sensitivity_figure(&figure, &none, &def, &error) == FAR_STATUS_UNKNOWN);
  CHECK(figure == NULL);
  CHECK_CONTAINS(error.message, "no two agents");
  CHECK(far__growth_curves_figure(&figure, &small, &def, &error) == FAR_STATUS_UNKNOWN);
  CHECK(figure == NULL);
  CHECK(far__figure_check_path("a.pdf", NULL) == FAR_OK);
  CHECK(far__figure_check_path("a.gif", &error) == FAR_STATUS_UNKNOWN);
  CHECK_CONTAINS(error.message, ".svg, .pdf, .png or .tex");
}

/* ---- results that are no stores ---- */

static void test_scaling(void) {
  static const char *const agents[] = {"q-learning", "delayed-q:m=2"};
  far__scaling_def def = far__scaling_def_default();
  const far_plot_def how = far_plot_def_default();
  far__scaling *s;
  far_figure *figure;
  def.env = "chain";
  def.sizes = sizes;
  def.n_sizes = 2;
  def.agents = agents;
  def.n_agents = 2;
  def.runs = 8;
  def.max_steps = 2000;
  def.threads = 1;
  CHECK(far__scaling_create(&s, &def, NULL) == FAR_OK && far__scaling_run(s, NULL) == FAR_OK);
  CHECK(far__scaling_figure(&figure, s, &how, NULL) == FAR_OK);
  far_buffer svg = rendered(figure, FAR_FIGURE_SVG);
  char tip[120];
  snprintf(tip, sizeof tip, "delayed-q:m=2 on chain, n = 4: %s [",
           far__brief_real(far__scaling_value(s, 0, 1)).text);
  CHECK_CONTAINS(svg.bytes, tip);
  CHECK_CONTAINS(svg.bytes, "Steps to earn 50% of the best average reward: chain");
  far_buffer_free(&svg);
  far__scaling_free(s);
}

static void test_search(void) {
  static const char *const agents[] = {"delayed-q:m=[1..5],eps1=0.3"};
  far__tuned_comparison_def def = far__tuned_comparison_def_default();
  const far_plot_def how = far_plot_def_default();
  far__tuned_comparison *c;
  far_figure *figure;
  far_mdp *mdp;
  CHECK(far_mdp_create(&mdp, "chain:n=4", NULL) == FAR_OK);
  far_tune_cell cell = {.mdp = mdp, .target = NAN};
  CHECK(far__tune_cells_scale(&cell, 1, 100, NULL, NULL) == FAR_OK);
  def.agents = agents;
  def.n_agents = 1;
  def.tune.cells = &cell;
  def.tune.n_cells = 1;
  def.tune.steps = 100;
  def.tune.runs = def.tune.profile = 3;
  def.tune.budget = 10000;
  def.tune.evaluation = 0;
  def.tune.threads = 1;
  CHECK(far__tuned_comparison_run(&c, &def, NULL) == FAR_OK);
  CHECK(far__tuned_comparison_figure(&figure, c, &how, NULL) == FAR_OK);
  far_buffer svg = rendered(figure, FAR_FIGURE_SVG);
  const far_tune_result *r = far__tuned_comparison_info_of(c).agents[0].result;
  const far_tune_point *point = &r->profiles[0].points[0];
  char tip[120];
  const double score = r->profile_score - point->loss;
  snprintf(tip, sizeof tip, "delayed-q:m=%s on chain:n=4: %s", point->value,
           interval(score, score - point->ci95, score + point->ci95));
  CHECK_CONTAINS(svg.bytes, tip);
  CHECK_CONTAINS(svg.bytes, "(the best setting)");
  CHECK_CONTAINS(svg.bytes, "data-kind=\"tuning\"");
  far_buffer_free(&svg);
  far__tuned_comparison_free(c);
  far_mdp_free(mdp);
}

static void test_paper(void) {
  far__paper_def def = far__paper_def_default();
  far_plot_def how = far_plot_def_default();
  far__paper_tables *tables;
  far_figure *figure;
  size_t n_cells;
  def.runs = 2;
  def.threads = 1;
  CHECK(far__paper_tables_run(&tables, &def, NULL) == FAR_OK);
  for (int wide = 0; wide < 2; ++wide) {
    how.width = wide ? 960 : 500;
    CHECK(far__paper_tables_figure(&figure, tables, &how, NULL) == FAR_OK);
    far_buffer svg = rendered(figure, FAR_FIGURE_SVG);
    const far_result *r = far_batch_result(far__paper_tables_batch(tables, &n_cells), 5);
    char tip[120];
    snprintf(tip, sizeof tip, "Delayed QL on chain:n=10, ours: %s",
             interval(r->mean, r->mean - r->ci95, r->mean + r->ci95));
    CHECK_CONTAINS(svg.bytes, tip);
    CHECK_CONTAINS(svg.bytes, "γ_E = 0.25 on chain:n=50, the paper: 691 ± 14");
    CHECK(count_of(svg.bytes, "class=\"panel\"") == 2);
    far_buffer_free(&svg);
  }
  far__paper_tables_free(tables);
}

/* ---- from a store ---- */

static void make_store(const char *name) {
  static const char *const agents[] = {"r-max:m=1", "r-max:m=4", "q-learning"};
  static const char *const envs[] = {"chain:n=3", "chain:n=5", "chain:n=7"};
  far_mdp *mdps[3];
  far_cell cells[9];
  far_batch_def def = far_batch_def_default();
  for (int e = 0; e < 3; ++e) CHECK(far_mdp_create(&mdps[e], envs[e], NULL) == FAR_OK);
  for (int i = 0; i < 9; ++i)
    cells[i] = (far_cell){.mdp = mdps[i / 3], .agent = agents[i % 3], .steps = 200};
  def.cells = cells;
  def.n_cells = 9;
  def.runs = 6;
  def.threads = 1;
  run_through(name, &def);
  for (int e = 0; e < 3; ++e) far_mdp_free(mdps[e]);
}

static far_buffer drawn(const char *kind, const far_plot_def *def) {
  far_store *store = open_store("grid.db", FAR_STORE_READ);
  far_figure *figure;
  far_error error = {.message = ""};
  CHECK(far_plot_create(&figure, kind, store, def, &error) == FAR_OK);
  CHECK_TEXT(error.message, "");
  far_store_close(store);
  return rendered(figure, FAR_FIGURE_SVG);
}

/* The mean of an agent on an environment, as the figures write it. */
static const char *stored_interval(const char *env, const char *agent) {
  far_comparison_def def = far_comparison_def_default();
  far_comparison *c = NULL;
  static far__brief text;
  def.bootstrap.resamples = 100;
  def.envs = &env;
  def.n_envs = 1;
  def.agents = &agent;
  def.n_agents = 1;
  far_store *store = open_store("grid.db", FAR_STORE_READ);
  CHECK(far_comparison_create(&c, store, &def, NULL) == FAR_OK);
  far_store_close(store);
  const far_summary *s = &c->groups[0].cells[0].summary;
  text = far__brief_interval(s->mean, (s->high - s->low) / 2);
  far_comparison_free(c);
  return text.text;
}

static void test_store(void) {
  far_plot_def def = far_plot_def_default();
  char tip[160];
  def.parameter = "r-max:m";
  far_buffer svg = drawn("sensitivity", &def);
  snprintf(tip, sizeof tip, "r-max:m=4 on chain:n=5: %s",
           stored_interval("chain:n=5", "r-max:m=4"));
  CHECK_CONTAINS(svg.bytes, tip);
  CHECK_CONTAINS(svg.bytes, "Sensitivity of r-max to m");
  far_buffer_free(&svg);
  def.parameter = "n";
  svg = drawn("growth", &def);
  snprintf(tip, sizeof tip, "r-max:m=4 on chain, n = 5: %s",
           stored_interval("chain:n=5", "r-max:m=4"));
  CHECK_CONTAINS(svg.bytes, tip);
  far_buffer_free(&svg);
  svg = drawn("hardness", &def);
  CHECK_CONTAINS(svg.bytes, "r-max:m=4 on chain:n=5: score ");
  far_buffer_free(&svg);
}

static void test_refusals(void) {
  far_plot_def def = far_plot_def_default();
  far_figure *figure;
  far_error error;
  far_store *store = open_store("grid.db", FAR_STORE_READ);
  def.parameter = "alpha";
  CHECK(far_plot_create(&figure, "sensitivity", store, &def, &error) == FAR_STATUS_UNKNOWN);
  CHECK_CONTAINS(error.message, "these do: r-max:m");
  CHECK(far_plot_create(&figure, "growth", store, &def, &error) == FAR_STATUS_UNKNOWN);
  CHECK_CONTAINS(error.message, "'alpha'");
  CHECK(figure == NULL);
  far_store_close(store);
}

int main(void) {
  test_sensitivity();
  test_words_and_many();
  test_growth();
  test_many_families();
  test_little_growth();
  test_hardness();
  test_dense_names();
  test_nothing();
  test_scaling();
  test_search();
  test_paper();
  if (!stores_begin()) return stores_end();
  make_store("grid.db");
  test_store();
  test_refusals();
  return stores_end();
}
