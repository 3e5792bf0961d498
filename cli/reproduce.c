/* farsight reproduce: Tables 1 and 2 of Oh & Iyengar 2018, ours beside the paper's. */
#include "batch_output.h"
#include "memory.h"
#include "output.h"
#include "picture.h"
#include "questions/page/page.h"
#include "questions/paper/paper-story.h"
#include "questions/paper/paper-tables.h"

static const option_info options[] = {
    {0, "directed", "SPEC",
     "another parameter setting for the paper's Directed rows, without gamma_e", COMPLETE_AGENT},
    {0, "report", "FILE",
     "also run what is behind the tables, and write the story as one page (.html)",
     COMPLETE_OUTPUT},
    PLOT_OPTION,
    BATCH_OPTIONS,
};

static int failed(const arguments *args, const far_error *error) {
  const char *directed = args_last(args, "directed");
  if (directed == NULL || exit_code_of(error->code) != EXIT_USAGE) return run_error(error);
  if (error->code == FAR_STATUS_CONFLICT && error->position < 0)
    return usage_error(args, "--directed: %s", error->message);
  return spec_error(error, directed);
}

static int draw(const arguments *args, const far__paper_tables *tables) {
  far_plot_def def = far_plot_def_default();
  def.width = 960; /* both tables side by side */
  far_figure *figure;
  far_error error;
  const far_status status = far__paper_tables_figure(&figure, tables, &def, &error);
  return save_plot(args, status, figure, &error);
}

static int run_tables(const arguments *args, const far__paper_def *def) {
  far__paper_tables *tables;
  far_error error;
  size_t n_cells = 0;
  catch_interrupts();
  const far_status status = far__paper_tables_run(&tables, def, &error);
  if (status != FAR_OK && status != FAR_STATUS_CANCELLED) return failed(args, &error);
  int code = EXIT_OK;
  const far_batch *batch = tables != NULL ? far__paper_tables_batch(tables, &n_cells) : NULL;
  if (tables != NULL) {
    far_report *report = new_report(args);
    far__paper_tables_report(tables, report);
    code = print_report(args, report);
    if (code == EXIT_OK && args_flag(args, "plot") && status == FAR_OK) code = draw(args, tables);
  }
  if (status == FAR_STATUS_CANCELLED) code = stopped_batch(batch, n_cells, NULL, &error);
  far__paper_tables_free(tables);
  return code;
}

/* ---- the page ---- */

static void show_part(void *user, const char *part) {
  (void)user;
  note("running %s ...", part);
}

static int write_page(const far__paper_story *story, const char *path) {
  far_report *report;
  far_error error;
  need_memory(far_report_create(&report, "reproduce", NULL));
  far_status status = far__paper_page(report, story, &error);
  if (status == FAR_OK) status = far__page_save(report, path, NULL, &error);
  far_report_free(report);
  if (status == FAR_STATUS_CONFLICT)
    return complain("%s; choose another with --report FILE", error.message);
  if (status != FAR_OK) return run_error(&error);
  note("wrote %s", path);
  return EXIT_OK;
}

static int tell_story(const arguments *args, const far__paper_def *tables, const char *path) {
  far__paper_story_def def = far__paper_story_def_default();
  far__paper_story *story;
  far_error error;
  def.tables = *tables;
  def.begin = show_part;
  catch_interrupts();
  const far_status status = far__paper_story_create(&story, &def, &error);
  progress_end();
  if (status == FAR_STATUS_CANCELLED) return interrupted_code();
  if (status != FAR_OK) return failed(args, &error);
  int code = write_page(story, path);
  if (code == EXIT_OK) {
    far_report *report = new_report(args);
    far__paper_tables_report(story->tables, report);
    code = print_report(args, report);
    if (code == EXIT_OK && args_flag(args, "plot")) code = draw(args, story->tables);
  }
  far__paper_story_free(story);
  return code;
}

static int run(const arguments *args) {
  far__paper_def def = far__paper_def_default();
  far_batch_def batch = far_batch_def_default();
  far_report_format format;
  if (!batch_options(args, &batch) || !report_format(args, &format) || !plot_option(args))
    return EXIT_USAGE;
  def.directed = args_last(args, "directed");
  def.runs = batch.runs;
  def.seed = batch.seed;
  def.threads = batch.threads;
  def.pool = batch.pool;
  def.progress = batch.progress;
  const char *page = args_last(args, "report");
  return page != NULL ? tell_story(args, &def, page) : run_tables(args, &def);
}

const command cmd_reproduce = {
    .name = "reproduce",
    .synopsis = "[OPTIONS]",
    .summary = "Compute the paper's Tables 1 and 2, ours beside the paper's",
    .details =
        "All fourteen cells of Oh & Iyengar 2018, the baselines that the paper lacks, and "
        "programs\n"
        "that are not printed but come near to its numbers. Standard deviations of single runs\n"
        "stand beside the means; the paper's are those that its intervals imply. The paper does\n"
        "not give its parameters; docs/reproduction.md says how these were found.\n"
        "Tables of --format csv: rows, alternatives.\n",
    .examples = "  farsight reproduce\n"
                "  farsight reproduce --directed directed-delayed-q:m=5,lambda=2,clamp=off\n"
                "  farsight reproduce --runs 3000 --json > tables.json\n"
                "  farsight reproduce --plot reproduction.svg\n"
                "  farsight reproduce --report paper.html   # and what is behind the tables\n",
    .words = "",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .tables = "rows, alternatives",
    .run = run,
};
