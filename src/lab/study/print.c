/* A study as a YAML file: specs in the form of mappings, with the grids as they were given. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "lab/study/spec-grid.h"
#include "lab/study/study.h"
#include "lab/study/tree.h"

/* ---- scalars ---- */

static bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* A number such as 010, which is 8 in YAML 1.1. */
static bool has_zeros(const char *text, size_t length) {
  const size_t at = length > 0 && (text[0] == '-' || text[0] == '+');
  return at + 1 < length && text[at] == '0' && text[at + 1] >= '0' && text[at + 1] <= '9';
}

/* Text that YAML reads as it stands, in lists and mappings too. */
static bool is_plain(const char *text, size_t length) {
  if (far__is_null(text, length) || text[length - 1] == ' ') return false;
  if (has_zeros(text, length)) return false;
  const bool sign = text[0] == '-' || text[0] == '+' || text[0] == '.';
  if (!is_word(text[0]) && !(sign && length > 1 && is_word(text[1]))) return false;
  for (size_t i = 0; i < length; ++i)
    if (!is_word(text[i]) && strchr("._+-/=%@^() ", text[i]) == NULL) return false;
  return true;
}

/* YAML has line breaks and forbidden characters of its own beyond ASCII. */
static bool needs_escape(unsigned long code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029 ||
         code == 0xfeff || code == 0xfffe || code == 0xffff;
}

/* False if the text is no UTF-8. */
static bool add_quoted(far__text *out, const char *text, size_t length) {
  far__text_add(out, "\"", 1);
  for (size_t at = 0; at < length;) {
    const size_t n = far__utf8_length(text + at, length - at);
    if (n == 0) return false;
    const unsigned long code = far__utf8_code(text + at, n);
    if (code == '"' || code == '\\') far__text_add(out, "\\", 1);
    if (needs_escape(code))
      far__text_format(out, "\\u%04lX", code);
    else
      far__text_add(out, text + at, n);
    at += n;
  }
  far__text_add(out, "\"", 1);
  return true;
}

static bool add_scalar(far__text *out, const char *text, size_t length) {
  if (!is_plain(text, length)) return add_quoted(out, text, length);
  far__text_add(out, text, length);
  return true;
}

/* ---- specs ---- */

/* text[at..end) with the spaces around it taken off, as the reader of grids does. */
static bool add_trimmed(far__text *out, const char *text, size_t at, size_t end) {
  while (at < end && text[at] == ' ') ++at;
  while (end > at && text[end - 1] == ' ') --end;
  return add_scalar(out, text + at, end - at);
}

/* The inside of a bracket; one range alone needs no list. */
static bool add_grid(far__text *out, const char *text, size_t at, size_t close) {
  const bool list =
      memchr(text + at, ',', close - at) != NULL || !far__is_range(text + at, close - at);
  if (list) far__text_add(out, "[", 1);
  for (bool first = true; at <= close; first = false) {
    size_t end = at;
    while (end < close && text[end] != ',') ++end;
    if (!first) far__text_add(out, ", ", 2);
    if (!add_trimmed(out, text, at, end)) return false;
    at = end + 1;
  }
  if (list) far__text_add(out, "]", 1);
  return true;
}

static bool add_pair(far__text *out, const char *text, const far__grid_axis *axis) {
  const size_t end = axis->at + axis->length;
  const size_t key = strcspn(text + axis->at, "=");
  far__text_add(out, text + axis->at, key);
  far__text_add(out, ": ", 2);
  if (text[end] == '[') return add_grid(out, text, end + 1, end + strcspn(text + end, "]"));
  return add_scalar(out, text + axis->at + key + 1, axis->length - key - 1);
}

/* Has every pair a key of letters, digits and underscores, as any spec that was checked has? And no
 * value that a mapping would take for a range, as in grid:map=1..3? */
static bool has_keys(const far__grid *grid) {
  for (size_t k = 0; k < grid->n_axes; ++k) {
    const char *key = grid->text + grid->axes[k].at;
    size_t n = 0;
    while (n < grid->axes[k].length && (is_word(key[n]) || key[n] == '_')) ++n;
    if (n == 0 || n == grid->axes[k].length || key[n] != '=') return false;
    const bool grid_value = key[grid->axes[k].length] == '[';
    if (!grid_value && far__is_range(key + n + 1, grid->axes[k].length - n - 1)) return false;
  }
  return grid->n_axes > 0;
}

/* "chain: {n: [10, 20]}", in braces of its own below a name; or the spec itself where it has no keys. */
static bool add_spec(far__text *out, const char *text, const far_type_info *type, bool named) {
  far__grid grid;
  const far_status parsed = far__grid_parse(&grid, text, type, FAR__MOST_SPECS, NULL);
  bool good = parsed == FAR_OK;
  out->failed = out->failed || parsed == FAR_STATUS_MEMORY;
  if (good && (type == NULL || type->bare || !has_keys(&grid))) {
    good = add_scalar(out, text, strlen(text));
  } else if (good) {
    far__text_format(out, "%s%.*s: {", named ? "{" : "", (int)grid.head, text);
    for (size_t k = 0; k < grid.n_axes && good; ++k) {
      if (k > 0) far__text_add(out, ", ", 2);
      good = add_pair(out, text, &grid.axes[k]);
    }
    far__text_add(out, "}}", named ? 2 : 1);
  }
  far__grid_free(&grid);
  return good;
}

/* A line of a list; with a name "- fast: {r-max: {m: 5}}", or "- fast=r-max:m=5" if no such agent is known. */
static bool add_line(far__text *out, const far__specs *specs, size_t i) {
  const char *spec = specs->given[i] + specs->spec_at[i];
  const far_type_info *type = far_spec_type(specs->listing, spec);
  const size_t name = type != NULL ? specs->spec_at[i] : 0;
  if (type == NULL) spec = specs->given[i];
  far__text_add(out, "  - ", 4);
  bool good = name == 0 || add_scalar(out, specs->given[i], name - 1);
  if (name > 0) far__text_add(out, ": ", 2);
  good = good && add_spec(out, spec, type, name > 0);
  far__text_add(out, "\n", 1);
  return good;
}

static bool add_specs(far__text *out, const far__specs *specs) {
  if (specs->n_given == 0) return true;
  far__text_format(out, "%s:\n", specs->what);
  for (size_t i = 0; i < specs->n_given; ++i)
    if (!add_line(out, specs, i)) return false;
  return true;
}

static bool add_text(far__text *out, const char *key, const char *text) {
  if (text == NULL) return true;
  far__text_format(out, "%s: ", key);
  const bool good = add_scalar(out, text, strlen(text));
  far__text_add(out, "\n", 1);
  return good;
}

static far_status refuse_models(const far_study *s, far_error *error) {
  const far__specs *envs = &s->specs[FAR__ENVS];
  size_t i = 0;
  while (i < envs->n_items && s->lent[i] == NULL && s->simulators[i] == NULL) ++i;
  if (i == envs->n_items) return FAR_OK;
  if (s->simulators[i] != NULL)
    return far__fail(error, FAR_STATUS_CONFLICT, -1,
                     "the study cannot be written as YAML: the environment '%.100s' is a simulator "
                     "of the program",
                     envs->items[i]);
  return far__fail(
      error, FAR_STATUS_CONFLICT, -1,
      "the study cannot be written as YAML: the environment '%.100s' is a model of the "
      "program; save the model to a file and name that, as file:PATH",
      envs->items[i]);
}

far_status far_study_print(char **out, const far_study *s, far_error *error) {
  far__text text = {0};
  *out = NULL;
  const far_status status = refuse_models(s, error);
  if (status != FAR_OK) return status;
  bool good = add_text(&text, "name", s->name);
  if (s->gamma == s->gamma) {
    far__text_format(&text, "gamma: ");
    far__text_real(&text, s->gamma);
    far__text_add(&text, "\n", 1);
  }
  if (s->episodes > 0) far__text_format(&text, "episodes: %lld\n", (long long)s->episodes);
  if (s->steps > 0) far__text_format(&text, "steps: %lld\n", (long long)s->steps);
  far__text_format(&text, "runs: %lld\nseed: %llu\n", (long long)s->batch.runs,
                   (unsigned long long)s->batch.seed);
  for (int i = 0; i < FAR__LISTS && good; ++i) good = add_specs(&text, &s->specs[i]);
  good = good && add_text(&text, "curve", s->curve) && add_text(&text, "until", s->until);
  if (s->batch.snapshots > 0)
    far__text_format(&text, "snapshots: %lld\n", (long long)s->batch.snapshots);
  *out = good && !text.failed ? text.bytes : NULL;
  if (*out != NULL) return FAR_OK;
  free(text.bytes);
  return text.failed
             ? far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the study's text")
             : far__fail(error, FAR_STATUS_SYNTAX, -1,
                         "the study cannot be written as YAML: a spec or text is not UTF-8");
}
