/* Frames: where text goes, how hostile text is tamed, and what is shown without colours. */
#include "../../cli/frame.c"

#include "check.h"

/* ---- what frame.c needs of the rest of the command ---- */

void *room_for(size_t count, size_t size) {
  return calloc(count + 1, size);
}

/* A row as UTF-8, blanks at its end left out. */
static const char *row(const frame *f, int y) {
  static char out[1000];
  size_t used = 0, end = 0;
  for (int x = 0; x < f->columns; ++x) {
    const uint32_t code = f->cells[y * f->columns + x].code;
    char bytes[5];
    if (code == 0) continue;
    const size_t n = frame_utf8(bytes, code);
    memcpy(out + used, bytes, n);
    used += n;
    if (code != ' ') end = used;
  }
  out[end] = '\0';
  return out;
}

static const char *put(int x, int width, const char *text) {
  static frame *f;
  frame_free(f);
  f = frame_create(10, 2);
  frame_put(f, x, 0, width, STYLE_PLAIN, text);
  return row(f, 0);
}

static void test_text(void) {
  CHECK_TEXT(put(0, 10, "abc"), "abc");
  CHECK_TEXT(put(7, 10, "abc"), "       abc");
  CHECK_TEXT(put(7, 10, "abcd"), "       ab…"); /* the frame's edge */
  CHECK_TEXT(put(0, 3, "abcd"), "ab…");
  CHECK_TEXT(put(-2, 10, "abcd"), "cd");
  CHECK_TEXT(put(0, 0, "abcd"), "");
  CHECK_TEXT(put(12, 5, "abcd"), "");
}

static void test_hostile(void) {
  CHECK_TEXT(put(0, 10, "a\033[31mb"), "a�[31mb");
  CHECK_TEXT(put(0, 10, "a\nb\tc\x7f"), "a�b�c�");
  CHECK_TEXT(put(0, 10, "\xff\xc3z\xe4\xb8"), "��z��");
  CHECK_TEXT(put(0, 10, "\xc0\x80\xed\xa0\x80x"), "���x"); /* overlong; half of a pair */
  CHECK_TEXT(put(0, 10, "e\u0301\u202ea\u200bb"), "eab");  /* marks and directions go */
  CHECK(frame_width("e\u0301\u202ea") == 2 && frame_width("日本") == 4 && frame_width("") == 0);
}

static void test_wide(void) {
  frame *f = frame_create(5, 1);
  CHECK(frame_put(f, 0, 0, 5, STYLE_PLAIN, "日本語") == 5);
  CHECK_TEXT(row(f, 0), "日本…");
  frame_set(f, 1, 0, STYLE_PLAIN, 'x'); /* half of a character: the other half goes, too */
  CHECK_TEXT(row(f, 0), " x本…");
  frame_set(f, 2, 0, STYLE_PLAIN, 'y');
  CHECK_TEXT(row(f, 0), " xy …");
  frame_set(f, 4, 0, STYLE_PLAIN, 0x65e5); /* no room for it */
  CHECK_TEXT(row(f, 0), " xy");
  CHECK(f->cells[4].code == ' ');
  frame_free(f);
}

static void test_right_and_lines(void) {
  frame *f = frame_create(10, 3);
  CHECK(frame_put_right(f, 1, 0, 6, STYLE_PLAIN, "12") == 2);
  CHECK_TEXT(row(f, 0), "     12");
  frame_put_right(f, 1, 1, 3, STYLE_PLAIN, "12345");
  CHECK_TEXT(row(f, 1), " 12…");
  CHECK(frame_used_rows(f) == 2);
  CHECK(frame_say(f, 8, 2, STYLE_PLAIN, "%d", 1234) == 2);
  CHECK_TEXT(row(f, 2), "        1…");
  frame_line(f, 8, 0, 9, STYLE_DIM, '-');
  CHECK_TEXT(row(f, 0), "     12 --");
  frame_clear(f);
  CHECK(frame_used_rows(f) == 0);
  frame_free(f);
}

static void test_heat(void) {
  CHECK(heat_of(0, 0, 1) == 1 && heat_of(1, 0, 1) == N_HEATS && heat_of(0.5, 0, 1) == 5);
  CHECK(heat_of(2, 0, 1) == N_HEATS && heat_of(-1, 0, 1) == 0 && heat_of(NAN, 0, 1) == 0);
  CHECK(heat_of(1, 1, 1) == 0);
  unsigned before = 0; /* more heat is never a lighter shade */
  for (unsigned h = 1; h <= N_HEATS; ++h) {
    const frame_cell cell = {' ', STYLE_HEAT(h)};
    const uint32_t shade = frame_shown(&cell, false, false);
    const unsigned level = shade == ' ' ? 0 : shade == 0x2588 ? 4 : shade - 0x2590;
    CHECK(level >= before);
    before = level;
    CHECK(frame_shown(&cell, true, false) == ' ');
    CHECK(frame_shown(&cell, false, true) < 0x80);
  }
  CHECK(before == 4);
  const frame_cell number = {' ', STYLE_HEAT(9) | STYLE_NO_SHADE}, letter = {'a', STYLE_HEAT(9)};
  CHECK(frame_shown(&number, false, false) == ' ' && frame_shown(&letter, false, false) == 'a');
}

static void test_ascii(void) {
  for (uint32_t code = 0x80; code < 0x3000; ++code) {
    const frame_cell cell = {code, STYLE_PLAIN};
    const uint32_t shown = frame_shown(&cell, true, true);
    CHECK(shown >= ' ' && shown < 0x7f);
  }
}

int main(void) {
  test_text();
  test_hostile();
  test_wide();
  test_right_and_lines();
  test_heat();
  test_ascii();
  return check_report();
}
