/* Agents on disk. All numbers are little-endian 64-bit words:
 *
 *   "FARAGENT"  version  n_states  n_actions  reward_min  reward_max  episodic  t  random state (4)
 *   spec length  state words  pool words
 *   spec (padded with zeros to whole words)  state  used pool  SHA-256 of all before
 *
 * The parameters are those of the spec, which is canonical and reads back to the same bits. A file
 * is written beside its target, flushed to the disk and renamed, so that a crash leaves the old
 * file or the new one.
 */
#include "agents/agent.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/error.h"
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

static far_status io_error(far_error *error, const char *what, const char *path) {
  return far__fail(error, FAR_STATUS_IO, -1, "cannot %s '%.200s': %s", what, path, strerror(errno));
}

static bool write_all(int fd, const uint8_t *data, size_t size) {
  while (size > 0) {
    const ssize_t n = write(fd, data, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    data += n;
    size -= (size_t)n;
  }
  return true;
}

/* Makes the rename itself durable; a file system that cannot is no error. */
static void sync_folder(char *path) {
  char *slash = strrchr(path, '/');
  if (slash != NULL) slash[slash == path] = '\0';
  const int fd = open(slash != NULL ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  fsync(fd);
  close(fd);
}

/* Opens a new file beside the target; `name` has room for the target's and 16 characters more. */
static int open_beside(const char *target, char *name) {
  for (unsigned i = 0; i < 1000; ++i) { /* a crash may have left some, another thread be at one */
    sprintf(name, "%s.%u.new", target, i);
    const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

/* Writes a new file beside the target, flushes it and renames it. An existing file's mode is kept.
 * False with errno set. */
static bool replace(char *target, char *beside, const struct stat *existing, const uint8_t *data,
                    size_t size) {
  const int fd = open_beside(target, beside);
  if (fd < 0) return false;
  bool good = existing == NULL || fchmod(fd, existing->st_mode & 07777) == 0;
  good = good && write_all(fd, data, size) && fsync(fd) == 0;
  int failure = errno;
  if (close(fd) != 0 && good) {
    good = false;
    failure = errno;
  }
  if (good && rename(beside, target) == 0) {
    sync_folder(target);
    return true;
  }
  if (good) failure = errno;
  unlink(beside);
  errno = failure;
  return false;
}

static far_status replace_file(const char *path, const uint8_t *data, size_t size,
                               far_error *error) {
  struct stat info;
  const bool exists = stat(path, &info) == 0;
  if (exists && !S_ISREG(info.st_mode))
    return far__fail(error, FAR_STATUS_IO, -1, "cannot write '%.200s': it is not a regular file",
                     path);
  char *target = exists ? realpath(path, NULL) : strdup(path); /* through links, to the file */
  char *beside = target != NULL ? malloc(strlen(target) + 17) : NULL;
  far_status status = FAR_OK;
  if (beside == NULL || !replace(target, beside, exists ? &info : NULL, data, size))
    status = io_error(error, "write", path);
  free(beside);
  free(target);
  return status;
}

far_status far_agent_save(const far_agent *agent, const char *path, far_error *error) {
  const size_t spec_length = strlen(agent->spec);
  const size_t body = HEADER + padded(spec_length) + learned_size(agent);
  uint8_t *data = calloc(1, body + FAR_HASH_BYTES);
  if (data == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to save the agent");
  encode(data, agent, spec_length);
  far_hash(data + body, data, body);
  const far_status status = replace_file(path, data, body + FAR_HASH_BYTES, error);
  free(data);
  return status;
}

/* ---- reading ---- */

static far_status read_file(uint8_t **out, size_t *size, const char *path, far_error *error) {
  struct stat info;
  const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return io_error(error, "read", path);
  far_status status = FAR_OK;
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
    status =
        far__fail(error, FAR_STATUS_IO, -1, "cannot read '%.200s': it is not a regular file", path);
  *size = status == FAR_OK ? (size_t)info.st_size : 0;
  *out = status == FAR_OK ? malloc(*size + 1) : NULL;
  if (status == FAR_OK && *out == NULL)
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to read '%.200s'", path);
  for (size_t have = 0; status == FAR_OK && have < *size;) {
    const ssize_t n = read(fd, *out + have, *size - have);
    if (n == 0) errno = EIO; /* it became shorter meanwhile */
    if (n > 0)
      have += (size_t)n;
    else if (n == 0 || errno != EINTR)
      status = io_error(error, "read", path);
  }
  close(fd);
  if (status != FAR_OK) {
    free(*out);
    *out = NULL;
  }
  return status;
}

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
  far_status status = read_file(&data, &size, path, error);
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
