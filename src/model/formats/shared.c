/* What the formats share: remarks, the checked building of rows, drafts. */
#include "model/formats/format.h"

#include <math.h> /* only fabs and fmin */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "model/model.h"

/* Tolerance of sums of probabilities: files are written by hand and by programs that round. */
static const double TOLERANCE = 1e-5;

#define PUSH(array, count, capacity, value)                                                        \
  (far__grow((void **)&(array), (count), &(capacity), sizeof *(array))                             \
       ? ((array)[(count)++] = (value), FAR_OK)                                                    \
       : FAR_STATUS_MEMORY)

/* ---- what a model has besides its pairs ---- */

void far__extras_free(far__extras *x) {
  for (size_t i = 0; i < x->n_names; ++i) free(x->names[i].text);
  free(x->names);
  free(x->starts);
  free(x->terminals);
  free(x->exact);
  free(x->outcomes);
}

far_status far__extras_name(far__extras *x, far__input *in, bool action, size_t index,
                            const char *text, size_t length, size_t line) {
  char *copy = malloc(length + 1);
  if (copy == NULL) return far__input_memory(in);
  if (length > 0) memcpy(copy, text, length);
  copy[length] = '\0';
  const far__name name = {.index = index, .line = line, .action = action, .text = copy};
  if (strlen(copy) == length && far__is_name(copy) &&
      PUSH(x->names, x->n_names, x->names_capacity, name) == FAR_OK)
    return FAR_OK;
  const bool good = strlen(copy) == length && far__is_name(copy);
  free(copy);
  if (good) return far__input_memory(in);
  return far__input_fail(in, line,
                         "'%s' is no name: 1 to %d bytes of UTF-8 without control characters are",
                         far__show(text, length).text, FAR__NAME_MAX);
}

far_status far__extras_start(far__extras *x, far__input *in, size_t state, double probability,
                             size_t line) {
  const far__start start = {.state = state, .line = line, .probability = probability};
  if (PUSH(x->starts, x->n_starts, x->starts_capacity, start) != FAR_OK)
    return far__input_memory(in);
  return FAR_OK;
}

far_status far__extras_terminal(far__extras *x, far__input *in, size_t state, size_t line) {
  const far__start mark = {.state = state, .line = line};
  if (PUSH(x->terminals, x->n_terminals, x->terminals_capacity, mark) != FAR_OK)
    return far__input_memory(in);
  return FAR_OK;
}

/* ---- remarks ---- */

typedef struct words {
  far__input *in;
  const char *at, *end;
  size_t line;
} words;

static bool next_word(words *w, const char **text, size_t *length) {
  while (w->at < w->end && (*w->at == ' ' || *w->at == '\t' || *w->at == '\r')) ++w->at;
  *text = w->at;
  while (w->at < w->end && *w->at != ' ' && *w->at != '\t' && *w->at != '\r') ++w->at;
  *length = (size_t)(w->at - *text);
  return *length > 0;
}

static bool no_more(words *w) {
  const char *text;
  size_t length;
  return !next_word(w, &text, &length);
}

static bool next_real(words *w, double *out) {
  const char *text;
  size_t length;
  return next_word(w, &text, &length) && far__real_parse(text, length, out);
}

static bool next_index(words *w, size_t *out) {
  const char *text;
  size_t length;
  int64_t n;
  if (!next_word(w, &text, &length) || !far__integer_parse(text, length, &n)) return false;
  *out = (size_t)n;
  return n >= 0;
}

static far_status bad_remark(const words *w, const char *form) {
  return far__input_fail(w->in, w->line, "this remark has the form @ %s", form);
}

static far_status remark_start(far__extras *x, words *w) {
  size_t state;
  double p;
  while (!no_more(&(words){w->in, w->at, w->end, w->line})) {
    if (!next_index(w, &state) || !next_real(w, &p)) return bad_remark(w, "start S P S P ...");
    const far_status status = far__extras_start(x, w->in, state, p, w->line);
    if (status != FAR_OK) return status;
  }
  return FAR_OK;
}

static far_status remark_outcomes(far__extras *x, words *w) {
  far__exact row = {.first = x->n_outcomes, .line = w->line};
  bool good = next_index(w, &row.s) && next_index(w, &row.a);
  while (good && !no_more(&(words){w->in, w->at, w->end, w->line})) {
    size_t next;
    far_outcome o = {0};
    good = next_index(w, &next) && next_real(w, &o.probability) && next_real(w, &o.reward);
    good = good && next <= UINT32_MAX;
    if (!good) break;
    o.next = (uint32_t)next;
    if (PUSH(x->outcomes, x->n_outcomes, x->outcomes_capacity, o) != FAR_OK)
      return far__input_memory(w->in);
  }
  row.count = x->n_outcomes - row.first;
  if (!good || row.count == 0) return bad_remark(w, "outcomes S A NEXT P R NEXT P R ...");
  if (PUSH(x->exact, x->n_exact, x->exact_capacity, row) != FAR_OK) return far__input_memory(w->in);
  return FAR_OK;
}

static far_status remark_name(far__extras *x, words *w, bool action) {
  size_t index;
  if (!next_index(w, &index) || w->at == w->end)
    return bad_remark(w, action ? "action-name A TEXT" : "state-name S TEXT");
  const char *text = w->at + 1, *end = w->end; /* one space, then the rest of the line */
  if (end > text && end[-1] == '\r') --end;
  return far__extras_name(x, w->in, action, index, text, (size_t)(end - text), w->line);
}

bool far__is_horizon(double x) {
  return x >= 1 && x <= FAR_HORIZON_MAX && x == (double)(int64_t)x;
}

static bool is_word(const char *text, size_t length, const char *word) {
  return strlen(word) == length && memcmp(text, word, length) == 0;
}

far_status far__extras_remark(far__extras *x, far__input *in, const char *text, size_t length,
                              size_t line) {
  words w = {in, text, text + length, line};
  const char *key;
  size_t n, state;
  if (!next_word(&w, &key, &n)) return FAR_OK;
  if (is_word(key, n, "start")) return remark_start(x, &w);
  if (is_word(key, n, "outcomes")) return remark_outcomes(x, &w);
  if (is_word(key, n, "state-name")) return remark_name(x, &w, false);
  if (is_word(key, n, "action-name")) return remark_name(x, &w, true);
  if (is_word(key, n, "terminal")) {
    if (!next_index(&w, &state) || !no_more(&w)) return bad_remark(&w, "terminal S");
    return far__extras_terminal(x, in, state, line);
  }
  if (is_word(key, n, "discount")) {
    if (!next_real(&w, &x->discount) || !no_more(&w) || !(x->discount > 0 && x->discount <= 1))
      return bad_remark(&w, "discount G with G in (0, 1]");
    return FAR_OK;
  }
  if (is_word(key, n, "horizon")) {
    if (!next_real(&w, &x->horizon) || !no_more(&w) || !far__is_horizon(x->horizon))
      return bad_remark(&w, "horizon H with H a whole number from 1");
    return FAR_OK;
  }
  if (is_word(key, n, "range")) {
    x->ranged = true;
    if (!next_real(&w, &x->min) || !next_real(&w, &x->max) || !no_more(&w) || !(x->min <= x->max))
      return bad_remark(&w, "range MIN MAX");
    return FAR_OK;
  }
  return FAR_OK; /* another program's remark */
}

void far__remark_name(far__text *out, const char *mark, const char *what, size_t i,
                      const char *name) {
  far__text_format(out, "%s %s-name %zu ", mark, what, i);
  far__text_add(out, name, strlen(name));
  far__text_add(out, "\n", 1);
}

/* Is the reward range the one that a reader would compute from the outcomes? */
static bool range_is_plain(const far_mdp *mdp) {
  const far_shape shape = far_mdp_shape(mdp);
  double min = 0, max = 0;
  bool any = false;
  for (uint32_t s = 0; s < shape.n_states; ++s)
    for (uint32_t a = 0; a < shape.n_actions; ++a) {
      size_t count;
      const far_outcome *o = far_mdp_outcomes(mdp, s, a, &count);
      for (size_t k = 0; k < count; ++k, any = true) {
        if (!any || o[k].reward < min) min = o[k].reward;
        if (!any || o[k].reward > max) max = o[k].reward;
      }
    }
  return any && min == shape.reward_min && max == shape.reward_max;
}

void far__remark_extras(far__text *out, const char *mark, const far_mdp *mdp) {
  const far_shape shape = far_mdp_shape(mdp);
  if (shape.horizon > 0) far__text_format(out, "%s horizon %lld\n", mark, (long long)shape.horizon);
  if (range_is_plain(mdp)) return;
  far__text_format(out, "%s range ", mark);
  far__text_real(out, shape.reward_min);
  far__text_add(out, " ", 1);
  far__text_real(out, shape.reward_max);
  far__text_add(out, "\n", 1);
}

void far__remark_starts(far__text *out, const char *mark, const far_mdp *mdp) {
  size_t count;
  const far_outcome *starts = far_mdp_starts(mdp, &count);
  far__text_format(out, "%s start", mark);
  for (size_t k = 0; k < count; ++k) {
    far__put(out, " ");
    far__text_count(out, starts[k].next);
    far__put(out, " ");
    far__text_real(out, starts[k].probability);
  }
  far__text_add(out, "\n", 1);
}

void far__remark_outcomes(far__text *out, const char *mark, const far_mdp *mdp, uint32_t s,
                          uint32_t a) {
  size_t count;
  const far_outcome *o = far_mdp_outcomes(mdp, s, a, &count);
  far__text_format(out, "%s outcomes %lu %lu", mark, (unsigned long)s, (unsigned long)a);
  for (size_t k = 0; k < count; ++k) {
    far__put(out, "  ");
    far__text_count(out, o[k].next);
    far__put(out, " ");
    far__text_real(out, o[k].probability);
    far__put(out, " ");
    far__text_real(out, o[k].reward);
  }
  far__text_add(out, "\n", 1);
}

/* ---- building ---- */

static void build_free(far__build *b) {
  far_mdp_builder_free(b->builder);
  free(b->terminal);
  b->builder = NULL;
  b->terminal = NULL;
}

/* Reports a failed call of the builder, as an error in a line. */
static far_status builder_failed(far__build *b, size_t line, const far_error *error) {
  if (error->code != FAR_STATUS_MEMORY) return far__input_fail(b->in, line, "%s", error->message);
  b->in->failed_line = 0;
  b->in->why = *error; /* with the memory that would be needed */
  return FAR_STATUS_MEMORY;
}

static far_status check_index(far__input *in, const char *what, size_t index, size_t count,
                              size_t line) {
  if (index < count) return FAR_OK;
  return far__input_fail(in, line, "%s %zu is outside 0 ... %zu", what, index, count - 1);
}

static far_status enter_names(far__build *b) {
  far_error error;
  for (size_t i = 0; i < b->extras->n_names; ++i) {
    const far__name *n = &b->extras->names[i];
    far_status status = check_index(b->in, n->action ? "action" : "state", n->index,
                                    n->action ? b->n_actions : b->n_states, n->line);
    if (status != FAR_OK) return status;
    status = n->action
                 ? far_mdp_builder_action_name(b->builder, (uint32_t)n->index, n->text, &error)
                 : far_mdp_builder_state_name(b->builder, (uint32_t)n->index, n->text, &error);
    if (status != FAR_OK) return builder_failed(b, n->line, &error);
  }
  return FAR_OK;
}

static far_status enter_terminals(far__build *b) {
  for (size_t i = 0; i < b->extras->n_terminals; ++i) {
    const far__start *t = &b->extras->terminals[i];
    const far_status status = check_index(b->in, "state", t->state, b->n_states, t->line);
    if (status != FAR_OK) return status;
    b->terminal[t->state] = true;
    far_mdp_builder_terminal(b->builder, (uint32_t)t->state, NULL);
  }
  return FAR_OK;
}

/* Errors name the line of the last start. */
static far_status enter_starts(far__build *b) {
  const far__extras *x = b->extras;
  double sum = 0;
  size_t line = 0;
  b->n_outcomes = x->n_starts;
  for (size_t i = 0; i < x->n_starts; ++i) {
    const far__start *start = &x->starts[i];
    line = start->line;
    const far_status status = check_index(b->in, "state", start->state, b->n_states, line);
    if (status != FAR_OK) return status;
    if (!(start->probability >= 0 && start->probability <= 1))
      return far__input_fail(b->in, line, "the probability %s is outside [0, 1]",
                             far__shortest(start->probability).text);
    sum += start->probability;
  }
  if (fabs(sum - 1) > TOLERANCE)
    return far__input_fail(b->in, line, "the start probabilities add to %.12g, not to 1", sum);
  const bool scale = fabs(sum - 1) > 0x1p-52 * (double)x->n_starts;
  for (size_t i = 0; i < x->n_starts; ++i) {
    far_error error;
    const double p = scale ? x->starts[i].probability / sum : x->starts[i].probability;
    if (far_mdp_builder_start(b->builder, (uint32_t)x->starts[i].state, p, &error) != FAR_OK)
      return builder_failed(b, line, &error);
  }
  return FAR_OK;
}

static int compare_exact(const void *x, const void *y) {
  const far__exact *p = x, *q = y;
  if (p->s != q->s) return p->s < q->s ? -1 : 1;
  return p->a < q->a ? -1 : p->a > q->a;
}

far_status far__build_begin(far__build *b, far__input *in, far__extras *x, size_t n_states,
                            size_t n_actions) {
  *b = (far__build){.in = in, .extras = x, .n_states = n_states, .n_actions = n_actions};
  if (n_states == 0 || n_actions == 0)
    return far__input_fail(in, 0, "a model needs at least 1 state and 1 action");
  if (n_states > in->most / n_actions || n_states > UINT32_MAX || n_actions > UINT32_MAX)
    return far__input_fail(in, 0, "%zu states x %zu actions are more than the %zu pairs allowed",
                           n_states, n_actions, in->most);
  far_error error;
  far_status status =
      far_mdp_builder_create(&b->builder, (uint32_t)n_states, (uint32_t)n_actions, &error);
  if (status != FAR_OK) return builder_failed(b, 0, &error);
  b->terminal = calloc(n_states, sizeof *b->terminal);
  if (b->terminal == NULL) {
    build_free(b);
    return far__input_memory(in);
  }
  far__mdp_builder_keep(b->builder);
  if (x->n_exact > 1) qsort(x->exact, x->n_exact, sizeof *x->exact, compare_exact);
  if (x->discount > 0) far_mdp_builder_discount(b->builder, x->discount, NULL);
  far_mdp_builder_horizon(b->builder, (int64_t)x->horizon, NULL);
  if (x->ranged && far_mdp_builder_range(b->builder, x->min, x->max, &error) != FAR_OK)
    status = builder_failed(b, 0, &error);
  if (status == FAR_OK) status = enter_names(b);
  if (status == FAR_OK) status = enter_terminals(b);
  if (status == FAR_OK) status = enter_starts(b);
  if (status != FAR_OK) build_free(b);
  return status;
}

static int compare_next(const void *x, const void *y) {
  const far_outcome *p = x, *q = y;
  return p->next < q->next ? -1 : p->next > q->next;
}

/* The total probability of the successor at row[*at], a sorted row; *at advances to the next successor. */
static double next_total(const far_outcome *row, size_t count, size_t *at) {
  const uint32_t next = row[*at].next;
  double sum = 0;
  while (*at < count && row[*at].next == next) sum += row[(*at)++].probability;
  return sum;
}

/* Do two sorted rows have the same successors, equally likely, and the same mean reward? */
static bool rows_agree(const far_outcome *x, size_t n, const far_outcome *y, size_t m) {
  double mean = 0, scale = 1;
  for (size_t i = 0; i < n; ++i) {
    mean += x[i].probability * x[i].reward;
    scale += fabs(x[i].probability * x[i].reward);
  }
  for (size_t j = 0; j < m; ++j) {
    mean -= y[j].probability * y[j].reward;
    scale += fabs(y[j].probability * y[j].reward);
  }
  size_t i = 0, j = 0;
  while (i < n && j < m) {
    if (x[i].next != y[j].next) return false;
    if (fabs(next_total(x, n, &i) - next_total(y, m, &j)) > 1e-9) return false;
  }
  return i == n && j == m && fabs(mean) <= 1e-9 * scale;
}

static far_status check_agreement(const far__build *b, const far__exact *e, const far_outcome *row,
                                  size_t count) {
  const far_outcome *exact = b->extras->outcomes + e->first;
  far_outcome *x = malloc((count + 1) * sizeof *x), *y = malloc((e->count + 1) * sizeof *y);
  far_status status = FAR_OK;
  if (x == NULL || y == NULL) {
    status = far__input_memory(b->in);
  } else {
    memcpy(x, row, count * sizeof *x);
    memcpy(y, exact, e->count * sizeof *y);
    qsort(x, count, sizeof *x, compare_next);
    qsort(y, e->count, sizeof *y, compare_next);
    if (!rows_agree(x, count, y, e->count))
      status = far__input_fail(b->in, e->line,
                               "these outcomes of %s disagree with the rest of the "
                               "file; delete the remark if you edited their entry",
                               far__mdp_builder_pair(b->builder, e->s, e->a).text);
  }
  free(x);
  free(y);
  return status;
}

static far_status enter_row(far__build *b, size_t s, size_t a, const far_outcome *row, size_t count,
                            double scale, size_t line) {
  far_error error;
  if ((b->n_outcomes += count) > b->in->most)
    return far__input_fail(b->in, line,
                           "this is more than the %zu outcomes allowed for a text of this length",
                           b->in->most);
  for (size_t k = 0; k < count; ++k)
    if (far_mdp_builder_outcome(b->builder, (uint32_t)s, (uint32_t)a,
                                fmin(1, row[k].probability / scale), row[k].next, row[k].reward,
                                &error) != FAR_OK)
      return builder_failed(b, line, &error);
  return FAR_OK;
}

static far_status check_terminal(const far__build *b, size_t s, const far_outcome *row,
                                 size_t count, size_t line) {
  for (size_t k = 0; k < count; ++k)
    if (row[k].next != s || row[k].reward != 0)
      return far__input_fail(b->in, line,
                             "%s is marked as terminal, but has an outcome other than to "
                             "stay without reward",
                             far__mdp_builder_state(b->builder, s).text);
  return FAR_OK;
}

far_status far__build_row(far__build *b, size_t s, size_t a, far_outcome *row, size_t count,
                          size_t line) {
  double sum = 0;
  for (size_t k = 0; k < count; ++k) {
    if (!(row[k].probability >= 0 && row[k].probability <= 1 + TOLERANCE))
      return far__input_fail(b->in, line, "the probability %s is outside [0, 1]",
                             far__shortest(row[k].probability).text);
    sum += row[k].probability;
  }
  if (b->terminal[s]) return check_terminal(b, s, row, count, line);
  if (count == 0)
    return far__input_fail(b->in, line, "%s has no outcomes",
                           far__mdp_builder_pair(b->builder, s, a).text);
  if (fabs(sum - 1) > TOLERANCE)
    return far__input_fail(b->in, line, "%s: the probabilities add to %.12g, not to 1",
                           far__mdp_builder_pair(b->builder, s, a).text, sum);
  const far__exact key = {.s = s, .a = a};
  const far__exact *e = b->extras->n_exact > 0 ? bsearch(&key, b->extras->exact, b->extras->n_exact,
                                                         sizeof key, compare_exact)
                                               : NULL;
  if (e == NULL)
    return enter_row(b, s, a, row, count, fabs(sum - 1) > 0x1p-52 * (double)count ? sum : 1, line);
  const far_status status = check_agreement(b, e, row, count);
  if (status != FAR_OK) return status;
  return enter_row(b, s, a, b->extras->outcomes + e->first, e->count, 1, e->line);
}

far_status far__build_finish(far_mdp **out, far__build *b, far_status status) {
  if (status == FAR_OK) {
    far_error error;
    status = far_mdp_builder_finish(out, b->builder, &error);
    b->builder = NULL;
    if (status != FAR_OK) status = builder_failed(b, 0, &error);
  }
  build_free(b);
  return status;
}

/* ---- drafts ---- */

void far__draft_free(far__draft *d) {
  far__extras_free(&d->extras);
  free(d->choices);
  free(d->outcomes);
}

far_status far__draft_choice(far__draft *d, far__input *in, size_t s, size_t a, size_t line) {
  const far__choice choice = {.s = s, .a = a, .first = d->n_outcomes, .line = line};
  if (PUSH(d->choices, d->n_choices, d->choices_capacity, choice) != FAR_OK)
    return far__input_memory(in);
  return FAR_OK;
}

far_status far__draft_outcome(far__draft *d, far__input *in, far_outcome outcome) {
  if (PUSH(d->outcomes, d->n_outcomes, d->outcomes_capacity, outcome) != FAR_OK)
    return far__input_memory(in);
  d->choices[d->n_choices - 1].count += 1;
  return FAR_OK;
}

static int compare_choices(const void *x, const void *y) {
  const far__choice *p = x, *q = y;
  if (p->s != q->s) return p->s < q->s ? -1 : 1;
  return p->a < q->a ? -1 : p->a > q->a;
}

static bool choices_in_order(const far__draft *d) {
  for (size_t i = 1; i < d->n_choices; ++i)
    if (compare_choices(&d->choices[i - 1], &d->choices[i]) > 0) return false;
  return true;
}

static far_status sort_choices(far__draft *d, far__input *in) {
  if (!choices_in_order(d)) qsort(d->choices, d->n_choices, sizeof *d->choices, compare_choices);
  for (size_t i = 0; i < d->n_choices; ++i) {
    const far__choice *c = &d->choices[i];
    if (c->a >= d->n_actions) d->n_actions = c->a + 1;
    const far_status status = check_index(in, "state", c->s, d->n_states, c->line);
    if (status != FAR_OK) return status;
    if (i > 0 && compare_choices(c - 1, c) == 0)
      return far__input_fail(in, c[-1].line > c->line ? c[-1].line : c->line,
                             "state %zu has its action %zu twice", c->s, c->a);
  }
  if (d->n_actions == 0) d->n_actions = 1; /* every state is terminal, which `finish` refuses */
  return FAR_OK;
}

/* Builds the rows of one state, whose choices are choices[0..count). */
static far_status build_state(far__build *b, far__draft *d, const far__choice *choices,
                              size_t count) {
  far_status status = FAR_OK;
  for (size_t a = 0, k = 0; a < d->n_actions && status == FAR_OK; ++a) {
    const bool own = k < count && choices[k].a == a;
    const far__choice *c = own ? &choices[k] : &choices[count - 1];
    k += own;
    far_outcome *outcomes = c->count > 0 ? d->outcomes + c->first : NULL;
    status = far__build_row(b, c->s, a, outcomes, c->count, c->line);
  }
  return status;
}

static far_status mark_without_choices(far__draft *d, far__input *in) {
  size_t i = 0;
  for (size_t s = 0; s < d->n_states; ++s) {
    const bool any = i < d->n_choices && d->choices[i].s == s;
    const far_status status = any ? FAR_OK : far__extras_terminal(&d->extras, in, s, 0);
    if (status != FAR_OK) return status;
    while (i < d->n_choices && d->choices[i].s == s) ++i;
  }
  return FAR_OK;
}

static far_status check_targets(const far__draft *d, far__input *in) {
  for (size_t i = 0; i < d->n_choices; ++i)
    for (size_t k = 0; k < d->choices[i].count; ++k) {
      const size_t next = d->outcomes[d->choices[i].first + k].next;
      const far_status status = check_index(in, "state", next, d->n_states, d->choices[i].line);
      if (status != FAR_OK) return status;
    }
  return FAR_OK;
}

far_status far__draft_build(far_mdp **out, far__draft *d, far__input *in) {
  far__build b;
  far_status status = sort_choices(d, in);
  if (status == FAR_OK) status = check_targets(d, in);
  if (status == FAR_OK) status = mark_without_choices(d, in);
  if (status == FAR_OK) status = far__build_begin(&b, in, &d->extras, d->n_states, d->n_actions);
  if (status != FAR_OK) return status;
  for (size_t i = 0, n; i < d->n_choices && status == FAR_OK; i += n) {
    for (n = 1; i + n < d->n_choices && d->choices[i + n].s == d->choices[i].s;) ++n;
    status = build_state(&b, d, d->choices + i, n);
  }
  free(d->outcomes); /* the builder has copied them */
  d->outcomes = NULL;
  return far__build_finish(out, &b, status);
}
