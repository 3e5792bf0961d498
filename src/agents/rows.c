#include "agents/rows.h"

#include <string.h>

enum { ARC_WORDS = sizeof(far__arc) / 8 };

/* Moves a full row to a place twice as large, the rest of which is cleared: the pool may hold scratch
 * there, or what realloc found, and all of it is saved. */
static void widen(far_agent *agent, uint64_t *largest, learner_pair *pair) {
  far__arc *pool = far__agent_pool(agent);
  const uint64_t room = pair->room > 0 ? 2 * pair->room : ROWS_FIRST_ROOM;
  const uint64_t first = agent->pool_used / ARC_WORDS;
  if (pair->count > 0)
    memcpy(pool + first, pool + pair->first, (size_t)pair->count * sizeof(far__arc));
  memset(pool + first + pair->count, 0, (size_t)(room - pair->count) * sizeof(far__arc));
  pair->first = first;
  pair->room = room;
  agent->pool_used += (size_t)room * ARC_WORDS;
  if (room > *largest) *largest = room;
}

static void put(far_agent *agent, uint64_t *largest, learner_pair *pair, uint64_t next,
                double weight) {
  far__arc *arc = (far__arc *)far__agent_pool(agent) + pair->first;
  uint64_t k = 0;
  while (k < pair->count && arc[k].next != next) ++k;
  if (k == pair->count) {
    if (pair->count == pair->room) widen(agent, largest, pair);
    arc = (far__arc *)far__agent_pool(agent) + pair->first;
    arc[k] = (far__arc){next, 0};
    pair->count += 1;
  }
  arc[k].weight += weight;
  pair->n += weight;
}

void rows_add(far_agent *agent, uint64_t *largest, learner_pair *pair, uint64_t next,
              double reward) {
  put(agent, largest, pair, next, 1);
  pair->sum += reward;
}

/* A row that fills room r has at most 2 r + 2 r + ... places while it grows to hold what two rows of
 * at most `largest` arcs hold: less than 8 times `largest`, as ROWS_MERGE adds have. */
void rows_merge(far_agent *agent, uint64_t *largest, learner_pair *into, const learner_pair *from) {
  const far__arc *pool = far__agent_pool(agent);
  for (uint64_t k = 0; k < from->count; ++k) {
    const far__arc arc = pool[from->first + k];
    put(agent, largest, into, arc.next, arc.weight);
  }
  into->sum += from->sum;
}

size_t rows_growth(uint64_t largest, size_t adds) {
  return adds * 2 * (largest > 0 ? (size_t)largest : 1) * ARC_WORDS;
}

/* A window of marks, one bit for each state or place that was seen; all are 0 between the functions below. */
enum { FEW_ARCS = 16, WINDOW = 1 << 18 };

/* Was it marked before? */
static bool mark(uint64_t *marks, uint64_t i) {
  const bool before = marks[i / 64] >> i % 64 & 1;
  marks[i / 64] |= (uint64_t)1 << i % 64;
  return before;
}

static bool repeats_among_few(const far__arc *arc, uint64_t count) {
  for (uint64_t k = 1; k < count; ++k)
    for (uint64_t j = 0; j < k; ++j)
      if (arc[j].next == arc[k].next) return true;
  return false;
}

/* Is a successor twice in a row? Planners have room for each outcome once. */
static bool repeats(uint64_t *marks, const far__arc *arc, uint64_t count, uint64_t last) {
  bool twice = false;
  if (count <= FEW_ARCS) return repeats_among_few(arc, count);
  for (uint64_t from = 0; from <= last && !twice; from += WINDOW) {
    for (uint64_t k = 0; k < count; ++k) /* what is before the window wraps around */
      if (arc[k].next - from < WINDOW) twice |= mark(marks, arc[k].next - from);
    for (uint64_t k = 0; k < count; ++k)
      if (arc[k].next - from < WINDOW) marks[(arc[k].next - from) / 64] = 0;
  }
  return twice;
}

/* Do two rows, each within the pool, share a place? What one learns would change the other. */
static bool overlap(uint64_t *marks, const learner_pair *pair, size_t n_pairs, uint64_t arcs) {
  bool shared = false;
  for (uint64_t from = 0; from < arcs && !shared; from += WINDOW) {
    for (size_t i = 0; i < n_pairs && !shared; ++i) {
      const uint64_t end = pair[i].first + pair[i].room;
      const uint64_t last = end < from + WINDOW ? end : from + WINDOW;
      for (uint64_t k = pair[i].first > from ? pair[i].first : from; k < last; ++k)
        shared |= mark(marks, k - from);
    }
    memset(marks, 0, WINDOW / 8);
  }
  return shared;
}

static bool valid_row(const far_agent *agent, uint64_t largest, const learner_pair *pair,
                      double range, uint64_t *marks) {
  const far__arc *pool = far__agent_pool((far_agent *)agent); /* only read through */
  const uint64_t arcs = agent->pool_used / ARC_WORDS;
  if (pair->room > largest || pair->count > pair->room || pair->first > arcs ||
      pair->room > arcs - pair->first)
    return false;
  if (pair->count > (uint64_t)learner_outcomes(&agent->shape)) return false;
  if (pair->room % ROWS_FIRST_ROOM != 0) return false;
  for (uint64_t k = pair->count; k < pair->room; ++k) /* learner_dot reads these, too */
    if (pool[pair->first + k].next > agent->shape.n_states) return false;
  double total = 0;
  for (uint64_t k = 0; k < pair->count; ++k) {
    const far__arc *arc = &pool[pair->first + k];
    if (arc->next > agent->shape.n_states || !rows_can_follow(&agent->shape, arc->next))
      return false;
    if (!(arc->weight >= 1)) return false;
    total += arc->weight;
  }
  if (repeats(marks, pool + pair->first, pair->count, agent->shape.n_states)) return false;
  const double sum = pair->sum;
  return total == pair->n && total <= (double)agent->t && sum - sum == 0 && sum >= 0 &&
         sum <= pair->n * range * (1 + 1e-9 + pair->n * 0x1p-52); /* rounding adds up */
}

bool rows_valid(const far_agent *agent, uint64_t largest, const learner_pair *pair, size_t n_pairs,
                double range) {
  uint64_t marks[WINDOW / 64] = {0};
  bool good =
      agent->pool_used % ARC_WORDS == 0 && largest <= 2 * ((uint64_t)agent->shape.n_states + 1);
  for (size_t i = 0; good && i < n_pairs; ++i)
    good = valid_row(agent, largest, &pair[i], range, marks);
  return good && !overlap(marks, pair, n_pairs, agent->pool_used / ARC_WORDS);
}
