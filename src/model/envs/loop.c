/* The loop, or double loop (Watkins 1989; Dearden, Friedman & Russell 1998; Strens 2000): two loops
 * of `length` steps that share state 0. Action 0 there enters the first loop, through which any
 * action leads on and which pays 1 at its end; action 1 enters the second, through which only action
 * 1 leads on, action 0 falling back to state 0, and which pays 2. All moves are certain. With length
 * 5 there are nine states; 1 ... length-1 are the first loop, the others the second. */
#include "model/envs/draw.h"
#include "model/envs/family.h"

typedef struct FAR__PARAMS loop_params {
  int64_t length;
  double small, large;
  far__criterion criterion;
} loop_params;

#define AT(field) .offset = offsetof(loop_params, field)

static const far_param params[] = {
    {.name = "length",
     .kind = FAR_PARAM_INTEGER,
     .fallback = "5",
     .min = 2,
     .max = 1000000,
     AT(length),
     .help = "steps of each loop; there are 2 length - 1 states"},
    {.name = "small",
     .kind = FAR_PARAM_REAL,
     .fallback = "1",
     FAR__ANY_REWARD,
     AT(small),
     .help = "reward at the end of the loop that any action follows"},
    {.name = "large",
     .kind = FAR_PARAM_REAL,
     .fallback = "2",
     FAR__ANY_REWARD,
     AT(large),
     .help = "reward at the end of the loop that only action 1 follows"},
    FAR__ROWS_CRITERION(loop_params),
};

/* State 0 in the middle; each loop goes out along the upper row and comes back along the lower one. */
static void draw(far__sketch *k, uint32_t side) {
  const uint32_t out = (side + 1) / 2;
  const double middle = out + 0.5;
  far__draw(k, FAR_LAYOUT_GRAPH, 2.0 * out + 1, 2);
  far__place(k, 0, middle, 1, NULL);
  for (uint32_t j = 0; j < side; ++j) {
    const double away = j < out ? j + 1.0 : (double)side - j, y = j < out ? 0.5 : 1.5;
    far__place(k, 1 + j, middle - away, y, NULL);
    far__place(k, 1 + side + j, middle + away, y, NULL);
  }
}

static void fill(far__sketch *k, const void *values) {
  const loop_params *p = values;
  const uint32_t side = (uint32_t)p->length - 1; /* states of a loop besides state 0 */
  draw(k, side);
  far__range(k, (const double[]){p->small, p->large}, 2);
  far__start(k, 0, 1);
  far__outcome(k, 0, 0, 1, 1, 0);
  far__outcome(k, 0, 1, 1, 1 + side, 0);
  for (uint32_t s = 1; s <= 2 * side; ++s) {
    const bool first = s <= side, end = s == side || s == 2 * side;
    for (uint32_t a = 0; a < 2; ++a) {
      const bool falls = !first && a == 0 && !end;
      far__outcome(k, s, a, 1, falls || end ? 0 : s + 1, !end ? 0 : first ? p->small : p->large);
    }
  }
}

static far_status build(far_mdp **out, const void *values, far_error *error) {
  const loop_params *p = values;
  return far__family_build(out, 2 * (uint32_t)p->length - 1, 2, 1, fill, p, error);
}

const far__family far__family_loop = {
    .info = {.name = "loop",
             .summary =
                 "Two loops from one state: an easy one that pays 1, a strict one that pays 2",
             .reference = "Watkins 1989; Dearden, Friedman & Russell 1998; Strens 2000",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .build = build,
};
