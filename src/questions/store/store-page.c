/* The page of a store. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "questions/audit/audit-section.h"
#include "questions/comparison/comparison.h"
#include "questions/comparison/findings.h"
#include "questions/comparison/recipes.h"
#include "questions/page/page.h"
#include "report/build.h"

/* ---- what is computed first ---- */

/* The bootstrap's time grows with the runs, and it tells little where there are many. */
static bool is_large(far__page *page) {
  far_store_info info = {0};
  far__page_check(page, far_store_info_of(&info, page->store, page->error));
  return info.runs > 100000 || info.cells > 300;
}

static void compare(far__page *page) {
  far_comparison_def def = page->def->results;
  def.most_agents = 0;
  def.learners = true;
  def.quick = def.quick || is_large(page);
  if (page->status != FAR_OK) return;
  if (!far__page_check(page,
                       far_comparison_create(&page->comparison, page->store, &def, page->error)))
    return;
  if (page->comparison->n_groups == 0)
    far__page_check(page,
                    far__fail(page->error, FAR_STATUS_UNKNOWN, -1, "the store has no results yet"));
}

static void find(far__page *page) {
  const far_comparison *c = page->comparison;
  page->findings = calloc(c->n_groups + 1, sizeof *page->findings);
  if (page->findings == NULL)
    far__page_check(page, far__fail(page->error, FAR_STATUS_MEMORY, -1, "no memory for a page"));
  for (size_t i = 0; i < c->n_groups && page->status == FAR_OK; ++i)
    far__page_check(page, far__findings_create(&page->findings[i], c, i, page->error));
  if (page->status == FAR_OK)
    far__page_check(page,
                    far__recipes_create(&page->recipes, page->store, c, page->def->results.progress,
                                        page->def->results.user, page->error));
}

/* The report keeps what its JSON is made of. */
static void free_comparison(void *comparison) {
  far_comparison_free(comparison);
}

static void free_recipes(void *recipes) {
  far__recipes_free(recipes);
}

/* ---- the document ---- */

static void write(far__page *page, const far__audits *audits) {
  page->level = page->comparison->n_groups > 1 ? 3 : 2;
  far__report_data_by(page->report, far__comparison_json, page->comparison);
  far__page_verdict(page);
  far__audits_verdict(page, audits);
  for (size_t i = 0; i < page->comparison->n_groups && page->status == FAR_OK; ++i) {
    const far_comparison *c = page->comparison;
    if (c->n_groups > 1)
      far__report_heading(page->report, 2, "Group %zu of %zu: %s", i + 1, c->n_groups,
                          far__say_group(&c->groups[i]).text);
    far__page_standings(page, i);
    far__page_envs(page, i);
    if (page->status == FAR_OK) far__page_overall(page, i);
    far__comparison_report_notes(c, i, page->report);
    if (page->status == FAR_OK) far__page_learning(page, i);
  }
  far__page_audits(page, audits);
  far__report_heading(page->report, 2, "Methods");
  far__comparison_report_methods(page->comparison, page->report);
  if (page->full)
    far__report_note(page->report, FAR__NOTE_REMARK,
                     "Figures beyond %.1f MB were left out; 'farsight plot' draws each of them.",
                     (double)page->def->figure_bytes / 1e6);
  far__page_parameters(page);
  far__page_recipes(page);
  far__page_sessions(page);
}

static far_status finish(far__page *page) {
  if (page->status == FAR_OK) return far__report_status(page->report, page->error);
  if (page->status == FAR_STATUS_MEMORY)
    return far__fail(page->error, FAR_STATUS_MEMORY, -1, "no memory for a page");
  return page->status;
}

far_status far__store_page(far_report *report, far_store *store, const far__page_def *def,
                           far_error *error) {
  far__page page = {.report = report, .store = store, .def = def, .error = error};
  far__audits audits = {0};
  compare(&page);
  if (page.status == FAR_OK) find(&page);
  if (page.status == FAR_OK) far__page_run_audits(&page, &audits);
  if (page.status == FAR_OK) write(&page, &audits);
  far__audits_free(&audits);
  for (size_t i = 0; page.findings != NULL && i < page.comparison->n_groups; ++i)
    far__findings_free(page.findings[i]);
  free(page.findings);
  if (page.comparison != NULL) far__report_keep(page.report, page.comparison, free_comparison);
  if (page.recipes != NULL) far__report_keep(page.report, page.recipes, free_recipes);
  const far_status status = finish(&page);
  return status;
}
