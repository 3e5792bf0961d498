/* The file of means that `farsight tune --fit` meets: CSV (RFC 4180) with a head. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tune.h"

enum { MOST_COLUMNS = 32, LINE = 4096 };

typedef struct csv {
  const char *path;
  FILE *file;
  long line;
  char text[LINE];
  char *fields[MOST_COLUMNS];
  size_t count;
  bool whole; /* the line fits */
} csv;

static int wrong(const csv *c, const char *what) {
  fprintf(stderr, "farsight: %s, line %ld: %s\n", c->path, c->line, what);
  return EXIT_USAGE;
}

/* Takes a field at *at off, without its quotes; false if a quote stays open. */
static bool cut_field(char **at, char **field) {
  char *from = *at, *to = from;
  const bool quoted = *from == '"';
  *field = to;
  bool closed = !quoted;
  for (from += quoted; *from != '\0' && (quoted || *from != ','); ++from) {
    closed = quoted && *from == '"' && *++from != '"';
    if (closed) break;
    *to++ = *from;
  }
  const char end = *from;
  if (quoted && (!closed || (end != ',' && end != '\0'))) return false;
  *to = '\0';
  *at = end == ',' ? from + 1 : NULL;
  return true;
}

/* The next line that is neither empty nor a remark (#); false at the end. */
static bool next_line(csv *c) {
  while (fgets(c->text, sizeof c->text, c->file) != NULL) {
    c->line += 1;
    c->whole = strchr(c->text, '\n') != NULL || feof(c->file);
    c->text[strcspn(c->text, "\r\n")] = '\0';
    if (c->text[0] != '\0' && c->text[0] != '#') return true;
  }
  return false;
}

static int cut_line(csv *c) {
  char *at = c->text;
  if (!c->whole) return wrong(c, "the line is too long");
  for (c->count = 0; at != NULL; ++c->count) {
    if (c->count == MOST_COLUMNS) return wrong(c, "too many columns");
    if (!cut_field(&at, &c->fields[c->count])) return wrong(c, "a quote is not closed");
  }
  return EXIT_OK;
}

typedef struct head {
  char text[LINE];
  char *names[MOST_COLUMNS];
  size_t count, env, mean;
} head;

static int read_head(csv *c, head *h) {
  if (!next_line(c)) return wrong(c, "the file is empty; it begins with a line such as env,mean");
  const int code = cut_line(c);
  if (code != EXIT_OK) return code;
  h->count = c->count;
  h->env = h->mean = MOST_COLUMNS;
  memcpy(h->text, c->text, sizeof h->text);
  for (size_t i = 0; i < c->count; ++i) {
    h->names[i] = h->text + (c->fields[i] - c->text);
    if (strcmp(h->names[i], "env") == 0) h->env = i;
    if (strcmp(h->names[i], "mean") == 0) h->mean = i;
  }
  if (h->env < MOST_COLUMNS && h->mean < MOST_COLUMNS) return EXIT_OK;
  return wrong(c, "the first line must name the columns env and mean");
}

/* key=value of all columns but env, mean and ci95; an empty field is no key */
static void join_keys(char out[LINE], const csv *c, const head *h) {
  size_t used = 0;
  out[0] = '\0';
  for (size_t i = 0; i < h->count; ++i) {
    if (i == h->env || i == h->mean || strcmp(h->names[i], "ci95") == 0) continue;
    if (c->fields[i][0] == '\0') continue;
    used += (size_t)snprintf(out + used, LINE - used, "%s%s=%s", used > 0 ? "," : "", h->names[i],
                             c->fields[i]);
    if (used >= LINE) used = LINE - 1;
  }
}

static int read_row(tune_cells *out, csv *c, const head *h) {
  char keys[LINE];
  double mean;
  const int code = cut_line(c);
  if (code != EXIT_OK) return code;
  if (c->count != h->count) return wrong(c, "as many fields as the first line has are needed");
  if (!far_real_parse(c->fields[h->mean], strlen(c->fields[h->mean]), &mean) || mean - mean != 0)
    return wrong(c, "mean must be a number");
  join_keys(keys, c, h);
  tune_add_cell(out, c->fields[h->env], keys, mean);
  return EXIT_OK;
}

int tune_read_fit(tune_cells *out, const char *path) {
  csv c = {.path = path};
  head h;
  far_error error;
  if (far_file_open(&c.file, path, LONGEST_FILE, &error) != FAR_OK) {
    run_error(&error);
    return error.code == FAR_STATUS_MEMORY ? EXIT_FAILED : EXIT_USAGE;
  }
  int code = read_head(&c, &h);
  while (code == EXIT_OK && next_line(&c)) code = read_row(out, &c, &h);
  fclose(c.file);
  if (code == EXIT_OK && out->count == 0) code = wrong(&c, "the file has no means");
  return code;
}
