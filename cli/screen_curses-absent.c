/* A build without ncurses: screens are never live. */
#include "screen.h"
#include "screen_backend.h"

bool live_exists(void) {
  return false;
}

void live_version(char *built, char *running, size_t size) {
  (void)size;
  built[0] = running[0] = '\0';
}

bool live_start(void) {
  return false;
}

void live_stop(void) {}

void live_stop_at_once(void) {}

void live_size(int *columns, int *rows) {
  *columns = *rows = 0;
}

void live_show(const frame *f) {
  (void)f;
}

int live_key(double seconds) {
  (void)seconds;
  return SCREEN_NONE;
}
