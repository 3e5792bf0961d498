/* Agents of one algorithm that differ in parameters: which parameters vary, and the lines along one of
 * them. What varies is read from the labels, since canonical specs also have parameters that follow
 * from others. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/spec.h"
#include "base/text.h"
#include "farsight/agent.h"
#include "questions/comparison/comparison.h"
#include "questions/sensitivity/sensitivity.h"

enum { MOST_KEYS = 64 };

/* The agents of one algorithm. Texts are the result's. */
typedef struct grid {
  const far_comparison_group *g;
  const char *name;    /* of the algorithm */
  size_t *agents;      /* indices in the group */
  size_t n;            /* of these */
  const char **keys;   /* at most MOST_KEYS, in the order of the parameter table */
  size_t n_keys;       /* that vary */
  const char **values; /* of agent i and key k: i * n_keys + k; NULL: does not apply */
} grid;

/* ---- keys ---- */

static const char *spec_of(const far_comparison_group *g, size_t j) {
  const char *spec = far__agent_spec(g, j);
  return spec != NULL ? spec : g->agents[j].label;
}

/* The text that an agent gives to a key; NULL if it has none. */
static const char *value_of(far__kept *kept, const far_comparison_group *g, size_t j,
                            const char *key) {
  size_t length = 0;
  const char *text = far_spec_value(g->agents[j].label, key, &length);
  if (text == NULL) text = far_spec_value(spec_of(g, j), key, &length);
  return text != NULL ? far__kept_part(kept, text, length) : NULL;
}

static void add_key(far__kept *kept, grid *x, const char *key, size_t length) {
  for (size_t k = 0; k < x->n_keys; ++k)
    if (strlen(x->keys[k]) == length && memcmp(x->keys[k], key, length) == 0) return;
  const char *copy = x->n_keys < MOST_KEYS ? far__kept_part(kept, key, length) : NULL;
  if (copy != NULL) x->keys[x->n_keys++] = copy;
}

static void add_keys(far__kept *kept, grid *x, const char *label) {
  const char *at = label + strcspn(label, ":");
  while (*at != '\0') {
    ++at; /* ':' or ',' */
    const size_t length = strcspn(at, ","), key = strcspn(at, "=,");
    if (key > 0 && key < length) add_key(kept, x, at, key);
    at += length;
  }
}

static size_t table_place(const grid *x, const char *key) {
  const far_type_info *type = far_spec_type(far_agent_type, x->name);
  const far_param *p = far_type_param(type, key, strlen(key));
  return p != NULL ? (size_t)(p - type->params) : SIZE_MAX;
}

/* In the order of the parameter table; unknown ones stay in their order behind. */
static void sort_keys(grid *x) {
  for (size_t i = 1; i < x->n_keys; ++i) {
    const char *key = x->keys[i];
    size_t k = i;
    for (; k > 0 && table_place(x, x->keys[k - 1]) > table_place(x, key); --k)
      x->keys[k] = x->keys[k - 1];
    x->keys[k] = key;
  }
}

static bool key_varies(far__kept *kept, const grid *x, const char *key) {
  const char *first = NULL;
  for (size_t i = 0; i < x->n && !kept->failed; ++i) {
    const char *value = value_of(kept, x->g, x->agents[i], key);
    if (value == NULL) continue;
    if (first != NULL && !far__same_value(first, value)) return true;
    first = value;
  }
  return false;
}

/* An agent with its values, by which agents are sorted: then lines are in the order of their values. */
typedef struct entry {
  const char **values;
  size_t n_keys, agent;
} entry;

static int compare_values(const char *x, const char *y) {
  double a, b;
  if (x == NULL || y == NULL) return (x != NULL) - (y != NULL);
  if (far__real_parse(x, strlen(x), &a) && far__real_parse(y, strlen(y), &b) && a != b)
    return a < b ? -1 : 1;
  return far__same_value(x, y) ? 0 : strcmp(x, y);
}

static int by_values(const void *x, const void *y) {
  const entry *a = x, *b = y;
  for (size_t k = 0; k < a->n_keys; ++k) {
    const int order = compare_values(a->values[k], b->values[k]);
    if (order != 0) return order;
  }
  return a->agent < b->agent ? -1 : a->agent > b->agent;
}

static void sort_agents(far__kept *kept, grid *x) {
  entry *entries = far__kept_room(kept, x->n, sizeof *entries);
  const char **sorted = far__kept_room(kept, x->n * x->n_keys, sizeof *sorted);
  if (kept->failed) return;
  for (size_t i = 0; i < x->n; ++i)
    entries[i] = (entry){&x->values[i * x->n_keys], x->n_keys, x->agents[i]};
  qsort(entries, x->n, sizeof *entries, by_values);
  for (size_t i = 0; i < x->n; ++i) {
    x->agents[i] = entries[i].agent;
    for (size_t k = 0; k < x->n_keys; ++k) sorted[i * x->n_keys + k] = entries[i].values[k];
  }
  x->values = sorted;
}

static void find_keys(far__kept *kept, grid *x) {
  x->keys = far__kept_room(kept, MOST_KEYS, sizeof *x->keys);
  for (size_t i = 0; i < x->n && x->keys != NULL; ++i)
    add_keys(kept, x, x->g->agents[x->agents[i]].label);
  sort_keys(x);
  size_t varying = 0;
  for (size_t k = 0; k < x->n_keys; ++k)
    if (key_varies(kept, x, x->keys[k])) x->keys[varying++] = x->keys[k];
  x->n_keys = varying;
  x->values = far__kept_room(kept, x->n * varying, sizeof *x->values);
  for (size_t i = 0; i < x->n * varying && x->values != NULL; ++i)
    x->values[i] = value_of(kept, x->g, x->agents[i / varying], x->keys[i % varying]);
  if (!kept->failed) sort_agents(kept, x);
}

/* ---- lines ---- */

/* The agents along one parameter. */
typedef struct lines {
  const grid *x;
  size_t key;
  far__sensitivity_value *values;
  size_t n_values;
  const char **others; /* of each line */
  size_t n;
  size_t *agent_at; /* of line l at value v: l * n_values + v; n_agents of the group: none */
} lines;

/* "q0=1,rho=2": all varying parameters but one. */
static const char *others_of(far__kept *kept, const grid *x, size_t agent, size_t key) {
  far__text text = {0};
  for (size_t k = 0; k < x->n_keys; ++k) {
    const char *value = x->values[agent * x->n_keys + k];
    if (k == key || value == NULL) continue;
    if (text.length > 0) far__text_add(&text, ",", 1);
    far__text_add(&text, x->keys[k], strlen(x->keys[k]));
    far__text_add(&text, "=", 1);
    far__text_add(&text, value, strlen(value));
  }
  const char *out =
      text.failed || text.length == 0 ? far__kept_text(kept, "") : far__kept_text(kept, text.bytes);
  kept->failed = kept->failed || text.failed;
  far_buffer_free(&text);
  return out;
}

static void find_values(far__kept *kept, lines *out) {
  const grid *x = out->x;
  out->values = far__kept_room(kept, x->n, sizeof *out->values);
  for (size_t i = 0; i < x->n && out->values != NULL; ++i) {
    const char *value = x->values[i * x->n_keys + out->key];
    size_t v = 0;
    while (v < out->n_values && value != NULL && !far__same_value(out->values[v].text, value)) ++v;
    if (value != NULL && v == out->n_values) out->values[out->n_values++].text = value;
  }
}

static size_t value_index(const lines *l, const char *value) {
  size_t v = 0;
  while (!far__same_value(l->values[v].text, value)) ++v;
  return v;
}

/* The first agent of a place stays: computed ones come before imported ones. */
static void put_agent(far__kept *kept, lines *out, size_t agent, const char *value) {
  const grid *x = out->x;
  const char *others = others_of(kept, x, agent, out->key);
  if (others == NULL) return;
  size_t l = 0;
  while (l < out->n && strcmp(out->others[l], others) != 0) ++l;
  if (l == out->n) out->others[out->n++] = others;
  size_t *at = &out->agent_at[l * out->n_values + value_index(out, value)];
  if (*at == x->g->n_agents) *at = x->agents[agent];
}

/* Agents to which the parameter does not apply are counted. Temporary memory: agent_at. */
static size_t find_lines(far__kept *kept, lines *out) {
  const grid *x = out->x;
  size_t without = 0;
  const size_t cells = x->n * out->n_values;
  out->others = far__kept_room(kept, x->n, sizeof *out->others);
  out->agent_at = malloc(cells * sizeof *out->agent_at);
  kept->failed = kept->failed || out->agent_at == NULL;
  for (size_t i = 0; i < cells && !kept->failed; ++i) out->agent_at[i] = x->g->n_agents;
  for (size_t i = 0; i < x->n && !kept->failed; ++i) {
    const char *value = x->values[i * x->n_keys + out->key];
    if (value != NULL) put_agent(kept, out, i, value);
    without += value == NULL;
  }
  return without;
}

/* ---- points ---- */

static far__sensitivity_point point_of(const lines *l, size_t env, size_t line, size_t v) {
  const far_comparison_group *g = l->x->g;
  const size_t j = l->agent_at[line * l->n_values + v];
  far__sensitivity_point out = {.mean = NAN, .low = NAN, .high = NAN, .other = l->others[line]};
  if (j == g->n_agents) return out;
  const far_comparison_cell *cell = far__cell_of(g, env, j);
  if (cell->runs == 0) return out;
  out.runs = cell->runs;
  out.censored = cell->times.censored;
  out.mean = cell->summary.mean;
  out.low = cell->summary.low;
  out.high = cell->summary.high;
  return out;
}

/* Is a mean better than another, which may be NAN? */
static bool beats(double x, double y, bool lower) {
  if (x != x) return false;
  return y != y || (lower ? x < y : x > y);
}

static far__sensitivity_point best_at(const lines *l, size_t env, size_t v, bool lower) {
  far__sensitivity_point best = {.mean = NAN, .low = NAN, .high = NAN, .other = ""};
  for (size_t line = 0; line < l->n; ++line) {
    const far__sensitivity_point p = point_of(l, env, line, v);
    if (p.runs > 0 && (best.runs == 0 || beats(p.mean, best.mean, lower))) best = p;
  }
  return best;
}

/* ---- which lines are kept ---- */

/* A line is worth what its best place among all lines is on any environment, then what it is on all. */
typedef struct rank {
  size_t line, least, sum;
  double best; /* on the environment at hand */
  bool lower;
} rank;

static int by_best(const void *x, const void *y) {
  const rank *a = x, *b = y;
  if (beats(a->best, b->best, a->lower)) return -1;
  if (beats(b->best, a->best, a->lower)) return 1;
  return a->line < b->line ? -1 : a->line > b->line;
}

static int by_worth(const void *x, const void *y) {
  const rank *a = x, *b = y;
  if (a->least != b->least) return a->least < b->least ? -1 : 1;
  if (a->sum != b->sum) return a->sum < b->sum ? -1 : 1;
  return a->line < b->line ? -1 : a->line > b->line;
}

static int by_line(const void *x, const void *y) {
  const rank *a = x, *b = y;
  return a->line < b->line ? -1 : a->line > b->line;
}

static void rank_on(const lines *l, rank *ranks, size_t n, size_t env) {
  for (size_t i = 0; i < n; ++i) {
    ranks[i].best = NAN;
    for (size_t v = 0; v < l->n_values; ++v) {
      const double mean = point_of(l, env, ranks[i].line, v).mean;
      if (beats(mean, ranks[i].best, ranks[i].lower)) ranks[i].best = mean;
    }
  }
  qsort(ranks, n, sizeof *ranks, by_best);
  for (size_t i = 0; i < n; ++i) {
    ranks[i].least = i < ranks[i].least ? i : ranks[i].least;
    ranks[i].sum += i;
  }
}

/* Lines of two points or more, the best of them, in their own order. */
static size_t choose_lines(const lines *l, rank *ranks, size_t most, bool lower) {
  size_t n = 0;
  for (size_t line = 0; line < l->n; ++line) {
    size_t points = 0;
    for (size_t v = 0; v < l->n_values; ++v)
      points += l->agent_at[line * l->n_values + v] < l->x->g->n_agents;
    if (points > 1) ranks[n++] = (rank){.line = line, .least = SIZE_MAX, .lower = lower};
  }
  if (n <= most) return n;
  for (size_t e = 0; e < l->x->g->n_envs; ++e) rank_on(l, ranks, n, e);
  qsort(ranks, n, sizeof *ranks, by_worth);
  qsort(ranks, most, sizeof *ranks, by_line);
  return most;
}

/* ---- one parameter ---- */

static void fill_panel(far__kept *kept, far__sensitivity_panel *out, const lines *l, size_t env,
                       const rank *chosen, size_t n, bool lower) {
  far__sensitivity_point *points = far__kept_room(kept, n * l->n_values, sizeof *points);
  far__sensitivity_point *best = far__kept_room(kept, l->n_values, sizeof *best);
  out->env = far__kept_text(kept, l->x->g->envs[env].label);
  out->points = points;
  out->best = best;
  for (size_t i = 0; i < n * l->n_values && points != NULL; ++i)
    points[i] = point_of(l, env, chosen[i / l->n_values].line, i % l->n_values);
  for (size_t v = 0; v < l->n_values && best != NULL; ++v) best[v] = best_at(l, env, v, lower);
}

static void fill_parameter(far__kept *kept, far__sensitivity_parameter *out, const lines *l,
                           size_t most, bool lower) {
  const far_comparison_group *g = l->x->g;
  rank *ranks = far__kept_room(kept, l->n, sizeof *ranks);
  far__sensitivity_panel *panels = far__kept_room(kept, g->n_envs, sizeof *panels);
  if (kept->failed) return;
  const size_t n = choose_lines(l, ranks, most, lower);
  const char **names = far__kept_room(kept, n, sizeof *names);
  for (size_t i = 0; i < n && names != NULL; ++i) names[i] = l->others[ranks[i].line];
  for (size_t e = 0; e < g->n_envs; ++e) fill_panel(kept, &panels[e], l, e, ranks, n, lower);
  out->values = l->values;
  out->n_values = l->n_values;
  out->lines = names;
  out->n_lines = n;
  out->n_left_out = l->n - n;
  out->panels = panels;
  out->n_panels = g->n_envs;
}

static void make_parameter(far__kept *kept, far__sensitivity_parameter *out, const grid *x,
                           size_t key, size_t most, bool lower) {
  lines l = {.x = x, .key = key};
  const far_param *param = far__agent_param(x->name, x->keys[key]);
  find_values(kept, &l);
  if (kept->failed) return;
  out->scale = far__values_arrange(l.values, l.n_values, param != NULL ? param->choices : NULL);
  out->agent = x->name;
  out->key = x->keys[key];
  out->n_without = find_lines(kept, &l);
  if (!kept->failed) fill_parameter(kept, out, &l, most, lower);
  free(l.agent_at);
}

/* ---- all ---- */

static bool name_is(const char *spec, const char *name) {
  const size_t length = strcspn(spec, ":");
  return strlen(name) == length && memcmp(spec, name, length) == 0;
}

/* The agents of the algorithm of agent j, if that is the first of them. */
static bool find_grid(far__kept *kept, grid *out, const far_comparison_group *g, size_t j) {
  const char *spec = spec_of(g, j);
  for (size_t i = 0; i < j; ++i)
    if (far__spec_same_type(spec_of(g, i), spec)) return false;
  *out = (grid){.g = g, .name = far__kept_part(kept, spec, strcspn(spec, ":"))};
  size_t *agents = far__kept_room(kept, g->n_agents, sizeof *agents);
  if (kept->failed) return false;
  for (size_t i = j; i < g->n_agents; ++i)
    if (far__spec_same_type(spec_of(g, i), spec)) agents[out->n++] = i;
  out->agents = agents;
  find_keys(kept, out);
  return !kept->failed;
}

static far_status nothing_varies(const far__sensitivity_def *def, const char *found, bool known,
                                 far_error *error) {
  if (def->agent != NULL && !known)
    return far__fail(error, FAR_STATUS_UNKNOWN, -1, "no agent '%.100s' has runs here", def->agent);
  if (found[0] == '\0')
    return far__fail(error, FAR_STATUS_UNKNOWN, -1,
                     "no two agents of one algorithm differ in a parameter here");
  return far__fail(error, FAR_STATUS_UNKNOWN, -1, "'%.100s' does not vary here; these do: %s",
                   def->parameter != NULL ? def->parameter : def->agent, found);
}

typedef struct search {
  far__sensitivity_panels *out;
  far__sensitivity_parameter *list;
  size_t n, room;
  far__names found; /* "r-max:m" */
  bool known;       /* the algorithm that is asked for has runs */
} search;

static void add_parameter(search *s, const grid *x, size_t key, const far__sensitivity_def *def) {
  far__kept *kept = &s->out->kept;
  const char *name = far__kept_format(kept, "%.60s:%.60s", x->name, x->keys[key]);
  if (name != NULL) far__names_add(&s->found, name);
  if (def->agent != NULL && strcmp(def->agent, x->name) != 0) return;
  if (def->parameter != NULL && strcmp(def->parameter, x->keys[key]) != 0) return;
  if (!far__grow((void **)&s->list, s->n, &s->room, sizeof *s->list)) {
    kept->failed = true;
    return;
  }
  s->list[s->n] = (far__sensitivity_parameter){0};
  make_parameter(kept, &s->list[s->n++], x, key, def->most_lines, s->out->result.lower);
}

far_status far__sensitivity_grids(far__sensitivity_panels *out, const far_comparison *comparison,
                                  const far__sensitivity_def *def, far_error *error) {
  const far_comparison_group *g = &comparison->groups[def->group];
  search s = {.out = out};
  for (size_t j = 0; j < g->n_agents && !out->kept.failed; ++j) {
    grid x;
    s.known = s.known || (def->agent != NULL && name_is(g->agents[j].label, def->agent));
    if (!find_grid(&out->kept, &x, g, j)) continue;
    for (size_t k = 0; k < x.n_keys && !out->kept.failed; ++k) add_parameter(&s, &x, k, def);
  }
  far__sensitivity_parameter *list = far__kept_room(&out->kept, s.n, sizeof *list);
  if (list != NULL && s.n > 0) memcpy(list, s.list, s.n * sizeof *list);
  free(s.list);
  out->result.parameters = list;
  out->result.n_parameters = s.n;
  if (out->kept.failed || s.n > 0 || (def->agent == NULL && def->parameter == NULL)) return FAR_OK;
  return nothing_varies(def, s.found.text, s.known, error);
}
