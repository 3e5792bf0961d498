/* The entries T:, O: and R: of a file in Cassandra's format, kept as the rules they are: a wildcard
 * costs one rule, however large the model, and later rules override earlier ones when a row is asked
 * for. */
#ifndef FAR_MDP_CASSANDRA_RULES_H
#define FAR_MDP_CASSANDRA_RULES_H

#include "mdp/format.h"

#define FAR__ANY UINT32_MAX /* the wildcard '*' */

/* ---- tables of distributions: T over (action, state, next), O over (action, next, observation) */

typedef enum far__rule_kind {
  FAR__RULE_CELL, /* one column, or any */
  FAR__RULE_ROW,  /* the whole row: its cells, all others 0 */
  FAR__RULE_UNIFORM,
  FAR__RULE_IDENTITY,
  FAR__RULE_RESET, /* as the start distribution */
} far__rule_kind;

typedef struct far__rule {
  far__rule_kind kind;
  uint32_t a, s; /* may be FAR__ANY */
  uint32_t column;
  double value;
  size_t first, count; /* cells */
  size_t line;
} far__rule;

typedef struct far__cell {
  uint32_t column;
  double value;
} far__cell;

typedef struct far__table {
  size_t n_columns;
  far__rule *rules;
  far__cell *cells;
  size_t n_rules, rules_capacity, n_cells, cells_capacity;
  size_t *order; /* rules by (a, s), in the order of the file among equals */
} far__table;

/* One row, in the order in which its columns were first given. */
typedef struct far__row {
  double *value; /* by column; 0 if it is not among `column` */
  bool *given;
  uint32_t *column;
  size_t count, n_columns;
  size_t line; /* of the last rule that applied; 0 if none did */
} far__row;

void far__table_free(far__table *table);
bool far__table_add(far__table *table, far__rule rule);
bool far__table_cell(far__table *table, uint32_t column, double value);
bool far__table_sort(far__table *table);

bool far__row_create(far__row *row, size_t n_columns);
void far__row_free(far__row *row);

/* Resolves the row of (a, s); columns of value 0 may be among it. */
void far__table_row(const far__table *table, const far__extras *starts, uint32_t a, uint32_t s,
                    far__row *row);

/* ---- rewards over (action, state, next, observation) ---- */

typedef struct far__reward {
  uint32_t a, s, next, o; /* may be FAR__ANY */
  double value;
  size_t older; /* the rule before it with the same a, s and next, plus 1; 0 if there is none */
} far__reward;

typedef struct far__rewards {
  far__reward *rules;
  size_t n_rules, rules_capacity;
  size_t *slots; /* hash table by (a, s, next): the newest rule plus 1 */
  size_t n_slots, n_used;
  unsigned patterns; /* bit p: there are rules whose wildcards are the bits of p */
} far__rewards;

typedef struct far__reward_scan { /* the rules that apply to (a, s, next), newest first */
  const far__rewards *rewards;
  size_t head[8];
} far__reward_scan;

void far__rewards_free(far__rewards *rewards);
bool far__rewards_add(far__rewards *rewards, far__reward rule);
far__reward_scan far__rewards_scan(const far__rewards *rewards, uint32_t a, uint32_t s,
                                   uint32_t next);
const far__reward *far__rewards_next(far__reward_scan *scan); /* NULL past the oldest */

#endif
