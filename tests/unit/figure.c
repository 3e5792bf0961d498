/* Figures: shapes as SVG and TikZ, hostile text, ticks, labels that do not overlap, files. */
#include "comma.h"
#include "report/figure/axes.h"
#include "report/figure/figure.h"
#include "stores.h"

static far_figure *begin(void) {
  far_figure *f = NULL;
  CHECK(far__figure_create(&f, "test", 200, NULL) == FAR_OK);
  far__figure_height(f, 100);
  return f;
}

/* The figure as text; the caller's. */
static far_buffer rendered(const far_figure *f, far_figure_format format, far_theme theme) {
  far_figure_def def = far_figure_def_default();
  far_buffer out = {0};
  def.format = format;
  def.theme = theme;
  CHECK(far_figure_render(f, &def, far_sink_buffer(&out), NULL) == FAR_OK);
  return out;
}

static void test_widths(void) {
  static const double wrong[] = {NAN, INFINITY, -1, 0, 99, 10001};
  far_figure *f = begin();
  far_error error;
  far_figure_free(f);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    CHECK(far__figure_create(&f, "test", wrong[i], &error) == FAR_STATUS_RANGE && f == NULL);
    CHECK_CONTAINS(error.message, "the width of a figure must be 100 to 10,000");
  }
}

/* ---- shapes ---- */

static void draw_shapes(far_figure *f) {
  far__figure_name(f, "A title", "It has %d shapes.", 4);
  far__figure_series(f, 3, "an agent");
  far__figure_tip(f, "one is %s", "100%");
  far__figure_circle(f, 10.004, 20.5, 3, (far__paint){.fill = far__ink_of(3)});
  far__figure_values(f, (double[]){1, 10}, (double[]){0.5, NAN}, NULL, NULL, 2);
  far__figure_polyline(f, (double[]){0, 50}, (double[]){-0.001, 8}, 2,
                       (far__paint){.stroke = FAR__INK_TEXT, .width = 2, .dash = 1});
  far__figure_end(f);
  far__figure_rectangle(f, 1, 2, 3, 4, (far__paint){.fill = far__ink_level(1, false)});
  far__figure_arrow(f, 0, 0, 30, 0, (far__paint){.stroke = FAR__INK_MUTED});
  far__figure_write(f, 5, 6, (far__font){.anchor = FAR__RIGHT, .angle = -90}, "words");
}

/* What has no place is left out, together with its tip. */
static void test_no_place(void) {
  far_figure *f = begin();
  far__figure_tip(f, "lost");
  far__figure_circle(f, INFINITY, 20, 3, (far__paint){.fill = FAR__INK_TEXT});
  far__figure_line(f, 0, 0, 1, NAN, (far__paint){.stroke = FAR__INK_TEXT});
  far__figure_circle(f, 10, 20, 3, (far__paint){.fill = FAR__INK_TEXT});
  far_buffer svg = rendered(f, FAR_FIGURE_SVG, FAR_THEME_LIGHT);
  CHECK(strstr(svg.bytes, "inf") == NULL && strstr(svg.bytes, "nan") == NULL);
  CHECK(strstr(svg.bytes, "lost") == NULL);
  CHECK_CONTAINS(svg.bytes, "<circle cx=\"10\"");
  far_buffer_free(&svg);
  far_figure_free(f);
}

/* The title and the two lines below it give way to others, or to none; the name for screen readers stays. */
static void test_heading(void) {
  far_figure *f = begin();
  far__figure_name(f, "A title", "It is described.");
  far__heading(f, "A title", "a line that is too long for it; and a second line");
  far__figure_write(f, 1, 99, (far__font){0}, "kept");
  CHECK(far__figure_finish(&f, NULL) == FAR_OK);
  CHECK(far__figure_set_heading(f, NULL, NULL, NULL) == FAR_OK);
  far_buffer svg = rendered(f, FAR_FIGURE_SVG, FAR_THEME_LIGHT);
  CHECK_CONTAINS(svg.bytes, ">A title</text>");
  CHECK_CONTAINS(svg.bytes, ">and a second line</text>");
  far_buffer_free(&svg);
  CHECK(far__figure_set_heading(f, "Mine & <yours>", "short", NULL) == FAR_OK);
  CHECK_TEXT(far_figure_info_of(f).title, "Mine & <yours>");
  svg = rendered(f, FAR_FIGURE_SVG, FAR_THEME_LIGHT);
  CHECK_CONTAINS(svg.bytes, ">Mine &amp; &lt;yours&gt;</text>");
  CHECK_CONTAINS(svg.bytes, ">short</text>");
  CHECK_CONTAINS(svg.bytes, ">kept</text>");
  CHECK(strstr(svg.bytes, "A title") == NULL && strstr(svg.bytes, "second line") == NULL);
  far_buffer_free(&svg);
  far_buffer tikz = rendered(f, FAR_FIGURE_TIKZ, FAR_THEME_LIGHT);
  CHECK_CONTAINS(tikz.bytes, "{Mine \\& $<$yours$>$}");
  far_buffer_free(&tikz);
  CHECK(far__figure_set_heading(f, "", "", NULL) == FAR_OK);
  CHECK_TEXT(far_figure_info_of(f).title, "Mine & <yours>");
  svg = rendered(f, FAR_FIGURE_SVG, FAR_THEME_LIGHT);
  CHECK(strstr(svg.bytes, "yours&gt;</text>") == NULL && strstr(svg.bytes, "short") == NULL);
  CHECK_CONTAINS(svg.bytes, "Mine &amp; &lt;yours&gt;</title>");
  CHECK(strstr(svg.bytes, "></text>") == NULL);
  CHECK_CONTAINS(svg.bytes, ">kept</text>");
  far_buffer_free(&svg);
  far_figure_free(f);
}

/* The first line of a subtitle may fill the figure. */
static void test_full_line(void) {
  static const char *const part = "means of 20 runs, with 95% intervals";
  char both[80];
  far_figure *f;
  snprintf(both, sizeof both, "%s; and more", part);
  CHECK(far__figure_create(&f, "test", 32 + far__text_length(part, FAR__SIZE, false), NULL) ==
        FAR_OK);
  CHECK(far__heading(f, "title", both) == 73);
  far_figure_free(f);
}

static void test_shapes(void) {
  far_figure *f = begin();
  draw_shapes(f);
  CHECK(far__figure_finish(&f, NULL) == FAR_OK);
  const far_figure_info info = far_figure_info_of(f);
  CHECK_TEXT(info.kind, "test");
  CHECK_TEXT(info.title, "A title");
  CHECK_TEXT(info.description, "It has 4 shapes.");
  CHECK(info.width == 200 && info.height == 100);
  far_buffer svg = rendered(f, FAR_FIGURE_SVG, FAR_THEME_AUTO);
  CHECK_CONTAINS(svg.bytes, "<g class=\"series\" data-series=\"3\" data-label=\"an agent\">");
  CHECK_CONTAINS(svg.bytes,
                 "<circle cx=\"10\" cy=\"20.5\" r=\"3\" class=\"f-s3\"><title>one is 100%</title>");
  CHECK_CONTAINS(svg.bytes,
                 "d=\"M0 0L50 8\" class=\"f-none k-text\" stroke-width=\"2\" stroke-dasharray");
  CHECK_CONTAINS(svg.bytes, "data-x=\"1 10\" data-y=\"0.5 -\"");
  CHECK_CONTAINS(svg.bytes, "class=\"f-h32\"");
  CHECK_CONTAINS(svg.bytes, "text-anchor=\"end\" transform=\"rotate(-90 5 6)\">words</text>");
  CHECK_CONTAINS(svg.bytes, "prefers-color-scheme:dark");
  far_buffer one = rendered(f, FAR_FIGURE_SVG, FAR_THEME_DARK);
  CHECK(strstr(one.bytes, "prefers-color-scheme") == NULL);
  far_buffer part = rendered(f, FAR_FIGURE_INLINE, FAR_THEME_AUTO);
  CHECK(strstr(part.bytes, "<style>") == NULL);
  far_buffer tikz = rendered(f, FAR_FIGURE_TIKZ, FAR_THEME_AUTO);
  CHECK_CONTAINS(tikz.bytes, "\\definecolor{far-s3}{HTML}{aa3377}");
  CHECK_CONTAINS(tikz.bytes, "(10,20.5)circle[radius=2.25bp];");
  far_buffer_free(&svg);
  far_buffer_free(&one);
  far_buffer_free(&part);
  far_buffer_free(&tikz);
  far_figure_free(f);
}

/* The page's rules name every ink that a drawing may use. */
static void test_style(void) {
  far_buffer out = {0};
  CHECK(far__figure_style(FAR_THEME_DARK, ".dark ", far_sink_buffer(&out), NULL) == FAR_OK);
  for (int ink = 0; ink < FAR__INK_COUNT; ++ink) {
    char rule[64];
    snprintf(rule, sizeof rule, ".dark .f-%s{fill:%s}", far__ink_named((far__ink)ink).text,
             far__ink_colour((far__ink)ink, true).text);
    CHECK_CONTAINS(out.bytes, rule);
  }
  far_buffer_free(&out);
}

/* Text on a level, from the palest to the deepest; of two signs the middle is pale. */
static void test_text_on_levels(void) {
  for (int i = 0; i < FAR__LEVELS; ++i) {
    CHECK(far__ink_on((far__ink)(FAR__INK_HEAT + i)) == (i < 17   ? FAR__INK_ON_PALE
                                                         : i < 22 ? FAR__INK_ON_MIDDLE
                                                                  : FAR__INK_ON_DEEP));
    const int away = i < 16 ? 16 - i : i - 16, deep = i < 16 ? 13 : 12;
    CHECK(far__ink_on((far__ink)(FAR__INK_SIGN + i)) == (away < 9      ? FAR__INK_ON_PALE
                                                         : away < deep ? FAR__INK_ON_MIDDLE
                                                                       : FAR__INK_ON_DEEP));
  }
}

/* ---- text ---- */

static void test_hostile(void) {
  static const char *const name = "<script>\"&'\x01\xff\n$\\input{x}%_^~#∝✓";
  far_figure *f = begin();
  far__figure_name(f, name, "%s", name);
  far__figure_panel(f, name);
  far__figure_tip(f, "%s", name);
  far__figure_write(f, 0, 10, (far__font){0}, name);
  far__figure_end(f);
  far_buffer svg = rendered(f, FAR_FIGURE_SVG, FAR_THEME_AUTO);
  CHECK(strstr(svg.bytes, "<script") == NULL);
  CHECK_CONTAINS(svg.bytes, "&lt;script&gt;&quot;&amp;'&#9217;\xef\xbf\xbd $");
  far_buffer tikz = rendered(f, FAR_FIGURE_TIKZ, FAR_THEME_AUTO);
  CHECK(strstr(tikz.bytes, "\n$\\input") == NULL);
  CHECK_CONTAINS(tikz.bytes, "\\$\\textbackslash{}input\\{x\\}\\%\\_");
  CHECK_CONTAINS(tikz.bytes, "$\\propto$$\\surd$"); /* without further packages */
  far_buffer_free(&svg);
  far_buffer_free(&tikz);
  far_figure_free(f);
}

static void test_cut_text(void) {
  static const char *const name = "directed-delayed-q:gamma_e=0.99";
  far_figure *f = begin();
  far__figure_write_within(f, 0, 10, 100, (far__font){0}, name);
  far__figure_write_within(f, 0, 20, far__text_length(name, FAR__SIZE, false), (far__font){0},
                           name);
  far_buffer svg = rendered(f, FAR_FIGURE_SVG, FAR_THEME_AUTO);
  CHECK_CONTAINS(svg.bytes, "<title>directed-delayed-q:gamma_e=0.99</title>directed-delay…</text>");
  CHECK_CONTAINS(svg.bytes, ">directed-delayed-q:gamma_e=0.99</text>");
  CHECK(far__text_length("é̂", 10, false) == far__text_length("é", 10, false));
  CHECK(far__text_length("\xf0\x9f\x80\x80", 10, false) == 14); /* U+1F000, the first picture */
  CHECK(far__text_length("W", 10, true) > far__text_length("W", 10, false));
  far_buffer_free(&svg);
  far_figure_free(f);
}

/* ---- axes ---- */

static void check_ticks(const far__axis *axis, const char *expected) {
  char found[400] = "";
  for (size_t i = 0; i < axis->n_ticks; ++i)
    snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s", i > 0 ? " " : "",
             axis->labels[i]);
  CHECK_TEXT(found, expected);
}

static void test_axes(void) {
  far__axis axis = far__axis_create(-0.25, 1.03, false, 400, 80);
  check_ticks(&axis, "0 0.5 1.0");
  axis = far__axis_create(0, 0.3, false, 400, 100);
  check_ticks(&axis, "0 0.1 0.2 0.3");
  axis = far__axis_create(12000, -4000, false, 400, 100);
  check_ticks(&axis, "0 5000 10,000");
  axis = far__axis_create(3, 25000, true, 400, 80);
  check_ticks(&axis, "10 100 1000 10,000");
  axis = far__axis_create(40, 300, true, 400, 80);
  check_ticks(&axis, "50 100 200");
  axis = far__axis_create(0.005, 1.1, true, 190, 70); /* little room */
  check_ticks(&axis, "0.01 1");
  axis = far__axis_create(0.02, 0.9, true, 190, 70);
  CHECK(axis.n_ticks >= 2);
  axis = far__axis_create(0, 10, true, 400, 100); /* no logarithm of 0 */
  CHECK(!axis.log);
  axis = far__axis_create(7, 7, false, 400, 80);
  CHECK(axis.low < 7 && axis.high > 7 && axis.n_ticks > 1);
  axis = far__axis_create(NAN, INFINITY, false, 400, 80);
  CHECK(axis.low == 0 && axis.high == 1);
  axis = far__axis_create(1e-9, 5e-9, false, 400, 80);
  check_ticks(&axis, "1e−9 2e−9 3e−9 4e−9 5e−9");
  axis = far__axis_create(1e300, 1.7e308, true, 400, 80);
  CHECK(axis.n_ticks > 1);
  axis = far__axis_create(0, 1.5e-323, false, 400, 80); /* no room for a step */
  CHECK(axis.n_ticks > 1 && axis.high - axis.low > 0.1);
  axis = far__axis_create(-1.7e308, 1.7e308, false, 400, 80); /* the span overflows */
  check_ticks(&axis, "−1.5e308 −1e308 −5e307 0 5e307 1e308 1.5e308");
  CHECK_NEAR(far__axis_share(&axis, 0), 0.5, 1e-12);
  CHECK_NEAR(far__axis_share(&axis, 1.7e308), 1, 1e-12);
  axis = far__axis_create(1.7e308, 1.7e308, false, 400, 80);
  CHECK(axis.low < 1.7e308 && axis.high > 1.7e308 && axis.high < INFINITY);
  const far__range widened = far__range_widened((far__range){-1e308, 1e308}, 0.04);
  CHECK(widened.low == -1e308 && widened.high == 1e308);
  axis = far__axis_create(1, 100, true, 400, 80);
  CHECK_NEAR(far__axis_share(&axis, 10), 0.5, 1e-12);
}

static void test_locale(void) {
  char text[FAR__TICK_TEXT];
  set_decimal_comma();
  far__tick_format(text, -12345.5, 0.5);
  CHECK_TEXT(text, "−12,345.5");
  far__tick_format(text, 0.25, 0.05);
  CHECK_TEXT(text, "0.25");
  setlocale(LC_ALL, "C");
}

static void test_ranges(void) {
  far__range range = FAR__NO_RANGE;
  CHECK(!far__range_exists(&range));
  far__range_add(&range, NAN);
  far__range_add(&range, INFINITY);
  CHECK(!far__range_exists(&range));
  far__range_add(&range, 3);
  far__range_add(&range, 1);
  CHECK(range.low == 1 && range.high == 3);
  range = far__range_widened(range, 0.5);
  CHECK(range.low == 0 && range.high == 4);
}

/* ---- labels ---- */

static void test_spread(void) {
  double y[] = {50, 52, 51, 90, 5};
  CHECK(far__spread(y, 5, 10, 0, 100));
  CHECK(y[0] < y[2] && y[2] < y[1]); /* in the order of what they want */
  CHECK_NEAR(y[2], 51, 1e-9);
  CHECK_NEAR(y[1] - y[2], 10, 1e-9);
  CHECK(y[3] == 90 && y[4] == 5);
  double low[] = {-10, -12};
  CHECK(far__spread(low, 2, 10, 0, 100) && low[1] == 0 && low[0] == 10);
  double many[] = {1, 2, 3};
  CHECK(!far__spread(many, 3, 60, 0, 100)); /* as far apart as there is room */
  CHECK(many[0] == 0 && many[1] == 50 && many[2] == 100);
  CHECK(far__spread(NULL, 0, 10, 0, 5));
}

static void test_boxes(void) {
  far__boxes boxes = {0};
  far__boxes_add(&boxes, (far__box){0, 0, 10, 10});
  far__boxes_add(&boxes, (far__box){20, 0, 30, 10});
  CHECK(boxes.n == 2);
  CHECK(far__boxes_free_at(&boxes, (far__box){10, 0, 20, 10})); /* sides may be common */
  CHECK(!far__boxes_free_at(&boxes, (far__box){9, 9, 11, 11}));
  CHECK(!far__boxes_free_at(&boxes, (far__box){22, 2, 23, 3}));
  CHECK(far__boxes_free_at(&boxes, (far__box){0, 10, 30, 12}));
  far__boxes_free(&boxes);
  CHECK(boxes.n == 0 && boxes.at == NULL);
}

/* ---- files ---- */

static void check_file(const char *path, const char *beginning) {
  char bytes[16] = "";
  FILE *file = fopen(path, "rb");
  CHECK(file != NULL && fread(bytes, 1, 8, file) == 8);
  CHECK(strncmp(bytes, beginning, strlen(beginning)) == 0);
  if (file != NULL) fclose(file);
}

static void test_save(void) {
  far_figure *f = begin();
  far_error error;
  draw_shapes(f);
  CHECK(far_figure_save(f, store_path("a.svg"), FAR_THEME_AUTO, &error) == FAR_OK);
  check_file(store_path("a.svg"), "<svg ");
  CHECK(far_figure_save(f, store_path("a.tex"), FAR_THEME_AUTO, &error) == FAR_OK);
  check_file(store_path("a.tex"), "% A ");
  CHECK(far_figure_save(f, store_path("a.gif"), FAR_THEME_AUTO, &error) == FAR_STATUS_UNKNOWN);
  CHECK_CONTAINS(error.message, ".svg, .pdf, .png or .tex");
  const far_status status = far_figure_save(f, store_path("a.pdf"), FAR_THEME_AUTO, &error);
  if (status == FAR_STATUS_ABSENT) { /* no converter here */
    CHECK_CONTAINS(error.message, "librsvg2-bin");
    CHECK(!is_there("a.pdf"));
  } else {
    CHECK(status == FAR_OK);
    check_file(store_path("a.pdf"), "%PDF-");
    CHECK(far_figure_save(f, store_path("a.png"), FAR_THEME_DARK, &error) == FAR_OK);
    check_file(store_path("a.png"), "\x89PNG");
  }
  CHECK(far_figure_save(f, store_path("none/a.svg"), FAR_THEME_AUTO, &error) == FAR_STATUS_IO);
  far_figure_free(f);
}

/* Without a converter the message names one, and nothing is written. */
static void test_no_converter(void) {
  far_figure *f = begin();
  far_error error;
  char *path = strdup(getenv("PATH") != NULL ? getenv("PATH") : "");
  setenv("PATH", "/nonexistent", 1);
  CHECK(far_figure_save(f, store_path("b.png"), FAR_THEME_AUTO, &error) == FAR_STATUS_ABSENT);
  CHECK_CONTAINS(error.message, "rsvg-convert");
  CHECK(!is_there("b.png"));
  setenv("PATH", path, 1);
  free(path);
  far_figure_free(f);
}

int main(void) {
  stores_begin();
  test_widths();
  test_heading();
  test_full_line();
  test_shapes();
  test_no_place();
  test_style();
  test_text_on_levels();
  test_hostile();
  test_cut_text();
  test_axes();
  test_locale();
  test_ranges();
  test_spread();
  test_boxes();
  test_save();
  test_no_converter();
  return stores_end();
}
