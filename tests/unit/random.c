/* SHA-256, the generator and the streams, against published vectors. */
#include <farsight/farsight.h>

#include "base/hash.h"
#include "check.h"

static void check_hash(const char *text, size_t length, const char *expected) {
  uint8_t digest[FAR_HASH_BYTES];
  char hex[FAR_HASH_TEXT];
  far_hash(digest, text, length);
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

/* The first outputs from state {1, 2, 3, 4}, as printed by the authors' reference code. */
static void test_generator(void) {
  static const uint64_t expected[] = {41943041u,
                                      58720359u,
                                      3588806011781223u,
                                      3591011842654386u,
                                      9228616714210784205u,
                                      9973669472204895162u,
                                      14011001112246962877u,
                                      12406186145184390807u,
                                      15849039046786891736u,
                                      10450023813501588000u};
  far_rng rng = {{1, 2, 3, 4}};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i)
    CHECK(far_rng_next(&rng) == expected[i]);
}

/* The state of a stream is SHA-256 of its keys: computed with Python's hashlib. */
static void test_streams(void) {
  far_rng rng, other;
  far_rng_init(&rng, 7, 0, FAR_PURPOSE_AGENT);
  CHECK(rng.word[0] == 0x47c313e2d3e5ea5cu);
  CHECK(rng.word[3] == 0xad8c8cf90e1ffc98u);
  far_rng_init(&rng, 1, 0, FAR_PURPOSE_TRANSITION);
  far_rng_init(&other, 0, 1, FAR_PURPOSE_TRANSITION);
  CHECK(rng.word[0] != other.word[0]);
}

static void test_ranges(void) {
  far_rng rng;
  far_rng_init(&rng, 3, 0, FAR_PURPOSE_AGENT);
  int count[5] = {0};
  double least = 1, most = 0;
  for (int i = 0; i < 50000; ++i) {
    count[far_rng_below(&rng, 5)] += 1;
    const double u = far_rng_uniform(&rng);
    least = fmin(least, u);
    most = fmax(most, u);
  }
  for (int k = 0; k < 5; ++k) CHECK_NEAR(count[k], 10000, 400);
  CHECK(least >= 0 && least < 0.001 && most < 1 && most > 0.999);
}

int main(void) {
  test_hash();
  test_pieces();
  test_generator();
  test_streams();
  test_ranges();
  return check_report();
}
