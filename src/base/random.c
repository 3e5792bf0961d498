#include "farsight/random.h"

#include "base/bytes.h"
#include "farsight/hash.h"

void far_rng_init(far_rng *rng, uint64_t seed, uint64_t replicate, far_purpose purpose) {
  uint8_t key[24], digest[FAR_HASH_BYTES];
  far__put_u64(key, seed);
  far__put_u64(key + 8, replicate);
  far__put_u64(key + 16, (uint64_t)purpose);
  far_hash(digest, key, sizeof key);
  for (int i = 0; i < 4; ++i) rng->word[i] = far__get_u64(digest + 8 * i);
}
