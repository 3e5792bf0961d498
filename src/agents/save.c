/* Agents on disk and in memory. All numbers are little-endian 64-bit words:
 *
 *   "FARAGENT"  version  n_states  n_actions  reward_min  reward_max  kind  t  random state (4)
 *   spec length  state words  pool words  (with a horizon: horizon  step of the episode)
 *   (where the agent was told its problem: discount, 0: none  whether the average reward counts  steps, 0: not known)
 *   spec  absent states  (each padded with zeros to whole words)  state  used pool
 *   SHA-256 of all before
 *
 * kind: 1 if episodes can end, 2 more if there are absent states (then their marks follow, a byte for
 * each state), 4 more if there is a horizon, and 8 more if the agent was told its problem: then the version is 4, else 3,
 * which earlier programs read.
 *
 * The parameters are those of the spec, which is canonical and reads back to the same bits.
 */
#include "agents/guest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/file.h"
#include "farsight/base.h"

static const char MAGIC[8] = {'F', 'A', 'R', 'A', 'G', 'E', 'N', 'T'};

enum { VERSION = 3, TOLD_VERSION = 4, WORD = 8, HEADER_WORDS = 15, HEADER = HEADER_WORDS * WORD };

enum { KIND_EPISODIC = 1, KIND_ABSENT = 2, KIND_HORIZON = 4, KIND_TOLD = 8, KIND_ALL = 15 };

static size_t padded(size_t bytes) {
  return (bytes + WORD - 1) / WORD * WORD;
}

/* Bytes of state and used pool, which follow each other. */
static size_t learned_size(const far_agent *agent) {
  return agent->state_size + agent->pool_used * WORD;
}

/* Where the words on the problem stand. */
static size_t told_at(uint64_t kind) {
  return HEADER + (kind & KIND_HORIZON ? 2 * WORD : 0);
}

/* Bytes before the spec. */
static size_t header_size(uint64_t kind) {
  return told_at(kind) + (kind & KIND_TOLD ? 3 * WORD : 0);
}

static bool is_told(const far_shape *shape) {
  return shape->gamma != 0 || shape->average || shape->steps != 0;
}

static uint64_t kind_of(const far_shape *shape) {
  return (shape->episodic ? KIND_EPISODIC : 0u) | (shape->absent != NULL ? KIND_ABSENT : 0u) |
         (shape->horizon > 0 ? KIND_HORIZON : 0u) | (is_told(shape) ? KIND_TOLD : 0u);
}

static size_t marks_size(const far_shape *shape) {
  return shape->absent != NULL ? padded(shape->n_states) : 0;
}

/* ---- writing ---- */

static void encode(uint8_t *out, const far_agent *agent, size_t spec_length) {
  const far_shape *shape = &agent->shape;
  memcpy(out, MAGIC, WORD);
  far__put_u64(out + 1 * WORD, is_told(shape) ? TOLD_VERSION : VERSION);
  far__put_u64(out + 2 * WORD, shape->n_states);
  far__put_u64(out + 3 * WORD, shape->n_actions);
  far__put_f64(out + 4 * WORD, shape->reward_min);
  far__put_f64(out + 5 * WORD, shape->reward_max);
  const uint64_t kind = kind_of(shape);
  far__put_u64(out + 6 * WORD, kind);
  far__put_u64(out + 7 * WORD, (uint64_t)agent->t);
  for (int i = 0; i < 4; ++i) far__put_u64(out + (8 + i) * WORD, agent->rng.word[i]);
  far__put_u64(out + 12 * WORD, spec_length);
  far__put_u64(out + 13 * WORD, agent->state_size / WORD);
  far__put_u64(out + 14 * WORD, agent->pool_used);
  if (kind & KIND_HORIZON) {
    far__put_u64(out + HEADER, (uint64_t)shape->horizon);
    far__put_u64(out + HEADER + WORD, (uint64_t)agent->h);
  }
  if (kind & KIND_TOLD) {
    far__put_f64(out + told_at(kind), shape->gamma);
    far__put_u64(out + told_at(kind) + WORD, shape->average);
    far__put_u64(out + told_at(kind) + 2 * WORD, (uint64_t)shape->steps);
  }
  memcpy(out + header_size(kind), agent->spec, spec_length);
  uint8_t *to = out + header_size(kind) + padded(spec_length);
  for (uint32_t s = 0; shape->absent != NULL && s < shape->n_states; ++s) to[s] = shape->absent[s];
  to += marks_size(shape);
  const unsigned char *state = far__agent_state((far_agent *)agent); /* only read through */
  for (size_t i = 0; i < learned_size(agent); i += WORD) {
    uint64_t word;
    memcpy(&word, state + i, WORD);
    far__put_u64(to + i, word);
  }
}

static far_status encode_all(void **out, size_t *size, const far_agent *agent, far_error *error) {
  const size_t spec_length = strlen(agent->spec);
  const size_t body = header_size(kind_of(&agent->shape)) + padded(spec_length) +
                      marks_size(&agent->shape) + learned_size(agent);
  uint8_t *data = calloc(1, body + FAR_HASH_BYTES);
  *out = data;
  *size = 0;
  if (data == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to save the agent");
  encode(data, agent, spec_length);
  far_hash(data + body, data, body);
  *size = body + FAR_HASH_BYTES;
  return FAR_OK;
}

far_status far_agent_save_memory(void **out, size_t *size, const far_agent *agent,
                                 far_error *error) {
  *out = NULL;
  *size = 0;
  if (agent->guest == NULL) return encode_all(out, size, agent, error);
  far_agent frozen;
  far_status status = far__guest_freeze(&frozen, agent, error);
  if (status != FAR_OK) return status;
  status = encode_all(out, size, &frozen, error);
  free(frozen.block);
  return status;
}

far_status far_agent_save(const far_agent *agent, const char *path, far_error *error) {
  void *data;
  size_t size;
  far_status status = far_agent_save_memory(&data, &size, agent, error);
  if (status == FAR_OK) status = far__file_replace(path, data, size, error);
  free(data);
  return status;
}

/* ---- reading ---- */

/* `name` is that of the file in quotes, or what else the bytes are. */
static far_status damaged(far_error *error, const char *name, const char *why) {
  return far__fail(error, FAR_STATUS_FORMAT, -1, "%s %s", name, why);
}

/* Does every byte of the marks hold a truth value? */
static bool valid_marks(const uint8_t *mark, size_t size) {
  for (size_t i = 0; i < size; ++i)
    if (mark[i] > 1) return false;
  return true;
}

/* The horizon, and a step of the episode that lies within it. */
static bool valid_horizon(const uint8_t *words) {
  const uint64_t horizon = far__get_u64(words), h = far__get_u64(words + WORD);
  return horizon > 0 && horizon <= FAR_HORIZON_MAX && h < horizon;
}

/* A discount, a truth value, and a number of steps. */
static bool valid_told(const uint8_t *words) {
  const double gamma = far__get_f64(words);
  const uint64_t average = far__get_u64(words + WORD), steps = far__get_u64(words + 2 * WORD);
  return gamma >= 0 && gamma < 1 && average <= 1 && steps <= (uint64_t)INT64_MAX / 2;
}

static far_status check_file(const uint8_t *data, size_t size, const char *name, far_error *error) {
  if (size < WORD || memcmp(data, MAGIC, WORD) != 0)
    return damaged(error, name, "is not a saved agent");
  if (size < 2 * WORD) return damaged(error, name, "is damaged: it is cut short");
  const uint64_t version = far__get_u64(data + WORD);
  if (version != VERSION && version != TOLD_VERSION)
    return far__fail(error, FAR_STATUS_FORMAT, -1,
                     "%s has format version %llu; this program reads versions %d and %d", name,
                     (unsigned long long)version, VERSION, TOLD_VERSION);
  if (size < HEADER + FAR_HASH_BYTES) return damaged(error, name, "is damaged: it is cut short");
  uint8_t digest[FAR_HASH_BYTES];
  far_hash(digest, data, size - FAR_HASH_BYTES);
  if (memcmp(digest, data + size - FAR_HASH_BYTES, FAR_HASH_BYTES) != 0)
    return damaged(error, name, "is damaged: its checksum does not match");
  const uint64_t spec_length = far__get_u64(data + 12 * WORD);
  const uint64_t words = far__get_u64(data + 13 * WORD), pool = far__get_u64(data + 14 * WORD);
  const uint64_t states = far__get_u64(data + 2 * WORD), actions = far__get_u64(data + 3 * WORD);
  const uint64_t kind = far__get_u64(data + 6 * WORD);
  const bool marked = (kind & KIND_ABSENT) != 0;
  const bool told = (kind & KIND_TOLD) != 0;
  if (kind > KIND_ALL || told != (version == TOLD_VERSION))
    return damaged(error, name, "is damaged: its absent states cannot be read");
  if (states > UINT32_MAX || actions > UINT32_MAX || (marked && states > size))
    return damaged(error, name, "is damaged: it has too many states or actions");
  const size_t marks = marked ? padded((size_t)states) : 0, header = header_size(kind);
  if (spec_length >= FAR__SPEC_TEXT || words > size / WORD || pool > size / WORD ||
      header + padded((size_t)spec_length) + marks + (words + pool) * WORD + FAR_HASH_BYTES != size)
    return damaged(error, name, "is damaged: its sizes do not add up");
  if (!valid_marks(data + header + padded((size_t)spec_length), marks))
    return damaged(error, name, "is damaged: its absent states cannot be read");
  if ((kind & KIND_HORIZON) && !valid_horizon(data + HEADER))
    return damaged(error, name, "is damaged: its horizon or step is out of bounds");
  if (told && !valid_told(data + told_at(kind)))
    return damaged(error, name, "is damaged: its discount or number of steps is out of bounds");
  if (far__get_u64(data + 7 * WORD) > (uint64_t)INT64_MAX / 2)
    return damaged(error, name, "is damaged: its clock is out of bounds");
  return FAR_OK;
}

/* An agent as its file describes it, still without what it has learned. The size of its state is
 * asked first, of the algorithm itself: a shape that the file cannot hold costs no memory. */
static far_status create(far_agent **out, const char *spec, const far_shape *shape, size_t words,
                         const char *name, far_error *error) {
  far_error why = {FAR_OK, -1, ""};
  size_t size;
  if (far__agent_state_size(&size, spec, shape, &why) != FAR_OK)
    return far__fail(error, FAR_STATUS_FORMAT, -1, "%s is damaged: %.240s", name, why.message);
  if (size != words * WORD) return damaged(error, name, "is damaged: its state has the wrong size");
  const far_status status = far__agent_create(out, spec, shape, 0, 0, &why);
  return status == FAR_OK ? FAR_OK : far__fail(error, status, -1, "%s", why.message);
}

static far_status decode(far_agent **out, const uint8_t *data, const char *name, far_error *error) {
  const size_t spec_length = (size_t)far__get_u64(data + 12 * WORD);
  const uint64_t kind = far__get_u64(data + 6 * WORD);
  const size_t header = header_size(kind);
  const uint8_t *marks = data + header + padded(spec_length); /* 0 and 1, where there are any */
  const uint8_t *told = kind & KIND_TOLD ? data + told_at(kind) : NULL;
  const far_shape shape = {.n_states = (uint32_t)far__get_u64(data + 2 * WORD),
                           .n_actions = (uint32_t)far__get_u64(data + 3 * WORD),
                           .reward_min = far__get_f64(data + 4 * WORD),
                           .reward_max = far__get_f64(data + 5 * WORD),
                           .episodic = (kind & KIND_EPISODIC) != 0,
                           .absent = kind & KIND_ABSENT ? (const bool *)marks : NULL,
                           .horizon =
                               kind & KIND_HORIZON ? (int64_t)far__get_u64(data + HEADER) : 0,
                           .gamma = told != NULL ? far__get_f64(told) : 0,
                           .average = told != NULL && far__get_u64(told + WORD) != 0,
                           .steps = told != NULL ? (int64_t)far__get_u64(told + 2 * WORD) : 0};
  char spec[FAR__SPEC_TEXT] = "";
  memcpy(spec, data + header, spec_length);
  const far_status status =
      create(out, spec, &shape, (size_t)far__get_u64(data + 13 * WORD), name, error);
  if (status != FAR_OK) return status;
  far_agent *agent = *out;
  const size_t pool_words = (size_t)far__get_u64(data + 14 * WORD);
  if (far__agent_grow(agent, pool_words, error) != FAR_OK) {
    far_agent_free(agent);
    *out = NULL;
    return FAR_STATUS_MEMORY;
  }
  agent->pool_used = pool_words;
  agent->t = (int64_t)far__get_u64(data + 7 * WORD);
  agent->h = kind & KIND_HORIZON ? (int64_t)far__get_u64(data + HEADER + WORD) : 0;
  for (int i = 0; i < 4; ++i) agent->rng.word[i] = far__get_u64(data + (8 + i) * WORD);
  unsigned char *state = far__agent_state(agent);
  const uint8_t *from = marks + marks_size(&shape);
  for (size_t i = 0; i < learned_size(agent); i += WORD) {
    const uint64_t word = far__get_u64(from + i);
    memcpy(state + i, &word, WORD);
  }
  const far_status thawed = agent->guest != NULL ? far__guest_thaw(agent, error) : FAR_OK;
  if (thawed == FAR_OK && far__agent_type_of(agent)->valid(agent)) return FAR_OK;
  far_agent_free(agent);
  *out = NULL;
  if (thawed != FAR_OK) return thawed;
  return damaged(error, name, "is damaged: no agent can be in its state");
}

static far_status read_agent(far_agent **out, const uint8_t *data, size_t size, const char *name,
                             far_error *error) {
  const far_status status = check_file(data, size, name, error);
  return status == FAR_OK ? decode(out, data, name, error) : status;
}

far_status far_agent_load(far_agent **out, const char *path, far_error *error) {
  *out = NULL;
  uint8_t *data = NULL;
  size_t size = 0;
  far_status status = far__file_read(&data, &size, path, FAR__MOST_DATA, error);
  if (status != FAR_OK) return status;
  char name[210];
  snprintf(name, sizeof name, "'%.200s'", path);
  status = read_agent(out, data, size, name, error);
  free(data);
  return status;
}

far_status far_agent_load_memory(far_agent **out, const void *data, size_t size, far_error *error) {
  *out = NULL;
  return read_agent(out, data, size, "the block of memory", error);
}

static bool same_marks(const far_shape *x, const far_shape *y) {
  for (uint32_t s = 0; s < x->n_states; ++s)
    if (far_shape_is_live(x, s) != far_shape_is_live(y, s)) return false;
  return true;
}

static bool same_shape(const far_shape *x, const far_shape *y) {
  return x->n_states == y->n_states && x->n_actions == y->n_actions &&
         x->reward_min == y->reward_min && x->reward_max == y->reward_max &&
         x->episodic == y->episodic && x->horizon == y->horizon;
}

/* Exchanges the two agents' contents if they are of one kind. */
static far_status swap_if_same(far_agent *agent, far_agent *loaded, far_error *error) {
  const far_shape *theirs = &loaded->shape, *ours = &agent->shape;
  if (strcmp(loaded->spec, agent->spec) != 0)
    return far__fail(error, FAR_STATUS_MISMATCH, -1,
                     "the file holds another agent, %.200s; this is %.200s", loaded->spec,
                     agent->spec);
  if (same_shape(theirs, ours) && !same_marks(theirs, ours))
    return far__fail(error, FAR_STATUS_MISMATCH, -1,
                     "the file is for a problem with other absent states than this agent's");
  if (theirs->horizon != ours->horizon)
    return far__fail(error, FAR_STATUS_MISMATCH, -1,
                     "the file is for a horizon of %lld steps, this agent for %lld (0: none)",
                     (long long)theirs->horizon, (long long)ours->horizon);
  if (!same_shape(theirs, ours))
    return far__fail(
        error, FAR_STATUS_MISMATCH, -1,
        "the file is for %lu states x %lu actions and rewards in [%g, %g]%s; this "
        "agent has %lu x %lu and [%g, %g]%s",
        (unsigned long)theirs->n_states, (unsigned long)theirs->n_actions, theirs->reward_min,
        theirs->reward_max, theirs->episodic ? " with ends" : " without end",
        (unsigned long)ours->n_states, (unsigned long)ours->n_actions, ours->reward_min,
        ours->reward_max, ours->episodic ? " with ends" : " without end");
  const far_agent old = *agent;
  *agent = *loaded;
  agent->stop = old.stop;
  agent->shape.gamma = old.shape.gamma; /* what it was told here */
  agent->shape.average = old.shape.average;
  agent->shape.steps = old.shape.steps;
  *loaded = old;
  return FAR_OK;
}

far_status far_agent_restore(far_agent *agent, const char *path, far_error *error) {
  far_agent *loaded;
  far_status status = far_agent_load(&loaded, path, error);
  if (status != FAR_OK) return status;
  status = swap_if_same(agent, loaded, error);
  far_agent_free(loaded);
  return status;
}
