/* Which numbers of a store may be compared, and which cells are of the same agent. */
#include "stats.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static void group_free(stats_group *g) {
  for (size_t j = 0; j < g->n_agents; ++j) free(g->agents[j].label);
  for (size_t i = 0; g->cells != NULL && i < g->n_envs * g->n_agents; ++i) {
    free(g->cells[i].x);
    free(g->cells[i].replicates);
  }
  free(g->envs);
  free(g->agents);
  free(g->cells);
  free(g->comparisons);
  free(g->improvements);
  free(g->scales);
  free(g->scores);
}

void stats_groups_free(stats_groups *groups) {
  for (size_t i = 0; i < groups->count; ++i) group_free(&groups->list[i]);
  free(groups->list);
  *groups = (stats_groups){0};
}

/* ---- groups ---- */

static int compare_groups(const void *x, const void *y) {
  const stats_group *a = x, *b = y;
  if (a->steps != b->steps) return a->steps < b->steps ? -1 : 1;
  if (a->seed != b->seed) return a->seed < b->seed ? -1 : 1;
  return (a->numerics > b->numerics) - (a->numerics < b->numerics);
}

static void add_group(stats_groups *out, int64_t steps, uint64_t seed, int numerics) {
  for (size_t i = 0; i < out->count; ++i) {
    const stats_group *g = &out->list[i];
    if (g->steps == steps && (numerics == 0 || (g->seed == seed && g->numerics == numerics)))
      return;
  }
  out->list = room_for_more(out->list, out->count, sizeof *out->list);
  out->list[out->count++] = (stats_group){.steps = steps, .seed = seed, .numerics = numerics};
}

/* Runs of this library are of a group if steps, seed and numerics agree. What was made elsewhere joins
 * every group of its steps; where it does not tell them, it joins if there are no two. */
static void find_groups(stats_groups *out, const stats_data *data) {
  bool untold = false, several = false;
  for (int pass = 0; pass < 2; ++pass)
    for (size_t i = 0; i < data->n_records; ++i) {
      const stats_record *r = &data->records[i];
      if (pass == 0 && r->numerics != 0) add_group(out, r->steps, r->seed, r->numerics);
      if (pass == 1 && r->numerics == 0 && r->steps > 0) add_group(out, r->steps, 0, 0);
      untold = untold || (r->numerics == 0 && r->steps == 0);
    }
  for (size_t i = 1; i < out->count; ++i)
    several = several || out->list[i].steps != out->list[0].steps;
  if (untold && (out->count == 0 || several)) add_group(out, 0, 0, 0);
  qsort(out->list, out->count, sizeof *out->list, compare_groups);
}

/* ---- members ---- */

typedef struct member {
  const stats_record *record;
  stats_origin origin;
  char *label;
  bool covered;
} member;

typedef struct members {
  member *list;
  size_t count, all; /* all: those that were dropped too */
} members;

static bool origin_in(stats_origin *out, const stats_group *g, const stats_record *r, bool alone) {
  *out = r->numerics != 0 ? ORIGIN_HERE : r->steps == g->steps ? ORIGIN_ELSEWHERE : ORIGIN_UNTOLD;
  if (r->numerics != 0)
    return r->steps == g->steps && r->seed == g->seed && r->numerics == g->numerics;
  return r->steps == g->steps || (r->steps == 0 && alone);
}

/* Where the model is gone, the same canonical spec elsewhere tells how it is typed. */
static void borrow_labels(members *in, const stats_data *data) {
  for (size_t i = 0; i < in->count; ++i) {
    member *m = &in->list[i];
    for (size_t k = 0; k < in->count && data->envs[m->record->env].mdp == NULL; ++k) {
      const member *other = &in->list[k];
      if (data->envs[other->record->env].mdp == NULL ||
          strcmp(m->record->agent, other->record->agent) != 0)
        continue;
      free(m->label);
      m->label = copy_of(other->label);
      break;
    }
  }
}

/* `alone`: there is no group of results whose steps are not told. */
static members find_members(const stats_group *g, const stats_data *data, bool alone) {
  members out = {.list = room_for(data->n_records, sizeof *out.list)};
  for (size_t i = 0; i < data->n_records; ++i) {
    member m = {.record = &data->records[i]};
    if (!origin_in(&m.origin, g, m.record, alone)) continue;
    m.label = stats_label(data, m.record);
    out.list[out.count++] = m;
  }
  out.all = out.count;
  borrow_labels(&out, data);
  return out;
}

static void members_free(members *m) {
  for (size_t i = 0; i < m->all; ++i) free(m->list[i].label);
  free(m->list);
}

/* ---- agents ---- */

/* A label, and what it means on the environment it was last asked about: records come environment by
 * environment, and to resolve a spec takes far longer than to compare two. */
typedef struct reader {
  const char *label;
  stats_origin origin;
  const far_mdp *mdp;
  bool good; /* it has a meaning there */
  char resolved[FAR_SPEC_SIZE];
} reader;

static bool means(reader *r, const stats_data *data, const stats_record *record) {
  const far_mdp *mdp = data->envs[record->env].mdp;
  if (strcmp(record->agent, r->label) == 0) return true;
  if (mdp == NULL) return false;
  if (mdp != r->mdp) {
    const far_shape shape = far_mdp_shape(mdp);
    r->good = need_memory(far_agent_resolve(r->resolved, r->label, &shape, NULL)) == FAR_OK;
    r->mdp = mdp;
  }
  return r->good && strcmp(r->resolved, record->agent) == 0;
}

static bool covers(reader *r, const stats_data *data, const member *m) {
  if (r->origin != m->origin || !far_spec_same_type(r->label, m->record->agent)) return false;
  return strcmp(r->label, m->label) == 0 || means(r, data, m->record);
}

static size_t coverage(const stats_data *data, const char *label, stats_origin origin,
                       const members *in) {
  reader r = {.label = label, .origin = origin};
  size_t out = 0;
  for (size_t i = 0; i < in->count; ++i) out += covers(&r, data, &in->list[i]);
  return out;
}

typedef struct candidate {
  const char *label, *canonical;
  stats_origin origin;
  size_t coverage, order;
  bool taken;
} candidate;

static int by_coverage(const void *x, const void *y) {
  const candidate *a = x, *b = y;
  if (a->coverage != b->coverage) return a->coverage > b->coverage ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

static int by_order(const void *x, const void *y) {
  const candidate *a = x, *b = y;
  if (a->origin != b->origin) return a->origin < b->origin ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

static size_t find_candidates(candidate *out, const stats_data *data, const members *in) {
  size_t count = 0;
  for (size_t i = 0; i < in->count; ++i) {
    const member *m = &in->list[i];
    bool known = false;
    for (size_t k = 0; k < count && !known; ++k)
      known = out[k].origin == m->origin && strcmp(out[k].label, m->label) == 0;
    if (known) continue;
    out[count] = (candidate){
        .label = m->label, .canonical = m->record->agent, .origin = m->origin, .order = i};
    out[count].coverage = coverage(data, m->label, m->origin, in);
    ++count;
  }
  return count;
}

/* An agent is a spec, and its cell on an environment is the one whose stored spec is what that spec
 * means there. So the specs that explain the most cells are taken until every cell is explained. */
static size_t find_agents(candidate *out, const stats_data *data, members *in) {
  const size_t count = find_candidates(out, data, in);
  size_t taken = 0;
  qsort(out, count, sizeof *out, by_coverage);
  for (size_t k = 0; k < count; ++k) {
    reader r = {.label = out[k].label, .origin = out[k].origin};
    for (size_t i = 0; i < in->count; ++i)
      if (!in->list[i].covered && covers(&r, data, &in->list[i]))
        in->list[i].covered = out[k].taken = true;
  }
  for (size_t k = 0; k < count; ++k)
    if (out[k].taken) out[taken++] = out[k];
  qsort(out, taken, sizeof *out, by_order);
  return taken;
}

/* The label with the keys that tell it from others, if it means the same then. */
static char *spelled_label(const candidate *c, const candidate *all, size_t count,
                           const stats_data *data, const members *in) {
  char text[FAR_SPEC_SIZE];
  const char **others = room_for(count, sizeof *others);
  size_t n_others = 0;
  for (size_t k = 0; k < count; ++k)
    if (strcmp(all[k].label, all[k].canonical) != 0) others[n_others++] = all[k].label;
  far_label_distinguish(text, c->label, c->canonical, others, n_others);
  const bool same = strlen(c->label) < sizeof text &&
                    coverage(data, text, c->origin, in) == coverage(data, c->label, c->origin, in);
  free(others);
  return copy_of(same ? text : c->label);
}

static void add_agent(stats_group *g, const char *label, stats_origin origin) {
  for (size_t j = 0; j < g->n_agents; ++j)
    if (g->agents[j].origin == origin && strcmp(g->agents[j].label, label) == 0) return;
  g->agents = room_for_more(g->agents, g->n_agents, sizeof *g->agents);
  g->agents[g->n_agents++] = (stats_agent){copy_of(label), origin};
}

/* Those that an option names: by a spec, or by a pattern of labels (of which a baseline is the first). */
static bool add_named(stats_group *g, const stats_data *data, const members *in, const char *wanted,
                      bool baseline, const candidate *found, size_t n_found) {
  bool spec = false, any = false;
  for (stats_origin o = ORIGIN_HERE; o <= ORIGIN_UNTOLD; ++o) {
    if (coverage(data, wanted, o, in) == 0) continue;
    add_agent(g, wanted, o);
    spec = true;
  }
  for (size_t k = 0; k < n_found && !spec && !(any && baseline); ++k) {
    if (fnmatch(wanted, found[k].label, 0) != 0) continue;
    add_agent(g, found[k].label, found[k].origin);
    any = true;
  }
  return spec || any;
}

static void choose_agents(stats_group *g, const stats_data *data, const stats_query *query,
                          members *in, bool *used) {
  candidate *found = room_for(in->count, sizeof *found);
  const size_t n_found = find_agents(found, data, in);
  const char *wanted = args_text(query->args, "agent", 0);
  char **labels = room_for(n_found, sizeof *labels);
  for (size_t k = 0; k < n_found; ++k)
    labels[k] = spelled_label(&found[k], found, n_found, data, in);
  for (size_t k = 0; k < n_found; ++k) found[k].label = labels[k];
  for (size_t k = 0; wanted == NULL && k < n_found; ++k)
    add_agent(g, found[k].label, found[k].origin);
  for (size_t i = 0; (wanted = args_text(query->args, "agent", i)) != NULL; ++i) {
    if (add_named(g, data, in, wanted, false, found, n_found)) used[i] = true;
  }
  if (args_text(query->args, "agent", 0) != NULL && query->baseline != NULL)
    add_named(g, data, in, query->baseline, true, found, n_found);
  for (size_t k = 0; k < n_found; ++k) free(labels[k]);
  free(labels);
  free(found);
}

/* ---- cells ---- */

/* Environments in the order of the options, or of the store. */
static void choose_envs(stats_group *g, const stats_data *data, const stats_query *query,
                        const members *in) {
  size_t options = 0;
  while (args_text(query->args, "env", options) != NULL) ++options;
  g->envs = room_for(data->n_envs, sizeof *g->envs);
  for (size_t k = 0; k < (options > 0 ? options : 1); ++k)
    for (size_t i = 0; i < in->count; ++i) {
      const size_t e = in->list[i].record->env;
      bool known = options > 0 && !stats_env_is(&data->envs[e], args_text(query->args, "env", k));
      for (size_t n = 0; n < g->n_envs && !known; ++n) known = g->envs[n] == e;
      if (!known) g->envs[g->n_envs++] = e;
    }
}

static void add_runs(stats_cell *cell, const stats_record *r) {
  const size_t n = (size_t)(cell->n + r->n);
  cell->x = room_for_more(cell->x, n, sizeof *cell->x);
  cell->replicates = room_for_more(cell->replicates, n, sizeof *cell->replicates);
  memcpy(cell->x + cell->n, r->x, (size_t)r->n * sizeof *r->x);
  memcpy(cell->replicates + cell->n, r->replicates, (size_t)r->n * sizeof *r->replicates);
  cell->n += r->n;
  cell->agent = r->agent;
  cell->records += 1;
  cell->finite = true;
  for (int64_t i = 0; i < cell->n; ++i) cell->finite = cell->finite && cell->x[i] - cell->x[i] == 0;
}

static void fill_cells(stats_group *g, const stats_data *data, const members *in) {
  g->cells = room_for(g->n_envs * g->n_agents, sizeof *g->cells);
  for (size_t j = 0; j < g->n_agents; ++j) {
    reader r = {.label = g->agents[j].label, .origin = g->agents[j].origin};
    for (size_t i = 0; i < in->count; ++i) {
      size_t e = 0;
      while (e < g->n_envs && g->envs[e] != in->list[i].record->env) ++e;
      if (e < g->n_envs && covers(&r, data, &in->list[i]))
        add_runs(&g->cells[e * g->n_agents + j], in->list[i].record);
    }
  }
}

/* ---- the whole ---- */

/* Leaves the members that are of a chosen agent; the others go behind them. */
static void drop_others(members *in, const stats_group *g, const stats_data *data) {
  size_t kept = 0;
  for (size_t i = 0; i < in->count; ++i) in->list[i].covered = false;
  for (size_t j = 0; j < g->n_agents; ++j) {
    reader r = {.label = g->agents[j].label, .origin = g->agents[j].origin};
    for (size_t i = 0; i < in->count; ++i)
      in->list[i].covered = in->list[i].covered || covers(&r, data, &in->list[i]);
  }
  for (size_t i = 0; i < in->count; ++i) {
    const member m = in->list[i];
    if (!m.covered) continue;
    in->list[i] = in->list[kept];
    in->list[kept++] = m;
  }
  in->count = kept;
}

static void make_group(stats_group *g, const stats_data *data, const stats_query *query, bool alone,
                       bool *used) {
  members in = find_members(g, data, alone);
  choose_agents(g, data, query, &in, used);
  drop_others(&in, g, data);
  choose_envs(g, data, query, &in);
  fill_cells(g, data, &in);
  members_free(&in);
}

int stats_groups_make(stats_groups *out, const stats_data *data, const stats_query *query) {
  bool used[256] = {false}, alone = true;
  const char *wanted;
  size_t kept = 0;
  *out = (stats_groups){0};
  find_groups(out, data);
  for (size_t i = 0; i < out->count; ++i) alone = alone && out->list[i].steps != 0;
  for (size_t i = 0; i < out->count; ++i) make_group(&out->list[i], data, query, alone, used);
  for (size_t i = 0; (wanted = args_text(query->args, "agent", i)) != NULL; ++i)
    if (!used[i]) return stats_unknown_agent(data, "agent", wanted);
  for (size_t i = 0; i < out->count; ++i) {
    if (out->list[i].n_agents > 0)
      out->list[kept++] = out->list[i];
    else
      group_free(&out->list[i]);
  }
  out->count = kept;
  return EXIT_OK;
}
