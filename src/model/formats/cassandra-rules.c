#include "model/formats/cassandra.h"

#include <stdlib.h>
#include <string.h>

/* ---- tables ---- */

void far__table_free(far__table *t) {
  free(t->rules);
  free(t->cells);
  free(t->order);
}

bool far__table_add(far__table *t, far__rule rule) {
  if (!far__grow((void **)&t->rules, t->n_rules, &t->rules_capacity, sizeof rule)) return false;
  t->rules[t->n_rules++] = rule;
  t->patterns |= 1u << ((rule.a == FAR__ANY ? 1u : 0) | (rule.s == FAR__ANY ? 2u : 0));
  return true;
}

bool far__table_cell(far__table *t, uint32_t column, double value) {
  const far__matrix_entry cell = {column, value};
  if (!far__grow((void **)&t->cells, t->n_cells, &t->cells_capacity, sizeof cell)) return false;
  t->cells[t->n_cells++] = cell;
  return true;
}

static int compare_keys(const far__rule *x, const far__rule *y) {
  if (x->s != y->s) return x->s < y->s ? -1 : 1;
  return x->a < y->a ? -1 : x->a > y->a;
}

/* qsort has no argument for the rules, so the order is sorted as pointers, which keep the file's
 * order among equals. */
static int compare_rules(const void *x, const void *y) {
  const far__rule *p = *(const far__rule *const *)x, *q = *(const far__rule *const *)y;
  const int keys = compare_keys(p, q);
  return keys != 0 ? keys : p < q ? -1 : p > q;
}

static bool sort_order(far__table *t) {
  const far__rule **sorted = malloc((t->n_rules + 1) * sizeof *sorted);
  if (sorted == NULL) return false;
  for (size_t i = 0; i < t->n_rules; ++i) sorted[i] = &t->rules[i];
  qsort((void *)sorted, t->n_rules, sizeof *sorted, compare_rules);
  for (size_t i = 0; i < t->n_rules; ++i) t->order[i] = (size_t)(sorted[i] - t->rules);
  free((void *)sorted);
  return true;
}

bool far__table_sort(far__table *t) {
  bool in_order = true;
  t->order = malloc((t->n_rules + 1) * sizeof *t->order);
  if (t->order == NULL) return false;
  for (size_t i = 0; i < t->n_rules; ++i) {
    t->order[i] = i;
    in_order = in_order && (i == 0 || compare_keys(&t->rules[i - 1], &t->rules[i]) <= 0);
  }
  return in_order || sort_order(t);
}

/* Is the rule in this place of the order before the key; or, if `beyond`, not behind it? */
static bool is_before(const far__table *t, size_t place, const far__rule *key, bool beyond) {
  return compare_keys(&t->rules[t->order[place]], key) < (beyond ? 1 : 0);
}

/* The first place in the order whose rule is not before (a, s); or, if `beyond`, the first behind its rules. Searches
 * from `near` in growing steps, then by bisection. */
static size_t find_place(const far__table *t, uint32_t a, uint32_t s, bool beyond, size_t near) {
  const far__rule key = {.a = a, .s = s};
  size_t low = 0, high = t->n_rules;
  for (size_t at = near, step = 1; at < high; at += step, step *= 2) {
    if (is_before(t, at, &key, beyond))
      low = at + 1;
    else
      high = at;
  }
  if (low == 0 && high > 0 && is_before(t, high - 1, &key, beyond)) low = high;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (is_before(t, middle, &key, beyond))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* ---- rows ---- */

bool far__row_create(far__row *row, size_t n) {
  *row = (far__row){.value = calloc(n, sizeof *row->value),
                    .given = calloc(n, sizeof *row->given),
                    .column = calloc(n, sizeof *row->column),
                    .n_columns = n};
  return row->value != NULL && row->given != NULL && row->column != NULL;
}

void far__row_free(far__row *row) {
  free(row->value);
  free(row->given);
  free(row->column);
}

static void clear(far__row *row) {
  for (size_t k = 0; k < row->count; ++k) {
    row->value[row->column[k]] = 0;
    row->given[row->column[k]] = false;
  }
  row->count = 0;
}

static void set(far__row *row, uint32_t column, double value) {
  if (!row->given[column]) {
    if (value == 0) return;
    row->given[column] = true;
    row->column[row->count++] = column;
  }
  row->value[column] = value;
}

static void set_all(far__row *row, double value) {
  for (size_t c = 0; c < row->n_columns; ++c) set(row, (uint32_t)c, value);
}

/* Does the rule replace the whole row? */
static bool begins_anew(const far__rule *r) {
  return r->kind != FAR__RULE_CELL || (r->column == FAR__ANY && r->value == 0);
}

static void apply(const far__table *t, const far__rule *r, const far__extras *starts, uint32_t s,
                  far__row *row) {
  row->line = r->line;
  if (r->kind == FAR__RULE_CELL && r->column != FAR__ANY) {
    set(row, r->column, r->value);
    return;
  }
  if (begins_anew(r)) clear(row);
  switch (r->kind) {
  case FAR__RULE_CELL:
    if (r->value != 0) set_all(row, r->value);
    break;
  case FAR__RULE_ROW:
    for (size_t k = 0; k < r->count; ++k)
      set(row, t->cells[r->first + k].column, t->cells[r->first + k].value);
    break;
  case FAR__RULE_UNIFORM: set_all(row, 1.0 / (double)row->n_columns); break;
  case FAR__RULE_IDENTITY: set(row, s, 1); break;
  case FAR__RULE_RESET:
    for (size_t k = 0; k < starts->n_starts; ++k)
      if (starts->starts[k].state < row->n_columns)
        set(row, (uint32_t)starts->starts[k].state,
            row->value[starts->starts[k].state] + starts->starts[k].probability);
    break;
  }
}

/* The rules of a row: four lists, by what is a wildcard, each in the order of the file. */
typedef struct merge {
  const far__table *table;
  size_t first[4], at[4], end[4]; /* places in the order */
} merge;

static merge rules_of(const far__table *t, uint32_t a, uint32_t s, size_t near) {
  merge m = {.table = t};
  for (unsigned p = 0; p < 4; ++p) {
    if (!(t->patterns >> p & 1u)) continue;
    const uint32_t by_a = p & 1u ? FAR__ANY : a, by_s = p & 2u ? FAR__ANY : s;
    m.first[p] = find_place(t, by_a, by_s, false, p == 0 ? near : 0);
    m.at[p] = m.end[p] = find_place(t, by_a, by_s, true, m.first[p]);
  }
  return m;
}

/* Steps back: the newest rule not passed yet, or NULL behind the oldest. */
static const far__rule *backward(merge *m) {
  const size_t *order = m->table->order;
  int last = -1;
  for (int i = 0; i < 4; ++i)
    if (m->at[i] > m->first[i] && (last < 0 || order[m->at[i] - 1] > order[m->at[last] - 1]))
      last = i;
  return last < 0 ? NULL : &m->table->rules[order[--m->at[last]]];
}

/* Steps forward in the order of the file; NULL behind the newest. */
static const far__rule *forward(merge *m) {
  const size_t *order = m->table->order;
  int next = -1;
  for (int i = 0; i < 4; ++i)
    if (m->at[i] < m->end[i] && (next < 0 || order[m->at[i]] < order[m->at[next]])) next = i;
  return next < 0 ? NULL : &m->table->rules[order[m->at[next]++]];
}

/* Goes from the newest rule back to one that replaces the whole row, then forward from there. Of the rules that
 * give all columns the first may decide on their order and the last on their values; rules between the two are
 * skipped. */
void far__table_fill_row(const far__table *t, const far__extras *starts, uint32_t a, uint32_t s,
                         far__row *row) {
  merge m = rules_of(t, a, s, row->near);
  row->near = m.end[0];
  const far__rule *rule, *first = NULL, *last = NULL;
  clear(row);
  row->line = 0;
  while ((rule = backward(&m)) != NULL && !begins_anew(rule)) {
    row->work += 1;
    if (rule->kind != FAR__RULE_CELL || rule->column != FAR__ANY || rule->value == 0) continue;
    first = rule;
    if (last == NULL) last = rule;
  }
  while ((rule = forward(&m)) != NULL) {
    row->work += 1;
    if (first != NULL && rule > first && rule < last) continue;
    apply(t, rule, starts, s, row);
  }
  row->work += row->count;
}

/* ---- rewards ---- */

void far__rewards_free(far__rewards *r) {
  free(r->rules);
  free(r->slots);
}

/* splitmix64's finaliser over the three numbers. */
static size_t hash_of(uint32_t a, uint32_t s, uint32_t next) {
  uint64_t x = ((uint64_t)a << 32 | s) * 0x9e3779b97f4a7c15u + next;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return (size_t)(x ^ x >> 31);
}

/* The slot of a key, or the empty slot where it belongs. */
static size_t find_slot(const far__rewards *r, const size_t *slots, size_t n_slots, uint32_t a,
                        uint32_t s, uint32_t next) {
  size_t i = hash_of(a, s, next) & (n_slots - 1);
  for (; slots[i] != 0; i = (i + 1) & (n_slots - 1)) {
    const far__reward *rule = &r->rules[slots[i] - 1];
    if (rule->a == a && rule->s == s && rule->next == next) break;
  }
  return i;
}

static bool make_room(far__rewards *r) {
  if (2 * (r->n_used + 1) <= r->n_slots) return true;
  const size_t n = r->n_slots > 0 ? 2 * r->n_slots : 64;
  size_t *slots = calloc(n, sizeof *slots);
  if (slots == NULL) return false;
  for (size_t i = 0; i < r->n_slots; ++i) {
    if (r->slots[i] == 0) continue;
    const far__reward *rule = &r->rules[r->slots[i] - 1];
    slots[find_slot(r, slots, n, rule->a, rule->s, rule->next)] = r->slots[i];
  }
  free(r->slots);
  r->slots = slots;
  r->n_slots = n;
  return true;
}

bool far__rewards_add(far__rewards *r, far__reward rule) {
  if (!make_room(r)) return false;
  if (!far__grow((void **)&r->rules, r->n_rules, &r->rules_capacity, sizeof rule)) return false;
  const size_t slot = find_slot(r, r->slots, r->n_slots, rule.a, rule.s, rule.next);
  rule.older = r->slots[slot];
  r->n_used += rule.older == 0;
  r->rules[r->n_rules++] = rule;
  r->slots[slot] = r->n_rules;
  const unsigned pattern = (rule.a == FAR__ANY ? 1u : 0) | (rule.s == FAR__ANY ? 2u : 0) |
                           (rule.next == FAR__ANY ? 4u : 0);
  r->patterns |= 1u << pattern;
  return true;
}

far__reward_scan far__rewards_scan(const far__rewards *r, uint32_t a, uint32_t s, uint32_t next) {
  far__reward_scan scan = {.rewards = r};
  for (unsigned p = 0; p < 8; ++p) {
    if (!(r->patterns >> p & 1u)) continue;
    scan.head[p] = r->slots[find_slot(r, r->slots, r->n_slots, p & 1u ? FAR__ANY : a,
                                      p & 2u ? FAR__ANY : s, p & 4u ? FAR__ANY : next)];
  }
  return scan;
}

const far__reward *far__rewards_next(far__reward_scan *scan) {
  unsigned newest = 0;
  for (unsigned p = 1; p < 8; ++p)
    if (scan->head[p] > scan->head[newest]) newest = p;
  if (scan->head[newest] == 0) return NULL;
  const far__reward *rule = &scan->rewards->rules[scan->head[newest] - 1];
  scan->head[newest] = rule->older;
  return rule;
}

bool far__rewards_any_state(const far__reward_scan *scan) {
  for (unsigned p = 0; p < 8; ++p)
    if (!(p & 2u) && scan->head[p] != 0) return false;
  return true;
}
