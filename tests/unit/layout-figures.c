/* Figures on layouts: the numbers of the data, nothing outside of the frame, no texts on each other, hostile
 * names, limits. */
#include "base/number.h"
#include "questions/learning/layout-figure.h"
#include "questions/learning/learning.h"
#include "report/figure/figure.h"
#include "stores.h"

static const char *const envs[] = {"chain:n=6",
                                   "riverswim",
                                   "sixarms",
                                   "threearms",
                                   "loop",
                                   "deepsea:n=6",
                                   "bridge",
                                   "frozen-lake",
                                   "taxi",
                                   "cliff-walking",
                                   "four-rooms",
                                   "garnet:states=30",
                                   "dirichlet",
                                   "hard-bandit",
                                   "mountain-car:positions=12,velocities=9",
                                   "chain:n=200",
                                   "combination-lock",
                                   "hard-bandit:actions=2,depth=6",
                                   "grid:map=S..#./.#.#./...#G",
                                   "garnet:states=2,actions=100,branching=1",
                                   "combination-lock:n=3,actions=12",
                                   "hard-bandit:depth=3,actions=7",
                                   "grid:map=SG",
                                   "bridge:n=30",
                                   "loop:length=30",
                                   "chain:n=46"};
enum { N_ENVS = sizeof envs / sizeof *envs };

typedef struct scene {
  far_mdp *mdp;
  far__learning *x;
} scene;

static bool begin(scene *sc, const char *env, const char *agent, int64_t steps) {
  far__learning_def def = far__learning_def_default();
  far_error error = {.message = ""};
  *sc = (scene){NULL, NULL};
  CHECK(far_mdp_create(&sc->mdp, env, &error) == FAR_OK);
  def.mdp = sc->mdp;
  def.agent = agent;
  def.steps = steps;
  if (sc->mdp != NULL) CHECK(far__learning_create(&sc->x, &def, &error) == FAR_OK);
  if (sc->x == NULL) printf("  %s: %s\n", env, error.message);
  return sc->x != NULL;
}

static void end(scene *sc) {
  far__learning_free(sc->x);
  far_mdp_free(sc->mdp);
}

static far_figure *drawn(const far__learning *x, far__learned quantity, size_t frame,
                         double width) {
  far__learning_figure_def def = far__learning_figure_def_default();
  far_figure *f = NULL;
  far_error error = {.message = ""};
  def.frame = frame;
  def.width = width;
  CHECK(far__learning_figure(&f, x, quantity, &def, &error) == FAR_OK);
  if (f == NULL) printf("  %s: %s\n", x->env, error.message);
  return f;
}

static far_buffer rendered(const far_figure *f) {
  const far_figure_def how = far_figure_def_default();
  far_buffer out = {0};
  CHECK(far_figure_render(f, &how, far_sink_buffer(&out), NULL) == FAR_OK);
  return out;
}

/* ---- geometry ---- */

typedef struct box {
  double x0, y0, x1, y1;
} box;

static box text_box(const far__item *t) {
  const double width = far__text_length(t->text, t->font.size, t->font.bold);
  const double x = t->x[0] - width * t->font.anchor / 2;
  return (box){x, t->y[0] - 0.72 * t->font.size, x + width, t->y[0] + 0.05 * t->font.size};
}

/* The numbers of shapes and texts that leave the frame. */
static size_t count_outside(const far_figure *f) {
  size_t n = 0;
  for (size_t i = 0; i < f->n_items; ++i) {
    const far__item *t = &f->items[i];
    box b = {0, 0, 0, 0};
    if (t->shape == FAR__TEXT)
      b = text_box(t);
    else if (t->shape == FAR__RECTANGLE)
      b = (box){t->x[0], t->y[0], t->x[0] + t->x[1], t->y[0] + t->y[1]};
    else if (t->shape == FAR__CIRCLE)
      b = (box){t->x[0] - t->x[1], t->y[0] - t->x[1], t->x[0] + t->x[1], t->y[0] + t->x[1]};
    else
      continue;
    const bool out = b.x0 < -0.5 || b.y0 < -0.5 || b.x1 > f->width + 0.5 || b.y1 > f->height + 0.5;
    if (out && n == 0 && t->shape == FAR__TEXT) printf("  outside: %s\n", t->text);
    n += out;
  }
  return n;
}

static size_t count_overlaps(const far_figure *f) {
  size_t n = 0;
  for (size_t i = 0; i < f->n_items; ++i) {
    if (f->items[i].shape != FAR__TEXT) continue;
    const box a = text_box(&f->items[i]);
    for (size_t j = 0; j < i; ++j) {
      if (f->items[j].shape != FAR__TEXT) continue;
      const box b = text_box(&f->items[j]);
      if (!(a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1)) continue;
      if (n++ == 0)
        printf("  '%s' (%g, %g) overlaps '%s' (%g, %g)\n", f->items[i].text, a.x0, a.y0,
               f->items[j].text, b.x0, b.y0);
    }
  }
  return n;
}

static void check_geometry(const far__learning *x, double width) {
  for (size_t q = 0; q < FAR__LEARNED_COUNT; ++q) {
    if (far__learning_array(x, 0, (far__learned)q) == NULL) continue;
    far_figure *f = drawn(x, (far__learned)q, FAR__LEARNING_ALL, width);
    if (f == NULL) continue;
    const size_t outside = count_outside(f), overlaps = count_overlaps(f);
    CHECK(outside == 0 && overlaps == 0);
    if (outside + overlaps > 0)
      printf("  %s, %s, width %g: %zu outside, %zu overlaps\n", x->env_label, far__learned_name(q),
             width, outside, overlaps);
    far_figure_free(f);
  }
}

static void test_geometry(void) {
  for (size_t i = 0; i < N_ENVS; ++i) {
    scene sc;
    if (begin(&sc, envs[i], "directed-delayed-q:m=2", 600)) {
      check_geometry(sc.x, 720);
      check_geometry(sc.x, 340);
    }
    end(&sc);
  }
}

/* ---- numbers ---- */

/* Counts the tips "NAME: NUMBER" of a part of the figure. */
static size_t count_text(const char *text, const char *part) {
  size_t n = 0;
  for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) ++n;
  return n;
}

static bool is_visited(const far__learning *x, const far__learning_frame *f, uint32_t s) {
  for (uint32_t a = 0; a < x->n_actions; ++a)
    if (f->visits[s * x->n_actions + a] > 0) return true;
  return false;
}

static void tell(char out[FAR__NUMBER_SIZE], double x) {
  far__real_format(out, x);
  if (strlen(out) > 10) far__real_below(out, x, 6);
}

/* The tips of one time are those of the data: of visited states all numbers, and no others. */
static void check_numbers(const far__learning *x, far__learned quantity, size_t frame,
                          const char *const *names) {
  const double *array = far__learning_array(x, frame, quantity);
  far__learning_figure_def def = far__learning_figure_def_default();
  far_figure *f;
  size_t empty = 0, shown = 0;
  def.frame = frame;
  def.exact = false;
  CHECK(far__learning_figure(&f, x, quantity, &def, NULL) == FAR_OK);
  far_buffer svg = rendered(f);
  for (uint32_t s = 0; s < x->n_states; ++s) {
    const bool visited = is_visited(x, &x->frames[frame], s);
    empty += !visited && !far_mdp_terminal(x->mdp, s);
    for (uint32_t a = 0; visited && a < x->n_actions; ++a) {
      const double value = array[s * x->n_actions + a];
      char tip[128], number[FAR__NUMBER_SIZE];
      if (quantity == FAR__LEARNED_VISITS && value == 0) continue;
      tell(number, value);
      snprintf(tip, sizeof tip, "<title>state %lu%s, %s: %s</title>", (unsigned long)s,
               s == 0 && x->n_actions == 4 ? " (S)" : "", names[a], number);
      CHECK_CONTAINS(svg.bytes, tip);
      ++shown;
    }
  }
  CHECK(count_text(svg.bytes, ": not visited</title>") == empty);
  CHECK(count_text(svg.bytes, "<title>state ") == shown + empty + (x->n_actions == 4 ? 5 : 0));
  far_buffer_free(&svg);
  far_figure_free(f);
}

static void test_numbers(void) {
  static const char *const walk[] = {"left", "right"};
  static const char *const moves[] = {"left", "down", "right", "up"};
  scene sc;
  if (begin(&sc, "chain:n=6", "directed-delayed-q:m=2", 600))
    for (size_t i = 0; i < sc.x->n_frames; ++i) {
      check_numbers(sc.x, FAR__LEARNED_VISITS, i, walk);
      check_numbers(sc.x, FAR__LEARNED_Q, i, walk);
      check_numbers(sc.x, FAR__LEARNED_E, i, walk);
      check_numbers(sc.x, FAR__LEARNED_LEARN, i, walk);
    }
  end(&sc);
  if (begin(&sc, "frozen-lake", "directed-delayed-q:m=2", 600)) /* four holes and a goal */
    for (size_t i = 0; i < sc.x->n_frames; ++i) check_numbers(sc.x, FAR__LEARNED_Q, i, moves);
  end(&sc);
}

/* Visits of a grid's states are the sums, and stand in the cells. */
static void test_sums(void) {
  scene sc;
  if (!begin(&sc, "frozen-lake", "q-learning", 300)) return;
  const size_t last = sc.x->n_frames - 1;
  far_figure *f = drawn(sc.x, FAR__LEARNED_VISITS, last, 720);
  far_buffer svg = rendered(f);
  for (uint32_t s = 0; s < 16; ++s) {
    double sum = 0;
    char tip[96], text[32];
    for (uint32_t a = 0; a < 4; ++a) sum += sc.x->frames[last].visits[s * 4 + a];
    if (sum == 0) continue;
    snprintf(tip, sizeof tip, "state %lu%s: %.0f</title>", (unsigned long)s, s == 0 ? " (S)" : "",
             sum);
    snprintf(text, sizeof text, ">%.0f</text>", sum);
    CHECK_CONTAINS(svg.bytes, tip);
    CHECK_CONTAINS(svg.bytes, text);
  }
  far_buffer_free(&svg);
  far_figure_free(f);
  end(&sc);
}

/* ---- the same every time, and views of one size ---- */

static void test_same(void) {
  for (size_t i = 0; i < N_ENVS; i += 3) {
    scene one, two;
    const bool both = begin(&one, envs[i], "q-learning", 400);
    if (begin(&two, envs[i], "q-learning", 400) && both) {
      far_figure *f = drawn(one.x, FAR__LEARNED_POLICY, FAR__LEARNING_ALL, 720);
      far_figure *g = drawn(two.x, FAR__LEARNED_POLICY, FAR__LEARNING_ALL, 720);
      far_buffer a = rendered(f), b = rendered(g);
      CHECK(a.length == b.length && memcmp(a.bytes, b.bytes, a.length) == 0);
      far_buffer_free(&a);
      far_buffer_free(&b);
      far_figure_free(f);
      far_figure_free(g);
    }
    end(&one);
    end(&two);
  }
}

/* The labels of the scale: all texts above the panels. */
static void check_scale(const far_figure *f, const far_figure *g) {
  for (size_t i = 0; i < f->n_items && f->items[i].shape != FAR__PANEL_BEGINS; ++i) {
    CHECK(f->items[i].shape == g->items[i].shape);
    if (f->items[i].shape == FAR__TEXT) CHECK_TEXT(f->items[i].text, g->items[i].text);
  }
}

static void test_views(void) {
  static const far__learned quantities[] = {FAR__LEARNED_VISITS, FAR__LEARNED_Q,
                                            FAR__LEARNED_POLICY};
  for (size_t i = 0; i < N_ENVS; i += 2) {
    scene sc;
    if (begin(&sc, envs[i], "q-learning", 500))
      for (size_t k = 0; k < 3; ++k) {
        far_figure *first = drawn(sc.x, quantities[k], 0, 720);
        for (size_t t = 1; t < sc.x->n_frames; ++t) {
          far_figure *f = drawn(sc.x, quantities[k], t, 720);
          CHECK(f->height == first->height);
          check_scale(first, f);
          far_figure_free(f);
        }
        far_figure_free(first);
      }
    end(&sc);
  }
}

/* ---- hostile names ---- */

static const char *const HOSTILE[] = {
    "<b>&\"x\"", "שלום עולם",
    ("🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊"
     "🦊🦊🦊🦊🦊🦊🦊"),
    "</text><script>alert(1)</script>"};

static far_mdp *hostile_model(far_layout_kind kind) {
  far_mdp_builder *b;
  far_mdp *mdp = NULL;
  CHECK(far_mdp_builder_create(&b, 4, 4, NULL) == FAR_OK);
  for (uint32_t s = 0; s < 4; ++s) {
    for (uint32_t a = 0; a < 4; ++a)
      CHECK(far_mdp_builder_outcome(b, s, a, 1, (s + a) % 4, s == 3, NULL) == FAR_OK);
    CHECK(far_mdp_builder_state_name(b, s, HOSTILE[s], NULL) == FAR_OK);
    CHECK(far_mdp_builder_action_name(b, s, HOSTILE[s], NULL) == FAR_OK);
  }
  CHECK(far_mdp_builder_start(b, 0, 1, NULL) == FAR_OK);
  if (kind != FAR_LAYOUT_NONE) {
    const bool line = kind == FAR_LAYOUT_LINE;
    CHECK(far_mdp_builder_layout(b, kind, line ? 4 : 2, line ? 1 : 2, NULL) == FAR_OK);
    for (uint32_t s = 0; s < 4; ++s)
      CHECK(far_mdp_builder_place(b, s, (line ? s : s % 2) + 0.5, (line ? 0 : s / 2) + 0.5,
                                  "<&>\"'", NULL) == FAR_OK);
  }
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

static void check_hostile(const far_figure *f) {
  far_buffer svg = rendered(f);
  CHECK(count_outside(f) == 0 && count_overlaps(f) == 0);
  CHECK(strstr(svg.bytes, "<b>") == NULL && strstr(svg.bytes, "<script>") == NULL);
  CHECK(strstr(svg.bytes, "\xef\xbf\xbd") == NULL); /* no character was cut in two */
  CHECK_CONTAINS(svg.bytes, "&lt;b&gt;&amp;&quot;x&quot;");
  far_buffer_free(&svg);
}

static void test_hostile(void) {
  for (int kind = FAR_LAYOUT_NONE; kind <= FAR_LAYOUT_GRAPH; ++kind) {
    far_mdp *mdp = hostile_model((far_layout_kind)kind);
    far__learning_def def = far__learning_def_default();
    far__learning *x;
    def.mdp = mdp;
    def.agent = "directed-delayed-q:m=1";
    def.steps = 200;
    def.name =
        "<i>"
        "🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊"
        "🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊"
        "🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊</i>";
    CHECK(far__learning_create(&x, &def, NULL) == FAR_OK);
    for (int q = 0; q < FAR__LEARNED_COUNT; ++q) {
      far_figure *f = drawn(x, (far__learned)q, FAR__LEARNING_ALL, q % 2 == 0 ? 720 : 400);
      if (f != NULL) check_hostile(f);
      far_figure_free(f);
    }
    far__learning_free(x);
    far_mdp_free(mdp);
  }
}

/* ---- any numbers, and limits ---- */

static void check_refused(const far__layout_figure_def *def, const char *part) {
  far_figure *f = (far_figure *)def;
  far_error error = {.message = ""};
  CHECK(far__layout_figure(&f, def, &error) == FAR_STATUS_RANGE && f == NULL);
  CHECK_CONTAINS(error.message, part);
}

static void test_limits(void) {
  far_mdp *mdp, *large;
  far__layout_panel panels[FAR__LAYOUT_PANELS + 1] = {{.title = "one"}};
  far__layout_figure_def def = far__layout_figure_def_default();
  CHECK(far_mdp_create(&mdp, "frozen-lake", NULL) == FAR_OK);
  CHECK(far_mdp_create(&large, "deepsea:n=250", NULL) == FAR_OK);
  def.mdp = mdp;
  def.panels = panels;
  check_refused(&def, "1 to 24 panels, not 0");
  def.n_panels = FAR__LAYOUT_PANELS + 1;
  check_refused(&def, "1 to 24 panels, not 25");
  def.n_panels = 1;
  def.width = 100;
  check_refused(&def, "width");
  def.width = 720;
  def.mdp = large;
  check_refused(&def, "62501 states in 1 panels are too many");
  far_mdp_free(large);
  far_mdp_free(mdp);
}

/* Numbers that are no numbers, in all cells; and of a long table only a part, which says so. */
static void test_odd_numbers(void) {
  static const double odd[] = {NAN, INFINITY, -INFINITY, 0, 1e300, -1e-300};
  far_mdp *mdp;
  far_figure *f;
  double *values = malloc(20000 * sizeof *values);
  CHECK(far_mdp_create(&mdp, "garnet:states=5000,actions=4", NULL) == FAR_OK);
  for (size_t i = 0; i < 20000; ++i) values[i] = odd[i % 6];
  const far__layout_panel panel = {.values = values};
  far__layout_figure_def def = far__layout_figure_def_default();
  def.mdp = mdp;
  def.panels = &panel;
  def.n_panels = 1;
  def.pairs = true;
  CHECK(far__layout_figure(&f, &def, NULL) == FAR_OK);
  far_buffer svg = rendered(f);
  CHECK(count_outside(f) == 0 && count_overlaps(f) == 0);
  CHECK_CONTAINS(svg.bytes, " of 5,000 states are shown");
  CHECK_CONTAINS(svg.bytes, "infinite numbers have the last colour");
  CHECK(strstr(svg.bytes, "nan") == NULL && svg.length < 4000000);
  far_buffer_free(&svg);
  far_figure_free(f);
  far_mdp_free(mdp);
  free(values);
}

/* Of a large map fewer times, which the figure says. */
static void test_fewer_times(void) {
  scene sc;
  if (begin(&sc, "deepsea:n=100", "q-learning", 1000)) {
    far_figure *f = drawn(sc.x, FAR__LEARNED_VISITS, FAR__LEARNING_ALL, 720);
    far_buffer svg = rendered(f);
    CHECK_CONTAINS(svg.bytes, "; 3 of 6 times");
    CHECK_CONTAINS(svg.bytes, ">1,000 steps</text>");
    CHECK(svg.length < 1000000);
    far_buffer_free(&svg);
    far_figure_free(f);
  }
  end(&sc);
}

static void test_absent(void) {
  scene sc;
  far_figure *f;
  far_error error;
  far__learning_figure_def def = far__learning_figure_def_default();
  if (begin(&sc, "chain:n=6", "q-learning", 100)) {
    CHECK(far__learning_figure(&f, sc.x, FAR__LEARNED_E, &def, &error) == FAR_STATUS_UNKNOWN);
    CHECK_CONTAINS(error.message, "q-learning has no such number: exploration value E");
    CHECK(far__learning_figure(&f, sc.x, FAR__LEARNED_COUNT, &def, &error) == FAR_STATUS_RANGE);
    def.frame = 99;
    CHECK(far__learning_figure(&f, sc.x, FAR__LEARNED_Q, &def, &error) == FAR_STATUS_RANGE);
    CHECK(f == NULL);
  }
  end(&sc);
}

/* Of both signs: zero in the middle, the same distance to both ends. */
static void test_signs(void) {
  static const double both[] = {-3, 0, 12}, one[] = {1, 2, 4};
  far_mdp *mdp;
  far_figure *f;
  CHECK(far_mdp_create(&mdp, "chain:n=3", NULL) == FAR_OK);
  for (int i = 0; i < 2; ++i) {
    const far__layout_panel panel = {.values = i == 0 ? both : one};
    far__layout_figure_def def = far__layout_figure_def_default();
    def.mdp = mdp;
    def.panels = &panel;
    def.n_panels = 1;
    CHECK(far__layout_figure(&f, &def, NULL) == FAR_OK);
    far_buffer svg = rendered(f);
    CHECK((strstr(svg.bytes, "\"f-d16\"") != NULL) == (i == 0)); /* zero */
    CHECK((strstr(svg.bytes, "\"f-h32\"") != NULL) == (i == 1)); /* the greatest */
    if (i == 0) CHECK_CONTAINS(svg.bytes, ">−10</text>");
    CHECK_CONTAINS(svg.bytes, i == 0 ? ">12</text>" : ">4</text>");
    far_buffer_free(&svg);
    far_figure_free(f);
    def.no_numbers = true;
    CHECK(far__layout_figure(&f, &def, NULL) == FAR_OK);
    svg = rendered(f);
    if (i == 0) CHECK(strstr(svg.bytes, ">12</text>") == NULL);
    far_buffer_free(&svg);
    far_figure_free(f);
  }
  far_mdp_free(mdp);
}

/* A table of four states without a layout: the third was not visited, and the last is terminal. */
static far_buffer table_of(const double *values) {
  static const double visits[] = {1, 1, 0, 0};
  far_mdp_builder *b;
  far_mdp *mdp = NULL;
  far_figure *f = NULL;
  CHECK(far_mdp_builder_create(&b, 4, 1, NULL) == FAR_OK);
  for (uint32_t s = 0; s < 3; ++s)
    CHECK(far_mdp_builder_outcome(b, s, 0, 1, s + 1, 1, NULL) == FAR_OK);
  CHECK(far_mdp_builder_terminal(b, 3, NULL) == FAR_OK);
  CHECK(far_mdp_builder_start(b, 0, 1, NULL) == FAR_OK);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  const far__layout_panel panel = {.values = values, .visits = visits};
  far__layout_figure_def def = far__layout_figure_def_default();
  def.mdp = mdp;
  def.panels = &panel;
  def.n_panels = 1;
  CHECK(far__layout_figure(&f, &def, NULL) == FAR_OK);
  far_buffer svg = rendered(f);
  far_figure_free(f);
  far_mdp_free(mdp);
  return svg;
}

/* The terminal state has a cross, and the legend says what that is. A state that was not visited is struck out where zero,
 * in the middle of the colours, is nearly white. */
static void test_empty_cells(void) {
  far_buffer both = table_of((const double[]){-3, 12, 0, 0}),
             one = table_of((const double[]){3, 12, 0, 0});
  CHECK(count_text(one.bytes, ">×</text>") == 2); /* in the table and in the legend */
  CHECK_CONTAINS(one.bytes, ">not visited</text>");
  CHECK_CONTAINS(one.bytes, ">terminal</text>");
  CHECK(count_text(both.bytes, " k-grid\"") == count_text(one.bytes, " k-grid\"") + 2);
  far_buffer_free(&both);
  far_buffer_free(&one);
}

/* The shares of a policy have one scale, from 0 to 1. */
static void test_scale_of_shares(void) {
  scene sc;
  if (begin(&sc, "chain:n=6", "q-learning", 100)) {
    far_figure *f = drawn(sc.x, FAR__LEARNED_POLICY, 0, 720);
    far_buffer svg = rendered(f);
    CHECK_CONTAINS(svg.bytes, ">1.0</text>");
    CHECK(strstr(svg.bytes, ">1.5</text>") == NULL);
    far_buffer_free(&svg);
    far_figure_free(f);
  }
  end(&sc);
}

/* Maps of few states take as many columns as keep the figure low. */
static void test_height(void) {
  static const double values[16] = {1};
  far__layout_panel panels[5];
  far__layout_figure_def def = far__layout_figure_def_default();
  far_mdp *mdp = NULL;
  far_figure *f = NULL;
  CHECK(far_mdp_create(&mdp, "frozen-lake", NULL) == FAR_OK);
  for (int i = 0; i < 5; ++i) panels[i] = (far__layout_panel){.values = values};
  def.mdp = mdp;
  def.panels = panels;
  def.n_panels = 5;
  def.width = 400;
  CHECK(far__layout_figure(&f, &def, NULL) == FAR_OK);
  CHECK(f->height < 600);
  far_figure_free(f);
  far_mdp_free(mdp);
}

/* ---- from a store ---- */

static void test_store(void) {
  static const char *const kinds[] = {"visits", "q", "bonus", "e", "learn", "value", "policy"};
  small_batch b;
  far_figure *f;
  far_error error;
  far_plot_def def = far_plot_def_default();
  far__learning_cell cell;
  small_make(&b, 3);
  run_through("layouts.db", &b.def);
  far_store *store = open_store("layouts.db", FAR_STORE_READ);
  for (size_t i = 0; i < 7; ++i) {
    CHECK(far_plot_create(&f, kinds[i], store, &def, &error) == FAR_OK);
    CHECK_TEXT(far_figure_info_of(f).kind, kinds[i]);
    far_buffer svg = rendered(f);
    CHECK_CONTAINS(svg.bytes, "; one of 4 cells");
    far_buffer_free(&svg);
    far_figure_free(f);
  }
  CHECK(far__learning_find(&cell, store, &def.results, 3, &error) == FAR_OK);
  CHECK(cell.count == 4 && cell.replicate == 0 && strlen(cell.key) == FAR_HASH_TEXT - 1);
  CHECK(far__learning_find(&cell, store, &def.results, 4, &error) == FAR_STATUS_UNKNOWN);
  const char *const agents[] = {"q-learning"};
  def.results.agents = agents;
  def.results.n_agents = 1;
  CHECK(far_plot_create(&f, "e", store, &def, &error) == FAR_STATUS_UNKNOWN && f == NULL);
  CHECK_CONTAINS(error.message, "has no such number");
  far_store_close(store);
  small_free(&b);
}

int main(void) {
  test_geometry();
  test_numbers();
  test_sums();
  test_same();
  test_views();
  test_hostile();
  test_limits();
  test_odd_numbers();
  test_fewer_times();
  test_absent();
  test_signs();
  test_empty_cells();
  test_scale_of_shares();
  test_height();
  if (stores_begin()) test_store();
  return stores_end();
}
