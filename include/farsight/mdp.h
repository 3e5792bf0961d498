/* The model: an immutable, sparse, finite Markov decision process with start distribution and
 * terminal states. One model may be shared by any number of threads.
 *
 *     far_mdp *mdp;
 *     far_status status = far_mdp_create(&mdp, "chain:n=50", &error);
 *
 * or built outcome by outcome:
 *
 *     far_mdp_builder *b;
 *     far_mdp_builder_create(&b, 2, 1, &error);
 *     far_mdp_builder_outcome(b, 0, 0, 0.9, 0, 0.0, &error);   s=0 a=0: stay, reward 0
 *     far_mdp_builder_outcome(b, 0, 0, 0.1, 1, 1.0, &error);   or reach the end, reward 1
 *     far_mdp_builder_terminal(b, 1, &error);
 *     far_mdp_builder_start(b, 0, 1.0, &error);
 *     far_mdp_builder_finish(&mdp, b, &error);                 frees the builder
 */
#ifndef FARSIGHT_MDP_H
#define FARSIGHT_MDP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farsight/hash.h"
#include "farsight/param.h"
#include "farsight/random.h"
#include "farsight/shape.h"
#include "farsight/status.h"

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

/* The spec of the same world with this discount, in (0, 1), unless it says itself what counts: gamma, horizon or
 * average. NAN: the spec as it is. RANGE if it is too long. */
FAR_API far_status far_mdp_spec_with_gamma(char out[FAR_SPEC_SIZE], const char *spec, double gamma,
                                           far_error *error);

/* The spec without the discount or the average reward; a horizon stays. Fails as far_spec_without does. */
FAR_API far_status far_mdp_spec_of_world(char out[FAR_SPEC_SIZE], const char *spec,
                                         far_error *error);

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

/* The memory that the model takes. */
FAR_API size_t far_mdp_bytes(const far_mdp *mdp);

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

/* An assumption that was made because the file does not say, and that may be wrong: a sentence for
 * the user, without its full stop; NULL if there is none. A JSON or DRN file of several states that
 * names no start has one: every episode starts in state 0. So has one whose discount is 1, until it is given what counts. */
FAR_API const char *far_mdp_caveat(const far_mdp *mdp);

/* SHA-256 of everything that can affect a run: sizes, reward range, starts, outcomes in their
 * order, terminal states, and what counts where it is not the default discount. Names are not part of it. */
FAR_API void far_mdp_hash(char out[FAR_HASH_TEXT], const far_mdp *mdp);

/* The same without the discount or the average reward (a horizon stays): models with the same one have the same runs. */
FAR_API void far_mdp_hash_world(char out[FAR_HASH_TEXT], const far_mdp *mdp);

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

#ifdef __cplusplus
}
#endif

#endif
