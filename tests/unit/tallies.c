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
  check_tally((far_tally){.kind = FAR__TALLY_EPISODES}, (double[]){0, 1, 1, 1, 2, 2});
  /* all rewards while no episode has ended, then the mean of those that have */
  check_tally((far_tally){.kind = FAR__TALLY_RETURN}, (double[]){0.5, 2.5, 2.5, 2.5, 1, 1});
}

/* By the last reward, or by the return: 2.5 and -0.5. */
static void test_success(void) {
  far_tally c = {.kind = FAR__TALLY_SUCCESS, .level = 0.5};
  check_tally(c, (double[]){0, 1, 1, 1, 1, 1});
  c.level = 2;
  check_tally(c, (double[]){0, 1, 1, 1, 0.5, 0.5});
  c.flag = true;
  check_tally(c, (double[]){0, 1, 1, 1, 0.5, 0.5});
  c.level = 2.5;
  check_tally(c, (double[]){0, 1, 1, 1, 0.5, 0.5});
  c.level = -0.5;
  check_tally(c, (double[]){0, 1, 1, 1, 1, 1});
  c.level = 2.75;
  check_tally(c, (double[]){0, 0, 0, 0, 0, 0});
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
  test_sums();
  test_coverage();
  return check_report();
}
