#include "base/team.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct far__team {
  pthread_mutex_t lock; /* guards what follows */
  pthread_cond_t begin, end;
  far__task task; /* NULL: threads end */
  void *user;
  unsigned long turn; /* counts the tasks */
  unsigned busy;      /* members that have not finished the current task */
  unsigned started;   /* threads; the caller is one more member */
  pthread_t thread[];
};

unsigned far__processors(void) {
  const long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n < 1 ? 1 : n > 1024 ? 1024 : (unsigned)n;
}

static void *work(void *argument) {
  far__team *team = argument;
  unsigned long turn = 0;
  pthread_mutex_lock(&team->lock);
  for (;;) {
    while (team->turn == turn) pthread_cond_wait(&team->begin, &team->lock);
    turn = team->turn;
    if (team->task == NULL) break;
    pthread_mutex_unlock(&team->lock);
    team->task(team->user);
    pthread_mutex_lock(&team->lock);
    if (--team->busy == 0) pthread_cond_signal(&team->end);
  }
  pthread_mutex_unlock(&team->lock);
  return NULL;
}

static void begin_turn(far__team *team, far__task task, void *user) {
  pthread_mutex_lock(&team->lock);
  team->task = task;
  team->user = user;
  team->busy = team->started;
  team->turn += 1;
  pthread_cond_broadcast(&team->begin);
  pthread_mutex_unlock(&team->lock);
}

bool far__team_create(far__team **out, unsigned members) {
  *out = NULL;
  if (members < 2) return true;
  far__team *team = calloc(1, sizeof *team + (members - 1) * sizeof *team->thread);
  if (team == NULL) return false;
  pthread_mutex_init(&team->lock, NULL);
  pthread_cond_init(&team->begin, NULL);
  pthread_cond_init(&team->end, NULL);
  while (team->started + 1 < members &&
         pthread_create(&team->thread[team->started], NULL, work, team) == 0)
    team->started += 1;
  *out = team;
  return true;
}

void far__team_free(far__team *team) {
  if (team == NULL) return;
  begin_turn(team, NULL, NULL);
  for (unsigned i = 0; i < team->started; ++i) pthread_join(team->thread[i], NULL);
  pthread_cond_destroy(&team->end);
  pthread_cond_destroy(&team->begin);
  pthread_mutex_destroy(&team->lock);
  free(team);
}

void far__team_run(far__team *team, far__task task, void *user) {
  if (team == NULL) {
    task(user);
    return;
  }
  begin_turn(team, task, user);
  task(user);
  pthread_mutex_lock(&team->lock);
  while (team->busy > 0) pthread_cond_wait(&team->end, &team->lock);
  pthread_mutex_unlock(&team->lock);
}
