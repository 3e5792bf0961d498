/* Reports: one document, five renderings, and JSON as it is written and read. */
#include "base/json.h"
#include "base/text.h"
#include "check.h"
#include "comma.h"
#include "farsight/lab.h"
#include "report/build.h"

#include <stdlib.h>

static far_report *small_report(void) {
  far_report *r;
  CHECK(far_report_create(&r, "test", NULL) == FAR_OK);
  far__report_heading(r, 1, "Rewards of %d agents", 2);
  far_table *t = far__report_table(r, "cells");
  far__table_column(t, "env", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "agent", "agent", FAR__COLUMN_SPEC);
  far__table_column(t, "runs", "runs", FAR__COLUMN_COUNT);
  far__table_column(t, "mean", "mean ± 95%", FAR__COLUMN_INTERVAL);
  far__table_column(t, "span", "min, max", FAR__COLUMN_RANGE);
  far__table_column(t, "graph", "", FAR__COLUMN_BARS);
  far__table_row(t);
  far__table_text(t, "chain, \"long\"");
  far__table_spec(t, "r-max", "r-max:gamma=0.95,m=20");
  far__table_count(t, 20);
  far__table_interval(t, 1205.5, 14);
  far__table_range_as(t, 1132, 1254, "1132 … 1254");
  far__table_text(t, "▁█");
  far__table_row(t);
  far__table_blank(t);
  far__table_spec(t, "q|x", "q-learning:eps=0.1,gamma=0.9");
  far__table_count(t, 3);
  far__table_none(t);
  far__report_note(r, FAR__NOTE_CAVEAT, "Few runs & 100%% luck.");
  far__report_list(r, "Every parameter:");
  far__report_item(r, "r-max:gamma=0.95,m=20");
  far__report_methods(r, "Student's intervals.");
  return r;
}

static far_buffer rendered(const far_report *r, far_render_def def) {
  far_buffer out = {0};
  CHECK(far_report_render(r, &def, far_sink_buffer(&out), NULL) == FAR_OK);
  return out;
}

static void test_text(void) {
  far_report *r = small_report();
  far_buffer out = rendered(r, far_render_def_default());
  CHECK_TEXT(out.bytes, "Rewards of 2 agents\n"
                        "\n"
                        "  agent  runs  mean ± 95%     min, max\n"
                        "  ────────────────────────────────────────\n"
                        "  r-max    20   1206 ± 14  1132 … 1254  ▁█\n"
                        "  q|x       3           –\n"
                        "\n"
                        "Few runs & 100% luck.\n"
                        "\n"
                        "Every parameter:\n"
                        "  r-max:gamma=0.95,m=20\n"
                        "\n"
                        "Methods: Student's intervals.\n");
  far_buffer_free(&out);
  far_report_free(r);
}

static bool is_ascii(const char *text) {
  for (; *text != '\0'; ++text)
    if ((unsigned char)*text >= 128) return false;
  return true;
}

/* Where the page is narrow a table goes on below, with the names of its rows. */
static void test_narrow(void) {
  far_report *r = small_report();
  far_render_def def = far_render_def_default();
  def.width = 26;
  def.ascii = true;
  far_buffer out = rendered(r, def);
  CHECK(is_ascii(out.bytes));
  CHECK_CONTAINS(out.bytes, "  agent  runs\n"
                            "  -----------\n"
                            "  r-max    20\n"
                            "  q|x       3\n"
                            "\n"
                            "  agent  mean +/- 95%\n");
  CHECK_CONTAINS(out.bytes, "  r-max  1132 ... 1254  _#\n");
  far_buffer_free(&out);
  def.width = 40;
  out = rendered(r, def);
  CHECK_CONTAINS(out.bytes, "  agent  runs  mean +/- 95%\n");
  far_buffer_free(&out);
  far_report_free(r);
}

/* Text that is too wide takes several lines, in the last column. */
static void test_narrow_text(void) {
  far_report *r;
  CHECK(far_report_create(&r, "list", NULL) == FAR_OK);
  far_table *t = far__report_table(r, "agents");
  far__table_column(t, "name", "name", FAR__COLUMN_TEXT);
  far__table_column(t, "summary", "what it is", FAR__COLUMN_TEXT);
  far__table_row(t);
  far__table_text(t, "r-max");
  far__table_text(t, "What is unknown is assumed to be as good as can be");
  far__table_row(t);
  far__table_text(t, "psrl");
  far__table_text(t, "Posterior sampling");
  far_render_def def = far_render_def_default();
  def.ascii = true;
  def.width = 36;
  far_buffer out = rendered(r, def);
  CHECK_CONTAINS(out.bytes, "  name   what it is\n"
                            "  ----------------------------------\n"
                            "  r-max  What is unknown is assumed\n"
                            "         to be as good as can be\n"
                            "  psrl   Posterior sampling\n");
  far_buffer_free(&out);
  far_report_free(r);
}

static void test_markdown(void) {
  far_report *r = small_report();
  far_buffer out = rendered(r, (far_render_def){.format = FAR_REPORT_MARKDOWN});
  CHECK_CONTAINS(out.bytes, "### Rewards of 2 agents\n\n| agent | runs | mean ± 95% |");
  CHECK_CONTAINS(out.bytes, "|---|--:|--:|--:|---|\n| r-max | 20 | 1206 ± 14 |");
  CHECK_CONTAINS(out.bytes, "| q\\|x | 3 | – |");
  CHECK_CONTAINS(out.bytes, "\n\n    r-max:gamma=0.95,m=20\n");
  far_buffer_free(&out);
  far_report_free(r);
}

/* Prose that begins like a list, a heading or a quotation is none. */
static void test_markdown_prose(void) {
  static const char *const marks[] = {"* a", "+ a", "- a", "# a", "> a"};
  far_report *r;
  CHECK(far_report_create(&r, "test", NULL) == FAR_OK);
  far__report_paragraph(r, "plain");
  for (size_t i = 0; i < sizeof marks / sizeof *marks; ++i)
    far__report_paragraph(r, "%s", marks[i]);
  far_buffer out = rendered(r, (far_render_def){.format = FAR_REPORT_MARKDOWN});
  CHECK_CONTAINS(out.bytes, "plain\n\n\\");
  CHECK_CONTAINS(out.bytes, "\n\n\\+ a\n\n\\- a\n\n\\# a\n\n\\> a\n");
  far_buffer_free(&out);
  far_report_free(r);
}

static void test_latex(void) {
  far_report *r = small_report();
  far_buffer out = rendered(r, (far_render_def){.format = FAR_REPORT_LATEX});
  CHECK_CONTAINS(out.bytes, "\\begin{tabular}{lrrr}\n\\toprule\n"
                            "agent & runs & mean $\\pm$ 95\\% & min, max \\\\\n\\midrule\n"
                            "r-max & 20 & 1206 $\\pm$ 14 & 1132 \\ldots{} 1254 \\\\\n");
  CHECK_CONTAINS(out.bytes, "\\bottomrule\n\\end{tabular}");
  CHECK_CONTAINS(out.bytes, "Few runs \\& 100\\% luck.");
  far_buffer_free(&out);
  far_report_free(r);
}

/* The word before the methods takes its part of the first line. */
static void test_wrapping(void) {
  far_report *r;
  CHECK(far_report_create(&r, "test", NULL) == FAR_OK);
  far__report_methods(r, "%s",
                      "1234567890 1234567890 1234567890 1234567890 1234567890 1234567890 "
                      "12345 next");
  far_buffer out = rendered(r, far_render_def_default());
  CHECK_CONTAINS(out.bytes, "Methods: 1234567890 ");
  CHECK_CONTAINS(out.bytes, "1234567890\n12345 next\n");
  far_buffer_free(&out);
  far_report_free(r);
}

/* What people see of a spec is not what programs read. */
static void test_spec_as(void) {
  far_report *r;
  CHECK(far_report_create(&r, "test", NULL) == FAR_OK);
  far_table *t = far__report_table(r, "cells");
  far__table_column(t, "agent", "agent", FAR__COLUMN_SPEC);
  far__table_row(t);
  far__table_spec_as(t, "dqn", "dqn:lr=0.1", "%s †", "dqn");
  far_buffer text = rendered(r, far_render_def_default());
  CHECK_CONTAINS(text.bytes, "dqn †\n");
  far_buffer_free(&text);
  far_buffer csv = rendered(r, (far_render_def){.format = FAR_REPORT_CSV});
  CHECK_TEXT(csv.bytes, "agent,agent_spec,agent.lr\ndqn,dqn:lr=0.1,0.1\n");
  far_buffer_free(&csv);
  far_report_free(r);
}

static void test_csv(void) {
  far_report *r = small_report();
  far_render_def def = {.format = FAR_REPORT_CSV};
  far_buffer out = rendered(r, def);
  CHECK_TEXT(out.bytes,
             "env,agent,agent_spec,agent.gamma,agent.m,agent.eps,runs,mean,mean_low,mean_high,"
             "span_low,span_high\n"
             "\"chain, \"\"long\"\"\",r-max,\"r-max:gamma=0.95,m=20\",0.95,20,,20,1205.5,1191.5,"
             "1219.5,1132,1254\n"
             "\"chain, \"\"long\"\"\",q|x,\"q-learning:eps=0.1,gamma=0.9\",0.9,,0.1,3,,,,,\n");
  far_buffer_free(&out);
  far_error error;
  def.table = "cell";
  CHECK(far_report_render(r, &def, far_sink_buffer(&out), &error) == FAR_STATUS_UNKNOWN);
  CHECK_TEXT(error.message, "no table 'cell'; there are: cells");
  CHECK(out.bytes == NULL);
  CHECK_TEXT(far_report_table_name(r, 0), "cells");
  CHECK(far_report_table_name(r, 1) == NULL);
  far_report_free(r);
}

/* Counts keep every digit, also those that no double has. */
static void test_large_counts(void) {
  far_report *r;
  CHECK(far_report_create(&r, "try", NULL) == FAR_OK);
  far_table *t = far__report_table(r, "t");
  far__table_column(t, "n", "n", FAR__COLUMN_COUNT);
  far__table_row(t);
  far__table_count(t, INT64_C(9007199254740993));
  far__table_row(t);
  far__table_count(t, 1000000);
  far_render_def def = {.format = FAR_REPORT_CSV};
  far_buffer out = rendered(r, def);
  CHECK_TEXT(out.bytes, "n\n9007199254740993\n1000000\n");
  far_buffer_free(&out);
  def.format = FAR_REPORT_JSON;
  out = rendered(r, def);
  CHECK_CONTAINS(out.bytes, "{\"n\":\"9007199254740993\"}");
  CHECK_CONTAINS(out.bytes, "{\"n\":1000000}");
  far_buffer_free(&out);
  far_report_free(r);
}

static void write_seed(const void *user, far__json *j) {
  far__json_integer(j, "seed", *(const uint64_t *)user);
}

static void write_cells(const void *user, far__json *j) {
  (void)user;
  far__json_array(j, "cells");
  far__json_end(j);
}

static void test_json(void) {
  far_report *r = small_report();
  far_buffer out = rendered(r, (far_render_def){.format = FAR_REPORT_JSON});
  CHECK_CONTAINS(out.bytes, "\"command\":\"test\",\"stopped\":false,\"tables\":{\"cells\":[\n");
  CHECK_CONTAINS(out.bytes, "{\"env\":\"chain, \\\"long\\\"\",\"agent\":\"r-max\",\"agent_spec\":"
                            "\"r-max:gamma=0.95,m=20\",\"runs\":20,\"mean\":{\"value\":1205.5,");
  CHECK_CONTAINS(out.bytes, "\"mean\":{\"value\":null,\"low\":null,\"high\":null}");
  CHECK_CONTAINS(out.bytes,
                 "\"notes\":[\n {\"kind\":\"caveat\",\"text\":\"Few runs & 100% luck.\"}]");
  CHECK_CONTAINS(out.bytes, ",\"methods\":\"Student's intervals.\"}\n");
  far_buffer_free(&out);

  uint64_t seed = UINT64_MAX;
  far__report_data_by(r, write_seed, far__report_copy(r, &seed, sizeof seed));
  seed = 0; /* the report's own is as it was */
  far__report_data_by(r, write_cells, NULL);
  far__report_stopped(r);
  out = rendered(r, (far_render_def){.format = FAR_REPORT_JSON});
  CHECK_CONTAINS(out.bytes,
                 "\"stopped\":true,\"seed\":\"18446744073709551615\",\"cells\":[],\"notes\":");
  CHECK(strstr(out.bytes, "tables") == NULL);
  far_buffer_free(&out);
  far_report_free(r);
}

static void write_late(const void *user, far__json *j) {
  far__json_text(j, "late", user);
}

/* Data that are written before what they are of goes: once, and as they were then. */
static void test_settled(void) {
  far_report *r;
  char text[] = "data";
  CHECK(far_report_create(&r, "test", NULL) == FAR_OK);
  far__report_data_by(r, write_late, text);
  far__report_settle(r);
  text[0] = 'D';
  far__report_settle(r);
  far_buffer out = rendered(r, (far_render_def){.format = FAR_REPORT_JSON});
  CHECK_CONTAINS(out.bytes, "\"stopped\":false,\"late\":\"data\",\"notes\":[]");
  far_buffer_free(&out);
  far_report_free(r);
}

/* A drawing for people, a text for programs alone, and data that are written when they are asked for. */
static void test_drawing(void) {
  far_report *r;
  CHECK(far_report_create(&r, "test", NULL) == FAR_OK);
  far__report_drawing(r, "map", "│ ↑ │\n│ G │\n", "The %s.", "map");
  far_table *t = far__report_table(r, "names");
  far__table_column(t, "name", "name", FAR__COLUMN_TEXT);
  far__table_row(t);
  far__table_text_as(t, "long name", "lo…");
  far__report_data_by(r, write_late, "data");
  far_render_def def = far_render_def_default();
  def.ascii = true;
  far_buffer out = rendered(r, def);
  CHECK_CONTAINS(out.bytes, "| ^ |\n");
  CHECK_CONTAINS(out.bytes, "lo...");
  far_buffer_free(&out);
  out = rendered(r, (far_render_def){.format = FAR_REPORT_MARKDOWN});
  CHECK_CONTAINS(out.bytes, "│ ↑ │\n");
  far_buffer_free(&out);
  out = rendered(r, (far_render_def){.format = FAR_REPORT_CSV});
  CHECK_TEXT(out.bytes, "name\nlong name\n");
  far_buffer_free(&out);
  for (int i = 0; i < 2; ++i) {
    out = rendered(r, (far_render_def){.format = FAR_REPORT_JSON});
    CHECK_CONTAINS(out.bytes, "\"stopped\":false,\"late\":\"data\",\"notes\":[]");
    far_buffer_free(&out);
  }
  far_report_free(r);
}

/* Nothing that a terminal would obey, no line break within a row, one text of methods. */
static void test_hostile(void) {
  far_report *r;
  CHECK(far_report_create(&r, "test", NULL) == FAR_OK);
  far_table *t = far__report_table(r, "names");
  far__table_column(t, "name", "name", FAR__COLUMN_TEXT);
  far__table_row(t);
  far__table_text(t, "a\033[2J\nb\xff");
  far__report_methods(r, "One.");
  far__report_methods(r, "Two.");
  far_buffer out = rendered(r, far_render_def_default());
  CHECK_CONTAINS(out.bytes, "  a?[2J b?\n");
  far_buffer_free(&out);
  out = rendered(r, (far_render_def){.format = FAR_REPORT_MARKDOWN});
  CHECK(strstr(out.bytes, "\nb") == NULL);
  far_buffer_free(&out);
  out = rendered(r, (far_render_def){.format = FAR_REPORT_LATEX});
  CHECK(strstr(out.bytes, "\nb") == NULL);
  far_buffer_free(&out);
  out = rendered(r, (far_render_def){.format = FAR_REPORT_JSON});
  CHECK_CONTAINS(out.bytes, "\"methods\":\"One. Two.\"}");
  far_buffer_free(&out);
  far_report_free(r);
}

static bool refuse(void *user, const char *bytes, size_t length) {
  (void)bytes;
  *(size_t *)user += length;
  return false;
}

static void test_sinks(void) {
  far_report *r = small_report();
  far_error error;
  size_t asked = 0;
  const far_render_def def = far_render_def_default();
  CHECK(far_report_render(r, &def, (far_sink){refuse, &asked}, &error) == FAR_STATUS_IO);
  CHECK(asked > 0);
  FILE *file = tmpfile();
  CHECK(far_report_render(r, &def, far_sink_file(file), &error) == FAR_OK);
  CHECK(ftell(file) == (long)asked);
  fclose(file);
  /* what does not fit is dropped, and rows need columns */
  far_table *t = far__report_table(r, "bad");
  far__table_row(t);
  far__table_text(t, "lost");
  CHECK(far__report_status(r, &error) == FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "rows before its columns");
  CHECK(far_report_render(r, &def, far_sink_buffer(&(far_buffer){0}), &error) ==
        FAR_STATUS_CONFLICT);
  far_report_free(r);
}

static void test_numbers(void) {
  static const struct {
    double value, half;
    const char *text;
  } cases[] = {
      {7273, 14, "7273 ± 14"},
      {0.0123, 0.0014, "0.0123 ± 0.0014"},
      {5, NAN, "5"},
      {NAN, 1, "–"},
      {3, 0, "3 ± 0"},
      {1e16, 1e10, "1e+16 ± 1e+10"},
      {96.01, 7.3, "96.0 ± 7.3"},
  };
  far__brief text;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    text = far__brief_interval(cases[i].value, cases[i].half);
    CHECK_TEXT(text.text, cases[i].text);
  }
  text = far__brief_real(123456);
  CHECK_TEXT(text.text, "123456");
  CHECK(far__interval_digits(14) == 0 && far__interval_digits(1.4) == 1);
  CHECK_TEXT(far_report_format_name(FAR_REPORT_LATEX), "latex");
  CHECK(far_report_format_name((far_report_format)6) == NULL);
}

/* A comma parts thousands, so it never is the sign before a fraction. */
static void test_locale(void) {
  far__brief text;
  set_decimal_comma();
  text = far__brief_real(1.234);
  CHECK_TEXT(text.text, "1.234");
  text = far__brief_interval(12.5, 0.25);
  CHECK_TEXT(text.text, "12.50 ± 0.25");
  text = far__brief_interval(0.5, 0);
  CHECK_TEXT(text.text, "0.5 ± 0");
  text = far__brief_p(0.05);
  CHECK_TEXT(text.text, "0.050");
  text = far__brief_seconds(9000);
  CHECK_TEXT(text.text, "2.5 h");
  text = far__brief_bytes(1234);
  CHECK_TEXT(text.text, "1.2 kB");
  setlocale(LC_ALL, "C");
}

static void test_ascii(void) {
  char out[64];
  CHECK(far__ascii(out, "ε ≤ 1 ± 0.5…\xff", strlen("ε ≤ 1 ± 0.5…\xff")) == strlen(out));
  CHECK_TEXT(out, "eps <= 1 +/- 0.5...?");
}

/* What a terminal would obey: escapes, both ranges of controls, turns of direction, broken UTF-8. */
static void test_printable(void) {
  char text[64] = "a\x1b[31m\tb\nε\xc2\x9b\xe2\x80\xae\x7f\xff";
  CHECK(far__printable(text, text, strlen(text)) == strlen(text));
  CHECK_TEXT(text, "a?[31m b\nε????");
}

/* ---- JSON ---- */

static void test_writer(void) {
  far_buffer out = {0};
  far__json j;
  far__json_begin(&j, far_sink_buffer(&out));
  far__json_object(&j, NULL);
  far__json_text(&j, "a\"", "tab\there \xff");
  far__json_null(&j, "n");
  far__json_array(&j, "x");
  far__json_real(&j, NULL, 0.1);
  far__json_real(&j, NULL, INFINITY);
  far__json_object(&j, NULL);
  far__json_flag(&j, "yes", true);
  far__json_end(&j);
  far__json_end(&j);
  far__json_raw(&j, "raw", "[1]", 3);
  far__json_end(&j);
  far__json_end(&j); /* one too many does nothing */
  CHECK(!j.failed);
  CHECK_TEXT(out.bytes, "{\"a\\\"\":\"tab\\u0009here \\ufffd\",\"n\":null,\"x\":[0.1,null,\n "
                        "{\"yes\":true}],\"raw\":[1]}");
  far_buffer_free(&out);
  far__json_begin(&j, far_sink_buffer(&out));
  for (int i = 0; i < 100; ++i) far__json_array(&j, NULL);
  CHECK(j.failed);
  far_buffer_free(&out);
}

static void test_reader(void) {
  far__json_document d;
  char good[] = "{\"cmd\":\"step\",\"action\":2,\"list\":[1,true]} ";
  CHECK(far__json_read(&d, good, strlen(good)));
  const far__json_value *action = far__json_member(&d, &d.values[0], "action");
  CHECK(action != NULL && action->kind == FAR__JSON_NUMBER && action->number == 2);
  CHECK(far__json_member(&d, &d.values[0], "absent") == NULL);
  CHECK(far__json_member(&d, action, "absent") == NULL);
  static const char *const bad[] = {"",    "{",        "[1,]",      "{\"a\":1,\"a\":2}",
                                    "01",  "\"\\q\"",  "nul",       "[[[[[[[[[1]]]]]]]]]",
                                    "1 2", "\"\x01\"", "{\"a\" 1}", "\"open"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    char text[64];
    strcpy(text, bad[i]);
    CHECK(!far__json_read(&d, text, strlen(text)));
    CHECK(d.error[0] != '\0');
  }
}

static void test_brief(void) {
  far__brief text;
  static const struct {
    int64_t n;
    const char *text;
  } counts[] = {{0, "0"}, {999, "999"}, {1000, "1,000"}, {-1234567, "-1,234,567"}, {-999, "-999"}};
  static const struct {
    double x;
    const char *text;
  } seconds[] = {{0, "0 s"},     {40, "40 s"},    {119, "119 s"},
                 {120, "2 min"}, {7200, "2.0 h"}, {4e5, "4.6 days"}},
    bytes[] = {{0, "0.0 kB"}, {8200, "8.2 kB"}, {37e6, "37 MB"}, {4e15, "4000 TB"}},
    ps[] = {{1, "1.00"},         {0.34, "0.34"},  {0.0341, "0.034"},
            {0.00341, "0.0034"}, {0, "< 0.0001"}, {NAN, "–"}};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
    text = far__brief_count(counts[i].n);
    CHECK_TEXT(text.text, counts[i].text);
  }
  for (size_t i = 0; i < sizeof seconds / sizeof *seconds; ++i) {
    text = far__brief_seconds(seconds[i].x);
    CHECK_TEXT(text.text, seconds[i].text);
  }
  for (size_t i = 0; i < sizeof bytes / sizeof *bytes; ++i) {
    text = far__brief_bytes(bytes[i].x);
    CHECK_TEXT(text.text, bytes[i].text);
  }
  for (size_t i = 0; i < sizeof ps / sizeof *ps; ++i) {
    text = far__brief_p(ps[i].x);
    CHECK_TEXT(text.text, ps[i].text);
  }
}

/* People see a p-value shortened, programs as it is. */
static void test_p(void) {
  far_report *r;
  CHECK(far_report_create(&r, "test", NULL) == FAR_OK);
  far_table *t = far__report_table(r, "tests");
  far__table_column(t, "p", "p", FAR__COLUMN_REAL);
  far__table_row(t);
  far__table_p(t, 0.03125);
  far__table_row(t);
  far__table_p(t, NAN);
  far_render_def def = far_render_def_default();
  far_buffer text = rendered(r, def);
  def.format = FAR_REPORT_CSV;
  far_buffer csv = rendered(r, def);
  CHECK_CONTAINS(text.bytes, "0.031\n");
  CHECK_CONTAINS(text.bytes, "–\n");
  CHECK_CONTAINS(csv.bytes, "0.03125\n");
  far_buffer_free(&text);
  far_buffer_free(&csv);
  far_report_free(r);
}

/* A table of hidden columns is for programs: people see no trace of it. */
static void test_hidden_table(void) {
  far_report *r;
  CHECK(far_report_create(&r, "test", NULL) == FAR_OK);
  far__report_paragraph(r, "before");
  far_table *t = far__report_table(r, "trials");
  far__table_column(t, "score", NULL, FAR__COLUMN_REAL);
  far__table_row(t);
  far__table_real(t, 0.5);
  far__report_paragraph(r, "after");
  static const char *const expected[] = {"before\n\nafter\n", "before\n\nafter\n", NULL,
                                         "score\n0.5\n",
                                         "% needs \\usepackage{booktabs}\n\nbefore\n\nafter\n"};
  for (int f = 0; far_report_format_name((far_report_format)f) != NULL; ++f) {
    far_render_def def = far_render_def_default();
    def.format = (far_report_format)f;
    far_buffer out = rendered(r, def);
    if (f == FAR_REPORT_HTML)
      CHECK(strstr(out.bytes, "score") == NULL && strstr(out.bytes, "<p>after</p>") != NULL);
    else if (expected[f] != NULL)
      CHECK_TEXT(out.bytes, expected[f]);
    else
      CHECK_CONTAINS(out.bytes, "\"score\":0.5");
    far_buffer_free(&out);
  }
  far_report_free(r);
}

static void test_wrap(void) {
  static const char words[] = "äöü are  three\nand longest-of-all";
  far_buffer out = {0};
  CHECK(far__text_wrap(far_sink_buffer(&out), words, strlen(words), 4, 2, 14));
  CHECK_TEXT(out.bytes, "äöü are\n  three and\n  longest-of-all\n");
  CHECK(far__text_width(words, strlen(words)) == (int)strlen(words) - 3);
  far_buffer_free(&out);
}

static void test_entries(void) {
  far_report *r;
  far_render_def def = far_render_def_default();
  CHECK(far_report_create(&r, "test", NULL) == FAR_OK);
  far__report_list(r, "Keys:");
  far__report_entry(r, "m",
                    "samples after which a pair is known, which is a long text that needs two "
                    "lines\nat least 1");
  far__report_entry(r, "a term that is long", "its text");
  far__report_entry(r, "alone", "%s", "");
  far_buffer out = rendered(r, def);
  CHECK_TEXT(out.bytes,
             "Keys:\n"
             "  m            samples after which a pair is known, which is a long text that\n"
             "               needs two lines\n"
             "                 at least 1\n"
             "  a term that is long\n"
             "      its text\n"
             "  alone\n");
  far_buffer_free(&out);
  def.format = FAR_REPORT_MARKDOWN;
  out = rendered(r, def);
  CHECK_CONTAINS(out.bytes, "Keys:\n\n- **m** samples after");
  CHECK_CONTAINS(out.bytes,
                 "two lines; at least 1\n- **a term that is long** its text\n- **alone**");
  far_buffer_free(&out);
  def.format = FAR_REPORT_LATEX;
  out = rendered(r, def);
  CHECK_CONTAINS(out.bytes, "\\par\\textbf{a term that is long}\nits text\n");
  far_buffer_free(&out);
  far_report_free(r);
}

static void count_free(void *object) {
  *(int *)object += 1;
}

/* Objects that a report keeps are freed with it, once, and not before. */
static void test_kept(void) {
  int freed[2] = {0, 0};
  far_report *r;
  CHECK(far_report_create(&r, "report", NULL) == FAR_OK);
  far__report_keep(r, &freed[0], count_free);
  far__report_keep(r, &freed[1], count_free);
  CHECK(freed[0] == 0 && freed[1] == 0);
  far_report_free(r);
  CHECK(freed[0] == 1 && freed[1] == 1);
}

int main(void) {
  test_kept();
  test_hidden_table();
  test_brief();
  test_p();
  test_text();
  test_narrow();
  test_narrow_text();
  test_markdown();
  test_markdown_prose();
  test_latex();
  test_csv();
  test_large_counts();
  test_spec_as();
  test_wrapping();
  test_wrap();
  test_entries();
  test_json();
  test_settled();
  test_drawing();
  test_hostile();
  test_sinks();
  test_numbers();
  test_locale();
  test_ascii();
  test_printable();
  test_writer();
  test_reader();
  return check_report();
}
