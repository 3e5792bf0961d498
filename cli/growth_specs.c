/* The sizes of `farsight growth`. */
#include "growth.h"

#include <string.h>

#include "memory.h"

/* ---- sizes ---- */

/* first, last and step of "7", "5..20" or "5..20:5" */
static bool read_range(const char *text, size_t length, int64_t range[3]) {
  const char *end = text + length, *dots = NULL, *colon = NULL;
  for (const char *p = text; p < end; ++p) {
    if (dots == NULL && end - p > 1 && p[0] == '.' && p[1] == '.') dots = p;
    if (*p == ':') colon = p;
  }
  range[2] = 1;
  if (dots == NULL) {
    const bool good = far_integer_parse(text, length, &range[0]);
    range[1] = range[0];
    return good;
  }
  const char *stop = colon != NULL ? colon : end;
  if (!far_integer_parse(text, (size_t)(dots - text), &range[0])) return false;
  if (stop < dots + 2 || !far_integer_parse(dots + 2, (size_t)(stop - dots - 2), &range[1]))
    return false;
  return colon == NULL || far_integer_parse(colon + 1, (size_t)(end - colon - 1), &range[2]);
}

static bool add_range(growth_study *study, const arguments *args, const int64_t range[3]) {
  for (int64_t n = range[0]; n <= range[1]; n += range[2]) {
    if (study->n_sizes == MOST_SIZES) {
      usage_error(args, "--sizes: more than %d sizes", MOST_SIZES);
      return false;
    }
    if (study->n_sizes > 0 && n <= study->sizes[study->n_sizes - 1]) {
      usage_error(args, "--sizes: %lld after %lld; sizes must grow", (long long)n,
                  (long long)study->sizes[study->n_sizes - 1]);
      return false;
    }
    study->sizes[study->n_sizes++] = n;
  }
  return true;
}

bool growth_read_sizes(growth_study *study, const arguments *args) {
  const int64_t most = (int64_t)1 << 40;
  const char *text = args_text(args, "sizes", 0);
  if (text == NULL) {
    usage_error(args, "no sizes are given, as in --sizes 5,10,20,40 or --sizes 5..50:5");
    return false;
  }
  for (const char *p = text;; ++p) {
    const size_t length = strcspn(p, ",");
    int64_t range[3];
    if (!read_range(p, length, range) || range[0] < 1 || range[1] < range[0] || range[1] > most ||
        range[2] < 1 || range[2] > most) {
      usage_error(args, "--sizes: '%.*s' must be a size (20) or a range (5..50 or 5..50:5)",
                  (int)length, p);
      return false;
    }
    if (!add_range(study, args, range)) return false;
    p += length;
    if (*p == '\0') return true;
  }
}
