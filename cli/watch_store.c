/* farsight watch STORE: a study that is running, seen from its store.
 *
 * The store is opened for every poll and closed after it, so that it does not hinder the process that writes, and that
 * process, if it closes the store last, merges SQLite's log into it. */
#include "watch_store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/clock.h"
#include "frame_file.h"
#include "memory.h"
#include "questions/store/store-progress.h"
#include "screen.h"
#include "store_open.h"

typedef struct watching {
  const arguments *args;
  const char *path;
  double every;
  bool once, waits;
  bool has_grown; /* another process has written since the first poll */
  frame_file file;
  bool plan_is_given; /* by a study file; else the plan is read from the store's last command */
  char *line;         /* the store's last command; NULL: none was read */
  watch_plan plan;
  far__follower *follower;
  struct stat followed; /* the store's file; its inode is 0 before the first poll */
  store_view view;
} watching;

static double date(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool proceeds(void *user) {
  (void)user;
  return !interrupted();
}

/* Should opening a locked store go on waiting? On a live screen only for a second: the next poll tries again. */
static bool go_on(void *user, double waited) {
  static bool told;
  const watching *w = user;
  if (waited > 3 && !told && !screen_live() && !interrupted()) {
    told = true;
    note("waiting for another process that writes to '%s'", w->path);
  }
  return !interrupted() && !(screen_live() && waited > 1);
}

/* ---- the follower ---- */

static far_status follow_anew(watching *w, far_error *error) {
  far__follower_def def = far__follower_def_default();
  far__follower_free(w->follower);
  free(w->view.before);
  w->view.before = NULL;
  w->follower = NULL;
  if (w->plan.study != NULL) def.plan = far_study_batch(w->plan.study);
  if (w->plan.sequential && !w->plan.ranks) def.until = &w->plan.until;
  if (w->plan.ranks) {
    def.ranking = &w->plan.ranking;
    def.n_agents = far_study_info_of(w->plan.study).n_agents;
  }
  def.proceeds = proceeds;
  const far_status status = far__follower_create(&w->follower, &def, error);
  if (status == FAR_OK) w->view.seen = far__follower_seen(w->follower);
  return status;
}

/* Replaces the plan if the last command of the store has changed. */
static far_status plan_anew(watching *w, bool *is_new, far_error *error) {
  const far__store_progress *seen = w->view.seen;
  const char *line = seen->n_sessions > 0 ? seen->sessions[seen->n_sessions - 1].command : NULL;
  *is_new = false;
  if (w->plan_is_given || line == NULL || (w->line != NULL && strcmp(line, w->line) == 0))
    return FAR_OK;
  char *copy = copy_of(line);
  const bool had = w->plan.study != NULL;
  watch_plan plan;
  plan_recorded(&plan, copy);
  free(w->line);
  w->line = copy;
  if (!had && plan.study == NULL) {
    w->plan = plan;
    return FAR_OK;
  }
  far__follower_free(w->follower); /* it has the old plan */
  w->follower = NULL;
  plan_free(&w->plan);
  w->plan = plan;
  *is_new = true;
  far_status status = follow_anew(w, error);
  if (status == FAR_OK || w->plan.study == NULL || status == FAR_STATUS_MEMORY ||
      status == FAR_STATUS_CANCELLED)
    return status;
  plan_free(&w->plan); /* the follower cannot use this plan */
  if (error != NULL) snprintf(w->plan.why, sizeof w->plan.why, "%.290s", error->message);
  return follow_anew(w, error);
}

static far_status read_store(watching *w, far_store *store, far_error *error) {
  const bool first = w->view.seen->n_sessions == 0;
  const int64_t runs = w->view.seen->runs;
  bool is_new = false;
  if (!first) {
    store_view *v = &w->view;
    free(v->before);
    v->n_before = v->seen->n_cells;
    v->before = room_for(v->n_before, sizeof *v->before);
    for (size_t i = 0; i < v->n_before; ++i) v->before[i] = v->seen->cells[i].runs;
  }
  far_status status = far__follower_poll(w->follower, store, date(), error);
  if (status == FAR_OK) status = plan_anew(w, &is_new, error);
  if (status == FAR_OK && is_new) status = far__follower_poll(w->follower, store, date(), error);
  if (!first && w->view.seen->runs != runs) w->has_grown = true;
  return status;
}

/* ---- polls ---- */

static void say_waiting(watching *w, const char *text) {
  snprintf(w->view.message, sizeof w->view.message, "%.290s", text);
}

/* Is there a file to open? If false, *status is OK to wait for the file, or the error. */
static bool find_file(watching *w, far_status *status, far_error *error) {
  struct stat info;
  const bool there = stat(w->path, &info) == 0;
  *status = FAR_OK;
  w->has_grown = w->has_grown || (w->view.message[0] != '\0' && there);
  if (w->waits && (!there ? errno == ENOENT : S_ISREG(info.st_mode) && info.st_size == 0)) {
    say_waiting(w, "Waiting for the store: there is no such file yet.");
    return false;
  }
  if (there && w->followed.st_ino != 0 &&
      (info.st_ino != w->followed.st_ino || info.st_dev != w->followed.st_dev))
    *status = follow_anew(w, error); /* another file has taken its place */
  if (there) w->followed = info;
  return *status == FAR_OK;
}

/* Reads what was written since the last poll. A store that another process has locked is no error. */
static far_status poll_store(watching *w, far_error *error) {
  far_status status;
  far_store *store;
  if (!find_file(w, &status, error)) return status;
  status = open_store_patiently(&store, w->path, FAR_STORE_READ, go_on, w, error);
  if (status == FAR_OK) {
    w->view.message[0] = '\0';
    status = read_store(w, store, error);
    close_store(store);
  }
  if (status == FAR_STATUS_CANCELLED && !interrupted()) {
    say_waiting(w, "Waiting for another process that has locked the store.");
    return FAR_OK;
  }
  return status;
}

/* ---- the log beside the store ---- */

static bool wait_briefly(void *user, double waited) {
  (void)user;
  return waited < 0.5;
}

/* Merges SQLite's log into the store if the log was left beside it. The last process to close a store merges the log,
 * but not if it opened the store for reading, as polls do: a writer that closes the store during a poll leaves the log.
 * Opening the store for writing and closing it merges the log and writes nothing else; while another process has the
 * store open, it writes nothing at all. */
static void tidy_up(const watching *w) {
  far_store *store;
  struct stat info;
  char *log = room_for(strlen(w->path) + 5, 1);
  sprintf(log, "%s-wal", w->path);
  const bool there = stat(log, &info) == 0 && stat(w->path, &info) == 0;
  free(log);
  if (!there || !w->has_grown) return;
  need_memory(open_store_patiently(&store, w->path, FAR_STORE_WRITE, wait_briefly, NULL, NULL));
  close_store(store);
}

/* ---- frames ---- */

static frame *draw(watching *w) {
  store_view *v = &w->view;
  int columns, rows;
  screen_size(&columns, &rows);
  v->live = screen_live();
  store_view_arrange(v);
  if (!v->live && w->file.columns > 0) columns = w->file.columns;
  if (!v->live && (w->once || v->seen->finished)) rows = store_view_height(v, columns);
  if (!v->live && w->file.rows > 0) rows = w->file.rows;
  frame *f = frame_create(columns, rows);
  store_view_draw(v, f);
  return f;
}

static void show(watching *w) {
  frame *f = draw(w);
  screen_draw(f);
  frame_free(f);
}

/* ---- printed ---- */

/* Prints a frame every w->every seconds until the study is finished. */
static far_status print_frames(watching *w, far_error *error) {
  bool told = false;
  for (;;) {
    const double next = far__clock_seconds() + w->every;
    if (w->view.message[0] == '\0')
      show(w);
    else if (!told)
      note("%s", w->view.message);
    told = told || w->view.message[0] != '\0';
    if (w->once || w->view.seen->finished || ferror(stdout)) return FAR_OK;
    while (!interrupted() && far__clock_seconds() < next)
      nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    if (interrupted()) return FAR_OK;
    const far_status status = poll_store(w, error);
    if (status != FAR_OK) return status;
  }
}

/* ---- live ---- */

static far_status show_live(watching *w, far_error *error) {
  double next = far__clock_seconds() + w->every;
  for (;;) {
    const double now = far__clock_seconds();
    if (!w->view.paused && now >= next) {
      const far_status status = poll_store(w, error);
      if (status != FAR_OK) return status;
      if (w->view.seen->finished) tidy_up(w);
      next = far__clock_seconds() + w->every;
    }
    show(w);
    const double wait = w->view.paused ? 10 : next - far__clock_seconds();
    const int key = screen_key(wait > 0 ? wait : 0);
    if (interrupted() || key == SCREEN_GONE || (key == 'q' && !w->view.typing)) return FAR_OK;
    if (key != SCREEN_NONE) store_view_key(&w->view, key);
  }
}

/* ---- the command ---- */

static int watch(watching *w) {
  far_error error = {.message = ""};
  far_status status = follow_anew(w, &error);
  if (status == FAR_OK) status = poll_store(w, &error);
  if (status == FAR_OK && w->file.output != NULL) {
    char title[400];
    frame *f = draw(w);
    snprintf(title, sizeof title, "Progress of the study in %.300s", w->path);
    const int code = frame_file_save(&w->file, f, title);
    frame_free(f);
    return code;
  }
  if (status == FAR_OK) {
    screen_open(w->once ? SCREEN_PLAIN : SCREEN_AUTO);
    if (!screen_live() && !args_flag(w->args, "every")) w->every = 5;
    status = screen_live() ? show_live(w, &error) : print_frames(w, &error);
    screen_close();
    tidy_up(w);
  }
  if (interrupted()) return interrupted_code();
  return status == FAR_OK ? EXIT_OK : run_error(&error);
}

static int check_arguments(watching *w) {
  struct stat info;
  if (!args_real(w->args, "every", &w->every) || !frame_file_options(w->args, &w->file))
    return EXIT_USAGE;
  if (!(w->every >= 0.05 && w->every <= 1e6))
    return usage_error(w->args, "--every '%s': must be from 0.05 to 1000000 seconds",
                       args_last(w->args, "every"));
  if (w->waits || stat(w->path, &info) == 0 || errno != ENOENT) return EXIT_OK;
  return complain("there is no store '%s'%s", w->path,
                  "; --wait waits until it is there, -e and -a show an agent that learns");
}

int watch_store(const arguments *args) {
  watching w = {.args = args,
                .path = args_word(args, 0),
                .every = 1,
                .once = args_flag(args, "once") || args_flag(args, "output"),
                .waits = args_flag(args, "wait")};
  const char *study = args_word(args, 1);
  int code = check_arguments(&w);
  if (code == EXIT_OK && study != NULL) code = plan_load(&w.plan, args, study);
  w.plan_is_given = study != NULL;
  w.view.path = w.path;
  w.view.plan = &w.plan;
  catch_interrupts();
  if (code == EXIT_OK) code = watch(&w);
  far__follower_free(w.follower);
  store_view_free(&w.view);
  plan_free(&w.plan);
  free(w.line);
  return code;
}
