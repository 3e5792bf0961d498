/* Labels that are cut to a width: within it, distinct, at whole characters. */
#include "base/shorten.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "check.h"

static double columns(const char *text, size_t length, const void *user) {
  (void)user;
  return far__text_width(text, length);
}

static bool is_utf8(const char *text) {
  for (size_t at = 0, n; text[at] != '\0'; at += n) {
    n = far__utf8_length(text + at, strlen(text + at));
    if (n == 0) return false;
  }
  return true;
}

/* The labels as they are shown, joined by |; all of them within the width and distinct. */
static const char *shortened(const char *const *labels, size_t n, int width) {
  static char out[2000];
  char *cut[16];
  out[0] = '\0';
  CHECK(far__shorten(cut, labels, n, width, columns, NULL));
  for (size_t i = 0; i < n; ++i) {
    const char *shown = cut[i] != NULL ? cut[i] : labels[i];
    CHECK(far__text_width(shown, strlen(shown)) <= width && is_utf8(shown));
    for (size_t j = 0; j < i; ++j)
      CHECK(cut[i] == NULL || cut[j] == NULL || strcmp(cut[i], cut[j]) != 0);
    snprintf(out + strlen(out), sizeof out - strlen(out), "%s%s", i > 0 ? "|" : "", shown);
  }
  for (size_t i = 0; i < n; ++i) free(cut[i]);
  return out;
}

#define SHORTENED(width, ...)                                                                      \
  shortened((const char *const[]){__VA_ARGS__},                                                    \
            sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), width)

static void test_where(void) {
  CHECK_TEXT(SHORTENED(10, "short", "as long as"), "short|as long as");
  /* the end tells, at a word or a key */
  CHECK_TEXT(SHORTENED(24, "an agent with a long name 1", "an agent with a long name 2"),
             "an agent …a long name 1|an agent …a long name 2");
  CHECK_TEXT(SHORTENED(20, "q-learning:alpha=0.1,epsilon=0.1,q0=1",
                       "q-learning:alpha=0.1,epsilon=0.1,q0=2"),
             "q-learn…lon=0.1,q0=1|q-learn…lon=0.1,q0=2");
  /* the middle tells */
  CHECK_TEXT(SHORTENED(24, "abc:first=1,key=5,last=2,end=100000000",
                       "abc:first=1,key=6,last=2,end=100000000"),
             "abc:first…key=5,last=2,…|abc:first…key=6,last=2,…");
  /* nothing in one window tells */
  CHECK_TEXT(SHORTENED(9, "aaaa1aaaa1aaaa", "aaaa2aaaa1aaaa", "aaaa1aaaa2aaaa", "aaaa2aaaa2aaaa"),
             "aa…aaa #1|aa…aaa #2|aa…aaa #3|aa…aaa #4");
  CHECK_TEXT(SHORTENED(12, "ααααααααααααααααα", "ααααααααααααααααβ"), "αααα…ααααααα|αααα…ααααααβ");
  /* one that was cut before */
  CHECK_TEXT(
      SHORTENED(22, "directed-delayed-q:…m=5,rho=0.001", "directed-delayed-q:…m=6,rho=0.001"),
      "directed…m=5,rho=0.001|directed…m=6,rho=0.001");
}

/* The same label is shown the same. */
static void test_twice(void) {
  const char *const labels[] = {"one word of many words at the end",
                                "another one, which is as long",
                                "one word of many words at the end"};
  char *cut[3];
  CHECK(far__shorten(cut, labels, 3, 16, columns, NULL));
  CHECK_TEXT(cut[0], cut[2]);
  CHECK(strcmp(cut[0], cut[1]) != 0);
  for (int i = 0; i < 3; ++i) free(cut[i]);
}

/* Grids of three parameters, whichever of them differs. */
static void test_grids(void) {
  char texts[8][80];
  const char *labels[8];
  for (int i = 0; i < 8; ++i) {
    snprintf(texts[i], sizeof texts[i], "method:first=%s,second=%s,third=%s",
             i & 1 ? "0.001" : "0.002", i & 2 ? "0.125" : "0.25", i & 4 ? "100000" : "100001");
    labels[i] = texts[i];
  }
  for (int width = 12; width < 50; ++width) shortened(labels, 8, width);
}

/* Of very many each has its number. */
static void test_many(void) {
  enum { N = 3000 };
  static char text[N][64];
  static const char *labels[N];
  static char *cut[N];
  for (int i = 0; i < N; ++i) {
    snprintf(text[i], sizeof text[i], "a long label of which %d is the number among the others", i);
    labels[i] = text[i];
  }
  CHECK(far__shorten(cut, labels, N, 24, columns, NULL));
  CHECK_TEXT(cut[0], "a long l…the others #1");
  CHECK_TEXT(cut[N - 1], "a long…the others #3000");
  for (int i = 0; i < N; ++i) free(cut[i]);
}

int main(void) {
  test_where();
  test_twice();
  test_grids();
  test_many();
  return check_report();
}
