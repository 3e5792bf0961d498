/* The cost of a study as a report. */
#include "base/json.h"
#include "base/text.h"
#include "lab/study/parts.h"
#include "questions/comparison/times.h"
#include "questions/cost/cost.h"
#include "report/build.h"

/* ---- for people ---- */

static void add_until(far_report *report, const far__cost *cost) {
  const far_study_info info = far_study_info_of(cost->def.study);
  far_until until;
  far_ranking_def ranking;
  if (info.until[0] == '\0') return;
  const bool ranks = far__study_ranking(&ranking, cost->def.study, NULL) == FAR_OK;
  if (!ranks && far__study_until(&until, cost->def.study, NULL) != FAR_OK) return;
  far__report_item(report,
                   "until   %s: from %s to %s runs of each; the figures below are for the maximum",
                   info.until, far__brief_count(ranks ? ranking.first : until.first).text,
                   far__brief_count(ranks ? ranking.most : until.most).text);
}

static void add_cells(far_report *report, const far__cost *cost, size_t most_rows) {
  const size_t n = most_rows > 0 && most_rows < cost->n_cells ? most_rows : cost->n_cells;
  far_table *t = far__report_table(report, "cells");
  far__table_column(t, "env", "environment", FAR__COLUMN_SPEC);
  far__table_column(t, "agent", "agent", FAR__COLUMN_SPEC);
  far__length_columns(t);
  far__table_column(t, "runs", NULL, FAR__COLUMN_COUNT);
  far__table_column(t, "known", cost->def.store_name != NULL ? "runs known" : NULL,
                    FAR__COLUMN_COUNT);
  far__table_column(t, "seconds", NULL, FAR__COLUMN_REAL);
  if (cost->places != NULL) far__table_column(t, "runs_on", "runs on", FAR__COLUMN_TEXT);
  for (size_t i = 0; i < n; ++i) {
    const far_study_info info = far_study_info_of(cost->def.study);
    const far_cell *cell = &far_study_batch(cost->def.study)->cells[i];
    const far__cost_cell *c = &cost->cells[i];
    far__table_row(t);
    if (i % info.n_agents == 0)
      far__table_spec(t, info.env_labels[i / info.n_agents], far_cell_env(cell));
    else
      far__table_blank(t);
    far__table_spec(t, cell->agent_label, c->agent);
    far__length_entries(t, cell->steps, cell->episodes);
    far__table_count(t, c->runs);
    far__table_count(t, c->known);
    far__table_real(t, c->seconds);
    if (cost->places == NULL) continue;
    const far__placement *place = &cost->places[i];
    if (!place->on_device)
      far__table_text(t, "%s", place->why);
    else
      far__table_text(t, "device%s%s", place->why[0] != '\0' ? ": " : "", place->why);
  }
  if (n < cost->n_cells)
    far__report_note(report, FAR__NOTE_REMARK, "... and %s more cells; JSON lists all",
                     far__brief_count((int64_t)(cost->n_cells - n)).text);
}

/* ---- JSON ---- */

static void write_data(const void *user, far__json *j) {
  const far__cost *cost = user;
  const far_batch_def *def = far_study_batch(cost->def.study);
  far__json_integer(j, "seed", def->seed);
  far__json_array(j, "cells");
  for (size_t i = 0; i < cost->n_cells; ++i) {
    far__json_object(j, NULL);
    far__json_text(j, "env", far_cell_env(&def->cells[i]));
    far__json_text(j, "agent", cost->cells[i].agent);
    far__write_length(j, def->cells[i].steps, def->cells[i].episodes);
    far__json_integer(j, "runs", (uint64_t)cost->cells[i].runs);
    far__json_integer(j, "known", (uint64_t)cost->cells[i].known);
    far__json_real(j, "seconds", cost->cells[i].seconds);
    if (cost->places != NULL) {
      far__json_text(j, "runs_on", cost->places[i].on_device ? "device" : "cpu");
      far__json_text(j, "why", cost->places[i].why);
      far__json_real(j, "cpu_seconds", cost->places[i].cpu_seconds);
      far__json_real(j, "device_seconds", cost->places[i].device_seconds);
    }
    far__json_end(j);
  }
  far__json_end(j);
  far__json_flag(j, "dry_run", true);
  far__json_text(j, "study", far_study_info_of(cost->def.study).name);
  far__json_integer(j, "runs", (uint64_t)cost->runs);
  far__json_integer(j, "known", (uint64_t)cost->known);
  far__json_integer(j, "checkpoints", def->cells[0].n_checkpoints);
  far__json_integer(j, "threads", cost->def.workers);
  far__json_real(j, "steps_left", cost->steps);
  far__json_real(j, "seconds", cost->seconds);
  far__json_real(j, "bytes", cost->bytes);
}

void far__cost_report(const far__cost *cost, size_t most_rows, far_report *report) {
  const far_study_info info = far_study_info_of(cost->def.study);
  far__report_list(report, "%s%s%s environment%s x %s agent%s: %s cell%s", info.name,
                   info.name[0] != '\0' ? ": " : "", far__brief_count((int64_t)info.n_envs).text,
                   far__plural((int64_t)info.n_envs), far__brief_count((int64_t)info.n_agents).text,
                   far__plural((int64_t)info.n_agents),
                   far__brief_count((int64_t)cost->n_cells).text,
                   far__plural((int64_t)cost->n_cells));
  add_until(report, cost);
  const far_batch_def *def = far_study_batch(cost->def.study);
  const far__brief length = far__brief_length(def->cells[0].steps, def->cells[0].episodes);
  const far__brief time = far__brief_seconds(cost->seconds);
  const far__brief bytes = far__brief_bytes(cost->bytes);
  far__report_item(report, "runs    %s of each, %s in all; %s a run, seed %llu",
                   far__brief_count(def->runs).text, far__brief_count(cost->runs).text, length.text,
                   (unsigned long long)def->seed);
  if (info.curve[0] != '\0')
    far__report_item(report, "curve   %zu checkpoints", def->cells[0].n_checkpoints);
  if (cost->def.store_name != NULL)
    far__report_item(report, "known   %s runs are in %s", far__brief_count(cost->known).text,
                     cost->def.store_name);
  far__report_item(report, "time    about %s on %u thread%s", time.text, cost->def.workers,
                   far__plural((int64_t)cost->def.workers));
  if (cost->def.store_name != NULL)
    far__report_item(report, "disk    about %s in %s", bytes.text, cost->def.store_name);
  else
    far__report_item(report, "disk    about %s in a store, if one is used", bytes.text);
  add_cells(report, cost, most_rows);
  far__report_data_by(report, write_data, cost);
}
