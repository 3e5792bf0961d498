/* A file in Cassandra's format (cassandra.c) while it is read. Its entries T:, O: and R: are stored as
 * rules: a wildcard costs one rule, however large the model, and later rules override earlier ones when a row is
 * resolved. */
#ifndef FAR_MODEL_FORMATS_CASSANDRA_H
#define FAR_MODEL_FORMATS_CASSANDRA_H

#include <string.h>

#include "model/formats/format.h"

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

typedef struct far__matrix_entry {
  uint32_t column;
  double value;
} far__matrix_entry;

typedef struct far__table {
  size_t n_columns;
  far__rule *rules;
  far__matrix_entry *cells;
  size_t n_rules, rules_capacity, n_cells, cells_capacity;
  size_t *order;     /* rules by (s, a), in the order of the file among equals */
  unsigned patterns; /* bit p: there are rules whose wildcards are the bits of p, a and s */
} far__table;

/* One row, in the order in which its columns were first given. */
typedef struct far__row {
  double *value; /* by column; 0 if it is not among `column` */
  bool *given;
  uint32_t *column;
  size_t count, n_columns;
  size_t line; /* of the last rule that applied; 0 if none did */
  size_t work; /* rules looked at and columns written so far, of all rows */
  size_t near; /* place in the order behind the last row's rules: the next row's are often there */
} far__row;

void far__table_free(far__table *table);
bool far__table_add(far__table *table, far__rule rule);
bool far__table_cell(far__table *table, uint32_t column, double value);
bool far__table_sort(far__table *table);

bool far__row_create(far__row *row, size_t n_columns);
void far__row_free(far__row *row);

/* Resolves the row of (a, s); columns of value 0 may be among it. Rules that a later one replaces as a whole are not
 * applied: a wildcard that is repeated costs no more than one. */
void far__table_fill_row(const far__table *table, const far__extras *starts, uint32_t a, uint32_t s,
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

/* Do all remaining rules of the scan hold for any state? */
bool far__rewards_any_state(const far__reward_scan *scan);

/* ---- the file ---- */

typedef struct far__word {
  const char *text;
  size_t length, line;
} far__word; /* of length 0 at the end of the text */

/* States, actions or observations: how many, and their names if they have any. */
typedef struct far__symbols {
  const char *what;
  size_t count, line; /* line 0 until they are declared */
  far__word *names;   /* count, or NULL */
  size_t *slots;      /* hash table of names: index plus 1 */
  size_t n_slots, capacity;
} far__symbols;

enum { FAR__AHEAD = 3 };

typedef struct far__cassandra {
  far__input *in;
  far__extras extras;
  far__extras given; /* only its starts: those of `start`, which are overridden by a remark */
  far__word ahead[FAR__AHEAD];
  size_t n_ahead;
  far_status broken; /* a remark that could not be read */
  far__symbols states, actions, observations;
  bool cost, started; /* whether `start` was given */
  far__table t, o;
  far__rewards rewards;
  far__row row, observed;
  double *reward; /* by observation, valid where `seen` equals `stamp` */
  uint32_t *seen;
  uint32_t stamp;
  double *expected; /* rewards for any state, by action and next state; NaN: not computed */
  size_t work;      /* in addition to that of the rows */
} far__cassandra;

/* ---- words ---- */

far__word far__word_peek(far__cassandra *c, size_t k); /* k < FAR__AHEAD words ahead */
far__word far__word_take(far__cassandra *c);

static inline bool far__word_is(far__word word, const char *text) {
  return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

bool far__word_accept(far__cassandra *c, const char *text);

/* Does the next entry ("KEY :" or "start include :") begin here, or the text end? */
bool far__word_at_entry(far__cassandra *c);

bool far__word_index(far__word word, size_t *out); /* digits only */
far_status far__word_expected(far__cassandra *c, const char *what, far__word found);

/* "N" or a list of names, declared in this line. */
far_status far__symbols_read(far__cassandra *c, far__symbols *symbols, size_t line);
void far__symbols_free(far__symbols *symbols);

/* A name, a number or, if `wild`, '*'. */
far_status far__symbol_read(far__cassandra *c, const far__symbols *symbols, bool wild,
                            uint32_t *out);

/* ---- from rules to a model ---- */

/* Adds a start; or all states that are not marked in `out` (NULL: none is), with equal probability. */
far_status far__cassandra_start(far__cassandra *c, size_t s, double p, size_t line);
far_status far__cassandra_start_evenly(far__cassandra *c, const bool *out, size_t line);

far_status far__cassandra_build(far_mdp **out, far__cassandra *c);

#endif
