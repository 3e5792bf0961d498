/* The interface of a page to the library: plain functions of numbers, handles, texts and arrays in the module's
 * memory. farsight.mjs wraps them in classes; pages use that.
 *
 * Handles are pointers. A text that is given is UTF-8 ended by a zero; one that is returned lives until the next
 * call that returns a text, and web_length() is its length. Numbers that are returned are doubles, web_count() of
 * them, and live until the next call that returns numbers. A function that fails returns 0, and web_error(),
 * web_error_code() and web_error_position() say why. Times are wall-clock seconds.
 */
#ifndef FARSIGHT_WASM_WEB_H
#define FARSIGHT_WASM_WEB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farsight/farsight.h"
#include "farsight/lab.h"
#include "questions/learning/learning.h"
#include "questions/learning/player.h"

/* A function that the module exports under its own name; elsewhere, for tests, it is a plain one. */
#ifdef __wasm__
#define WEB(name) __attribute__((export_name(#name))) name
#else
#define WEB(name) name
#endif

/* ---- errors, texts and memory (core.c) ---- */

const char *WEB(web_error)(void);
int WEB(web_error_code)(void);     /* a far_status */
int WEB(web_error_position)(void); /* in the text that was given; -1: none */
size_t WEB(web_length)(void);
size_t WEB(web_count)(void);
void *WEB(web_alloc)(size_t bytes);
void WEB(web_free)(void *block);

/* {"version", "numerics"} */
const char *WEB(web_about)(void);

/* Arrays of all agents (0), environments (1), metrics (2) with their parameter tables, theorems (3), or kinds of plots
 * of a store (4). */
const char *WEB(web_list)(int kind);

/* ---- models (model.c) ---- */

far_mdp *WEB(web_model_create)(const char *spec);
far_mdp *WEB(web_model_read)(const char *text, size_t length, far_format format);
void WEB(web_model_free)(far_mdp *mdp);

/* Sizes, the criterion, names, starts, terminal states, and the layout if the model has one. */
const char *WEB(web_model_describe)(const far_mdp *mdp);

/* The text of a model file in this format. */
const char *WEB(web_model_print)(const far_mdp *mdp, far_format format);

/* Six numbers for each outcome: s, a, probability, next, reward, 1 if it ends the episode. */
const double *WEB(web_model_outcomes)(const far_mdp *mdp);

/* The canonical spec of an environment; the canonical spec of an agent on a model, in a run of `steps` steps (0: not
 * known), with its warnings: {"spec", "warnings": [{"severe", "message"}]}. */
const char *WEB(web_model_resolve)(const char *spec);
const char *WEB(web_agent_resolve)(const char *spec, const far_mdp *mdp, int64_t steps);

/* ---- building a model (builder.c); farsight/mdp.h has the rules ---- */

far_mdp_builder *WEB(web_builder_create)(uint32_t n_states, uint32_t n_actions);
void WEB(web_builder_free)(far_mdp_builder *builder);
bool WEB(web_builder_outcome)(far_mdp_builder *builder, uint32_t s, uint32_t a, double probability,
                              uint32_t next, double reward);
bool WEB(web_builder_start)(far_mdp_builder *builder, uint32_t s, double probability);
bool WEB(web_builder_terminal)(far_mdp_builder *builder, uint32_t s);
bool WEB(web_builder_horizon)(far_mdp_builder *builder, int64_t horizon);
bool WEB(web_builder_layout)(far_mdp_builder *builder, far_layout_kind kind, double width,
                             double height);
bool WEB(web_builder_place)(far_mdp_builder *builder, uint32_t s, double x, double y,
                            const char *label);
bool WEB(web_builder_arrow)(far_mdp_builder *builder, uint32_t a, double dx, double dy,
                            const char *label);
bool WEB(web_builder_wall)(far_mdp_builder *builder, double x0, double y0, double x1, double y1);
far_mdp *WEB(web_builder_finish)(far_mdp_builder *builder); /* frees the builder in any case */

/* ---- one run, watched (player.c): far__player ---- */

/* `agents` are lines, one spec each. The model must outlive the player. */
far__player *WEB(web_player_create)(const far_mdp *mdp, const char *agents, int64_t steps,
                                    uint64_t seed, uint64_t replicate);
void WEB(web_player_free)(far__player *player);
double WEB(web_player_t)(const far__player *player);

/* web_player_play plays n steps, or fewer if the time limit comes first; web_player_seek goes to step t, forward or
 * back. */
bool WEB(web_player_play)(far__player *player, int64_t n, double seconds);
bool WEB(web_player_seek)(far__player *player, int64_t t);

/* Plays n steps and returns the transitions: for every step and every agent s, a, r, next, done, cut. */
const double *WEB(web_player_trace)(far__player *player, int64_t n);

/* Plays until Q, E or LEARN of an agent changes: agent, kind (far_value), s, a, before, after, number of pairs that
 * changed; no numbers if the run ends first. */
const double *WEB(web_player_update)(far__player *player);

/* Agent k: state, total, episodes, steps learned, the discount that it plans with (NAN: none), 1 if it has stopped by
 * its own rule, its certificate (NAN: none), the stride of its curve, the step of the episode that its numbers are of
 * (NAN: they are the same at all steps). */
const double *WEB(web_lane)(const far__player *player, uint32_t k);
const char *WEB(web_lane_spec)(const far__player *player, uint32_t k);
const double *WEB(web_lane_curve)(const far__player *player, uint32_t k);

/* A quantity of every pair, in the order s * n_actions + a (VALUE: of every state), at step `step` of the episode
 * (below 0: the step that comes next). No numbers if this agent does not have the quantity. */
const double *WEB(web_lane_values)(const far__player *player, uint32_t k, far__learned quantity,
                                   int64_t step);

/* The whole agent as far_agent_save writes it: bytes in a text. */
const char *WEB(web_lane_save)(const far__player *player, uint32_t k);

/* ---- one run whose actions the caller chooses (hand.c), with the random numbers that the agents of a player see
 * ---- */

far_worlds *WEB(web_hand_create)(const far_mdp *mdp, uint64_t seed, uint64_t replicate);
void WEB(web_hand_free)(far_worlds *worlds);
uint32_t WEB(web_hand_state)(const far_worlds *worlds);

/* Takes a step: reward, state reached, done, cut, state in which the next step begins. */
const double *WEB(web_hand_step)(far_worlds *worlds, uint32_t a);

/* ---- many runs (batch.c, curves.c), in slices of time, so that the page stays responsive ---- */

typedef struct web_batch web_batch;

enum { WEB_AGENTS = 16 }; /* the most agents of a batch */

/* `agents` are lines, one spec each. Totals are recorded at n_points evenly spaced steps (0: at the end only). The
 * model must outlive the batch. */
web_batch *WEB(web_batch_create)(const far_mdp *mdp, const char *agents, int64_t steps,
                                 int64_t runs, uint64_t seed, uint32_t n_points);
void WEB(web_batch_free)(web_batch *batch);

/* Computes at least one run, and further runs until the time is over. Returns 1: more are left, 2: all are done, 0:
 * failure. The agents take turns. A run is never interrupted, so a call may last one run longer. */
int WEB(web_batch_work)(web_batch *batch, double seconds);

/* {"runs", "cells": [{"agent", "runs", "mean", "std", "ci95", "min", "max", "seconds", "hash", "points": [[step,
 * mean, ci95]]}]} of the runs so far. */
const char *WEB(web_batch_results)(web_batch *batch);

/* The totals of an agent, one for each of its runs so far. */
const double *WEB(web_batch_totals)(web_batch *batch, uint32_t agent);

/* The learning curves so far as SVG: what `farsight plot curves` draws. For `id` see the section on figures. */
const char *WEB(web_batch_figure)(web_batch *batch, bool per_step, double width, const char *id,
                                  far_theme theme);

/* ---- exact answers (answers.c) ---- */

/* The optimal solution by the problem's own criterion: the document of `farsight solve --json`. gamma: the
 * discounted values with this discount instead; NAN: the problem's criterion. */
const char *WEB(web_solve)(const far_mdp *mdp, double gamma);

/* The solution of web_solve as numbers: the average reward (NAN where it is not the criterion), the values of all
 * states, then those of all pairs, then the best action of each state; with a horizon each of these arrays holds all
 * steps, one after the other. */
const double *WEB(web_solve_values)(const far_mdp *mdp, double gamma);

/* The document of `farsight pac --json`, for one theorem, or for all if NULL. eps 0: 0.1 Vmax; gamma NAN: the
 * problem's. */
const char *WEB(web_guarantees)(const far_mdp *mdp, const char *theorem, double gamma, double eps,
                                double delta, double gamma_e);

/* ---- figures (figures.c) ----
 * With an `id`, unique in the page, a figure is an element <svg> for a page that has the rules of web_figure_style;
 * NULL: a file of its own, in the colours of a theme. */

/* The CSS rules of a theme; `scope` is put before every selector. */
const char *WEB(web_figure_style)(far_theme theme, const char *scope);

/* What agent k of a player knows now, as SVG on the layout: what `farsight plot` draws of a quantity. */
const char *WEB(web_lane_figure)(const far__player *player, uint32_t k, const far_mdp *mdp,
                                 far__learned quantity, double width, const char *id,
                                 far_theme theme);

/* ---- stored results (store.c, plot-options.c) ---- */

/* Opens a store from the `size` bytes of its file. They are at address `at`, in memory allocated by SQLite
 * (system/sqlite3.h), and are freed with the store or on failure. `name` appears in messages; no two open stores may
 * have the same name. */
far_store *WEB(web_store_open)(const char *name, uint32_t at, uint32_t size);
void WEB(web_store_close)(far_store *store);

/* The document of `farsight store info --json`. */
const char *WEB(web_store_describe)(far_store *store);

/* The figure of `farsight plot KIND STORE`, and its numbers (`--json`). `options` are lines, which the call
 * modifies: the command's options by their long names, as in "per-step" or "agent=r-max"; env and agent may occur
 * several times. */
const char *WEB(web_store_figure)(far_store *store, const char *kind, char *options, const char *id,
                                  far_theme theme);
const char *WEB(web_store_numbers)(far_store *store, const char *kind, char *options);

/* ---- shared by the files of this folder ---- */

far_error *web__error(void); /* where failures go */

/* web__text clears the text that is returned next, for writing; web__text_end returns it, or NULL without memory. */
far_buffer *web__text(void);
const char *web__text_end(void);
const char *web__text_of(const char *text); /* a copy */

/* The report as JSON, the figure as SVG; both functions free their argument. NULL on failure. */
const char *web__report_json(far_report *report);
const char *web__figure_svg(far_figure *figure, const char *id, far_theme theme);

/* A batch of the runs so far, for which nothing is computed; the caller frees it. cells[0..*n) are the agents that
 * have runs. NULL on failure. */
far_batch *web__batch_so_far(const web_batch *batch, size_t cells[WEB_AGENTS], size_t *n);
const far_batch_def *web__batch_def(const web_batch *batch);

/* Room for numbers that are returned; NULL without memory, of which a page has less than 2^32 bytes. */
double *web__numbers(uint64_t count);

/* Splits a text into lines, in place. Returns the number of lines, 0 if there are more than `most`. */
size_t web__lines(char *text, const char **lines, size_t most);

/* The parsed lines of options. The definition points into the lines and into `names`, which the caller frees, also
 * after a failure. */
typedef struct web__plot {
  far_plot_def def;
  const char **names; /* environments, then agents */
} web__plot;
bool web__plot_options(web__plot *out, char *options);

/* Records a failure with a message formatted as by printf; returns false. */
bool web__refuse(far_status code, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
