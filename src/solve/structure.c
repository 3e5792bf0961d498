/* Strongly connected classes, and sets in which a policy can stay. The graph has an edge for every outcome; a terminal
 * state has those of the start distribution, since a run continues there, or none where only the episode counts. */
#include "solve/structure.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

const char *far_chain_name(far_chain_kind kind) {
  static const char *const names[] = {"communicating", "weakly communicating", "multichain"};
  return names[kind];
}

typedef struct edges {
  size_t first, end; /* outcomes of the model */
} edges;

/* A state's actions lie one after the other. */
static edges edges_of(const far_mdp *mdp, uint32_t s) {
  const size_t n = mdp->shape.n_actions;
  if (mdp->terminal[s]) return (edges){mdp->row[mdp->n_rows - 1], mdp->row[mdp->n_rows]};
  return (edges){mdp->row[s * n], mdp->row[(s + 1) * n]};
}

/* ---- strongly connected components (Tarjan 1972), without recursion ---- */

#define NONE UINT32_MAX

typedef struct search {
  const far_mdp *mdp;
  const bool *blocked; /* outcomes that are ignored; may be NULL */
  bool ends;           /* terminal states have no successors */
  uint32_t *class_of;  /* NONE until the class is complete */
  uint32_t *order, *low;
  size_t *cursor;           /* the next edge to follow */
  uint32_t *path, *pending; /* the path from the root, and states whose class is open */
  size_t n_path, n_pending;
  uint32_t n_seen, n_classes;
} search;

static edges edges_from(const search *x, uint32_t s) {
  return x->ends && x->mdp->terminal[s] ? (edges){0, 0} : edges_of(x->mdp, s);
}

static void enter(search *x, uint32_t s) {
  x->order[s] = x->low[s] = x->n_seen++;
  x->cursor[s] = edges_from(x, s).first;
  x->path[x->n_path++] = s;
  x->pending[x->n_pending++] = s;
}

static void leave(search *x, uint32_t s) {
  x->n_path -= 1;
  if (x->n_path > 0) {
    const uint32_t parent = x->path[x->n_path - 1];
    if (x->low[s] < x->low[parent]) x->low[parent] = x->low[s];
  }
  if (x->low[s] != x->order[s]) return;
  uint32_t member;
  do {
    member = x->pending[--x->n_pending];
    x->class_of[member] = x->n_classes;
  } while (member != s);
  x->n_classes += 1;
}

static void visit(search *x, uint32_t root) {
  enter(x, root);
  while (x->n_path > 0) {
    const uint32_t s = x->path[x->n_path - 1];
    const size_t end = edges_from(x, s).end;
    bool deeper = false;
    while (x->cursor[s] < end && !deeper) {
      const size_t k = x->cursor[s]++;
      const uint32_t next = x->mdp->outcome[k].next;
      if (x->blocked != NULL && x->blocked[k]) continue;
      deeper = x->order[next] == NONE;
      if (deeper)
        enter(x, next);
      else if (x->class_of[next] == NONE && x->order[next] < x->low[s])
        x->low[s] = x->order[next];
    }
    if (!deeper) leave(x, s);
  }
}

/* Numbers the classes by their lowest states. `map` is scratch for n_states numbers. */
static void renumber(uint32_t *class_of, uint32_t n_states, uint32_t *map) {
  uint32_t count = 0;
  memset(map, 0xff, n_states * sizeof *map);
  for (uint32_t s = 0; s < n_states; ++s) {
    if (class_of[s] == NONE) continue;
    if (map[class_of[s]] == NONE) map[class_of[s]] = count++;
    class_of[s] = map[class_of[s]];
  }
}

/* Numbers the classes such that none leads to one with a greater number. */
static void find_ordered_classes(search *x) {
  const uint32_t n = x->mdp->shape.n_states;
  x->n_seen = x->n_classes = 0;
  memset(x->class_of, 0xff, n * sizeof *x->class_of);
  memset(x->order, 0xff, n * sizeof *x->order);
  for (uint32_t s = 0; s < n; ++s)
    if (x->order[s] == NONE) visit(x, s);
}

static void find_classes(search *x) {
  find_ordered_classes(x);
  renumber(x->class_of, x->mdp->shape.n_states, x->low);
}

/* ---- end components (de Alfaro 1997): sets in which a policy can stay ---- */

/* Blocks the outcomes [first, end) of one choice in state s if one of them leaves its class; true if
 * the choice remains. */
static bool keep_choice(search *x, bool *blocked, uint32_t s, size_t first, size_t end,
                        bool *changed) {
  if (blocked[first]) return false;
  bool inside = true;
  for (size_t k = first; k < end && inside; ++k)
    inside = x->class_of[x->mdp->outcome[k].next] == x->class_of[s];
  if (inside) return true;
  memset(blocked + first, true, end - first);
  *changed = true;
  return false;
}

/* Does a choice remain in state s? The only choice of a terminal state is the start. Terminal states
 * share its outcomes, which are therefore never blocked. */
static bool keep_state(search *x, bool *blocked, uint32_t s, bool *changed) {
  const far_mdp *mdp = x->mdp;
  const size_t n = mdp->shape.n_actions;
  bool stays = false;
  if (mdp->terminal[s]) {
    const edges e = edges_of(mdp, s);
    stays = true;
    for (size_t k = e.first; k < e.end; ++k)
      stays = stays && x->class_of[mdp->outcome[k].next] == x->class_of[s];
    return stays;
  }
  for (size_t row = s * n; row < (s + 1) * n; ++row)
    stays |= keep_choice(x, blocked, s, mdp->row[row], mdp->row[row + 1], changed);
  return stays;
}

/* Blocks choices that leave their class until none does. A state without a choice is removed: its class
 * becomes NONE, so that choices that lead to it leave theirs. */
static void find_recurrent(search *x, bool *blocked, uint32_t *recurrent) {
  const uint32_t n = x->mdp->shape.n_states;
  for (bool changed = true; changed;) {
    changed = false;
    find_classes(x);
    for (uint32_t s = 0; s < n; ++s) {
      if (recurrent[s] == NONE) x->class_of[s] = NONE;
    }
    for (uint32_t s = 0; s < n; ++s) {
      if (recurrent[s] == NONE || keep_state(x, blocked, s, &changed)) continue;
      recurrent[s] = NONE;
      changed = true;
    }
  }
  for (uint32_t s = 0; s < n; ++s)
    if (recurrent[s] != NONE) recurrent[s] = x->class_of[s];
}

/* ---- structure of a model ---- */

/* Counts the classes that no edge leaves, and finds the lowest state of one. `open` is scratch. */
static void find_closed(far_structure *out, const search *x, uint32_t *open) {
  const uint32_t *class_of = out->class_of;
  out->n_closed = out->n_classes;
  memset(open, 0, out->n_classes * sizeof *open);
  for (uint32_t s = 0; s < out->n_states; ++s) {
    const edges e = edges_of(x->mdp, s);
    for (size_t k = e.first; k < e.end && !open[class_of[s]]; ++k) {
      if (class_of[x->mdp->outcome[k].next] == class_of[s]) continue;
      open[class_of[s]] = 1;
      out->n_closed -= 1;
    }
  }
  while (open[class_of[out->closed]]) ++out->closed; /* a finite graph has one */
}

static void find_structure(far_structure *out, search *x, bool *blocked) {
  const uint32_t n = out->n_states;
  find_classes(x);
  memcpy(out->class_of, x->class_of, n * sizeof *out->class_of);
  out->n_classes = x->n_classes;
  find_closed(out, x, x->order);
  memset(out->recurrent, 0, n * sizeof *out->recurrent);
  find_recurrent(x, blocked, out->recurrent);
  renumber(out->recurrent, n, x->low);
  for (uint32_t s = 0; s < n; ++s)
    if (out->recurrent[s] != NONE && out->recurrent[s] >= out->n_recurrent)
      out->n_recurrent = out->recurrent[s] + 1;
  out->kind = out->n_classes == 1     ? FAR_CHAIN_COMMUNICATING
              : out->n_recurrent == 1 ? FAR_CHAIN_WEAKLY
                                      : FAR_CHAIN_MULTICHAIN;
}

/* A search whose arrays are parts of `words`, five for each state. */
static search search_in(uint32_t *words, size_t *cursor, const far_mdp *mdp) {
  const size_t n = mdp->shape.n_states;
  return (search){.mdp = mdp,
                  .class_of = words,
                  .order = words + n,
                  .low = words + 2 * n,
                  .path = words + 3 * n,
                  .pending = words + 4 * n,
                  .cursor = cursor};
}

far_status far__structure(far_structure *out, const far_mdp *mdp, far_error *error) {
  const size_t n = mdp->shape.n_states, n_outcomes = mdp->row[mdp->n_rows];
  *out = (far_structure){.n_states = mdp->shape.n_states};
  out->class_of = malloc(n * sizeof *out->class_of);
  out->recurrent = malloc(n * sizeof *out->recurrent);
  uint32_t *words = malloc(5 * n * sizeof *words);
  size_t *cursor = malloc(n * sizeof *cursor);
  bool *blocked = calloc(n_outcomes, sizeof *blocked);
  far_status status = FAR_OK;
  if (out->class_of && out->recurrent && words && cursor && blocked) {
    search x = search_in(words, cursor, mdp);
    x.blocked = blocked;
    find_structure(out, &x, blocked);
  } else {
    far_structure_free(out);
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the graph of %zu states", n);
  }
  free(words);
  free(cursor);
  free(blocked);
  return status;
}

/* ---- the order of the parts ---- */

far_status far__parts_create(far__parts *out, const far_mdp *mdp, far_error *error) {
  const size_t n = mdp->shape.n_states;
  uint32_t *words = malloc(5 * n * sizeof *words);
  size_t *cursor = malloc(n * sizeof *cursor);
  *out = (far__parts){.state = malloc(n * sizeof *out->state),
                      .first = malloc((n + 2) * sizeof *out->first)};
  const bool ready = words != NULL && cursor != NULL && out->state != NULL && out->first != NULL;
  if (ready) {
    search x = search_in(words, cursor, mdp);
    x.ends = true;
    find_ordered_classes(&x);
    out->n_parts = x.n_classes;
    memset(out->first, 0, ((size_t)out->n_parts + 2) * sizeof *out->first);
    for (size_t s = 0; s < n; ++s) out->first[x.class_of[s] + 2] += 1; /* sizes, then places */
    for (uint32_t i = 0; i < out->n_parts; ++i) out->first[i + 2] += out->first[i + 1];
    for (uint32_t s = 0; s < n; ++s) out->state[out->first[x.class_of[s] + 1]++] = s;
  } else {
    far__parts_free(out);
  }
  free(words);
  free(cursor);
  return ready
             ? FAR_OK
             : far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the graph of %zu states", n);
}

void far__parts_free(far__parts *parts) {
  free(parts->state);
  free(parts->first);
  *parts = (far__parts){0};
}

far_status far_solver_structure(far_structure *out, const far_solver *solver, far_error *error) {
  return far__structure(out, solver->mdp, error);
}

void far_structure_free(far_structure *structure) {
  free(structure->class_of);
  free(structure->recurrent);
  *structure = (far_structure){0};
}
