/* Plots of a comparison and of curves: the numbers in the drawing are those of the results, hostile names are
 * text, odd results are drawn, and nothing leaves the frame or overlaps. */
#include <ctype.h>

#include "questions/comparison/pairwise.h"
#include "questions/curves/curves.h"
#include "report/build.h"
#include "report/figure/axes.h"
#include "stores.h"

enum { RUNS = 12 };

/* Kinds of plots, and the table that has their numbers. */
static const struct {
  const char *name, *table;
} kinds[] = {{"curves", "curves"},
             {"intervals", "cells"},
             {"differences", "comparisons"},
             {"improvements", "improvements"},
             {"matrix", "pairwise"},
             {"profiles", "profiles"},
             {"scores", "scores"}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static far_plot_def small_def(void) {
  far_plot_def def = far_plot_def_default();
  def.results.bootstrap.resamples = 200;
  return def;
}

static far_figure *plot(const char *kind, const char *name, const far_plot_def *def) {
  far_figure *figure = NULL;
  far_error error = {.message = ""};
  far_store *store = open_store(name, FAR_STORE_READ);
  CHECK(far_plot_create(&figure, kind, store, def, &error) == FAR_OK && figure != NULL);
  if (figure == NULL) printf("  %s of %s: %s\n", kind, name, error.message);
  far_store_close(store);
  return figure;
}

static far_buffer svg_of(const far_figure *figure) {
  const far_figure_def how = far_figure_def_default();
  far_buffer out = {0};
  if (figure != NULL) CHECK(far_figure_render(figure, &how, far_sink_buffer(&out), NULL) == FAR_OK);
  return out;
}

static void refuses(const char *kind, const char *name, const far_plot_def *def, far_status code,
                    const char *words) {
  far_figure *figure = (far_figure *)def; /* anything but NULL */
  far_error error = {.message = ""};
  far_store *store = open_store(name, FAR_STORE_READ);
  CHECK(far_plot_create(&figure, kind, store, def, &error) == code && figure == NULL);
  CHECK_CONTAINS(error.message, words);
  far_store_close(store);
}

static void import_rows(const char *name, const char *rows) {
  FILE *file = fopen(store_path("rows.csv"), "w");
  CHECK(file != NULL && fputs(rows, file) >= 0 && fclose(file) == 0);
  far_store *store = open_store(name, FAR_STORE_WRITE);
  far_import_report report;
  far_error error = {.message = ""};
  CHECK(far_store_import(&report, store, store_path("rows.csv"), &error) == FAR_OK);
  CHECK_TEXT(error.message, "");
  far_store_close(store);
}

/* ---- geometry ---- */

typedef struct box {
  double x0, y0, x1, y1;
  const char *text;
} box;

static box box_of(const far__item *t) {
  const double length = far__text_length(t->text, t->font.size, t->font.bold);
  const double before = t->font.anchor == FAR__LEFT     ? 0
                        : t->font.anchor == FAR__MIDDLE ? length / 2
                                                        : length;
  if (t->font.angle != 0)
    return (box){t->x[0] - 0.75 * t->font.size, t->y[0] - length + before, t->x[0],
                 t->y[0] + before, t->text};
  return (box){t->x[0] - before, t->y[0] - 0.72 * t->font.size, t->x[0] - before + length, t->y[0],
               t->text};
}

/* All text is inside of the frame, and no two texts overlap. */
static void check_texts(const far_figure *f, const char *what) {
  static box boxes[4000];
  size_t n = 0;
  for (size_t i = 0; i < f->n_items && n < 4000; ++i)
    if (f->items[i].shape == FAR__TEXT) boxes[n++] = box_of(&f->items[i]);
  CHECK(n > 0);
  for (size_t i = 0; i < n; ++i) {
    const box *a = &boxes[i];
    const bool inside = a->x0 >= 0 && a->y0 >= 0 && a->x1 <= f->width + 1 && a->y1 <= f->height;
    CHECK(inside);
    if (!inside) printf("  %s: '%s' leaves the frame (%g to %g)\n", what, a->text, a->x0, a->x1);
    for (size_t j = 0; j < i; ++j) {
      const box *b = &boxes[j];
      const bool apart = a->x0 >= b->x1 || b->x0 >= a->x1 || a->y0 >= b->y1 || b->y0 >= a->y1;
      CHECK(apart);
      if (!apart) printf("  %s: '%s' and '%s' overlap\n", what, a->text, b->text);
    }
  }
}

/* Shapes are finite, and inside of the frame. */
static void check_shapes(const far_figure *f, const char *what) {
  for (size_t i = 0; i < f->n_items; ++i) {
    const far__item *t = &f->items[i];
    const bool points = t->shape == FAR__POLYLINE || t->shape == FAR__POLYGON;
    for (size_t k = 0; points && k < t->n; ++k) {
      const bool good =
          t->x[k] >= -1 && t->x[k] <= f->width + 1 && t->y[k] >= -1 && t->y[k] <= f->height + 1;
      CHECK(good);
      if (!good) printf("  %s: a point at %g, %g\n", what, t->x[k], t->y[k]);
    }
  }
}

static void check_geometry(const far_figure *f, const char *what) {
  if (f == NULL) return;
  check_texts(f, what);
  check_shapes(f, what);
}

/* ---- every kind, of every store ---- */

static void draw_all(const char *name, const far_plot_def *def) {
  for (size_t k = 0; k < KINDS; ++k) {
    far_figure *one = plot(kinds[k].name, name, def), *two = plot(kinds[k].name, name, def);
    far_buffer a = svg_of(one), b = svg_of(two);
    CHECK(a.length > 500 && a.length == b.length && memcmp(a.bytes, b.bytes, a.length) == 0);
    if (one != NULL) CHECK_TEXT(far_figure_info_of(one).kind, kinds[k].name);
    check_geometry(one, kinds[k].name);
    far_buffer_free(&a);
    far_buffer_free(&b);
    far_figure_free(one);
    far_figure_free(two);
  }
}

static void widths(void) {
  far_plot_def def = small_def();
  draw_all("small.db", &def);
  def.width = 340;
  draw_all("small.db", &def);
  def.width = 1400;
  draw_all("small.db", &def);
  def.width = 720;
  def.x_scale = def.y_scale = FAR_PLOT_SCALE_LOG;
  def.per_step = true;
  def.results.series = "coverage";
  far_figure *f = plot("curves", "small.db", &def);
  check_geometry(f, "logarithmic curves");
  far_figure_free(f);
}

/* Names that are markup, very long, from right to left; runs that are equal, single or infinite. */
static void odd_store(void) {
  static const char *const agents[] = {"<script>alert(1)</script>&'q",
                                       "\xd7\xa1\xd7\x95\xd7\x9b\xd7\x9f", "\xf0\x9f\xa4\x96 robot",
                                       "constant", "]]>--><x y=\"z"};
  static char rows[60000];
  size_t at =
      (size_t)snprintf(rows, sizeof rows, "env,agent,steps,seed,replicate,series,step,value\n");
  for (int a = 0; a < 5; ++a)
    for (int i = 0; i < 2 * RUNS; ++i)
      for (int k = 1; k <= 3; ++k) {
        const double value = k * (a == 3 ? 5 : a + 0.37 * ((i * 7) % 11));
        char name[100] = "";
        size_t n = 0;
        for (const char *c = agents[a]; *c != '\0'; ++c) {
          if (*c == '"') name[n++] = '"';
          name[n++] = *c;
        }
        at += (size_t)snprintf(rows + at, sizeof rows - at, "%s,\"%s\",300,1,%d,curve,%d,%g\n",
                               i % 2 ? "maze" : "<i>&amp;", name, i / 2, 100 * k, value);
        if (k == 3)
          at += (size_t)snprintf(rows + at, sizeof rows - at, "%s,\"%s\",300,1,%d,total,,%g\n",
                                 i % 2 ? "maze" : "<i>&amp;", name, i / 2, value);
      }
  import_rows("odd.db", rows);
  at = (size_t)snprintf(rows, sizeof rows, "env,agent,steps,seed,replicate,series,step,value\n");
  for (int i = 0; i < 3; ++i)
    at +=
        (size_t)snprintf(rows + at, sizeof rows - at,
                         "maze,infinite,300,1,%d,total,,%s\nmaze,infinite,300,1,%d,curve,100,inf\n",
                         i, i == 0 ? "-inf" : "2", i);
  at += (size_t)snprintf(rows + at, sizeof rows - at,
                         "maze,single,300,1,0,total,,4\nmaze,single,300,1,0,curve,100,2\n");
  at += (size_t)snprintf(rows + at, sizeof rows - at, "maze,");
  for (int i = 0; i < 40; ++i) at += (size_t)snprintf(rows + at, sizeof rows - at, "name-%d-", i);
  snprintf(rows + at, sizeof rows - at, ",300,1,0,total,,3\n");
  import_rows("odder.db", rows);
}

static void odd(void) {
  far_plot_def def = small_def();
  odd_store();
  draw_all("odd.db", &def);
  far_figure *f = plot("intervals", "odd.db", &def);
  far_buffer svg = svg_of(f);
  CHECK(strstr(svg.bytes, "<script") == NULL && strstr(svg.bytes, "<i>") == NULL);
  CHECK_CONTAINS(svg.bytes, "&lt;script&gt;alert(1)&lt;/script&gt;&amp;");
  CHECK_CONTAINS(svg.bytes, "&lt;i&gt;&amp;amp;");
  far_buffer_free(&svg);
  far_figure_free(f);
  static const char *const drawn[] = {"curves", "intervals", "differences", "improvements",
                                      "matrix"};
  for (size_t k = 0; k < 5; ++k) {
    f = plot(drawn[k], "odder.db", &def);
    check_geometry(f, drawn[k]);
    far_figure_free(f);
  }
  refuses("profiles", "odder.db", &def, FAR_STATUS_UNKNOWN, "profiles need an environment");
  refuses("scores", "odder.db", &def, FAR_STATUS_UNKNOWN, "scores need two environments");
}

/* Of many agents the best are shown, and of many runs some dots. */
static void many(void) {
  static char rows[200000];
  size_t at =
      (size_t)snprintf(rows, sizeof rows, "env,agent,steps,seed,replicate,series,step,value\n");
  for (int a = 0; a < 70; ++a)
    for (int i = 0; i < 3; ++i)
      at += (size_t)snprintf(rows + at, sizeof rows - at,
                             "maze,agent-%d,9,1,%d,total,,%d\nmaze,agent-%d,9,1,%d,curve,9,%d\n", a,
                             i, a + i, a, i, a + i);
  import_rows("many.db", rows);
  far_plot_def def = small_def();
  for (size_t k = 0; k < KINDS; ++k) {
    if (strcmp(kinds[k].name, "scores") == 0) continue;
    if (strcmp(kinds[k].name, "improvements") == 0) {
      refuses(kinds[k].name, "many.db", &def, FAR_STATUS_CONFLICT, "more than 60");
      continue;
    }
    far_figure *f = plot(kinds[k].name, "many.db", &def);
    far_buffer svg = svg_of(f);
    CHECK_CONTAINS(svg.bytes, "the best 12 of 70 agents");
    CHECK_CONTAINS(svg.bytes, "agent-69");
    CHECK(strstr(svg.bytes, "agent-57<") == NULL);
    check_geometry(f, kinds[k].name);
    far_buffer_free(&svg);
    far_figure_free(f);
  }
}

/* ---- numbers ---- */

static far_comparison *compare(const far_plot_def *def) {
  far_comparison *out = NULL;
  far_store *store = open_store("small.db", FAR_STORE_READ);
  CHECK(far_comparison_create(&out, store, &def->results, NULL) == FAR_OK);
  far_store_close(store);
  return out;
}

/* Writes "12.3 ± 0.4" as drawings have it. */
static void interval(char out[FAR__BRIEF_SIZE + 4], double value, double low, double high) {
  const far__brief text = far__brief_interval(value, (high - low) / 2);
  snprintf(out, FAR__BRIEF_SIZE + 4, "%s%s", text.text[0] == '-' ? "−" : "",
           text.text + (text.text[0] == '-'));
}

static void check_differences(const far_comparison *c, const char *svg) {
  const far_comparison_group *g = &c->groups[0];
  for (size_t i = 0; i < g->n_envs * g->n_agents; ++i) {
    const far_comparison_difference *d = &g->cells[i].difference;
    char number[FAR__BRIEF_SIZE + 4], words[400];
    if (i % g->n_agents == g->baseline) continue;
    interval(number, d->mean, d->low, d->high);
    snprintf(words, sizeof words, "%s less %s on %s: %s, p ", g->agents[i % g->n_agents].label,
             g->agents[g->baseline].label, g->envs[i / g->n_agents].label, number);
    CHECK_CONTAINS(svg, words);
  }
}

static void check_scores(const far_comparison *c, const char *svg) {
  for (size_t j = 0; j < 2; ++j) {
    const far_comparison_agent *agent = &c->groups[0].agents[j];
    const far_estimate *e = &agent->scores.aggregate.iqm;
    char words[200];
    snprintf(words, sizeof words, "%s, IQM: %.2f [%.2f, %.2f]", agent->label, e->value, e->low,
             e->high);
    CHECK_CONTAINS(svg, words);
  }
}

static void check_matrix(const far_comparison *c, const char *svg) {
  const far_comparison_group *g = &c->groups[0];
  far__pairwise *pairs;
  CHECK(far__pairwise_create(&pairs, c, 0, NULL) == FAR_OK);
  for (size_t i = 0; i < 2; ++i) {
    const far__pairwise_cell *x = far__pairwise_of(pairs, i, 1 - i);
    char words[300];
    snprintf(words, sizeof words,
             "%s is better than %s with probability %.3f (%lld of %lld pairs won",
             g->agents[i].label, g->agents[1 - i].label, x->better, (long long)x->won,
             (long long)x->pairs);
    CHECK_CONTAINS(svg, words);
  }
  far__pairwise_free(pairs);
}

static void numbers(void) {
  static const struct {
    const char *kind;
    void (*check)(const far_comparison *, const char *);
  } checks[] = {
      {"differences", check_differences}, {"scores", check_scores}, {"matrix", check_matrix}};
  far_plot_def def = small_def();
  def.results.baseline = "q-learning";
  far_comparison *c = compare(&def);
  for (size_t i = 0; i < sizeof checks / sizeof *checks; ++i) {
    far_figure *f = plot(checks[i].kind, "small.db", &def);
    far_buffer svg = svg_of(f);
    checks[i].check(c, svg.bytes);
    far_buffer_free(&svg);
    far_figure_free(f);
  }
  far_comparison_free(c);
}

/* The line of a curve carries its numbers, and stands where they belong. */
static void curve_numbers(void) {
  const far_plot_def def = small_def();
  far__curves_def how = far__curves_def_default();
  far__curves *c;
  far_store *store = open_store("small.db", FAR_STORE_READ);
  CHECK(far__curves_create(&c, store, &how, NULL) == FAR_OK);
  far_store_close(store);
  far_figure *f = plot("curves", "small.db", &def);
  size_t line = 0;
  for (size_t i = 0; f != NULL && i < f->n_items; ++i) {
    const far__item *t = &f->items[i];
    if (t->n_values == 0) continue;
    const far__curve *curve = &c->groups[0].curves[line++];
    CHECK(t->n_values == curve->n && t->values[0][1] == (double)curve->steps[1]);
    CHECK(memcmp(t->values[1], curve->mean, curve->n * sizeof(double)) == 0);
    CHECK(memcmp(t->values[3], curve->high, curve->n * sizeof(double)) == 0);
    const double share =
        (double)(curve->steps[1] - curve->steps[0]) / (double)(curve->steps[2] - curve->steps[0]);
    CHECK_NEAR((t->x[1] - t->x[0]) / (t->x[2] - t->x[0]), share, 1e-9);
  }
  CHECK(line == 4);
  far_figure *again;
  CHECK(far__curves_figure(&again, c, 0, &def, NULL) == FAR_OK);
  far_buffer one = svg_of(f), two = svg_of(again);
  CHECK(one.length == two.length && memcmp(one.bytes, two.bytes, one.length) == 0);
  far_buffer_free(&one);
  far_buffer_free(&two);
  far_figure_free(again);
  CHECK(far__curves_figure(&again, c, 1, &def, NULL) == FAR_STATUS_UNKNOWN && again == NULL);
  far_figure_free(f);
  far__curves_free(c);
}

/* The numbers behind every kind, in the table that is said. */
static void tables(void) {
  const far_plot_def def = small_def();
  far_store *store = open_store("small.db", FAR_STORE_READ);
  const char *table;
  far_report *report;
  far_error error;
  for (size_t k = 0; k < KINDS; ++k) {
    far_render_def how = far_render_def_default();
    far_buffer out = {0};
    CHECK(far_report_create(&report, "plot", NULL) == FAR_OK);
    CHECK(far_plot_report(report, &table, kinds[k].name, store, &def, NULL) == FAR_OK);
    CHECK_TEXT(table, kinds[k].table);
    how.format = FAR_REPORT_CSV;
    how.table = table;
    CHECK(far_report_render(report, &how, far_sink_buffer(&out), NULL) == FAR_OK);
    CHECK_CONTAINS(out.bytes, "q-learning");
    far_buffer_free(&out);
    far_report_free(report);
  }
  CHECK(far_report_create(&report, "plot", NULL) == FAR_OK);
  CHECK(far_plot_report(report, &table, "q", store, &def, &error) == FAR_OK);
  CHECK_TEXT(table, "pairs");
  CHECK(far_plot_report(report, &table, "pie", store, &def, &error) == FAR_STATUS_UNKNOWN);
  CHECK(table == NULL);
  far_report_free(report);
  far_store_close(store);
}

/* ---- what is refused ---- */

static void refused(void) {
  far_plot_def def = small_def();
  far_store_close(open_store("empty.db", FAR_STORE_WRITE));
  for (size_t k = 0; k < KINDS; ++k)
    refuses(kinds[k].name, "empty.db", &def, FAR_STATUS_UNKNOWN, "no results yet");
  def.results.series = "nothing";
  for (size_t k = 0; k < KINDS; ++k)
    refuses(kinds[k].name, "small.db", &def, FAR_STATUS_UNKNOWN, "'nothing'");
  def = small_def();
  const char *const one[] = {"q-learning"};
  def.results.agents = one;
  def.results.n_agents = 1;
  refuses("differences", "small.db", &def, FAR_STATUS_UNKNOWN, "another agent");
  refuses("improvements", "small.db", &def, FAR_STATUS_UNKNOWN, "another agent");
  far_figure *f = plot("matrix", "small.db", &def);
  check_geometry(f, "matrix of one");
  far_figure_free(f);
}

/* Sums have a linear axis of steps, though their checkpoints are spaced by factors: whether they rise or fall. */
static void curves_of_sums(void) {
  static const char *const names[] = {"rise.db", "fall.db"};
  const far_plot_def def = small_def();
  for (int falls = 0; falls < 2; ++falls) {
    char rows[2000];
    size_t at =
        (size_t)snprintf(rows, sizeof rows, "env,agent,steps,seed,replicate,series,step,value\n");
    for (int i = 0; i < 2; ++i) {
      for (int step = 1; step <= 1000; step *= 10)
        at += (size_t)snprintf(rows + at, sizeof rows - at, "maze,a,1000,1,%d,curve,%d,%d\n", i,
                               step, (falls ? -step : step) * (i + 1));
      at += (size_t)snprintf(rows + at, sizeof rows - at, "maze,a,1000,1,%d,total,,%d\n", i, i);
    }
    import_rows(names[falls], rows);
    far_figure *f = plot("curves", names[falls], &def);
    size_t lines = 0;
    for (size_t i = 0; f != NULL && i < f->n_items; ++i) {
      const far__item *t = &f->items[i];
      if (t->n_values == 0) continue;
      CHECK_NEAR((t->x[1] - t->x[0]) / (t->x[2] - t->x[0]), 9.0 / 99, 1e-9);
      ++lines;
    }
    CHECK(lines == 1);
    far_figure_free(f);
  }
}

int main(void) {
  if (!stores_begin()) return stores_end();
  small_batch b;
  small_make(&b, RUNS);
  run_through("small.db", &b.def);
  widths();
  odd();
  many();
  numbers();
  curve_numbers();
  curves_of_sums();
  tables();
  refused();
  small_free(&b);
  return stores_end();
}
