/* The screen: frames (frame.h) shown live on a terminal, or printed one after the other.
 *
 *     screen_open(SCREEN_AUTO);
 *     for (;;) {
 *       screen_size(&columns, &rows);
 *       ... make a frame of this size ...
 *       screen_draw(f);
 *       if (!screen_live()) break;             plain: nobody presses keys
 *       const int key = screen_key(0.1);       waits so long for a key
 *       if (key == 'q' || key == SCREEN_GONE || interrupted()) break;
 *     }
 *     screen_close();
 *
 * There is one screen. It is live where the build has ncurses, standard input and output are terminals
 * and TERM is not dumb. While it is live nothing else may be printed. The terminal is put in order again
 * by screen_close, at exit, by leave_program, and by a second Ctrl-C; Ctrl-Z and a change of size are
 * handled. Call catch_interrupts before, and look at interrupted() after each key.
 */
#ifndef FARSIGHT_CLI_SCREEN_H
#define FARSIGHT_CLI_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

#include "frame.h"

typedef enum screen_mode {
  SCREEN_AUTO,  /* live if possible */
  SCREEN_PLAIN, /* printed */
} screen_mode;

void screen_open(screen_mode mode);
void screen_close(void); /* also if it is not open */

/* Puts the terminal in order while another thread may still be drawing; the program must end then. */
void screen_abandon(void);
bool screen_live(void);

/* Why it is not live although it was asked for, in a few words: "this farsight was built without ncurses",
 * "standard output is no terminal"; NULL if it is. */
const char *screen_why_plain(void);

/* The columns and rows of the terminal. Printed frames have as many columns as COLUMNS or the terminal, or
 * else 80, and LINES or else 40 rows; blank rows at the end are not printed. */
void screen_size(int *columns, int *rows);

/* Shows a frame, or prints it behind a line that divides it from the one before. */
void screen_draw(const frame *f);

/* Keys that are not characters. */
enum {
  SCREEN_NONE = -1, /* no key was pressed in time */
  SCREEN_GONE = -2, /* there is no terminal any more */
  SCREEN_UP = 0x110000,
  SCREEN_DOWN,
  SCREEN_LEFT,
  SCREEN_RIGHT,
  SCREEN_PAGE_UP,
  SCREEN_PAGE_DOWN,
  SCREEN_HOME,
  SCREEN_END,
  SCREEN_BACKSPACE,
  SCREEN_DELETE,
  SCREEN_BACKTAB,
  SCREEN_RESIZED, /* the size is another; draw again */
};

/* Waits up to so many seconds for a key: a character (Enter is '\n', Escape 27), or one of the above. On a
 * screen that is not live SCREEN_NONE at once. */
int screen_key(double seconds);

#endif
