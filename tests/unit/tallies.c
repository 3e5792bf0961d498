/* Metrics that follow from the transitions alone, step by step, as threads and devices compute them. */
#include "run/tally.h"

#include "check.h"

/* Rewards of three episodes, of which the second is cut off: 1/2 and 2; 4; -1 and 1/2; and a step of a fourth. */
static const far_transition STEPS[] = {{0, 0, 0.5, 1, false, false}, {1, 1, 2, 0, true, false},
                                       {0, 1, 4, 2, false, true},    {2, 0, -1, 1, false, false},
                                       {1, 1, 0.5, 0, true, false},  {0, 0, 8, 1, false, false}};
enum { N = sizeof STEPS / sizeof *STEPS };

/* The number after each step. */
static void check_tally(far_tally c, const double expected[N]) {
  far__count x = {0};
  uint8_t marks[8] = {0};
  CHECK(far__tally_value(&c, &x) == 0);
  for (int t = 0; t < N; ++t) {
    far__tally_step(&c, &x, marks, &STEPS[t], t + 1);
    CHECK_NEAR(far__tally_value(&c, &x), expected[t], 1e-15);
  }
}

static void test_episodes(void) {
  check_tally((far_tally){.kind = FAR__TALLY_EPISODES}, (double[]){0, 1, 2, 2, 3, 3});
  /* all rewards while no episode has ended, then the mean of those that have: 2.5, 4 and -0.5 */
  check_tally((far_tally){.kind = FAR__TALLY_RETURN}, (double[]){0.5, 2.5, 3.25, 3.25, 2, 2});
  /* likewise, of 2, 1 and 2 steps */
  check_tally((far_tally){.kind = FAR__TALLY_LENGTH}, (double[]){1, 2, 1.5, 1.5, 5 / 3.0, 5 / 3.0});
}

/* By the last reward, which counts only where an episode is not cut, or by the return: 2.5, 4 and -0.5. */
static void test_success(void) {
  far_tally c = {.kind = FAR__TALLY_SUCCESS, .level = 0.5};
  check_tally(c, (double[]){0, 1, 0.5, 0.5, 2 / 3.0, 2 / 3.0});
  c.level = 2;
  check_tally(c, (double[]){0, 1, 0.5, 0.5, 1 / 3.0, 1 / 3.0});
  c.flag = true;
  check_tally(c, (double[]){0, 1, 1, 1, 2 / 3.0, 2 / 3.0});
  c.level = 2.5;
  check_tally(c, (double[]){0, 1, 1, 1, 2 / 3.0, 2 / 3.0});
  c.level = -0.5;
  check_tally(c, (double[]){0, 1, 1, 1, 1, 1});
  c.level = 2.75;
  check_tally(c, (double[]){0, 0, 0.5, 0.5, 1 / 3.0, 1 / 3.0});
}

/* Twenty steps at most, 1 a step: five episodes that end themselves after 4, 8, 10, 12 and 15 steps, and as many that
 * the limit cuts. The mean return is 149/10; of those that end themselves alone it would be 49/5. */
static void test_time_limit(void) {
  static const int lengths[] = {20, 4, 20, 8, 20, 10, 12, 20, 15, 20};
  const far_tally number = {.kind = FAR__TALLY_EPISODES}, earned = {.kind = FAR__TALLY_RETURN},
                  solved = {.kind = FAR__TALLY_SUCCESS, .flag = true, .level = 12},
                  ended = {.kind = FAR__TALLY_SUCCESS, .level = 1};
  const far_tally all[] = {number, earned, solved, ended};
  far__count x[4] = {{0}};
  int64_t t = 0;
  for (size_t i = 0; i < 10; ++i)
    for (int h = 1; h <= lengths[i]; ++h, ++t) {
      const bool last = h == lengths[i];
      const far_transition step = {0, 0, 1, 0, last && h < 20, h == 20};
      for (size_t k = 0; k < 4; ++k) far__tally_step(&all[k], &x[k], NULL, &step, t + 1);
    }
  CHECK(far__tally_value(&number, &x[0]) == 10);
  CHECK(far__tally_value(&earned, &x[1]) == 14.9);
  CHECK(far__tally_value(&solved, &x[2]) == 0.7);
  CHECK(far__tally_value(&ended, &x[3]) == 0.5); /* a cut step pays 1 as well, and is no end */
}

/* Totals 0.5, 2.5, 6.5, 5.5, 6 and 14: the last time at which a step earned less than 1.25 on average. */
static void test_sums(void) {
  check_tally((far_tally){.kind = FAR__TALLY_EARNED, .level = 1.25}, (double[]){1, 1, 1, 1, 5, 5});
  check_tally((far_tally){.kind = FAR__TALLY_REGRET, .level = 1},
              (double[]){0.5, -0.5, -3.5, -1.5, -1, -8});
}

/* Of three states, and of six pairs. */
static void test_coverage(void) {
  far_tally c = {.kind = FAR__TALLY_COVERAGE, .n_actions = 2, .level = 3, .n_marks = 6};
  check_tally(c, (double[]){1 / 3.0, 2 / 3.0, 2 / 3.0, 1, 1, 1});
  c.flag = true;
  c.level = 6;
  check_tally(c, (double[]){1 / 6.0, 2 / 6.0, 3 / 6.0, 4 / 6.0, 4 / 6.0, 4 / 6.0});
}

int main(void) {
  test_episodes();
  test_success();
  test_time_limit();
  test_sums();
  test_coverage();
  return check_report();
}
