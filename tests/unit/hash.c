/* SHA-256 against published vectors; in plain C and by instructions the same. */
#include <farsight/farsight.h>

#include "base/hash.h"
#include "base/hash.h"
#include "check.h"

static void check_hash(const char *text, size_t length, const char *expected) {
  uint8_t digest[FAR_HASH_BYTES];
  char hex[FAR_HASH_TEXT];
  far_hash(digest, text, length);
  far_hash_text(hex, digest);
  CHECK_TEXT(hex, expected);
  far__digest_portable(digest, text, length);
  far_hash_text(hex, digest);
  CHECK_TEXT(hex, expected);
}

/* FIPS 180-4 examples and the lengths at which the padding changes; the latter from hashlib. */
static void test_hash(void) {
  static char a[1000000];
  memset(a, 'a', sizeof a);
  check_hash("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  check_hash("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  check_hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
             "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  check_hash(a, sizeof a, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  check_hash(a, 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  check_hash(a, 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

/* In pieces of any length it is the same. */
static void test_pieces(void) {
  uint8_t whole[FAR_HASH_BYTES], pieces[FAR_HASH_BYTES], text[300];
  for (size_t i = 0; i < sizeof text; ++i) text[i] = (uint8_t)(i * 7);
  far_hash(whole, text, sizeof text);
  for (size_t piece = 1; piece < sizeof text; ++piece) {
    far__hash hash;
    far__hash_begin(&hash);
    for (size_t at = 0; at < sizeof text; at += piece)
      far__hash_add(&hash, text + at, at + piece < sizeof text ? piece : sizeof text - at);
    far__hash_add(&hash, text, 0);
    far__hash_end(&hash, pieces);
    CHECK(memcmp(whole, pieces, sizeof whole) == 0);
  }
}

/* From every state and for every block, not only those that a text leads to; at odd addresses, too. */
static void test_instructions(void) {
  far__hash_blocks *fast = far__hash_by_instructions();
  if (fast == NULL) {
    printf(
        "skipped: this processor has no instructions for SHA-256, or the compiler none for it\n");
    return;
  }
  far_rng rng;
  far_rng_init(&rng, 17, 0, FAR_PURPOSE_AGENT);
  uint8_t blocks[64 * 9 + 16];
  for (int i = 0; i < 500; ++i) {
    uint32_t plain[8], same[8];
    for (int k = 0; k < 8; ++k) plain[k] = same[k] = (uint32_t)far_rng_next(&rng);
    for (size_t k = 0; k < sizeof blocks; ++k) blocks[k] = (uint8_t)far_rng_next(&rng);
    far__hash_portable(plain, blocks + i % 16, (size_t)i % 10);
    fast(same, blocks + i % 16, (size_t)i % 10);
    CHECK(memcmp(plain, same, sizeof plain) == 0);
  }
}

int main(void) {
  test_hash();
  test_pieces();
  test_instructions();
  return check_report();
}
