/* Agents on disk. All numbers are little-endian 64-bit words:
 *
 *   "FARAGENT"  version  n_states  n_actions  reward_min  reward_max  episodic  t  random state (4)
 *   spec length  state words  spec (padded with zeros to whole words)  state  SHA-256 of all before
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

enum { VERSION = 1, WORD = 8, HEADER_WORDS = 14, HEADER = HEADER_WORDS * WORD };

static size_t padded(size_t bytes) {
  return (bytes + WORD - 1) / WORD * WORD;
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
  memcpy(out + HEADER, agent->spec, spec_length);
  uint8_t *to = out + HEADER + padded(spec_length);
  const uint64_t *state = far__agent_state((far_agent *)agent); /* only read through */
  for (size_t i = 0; i < agent->state_size / WORD; ++i) far__put_u64(to + i * WORD, state[i]);
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
static void sync_folder(const char *path) {
  char folder[4096];
  snprintf(folder, sizeof folder, "%s", path);
  char *slash = strrchr(folder, '/');
  if (slash == NULL)
    snprintf(folder, sizeof folder, ".");
  else
    slash[slash == folder] = '\0';
  const int fd = open(folder, O_RDONLY | O_DIRECTORY);
  if (fd < 0) return;
  fsync(fd);
  close(fd);
}

static far_status replace_file(const char *path, const uint8_t *data, size_t size,
                               far_error *error) {
  struct stat info;
  if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
    return far__fail(error, FAR_STATUS_IO, -1, "cannot write '%.200s': it is not a regular file",
                     path);
  char beside[4096];
  const int n = snprintf(beside, sizeof beside, "%s.%ld.new", path, (long)getpid());
  if (n < 0 || (size_t)n >= sizeof beside)
    return far__fail(error, FAR_STATUS_IO, -1, "the path is too long");
  const int fd = open(beside, O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (fd < 0) return io_error(error, "write", path);
  bool good = write_all(fd, data, size) && fsync(fd) == 0;
  const int failure = errno;
  good = close(fd) == 0 && good;
  if (good && rename(beside, path) == 0) {
    sync_folder(path);
    return FAR_OK;
  }
  if (!good) errno = failure;
  const far_status status = io_error(error, "write", path);
  unlink(beside);
  return status;
}

far_status far_agent_save(const far_agent *agent, const char *path, far_error *error) {
  const size_t spec_length = strlen(agent->spec);
  const size_t body = HEADER + padded(spec_length) + (size_t)agent->state_size;
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
  const int fd = open(path, O_RDONLY | O_NONBLOCK);
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
  const uint64_t words = far__get_u64(data + 13 * WORD);
  if (spec_length >= FAR__SPEC_TEXT || words > size / WORD ||
      HEADER + padded((size_t)spec_length) + words * WORD + FAR_HASH_BYTES != size)
    return damaged(error, path, "is damaged: its sizes do not add up");
  const uint64_t states = far__get_u64(data + 2 * WORD), actions = far__get_u64(data + 3 * WORD);
  if (states > UINT32_MAX || actions > UINT32_MAX || (actions > 0 && states > words / actions))
    return damaged(error, path, "is damaged: its shape does not fit its size");
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
  const far_status status = far_agent_create(out, spec, &shape, 0, 0, error);
  if (status != FAR_OK) return status;
  far_agent *agent = *out;
  if (agent->state_size != words * WORD) {
    far_agent_free(agent);
    *out = NULL;
    return damaged(error, path, "is damaged: its state has the wrong size");
  }
  agent->t = (int64_t)far__get_u64(data + 7 * WORD);
  for (int i = 0; i < 4; ++i) agent->rng.word[i] = far__get_u64(data + (8 + i) * WORD);
  uint64_t *state = far__agent_state(agent);
  const uint8_t *from = data + HEADER + padded(spec_length);
  for (size_t i = 0; i < words; ++i) state[i] = far__get_u64(from + i * WORD);
  return FAR_OK;
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
