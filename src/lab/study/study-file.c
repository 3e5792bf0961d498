/* Study files: YAML in, a definition out, and errors with line and key. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/number.h"
#include "base/spec.h"
#include "lab/study/entry.h"
#include "lab/study/study.h"

static const struct {
  const char *name;
  far__part part;
  far_study_member member;
} keys[] = {
    {"name", FAR__NAME, FAR_STUDY_NAME},
    {"gamma", FAR__GAMMA, FAR_STUDY_GAMMA},
    {"steps", FAR__STEPS, FAR_STUDY_STEPS},
    {"episodes", FAR__EPISODES, FAR_STUDY_EPISODES},
    {"runs", FAR__RUNS, FAR_STUDY_RUNS},
    {"seed", FAR__SEED, FAR_STUDY_SEED},
    {"environments", FAR__ENVS, FAR_STUDY_ENVS},
    {"agents", FAR__AGENTS, FAR_STUDY_AGENTS},
    {"metrics", FAR__METRICS, FAR_STUDY_METRICS},
    {"curve", FAR__CURVE, FAR_STUDY_CURVE},
    {"until", FAR__UNTIL, FAR_STUDY_UNTIL},
    {"snapshots", FAR__SNAPSHOTS, FAR_STUDY_SNAPSHOTS},
};

enum { N_KEYS = sizeof keys / sizeof *keys };

static far_listing *const listings[FAR__LISTS] = {far_mdp_family, far_agent_type, far_metric_type};

typedef struct reading {
  const char *text, *path; /* the path is NULL where the text is not from a file */
  size_t length;
  far__tree tree;
  size_t values[FAR__NOWHERE]; /* the node of each part, or FAR__NONE */
  far__entry *entries[FAR__LISTS];
  const char **specs[FAR__LISTS];
  size_t n_entries[FAR__LISTS];
  far__text curve;
  far_study_def def;
  const far_study_def *over;
  unsigned members; /* of *over */
  far_error *error;
} reading;

/* ---- errors ---- */

static const char *key_of(far__part part) {
  size_t i = 0;
  while (i < N_KEYS && keys[i].part != part) ++i;
  return i < N_KEYS ? keys[i].name : "";
}

static size_t line_of(const reading *r, size_t at) {
  size_t line = 1;
  for (size_t i = 0; i < at && i < r->length; ++i) line += r->text[i] == '\n';
  return line;
}

/* Puts "PATH:LINE: KEY: " before a message, and the position into the text. */
static far_status place(const reading *r, size_t at, const char *key, far_status status,
                        const char *message) {
  char where[280];
  const size_t line = line_of(r, at);
  if (r->path != NULL)
    snprintf(where, sizeof where, "%.200s:%zu: ", r->path, line);
  else
    snprintf(where, sizeof where, "line %zu: ", line);
  far__set_error(r->error, status, (int)at, "%s%s%s%s", where, key, key[0] != '\0' ? ": " : "",
                 message);
  return status;
}

static far_status no_memory(far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the study");
}

/* The error of a spec in an entry, at a position of the spec (or -1). The path is agents[2].gamma_e;
 * where the message begins with that key, as in "gamma_e=2: ...", it is not said twice. */
static far_status place_entry(const reading *r, far__part part, size_t i, int at, far_status status,
                              const char *message) {
  const far__entry *e = &r->entries[part][i];
  char path[160];
  const char *key = "";
  const size_t n = at > 0 ? far__entry_key(e, (size_t)at, &key) : 0;
  const int length = n > 40 ? 40 : (int)n;
  const size_t file_at = far__entry_place(e, at > 0 ? (size_t)at : 0);
  if (n > 0 && strncmp(message, key, n) == 0 && message[n] == '=') {
    char whole[sizeof r->error->message];
    snprintf(whole, sizeof whole, "%s[%zu].%.400s", key_of(part), i, message);
    return place(r, file_at, "", status, whole);
  }
  snprintf(path, sizeof path, "%s[%zu]%s%.*s", key_of(part), i, n > 0 ? "." : "", length, key);
  return place(r, file_at, path, status, message);
}

static bool from_file(const reading *r, far__part part) {
  size_t i = 0;
  while (i < N_KEYS && keys[i].part != part) ++i;
  return i < N_KEYS && r->values[part] != FAR__NONE && !(r->members & keys[i].member);
}

/* The error of an entry in a list; for the same spec in two entries also where the first one is. */
static far_status locate_entry(const reading *r, const far__where *where, far_status status,
                               const far_error *inner) {
  const far__part part = where->part;
  char message[sizeof inner->message];
  if (!where->twins || where->other == where->entry)
    return place_entry(r, part, where->entry, inner->position, status, inner->message);
  const size_t line = line_of(r, far__entry_place(&r->entries[part][where->other], 0));
  snprintf(message, sizeof message, "%.400s; the first is %s[%zu] on line %zu", inner->message,
           key_of(part), where->other, line);
  return place_entry(r, part, where->entry, inner->position, status, message);
}

/* An error of the plan or of what is built from it: where it is in the text, if it is there. */
static far_status locate(const reading *r, const far__where *where, far_status status,
                         const far_error *inner) {
  const far__part part = where->part;
  if (from_file(r, part) && part < FAR__LISTS) return locate_entry(r, where, status, inner);
  if (from_file(r, part)) { /* "runs must be ..." without a second "runs" */
    const char *key = key_of(part), *message = inner->message;
    const size_t n = strlen(key);
    if (strncmp(message, key, n) == 0 && message[n] == ' ') message += n + 1;
    return place(r, r->tree.nodes[r->values[part]].at, key, status, message);
  }
  if (r->over != NULL && r->over->wrong != NULL && part < FAR__LISTS) {
    const char *const *lists[] = {r->over->envs, r->over->agents, r->over->metrics};
    *r->over->wrong = lists[part][where->entry];
  }
  if (part < FAR__LISTS || r->path == NULL || part != FAR__NOWHERE) {
    if (r->error != NULL) *r->error = *inner;
    if (r->error != NULL && part >= FAR__LISTS)
      r->error->position = -1; /* it is in no text of ours */
    return status;
  }
  return far__fail(r->error, status, -1, "%.200s: %s", r->path, inner->message);
}

/* ---- keys ---- */

static bool is_null(const far__node *node) {
  return node->kind == FAR__SCALAR && !node->quoted && far__is_null(node->text, strlen(node->text));
}

/* The key that is meant by a word of the command line or a guess, or NULL. */
static const char *meant_key(const char *text) {
  static const char *const guesses[][2] = {
      {"env", "environments"}, {"envs", "environments"}, {"environment", "environments"},
      {"mdp", "environments"}, {"mdps", "environments"}, {"agent", "agents"},
      {"discount", "gamma"},   {"metric", "metrics"},    {"checkpoints", "curve"},
      {"replicates", "runs"},  {"repetitions", "runs"},  {"horizon", "steps"},
      {"title", "name"}};
  const char *names[N_KEYS];
  for (size_t i = 0; i < sizeof guesses / sizeof *guesses; ++i)
    if (strcmp(guesses[i][0], text) == 0) return guesses[i][1];
  for (size_t i = 0; i < N_KEYS; ++i) names[i] = keys[i].name;
  return far__nearest(text, strlen(text), names, N_KEYS);
}

static far_status unknown_key(const reading *r, const far__node *key) {
  static const char *const options[] = {"store", "threads", "json",
                                        "quiet", "dry-run", "save-study"};
  char message[300];
  const char *near = meant_key(key->text);
  size_t i = 0;
  while (i < 6 && strcmp(options[i], key->text) != 0) ++i;
  if (i < 6)
    snprintf(message, sizeof message,
             "'%s' is no key of a study; it is an option of the command: --%s", key->text,
             key->text);
  else if (near != NULL)
    snprintf(message, sizeof message, "unknown key '%.60s'; did you mean '%s'?", key->text, near);
  else
    snprintf(message, sizeof message,
             "unknown key '%.60s'; there are: name, gamma, steps, episodes, runs, seed, "
             "environments, agents, metrics, curve, until, snapshots",
             key->text);
  return place(r, key->at, "", FAR_STATUS_UNKNOWN, message);
}

static far_status take_keys(reading *r) {
  unsigned seen = 0;
  if (r->tree.count == 0)
    return place(r, 0, "", FAR_STATUS_SYNTAX,
                 "the study is empty; it needs at least the keys environments and agents");
  if (r->tree.nodes[0].kind != FAR__MAP)
    return place(r, r->tree.nodes[0].at, "", FAR_STATUS_SYNTAX,
                 "a study is a mapping with at least the keys environments and agents");
  for (size_t k = r->tree.nodes[0].first; k != FAR__NONE;
       k = r->tree.nodes[r->tree.nodes[k].next].next) {
    const far__node *key = &r->tree.nodes[k];
    size_t i = 0;
    while (i < N_KEYS && strcmp(keys[i].name, key->text) != 0) ++i;
    if (i == N_KEYS) return unknown_key(r, key);
    if (seen & keys[i].member)
      return place(r, key->at, keys[i].name, FAR_STATUS_SYNTAX, "the key is given twice");
    seen |= keys[i].member;
    const bool required = keys[i].part == FAR__ENVS || keys[i].part == FAR__AGENTS;
    if (required || !is_null(&r->tree.nodes[key->next])) /* without a value a key is not given */
      r->values[keys[i].part] = key->next;
  }
  return FAR_OK;
}

/* ---- numbers and texts ---- */

/* The text of a scalar, or NULL after an error. */
static const char *scalar(const reading *r, far__part part, const char *what) {
  const far__node *node = &r->tree.nodes[r->values[part]];
  char message[160];
  if (node->kind == FAR__SCALAR && (node->text[0] != '\0' || node->quoted)) return node->text;
  snprintf(message, sizeof message, "must be %s", what);
  place(r, node->at, key_of(part), FAR_STATUS_SYNTAX, message);
  return NULL;
}

static far_status bad_value(const reading *r, far__part part, const char *text, const char *what) {
  char message[200];
  snprintf(message, sizeof message, "'%.60s' must be %s", text, what);
  return place(r, r->tree.nodes[r->values[part]].at, key_of(part), FAR_STATUS_RANGE, message);
}

/* Numbers such as 010: YAML 1.1 says 8. In quotes it is a text, which all read alike. */
static far_status refuse_zeros(const reading *r, far__part part, const far__node *node) {
  char message[200];
  const char *text = node->text + (node->text[0] == '-' || node->text[0] == '+');
  if (node->quoted || text[0] != '0' || text[1] < '0' || text[1] > '9') return FAR_OK;
  const char *rest = text + strspn(text, "0");
  if (rest[0] < '0' || rest[0] > '9') --rest;
  snprintf(message, sizeof message,
           "'%.60s' begins with 0, which some readers of YAML take for base 8; write %.60s",
           node->text, rest);
  return place(r, node->at, key_of(part), FAR_STATUS_SYNTAX, message);
}

static far_status take_whole(const reading *r, far__part part, int64_t *out) {
  const char *what = part == FAR__STEPS      ? "a whole number of at least 1, as in 10000"
                     : part == FAR__EPISODES ? "a whole number of at least 1, as in 500"
                     : part == FAR__RUNS     ? "a whole number from 1 to 100000000, as in 300"
                                             : "a whole number from 0 to 100000000, as in 3";
  if (!from_file(r, part)) return FAR_OK;
  const char *text = scalar(r, part, what);
  if (text == NULL) return FAR_STATUS_SYNTAX;
  const far_status status = refuse_zeros(r, part, &r->tree.nodes[r->values[part]]);
  if (status != FAR_OK) return status;
  const int64_t least = part == FAR__SNAPSHOTS ? 0 : 1;
  const bool good = far__integer_parse(text, strlen(text), out) && *out >= least;
  return good ? FAR_OK : bad_value(r, part, text, what);
}

static far_status take_gamma(const reading *r, double *out) {
  static const char what[] = "a number in (0, 1), as in 0.95";
  if (!from_file(r, FAR__GAMMA)) return FAR_OK;
  const char *text = scalar(r, FAR__GAMMA, what);
  if (text == NULL) return FAR_STATUS_SYNTAX;
  const bool good = far__real_parse(text, strlen(text), out) && *out > 0 && *out < 1;
  return good ? FAR_OK : bad_value(r, FAR__GAMMA, text, what);
}

static far_status take_seed(const reading *r, uint64_t *out) {
  static const char what[] = FAR_SEED_BOUNDS;
  if (!from_file(r, FAR__SEED)) return FAR_OK;
  const char *text = scalar(r, FAR__SEED, what);
  if (text == NULL) return FAR_STATUS_SYNTAX;
  const far_status status = refuse_zeros(r, FAR__SEED, &r->tree.nodes[r->values[FAR__SEED]]);
  if (status != FAR_OK) return status;
  return far__unsigned_parse(text, strlen(text), out) ? FAR_OK
                                                      : bad_value(r, FAR__SEED, text, what);
}

static far_status take_text(const reading *r, far__part part, const char **out, const char *what) {
  if (!from_file(r, part)) return FAR_OK;
  *out = scalar(r, part, what);
  return *out != NULL ? FAR_OK : FAR_STATUS_SYNTAX;
}

/* [10, 100, 1000] is "10,100,1000", and [1000] is "1000,". */
static far_status take_curve(reading *r) {
  static const char what[] = "a number of checkpoints, as in 100 or log 100, or a list of them";
  if (!from_file(r, FAR__CURVE)) return FAR_OK;
  const far__node *node = &r->tree.nodes[r->values[FAR__CURVE]];
  if (node->kind != FAR__LIST) {
    const far_status status = take_text(r, FAR__CURVE, &r->def.curve, what);
    return status == FAR_OK ? refuse_zeros(r, FAR__CURVE, node) : status;
  }
  for (size_t i = node->first; i != FAR__NONE; i = r->tree.nodes[i].next) {
    const far__node *item = &r->tree.nodes[i];
    if (item->kind != FAR__SCALAR)
      return place(r, item->at, "curve", FAR_STATUS_SYNTAX, "a checkpoint must be a whole number");
    const far_status status = refuse_zeros(r, FAR__CURVE, item);
    if (status != FAR_OK) return status;
    far__text_add(&r->curve, item->text, strlen(item->text));
    if (node->count == 1 || item->next != FAR__NONE) far__text_add(&r->curve, ",", 1);
  }
  if (r->curve.failed) return no_memory(r->error);
  if (node->count == 0)
    return place(r, node->at, "curve", FAR_STATUS_SYNTAX,
                 "must be a number or a list of checkpoints");
  r->def.curve = r->curve.bytes;
  return FAR_OK;
}

/* ---- lists of specs ---- */

static far_status take_entry(reading *r, far__part part, size_t node, bool pair) {
  far_error inner;
  const size_t i = r->n_entries[part]++;
  far__entry *e = &r->entries[part][i];
  const far_status status =
      far__entry_make(e, &r->tree, node, pair, r->text, r->length, listings[part], &inner);
  if (status == FAR_OK) {
    r->specs[part][i] = e->spec.bytes;
    return FAR_OK;
  }
  char key[40];
  snprintf(key, sizeof key, "%s[%zu]", key_of(part), i);
  return inner.position >= 0 ? place(r, (size_t)inner.position, key, status, inner.message)
                             : no_memory(r->error);
}

/* The entry at `node` and those like it belong to the one before, from which YAML has cut them off. */
static far_status cut_spec(const reading *r, far__part part, size_t node) {
  const size_t i = r->n_entries[part];
  const char *before = r->specs[part][i - 1];
  const char *separator = strchr(before, ':') != NULL ? "," : ":";
  far__text spec = {0}, map = {0};
  char key[40], message[400] = "in [ ] a comma separates entries";
  far__text_add(&spec, before, strlen(before));
  for (size_t k = node; k != FAR__NONE && far__is_pair(&r->tree.nodes[k]);
       k = r->tree.nodes[k].next) {
    far__text_format(&spec, "%s%s", separator, r->tree.nodes[k].text);
    separator = ",";
  }
  if (!spec.failed) far__spec_as_mapping(&map, spec.bytes);
  if (!spec.failed && !map.failed)
    snprintf(message, sizeof message,
             "in [ ] a comma separates entries: quote '%.120s' or write %.160s", spec.bytes,
             map.bytes);
  free(spec.bytes);
  free(map.bytes);
  snprintf(key, sizeof key, "%s[%zu]", key_of(part), i);
  return place(r, r->tree.nodes[node].at, key, FAR_STATUS_SYNTAX, message);
}

/* Has YAML cut this entry of a list in [ ] off the one before? */
static bool is_cut(const reading *r, far__part part, size_t node) {
  const char *text = r->tree.nodes[node].text;
  return far__is_pair(&r->tree.nodes[node]) &&
         far_spec_type(listings[part], text + far__spec_behind_name(text)) == NULL;
}

/* A list of entries, or a mapping of names to specs; a single entry may stand alone. */
static far_status take_list(reading *r, far__part part) {
  if (!from_file(r, part)) return FAR_OK;
  const size_t node = r->values[part];
  const far__node *list = &r->tree.nodes[node];
  const bool alone = list->kind == FAR__SCALAR && list->text[0] != '\0' && !is_null(list);
  const bool map = list->kind == FAR__MAP && part != FAR__METRICS;
  const size_t count = alone ? 1 : list->count;
  if (!alone && !map && (list->kind != FAR__LIST || (count == 0 && part != FAR__METRICS)))
    return place(r, list->at, key_of(part), FAR_STATUS_SYNTAX,
                 "must be a list: a line '- NAME' or '- NAME: {KEY: VALUE}' for each");
  r->entries[part] = calloc(count + 1, sizeof *r->entries[part]);
  r->specs[part] = calloc(count + 1, sizeof *r->specs[part]);
  if (r->entries[part] == NULL || r->specs[part] == NULL) return no_memory(r->error);
  if (alone) return take_entry(r, part, node, false);
  const bool flow = r->text[list->at] == '[';
  far_status status = FAR_OK;
  for (size_t i = list->first; map && i != FAR__NONE && status == FAR_OK;
       i = r->tree.nodes[r->tree.nodes[i].next].next)
    status = take_entry(r, part, i, true);
  if (map) return status;
  for (size_t i = list->first; i != FAR__NONE && status == FAR_OK; i = r->tree.nodes[i].next)
    status = flow && i != list->first && is_cut(r, part, i) ? cut_spec(r, part, i)
                                                            : take_entry(r, part, i, false);
  return status;
}

static far_status take_lists(reading *r) {
  for (int part = 0; part < FAR__LISTS; ++part) {
    const far_status status = take_list(r, (far__part)part);
    if (status != FAR_OK) return status;
  }
  for (int part = FAR__ENVS; part <= FAR__AGENTS; ++part) {
    const bool given = r->values[part] != FAR__NONE ||
                       (r->members & (part == FAR__ENVS ? FAR_STUDY_ENVS : FAR_STUDY_AGENTS));
    if (!given)
      return place(r, 0, key_of((far__part)part), FAR_STATUS_SYNTAX,
                   "the key is missing; a study has at least environments and agents");
  }
  return FAR_OK;
}

/* ---- the definition ---- */

static void take_over(reading *r) {
  const far_study_def *over = r->over;
  far_study_def *def = &r->def;
  const unsigned m = r->members;
  def->envs = m & FAR_STUDY_ENVS ? over->envs : r->specs[FAR__ENVS];
  def->n_envs = m & FAR_STUDY_ENVS ? over->n_envs : r->n_entries[FAR__ENVS];
  def->models = m & FAR_STUDY_ENVS ? over->models : NULL;
  def->simulators = m & FAR_STUDY_ENVS ? over->simulators : NULL;
  def->agents = m & FAR_STUDY_AGENTS ? over->agents : r->specs[FAR__AGENTS];
  def->n_agents = m & FAR_STUDY_AGENTS ? over->n_agents : r->n_entries[FAR__AGENTS];
  def->metrics = m & FAR_STUDY_METRICS ? over->metrics : r->specs[FAR__METRICS];
  def->n_metrics = m & FAR_STUDY_METRICS ? over->n_metrics : r->n_entries[FAR__METRICS];
  if (m & FAR_STUDY_NAME) def->name = over->name;
  if (m & FAR_STUDY_GAMMA) def->gamma = over->gamma;
  if (m & FAR_STUDY_STEPS) def->steps = over->steps;
  if (m & FAR_STUDY_EPISODES) def->episodes = over->episodes;
  if (m & FAR_STUDY_RUNS) def->runs = over->runs;
  if (m & FAR_STUDY_SEED) def->seed = over->seed;
  if (m & FAR_STUDY_CURVE) def->curve = over->curve;
  if (m & FAR_STUDY_UNTIL) def->until = over->until;
  if (m & FAR_STUDY_SNAPSHOTS) def->snapshots = over->snapshots;
  if (over != NULL) def->most_envs = over->most_envs;
  if (over != NULL) def->note = over->note;
  if (over != NULL) def->note_user = over->note_user;
}

static far_status read_def(reading *r) {
  far_error inner;
  r->def = far_study_def_default();
  for (size_t i = 0; i < FAR__NOWHERE; ++i) r->values[i] = FAR__NONE;
  far_status status = far__tree_parse(&r->tree, r->text, r->length, &inner);
  if (status != FAR_OK && inner.position >= 0)
    return place(r, (size_t)inner.position, "", status, inner.message);
  if (status != FAR_OK) return far__fail(r->error, status, -1, "%s", inner.message);
  status = take_keys(r);
  if (status == FAR_OK)
    status = take_text(r, FAR__NAME, &r->def.name, "a short text, as in chain-length");
  if (status == FAR_OK) status = take_whole(r, FAR__STEPS, &r->def.steps);
  if (status == FAR_OK) status = take_whole(r, FAR__EPISODES, &r->def.episodes);
  if (status == FAR_OK) status = take_whole(r, FAR__RUNS, &r->def.runs);
  if (status == FAR_OK) status = take_whole(r, FAR__SNAPSHOTS, &r->def.snapshots);
  if (status == FAR_OK) status = take_gamma(r, &r->def.gamma);
  if (status == FAR_OK) status = take_seed(r, &r->def.seed);
  if (status == FAR_OK) status = take_curve(r);
  if (status == FAR_OK)
    status = take_text(r, FAR__UNTIL, &r->def.until, "a condition, as in ci=1% or rank=5%");
  if (status == FAR_OK) status = take_lists(r);
  if (status == FAR_OK) take_over(r);
  return status;
}

static void free_reading(reading *r) {
  for (int part = 0; part < FAR__LISTS; ++part) {
    for (size_t i = 0; i < r->n_entries[part]; ++i) far__entry_free(&r->entries[part][i]);
    free(r->entries[part]);
    free(r->specs[part]);
  }
  free(r->curve.bytes);
  far__tree_free(&r->tree);
}

static far_status make(far_study **out, reading *r, far__limits limits, bool whole) {
  far__where where;
  far_error inner;
  limits.cut =
      (r->members & (FAR_STUDY_STEPS | FAR_STUDY_EPISODES)) && !(r->members & FAR_STUDY_CURVE);
  far_status status = far__study_plan(out, &r->def, &limits, &where, &inner);
  if (status == FAR_OK && whole) status = far__study_build(*out, &r->def, &where, &inner);
  if (status == FAR_OK) return FAR_OK;
  far_study_free(*out);
  *out = NULL;
  return locate(r, &where, status, &inner);
}

static far_status read_study(far_study **out, reading *r, const far__limits *limits, bool whole) {
  *out = NULL;
  if (r->over == NULL) r->members = 0;
  if (r->over != NULL && r->over->wrong != NULL) *r->over->wrong = NULL;
  far_status status = read_def(r);
  if (status == FAR_OK) status = make(out, r, *limits, whole);
  free_reading(r);
  return status;
}

far_status far_study_read(far_study **out, const char *text, size_t length,
                          const far_study_def *over, unsigned members, far_error *error) {
  const far__limits limits = far__study_limits();
  reading r = {.text = text, .length = length, .over = over, .members = members, .error = error};
  return read_study(out, &r, &limits, true);
}

far_status far__study_read_plan(far_study **out, const char *text, size_t length,
                                const far__limits *limits, far_error *error) {
  reading r = {.text = text, .length = length, .error = error};
  return read_study(out, &r, limits, false);
}

far_status far_study_load(far_study **out, const char *path, const far_study_def *over,
                          unsigned members, far_error *error) {
  uint8_t *bytes;
  size_t length;
  *out = NULL;
  if (over != NULL && over->wrong != NULL) *over->wrong = NULL;
  far_status status = far__file_read(&bytes, &length, path, FAR__MOST_TEXT, error);
  if (status != FAR_OK) return status;
  bytes[length] = '\0';
  const far__limits limits = far__study_limits();
  reading r = {.text = (const char *)bytes,
               .path = path,
               .length = length,
               .over = over,
               .members = members,
               .error = error};
  status = read_study(out, &r, &limits, true);
  free(bytes);
  return status;
}
