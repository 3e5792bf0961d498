/* farsight web: the playground, served to a browser on this machine or written to a file; links into it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "child.h"
#include "hints.h"
#include "memory.h"
#include "output.h"
#include "report/build.h"
#include "web/web.h"

enum { USUAL_PORT = 8017 };

static const option_info options[] = {
    {'o', "output", "FILE", "write the page to this file ('-': to standard output), and end",
     COMPLETE_OUTPUT},
    {0, "port", "N",
     "where to listen; 0: any free port (default 8017, or a free one if it is taken)",
     COMPLETE_NONE},
    {0, "open", NULL, "open the page in the browser", COMPLETE_NONE},
    {'e', "env", "SPEC", "show this environment", COMPLETE_ENVIRONMENT},
    {'a', "agent", "SPEC", "and this agent; up to four are shown side by side", COMPLETE_AGENT},
    GAMMA_OPTION,
    {0, "steps", "N", "steps of the run (default: the page chooses)", COMPLETE_NONE},
    {0, "seed", "N", "seed of all random streams (default: the page chooses)", COMPLETE_NONE},
    {0, "link", NULL, "print the end of the address, '#env=...', that shows this, and end",
     COMPLETE_NONE},
};

/* ---- links ---- */

typedef struct request {
  const char *agents[FAR__WEB_AGENTS];
  char env[FAR_SPEC_SIZE]; /* with --gamma */
  uint64_t seed;
  far__web_link_def link; /* env is NULL: the page as it is */
} request;

/* The page has no files of this machine. */
static int check_env(const arguments *args, const char *spec) {
  size_t length;
  const far_type_info *family = far_spec_type(far_mdp_family, spec);
  const char *map = far_spec_value(spec, "map", &length);
  if (family != NULL && strcmp(family->name, "file") == 0)
    return usage_error(args, "-e %s: a link cannot hold a file; drop the file onto the page", spec);
  if (map != NULL && map[0] == '@')
    return usage_error(args, "-e %s: a link cannot hold a file; write the map into the spec", spec);
  return EXIT_OK;
}

static int check_specs(const arguments *args, request *r) {
  far_mdp *mdp;
  far_error error;
  int code = model_to_run(&mdp, r->env, args, r->link.env);
  if (code != EXIT_OK) return code;
  const far_shape shape = far_shape_for(far_mdp_shape(mdp), r->link.steps, 0);
  r->link.env = r->env;
  for (size_t i = 0; code == EXIT_OK && i < r->link.n_agents; ++i)
    if (far_agent_check(r->agents[i], &shape, NULL, NULL, &error) != FAR_OK)
      code = spec_error(&error, r->agents[i]);
  far_mdp_free(mdp);
  return code;
}

/* What -e, -a, --steps and --seed say. */
static int read_request(const arguments *args, request *r) {
  far__web_link_def *link = &r->link;
  link->env = args_text(args, "env", 0);
  link->agents = r->agents;
  for (const char *spec; (spec = args_text(args, "agent", link->n_agents)) != NULL;) {
    if (link->n_agents == FAR__WEB_AGENTS)
      return usage_error(args, "the page shows at most %d agents", FAR__WEB_AGENTS);
    r->agents[link->n_agents++] = spec;
  }
  if (!args_integer(args, "steps", 1, FAR__WEB_STEPS, &link->steps) ||
      !args_seed(args, "seed", &r->seed))
    return EXIT_USAGE;
  if (args_flag(args, "seed")) link->seed = &r->seed;
  if (args_text(args, "env", 1) != NULL)
    return usage_error(args, "one environment is shown at a time");
  if (link->env == NULL && (link->n_agents > 0 || link->steps > 0 || link->seed != NULL))
    return usage_error(args, "in which environment? As in -e chain:n=50");
  if (link->env == NULL) return EXIT_OK;
  const int code = check_env(args, link->env);
  return code == EXIT_OK ? check_specs(args, r) : code;
}

/* "#env=..."; "" for the page as it is. Heap. */
static char *link_text(const request *r) {
  far_buffer out = {0};
  if (r->link.env == NULL) return copy_of("");
  far__web_link(&out, &r->link);
  if (out.failed) out_of_memory();
  return out.bytes;
}

/* ---- the page as a file ---- */

static int print_page(const char *page) {
  char bytes[65536];
  FILE *file;
  far_error error;
  if (far__file_open(&file, NULL, page, LONGEST_FILE, &error) != FAR_OK) return run_error(&error);
  for (size_t n; (n = fread(bytes, 1, sizeof bytes, file)) > 0;)
    if (fwrite(bytes, 1, n, stdout) < n) {
      output_failed(errno);
      break;
    }
  const int why = ferror(file) ? errno : 0;
  fclose(file);
  return why != 0 ? complain("cannot read '%s': %s", page, strerror(why)) : EXIT_OK;
}

static int write_page(const char *page, const char *path) {
  size_t bytes;
  far_error error;
  if (strcmp(path, "-") == 0) return print_page(page);
  if (far__web_save(page, path, &bytes, &error) != FAR_OK) return run_error(&error);
  if (!is_quiet()) say(stdout, "Wrote %s (%s)\n", path, far__brief_bytes((double)bytes).text);
  return EXIT_OK;
}

/* ---- the server ---- */

/* By the desktop's own command. */
static void open_browser(const char *address) {
#ifdef __APPLE__
  static const char program[] = "open";
#else
  static const char program[] = "xdg-open";
#endif
  const char *const words[] = {program, address, NULL};
  const int code = child_launch(words);
  if (code != 0) warning("no browser was opened: %s: %s", program, strerror(code));
}

static bool stop(void *user) {
  (void)user;
  return interrupted();
}

static void announce(const far__web *web, const request *r, bool has_folder, bool open) {
  char host[64], *link = link_text(r), *address = room_for(strlen(link) + sizeof host, 1);
  snprintf(host, sizeof host, "http://127.0.0.1:%u/", far__web_port(web));
  sprintf(address, "%s%s", host, link);
  say(stdout, "%s\n", address);
  if (has_folder) say(stdout, "%sreports/\n", host);
  flush_output();
  note("serving until Ctrl-C");
  if (open) open_browser(address);
  free(address);
  free(link);
}

/* On the port that is asked for, or else preferably on the usual one. */
static far_status create_server(const arguments *args, far__web **web, far__web_def *def,
                                far_error *error) {
  const far_status status = far__web_create(web, def, error);
  if (status != FAR_STATUS_CONFLICT || args_flag(args, "port")) return status;
  def->port = 0;
  return far__web_create(web, def, error);
}

static int serve(const arguments *args, const char *page, const request *r) {
  far__web_def def = far__web_def_default();
  int64_t port = USUAL_PORT;
  far__web *web;
  far_error error;
  if (!args_integer(args, "port", 0, 65535, &port)) return EXIT_USAGE;
  def.page = page;
  def.folder = args_word(args, 0);
  def.port = (uint16_t)port;
  far_status status = create_server(args, &web, &def, &error);
  if (status != FAR_OK)
    return complain("%s%s", error.message,
                    def.folder != NULL ? word_hint_of(args, def.folder).text : "");
  catch_interrupts();
  announce(web, r, def.folder != NULL, args_flag(args, "open"));
  status = far__web_serve(web, stop, NULL, &error);
  far__web_free(web);
  return status == FAR_OK ? interrupted_code() : run_error(&error);
}

/* ---- the command ---- */

/* A link and a file are made without a server. */
static int check_options(const arguments *args) {
  static const char *const served[] = {"port", "open"}, *const shown[] = {"env", "link"};
  const bool link = args_flag(args, "link"), file = args_flag(args, "output");
  if (link && !args_flag(args, "env"))
    return usage_error(args, "--link needs what to show, as in -e chain:n=50 -a q-learning");
  for (size_t i = 0; i < 2; ++i) {
    if ((link || file) && (args_flag(args, served[i]) || args_word(args, 0) != NULL))
      return usage_error(args, "--%s serves nothing: no FOLDER, --port or --open goes with it",
                         file ? "output" : "link");
    if (file && args_flag(args, shown[i]))
      return usage_error(args, "--output writes the page as it is; --link alone prints a link");
  }
  return EXIT_OK;
}

static int run(const arguments *args) {
  request r = {.seed = 0};
  far_error error;
  char *page;
  int code = check_options(args);
  if (code == EXIT_OK) code = read_request(args, &r);
  if (code != EXIT_OK) return code;
  if (args_flag(args, "link")) {
    char *link = link_text(&r);
    say(stdout, "%s\n", link);
    free(link);
    return EXIT_OK;
  }
  if (far__web_find(&page, &error) != FAR_OK) return run_error(&error);
  const char *path = args_last(args, "output");
  code = path != NULL ? write_page(page, path) : serve(args, page, &r);
  free(page);
  return code;
}

const command cmd_web = {
    .name = "web",
    .synopsis = "[FOLDER] [OPTIONS] | -o FILE | --link -e ENV -a AGENT...",
    .summary = "Serve the playground and reports to a browser on this machine",
    .details =
        "The playground is one HTML page with the library in it: agents learn in the browser, "
        "step\n"
        "by step, with the results of 'farsight run'. It is served at http://127.0.0.1:8017/ "
        "until\n"
        "Ctrl-C. No other machine can connect; all users of this machine can. -o writes the page\n"
        "to a file, which any browser opens and any web server serves.\n\n"
        "With FOLDER its files are served, too, and listed at /reports/: pages of 'farsight "
        "report'\n"
        "(.html), figures (.svg), stores (.db) and model files (.json, .drn, .mdp, .pomdp) that\n"
        "stand in FOLDER itself. Hidden files, symbolic links, other pages and folders inside are\n"
        "not.\n\n"
        "-e, -a, --steps and --seed say what the page shows. They become the end of its address:\n"
        "the same link shows the same run in every copy of the page.\n\n"
        "The page is the file FARSIGHT_WEB_PAGE (an environment variable) or that of the\n"
        "installation; in a source folder 'make web' builds it.\n",
    .examples = "  farsight web --open\n"
                "  farsight web results/ --port 8080\n"
                "  farsight web -e chain:n=50 -a directed-delayed-q -a q-learning --seed 3\n"
                "  farsight web --link -e frozen-lake -a dora --steps 1e5\n"
                "  farsight web -o playground.html\n",
    .words = "",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = 1,
    .run = run,
};
