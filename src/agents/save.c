/* Agents on disk. All numbers are little-endian 64-bit words:
 *
 *   "FARAGENT"  version  n_states  n_actions  reward_min  reward_max  episodic  t  random state (4)
 *   spec length  state words  pool words
 *   spec (padded with zeros to whole words)  state  used pool  SHA-256 of all before
 *
 * The parameters are those of the spec, which is canonical and reads back to the same bits.
 */
#include "agents/agent.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/file.h"
#include "farsight/hash.h"

static const char MAGIC[8] = {'F', 'A', 'R', 'A', 'G', 'E', 'N', 'T'};

enum { VERSION = 2, WORD = 8, HEADER_WORDS = 15, HEADER = HEADER_WORDS * WORD };

static size_t padded(size_t bytes) {
  return (bytes + WORD - 1) / WORD * WORD;
}

/* State and used pool, which stand one behind the other. */
static size_t learned_size(const far_agent *agent) {
  return agent->state_size + agent->pool_used * WORD;
}

/* ---- writing ---- */

static void encode(uint8_t *out, const far_agent *agent, size_t spec_length) {
  const far_shape *shape = &agent->shape;
  memcpy(out, MAGIC, WORD);
  far__put_u64(out + 1 * WORD, VERSION);
  far__put_u64(out + 2 * WORD, shape->n_states);
  far__put_u64(out + 3 * WORD, shape->n_actions);
  far__put_f64(out + 4 * WORD, shape->reward_min);
  far__put_f64(out + 5 * WORD, shape->reward_max);
  far__put_u64(out + 6 * WORD, shape->episodic);
  far__put_u64(out + 7 * WORD, (uint64_t)agent->t);
  for (int i = 0; i < 4; ++i) far__put_u64(out + (8 + i) * WORD, agent->rng.word[i]);
  far__put_u64(out + 12 * WORD, spec_length);
  far__put_u64(out + 13 * WORD, agent->state_size / WORD);
  far__put_u64(out + 14 * WORD, agent->pool_used);
  memcpy(out + HEADER, agent->spec, spec_length);
  uint8_t *to = out + HEADER + padded(spec_length);
  const unsigned char *state = far__agent_state((far_agent *)agent); /* only read through */
  for (size_t i = 0; i < learned_size(agent); i += WORD) {
    uint64_t word;
    memcpy(&word, state + i, WORD);
    far__put_u64(to + i, word);
  }
}

far_status far_agent_save(const far_agent *agent, const char *path, far_error *error) {
  const size_t spec_length = strlen(agent->spec);
  const size_t body = HEADER + padded(spec_length) + learned_size(agent);
  uint8_t *data = calloc(1, body + FAR_HASH_BYTES);
  if (data == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to save the agent");
  encode(data, agent, spec_length);
  far_hash(data + body, data, body);
  const far_status status = far__file_replace(path, data, body + FAR_HASH_BYTES, error);
  free(data);
  return status;
}

/* ---- reading ---- */

static far_status damaged(far_error *error, const char *path, const char *why) {
  return far__fail(error, FAR_STATUS_FORMAT, -1, "'%.200s' %s", path, why);
}

static far_status check_file(const uint8_t *data, size_t size, const char *path, far_error *error) {
  if (size < WORD || memcmp(data, MAGIC, WORD) != 0)
    return damaged(error, path, "is not a saved agent");
  if (size < 2 * WORD) return damaged(error, path, "is damaged: it is cut short");
  if (far__get_u64(data + WORD) != VERSION)
    return far__fail(error, FAR_STATUS_FORMAT, -1,
                     "'%.200s' has format version %llu; this program reads version %d", path,
                     (unsigned long long)far__get_u64(data + WORD), VERSION);
  if (size < HEADER + FAR_HASH_BYTES) return damaged(error, path, "is damaged: it is cut short");
  uint8_t digest[FAR_HASH_BYTES];
  far_hash(digest, data, size - FAR_HASH_BYTES);
  if (memcmp(digest, data + size - FAR_HASH_BYTES, FAR_HASH_BYTES) != 0)
    return damaged(error, path, "is damaged: its checksum does not match");
  const uint64_t spec_length = far__get_u64(data + 12 * WORD);
  const uint64_t words = far__get_u64(data + 13 * WORD), pool = far__get_u64(data + 14 * WORD);
  if (spec_length >= FAR__SPEC_TEXT || words > size / WORD || pool > size / WORD ||
      HEADER + padded((size_t)spec_length) + (words + pool) * WORD + FAR_HASH_BYTES != size)
    return damaged(error, path, "is damaged: its sizes do not add up");
  const uint64_t states = far__get_u64(data + 2 * WORD), actions = far__get_u64(data + 3 * WORD);
  if (states > UINT32_MAX || actions > UINT32_MAX || (actions > 0 && states > words / actions))
    return damaged(error, path, "is damaged: its shape does not fit its size");
  if (far__get_u64(data + 7 * WORD) > (uint64_t)INT64_MAX / 2)
    return damaged(error, path, "is damaged: its clock is out of bounds");
  return FAR_OK;
}

static far_status decode(far_agent **out, const uint8_t *data, const char *path, far_error *error) {
  const size_t spec_length = (size_t)far__get_u64(data + 12 * WORD);
  const size_t words = (size_t)far__get_u64(data + 13 * WORD);
  const far_shape shape = {.n_states = (uint32_t)far__get_u64(data + 2 * WORD),
                           .n_actions = (uint32_t)far__get_u64(data + 3 * WORD),
                           .reward_min = far__get_f64(data + 4 * WORD),
                           .reward_max = far__get_f64(data + 5 * WORD),
                           .episodic = far__get_u64(data + 6 * WORD) != 0};
  char spec[FAR__SPEC_TEXT] = "";
  memcpy(spec, data + HEADER, spec_length);
  far_error why = {FAR_OK, -1, ""};
  const far_status status = far_agent_create(out, spec, &shape, 0, 0, &why);
  if (status == FAR_STATUS_MEMORY)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "%s", why.message);
  if (status != FAR_OK)
    return far__fail(error, FAR_STATUS_FORMAT, -1, "'%.160s' is damaged: %.240s", path,
                     why.message);
  far_agent *agent = *out;
  if (agent->state_size != words * WORD) {
    far_agent_free(agent);
    *out = NULL;
    return damaged(error, path, "is damaged: its state has the wrong size");
  }
  const size_t pool_words = (size_t)far__get_u64(data + 14 * WORD);
  if (far__agent_grow(agent, pool_words, error) != FAR_OK) {
    far_agent_free(agent);
    *out = NULL;
    return FAR_STATUS_MEMORY;
  }
  agent->pool_used = pool_words;
  agent->t = (int64_t)far__get_u64(data + 7 * WORD);
  for (int i = 0; i < 4; ++i) agent->rng.word[i] = far__get_u64(data + (8 + i) * WORD);
  unsigned char *state = far__agent_state(agent);
  const uint8_t *from = data + HEADER + padded(spec_length);
  for (size_t i = 0; i < learned_size(agent); i += WORD) {
    const uint64_t word = far__get_u64(from + i);
    memcpy(state + i, &word, WORD);
  }
  if (far__agent_type_of(agent)->valid(agent)) return FAR_OK;
  far_agent_free(agent);
  *out = NULL;
  return damaged(error, path, "is damaged: no agent can be in its state");
}

far_status far_agent_load(far_agent **out, const char *path, far_error *error) {
  *out = NULL;
  uint8_t *data = NULL;
  size_t size = 0;
  far_status status = far__file_read(&data, &size, path, error);
  if (status != FAR_OK) return status;
  status = check_file(data, size, path, error);
  if (status == FAR_OK) status = decode(out, data, path, error);
  free(data);
  return status;
}

static bool same_shape(const far_shape *x, const far_shape *y) {
  return x->n_states == y->n_states && x->n_actions == y->n_actions &&
         x->reward_min == y->reward_min && x->reward_max == y->reward_max &&
         x->episodic == y->episodic;
}

/* Exchanges the two agents' contents if they are of one kind. */
static far_status swap_if_same(far_agent *agent, far_agent *loaded, far_error *error) {
  const far_shape *theirs = &loaded->shape, *ours = &agent->shape;
  if (strcmp(loaded->spec, agent->spec) != 0)
    return far__fail(error, FAR_STATUS_MISMATCH, -1,
                     "the file holds another agent, %.200s; this is %.200s", loaded->spec,
                     agent->spec);
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
