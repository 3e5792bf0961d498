/* farsight list: agents, environments, metrics, theorems and dependencies. */
#include "base/json.h"
#include "hints.h"
#include "memory.h"
#include "output.h"
#include "questions/listing/dependencies.h"
#include "questions/listing/listing.h"
#include "questions/model/drawing.h"
#include "ranks.h"
#include "report/build.h"
#include "screen_backend.h"

#include <string.h>

static const option_info options[] = {
    FORMAT_OPTIONS_WITH("only the array of --format json"),
};

/* What can be listed; theorems and dependencies are no types. */
static const struct {
  const char *name;
  far_listing *list;
} listings[] = {{"agents", far_agent_type},
                {"envs", far_mdp_family},
                {"metrics", far_metric_type},
                {"theorems", NULL},
                {"dependencies", NULL}};

enum { N_LISTINGS = sizeof listings / sizeof *listings };

/* "agents" or "agent"; N_LISTINGS if there is no such list. */
static size_t listing_of(const char *what) {
  size_t i = 0;
  for (; i < N_LISTINGS; ++i) {
    const char *name = listings[i].name;
    if (strcmp(name, what) == 0) break;
    if (strlen(what) == strlen(name) - 1 && strncmp(name, what, strlen(what)) == 0) break;
  }
  return i;
}

/* ---- dependencies ---- */

enum { MOST_DEPENDENCIES = 16 };

static size_t all_dependencies(far__dependency list[MOST_DEPENDENCIES]) {
  size_t n = 0;
  while (far__dependency_at(&list[n], n)) ++n;
  far__dependency *curses = &list[n++], *mpi = &list[n++], *cuda = &list[n++];
  *curses = (far__dependency){
      .name = "ncurses", .use = "the live view of farsight watch", .licence = "MIT (X11)"};
  live_version(curses->built, curses->running, FAR__DEPENDENCY_VERSION);
  *mpi = (far__dependency){
      .name = "MPI", .use = "many machines", .licence = "BSD-3-Clause (Open MPI)"};
  far_ranks_version(mpi->built, mpi->running, FAR__DEPENDENCY_VERSION);
  *cuda = (far__dependency){.name = "CUDA",
                            .use = "runs on a GPU; loaded when it is asked for",
                            .licence = "proprietary (NVIDIA)"};
  snprintf(cuda->built, sizeof cuda->built, "%s", FARSIGHT_CUDA);
  return n;
}

static int list_dependencies(const arguments *args) {
  far__dependency list[MOST_DEPENDENCIES];
  far_report_format format;
  const size_t n = all_dependencies(list);
  if (!report_format(args, &format)) return EXIT_USAGE;
  if (args_flag(args, "json")) {
    far__json json;
    far__json_begin(&json, far_sink_file(stdout));
    far__dependencies_write(list, n, &json, NULL);
    printf("\n");
    return EXIT_OK;
  }
  far_report *report = new_report(args);
  far__dependencies_report(list, n, report);
  far__report_paragraph(report,
                        "Farsight itself is under the MIT licence. docs/dependencies.md says "
                        "why each is used.");
  return print_report(args, report);
}

/* ---- printing ---- */

/* What is to be listed: types of a list or theorems, all or one. */
typedef struct listed {
  const char *what;  /* "agents" */
  far_listing *list; /* NULL: theorems */
  const far_type_info *type;
  const far_theorem *theorem;
} listed;

/* What a family looks like by default, where that can be drawn. */
static void draw_family(const far_type_info *family, far_report *report) {
  far_mdp *mdp;
  if (family->bare || need_memory(far_mdp_create(&mdp, family->name, NULL)) != FAR_OK) return;
  far__drawing_report(&(far__drawing_def){.mdp = mdp, .caption = "the default layout."}, report);
  far_mdp_free(mdp);
}

static int print(const arguments *args, const listed *x) {
  far_report_format format;
  if (!report_format(args, &format)) return EXIT_USAGE;
  if (args_flag(args, "json")) {
    /* a bare array, as in earlier versions, and not the document of other reports */
    far__json json;
    far__json_begin(&json, far_sink_file(stdout));
    if (x->list != NULL)
      far__types_write(x->list, x->type, &json, NULL);
    else
      far__theorems_write(x->theorem, &json, NULL);
    printf("\n");
    return EXIT_OK;
  }
  far_report *report = new_report(args);
  if (x->list != NULL)
    far__types_report(x->list, x->type, report);
  else
    far__theorems_report(x->theorem, report);
  if (x->list == far_mdp_family && x->type != NULL) draw_family(x->type, report);
  if (x->list != NULL && x->type == NULL)
    far__report_paragraph(report, "farsight list %s NAME shows the parameters of one.", x->what);
  else if (x->list == NULL && x->theorem == NULL)
    far__report_paragraph(report, "farsight list theorems NAME shows assumptions and repairs, "
                                  "farsight pac the numbers.");
  return print_report(args, report);
}

static int run(const arguments *args) {
  const char *what = args_word(args, 0), *name = args_word(args, 1);
  const size_t which = what != NULL ? listing_of(what) : N_LISTINGS;
  far_error error;
  if (which == N_LISTINGS)
    return usage_error(
        args, "what should be listed: agents, envs, metrics, theorems or dependencies? As in "
              "'farsight list agents'");
  if (strcmp(listings[which].name, "dependencies") == 0) {
    if (name != NULL) return usage_error(args, "dependencies are listed together, without a name");
    return list_dependencies(args);
  }
  listed x = {.what = listings[which].name, .list = listings[which].list};
  if (x.list == NULL) {
    if (name != NULL && far__theorem_named(&x.theorem, name, &error) != FAR_OK)
      return usage_error(args, "%s", error.message);
  } else {
    if (name != NULL) x.type = far_spec_type(x.list, name);
    if (name != NULL && x.type == NULL) {
      const char *near = nearest_type(x.list, name);
      if (near == NULL)
        return usage_error(args, "there is no '%s'; 'farsight list %s' lists them", name, x.what);
      return usage_error(args, "there is no '%s' among the %s; did you mean '%s'?", name, x.what,
                         near);
    }
  }
  return print(args, &x);
}

const command cmd_list = {
    .name = "list",
    .synopsis = "agents|envs|metrics|theorems|dependencies [NAME] [OPTIONS]",
    .summary = "List agents, environments, metrics or theorems, or show one",
    .details =
        "'farsight list dependencies' shows the libraries that this build uses: versions at build\n"
        "and at run time, licences, the purpose of each, and which are missing.\n\n"
        "--format json prints a document, as all commands do; --json prints only its array of\n"
        "objects.\n",
    .examples = "  farsight list agents\n"
                "  farsight list agents directed-delayed-q\n"
                "  farsight list envs --json\n"
                "  farsight list theorems directed-delayed-q\n"
                "  farsight list dependencies\n",
    .words = "agents envs metrics theorems dependencies",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = 2,
    .run = run,
};
