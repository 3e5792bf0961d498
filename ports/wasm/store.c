/* Stored results: a store file that the user opens in the page, and the figures of `farsight plot`. */
#include <stdlib.h>
#include <string.h>

#include "questions/store/store-report.h"
#include "system/page-file.h"
#include "web.h"

far_store *web_store_open(const char *name, uint32_t at, uint32_t size) {
  far_store *store = NULL;
  const bool taken = far__page_file_size(name) >= 0;
  if (taken || !far__page_file_add(name, at, size)) {
    far__page_file_free(at);
    if (taken)
      web__refuse(FAR_STATUS_CONFLICT, "a store named '%.200s' is open already", name);
    else
      web__refuse(FAR_STATUS_MEMORY, "no memory");
  } else if (far_store_open(&store, name, FAR_STORE_READ, web__error()) != FAR_OK) {
    far__page_file_drop(name);
  }
  return store;
}

void web_store_close(far_store *store) {
  far_store_close(store);
}

const char *web_store_describe(far_store *store) {
  const far__store_contents_def def = {.name = "store"};
  far_report *report;
  if (far_report_create(&report, "store", web__error()) != FAR_OK) return NULL;
  if (far__store_contents_report(store, &def, report, web__error()) == FAR_OK)
    return web__report_json(report);
  far_report_free(report);
  return NULL;
}

const char *web_store_figure(far_store *store, const char *kind, char *options, const char *id,
                             far_theme theme) {
  far_figure *figure = NULL;
  web__plot plot;
  if (web__plot_options(&plot, options))
    (void)far_plot_create(&figure, kind, store, &plot.def, web__error());
  free(plot.names);
  return figure != NULL ? web__figure_svg(figure, id, theme) : NULL;
}

const char *web_store_numbers(far_store *store, const char *kind, char *options) {
  far_report *report = NULL;
  const char *table, *text = NULL;
  web__plot plot;
  if (web__plot_options(&plot, options) &&
      far_report_create(&report, "plot", web__error()) == FAR_OK) {
    if (far_plot_report(report, &table, kind, store, &plot.def, web__error()) == FAR_OK)
      text = web__report_json(report);
    else
      far_report_free(report);
  }
  free(plot.names);
  return text;
}
