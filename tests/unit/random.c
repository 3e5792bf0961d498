/* The generator and the streams, against published vectors. */
#include <farsight/farsight.h>

#include "check.h"

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
  test_generator();
  test_streams();
  test_ranges();
  return check_report();
}
