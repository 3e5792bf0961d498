#include "model/known.h"

#include <pthread.h>
#include <stdlib.h>

#include "model/model.h"

typedef struct far__known {
  struct far__known *next;
  far__known_key key;
  void *value; /* NULL while a thread computes it */
} far__known;

/* Shared by all models: no thread holds it for long. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

/* Models are immutable except for this list. */
static far__known **list_of(const far_mdp *mdp) {
  return &((far_mdp *)mdp)->known;
}

/* The link to the entry, or to NULL at the end. */
static far__known **find(const far_mdp *mdp, far__known_key key) {
  far__known **at = list_of(mdp);
  while (*at != NULL && !((*at)->key.kind == key.kind && (*at)->key.gamma == key.gamma))
    at = &(*at)->next;
  return at;
}

const void *far__known_get(const far_mdp *mdp, far__known_key key) {
  const far__known *entry;
  pthread_mutex_lock(&lock);
  while ((entry = *find(mdp, key)) != NULL && entry->value == NULL)
    pthread_cond_wait(&changed, &lock);
  if (entry == NULL) {
    far__known *added = malloc(sizeof *added); /* without memory every caller computes the result */
    if (added != NULL) {
      *added = (far__known){*list_of(mdp), key, NULL};
      *list_of(mdp) = added;
    }
  }
  const void *value = entry != NULL ? entry->value : NULL;
  pthread_mutex_unlock(&lock);
  return value;
}

void far__known_set(const far_mdp *mdp, far__known_key key, void *value) {
  pthread_mutex_lock(&lock);
  far__known **at = find(mdp, key), *entry = *at;
  const bool wanted = entry != NULL && entry->value == NULL;
  if (wanted && value != NULL) entry->value = value;
  if (wanted && value == NULL) {
    *at = entry->next;
    free(entry);
  }
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  if (!wanted) free(value);
}

void far__known_free(far__known *all) {
  while (all != NULL) {
    far__known *next = all->next;
    free(all->value);
    free(all);
    all = next;
  }
}
