/* The options of a figure as lines, "name" or "name=value": those of `farsight plot`, by the same names and with the same
 * bounds. */
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "web.h"

typedef enum kind {
  TEXT,
  FLAG,
  REAL,  /* between min and max, both excluded */
  WIDTH, /* a whole number as a double */
  COUNT, /* as a size_t */
  WHOLE, /* as an int64_t */
  SEED,
  CHOICE,
} kind;

typedef struct option {
  const char *name;
  kind kind;
  size_t at, also; /* offsets in far_plot_def; `also`: of a flag that is set as well (0: none) */
  int64_t min, max;
  const char *const *words; /* of a choice: the words for the values min, min + 1, ... */
} option;

#define AT(member) offsetof(far_plot_def, member)

static const char *const scales[] = {"auto", "linear", "log", NULL};
static const char *const better[] = {"higher", "lower", NULL};
static const char *const corrections[] = {"holm", "fdr", "bonferroni", NULL};

static const option options[] = {
    {"width", WIDTH, AT(width), 0, 300, 4000, NULL},
    {"most", COUNT, AT(most_series), 0, 1, 1000, NULL},
    {"per-step", FLAG, AT(per_step), 0, 0, 0, NULL},
    {"x", CHOICE, AT(x_scale), 0, FAR_PLOT_SCALE_AUTO, 0, scales},
    {"y", CHOICE, AT(y_scale), 0, FAR_PLOT_SCALE_AUTO, 0, scales},
    {"parameter", TEXT, AT(parameter), 0, 0, 0, NULL},
    {"step", WHOLE, AT(step), 0, 0, FAR_HORIZON_MAX, NULL},
    {"series", TEXT, AT(results.series), 0, 0, 0, NULL},
    {"baseline", TEXT, AT(results.baseline), 0, 0, 0, NULL},
    {"better", CHOICE, AT(results.better), 0, FAR_BETTER_HIGHER, 0, better},
    {"paired", FLAG, AT(results.paired), 0, 0, 0, NULL},
    {"steps", WHOLE, AT(results.steps), 0, 1, INT64_MAX, NULL},
    {"run-seed", SEED, AT(results.seed), AT(results.one_seed), 0, 0, NULL},
    {"correction", CHOICE, AT(results.correction), 0, FAR_CORRECTION_HOLM, 0, corrections},
    {"level", REAL, AT(results.bootstrap.level), 0, 0, 1, NULL},
    {"resamples", WHOLE, AT(results.bootstrap.resamples), 0, 100, 100000000, NULL},
    {"seed", SEED, AT(results.bootstrap.seed), 0, 0, 0, NULL},
};

static const option *find(const char *name) {
  for (size_t i = 0; i < sizeof options / sizeof *options; ++i)
    if (strcmp(options[i].name, name) == 0) return &options[i];
  web__refuse(FAR_STATUS_UNKNOWN, "a figure has no option '%.60s'", name);
  return NULL;
}

/* ---- values ---- */

static bool take_whole(const option *o, void *to, const char *text) {
  int64_t value;
  if (!far__integer_parse(text, strlen(text), &value) || value < o->min || value > o->max)
    return web__refuse(FAR_STATUS_RANGE, "%s '%.60s': must be a whole number from %lld to %lld",
                       o->name, text, (long long)o->min, (long long)o->max);
  if (o->kind == WIDTH) *(double *)to = (double)value;
  if (o->kind == COUNT) *(size_t *)to = (size_t)value;
  if (o->kind == WHOLE) *(int64_t *)to = value;
  return true;
}

static bool take_real(const option *o, double *to, const char *text) {
  if (far__real_parse(text, strlen(text), to) && *to > (double)o->min && *to < (double)o->max)
    return true;
  return web__refuse(FAR_STATUS_RANGE, "%s '%.60s': must be between %lld and %lld", o->name, text,
                     (long long)o->min, (long long)o->max);
}

/* Choices are enumerations of the library, which are as large as an int. */
static bool take_choice(const option *o, int *to, const char *text) {
  for (int i = 0; o->words[i] != NULL; ++i) {
    if (strcmp(o->words[i], text) != 0) continue;
    *to = (int)o->min + i;
    return true;
  }
  return web__refuse(FAR_STATUS_UNKNOWN, "%s '%.60s': must be %s%s%s%s%s", o->name, text,
                     o->words[0], o->words[2] != NULL ? ", " : " or ", o->words[1],
                     o->words[2] != NULL ? " or " : "", o->words[2] != NULL ? o->words[2] : "");
}

static bool take(far_plot_def *def, const option *o, const char *text) {
  void *to = (char *)def + o->at;
  if (o->also != 0) *(bool *)((char *)def + o->also) = true;
  switch (o->kind) {
  case TEXT: *(const char **)to = text; return true;
  case FLAG: *(bool *)to = true; return true;
  case REAL: return take_real(o, to, text);
  case SEED:
    return far__unsigned_parse(text, strlen(text), to) ||
           web__refuse(FAR_STATUS_RANGE, "%s '%.60s': must be " FAR_SEED_BOUNDS, o->name, text);
  case CHOICE: return take_choice(o, to, text);
  default: return take_whole(o, to, text);
  }
}

/* ---- lines ---- */

/* Splits the line at '=', so that it ends after the name, and returns the value; "" for a flag. */
static char *cut(char *line) {
  char *at = strchr(line, '=');
  if (at == NULL) return line + strlen(line);
  *at = '\0';
  return at + 1;
}

/* Takes one line of options. Names of environments fill the first half of plot->names, names of agents the second
 * half, in their order. */
static bool take_line(web__plot *plot, size_t n_lines, char *line) {
  far_comparison_def *results = &plot->def.results;
  const char *value = cut(line);
  if (strcmp(line, "env") == 0)
    plot->names[results->n_envs++] = value;
  else if (strcmp(line, "agent") == 0)
    plot->names[n_lines + results->n_agents++] = value;
  else {
    const option *o = find(line);
    return o != NULL && take(&plot->def, o, value);
  }
  return true;
}

bool web__plot_options(web__plot *out, char *text) {
  size_t n = 1;
  for (const char *c = text; *c != '\0'; ++c) n += *c == '\n';
  *out = (web__plot){.def = far_plot_def_default(), .names = web_alloc(2 * n * sizeof *out->names)};
  if (out->names == NULL) return false;
  out->def.results.envs = out->names;
  out->def.results.agents = out->names + n;
  for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
    if (!take_line(out, n, line)) return false;
  return true;
}
