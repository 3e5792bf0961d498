#include "cli.h"

#include <signal.h>

int main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN); /* a closed pipe is a write error, not a death */
#ifdef SIGXFSZ
  signal(SIGXFSZ, SIG_IGN); /* so is a file that may not grow */
#endif
  return finish_output(dispatch(argc, argv));
}
