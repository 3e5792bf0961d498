/* One frame of 'farsight watch': where its parts are drawn, and the lines around them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "agents/facts.h"
#include "questions/learning/player.h"
#include "watch.h"

enum {
  LEAST_COLUMNS = 40,
  LEAST_ROWS = 12,
  SIDE_BY_SIDE = 78, /* columns from which on two agents are drawn beside each other */
  TABLE_WIDTH = 36,
  SWATCHES = N_HEATS
};

/* ---- names ---- */

look agent_look(size_t k) {
  return STYLE_ACCENT(k == 0 ? ACCENT_BLUE : ACCENT_ORANGE);
}

void action_text(char out[64], const watch *w, uint32_t a) {
  const char *name = far_mdp_action_name(w->mdp, a);
  if (name == NULL && w->layout.kind != FAR_LAYOUT_NONE) name = w->layout.action_label[a];
  if (name != NULL && name[0] != '\0')
    snprintf(out, 64, "%.60s", name);
  else
    snprintf(out, 64, "action %lu", (unsigned long)a);
}

/* ---- lines ---- */

void draw_title(frame *f, rectangle box, look style, const char *title) {
  frame_line(f, box.x, box.y, box.width, STYLE_DIM, 0x2500);
  frame_set(f, box.x + 2, box.y, STYLE_PLAIN, ' ');
  const int used = frame_put(f, box.x + 3, box.y, box.width - 4, style & ~(look)STYLE_DIM, title);
  frame_set(f, box.x + 3 + used, box.y, STYLE_PLAIN, ' ');
}

/* Draws the colour scale at the right end of a title: the lowest number, all colours, the highest number. */
static void draw_legend(frame *f, rectangle box, const scale *s, int taken) {
  if (!(s->high > s->low)) return;
  const number_text low = fit_number(s->low, 8, s->decimals),
                    high = fit_number(s->high, 8, s->decimals);
  const int width = frame_width(low.text) + frame_width(high.text) + SWATCHES + 4;
  int x = box.x + box.width - width - 1;
  if (x < box.x + taken + 6) return;
  frame_line(f, x, box.y, width, STYLE_PLAIN, ' ');
  x += 1 + frame_put(f, x + 1, box.y, 8, STYLE_PLAIN, low.text) + 1;
  for (unsigned h = 1; h <= SWATCHES; ++h) frame_set(f, x++, box.y, STYLE_HEAT(h), ' ');
  frame_put(f, x + 1, box.y, 8, STYLE_PLAIN, high.text);
}

static void draw_state(const watch *w, frame *f) {
  char speed[80];
  const bool ended = far__player_t(w->player) >= far__player_steps(w->player);
  const look colour = STYLE_ACCENT(ended ? 0 : w->running ? ACCENT_GREEN : ACCENT_ORANGE);
  snprintf(speed, sizeof speed, "▶ %.40s steps/s", far__brief_count((int64_t)w->speed).text);
  if (w->live)
    frame_put_right(f, f->columns - 28, 0, 27, STYLE_BOLD | colour,
                    ended        ? "finished"
                    : w->running ? speed
                                 : "paused");
}

static void draw_head(const watch *w, frame *f) {
  char text[160];
  const int most = w->live ? f->columns - 20 : f->columns - 2;
  const int used = frame_put(f, 1, 0, most, STYLE_BOLD, w->env);
  snprintf(text, sizeof text, "seed %llu, replicate %llu", (unsigned long long)w->seed,
           (unsigned long long)w->replicate);
  if (used + 2 + frame_width(text) <= most)
    frame_put(f, used + 3, 0, most - used - 2, STYLE_DIM, text);
  draw_state(w, f);
}

/* Draws how far the run is and, with two agents, the difference of their rewards. */
static void draw_progress(const watch *w, frame *f, int y) {
  const int64_t t = far__player_t(w->player), steps = far__player_steps(w->player);
  int right = f->columns - 1;
  char text[160];
  snprintf(text, sizeof text, "step %.40s of %.40s", far__brief_count(t).text,
           far__brief_count(steps).text);
  int x = 1 + frame_put(f, 1, y, f->columns - 2, STYLE_PLAIN, text) + 2;
  if (w->n_agents == 2) {
    const double ahead =
        far__player_run_of(w->player, 0)->total - far__player_run_of(w->player, 1)->total;
    snprintf(text, sizeof text, "difference %s%.20s", ahead > 0 ? "+" : "",
             fit_reward(ahead, 12).text);
    right -= frame_width(text);
    frame_put(f, right, y, f->columns, agent_look(ahead >= 0 ? 0 : 1), text);
    right -= 2;
  }
  const int width = right - x, done = (int)((double)t / (double)steps * width + 0.5);
  frame_line(f, x, y, width, STYLE_DIM, 0x2500);
  frame_line(f, x, y, done < width ? done : width, STYLE_ACCENT(ACCENT_GREEN), 0x2501);
}

/* ---- an agent ---- */

/* "state 3, right to 4, reward 0.2". */
static void describe_step(char *out, size_t size, const watch *w, const far__player_run *run) {
  char action[64];
  if (far__player_t(w->player) == 0) {
    snprintf(out, size, "starts in state %lu", (unsigned long)run->s);
    return;
  }
  action_text(action, w, run->last.a);
  snprintf(out, size, "state %lu, %s → %s%lu, reward %s", (unsigned long)run->last.s, action,
           run->last.done  ? "end "
           : run->last.cut ? "cut "
                           : "",
           (unsigned long)run->last.next, fit_reward(run->last.r, 8).text);
}

static void describe_run(char *out, size_t size, const watch *w, const far__player_run *run) {
  const int64_t t = far__player_t(w->player);
  size_t used = 0;
  out[0] = '\0';
  if (w->shape.horizon > 0)
    used = (size_t)snprintf(out, size, "step %.40s of %.40s, ",
                            far__brief_count(far_agent_episode_step(run->agent)).text,
                            far__brief_count(w->shape.horizon).text);
  if (w->shape.episodic || w->shape.horizon > 0)
    used += (size_t)snprintf(out + used, size - used, "%.40s episode%s, ",
                             far__brief_count(run->episodes).text, run->episodes == 1 ? "" : "s");
  snprintf(out + used, size - used, "%s per step",
           fit_number(t > 0 ? run->total / (double)t : 0, 9, 4).text);
}

static void draw_run_head(const watch *w, size_t k, frame *f, rectangle box, bool two_lines) {
  const far__player_run *run = far__player_run_of(w->player, k);
  char total[64], step[160], words[200];
  snprintf(total, sizeof total, "total %.40s", fit_reward(run->total, 14).text);
  frame_put(f, box.x + 1, box.y, 2, agent_look(k), "●");
  frame_put(f, box.x + 3, box.y, box.width - frame_width(total) - 6, agent_look(k) | STYLE_BOLD,
            w->agent[k]);
  frame_put_right(f, box.x, box.y, box.width - 1, STYLE_BOLD, total);
  if (!two_lines) return;
  describe_step(step, sizeof step, w, run);
  describe_run(words, sizeof words, w, run);
  const int used = frame_put(f, box.x + 3, box.y + 1, box.width - 4, STYLE_PLAIN, step);
  if (used + frame_width(words) + 6 <= box.width)
    frame_put_right(f, box.x, box.y + 1, box.width - 1, STYLE_DIM, words);
}

/* Adds the step of the episode to a title, for agents whose values depend on that step. */
static void add_step(char *text, size_t size, const watch *w, size_t k, bool is_long) {
  const far_agent *agent = far__player_run_of(w->player, k)->agent;
  const size_t used = strlen(text);
  if (!far__agent_by_step(agent) || w->shown == SHOW_VISITS) return;
  snprintf(text + used, size - used, is_long ? " at step %lld" : " h=%lld",
           (long long)far_agent_episode_step(agent));
}

/* Draws the long title, or the short one if there would be no room for the legend beside the long one. */
static void draw_map_title(const watch *w, size_t k, frame *f, rectangle box, const scale *s) {
  char text[120];
  const bool has = w->numbers[k]->has[w->shown];
  const bool is_long = box.width >= frame_width(quantity_title(w->shown)) + 40;
  snprintf(text, sizeof text, has ? "%s" : "%s: this agent has none",
           has && is_long ? quantity_title(w->shown) : quantity_name(w->shown));
  if (has && w->shape.horizon > 0) add_step(text, sizeof text, w, k, is_long);
  draw_title(f, box, STYLE_PLAIN, text);
  if (has) draw_legend(f, box, s, frame_width(text));
}

/* Where title, map and table of an agent are drawn: map and table beside each other, or one below the other, or only
 * the one for which there is room. */
typedef struct arrangement {
  bool title;
  rectangle map, table; /* of height 0: not drawn */
  int height;
} arrangement;

static void put_table(const watch *w, arrangement *out, rectangle room) {
  if (room.height < 3 || w->parts == PARTS_MAP) return;
  out->table = room;
  out->table.height = table_height(w, room.height);
}

/* Places map and table beside each other; false if the cells of a map in 11/20 of the width would be too narrow for an
 * arrow, or the table would have too little room. */
static bool arrange_beside(const watch *w, rectangle room, arrangement *out) {
  int columns, rows;
  map_size(w, room.width * 11 / 20, room.height, &columns, &rows);
  if (w->layout.kind == FAR_LAYOUT_LINE || columns < 3 * (int)w->layout.width ||
      rows < (int)w->layout.height || room.width - columns - 2 < TABLE_WIDTH)
    return false;
  out->map = (rectangle){room.x, room.y, columns, rows};
  room.x += columns + 2, room.width -= columns + 2;
  put_table(w, out, room);
  return true;
}

static arrangement arrange(const watch *w, rectangle box) {
  arrangement out = {.title = box.height >= 3};
  rectangle room = {box.x + 1, box.y + out.title, box.width - 2, box.height - out.title};
  int columns, rows;
  map_size(w, room.width, room.height, &columns, &rows);
  if (columns == 0 || w->parts == PARTS_TABLE) {
    put_table(w, &out, room);
  } else if (w->parts == PARTS_MAP || !arrange_beside(w, room, &out)) {
    out.map = (rectangle){room.x, room.y, columns, rows};
    room.y += rows, room.height -= rows;
    put_table(w, &out, room);
  }
  const int map_end = out.map.y + out.map.height, table_end = out.table.y + out.table.height;
  const int end = map_end > table_end ? map_end : table_end;
  out.height = end > box.y ? end - box.y : 0;
  return out;
}

static void draw_states(const watch *w, size_t k, frame *f, rectangle box) {
  const arrangement here = arrange(w, box);
  scale all = empty_scale();
  scale_states(&all, w->numbers[k], w->shown, &w->shape);
  if (here.title) draw_map_title(w, k, f, box, &all);
  if (here.map.height > 0) draw_map(w, k, f, here.map, &all);
  if (here.table.height > 0) draw_table(w, k, f, here.table);
}

static int head_height(int height) {
  return height >= 6 ? 2 : 1;
}

static void draw_agent(const watch *w, size_t k, frame *f, rectangle box) {
  const int head = head_height(box.height);
  draw_run_head(w, k, f, box, head == 2);
  box.y += head, box.height -= head;
  if (box.height >= 1) draw_states(w, k, f, box);
}

/* ---- agents beside or below each other ---- */

static bool is_stacked(const watch *w, int width) {
  return w->n_agents > 1 && width < SIDE_BY_SIDE;
}

/* How many of `most` rows the agents fill. */
static int agents_height(const watch *w, int width, int most) {
  const bool stacked = is_stacked(w, width);
  const int height = stacked ? (most + 1) / 2 : most, head = head_height(height);
  const int columns = w->n_agents > 1 && !stacked ? (width - 1) / 2 : width;
  const int used = head + arrange(w, (rectangle){0, 0, columns, height - head}).height;
  const int all = stacked ? 2 * used : used;
  return all < most ? all : most;
}

static void draw_agents(const watch *w, frame *f, rectangle box) {
  if (w->n_agents == 1) {
    draw_agent(w, 0, f, box);
    return;
  }
  rectangle first = box, second = box;
  if (!is_stacked(w, box.width)) {
    first.width = second.width = (box.width - 1) / 2;
    second.x += box.width - second.width;
  } else {
    first.height = (box.height + 1) / 2;
    second.y += first.height, second.height -= first.height;
  }
  draw_agent(w, 0, f, first);
  draw_agent(w, 1, f, second);
}

/* ---- the bottom ---- */

static const struct {
  const char *key, *what, *details;
} keys[] = {
    {"space", "run", "run or pause"},
    {"s", "step", "one step (also →); S takes 100"},
    {"b", "back", "one step back (also ←); B goes 100 back"},
    {"tab", "show", "choose what the map shows: value, Q, bonus, E, LEARN, visits, policy"},
    {"+-", "speed", "steps a second"},
    {"u", "update", "run to the next change of Q, E or LEARN"},
    {"v", "violation", "go to the next claim of the agent's proof that is violated"},
    {"g", "go to", "go to a step, forward or back"},
    {"c", "curve", "total reward, reward per step, or the difference of two agents"},
    {"m", "map", "map and table, map, table"},
    {"↑↓", "scroll", "scroll the table of states, also by pages"},
    {"home", "start", "go to the start; end goes to the last step"},
    {"?", "help", "this page (also h)"},
    {"q", "quit", "quit"},
};
enum { N_KEYS = sizeof keys / sizeof *keys, LAST_KEYS = 2 };

/* The help where the long form does not fit: the keys and a word for each, in columns. */
static void draw_short_help(frame *f) {
  const int rows = f->rows - 3, columns = (N_KEYS + rows - 1) / rows,
            width = (f->columns - 1) / columns;
  for (int i = 0; i < N_KEYS; ++i) {
    const int x = 1 + i / rows * width, y = 1 + i % rows;
    frame_put_right(f, x, y, 5, STYLE_BOLD, keys[i].key);
    frame_put(f, x + 6, y, width - 7, STYLE_PLAIN, keys[i].what);
  }
}

static void draw_long_help(frame *f) {
  for (int i = 0; i < N_KEYS; ++i) {
    frame_put_right(f, 1, i + 2, 6, STYLE_BOLD, keys[i].key);
    frame_put(f, 9, i + 2, f->columns - 10, STYLE_PLAIN, keys[i].details);
  }
}

static void draw_help(frame *f) {
  frame_put(f, 1, 0, f->columns - 2, STYLE_BOLD, "Keys");
  if (f->rows >= N_KEYS + 5 && f->columns >= 76)
    draw_long_help(f);
  else
    draw_short_help(f);
  frame_put(f, 1, f->rows - 1, f->columns - 2, STYLE_DIM, "Any key goes back to the run.");
}

static int key_width(int i) {
  return frame_width(keys[i].key) + 1 + frame_width(keys[i].what) + 2;
}

static int draw_key(const watch *w, frame *f, int x, int y, int i) {
  const char *what = i == 0 && w->running ? "pause" : keys[i].what;
  x += frame_put(f, x, y, f->columns - x, STYLE_BOLD, keys[i].key) + 1;
  return x + frame_put(f, x, y, f->columns - x, STYLE_DIM, what) + 2;
}

/* Draws as many keys as fit, and always those for help and to quit. */
static void draw_keys(const watch *w, frame *f, int y) {
  int x = 1, room = f->columns - 2;
  for (int i = N_KEYS - LAST_KEYS; i < N_KEYS; ++i) room -= key_width(i);
  for (int i = 0; i < N_KEYS - LAST_KEYS && key_width(i) + 2 <= room; ++i) {
    room -= key_width(i) + (i == 0 ? 2 : 0); /* "run" becomes "pause" */
    x = draw_key(w, f, x, y, i);
  }
  for (int i = N_KEYS - LAST_KEYS; i < N_KEYS; ++i) x = draw_key(w, f, x, y, i);
}

static void draw_bottom(const watch *w, frame *f) {
  const int y = f->rows - 2;
  if (w->prompt != NULL) {
    const int used = frame_put(f, 1, y, f->columns - 2, STYLE_BOLD, w->prompt);
    const int typed = frame_put(f, used + 2, y, f->columns - used - 4, STYLE_PLAIN, w->typed);
    frame_set(f, used + 2 + typed, y, STYLE_REVERSE, ' ');
  } else {
    frame_put(f, 1, y, f->columns - 2, w->message_style, w->message);
  }
  draw_keys(w, f, f->rows - 1);
}

/* ---- the whole ---- */

/* The least height of the curve with its title if agents and curve have `rows` rows. MOST_CURVE and PLAIN_CURVE are its
 * largest heights, live and in printed frames. */
static int least_curve(int rows) {
  return rows >= 28 ? 7 : rows >= 18 ? 5 : rows >= 13 ? 4 : rows >= 10 ? 3 : 2;
}
enum { MOST_CURVE = 24, PLAIN_CURVE = 9 };

static void draw_small(frame *f) {
  frame_say(f, 0, 0, STYLE_PLAIN, "%d x %d characters:", f->columns, f->rows);
  frame_say(f, 0, 1, STYLE_PLAIN, "too small; %d x %d", LEAST_COLUMNS, LEAST_ROWS);
  frame_say(f, 0, 2, STYLE_PLAIN, "are needed");
}

static void read_numbers(const watch *w) {
  for (size_t k = 0; k < w->n_agents; ++k) {
    const far__player_run *run = far__player_run_of(w->player, k);
    const int64_t first = (int64_t)run->s + w->scroll - w->numbers[k]->count / 2;
    numbers_read(w->numbers[k], run, first > 0 ? (uint32_t)first : 0);
  }
}

/* The curve gets the rows that the agents leave, up to a maximum. */
static void draw_body(const watch *w, frame *f, int y, int height) {
  const int runs = agents_height(w, f->columns, height - least_curve(height));
  const int left = height - runs, most = w->live ? MOST_CURVE : PLAIN_CURVE;
  draw_agents(w, f, (rectangle){0, y, f->columns, runs});
  draw_curves(w, f, (rectangle){0, y + runs, f->columns, left < most ? left : most});
}

void watch_draw(const watch *w, frame *f) {
  if (f->columns < LEAST_COLUMNS || f->rows < LEAST_ROWS) {
    draw_small(f);
    return;
  }
  if (w->help) {
    draw_help(f);
    return;
  }
  read_numbers(w);
  draw_head(w, f);
  draw_progress(w, f, 1);
  draw_body(w, f, 2, f->rows - 2 - (w->live ? 2 : 0));
  if (w->live) draw_bottom(w, f);
}
