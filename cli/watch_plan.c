#include "watch_plan.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/number.h"
#include "hints.h"
#include "lab/study/parts.h"
#include "memory.h"
#include "statistics/rules.h"

/* args.c takes at most MOST_WORDS words; it may have cut a recorded line of LONGEST_LINE bytes or more. */
enum { MOST_WORDS = 256, LONGEST_LINE = 1990 };

/* ---- the words of a line ---- */

typedef struct words {
  char *text; /* the line, with the words ended by zeros */
  char *at[MOST_WORDS];
  size_t count;
} words;

/* Reads one word as a shell does: removes quotes in place and ends the word by a zero. Returns where the rest begins;
 * NULL if a quote is not closed. Older versions recorded words in double quotes. */
static char *read_word(char *p) {
  char *out = p, quote = 0;
  for (; *p != '\0' && (quote != 0 || *p != ' '); ++p) {
    if (quote != 0 ? *p == quote : *p == '\'' || *p == '"')
      quote = quote != 0 ? 0 : *p;
    else if (quote == 0 && *p == '\\' && p[1] != '\0')
      *out++ = *++p;
    else
      *out++ = *p;
  }
  char *next = *p == ' ' ? p + 1 : p;
  *out = '\0';
  return quote == 0 ? next : NULL;
}

/* Splits a command as args.c recorded it; false if it cannot be read. A remark, from # on, is ignored. */
static bool split(words *out, const char *line) {
  out->text = copy_of(line);
  for (char *p = out->text; *p != '\0' && *p != '#' && out->count < MOST_WORDS;) {
    out->at[out->count++] = p;
    p = read_word(p);
    if (p == NULL) return false;
    while (*p == ' ') ++p;
  }
  return out->count > 1 && out->count < MOST_WORDS && strcmp(out->at[0], "farsight") == 0;
}

/* ---- the options of the recorded command ---- */

typedef struct lists {
  const char *envs[MOST_WORDS], *agents[MOST_WORDS], *metrics[MOST_WORDS];
} lists;

typedef struct reading {
  far_study_def def;
  unsigned members;
  const char *file; /* or NULL */
  lists lists;
} reading;

static bool add(const char **list, size_t *count, const char *value) {
  list[(*count)++] = value;
  return true;
}

/* Takes an option of 'farsight run' that defines the study; ignores the others. False if the value is wrong. */
static bool take_option(reading *r, const char *name, const char *value) {
  static const struct {
    const char *name;
    unsigned member;
  } table[] = {
      {"env", FAR_STUDY_ENVS},    {"agent", FAR_STUDY_AGENTS}, {"metric", FAR_STUDY_METRICS},
      {"steps", FAR_STUDY_STEPS}, {"runs", FAR_STUDY_RUNS},    {"seed", FAR_STUDY_SEED},
      {"curve", FAR_STUDY_CURVE}, {"until", FAR_STUDY_UNTIL},  {"episodes", FAR_STUDY_EPISODES}};
  far_study_def *def = &r->def;
  unsigned member = 0;
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
    if (strcmp(name, table[i].name) == 0) member = table[i].member;
  r->members |= member;
  switch (member) {
  case FAR_STUDY_ENVS: return add(r->lists.envs, &def->n_envs, value);
  case FAR_STUDY_AGENTS: return add(r->lists.agents, &def->n_agents, value);
  case FAR_STUDY_METRICS: return add(r->lists.metrics, &def->n_metrics, value);
  case FAR_STUDY_STEPS: return far__integer_parse(value, strlen(value), &def->steps);
  case FAR_STUDY_EPISODES: return far__integer_parse(value, strlen(value), &def->episodes);
  case FAR_STUDY_RUNS: return far__integer_parse(value, strlen(value), &def->runs);
  case FAR_STUDY_SEED: return far__unsigned_parse(value, strlen(value), &def->seed);
  case FAR_STUDY_CURVE: def->curve = value; return true;
  case FAR_STUDY_UNTIL: def->until = value; return true;
  default: return true;
  }
}

/* Reads the option at word *i; moves *i to the next word if that is the option's value. */
static bool read_option(reading *r, const words *w, size_t *i) {
  const char *text = w->at[*i], *value = NULL;
  const size_t length = text[1] == '-' ? strcspn(text + 2, "=") : 0;
  const option_info *o =
      text[1] == '-' ? find_option(&cmd_run, text + 2, length) : find_letter(&cmd_run, text[1]);
  if (o == NULL) return false;
  if (text[1] != '-' && text[2] != '\0') value = text + 2;
  if (text[1] == '-' && text[2 + length] == '=') value = text + 3 + length;
  if (o->value == NULL) return value == NULL;
  if (value == NULL) {
    if (++*i == w->count) return false;
    value = w->at[*i];
  }
  return take_option(r, o->name, value);
}

static bool read_words(reading *r, const words *w) {
  bool only_words = false;
  for (size_t i = 2; i < w->count; ++i) {
    if (!only_words && strcmp(w->at[i], "--") == 0) {
      only_words = true;
    } else if (!only_words && w->at[i][0] == '-' && w->at[i][1] != '\0') {
      if (!read_option(r, w, &i)) return false;
    } else if (r->file == NULL) {
      r->file = w->at[i];
    } else {
      return false;
    }
  }
  r->def.envs = r->lists.envs;
  r->def.agents = r->lists.agents;
  r->def.metrics = r->lists.metrics;
  return true;
}

/* ---- the study ---- */

static bool is_regular(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* Checks the specs that name a file by far_record_model, which refuses pipes and devices. */
static bool files_are_regular(watch_plan *out, const far_study_def *def) {
  for (size_t i = 0; i < def->n_envs; ++i) {
    const char *spec = def->envs[i];
    far_mdp *mdp = NULL;
    far_error error;
    if (strncmp(spec, "file:", 5) != 0 && strchr(spec, '@') == NULL) continue;
    const far_status status = need_memory(far_record_model(&mdp, spec, "", &error));
    far_mdp_free(mdp);
    if (status == FAR_OK) continue;
    snprintf(out->why, sizeof out->why, "%.290s", error.message);
    return false;
  }
  return true;
}

static void find_until(watch_plan *out) {
  const char *text = far_study_info_of(out->study).until;
  if (text[0] == '\0') return;
  out->ranks = far__ranking_is_goal(text) &&
               need_memory(far__study_ranking(&out->ranking, out->study, NULL)) == FAR_OK;
  out->sequential =
      out->ranks || need_memory(far__study_until(&out->until, out->study, NULL)) == FAR_OK;
}

static void make_recorded(watch_plan *out, const reading *r) {
  far_error error;
  far_status status;
  if (r->file != NULL && !is_regular(r->file)) {
    snprintf(out->why, sizeof out->why, "the study file '%.200s' is not here", r->file);
    return;
  }
  if (!files_are_regular(out, &r->def)) return;
  if (r->file != NULL)
    status = far_study_load(&out->study, r->file, &r->def, r->members, &error);
  else
    status = far_study_create(&out->study, &r->def, &error);
  if (need_memory(status) == FAR_OK)
    find_until(out);
  else
    snprintf(out->why, sizeof out->why, "%.290s", error.message);
}

void plan_recorded(watch_plan *out, const char *line) {
  words *w = room_for(1, sizeof *w);
  reading *r = room_for(1, sizeof *r);
  *out = (watch_plan){0};
  r->def = far_study_def_default();
  if (line[0] == '\0')
    snprintf(out->why, sizeof out->why, "the store does not record a command");
  else if (strlen(line) >= LONGEST_LINE)
    snprintf(out->why, sizeof out->why, "the recorded command is cut");
  else if (!split(w, line) || strcmp(w->at[1], "run") != 0)
    snprintf(out->why, sizeof out->why, "the last command was no 'farsight run'");
  else if (!read_words(r, w))
    snprintf(out->why, sizeof out->why, "the recorded command cannot be read");
  else
    make_recorded(out, r);
  free(w->text);
  free(w);
  free(r);
}

int plan_load(watch_plan *out, const arguments *args, const char *path) {
  far_error error;
  *out = (watch_plan){0};
  if (is_absent(path)) return absent_file(args, "study file", path);
  if (far_study_load(&out->study, path, NULL, 0, &error) != FAR_OK) return library_error(&error);
  find_until(out);
  return EXIT_OK;
}

void plan_free(watch_plan *plan) {
  far_study_free(plan->study);
  *plan = (watch_plan){0};
}
