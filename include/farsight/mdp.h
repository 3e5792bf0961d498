/* The model: an immutable, sparse, finite Markov decision process with start distribution and
 * terminal states. It is named by a spec, read from a file, taken from arrays, or built outcome by outcome.
 *
 *     far_mdp_builder *b;
 *     far_mdp *mdp;
 *     if (far_mdp_builder_create(&b, 2, 1, &error)) return puts(error.message); // two states, one action
 *     far_mdp_builder_outcome(b, 0, 0, 0.9, 0, 0.0, &error); // in state 0: stay, reward 0
 *     far_mdp_builder_outcome(b, 0, 0, 0.1, 1, 1.0, &error); // or reach the end, reward 1
 *     far_mdp_builder_terminal(b, 1, &error);
 *     far_mdp_builder_start(b, 0, 1.0, &error);
 *     if (far_mdp_builder_finish(&mdp, b, &error)) return puts(error.message); // says what was wrong before, too
 *     far_mdp_free(mdp);
 *     if (far_mdp_create(&mdp, "riverswim:n=6,gamma=0.99", &error)) return puts(error.message);
 *     printf("%s has %u states\n", far_mdp_spec(mdp), far_mdp_shape(mdp).n_states);
 *     far_mdp_free(mdp);
 *
 * One model may be shared by any number of threads. */
#ifndef FARSIGHT_MDP_H
#define FARSIGHT_MDP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farsight/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* States and actions passed to these functions must be below n_states and n_actions; debug builds
 * assert it. */
typedef struct far_mdp far_mdp;
typedef struct far_mdp_builder far_mdp_builder;

/* One way in which a step can end. */
typedef struct far_outcome {
  double probability;
  double reward;
  uint32_t next;
  bool done; /* next is terminal */
} far_outcome;

/* The environment families; NULL past the end. */
FAR_API const far_type_info *far_mdp_family(size_t index);

/* Creates a model from a spec. Fails with SYNTAX, UNKNOWN, RANGE, CONFLICT or MEMORY. */
FAR_API far_status far_mdp_create(far_mdp **out, const char *spec, far_error *error);

/* The canonical spec that a model made from this one would have; nothing is built, and no model file
 * read. Fails as far_mdp_create does, except for what only building shows. */
FAR_API far_status far_mdp_resolve(char out[FAR_SPEC_SIZE], const char *spec, far_error *error);

/* Reads the spec of an environment. Its discount is `gamma`, in (0, 1), unless it says itself what counts (gamma,
 * horizon or average); NAN: as it says. Fails as far_mdp_resolve does. */
FAR_API far_status far_spec_of_env(far_spec **out, const char *text, double gamma,
                                   far_error *error);

/* Builds the model. A file that has a horizon keeps it, whatever discount was asked for. CONFLICT if the spec or the
 * file names another discount than that; otherwise fails as far_mdp_create does. */
FAR_API far_status far_mdp_from(far_mdp **out, const far_spec *spec, far_error *error);

/* Frees; NULL is fine. */
FAR_API void far_mdp_free(far_mdp *mdp);

/* The canonical spec; "" for a model made by a builder. Owned by the model. */
FAR_API const char *far_mdp_spec(const far_mdp *mdp);

/* The shortest spec found that means the same, as one would type it; "" like the spec. */
FAR_API const char *far_mdp_label(const far_mdp *mdp);

/* Sizes, reward range and live states, as an agent may see them. `absent` belongs to the model. */
FAR_API far_shape far_mdp_shape(const far_mdp *mdp);

/* The outcomes of a pair, in the order in which they were given; none for a terminal state. */
FAR_API const far_outcome *far_mdp_outcomes(const far_mdp *mdp, uint32_t s, uint32_t a,
                                            size_t *count);

/* The start distribution; `reward` is 0 and `done` false throughout. */
FAR_API const far_outcome *far_mdp_starts(const far_mdp *mdp, size_t *count);

FAR_API bool far_mdp_terminal(const far_mdp *mdp, uint32_t s);

/* What a state or an action is called, in UTF-8 and without control characters; NULL where it has
 * no name. Owned by the model. Names need not differ. */
FAR_API const char *far_mdp_state_name(const far_mdp *mdp, uint32_t s);
FAR_API const char *far_mdp_action_name(const far_mdp *mdp, uint32_t a);

/* The steps after which an episode is cut, and what counts is the reward of an episode; 0: there is
 * no horizon. */
FAR_API int64_t far_mdp_horizon(const far_mdp *mdp);

/* Gives a model that nothing uses yet another horizon, as a model from a file may need one; its spec is
 * then "". RANGE unless in 0 ... FAR_HORIZON_MAX; MEMORY, after which it can only be freed. */
FAR_API far_status far_mdp_set_horizon(far_mdp *mdp, int64_t horizon, far_error *error);

/* The discount that the model names, in (0, 1]; 0 if it names none. */
FAR_API double far_mdp_discount(const far_mdp *mdp);

/* The problem's discount, in (0, 1): the one that the model names, or FAR_GAMMA_DEFAULT if it names none or 1. All
 * agents plan with it whose specs give no other, and all that is exact about the problem is computed with it. */
FAR_API double far_mdp_gamma(const far_mdp *mdp);

/* Gives a model that nothing uses yet a discount. RANGE unless in (0, 1); CONFLICT if it has a horizon. */
FAR_API far_status far_mdp_set_gamma(far_mdp *mdp, double gamma, far_error *error);

/* From now on what counts is the average reward of a step (far_shape.average). CONFLICT if it has a horizon. */
FAR_API far_status far_mdp_set_average(far_mdp *mdp, far_error *error);

/* SHA-256 of everything that can affect a run: sizes, reward range, starts, outcomes in their
 * order, terminal states, and what counts where it is not the default discount. Names are not part of it. */
FAR_API void far_mdp_hash(char out[FAR_HASH_TEXT], const far_mdp *mdp);

/* Draws an outcome of (s, a), s not terminal, or a start. Exactly one draw from the stream. */
FAR_API const far_outcome *far_mdp_step(const far_mdp *mdp, uint32_t s, uint32_t a, far_rng *rng);
FAR_API uint32_t far_mdp_start(const far_mdp *mdp, far_rng *rng);

/* Counts the states that no run can reach, and names the first of them. Fails with MEMORY. */
FAR_API far_status far_mdp_unreachable(const far_mdp *mdp, uint32_t *count, uint32_t *first,
                                       far_error *error);

/* ---- files; docs/formats.md describes what each format can express ---- */

typedef enum far_format {
  FAR_FORMAT_AUTO,      /* by the path's extension, or else by the content */
  FAR_FORMAT_CASSANDRA, /* .mdp, .pomdp: A. Cassandra's format, its MDP part */
  FAR_FORMAT_DRN,       /* .drn: Storm's explicit format */
  FAR_FORMAT_JSON,      /* .json: the dictionary P of Gymnasium's environments */
} far_format;

/* "auto", "cassandra", "drn", "json"; NULL past the end. */
FAR_API const char *far_format_name(far_format format);

/* The format that a path's extension names; AUTO if it names none. */
FAR_API far_format far_format_of_path(const char *path);

/* Reads a model from a file or from memory. Fails with IO, MEMORY, or FORMAT and a message
 * "PATH:LINE: reason" ("line LINE: reason" from memory). Memory and time are bounded by the length
 * of the text: it may describe 2^22 outcomes, starts included (by wildcards or `uniform`), or if it
 * is longer as many as it has bytes, at less than 200 bytes each; finding them may take 128 steps
 * each. */
FAR_API far_status far_mdp_load(far_mdp **out, const char *path, far_format format,
                                far_error *error);
FAR_API far_status far_mdp_read(far_mdp **out, const char *text, size_t length, far_format format,
                                far_error *error);

/* Writes a model to a file, which is replaced as a whole or not at all, or to memory (heap, ended by
 * a zero; to be freed by far_free). What is written reads back as the same model to the last bit. `discount`
 * replaces the model's own unless it is 0. For files AUTO goes by the extension. Fails with RANGE,
 * IO or MEMORY. */
FAR_API far_status far_mdp_save(const far_mdp *mdp, const char *path, far_format format,
                                double discount, far_error *error);
FAR_API far_status far_mdp_print(char **text, size_t *length, const far_mdp *mdp, far_format format,
                                 double discount, far_error *error);

/* ---- building ---- */

/* A model without outcomes. RANGE if a size is 0, MEMORY if they are too large. */
FAR_API far_status far_mdp_builder_create(far_mdp_builder **out, uint32_t n_states,
                                          uint32_t n_actions, far_error *error);

/* Only needed where a model is abandoned; `finish` frees the builder in any case. */
FAR_API void far_mdp_builder_free(far_mdp_builder *builder);

/* Adds an outcome. Put the intended one first: the order decides which random numbers lead to it,
 * so that the same random number has the same effect for every action. Outcomes of probability 0
 * are dropped. */
FAR_API far_status far_mdp_builder_outcome(far_mdp_builder *builder, uint32_t s, uint32_t a,
                                           double probability, uint32_t next, double reward,
                                           far_error *error);

FAR_API far_status far_mdp_builder_start(far_mdp_builder *builder, uint32_t s, double probability,
                                         far_error *error);

/* Makes s terminal: it has no outcomes, and an episode ends on reaching it. */
FAR_API far_status far_mdp_builder_terminal(far_mdp_builder *builder, uint32_t s, far_error *error);

/* The reward range that agents are given; by default that of the outcomes. */
FAR_API far_status far_mdp_builder_range(far_mdp_builder *builder, double min, double max,
                                         far_error *error);

/* A name of 1 to 255 bytes, copied; a later one replaces it. RANGE if it is no name. */
FAR_API far_status far_mdp_builder_state_name(far_mdp_builder *builder, uint32_t s,
                                              const char *name, far_error *error);
FAR_API far_status far_mdp_builder_action_name(far_mdp_builder *builder, uint32_t a,
                                               const char *name, far_error *error);

/* See far_mdp_discount. RANGE outside (0, 1]. */
FAR_API far_status far_mdp_builder_discount(far_mdp_builder *builder, double discount,
                                            far_error *error);

/* See far_mdp_horizon. RANGE unless in 0 ... FAR_HORIZON_MAX. */
FAR_API far_status far_mdp_builder_horizon(far_mdp_builder *builder, int64_t horizon,
                                           far_error *error);

/* Validates and freezes. RANGE if probabilities of a pair or of the starts do not add to 1 (within
 * 1e-9, then scaled), a pair has no outcome, a terminal state has one or is a start, a reward
 * lies outside the range, or rewards are so far apart that their range is not finite. */
FAR_API far_status far_mdp_builder_finish(far_mdp **out, far_mdp_builder *builder,
                                          far_error *error);

/* Models as arrays: the outcomes of all pairs in compressed rows (CSR), for programs whose models
 * are already arrays, and for programs that read a whole model in one call.
 *
 *     far_csr csr = far_csr_default(2, 1);             s=0 a=0: stay (0.9, reward 0), or end (0.1, reward 1)
 *     csr.offsets = (const int64_t[]){0, 2, 2};
 *     csr.n_outcomes = 2;
 *     csr.probability = (const double[]){0.9, 0.1};
 *     csr.next = (const uint32_t[]){0, 1};
 *     csr.reward = (const double[]){0, 1};
 *     csr.terminal = (const bool[]){false, true};
 *     csr.n_starts = 1;
 *     csr.start_state = (const uint32_t[]){0};
 *     csr.start_probability = (const double[]){1};
 *     far_status status = far_mdp_from_csr(&mdp, &csr, &error);
 */

/* Pair (s, a) is row i = s * n_actions + a; its outcomes are numbers offsets[i] ... offsets[i+1] - 1 of
 * the three arrays behind it, in their order, which decides what a random draw leads to. */
typedef struct far_csr {
  uint32_t n_states, n_actions;
  size_t n_outcomes;
  const int64_t *offsets; /* n_states * n_actions + 1: from 0, never falling, to n_outcomes */
  const double *probability;
  const uint32_t *next;
  const double *reward;
  const bool *terminal; /* n_states; NULL: no state is. A terminal state has no outcomes */
  size_t n_starts;
  const uint32_t *start_state; /* the start distribution: n_starts states ... */
  const double *start_probability;
  double reward_min, reward_max; /* the range given to agents; if min > max, that of the outcomes */
  double discount;               /* see far_mdp_discount; 0: none */
  int64_t horizon;               /* see far_mdp_horizon; 0: none */
  void *memory;                  /* of far_mdp_to_csr; NULL in an array model of the caller's own */
} far_csr;

/* No outcomes and starts yet, the reward range that of the outcomes. */
FAR_API far_csr far_csr_default(uint32_t n_states, uint32_t n_actions);

/* Creates a model from arrays, which are copied. They are checked as by a builder (farsight/mdp.h): RANGE,
 * with a message that names the index, or MEMORY; *out is then NULL. */
FAR_API far_status far_mdp_from_csr(far_mdp **out, const far_csr *csr, far_error *error);

/* The same for a model that is to have names or a layout, too: adds what the arrays hold to a builder, which
 * `finish` then makes a model of. RANGE if the builder has other sizes; after any failure it can only be freed. */
FAR_API far_status far_mdp_builder_csr(far_mdp_builder *builder, const far_csr *csr,
                                       far_error *error);

/* The model as arrays, all in one block of memory that far_csr_free frees. A model made from them has
 * the same far_mdp_hash; names, layout and spec are not in them. Fails with MEMORY; *out is then empty. */
FAR_API far_status far_mdp_to_csr(far_csr *out, const far_mdp *mdp, far_error *error);

/* Frees what far_mdp_to_csr filled in, and empties it. */
FAR_API void far_csr_free(far_csr *csr);

/* Layout: where the states of a model stand in a drawing, which way its actions point, where walls are.
 *
 * The environment families set it where a drawing makes sense; a program that builds a model may
 * set it, too. It is a hint for front ends: it is part of neither far_mdp_hash nor model files, and
 * no run depends on it.
 *
 * x grows to the right and y downwards, as the rows of a map do. Every state has a unit square of its
 * own, whose centre is (x, y), inside the rectangle from (0, 0) to (width, height).
 */

typedef enum far_layout_kind {
  FAR_LAYOUT_NONE,  /* there is no layout */
  FAR_LAYOUT_LINE,  /* states in a row, in their order */
  FAR_LAYOUT_GRID,  /* cells of a grid: x - 1/2 and y - 1/2 are whole numbers */
  FAR_LAYOUT_GRAPH, /* points in the plane; draw the transitions between them */
} far_layout_kind;

enum { FAR_LABEL_SIZE = 8 }; /* room for a label and its terminator */

/* From corner to corner: a rectangle that cannot be entered, or a line where x0 = x1 or y0 = y1. */
typedef struct far_wall {
  double x0, y0, x1, y1;
} far_wall;

/* All arrays belong to the model. */
typedef struct far_layout {
  far_layout_kind kind;
  double width, height;                /* 0 if there is no layout; likewise NULL, below */
  const double *x, *y;                 /* n_states */
  const char (*label)[FAR_LABEL_SIZE]; /* n_states, "" without one: "S", "G" */
  const double *dx, *dy;               /* n_actions: a step of the intended outcome; 0, 0 where an
                                               * action has no direction, or not the same everywhere */
  const char (*action_label)[FAR_LABEL_SIZE]; /* n_actions, "" without one: "left" */
  const far_wall *walls;
  size_t n_walls;
} far_layout;

/* The model's layout; of kind FAR_LAYOUT_NONE if it has none. */
FAR_API far_layout far_mdp_layout(const far_mdp *mdp);

/* ---- building ---- */

/* The model will have a layout of this kind and size; once, and before the calls below. RANGE unless the
 * kind is one (and not NONE) and both sizes are finite and at least 1, CONFLICT if there is one, MEMORY. */
FAR_API far_status far_mdp_builder_layout(far_mdp_builder *builder, far_layout_kind kind,
                                          double width, double height, far_error *error);

/* Places state s at (x, y), with a label of at most 7 bytes of UTF-8, or NULL; a later call replaces it. RANGE if
 * the square around (x, y) is not inside the layout, or a grid's cell is no cell; CONFLICT without a
 * layout. Finishing the builder fails with RANGE if a state was not placed. */
FAR_API far_status far_mdp_builder_place(far_mdp_builder *builder, uint32_t s, double x, double y,
                                         const char *label, far_error *error);

/* The direction of action a, with a label as above. RANGE unless dx and dy are finite; CONFLICT without
 * a layout. */
FAR_API far_status far_mdp_builder_arrow(far_mdp_builder *builder, uint32_t a, double dx, double dy,
                                         const char *label, far_error *error);

/* Adds a wall. RANGE if it is not inside the layout, or x1 < x0 or y1 < y0; CONFLICT without a layout;
 * MEMORY. */
FAR_API far_status far_mdp_builder_wall(far_mdp_builder *builder, double x0, double y0, double x1,
                                        double y1, far_error *error);

#ifdef __cplusplus
}
#endif

#endif
