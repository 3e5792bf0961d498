#include "base/shorten.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ELLIPSIS[] = "…";
enum { MOST_COMPARED = 2000 }; /* labels; in longer lists every cut label ends in its number */

typedef struct shortener {
  char **out;
  const char *const *labels;
  size_t n;
  double width;
  far__width_fn *measure;
  const void *user;
} shortener;

static double width_of(const shortener *s, const char *text, size_t length) {
  return s->measure(text, length, s->user);
}

static bool continues(char byte) {
  return ((unsigned char)byte & 0xc0) == 0x80;
}

/* How many bytes of whole characters, from the left, fit into a width. */
static size_t left_within(const shortener *s, const char *text, size_t length, double width) {
  size_t at = 0;
  while (at < length) {
    size_t next = at + 1;
    while (next < length && continues(text[next])) ++next;
    if (width_of(s, text, next) > width) break;
    at = next;
  }
  return at;
}

/* Where the longest end of the text begins that fits into a width. */
static size_t right_within(const shortener *s, const char *text, size_t length, double width) {
  size_t at = length;
  while (at > 0) {
    size_t before = at - 1;
    while (before > 0 && continues(text[before])) --before;
    if (width_of(s, text + before, length - before) > width) break;
    at = before;
  }
  return at;
}

/* Does a key or word begin at `at`? */
static bool begins(const char *text, size_t at) {
  const size_t mark = strlen(ELLIPSIS);
  return at == 0 || strchr(":, ", text[at - 1]) != NULL ||
         (at >= mark && strncmp(text + at - mark, ELLIPSIS, mark) == 0);
}

/* Where the next key or word begins, if that is near; else `at`. */
static size_t next_word(const shortener *s, const char *text, size_t at, double room) {
  size_t word = at;
  while (text[word] != '\0' && !begins(text, word)) ++word;
  return text[word] != '\0' && width_of(s, text + at, word - at) <= 0.6 * room ? word : at;
}

/* Skips an ellipsis at `at`, in a label that was cut before. */
static size_t behind_ellipsis(const char *label, size_t at) {
  const size_t mark = strlen(ELLIPSIS);
  return strncmp(label + at, ELLIPSIS, mark) == 0 ? at + mark : at;
}

/* The label cut to its beginning, an ellipsis, its part from `from` on, and `behind`; NULL without memory. */
static char *cut(const shortener *s, const char *label, size_t from, const char *behind) {
  const size_t length = strlen(label), mark = strlen(ELLIPSIS);
  const double e = width_of(s, ELLIPSIS, mark);
  const double all = s->width - e - width_of(s, behind, strlen(behind));
  const size_t head = left_within(s, label, length, 0.4 * all);
  const double room = all - width_of(s, label, head);
  const size_t end =
      behind_ellipsis(label, next_word(s, label, right_within(s, label, length, room), room));
  if (from < length) from = behind_ellipsis(label, from);
  const bool within = from < end; /* then something is left out behind it, too */
  const size_t begin = within ? from : end;
  const size_t shown =
      within ? left_within(s, label + begin, length - begin, room - e) : length - begin;
  const size_t size = head + shown + 2 * mark + strlen(behind) + 1;
  char *out = malloc(size);
  if (out != NULL)
    snprintf(out, size, "%.*s%s%.*s%s%s", (int)head, label, ELLIPSIS, (int)shown, label + begin,
             within ? ELLIPSIS : "", behind);
  return out;
}

static size_t common(const char *a, const char *b) {
  size_t n = 0;
  while (a[n] != '\0' && a[n] == b[n]) ++n;
  while (n > 0 && continues(a[n])) --n;
  return n;
}

/* Where label i begins to differ from all that look like it, or where the key or word of that place begins; SIZE_MAX
 * if no label looks like it. */
static size_t difference(const shortener *s, size_t i) {
  size_t most = SIZE_MAX;
  for (size_t j = 0; j < s->n; ++j) {
    if (s->out[j] == NULL || strcmp(s->out[i], s->out[j]) != 0) continue;
    if (strcmp(s->labels[i], s->labels[j]) == 0) continue; /* the same, or itself */
    const size_t n = common(s->labels[i], s->labels[j]);
    if (most == SIZE_MAX || n > most) most = n;
  }
  if (most == SIZE_MAX) return most;
  const char *label = s->labels[i];
  size_t from = most;
  while (!begins(label, from)) --from;
  return width_of(s, label + from, most - from) <= 0.4 * s->width ? from : most;
}

/* Cuts labels that look like others again: around their difference or, if numbered, with their number. */
static bool tell_apart(shortener *s, bool numbered) {
  char **again = calloc(s->n + 1, sizeof *again);
  bool good = again != NULL;
  for (size_t i = 0; good && i < s->n; ++i) {
    const size_t from = s->out[i] != NULL ? difference(s, i) : SIZE_MAX;
    char number[32] = "";
    if (from == SIZE_MAX) continue;
    if (numbered) snprintf(number, sizeof number, " #%zu", i + 1);
    again[i] = cut(s, s->labels[i], numbered ? SIZE_MAX : from, number);
    good = again[i] != NULL;
  }
  for (size_t i = 0; again != NULL && i < s->n; ++i) {
    if (again[i] == NULL) continue;
    free(s->out[i]);
    s->out[i] = again[i];
  }
  free(again);
  return good;
}

bool far__shorten(char **out, const char *const *labels, size_t n, double width,
                  far__width_fn *measure, const void *user) {
  shortener s = {out, labels, n, width, measure, user};
  bool good = true;
  for (size_t i = 0; i < n; ++i) {
    char number[32] = "";
    out[i] = NULL;
    if (!good || width_of(&s, labels[i], strlen(labels[i])) <= width) continue;
    if (n > MOST_COMPARED) snprintf(number, sizeof number, " #%zu", i + 1);
    out[i] = cut(&s, labels[i], SIZE_MAX, number);
    good = out[i] != NULL;
  }
  if (good && n <= MOST_COMPARED) good = tell_apart(&s, false) && tell_apart(&s, true);
  for (size_t i = 0; !good && i < n; ++i) {
    free(out[i]);
    out[i] = NULL;
  }
  return good;
}
