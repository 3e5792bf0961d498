#include "policy_file.h"

#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "base/number.h"
#include "memory.h"

typedef struct reader {
  FILE *file;
  const char *path;
  unsigned long line;
  double *numbers;
  size_t count, most;
} reader;

static int bad(const reader *r, const char *what, const char *text) {
  complain("'%s', line %lu: %s'%s'", r->path, r->line, what, text);
  return EXIT_USAGE;
}

/* The next word, cut at 63 characters; false at the end of the file. */
static bool next_word(reader *r, char word[64]) {
  int c = getc(r->file);
  size_t n = 0;
  while (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
    r->line += c == '\n';
    c = getc(r->file);
  }
  for (; c != EOF && c != ' ' && c != '\t' && c != '\r' && c != '\n'; c = getc(r->file))
    if (n < 63) word[n++] = (char)c;
  if (c != EOF) ungetc(c, r->file);
  word[n] = '\0';
  return n > 0;
}

static int read_numbers(reader *r) {
  char word[64];
  while (next_word(r, word)) {
    if (r->count == r->most) return bad(r, "more numbers than there are pairs; from: ", word);
    double x;
    if (!far__real_parse(word, strlen(word), &x)) return bad(r, "not a number: ", word);
    r->numbers[r->count++] = x;
  }
  if (!ferror(r->file)) return EXIT_OK;
  complain("cannot read '%s': %s", r->path, strerror(errno));
  return EXIT_FAILED;
}

static int take_actions(policy_file *out, const reader *r, const far_shape *shape) {
  out->action = room_for(shape->n_states, sizeof *out->action);
  for (size_t s = 0; s < shape->n_states; ++s) {
    const double x = r->numbers[s];
    if (shape->n_actions == 1 && x == 1) continue; /* the probability of the only action */
    if (!(x >= 0 && x < shape->n_actions) || x != (uint32_t)x) {
      if (shape->n_actions == 1)
        complain("'%s': state %zu has %s; with one action it must be 0, the action, or 1, "
                 "its probability",
                 r->path, s, exact(x).text);
      else
        complain("'%s': the action of state %zu is %s; it must be one of 0 ... %lu", r->path, s,
                 exact(x).text, (unsigned long)shape->n_actions - 1);
      return EXIT_USAGE;
    }
    out->action[s] = (uint32_t)x;
  }
  return EXIT_OK;
}

static int take(policy_file *out, reader *r, const far_shape *shape) {
  out->given = true;
  if (r->count == shape->n_states) return take_actions(out, r, shape);
  if (r->count == r->most) {
    out->probability = r->numbers;
    r->numbers = NULL;
    return EXIT_OK;
  }
  complain("'%s' has %zu number%s; it must have one action for each of the %lu states, or "
           "one probability for each of the %zu pairs",
           r->path, r->count, r->count == 1 ? "" : "s", (unsigned long)shape->n_states, r->most);
  return EXIT_USAGE;
}

int policy_file_read(policy_file *out, const char *path, const far_shape *shape) {
  reader r = {.path = path, .line = 1, .most = (size_t)shape->n_states * shape->n_actions};
  far_error error;
  if (far__file_open(&r.file, NULL, path, LONGEST_FILE, &error) != FAR_OK) return run_error(&error);
  r.numbers = room_for(r.most, sizeof *r.numbers);
  int code = read_numbers(&r);
  if (code == EXIT_OK) code = take(out, &r, shape);
  free(r.numbers);
  fclose(r.file);
  return code;
}

void policy_file_free(policy_file *policy) {
  free(policy->action);
  free(policy->probability);
}
