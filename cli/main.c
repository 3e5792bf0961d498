#include "cli.h"
#include "device.h"
#include "limit_options.h"
#include "memory.h"
#include "ranks.h"
#include "store_open.h"

#include <signal.h>

static far_ranks *ranks; /* NULL: alone */

far_pool *all_ranks(void) {
  return far_ranks_pool(ranks);
}

void use_devices_of_ranks(far_device device, far_device_note_fn *tell) {
  far_ranks_use_device(ranks, device, tell, NULL);
}

far_device_info devices_of_ranks(void) {
  return far_ranks_device_info(ranks);
}

int count_ranks(void) {
  return far_ranks_count(ranks);
}

far_traffic traffic_of_ranks(void) {
  return far_ranks_traffic(ranks);
}

void out_of_memory(void) {
  restore_terminal();
  fprintf(stderr, "%s: out of memory\n", program_name);
  close_open_store();
  far_ranks_leave(ranks);
  exit(EXIT_FAILED);
}

int main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN); /* a closed pipe is a write error, not a death */
#ifdef SIGXFSZ
  signal(SIGXFSZ, SIG_IGN); /* so is a file that may not grow */
#endif
  far_error error;
  int code = check_stack();
  if (code != EXIT_OK) return code;
  if (far_ranks_join(&ranks, &error) != FAR_OK) return run_error(&error);
  if (far_ranks_serves(ranks)) {
    set_limits_of_line(argv);
    far_ranks_serve(ranks);
  } else {
    leave_on_interrupts();
    code = finish_output(dispatch(argc, argv));
    note_device();
  }
  far_ranks_leave(ranks);
  return code;
}
