/* Moves of the player run in their own thread: an agent may plan for hours within one step, and Ctrl-C must end the
 * command even then. */
#include "base/clock.h"
#include "questions/learning/player.h"
#include "screen.h"
#include "watch.h"

typedef struct move {
  watch *w;
  enum { CREATE, SEEK, UPDATE, PASS } kind;
  const far__player_def *def;
  int64_t t;
  double *due;
  far__player_update update;
  bool found;
  far_status status;
  far_error error;
} move;

static const double WORK_SECONDS = 0.04;

/* Takes due steps for about WORK_SECONDS; the number of steps taken at once doubles while they are quick. */
static far_status pass(far__player *player, double *due, far_error *error) {
  const double begin = far__clock_seconds();
  far_status status = FAR_OK;
  int64_t most = 1;
  while (status == FAR_OK && *due >= 1 && far__player_t(player) < far__player_steps(player)) {
    const int64_t n = *due < (double)most ? (int64_t)*due : most;
    status = far__player_advance(player, n, error);
    *due -= (double)n;
    const double seconds = far__clock_seconds() - begin;
    if (seconds > WORK_SECONDS) break;
    if (seconds < WORK_SECONDS / 4) most *= 2;
  }
  return status;
}

static void do_move(void *user) {
  move *m = user;
  far__player *player = m->w->player;
  switch (m->kind) {
  case CREATE: m->status = far__player_create(&m->w->player, m->def, &m->error); break;
  case SEEK: m->status = far__player_seek(player, m->t, &m->error); break;
  case UPDATE: m->status = far__player_next_update(player, &m->update, &m->found, &m->error); break;
  case PASS: m->status = pass(player, m->due, &m->error); break;
  }
}

/* Makes the move and returns its status. If it is interrupted, restores the terminal, then prints a message and ends
 * the program. */
static far_status finish(move *m, far_error *error) {
  if (!run_aside(do_move, m)) {
    screen_abandon();
    complain("stopped");
    leave_program(interrupted_code());
  }
  if (m->status != FAR_OK) *error = m->error;
  return m->status;
}

far_status watch_create(watch *w, const far__player_def *def, far_error *error) {
  move m = {.w = w, .kind = CREATE, .def = def};
  return finish(&m, error);
}

far_status watch_seek(watch *w, int64_t t, far_error *error) {
  move m = {.w = w, .kind = SEEK, .t = t};
  return finish(&m, error);
}

far_status watch_pass(watch *w, double *due, far_error *error) {
  move m = {.w = w, .kind = PASS, .due = due};
  return finish(&m, error);
}

far_status watch_update(watch *w, far__player_update *update, bool *found, far_error *error) {
  move m = {.w = w, .kind = UPDATE};
  const far_status status = finish(&m, error);
  *update = m.update;
  *found = m.found;
  return status;
}
