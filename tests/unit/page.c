/* Documents as pages of HTML, and their blocks in the other formats. */
#include "check.h"

#include <math.h>
#include <string.h>

#include "farsight/lab.h"
#include "report/build.h"
#include "report/figure/figure.h"

static far_report *new_report(void) {
  far_report *report;
  CHECK(far_report_create(&report, "test", NULL) == FAR_OK);
  return report;
}

/* Renders and keeps the report. */
static far_buffer rendered(const far_report *report, far_report_format format) {
  far_buffer out = {0};
  far_render_def def = far_render_def_default();
  def.format = format;
  CHECK(far_report_render(report, &def, far_sink_buffer(&out), NULL) == FAR_OK);
  return out;
}

static void check_has(const far_report *report, far_report_format format, const char *part) {
  far_buffer out = rendered(report, format);
  const char *body = strstr(out.bytes, "<body"); /* a failure need not print the style */
  CHECK_CONTAINS(body != NULL && strstr(out.bytes, part) == NULL ? body : out.bytes, part);
  far_buffer_free(&out);
}

static void check_lacks(const far_report *report, far_report_format format, const char *part) {
  far_buffer out = rendered(report, format);
  CHECK(strstr(out.bytes, part) == NULL);
  far_buffer_free(&out);
}

/* A page: what is between <main> and </main> is all of it. */
static void check_main(const far_report *report, const char *expected) {
  far_buffer out = rendered(report, FAR_REPORT_HTML);
  const char *begin = strstr(out.bytes, "<main id=\"main\" tabindex=\"-1\">\n");
  const char *end = strstr(out.bytes, "</main>");
  CHECK(begin != NULL && end != NULL);
  if (begin != NULL && end != NULL) {
    begin += strlen("<main id=\"main\" tabindex=\"-1\">\n");
    out.bytes[end - out.bytes] = '\0';
    CHECK_TEXT(begin, expected);
  }
  far_buffer_free(&out);
}

static far_figure *new_figure(void) {
  far_figure *f;
  far_error error;
  CHECK(far__figure_create(&f, "test", 100, &error) == FAR_OK);
  far__figure_name(f, "A <title>", "What is to be seen.");
  far__figure_height(f, 50);
  far__figure_line(f, 0, 0, 100, 50, (far__paint){.stroke = FAR__INK_SERIES});
  CHECK(far__figure_finish(&f, &error) == FAR_OK);
  return f;
}

/* ---- blocks ---- */

static void test_blocks(void) {
  far_report *r = new_report();
  far__report_heading(r, 1, "The title");
  far__report_verdict(r, NULL, "A wins.");
  far__report_verdict(r, "caveats", "None.");
  far__report_paragraph(r, "Text.");
  far__report_list(r, "Items:");
  far__report_item(r, "one");
  far__report_item(r, "  two");
  far__report_entry(r, "term", "first\nsecond");
  far__report_note(r, FAR__NOTE_REMARK, "A remark.");
  far__report_note(r, FAR__NOTE_CAVEAT, "A caveat.");
  far__report_methods(r, "How.");
  far__report_methods(r, "And how.");
  far__report_command(r, "farsight run \\\n  -e chain");
  far__report_drawing(r, "d", "a<b\n", "Drawn.");
  check_main(r,
             "<section class=\"verdict\" aria-label=\"Verdict\">\n<p>A wins.</p>\n<dl>\n"
             "<dt>caveats</dt><dd>None.</dd>\n</dl>\n</section>\n"
             "<p>Text.</p>\n"
             "<p class=\"list\">Items:</p>\n"
             "<ul class=\"items\">\n<li>one</li>\n<li>  two</li>\n</ul>\n"
             "<dl>\n<dt>term</dt><dd>first\nsecond</dd>\n</dl>\n"
             "<p class=\"note\">A remark.</p>\n"
             "<p class=\"note caveat\"><strong>Caveat:</strong> A caveat.</p>\n"
             "<div class=\"methods\">\n<p>How.</p>\n<p>And how.</p>\n</div>\n"
             "<pre class=\"command\"><code>farsight run \\\n  <span>-e</span> chain</code></pre>\n"
             "<figure id=\"f1\" class=\"drawing\" data-name=\"d\">\n"
             "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"drawing\">"
             "<pre role=\"img\" aria-label=\"Drawn.\">\na&lt;b\n</pre></div>\n"
             "<figcaption>Drawn.</figcaption></figure>\n");
  check_has(r, FAR_REPORT_HTML, "<title>The title</title>");
  check_has(r, FAR_REPORT_TEXT, "A wins.\n  caveats      None.\n\nText.\n");
  check_has(r, FAR_REPORT_TEXT, "\n  farsight run \\\n    -e chain\n\n");
  check_has(r, FAR_REPORT_MARKDOWN, "> A wins.\n>\n> **caveats** None.\n\nText.\n");
  check_has(r, FAR_REPORT_MARKDOWN, "```sh\nfarsight run \\\n  -e chain\n```\n");
  check_has(r, FAR_REPORT_LATEX, "A wins.\n\n\\par\\textbf{caveats}\nNone.\n");
  check_has(r, FAR_REPORT_JSON,
            "\"verdict\":[\n {\"text\":\"A wins.\"},\n {\"term\":\"caveats\",\"text\":\"None.\"}]");
  far_report_free(r);
}

/* Sections are as deep as they are nested, whatever their levels; names are told apart. */
static void test_sections(void) {
  far_report *r = new_report();
  far__report_heading(r, 3, "Same");
  far__report_heading(r, 3, "Same");
  far__report_heading(r, 1, "Ünlike!");
  far__report_heading(r, 3, "Inner 2");
  far__report_paragraph(r, "Text.");
  far__report_heading(r, 3, "%s", "");
  check_main(r, "<section id=\"s-same\"><h2>Same</h2>\n</section>\n"
                "<section id=\"s-same-2\"><h2>Same</h2>\n</section>\n"
                "<section id=\"s-nlike\"><h2>Ünlike!</h2>\n"
                "<section id=\"s-inner-2\"><h3>Inner 2</h3>\n<p>Text.</p>\n</section>\n"
                "<section id=\"s\"><h3></h3>\n</section>\n</section>\n");
  check_has(r, FAR_REPORT_HTML, "<h1>farsight test</h1>"); /* the level 1 is not the first */
  check_has(
      r, FAR_REPORT_HTML,
      "\n<ol>\n<li><a href=\"#s-same\">Same</a></li>\n<li><a href=\"#s-same-2\">Same</a></li>\n"
      "<li><a href=\"#s-nlike\"><bdi>Ünlike!</bdi></a>\n<ol>\n<li><a href=\"#s-inner-2\">Inner "
      "2</a>"
      "</li>\n<li><a href=\"#s\"></a></li></ol></li></ol>");
  far_report_free(r);
}

/* A section of one environment ends where something else begins. */
static void test_environments(void) {
  far_report *r = new_report();
  far__report_heading(r, 2, "Results");
  far__report_environment(r, "chain");
  far__report_heading(r, 3, "chain");
  far__report_entry(r, "a", "1");
  far__report_environment(r, "loop");
  far__report_entry(r, "b", "2");
  far__report_environment(r, NULL);
  far__report_entry(r, "c", "3");
  far_table *t = far__report_table(r, "all");
  far__table_column(t, "env", "environment", FAR__COLUMN_TEXT);
  far__report_environment(r, "chain");
  far__table_row(t);
  far__table_text(t, "chain");
  check_has(r, FAR_REPORT_HTML,
            "<section id=\"s-results\"><h2>Results</h2>\n"
            "<section id=\"s-chain\" data-env=\"1\"><h3>chain</h3>\n"
            "<dl data-env=\"1\">\n<dt>a</dt><dd>1</dd>\n</dl>\n</section>\n"
            "<dl data-env=\"2\">\n<dt>b</dt><dd>2</dd>\n</dl>\n"
            "<dl>\n<dt>c</dt><dd>3</dd>\n</dl>\n");
  check_has(r, FAR_REPORT_HTML, "<tr data-env=\"1\"><th scope=\"row\">chain</th></tr>");
  check_has(r, FAR_REPORT_HTML, "<input type=\"checkbox\" value=\"1\" checked> chain</label>");
  check_has(r, FAR_REPORT_HTML, "<input type=\"checkbox\" value=\"2\" checked> loop</label>");
  check_lacks(r, FAR_REPORT_TEXT, "loop");
  far_report_free(r);
}

/* ---- tables ---- */

static void test_table(void) {
  far_report *r = new_report();
  far_table *t = far__report_table(r, "cells");
  far__table_caption(t, "What %s.", "was <measured>");
  far__table_column(t, "agent", "agent", FAR__COLUMN_SPEC);
  far__table_column(t, "n", "n", FAR__COLUMN_COUNT);
  far__table_column(t, "mean", "mean", FAR__COLUMN_INTERVAL);
  far__table_column(t, "hidden", NULL, FAR__COLUMN_REAL);
  far__table_column(t, "again", "", FAR__COLUMN_COMMAND);
  far__table_row(t);
  far__table_spec(t, "r-max", "r-max:m=5");
  far__table_count(t, 12);
  far__table_interval(t, -12.5, 0.75);
  far__table_real(t, 4);
  far__table_text(t, "farsight 'a'");
  far__table_rule(t);
  far__table_row(t);
  far__table_blank(t);
  far__table_count(t, -3);
  far__table_interval(t, INFINITY, NAN);
  far__table_row(t);
  far__table_spec(t, "same", "same");
  far__table_none(t);
  far__table_interval(t, 120, 14);
  check_has(
      r, FAR_REPORT_HTML,
      "<table data-name=\"cells\">\n<caption id=\"t1\"><span>What was "
      "&lt;measured&gt;.</span></caption>\n"
      "<thead><tr><th scope=\"col\" data-key=\"agent\">agent</th>"
      "<th scope=\"col\" class=\"n\" data-key=\"n\">n</th>"
      "<th scope=\"col\" class=\"n\" data-key=\"mean\">mean</th>"
      "<th scope=\"col\" class=\"cmd\" data-key=\"again\"><span "
      "class=\"unseen\">again</span></th></tr>"
      "</thead>\n<tbody>\n"
      "<tr><th scope=\"row\"><details class=\"full\"><summary>r-max</summary><code>r-max:m=5</code>"
      "</details></th><td class=\"n\">12</td><td class=\"n\" data-sort=\"-12.5\" "
      "data-low=\"-13.25\" "
      "data-high=\"-11.75\">−12.50 ± "
      "<i class=\"x1\"></i>0.75</td><td class=\"cmd\"><code>farsight 'a'</code></td></tr>\n"
      "<tr class=\"rule\"><th scope=\"row\"><span class=\"same\">r-max</span></th>"
      "<td class=\"n\">−3</td><td class=\"n\" data-sort=\"Infinity\">inf</td><td "
      "class=\"cmd\"></td>"
      "</tr>\n"
      "<tr><th scope=\"row\">same</th><td class=\"n\"><bdi>–</bdi></td>"
      "<td class=\"n\" data-sort=\"120\" data-low=\"106\" data-high=\"134\">"
      "120<i class=\"p2\"></i> ± 14<i class=\"p2\"></i></td>"
      "<td class=\"cmd\"></td></tr>\n</tbody>");
  check_has(r, FAR_REPORT_HTML, "<div class=\"scroll\" role=");
  check_has(r, FAR_REPORT_TEXT, "What was <measured>.\n  agent");
  check_has(r, FAR_REPORT_MARKDOWN, "What was \\<measured>.\n\n| agent");
  check_has(r, FAR_REPORT_LATEX, "What was $<$measured$>$.\n\n\\begin{tabular}");
  check_has(r, FAR_REPORT_CSV, ",farsight 'a'\n");
  check_has(r, FAR_REPORT_JSON, "\"again\":\"farsight 'a'\"");
  far_report_free(r);
}

/* Signs, separators, percents; what is no number stays as it is. */
static void test_alignment(void) {
  static const struct {
    const char *shown, *html;
  } cases[] = {
      {"-9.7%", ">−9.7<i class=\"x1\"></i>%</td>"},
      {"12.25%", ">12.25%</td>"},
      {"3%", ">3<i class=\"p2\"></i>%</td>"},
      {"1,234", ">1,234<i class=\"p2\"></i></td>"},
      {"-1e-5", ">-1e-5</td>"},
      {"5 <x>", ">5 &lt;x&gt;</td>"},
  };
  far_report *r = new_report();
  far_table *t = far__report_table(r, "t");
  far__table_column(t, "x", "x", FAR__COLUMN_REAL);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    far__table_row(t);
    far__table_real_as(t, 1, "%s", cases[i].shown);
  }
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    check_has(r, FAR_REPORT_HTML, cases[i].html);
  far_report_free(r);
}

/* ---- figures ---- */

static void test_figures(void) {
  far_report *r = new_report();
  far__report_view(r, new_figure(), "nowhere"); /* freed: there is no figure to belong to */
  far__report_figure(r, "two", "Two <views>.");
  far__report_view(r, new_figure(), "a & b");
  far__report_view(r, NULL, "could not be made");
  far__report_view(r, new_figure(), "second");
  far__report_figure(r, "one", "One view.");
  far__report_view(r, new_figure(), NULL);
  far__report_figure(r, "none", "No view.");
  check_has(
      r, FAR_REPORT_HTML,
      "<figure id=\"f1\" class=\"figure\" data-name=\"two\">\n<fieldset class=\"views\"><legend "
      "class=\"unseen\">View"
      "</legend>\n<input type=\"radio\" name=\"view1\" id=\"v1-0\" checked>"
      "<label for=\"v1-0\">a &amp; b</label>\n"
      "<div class=\"view\" role=\"group\" tabindex=\"0\" aria-label=\"A &lt;title&gt;\"><svg ");
  check_has(r, FAR_REPORT_HTML, "id=\"v1-1\"><label for=\"v1-1\">second</label>\n");
  check_has(r, FAR_REPORT_HTML, "<figcaption>Two &lt;views&gt;.</figcaption></figure>\n");
  check_has(r, FAR_REPORT_HTML, "<title id=\"f2-0-title\">");
  check_has(r, FAR_REPORT_HTML,
            "<figure id=\"f3\" class=\"figure\" data-name=\"none\">\n<figcaption>No "
            "view.</figcaption></figure>\n");
  check_has(r, FAR_REPORT_HTML, ":root[data-theme=dark] .f-s0{");
  check_has(r, FAR_REPORT_TEXT, "Figure: Two <views>.\n\nFigure: One view.\n");
  check_has(r, FAR_REPORT_MARKDOWN, "Figure: One view.\n");
  check_has(r, FAR_REPORT_LATEX, "% needs \\usepackage{booktabs,tikz,xcolor}\n");
  check_has(r, FAR_REPORT_LATEX, "\\begin{figure}\n\\centering\n");
  check_has(r, FAR_REPORT_LATEX, "\\end{tikzpicture}");
  check_has(r, FAR_REPORT_LATEX, "\\caption{Two $<$views$>$.}\n\\end{figure}\n");
  check_has(r, FAR_REPORT_LATEX, "% Figure: No view.\n");
  far_report_free(r);
}

/* ---- hostile texts ---- */

static void test_escapes(void) {
  static const struct {
    const char *text, *html;
  } cases[] = {
      {"<b>&amp;\"'", "&lt;b&gt;&amp;amp;&quot;'"},
      {"\x01\x1b\x7f", "&#9217;&#9243;&#9249;"},
      {"\xff\xc0\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
      {"\xc2\x85|\xef\xbf\xbf", "\xef\xbf\xbd|\xef\xbf\xbd"}, /* U+0085, U+FFFF */
      {"\xe2\x80\xae"
       "a\xe2\x81\xa6",
       "<span class=\"code\">U+202E</span>a<span class=\"code\">U+2066</span>"},
      {"\xf0\x9f\x98\x80 \xd7\xa9", "\xf0\x9f\x98\x80 \xd7\xa9"},
      {"a\nb\tc", "a b c"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char expected[200];
    far_report *r = new_report();
    far__report_paragraph(r, "%s", cases[i].text);
    snprintf(expected, sizeof expected, "<p>%s</p>\n", cases[i].html);
    check_main(r, expected);
    far_report_free(r);
  }
  far_report *r = new_report(); /* attributes have no elements in them */
  far__report_drawing(r, "d", ".\n", "%s", "\"\xe2\x80\xae");
  check_has(r, FAR_REPORT_HTML, "aria-label=\"&quot;\xef\xbf\xbd\"");
  far_report_free(r);
}

/* Lines of commands end after spaces, commas and colons. */
static void test_words(void) {
  far_report *r = new_report();
  far__report_command(r, "run -a r-max:m=1,x=a-b --json\n  end");
  check_main(r, "<pre class=\"command\"><code>run <span>-a</span> <span>r-max:</span><wbr>m=1,<wbr>"
                "<span>x=a-b</span> <span>--json</span>\n  end</code></pre>\n");
  far_report_free(r);
}

static void test_fences(void) {
  far_report *r = new_report();
  far__report_command(r, "echo ````");
  check_has(r, FAR_REPORT_MARKDOWN, "`````sh\necho ````\n`````\n");
  far_report_free(r);
}

int main(void) {
  test_blocks();
  test_sections();
  test_environments();
  test_table();
  test_alignment();
  test_figures();
  test_escapes();
  test_words();
  test_fences();
  return check_report();
}
