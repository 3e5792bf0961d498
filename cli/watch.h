/* What the parts of 'farsight watch' share: the run that is played, and what of it is shown. */
#ifndef FARSIGHT_CLI_WATCH_H
#define FARSIGHT_CLI_WATCH_H

#include <farsight/lab.h>

#include "cli.h"
#include "frame.h"
#include "questions/learning/player.h"

enum { WATCH_AGENTS = 2, MESSAGE_SIZE = 240 };

/* ---- numbers over the states ---- */

typedef enum quantity {
  SHOW_VALUE, /* Q + bonus, which agents act on */
  SHOW_Q,
  SHOW_BONUS,
  SHOW_E,
  SHOW_LEARN,
  SHOW_VISITS,
  SHOW_POLICY,
  N_QUANTITIES
} quantity;

/* Those of the states first ... first + count - 1: all, unless there are very many. */
typedef struct numbers {
  uint32_t first, count, n_actions;
  bool has[N_QUANTITIES];
  double *pair[N_QUANTITIES]; /* [(s - first) * n_actions + a] */
} numbers;

/* The range of a quantity over states, and how its numbers are written. */
typedef struct scale {
  double low, high; /* high < low: there are none */
  int decimals;
} scale;

const char *quantity_name(quantity q);  /* a word, for headings of tables */
const char *quantity_title(quantity q); /* what a map of it shows */

/* Makes room for the states; reads an agent's. */
numbers *numbers_create(const far_shape *shape);
void numbers_free(numbers *n);
void numbers_read(numbers *n, const far__player_run *run, uint32_t first);

/* The number of a pair and that of a state (of its best action, or the sum); NAN where there is none. */
double pair_number(const numbers *n, quantity q, uint32_t s, uint32_t a);
double state_number(const numbers *n, quantity q, uint32_t s);

/* The action that the agent would most likely take in s; UINT32_MAX if there are several, or none. */
uint32_t likely_action(const numbers *n, uint32_t s);

/* Widens a scale by all states, or all pairs, that were read and are live. */
scale empty_scale(void);
void scale_states(scale *out, const numbers *n, quantity q, const far_shape *shape);
void scale_pairs(scale *out, const numbers *n, quantity q, const far_shape *shape);
unsigned heat_on(const scale *range, quantity q, double x);

/* A number in at most `width` columns, with the scale's decimals where they fit. */
typedef struct number_text {
  char text[32];
} number_text;
number_text fit_number(double x, int width, int decimals);
number_text fit_reward(double x, int width); /* whole numbers without decimals */

/* ---- the view ---- */

typedef enum curve_kind { CURVE_TOTAL, CURVE_RATE, CURVE_DIFFERENCE, N_CURVES } curve_kind;
typedef enum parts_shown { PARTS_BOTH, PARTS_MAP, PARTS_TABLE, N_PARTS } parts_shown;

typedef struct rectangle {
  int x, y, width, height;
} rectangle;

/* The first row of the first agent's table, and how many it shows. */
typedef struct table_shown {
  uint32_t first;
  int rows;
} table_shown;

typedef struct watch {
  const far_mdp *mdp;
  far_shape shape;
  far_layout layout;
  uint32_t *states, n_live; /* the rows of tables: states in which an agent acts; NULL: all */
  char env[FAR_SPEC_SIZE];  /* labels */
  char agent[WATCH_AGENTS][FAR_SPEC_SIZE];
  size_t n_agents;
  uint64_t seed, replicate;
  far__player *player;
  numbers *numbers[WATCH_AGENTS];
  /* what is shown */
  quantity shown;
  curve_kind curve;
  parts_shown parts;
  int scroll;         /* rows of the table, from the page with the agent on */
  table_shown *table; /* written by draw_table, unless NULL */
  bool live, running, help;
  double speed; /* steps a second */
  /* the pair that the message below is about: of agent `marked`, -1 if none */
  int marked;
  uint32_t marked_s, marked_a;
  quantity marked_q;
  char message[MESSAGE_SIZE];
  look message_style;
  const char *prompt; /* a question at the bottom, and what was typed; NULL: none */
  char typed[24];
} watch;

/* Draws everything into the frame. */
void watch_draw(const watch *w, frame *f);

/* Its parts. A map and a table of agent k; how much room a map wants at most, 0 if there is none. */
void draw_map(const watch *w, size_t k, frame *f, rectangle box, const scale *range);
void map_size(const watch *w, int width, int height, int *columns, int *rows);
void draw_table(const watch *w, size_t k, frame *f, rectangle box);
/* Of the table: watch.states, to be freed; its first row if nothing is scrolled; the rows that it wants, up
 * to so many. */
uint32_t *table_states(const far_shape *shape);
int64_t table_page(const watch *w, size_t k, int rows);
int table_height(const watch *w, int most);
void draw_curves(const watch *w, frame *f, rectangle box);

/* The colour of agent k, and a short text for an action. */
look agent_look(size_t k);
void action_text(char out[64], const watch *w, uint32_t a); /* its name, or "action 3" */

/* A line across the box with a title in it. */
void draw_title(frame *f, rectangle box, look style, const char *title);

/* ---- doing ---- */

/* The functions of the player, which Ctrl-C ends at any time, and the command with them. */
far_status watch_create(watch *w, const far__player_def *def, far_error *error);
far_status watch_seek(watch *w, int64_t t, far_error *error);
far_status watch_update(watch *w, far__player_update *update, bool *found, far_error *error);

/* Takes the steps that are due and takes them off, as many as there is time for between two frames. */
far_status watch_pass(watch *w, double *due, far_error *error);

/* A far__player_progress_fn of the watch: shows the step while it is live, and stops when interrupted. */
bool watch_progress(void *user, int64_t t, int64_t target);

/* Shows it live until the user quits; the exit code. */
int watch_live(watch *w);

#endif
