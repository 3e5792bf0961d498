#include "lab/tune/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { TRIES = 1000, LEAST_CHUNK = 16, MOST_CHUNK = 4096, MOST_ADDED = 1000000 };

static const double CHUNK_STEPS = 2e8; /* measured at once: some seconds of one processor */

void far__search_free(far__search *s) {
  for (size_t i = 0; i < s->count; ++i) {
    free(s->candidates[i]->spec);
    free(s->candidates[i]->totals);
    free(s->candidates[i]);
  }
  free(s->candidates);
  free(s->table);
  free(s->trials);
  s->candidates = NULL;
  s->count = 0;
}

static far_status no_memory(far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the candidates of a search");
}

/* ---- candidates by their specs ---- */

static size_t hash_of(const char *text) { /* FNV-1a */
  uint64_t h = 14695981039346656037u;
  for (; *text != '\0'; ++text) h = (h ^ (unsigned char)*text) * 1099511628211u;
  return (size_t)h;
}

/* Where a spec is in the table, or would be. */
static size_t slot_of(const far__search *s, const char *spec) {
  size_t slot = hash_of(spec) & (s->table_size - 1);
  while (s->table[slot] != 0 && strcmp(s->candidates[s->table[slot] - 1]->spec, spec) != 0)
    slot = (slot + 1) & (s->table_size - 1);
  return slot;
}

static bool grow_table(far__search *s) {
  if (2 * (s->count + 1) <= s->table_size) return true;
  const size_t size = s->table_size > 0 ? 2 * s->table_size : 64;
  size_t *table = calloc(size, sizeof *table);
  if (table == NULL) return false;
  free(s->table);
  s->table = table;
  s->table_size = size;
  for (size_t i = 0; i < s->count; ++i) s->table[slot_of(s, s->candidates[i]->spec)] = i + 1;
  return true;
}

/* Takes the spec over. */
static far_status append(far__search *s, const double *u, char *spec, far__candidate **out,
                         far_error *error) {
  far__candidate *c = calloc(1, sizeof *c);
  if (c == NULL ||
      !far__grow((void **)&s->candidates, s->count, &s->capacity, sizeof(far__candidate *))) {
    free(c);
    free(spec);
    return no_memory(error);
  }
  c->index = s->count;
  c->spec = spec;
  c->score = NAN;
  memcpy(c->u, u, s->space->n_axes * sizeof *u);
  s->table[slot_of(s, spec)] = s->count + 1;
  s->candidates[s->count++] = c;
  *out = c;
  return FAR_OK;
}

/* ---- keys that do not apply ---- */

/* The axis whose key or value stands at a position of the spec; n_axes if none does. */
static size_t axis_at(const far__space *space, const char *spec, int position) {
  size_t k = 0;
  for (; k < space->n_axes; ++k) {
    const char *at = far__spec_find(spec, space->axes[k].param->name);
    if (at != NULL && position >= at - spec && position <= at - spec + (long)strcspn(at, ","))
      break;
  }
  return k;
}

/* Every key that was left out does not apply. */
static far_status left_out_rightly(bool *out, const far__search *s, const double *u,
                                   const double *asked, const char *spec, far_error *error) {
  far_status status = FAR_OK;
  *out = true;
  for (size_t k = 0; k < s->space->n_axes && *out && status == FAR_OK; ++k) {
    bool applies = false;
    if (u[k] != u[k] && asked[k] == asked[k])
      status = s->objective.applies(s->objective.user, spec, s->space->axes[k].param->name,
                                    &applies, error);
    *out = !applies;
  }
  return status;
}

/* The spec at a point that can run, and in u the point without the keys that do not apply. A key that
 * is refused is left out; then either all of it can run and the agent no longer has the key, or the
 * value was wrong and the setting cannot run. *out is NULL if so; *error says what was refused. */
static far_status resolve(const far__search *s, const double *asked, double *u, char **out,
                          far_error *error) {
  far_error first = {.code = FAR_OK}, why = {.code = FAR_OK};
  const size_t n = s->space->n_axes;
  *out = NULL;
  memcpy(u, asked, n * sizeof *u);
  for (size_t tries = 0; tries <= n; ++tries) {
    far__text text = {0};
    far__space_spec(&text, s->space, u, NULL);
    if (text.failed) {
      free(text.bytes);
      return no_memory(error);
    }
    far_status status = s->objective.check(s->objective.user, text.bytes, &why);
    const bool runs = status == FAR_OK;
    bool rightly = true;
    if (runs && tries > 0) status = left_out_rightly(&rightly, s, u, asked, text.bytes, &why);
    if (status == FAR_STATUS_MEMORY) {
      free(text.bytes);
      if (error != NULL) *error = why;
      return status;
    }
    if (runs && rightly) {
      *out = text.bytes;
      if (error != NULL && tries > 0) *error = first;
      return FAR_OK;
    }
    if (tries == 0) first = why;
    const size_t axis = runs ? n : axis_at(s->space, text.bytes, why.position);
    free(text.bytes);
    if (axis == n || s->objective.applies == NULL) break;
    u[axis] = NAN;
  }
  if (error != NULL) *error = first;
  return FAR_OK;
}

/* Can any setting run that has this value of an axis (NAN: any value)? */
static far_status check_value(const far__search *s, size_t axis, double value, far_error *error) {
  far_error why = {.code = FAR_OK};
  far_rng rng;
  bool found = false;
  far_rng_init(&rng, s->seed, 1, FAR_PURPOSE_SEARCH);
  for (int i = 0; i < TRIES && !found; ++i) {
    double asked[FAR__TUNE_KEYS], u[FAR__TUNE_KEYS];
    char *spec;
    for (size_t k = 0; k < s->space->n_axes; ++k) asked[k] = far_rng_uniform(&rng);
    if (value == value) asked[axis] = value;
    const far_status status = resolve(s, asked, u, &spec, &why);
    if (status != FAR_OK) {
      if (error != NULL) *error = why;
      return status;
    }
    found = spec != NULL && u[axis] == u[axis];
    free(spec);
  }
  if (found) return FAR_OK;
  const far__axis *a = &s->space->axes[axis];
  return far__fail(error, why.code != FAR_OK ? why.code : FAR_STATUS_CONFLICT, -1,
                   "%s%s%s: none of %d random parameter settings can run with it; the last: %.300s",
                   a->param->name, value == value ? "=" : "",
                   value == value ? far__axis_value(a, value).text : "", TRIES, why.message);
}

far_status far__search_check(const far__search *s, far_error *error) {
  far_status status = FAR_OK;
  for (size_t k = 0; status == FAR_OK && k < s->space->n_axes; ++k) {
    const far__axis *a = &s->space->axes[k];
    if (!a->listed) status = check_value(s, k, NAN, error);
    for (size_t i = 0; a->listed && status == FAR_OK && i < a->n_values; ++i)
      status = check_value(s, k, ((double)i + 0.5) / (double)a->n_values, error);
  }
  return status;
}

far_status far__search_add(far__search *s, const double *asked, far__candidate **out,
                           far_error *error) {
  double u[FAR__TUNE_KEYS];
  char *spec;
  *out = NULL;
  if (!grow_table(s)) return no_memory(error);
  const far_status status = resolve(s, asked, u, &spec, error);
  if (status != FAR_OK || spec == NULL) return status;
  const size_t known = s->table[slot_of(s, spec)];
  if (known == 0) return append(s, u, spec, out, error);
  *out = s->candidates[known - 1];
  free(spec);
  return FAR_OK;
}

far_status far__search_draw(far__search *s, far_rng *rng, far__candidate **out, far_error *error) {
  far_error why = {.code = FAR_OK};
  for (int i = 0; i < TRIES; ++i) {
    double u[FAR__TUNE_KEYS];
    const size_t before = s->count;
    for (size_t k = 0; k < s->space->n_axes; ++k) u[k] = far_rng_uniform(rng);
    const far_status status = far__search_add(s, u, out, &why);
    if (status != FAR_OK || s->count > before) {
      if (error != NULL && status != FAR_OK) *error = why;
      return status;
    }
  }
  *out = NULL;
  if (s->count > 0 || why.code == FAR_OK) return FAR_OK;
  return far__fail(error, why.code, -1,
                   "of %d random parameter settings none can run; the last: %.300s", TRIES,
                   why.message);
}

/* ---- measuring ---- */

static far_status note(far__search *s, far__candidate *const *list, size_t n, far_error *error) {
  for (size_t i = 0; i < n; ++i) {
    if (!far__grow((void **)&s->trials, s->n_trials, &s->trial_capacity, sizeof *s->trials))
      return no_memory(error);
    s->trials[s->n_trials++] =
        (far_tune_trial){list[i]->index, list[i]->spec, list[i]->runs, list[i]->score};
  }
  return FAR_OK;
}

static size_t chunk_of(const far__search *s, int64_t runs) {
  const double chunk = CHUNK_STEPS / ((double)runs * (double)s->objective.cost);
  return chunk < LEAST_CHUNK ? LEAST_CHUNK : chunk > MOST_CHUNK ? MOST_CHUNK : (size_t)chunk;
}

far_status far__search_measure(far__search *s, far__candidate *const *list, size_t n, int64_t runs,
                               far_error *error) {
  far_status status = FAR_OK;
  if (n == 0) return FAR_OK;
  const int64_t more = runs - list[0]->runs;
  const size_t chunk = chunk_of(s, more);
  if ((double)more * (double)s->objective.cost * (double)n > (double)(s->budget - s->spent))
    return far__fail(error, FAR_STATUS_RANGE, -1, "the search requested more than its budget");
  for (size_t i = 0; status == FAR_OK && i < n; i += chunk) {
    const size_t part = n - i < chunk ? n - i : chunk;
    status = s->objective.measure(s->objective.user, list + i, part, runs, error);
    if (status != FAR_OK) break;
    s->spent += more * s->objective.cost * (int64_t)part;
    status = note(s, list + i, part, error);
  }
  return status;
}

const far__candidate *far__search_best(const far__search *s) {
  const far__candidate *best = NULL;
  for (size_t i = 0; i < s->count; ++i) {
    const far__candidate *c = s->candidates[i];
    if (c->runs == 0 || c->score != c->score) continue;
    if (best == NULL || c->runs > best->runs || (c->runs == best->runs && c->score > best->score))
      best = c;
  }
  return best;
}

far_status far__too_little(const far__search *s, far_error *error) {
  return far__fail(error, FAR_STATUS_RANGE, -1,
                   "a budget of %lld steps does not pay for one candidate, which takes %lld (%lld "
                   "runs of %lld steps)",
                   (long long)s->budget, (long long)(s->runs * s->objective.cost),
                   (long long)s->runs, (long long)s->objective.cost);
}

/* ---- spaces that can be counted ---- */

/* The next point in the order of the axes, the last the fastest; false after the last point. */
static bool next_point(const far__space *space, int64_t *index) {
  for (size_t k = space->n_axes; k > 0; --k) {
    if ((double)++index[k - 1] < far__axis_count(&space->axes[k - 1])) return true;
    index[k - 1] = 0;
  }
  return false;
}

far_status far__search_add_all(far__search *s, far_error *error) {
  int64_t index[FAR__TUNE_KEYS] = {0};
  far_error why = {.code = FAR_OK};
  do {
    double u[FAR__TUNE_KEYS];
    far__candidate *new;
    for (size_t k = 0; k < s->space->n_axes; ++k) u[k] = far__axis_at(&s->space->axes[k], index[k]);
    const far_status status = far__search_add(s, u, &new, &why);
    if (status != FAR_OK) {
      if (error != NULL) *error = why;
      return status;
    }
  } while (next_point(s->space, index));
  s->all_added = s->count > 0;
  if (s->all_added) return FAR_OK;
  return far__fail(error, why.code, -1,
                   "no parameter setting of the space can run; the last: %.300s", why.message);
}

bool far__search_is_small(const far__search *s) {
  const double count = far__space_count(s->space);
  const int64_t affordable = s->budget / s->objective.cost / s->runs;
  return count <= MOST_ADDED && count <= (double)affordable;
}

far_status far__search_all(far__search *s, far_error *error) {
  const far_status status = far__search_add_all(s, error);
  return status == FAR_OK ? far__search_measure(s, s->candidates, s->count, s->runs, error)
                          : status;
}

/* ---- random search ---- */

/* Draws and measures by turns, so that a search without end can be stopped. */
far_status far__search_random(far__search *s, far_error *error) {
  far_rng rng;
  far__candidate *new = NULL;
  far_status status = FAR_OK;
  const int64_t n = s->budget / s->objective.cost / s->runs;
  const size_t chunk = chunk_of(s, s->runs);
  if (n < 1) return far__too_little(s, error);
  if (far__search_is_small(s)) return far__search_all(s, error);
  far_rng_init(&rng, s->seed, 0, FAR_PURPOSE_SEARCH);
  for (bool more = true; status == FAR_OK && more;) {
    const size_t first = s->count;
    while (status == FAR_OK && more && s->count - first < chunk) {
      more = (int64_t)s->count < n;
      if (more) status = far__search_draw(s, &rng, &new, error);
      more = more && new != NULL;
    }
    if (status == FAR_OK)
      status = far__search_measure(s, s->candidates + first, s->count - first, s->runs, error);
  }
  return status;
}
