#include "dependencies.h"
#include "output.h"
#include "ranks.h"
#include "screen_backend.h"

#include <farsight/lab.h>

enum { MOST = 16 };

static size_t all_dependencies(far_dependency list[MOST]) {
  size_t n = 0;
  while (far_dependency_at(&list[n], n)) ++n;
  far_dependency *curses = &list[n++], *mpi = &list[n++], *cuda = &list[n++];
  *curses = (far_dependency){
      .name = "ncurses", .use = "the live view of farsight watch", .licence = "MIT (X11)"};
  live_version(curses->built, curses->running, FAR_DEPENDENCY_VERSION);
  *mpi =
      (far_dependency){.name = "MPI", .use = "many machines", .licence = "BSD-3-Clause (Open MPI)"};
  far_ranks_version(mpi->built, mpi->running, FAR_DEPENDENCY_VERSION);
  *cuda = (far_dependency){.name = "CUDA",
                           .use = "runs on a GPU; loaded when it is asked for",
                           .licence = "proprietary (NVIDIA)"};
  snprintf(cuda->built, sizeof cuda->built, "%s", FARSIGHT_CUDA);
  return n;
}

int list_dependencies(const arguments *args) {
  far_dependency list[MOST];
  far_report_format format;
  const size_t n = all_dependencies(list);
  if (!report_format(args, &format)) return EXIT_USAGE;
  if (args_flag(args, "json")) {
    far_json json;
    far_json_begin(&json, far_sink_file(stdout));
    far_dependencies_write(list, n, &json, NULL);
    printf("\n");
    return EXIT_OK;
  }
  far_report *report = new_report(args);
  far_dependencies_report(list, n, report);
  far_report_paragraph(report,
                       "Farsight itself is under the MIT licence. docs/dependencies.md says "
                       "why each is used.");
  return print_report(args, report);
}
