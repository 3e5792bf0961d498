/* How the delayed family lies in a lane of a device: a state's row and its windows together, on 32 bytes each. What an
 * agent has learned is found there again, wherever it lay before. */
#define FAR__DEVICE_LANES /* as run/gpu/lanes.h has it */
#include "agents/delayed.h"
#include "check.h"

enum { S = 3, A = 2, MOST = 64 };

/* Numbers 1, 2, ... in the agent's memory: the common state, then the windows, then the rows. */
static size_t fill(double *words, delayed_kind kind) {
  const size_t n = 4 + S * A * (delayed_window_words(kind) + delayed_row_words(kind));
  for (size_t i = 0; i < n; ++i) words[i] = (double)(i + 1);
  CHECK(n <= MOST);
  return n;
}

static void check_bring(delayed_kind kind, size_t row, size_t words) {
  static const delayed_params params = {.gamma = 0.5, .m = 1};
  static _Alignas(32) double from[MOST], to[2 * MOST];
  const far__body here = {&params, from, S, A, S, 0, 1};
  far__body there = here;
  there.state = to;
  fill(from, kind);
  for (size_t i = 0; i < 2 * MOST; ++i) to[i] = -1;
  CHECK(delayed_lane_row(kind, A) == row && delayed_lane_state(kind, A) == row + 4 * A);
  CHECK(delayed_lane_words(kind, S, A) == words);
  delayed_bring(there, here, kind);
  const size_t window = kind == DELAYED_PLAIN ? 3 : 4, values = kind == DELAYED_PLAIN ? 1 : 3;
  const double *rows = from + 4 + S * A * window;
  for (size_t s = 0; s < S; ++s) {
    const double *lane = to + s * (row + 4 * A);
    CHECK(memcmp(lane, rows + s * A * values, A * values * sizeof *lane) == 0);
    for (size_t a = 0; a < A; ++a) { /* begun, count, q_sum, and e_sum where E is learned with Q */
      const size_t kept = kind == DELAYED_DIRECTED ? 4 : 3;
      CHECK(memcmp(lane + row + 4 * a, from + 4 + (s * A + a) * window, kept * 8) == 0);
    }
  }
  CHECK(memcmp(to + S * (row + 4 * A), from, 4 * sizeof *to) == 0); /* the last success */
  CHECK(to[words] == -1);
}

int main(void) {
  check_bring(DELAYED_PLAIN, 4, S * 12 + 4);    /* two values, in four words */
  check_bring(DELAYED_DIRECTED, 8, S * 16 + 4); /* six, in eight */
  check_bring(DELAYED_VISITING, 8, S * 16 + 4);
  return check_report();
}
