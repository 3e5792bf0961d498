/* Model files: finds out the format, reads and writes. */
#include "model/formats/format.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

typedef struct format_type {
  const char *name;
  const char *extensions; /* separated by spaces */
  far_status (*read)(far_mdp **out, far__input *in);
  void (*print)(far__text *out, const far_mdp *mdp, double discount);
} format_type;

static const format_type formats[] = {
    [FAR_FORMAT_AUTO] = {"auto", "", NULL, NULL},
    [FAR_FORMAT_CASSANDRA] = {"cassandra", "mdp pomdp", far__read_cassandra, far__print_cassandra},
    [FAR_FORMAT_DRN] = {"drn", "drn", far__read_drn, far__print_drn},
    [FAR_FORMAT_JSON] = {"json", "json", far__read_json, far__print_json},
};

enum { N_FORMATS = sizeof formats / sizeof *formats };

/* A text may describe MOST pairs or outcomes, or as many as it has bytes, and reading it may take WORK steps for each:
 * some seconds in all. */
static const size_t MOST = (size_t)1 << 22, WORK = 128;

const char *far_format_name(far_format format) {
  return (size_t)format < N_FORMATS ? formats[format].name : NULL;
}

static bool has_word(const char *words, const char *word) {
  const size_t length = strlen(word);
  for (const char *p = words; *p != '\0'; p += strcspn(p, " ") + (p[strcspn(p, " ")] == ' '))
    if (strcspn(p, " ") == length && strncasecmp(p, word, length) == 0) return true;
  return false;
}

far_format far_format_of_path(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *dot = strrchr(slash != NULL ? slash : path, '.');
  for (size_t i = 0; dot != NULL && i < N_FORMATS; ++i)
    if (has_word(formats[i].extensions, dot + 1)) return (far_format)i;
  return FAR_FORMAT_AUTO;
}

static size_t space_before(const char *text, size_t length) {
  size_t at = 0;
  while (at < length && strchr(" \t\r\n", text[at]) != NULL && text[at] != '\0') ++at;
  return at;
}
/* JSON begins with a bracket, DRN with a section or a comment. */
static far_format format_of_text(const char *text, size_t length) {
  const size_t at = space_before(text, length);
  if (text[at] == '{' || text[at] == '[') return FAR_FORMAT_JSON;
  if (text[at] == '@' || text[at] == '/') return FAR_FORMAT_DRN;
  return FAR_FORMAT_CASSANDRA;
}

/* ---- failures ---- */

far_status far__input_fail(far__input *in, size_t line, const char *format, ...) {
  char message[sizeof in->why.message];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  in->failed_line = line;
  return far__fail(&in->why, FAR_STATUS_FORMAT, -1, "%s", message);
}

far_status far__input_memory(far__input *in) {
  in->failed_line = 0;
  return far__fail(&in->why, FAR_STATUS_MEMORY, -1, "no memory for the model");
}

far__shown far__show(const char *text, size_t length) {
  far__shown out;
  const size_t room = sizeof out.text - 4;
  size_t n = 0;
  while (n < length && n < room) {
    const size_t step = far__utf8_length(text + n, length - n);
    const bool plain = step > 0 && (unsigned char)text[n] >= 32 && text[n] != 127;
    if (n + (step > 0 ? step : 1) > room) break;
    if (plain)
      memcpy(out.text + n, text + n, step);
    else
      out.text[n] = '?';
    n += plain ? step : 1;
  }
  memcpy(out.text + n, length > n ? "..." : "", length > n ? 4 : 1);
  return out;
}

/* ---- reading ---- */

static far_status read_as(far_mdp **out, const char *where, const char *text, size_t length,
                          far_format format, far_error *error) {
  static const char mark[] = "\xef\xbb\xbf"; /* some editors begin a file with it */
  const size_t skip = length >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
  far__input in = {.at = text + skip,
                   .end = text + length,
                   .line = 1,
                   .most = length > MOST ? length : MOST,
                   .work = length > MOST ? WORK * length : WORK * MOST};
  if (space_before(in.at, length - skip) == length - skip)
    return far__fail(error, FAR_STATUS_FORMAT, -1, "%s%sthe %s is empty",
                     where != NULL ? where : "", where != NULL ? ": " : "",
                     where != NULL ? "file" : "text");
  if (format == FAR_FORMAT_AUTO) format = format_of_text(in.at, length - skip);
  const far_status status = formats[format].read(out, &in);
  if (status == FAR_OK) return FAR_OK;
  *out = NULL;
  if (in.failed_line == 0)
    return far__fail(error, status, -1, "%s%s%s", where != NULL ? where : "",
                     where != NULL ? ": " : "", in.why.message);
  if (where == NULL)
    return far__fail(error, status, -1, "line %zu: %s", in.failed_line, in.why.message);
  return far__fail(error, status, -1, "%s:%zu: %s", where, in.failed_line, in.why.message);
}

far_status far_mdp_read(far_mdp **out, const char *text, size_t length, far_format format,
                        far_error *error) {
  *out = NULL;
  if ((size_t)format >= N_FORMATS)
    return far__fail(error, FAR_STATUS_UNKNOWN, -1, "there is no such format");
  return read_as(out, NULL, text, length, format, error);
}

far_status far_mdp_load(far_mdp **out, const char *path, far_format format, far_error *error) {
  *out = NULL;
  uint8_t *data = NULL;
  size_t size = 0;
  if ((size_t)format >= N_FORMATS)
    return far__fail(error, FAR_STATUS_UNKNOWN, -1, "there is no such format");
  far_status status = far__file_read(&data, &size, path, FAR__MOST_DATA, error);
  if (status != FAR_OK) return status;
  if (format == FAR_FORMAT_AUTO) format = far_format_of_path(path);
  char where[204];
  snprintf(where, sizeof where, "%.200s%s", path, strlen(path) > 200 ? "..." : "");
  status = read_as(out, where, (const char *)data, size, format, error);
  free(data);
  return status;
}

/* ---- writing ---- */

far_status far_mdp_print(char **text, size_t *length, const far_mdp *mdp, far_format format,
                         double discount, far_error *error) {
  *text = NULL;
  *length = 0;
  if (format == FAR_FORMAT_AUTO || (size_t)format >= N_FORMATS)
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "choose the format in which to write the model: cassandra, drn or json");
  if (!(discount >= 0 && discount <= 1))
    return far__fail(error, FAR_STATUS_RANGE, -1, "the discount %s is outside (0, 1]",
                     far__shortest(discount).text);
  far__text out = {0};
  formats[format].print(&out, mdp, discount > 0 ? discount : far_mdp_discount(mdp));
  if (out.failed) {
    free(out.bytes);
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to write the model");
  }
  *text = out.bytes;
  *length = out.length;
  return FAR_OK;
}

far_status far_mdp_save(const far_mdp *mdp, const char *path, far_format format, double discount,
                        far_error *error) {
  char *text;
  size_t length;
  if (format == FAR_FORMAT_AUTO) format = far_format_of_path(path);
  if (format == FAR_FORMAT_AUTO)
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "the extension of '%.200s' names no format; use .mdp, .pomdp, .drn or .json",
                     path);
  far_status status = far_mdp_print(&text, &length, mdp, format, discount, error);
  if (status != FAR_OK) return status;
  status = far__file_replace(path, text, length, error);
  free(text);
  return status;
}
