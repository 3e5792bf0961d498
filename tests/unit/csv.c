/* The reader of comma-separated values. */
#include <stdlib.h>

#include "base/csv.h"
#include "check.h"

/* Records as text: fields in brackets, records on lines; or the error. */
static const char *parse(const char *text) {
  static char out[1000];
  far__csv csv;
  far_error error = {.message = ""};
  bool found = true;
  const size_t length = strlen(text);
  char *copy = malloc(length + 1); /* no room for more than it asks for */
  memcpy(copy, text, length);
  far__csv_begin(&csv, "f", copy, length);
  out[0] = '\0';
  while (found) {
    if (far__csv_next(&csv, &found, &error) != FAR_OK) {
      strcpy(out, error.message);
      break;
    }
    for (size_t i = 0; found && i < csv.n_fields; ++i) {
      CHECK(strlen(csv.fields[i].text) == csv.fields[i].length);
      sprintf(out + strlen(out), "[%s]", csv.fields[i].text);
    }
    if (found) strcat(out, "/");
  }
  far__csv_end(&csv);
  free(copy);
  return out;
}

static void test_good(void) {
  CHECK_TEXT(parse(""), "");
  CHECK_TEXT(parse("\n\r\n\n"), "");
  CHECK_TEXT(parse("a"), "[a]/");
  CHECK_TEXT(parse("a,b\nc,d\n"), "[a][b]/[c][d]/");
  CHECK_TEXT(parse("a,b\r\nc,d"), "[a][b]/[c][d]/");
  CHECK_TEXT(parse("a,b\r\nc,d\r"), "[a][b]/[c][d]/");
  CHECK_TEXT(parse(",\n,"), "[][]/[][]/");
  CHECK_TEXT(parse("\xef\xbb\xbf"
                   "a,b\n"),
             "[a][b]/");
  CHECK_TEXT(parse("\"a,b\",\"c\"\"d\"\n"), "[a,b][c\"d]/");
  CHECK_TEXT(parse("\"\",\"\"\"\"\n"), "[][\"]/");
  CHECK_TEXT(parse("\"a\nb\",c\n\nd,e"), "[a\nb][c]/[d][e]/");
  CHECK_TEXT(parse(" a , b \n"), "[ a ][ b ]/");
}

static void test_bad(void) {
  CHECK_TEXT(parse("a,b\nc\n"), "f:2:1: 1 fields; the first line has 2");
  CHECK_TEXT(parse("a,b\n\nc,d,e\n"),
             "f:3:1: 3 fields; the first line has 2; a field with commas must be in quotes");
  CHECK_CONTAINS(parse("a,\"b\n"), "f:1:3: a quoted field does not end");
  CHECK_CONTAINS(parse("a,b\n\"x\ny\",c\"\n"), "f:3:5: a quote within a field");
  CHECK_CONTAINS(parse("\"a\"b,c\n"), "f:1:4: after a closing quote");
  CHECK_CONTAINS(parse("a\rb\n"), "f:1:2: a carriage return without a line feed");
  CHECK_CONTAINS(parse("\""), "f:1:1: a quoted field does not end");
}

static void test_zero(void) {
  far__csv csv;
  far_error error;
  bool found;
  char text[] = "a,b\nc,\0\n";
  far__csv_begin(&csv, "f", text, 8);
  CHECK(far__csv_next(&csv, &found, &error) == FAR_OK && found);
  CHECK(far__csv_next(&csv, &found, &error) == FAR_STATUS_FORMAT && !found);
  CHECK_TEXT(error.message, "f:2:3: a zero byte; the file must be text");
  far__csv_end(&csv);
}

/* Lines that begin with # are records, unless the reader is told that they are remarks. */
static void test_remarks(void) {
  far__csv csv;
  bool found;
  char text[] = "# a, \"remark\nb\r\n\n#\nc\n# the last";
  far__csv_begin(&csv, "f", text, strlen(text));
  csv.remarks = true;
  CHECK(far__csv_next(&csv, &found, NULL) == FAR_OK && found);
  CHECK_TEXT(csv.fields[0].text, "b");
  CHECK(far__csv_next(&csv, &found, NULL) == FAR_OK && found);
  CHECK_TEXT(csv.fields[0].text, "c");
  CHECK(csv.fields[0].line == 5);
  CHECK(far__csv_next(&csv, &found, NULL) == FAR_OK && !found);
  far__csv_end(&csv);
  CHECK_TEXT(parse("#a\nb"), "[#a]/[b]/");
}

int main(void) {
  test_good();
  test_remarks();
  test_bad();
  test_zero();
  return check_report();
}
