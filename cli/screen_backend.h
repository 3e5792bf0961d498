/* What shows frames live: ncurses, or nothing where the build has none. For screen.c alone. */
#ifndef FARSIGHT_CLI_SCREEN_BACKEND_H
#define FARSIGHT_CLI_SCREEN_BACKEND_H

#include "frame.h"

/* Takes the terminal; false if its type is not known. */
bool live_start(void);
void live_stop(void);

/* The same from a signal handler: only what is safe there. */
void live_stop_at_once(void);

void live_size(int *columns, int *rows);
void live_show(const frame *f);
int live_key(double seconds);

/* Was the build made with it? */
bool live_exists(void);

/* Of which version it is, and which was built with; "" if there is none. Both have room for `size` bytes. */
void live_version(char *built, char *running, size_t size);

#endif
