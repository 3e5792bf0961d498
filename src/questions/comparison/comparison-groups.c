/* Which numbers of a store may be compared, and which cells are of the same agent. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "base/text.h"
#include "farsight/agent.h"
#include "farsight/mdp.h"
#include "questions/comparison/comparison.h"
#include "questions/listing/label.h"

static void group_free(far_comparison_group *g) {
  for (size_t j = 0; j < g->n_agents; ++j) free((char *)g->agents[j].label);
  for (size_t j = 0; j < g->n_agents; ++j) free((char *)g->agents[j].brief);
  for (size_t e = 0; e < g->n_envs; ++e) free((char *)g->envs[e].brief);
  for (size_t i = 0; g->cells != NULL && i < g->n_envs * g->n_agents; ++i) {
    free(g->cells[i].values);
    free(g->cells[i].replicates);
    free(g->cells[i].keys);
  }
  free(g->envs);
  free(g->agents);
  free(g->cells);
}

void far__groups_free(far_comparison *comparison) {
  for (size_t i = 0; i < comparison->n_groups; ++i) group_free(&comparison->groups[i]);
  free(comparison->groups);
  comparison->groups = NULL;
  comparison->n_groups = 0;
}

/* ---- groups ---- */

static int compare_groups(const void *x, const void *y) {
  const far_comparison_group *a = x, *b = y;
  if (a->episodes != b->episodes) return a->episodes < b->episodes ? -1 : 1;
  if (a->steps != b->steps) return a->steps < b->steps ? -1 : 1;
  if (a->seed != b->seed) return a->seed < b->seed ? -1 : 1;
  return (a->numerics > b->numerics) - (a->numerics < b->numerics);
}

/* Where runs end by episodes, the most steps follow from each environment's horizon. */
static bool is_as_long(const far_comparison_group *g, const far__stored_cell *r) {
  return g->episodes == r->episodes && (r->episodes > 0 || g->steps == r->steps);
}

static void add_group(far__comparing *c, const far__stored_cell *r) {
  far_comparison *out = c->out;
  const uint64_t seed = r->numerics != 0 ? r->seed : 0;
  for (size_t i = 0; i < out->n_groups; ++i) {
    far_comparison_group *g = &out->groups[i];
    if (!is_as_long(g, r)) continue;
    if (r->numerics != 0 && (g->seed != seed || g->numerics != r->numerics)) continue;
    if (g->steps < r->steps) g->steps = r->steps;
    return;
  }
  if (far__work_grow(c, (void **)&out->groups, out->n_groups, sizeof *out->groups))
    out->groups[out->n_groups++] = (far_comparison_group){.steps = r->steps,
                                                          .episodes = r->episodes,
                                                          .seed = seed,
                                                          .numerics = r->numerics,
                                                          .n_older = c->n_older};
}

/* Runs of this library are of a group if steps, seed and numerics agree. Imported ones join every group
 * of their steps; where these are unknown, they join if there are no two. */
static void find_groups(far__comparing *c) {
  const far_comparison *out = c->out;
  bool unknown = false, several = false;
  for (int pass = 0; pass < 2; ++pass)
    for (size_t i = 0; i < c->stored->n_cells; ++i) {
      const far__stored_cell *r = &c->stored->cells[i];
      const bool told = r->steps > 0 || r->episodes > 0;
      if (pass == 0 && r->numerics != 0) add_group(c, r);
      if (pass == 1 && r->numerics == 0 && told) add_group(c, r);
      unknown = unknown || (r->numerics == 0 && !told);
    }
  for (size_t i = 1; i < out->n_groups; ++i)
    several = several || out->groups[i].steps != out->groups[0].steps ||
              out->groups[i].episodes != out->groups[0].episodes;
  if (unknown && (out->n_groups == 0 || several)) add_group(c, &(far__stored_cell){0});
  if (out->n_groups > 0) qsort(out->groups, out->n_groups, sizeof *out->groups, compare_groups);
}

/* ---- members ---- */

typedef struct member {
  const far__stored_cell *cell;
  far_origin origin;
  char *label; /* as one would type it; NULL where `typed` says what was typed */
  const char *
      *typed; /* its names, without those that mean two agents of the group on one environment */
  size_t n_typed;
  bool covered;
} member;

typedef struct members {
  member *list;
  size_t count, all; /* all: those that were dropped too */
} members;

static bool origin_in(far_origin *out, const far_comparison_group *g, const far__stored_cell *r,
                      bool alone) {
  const bool fits = is_as_long(g, r);
  *out = r->numerics != 0 ? FAR_ORIGIN_COMPUTED
         : fits           ? FAR_ORIGIN_IMPORTED
                          : FAR_ORIGIN_UNKNOWN_STEPS;
  if (r->numerics != 0) return fits && r->seed == g->seed && r->numerics == g->numerics;
  return fits || (r->steps == 0 && r->episodes == 0 && alone);
}

/* The same agent's runs with room for more steps: those count where both end by episodes. Cells come environment by
 * environment. */
static bool is_outlasted(const far__stored *stored, size_t i) {
  const far__stored_cell *r = &stored->cells[i];
  size_t first = i;
  while (first > 0 && stored->cells[first - 1].env == r->env) --first;
  for (size_t k = first; r->episodes > 0 && k < stored->n_cells; ++k) {
    const far__stored_cell *x = &stored->cells[k];
    if (x->env != r->env) return false;
    if (x->episodes == r->episodes && x->steps > r->steps && x->seed == r->seed &&
        x->numerics == r->numerics && strcmp(x->agent, r->agent) == 0)
      return true;
  }
  return false;
}

static bool is_typed(const far__stored_cell *cell, const char *name) {
  for (size_t k = 0; k < cell->n_typed; ++k)
    if (strcmp(cell->typed[k], name) == 0) return true;
  return false;
}

/* Is another agent of the group called so on the same environment, in another study? Cells come environment by
 * environment. */
static bool means_two(const members *in, const member *m, const char *name) {
  const member *first = m, *end = in->list + in->count;
  while (first > in->list && first[-1].cell->env == m->cell->env) --first;
  for (const member *k = first; k < end && k->cell->env == m->cell->env; ++k)
    if (k != m && k->origin == m->origin && strcmp(k->cell->agent, m->cell->agent) != 0 &&
        is_typed(k->cell, name))
      return true;
  return false;
}

static void find_names(far__comparing *c, member *m, const members *in) {
  m->typed = far__work_room(c, m->cell->n_typed, sizeof *m->typed);
  for (size_t k = 0; m->typed != NULL && k < m->cell->n_typed; ++k)
    if (!means_two(in, m, m->cell->typed[k])) m->typed[m->n_typed++] = m->cell->typed[k];
  if (m->n_typed == 0) m->label = far__derived_label(c, m->cell);
}

/* Without a model the label cannot be derived: it is taken from a member with the same canonical spec. */
static void borrow_label(far__comparing *c, member *m, const members *in) {
  const far__stored_env *envs = c->stored->envs;
  for (size_t k = 0; k < in->count && m->label != NULL && envs[m->cell->env].mdp == NULL; ++k) {
    const member *other = &in->list[k];
    if (envs[other->cell->env].mdp == NULL || other->label == NULL ||
        strcmp(m->cell->agent, other->cell->agent) != 0)
      continue;
    char *label = far__work_copy(c, other->label);
    if (label != NULL) free(m->label);
    if (label != NULL) m->label = label;
    return;
  }
}

/* `alone`: there is no group of results whose steps are unknown. */
static members find_members(far__comparing *c, const far_comparison_group *g, bool alone) {
  members out = {.list = far__work_room(c, c->stored->n_cells, sizeof *out.list)};
  for (size_t i = 0; i < c->stored->n_cells && c->status == FAR_OK; ++i) {
    member m = {.cell = &c->stored->cells[i]};
    if (!origin_in(&m.origin, g, m.cell, alone) || is_outlasted(c->stored, i)) continue;
    out.list[out.count++] = m;
  }
  out.all = out.count;
  for (size_t i = 0; i < out.count && c->status == FAR_OK; ++i) find_names(c, &out.list[i], &out);
  for (size_t i = 0; i < out.count && c->status == FAR_OK; ++i) borrow_label(c, &out.list[i], &out);
  return out;
}

static void members_free(members *m) {
  for (size_t i = 0; i < m->all; ++i) {
    free(m->list[i].label);
    free(m->list[i].typed);
  }
  free(m->list);
}

/* ---- agents ---- */

/* A label, and what it means on the environment it was last asked about: cells come environment by
 * environment, and to resolve a spec takes far longer than to compare two. */
typedef struct reader {
  const char *label;
  far_origin origin;
  bool asked; /* it is the caller's, who may mean an agent that was called something else */
  const far_mdp *mdp;
  int64_t steps;
  bool good; /* it has a meaning there */
  char resolved[FAR_SPEC_SIZE];
} reader;

static bool means(far__comparing *c, reader *r, const far__stored_cell *cell) {
  const far_mdp *mdp = c->stored->envs[cell->env].mdp;
  if (strcmp(cell->agent, r->label) == 0) return true;
  if (mdp == NULL) return false;
  if (mdp != r->mdp || cell->steps != r->steps) {
    const far_shape shape = far_shape_for(far_mdp_shape(mdp), cell->steps, cell->episodes);
    r->steps = cell->steps;
    r->good = far__work_answers(c, far_agent_resolve(r->resolved, r->label, &shape, NULL));
    r->mdp = mdp;
  }
  return r->good && strcmp(r->resolved, cell->agent) == 0;
}

static bool is_called(const member *m, const char *label) {
  for (size_t k = 0; k < m->n_typed; ++k)
    if (strcmp(m->typed[k], label) == 0) return true;
  return m->label != NULL && strcmp(m->label, label) == 0;
}

/* What was typed is what an agent is called; of results that nobody typed here the meaning decides. */
static bool covers(far__comparing *c, reader *r, const member *m) {
  if (r->origin != m->origin) return false;
  if (is_called(m, r->label)) return true;
  if (m->n_typed > 0 && !r->asked) return false;
  return far__spec_same_type(r->label, m->cell->agent) && means(c, r, m->cell);
}

static size_t coverage(far__comparing *c, const char *label, far_origin origin, bool asked,
                       const members *in) {
  reader r = {.label = label, .origin = origin, .asked = asked};
  size_t out = 0;
  for (size_t i = 0; i < in->count; ++i) out += covers(c, &r, &in->list[i]);
  return out;
}

typedef struct candidate {
  const char *label, *canonical;
  far_origin origin;
  size_t coverage, order;
  bool typed; /* nothing is added to it */
  bool name;  /* and it is no spec */
  bool taken;
} candidate;

typedef struct candidates {
  candidate *list;
  size_t count;
} candidates;

static int by_coverage(const void *x, const void *y) {
  const candidate *a = x, *b = y;
  if (a->coverage != b->coverage) return a->coverage > b->coverage ? -1 : 1;
  if (a->name != b->name) return a->name ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

static int by_order(const void *x, const void *y) {
  const candidate *a = x, *b = y;
  if (a->origin != b->origin) return a->origin < b->origin ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

static void add_candidate(far__comparing *c, candidates *out, const members *in, size_t i,
                          const char *label) {
  const member *m = &in->list[i];
  for (size_t k = 0; k < out->count; ++k)
    if (out->list[k].origin == m->origin && strcmp(out->list[k].label, label) == 0) return;
  if (!far__work_grow(c, (void **)&out->list, out->count, sizeof *out->list)) return;
  const bool typed = m->n_typed > 0;
  out->list[out->count++] =
      (candidate){.label = label,
                  .canonical = m->cell->agent,
                  .origin = m->origin,
                  .order = i,
                  .coverage = coverage(c, label, m->origin, false, in),
                  .typed = typed,
                  .name = typed && far_spec_type(far_agent_type, label) == NULL};
}

/* An agent is a spec, and its cell on an environment is the one whose stored spec is what that spec
 * means there. So the specs that explain the most cells are taken until every cell is explained. */
static void find_agents(far__comparing *c, candidates *out, members *in) {
  size_t taken = 0;
  for (size_t i = 0; i < in->count && c->status == FAR_OK; ++i) {
    const member *m = &in->list[i];
    for (size_t k = 0; k < m->n_typed; ++k) add_candidate(c, out, in, i, m->typed[k]);
    if (m->n_typed == 0) add_candidate(c, out, in, i, m->label);
  }
  if (out->count == 0) return;
  qsort(out->list, out->count, sizeof *out->list, by_coverage);
  for (size_t k = 0; k < out->count; ++k) {
    reader r = {.label = out->list[k].label, .origin = out->list[k].origin};
    for (size_t i = 0; i < in->count; ++i)
      if (!in->list[i].covered && covers(c, &r, &in->list[i]))
        in->list[i].covered = out->list[k].taken = true;
  }
  for (size_t k = 0; k < out->count; ++k)
    if (out->list[k].taken) out->list[taken++] = out->list[k];
  out->count = taken;
  qsort(out->list, taken, sizeof *out->list, by_order);
}

/* The label with the keys that tell it from `others`, if it means the same then; heap. */
static char *distinguished(far__comparing *c, const candidate *own, const char *const *others,
                           size_t n_others, const members *in) {
  char text[FAR_SPEC_SIZE];
  if (own->typed) return far__work_copy(c, own->label);
  far__label_distinguish(text, own->label, own->canonical, others, n_others);
  const bool same =
      strlen(own->label) < sizeof text &&
      coverage(c, text, own->origin, false, in) == coverage(c, own->label, own->origin, false, in);
  return far__work_copy(c, same ? text : own->label);
}

/* Of all candidates; `labels` has room for them, and owns them. */
static void distinguish(far__comparing *c, candidates *found, char **labels, const members *in) {
  const char **others = far__work_room(c, found->count, sizeof *others);
  size_t n_others = 0;
  for (size_t k = 0; k < found->count && others != NULL; ++k)
    if (strcmp(found->list[k].label, found->list[k].canonical) != 0)
      others[n_others++] = found->list[k].label;
  for (size_t k = 0; k < found->count && c->status == FAR_OK; ++k)
    labels[k] = distinguished(c, &found->list[k], others, n_others, in);
  for (size_t k = 0; k < found->count && c->status == FAR_OK; ++k) found->list[k].label = labels[k];
  free(others);
}

static void add_agent(far__comparing *c, far_comparison_group *g, const char *label,
                      far_origin origin) {
  for (size_t j = 0; j < g->n_agents; ++j)
    if (g->agents[j].origin == origin && strcmp(g->agents[j].label, label) == 0) return;
  if (!far__work_grow(c, (void **)&g->agents, g->n_agents, sizeof *g->agents)) return;
  const char *copy = far__work_copy(c, label);
  if (copy != NULL)
    g->agents[g->n_agents++] = (far_comparison_agent){.label = copy, .origin = origin};
}

/* Those that a name names: as a spec, or as a pattern of labels (of which a baseline is the first). */
static bool add_named(far__comparing *c, far_comparison_group *g, const members *in,
                      const char *wanted, bool baseline, const candidates *found) {
  bool spec = false, any = false;
  for (far_origin o = FAR_ORIGIN_COMPUTED; o <= FAR_ORIGIN_UNKNOWN_STEPS; ++o) {
    if (coverage(c, wanted, o, true, in) == 0) continue;
    add_agent(c, g, wanted, o);
    spec = true;
  }
  for (size_t k = 0; k < found->count && !spec && !(any && baseline); ++k) {
    if (fnmatch(wanted, found->list[k].label, 0) != 0) continue;
    add_agent(c, g, found->list[k].label, found->list[k].origin);
    any = true;
  }
  return spec || any;
}

/* All of them, or those that the definition names; marks the names that were of use. */
static void add_agents(far__comparing *c, far_comparison_group *g, const members *in,
                       const candidates *found, bool *used) {
  const far_comparison_def *def = c->def;
  for (size_t k = 0; k < found->count && def->n_agents == 0; ++k)
    add_agent(c, g, found->list[k].label, found->list[k].origin);
  for (size_t i = 0; i < def->n_agents; ++i)
    if (add_named(c, g, in, def->agents[i], false, found)) used[i] = true;
  if (def->n_agents > 0 && def->baseline != NULL) add_named(c, g, in, def->baseline, true, found);
}

static void choose_agents(far__comparing *c, far_comparison_group *g, members *in, bool *used) {
  candidates found = {0};
  if (c->status == FAR_OK) find_agents(c, &found, in);
  char **labels = far__work_room(c, found.count, sizeof *labels);
  if (c->status == FAR_OK) distinguish(c, &found, labels, in);
  if (c->status == FAR_OK) add_agents(c, g, in, &found, used);
  for (size_t k = 0; labels != NULL && k < found.count; ++k) free(labels[k]);
  free(labels);
  free(found.list);
}

/* ---- cells ---- */

static bool has_env(const far_comparison_group *g, size_t id) {
  for (size_t e = 0; e < g->n_envs; ++e)
    if (g->envs[e].id == id) return true;
  return false;
}

/* Environments in the order of the definition, or of the store. */
static void choose_envs(far__comparing *c, far_comparison_group *g, const members *in) {
  const far_comparison_def *def = c->def;
  g->envs = far__work_room(c, c->stored->n_envs, sizeof *g->envs);
  if (g->envs == NULL) return;
  for (size_t k = 0; k < (def->n_envs > 0 ? def->n_envs : 1); ++k)
    for (size_t i = 0; i < in->count; ++i) {
      const size_t e = in->list[i].cell->env;
      if (has_env(g, e)) continue;
      if (def->n_envs == 0 || far__env_is(c, &c->stored->envs[e], def->envs[k])) {
        const far__stored_env *env = &c->stored->envs[e];
        g->envs[g->n_envs++] = (far_comparison_env){.label = env->label,
                                                    .spec = env->spec,
                                                    .model = env->model,
                                                    .unusable = env->unusable,
                                                    .id = e,
                                                    .mdp = env->mdp};
      }
    }
}

/* Makes room for `more` elements behind `count`. */
static bool extend(far__comparing *c, void **array, int64_t count, int64_t more, size_t size) {
  void *new = far__work_room(c, (size_t)(count + more), size);
  if (new == NULL) return false;
  if (count > 0) memcpy(new, *array, (size_t)count * size);
  free(*array);
  *array = new;
  return true;
}

static void add_runs(far__comparing *c, far_comparison_cell *cell, const far__stored_cell *r) {
  if (!extend(c, (void **)&cell->values, cell->runs, r->n, sizeof *cell->values) ||
      !extend(c, (void **)&cell->replicates, cell->runs, r->n, sizeof *cell->replicates) ||
      !far__work_grow(c, (void **)&cell->keys, cell->records, sizeof *cell->keys))
    return;
  if (r->n > 0) memcpy(cell->values + cell->runs, r->x, (size_t)r->n * sizeof *r->x);
  if (r->n > 0)
    memcpy(cell->replicates + cell->runs, r->replicates, (size_t)r->n * sizeof *r->replicates);
  cell->keys[cell->records] = r->key;
  cell->runs += r->n;
  cell->spec = r->agent;
  cell->steps = r->steps;
  cell->records += 1;
  cell->finite = true;
  for (int64_t i = 0; i < cell->runs; ++i)
    cell->finite = cell->finite && cell->values[i] - cell->values[i] == 0;
}

/* Agents that the caller has named may be called something else in the store. */
static reader reader_of(const far__comparing *c, const far_comparison_agent *agent) {
  const bool asked = c->def->n_agents > 0;
  return (reader){.label = agent->label, .origin = agent->origin, .asked = asked};
}

static void fill_cells(far__comparing *c, far_comparison_group *g, const members *in) {
  g->cells = far__work_room(c, g->n_envs * g->n_agents, sizeof *g->cells);
  for (size_t j = 0; j < g->n_agents && g->cells != NULL; ++j) {
    reader r = reader_of(c, &g->agents[j]);
    for (size_t i = 0; i < in->count && c->status == FAR_OK; ++i) {
      size_t e = 0;
      while (e < g->n_envs && g->envs[e].id != in->list[i].cell->env) ++e;
      if (e < g->n_envs && covers(c, &r, &in->list[i]))
        add_runs(c, far__cell_of(g, e, j), in->list[i].cell);
    }
  }
}

/* ---- the whole ---- */

/* Keeps the members of a chosen agent; the others are moved behind them. */
static void drop_others(far__comparing *c, members *in, const far_comparison_group *g) {
  size_t kept = 0;
  for (size_t i = 0; i < in->count; ++i) in->list[i].covered = false;
  for (size_t j = 0; j < g->n_agents; ++j) {
    reader r = reader_of(c, &g->agents[j]);
    for (size_t i = 0; i < in->count; ++i)
      in->list[i].covered = in->list[i].covered || covers(c, &r, &in->list[i]);
  }
  for (size_t i = 0; i < in->count; ++i) {
    const member m = in->list[i];
    if (!m.covered) continue;
    in->list[i] = in->list[kept];
    in->list[kept++] = m;
  }
  in->count = kept;
}

static void make_group(far__comparing *c, far_comparison_group *g, bool alone, bool *used) {
  members in = find_members(c, g, alone);
  if (c->status == FAR_OK) choose_agents(c, g, &in, used);
  if (c->status == FAR_OK) drop_others(c, &in, g);
  if (c->status == FAR_OK) choose_envs(c, g, &in);
  if (c->status == FAR_OK) fill_cells(c, g, &in);
  members_free(&in);
}

static void drop_empty(far_comparison *out) {
  size_t kept = 0;
  for (size_t i = 0; i < out->n_groups; ++i) {
    const far_comparison_group g = out->groups[i];
    if (g.n_agents > 0)
      out->groups[kept++] = g;
    else
      group_free(&out->groups[i]);
  }
  out->n_groups = kept;
}

void far__groups_make(far__comparing *c) {
  far_comparison *out = c->out;
  bool *used = far__work_room(c, c->def->n_agents, sizeof *used), alone = true;
  find_groups(c);
  for (size_t i = 0; i < out->n_groups; ++i) alone = alone && out->groups[i].steps != 0;
  for (size_t i = 0; i < out->n_groups && c->status == FAR_OK; ++i)
    make_group(c, &out->groups[i], alone, used);
  for (size_t i = 0; i < c->def->n_agents && out->n_groups > 0 && c->status == FAR_OK; ++i)
    if (!used[i]) far__unknown_agent(c, "", c->def->agents[i]);
  if (c->status == FAR_OK) drop_empty(out);
  free(used);
}

/* ---- names ---- */

static void name_env(far__comparing *c, far_comparison_env *env, const char *name) {
  char *copy = far__work_copy(c, name);
  if (copy == NULL) return;
  far__stored_env *stored = &c->stored->envs[env->id];
  free(stored->label);
  env->label = stored->label = copy;
}

static void name_agent(far__comparing *c, far_comparison_agent *agent, const char *name) {
  char *copy = far__work_copy(c, name);
  if (copy == NULL) return;
  free((char *)agent->label);
  agent->label = copy;
}

void far__group_name(far__comparing *c, far_comparison_group *g) {
  const far_comparison_def *def = c->def;
  for (size_t e = 0; def->env_names != NULL && g->n_envs == def->n_envs && e < g->n_envs; ++e)
    name_env(c, &g->envs[e], def->env_names[e]);
  for (size_t j = 0; def->agent_names != NULL && g->n_agents == def->n_agents && j < g->n_agents;
       ++j)
    name_agent(c, &g->agents[j], def->agent_names[j]);
}

/* ---- names in tables ---- */

enum { LONGEST = 42, MOST_BRIEF = 300 }; /* columns; labels that are compared key by key */

/* out[i]: label i as a table has it; heap. */
static void shorten(far__comparing *c, char **out, const char *const *labels, size_t n) {
  char(*text)[FAR_SPEC_SIZE] = far__work_room(c, n, sizeof *text);
  const char **brief = far__work_room(c, n, sizeof *brief);
  for (size_t i = 0; i < n && c->status == FAR_OK; ++i) {
    const bool fits = far__text_width(labels[i], strlen(labels[i])) <= LONGEST;
    const bool keys = !fits && n <= MOST_BRIEF && strlen(labels[i]) < FAR_SPEC_SIZE;
    if (keys) far__label_brief(text[i], labels[i], labels, n);
    brief[i] = keys ? text[i] : labels[i];
  }
  if (c->status == FAR_OK) far__work_check(c, far__labels_cut(out, brief, n, LONGEST, c->error));
  free(text);
  free(brief);
}

static void shorten_envs(far__comparing *c, far_comparison_group *g) {
  const char **labels = far__work_room(c, g->n_envs, sizeof *labels);
  char **out = far__work_room(c, g->n_envs, sizeof *out);
  for (size_t e = 0; c->status == FAR_OK && e < g->n_envs; ++e) labels[e] = g->envs[e].label;
  if (c->status == FAR_OK) shorten(c, out, labels, g->n_envs);
  for (size_t e = 0; out != NULL && e < g->n_envs; ++e) g->envs[e].brief = out[e];
  free(labels);
  free(out);
}

static void shorten_agents(far__comparing *c, far_comparison_group *g) {
  const char **labels = far__work_room(c, g->n_agents, sizeof *labels);
  char **out = far__work_room(c, g->n_agents, sizeof *out);
  for (size_t j = 0; c->status == FAR_OK && j < g->n_agents; ++j) labels[j] = g->agents[j].label;
  if (c->status == FAR_OK) shorten(c, out, labels, g->n_agents);
  for (size_t j = 0; out != NULL && j < g->n_agents; ++j) g->agents[j].brief = out[j];
  free(labels);
  free(out);
}

void far__group_shorten(far__comparing *c, far_comparison_group *g) {
  if (c->status == FAR_OK) shorten_envs(c, g);
  if (c->status == FAR_OK) shorten_agents(c, g);
}
