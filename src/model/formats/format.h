/* What the readers and writers of model files share.
 *
 * None of the other programs' formats can express all of a model. What one cannot express is
 * written as a remark, which other programs take for a comment: "#@ KEY VALUES" in Cassandra's
 * format, "//@ KEY VALUES" in DRN. Keys:
 *
 *   discount G               range MIN MAX            terminal S         start S P S P ...
 *   state-name S TEXT        action-name A TEXT       outcomes S A  NEXT P R  NEXT P R ...
 *
 * `outcomes` are a pair's own, where the format merges them (a successor twice, a reward that depends
 * on the successor); they must agree with what the format itself says of that pair.
 */
#ifndef FAR_MODEL_FORMATS_FORMAT_H
#define FAR_MODEL_FORMATS_FORMAT_H

#include "base/text.h"
#include "farsight/mdp.h"

/* A text being read. */
typedef struct far__input {
  const char *at, *end;
  size_t line; /* of `at`, from 1 */
  size_t most; /* pairs or outcomes that this text may describe, those of the start included */
  size_t work; /* steps that reading may take */
  size_t failed_line; /* 0 if the failure belongs to no line */
  far_error why;
} far__input;

/* Records a failure of code FORMAT in a line, and returns that code. */
far_status far__input_fail(far__input *in, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
far_status far__input_memory(far__input *in);

/* Text of a file for a message: cut and printable. */
typedef struct far__shown {
  char text[48];
} far__shown;
far__shown far__show(const char *text, size_t length);

/* ---- what a model has besides its pairs ---- */

typedef struct far__name {
  size_t index, line;
  bool action;
  char *text;
} far__name;

typedef struct far__start {
  size_t state, line;
  double probability;
} far__start;

typedef struct far__exact { /* the remark `outcomes` */
  size_t s, a, first, count, line;
} far__exact;

typedef struct far__extras {
  double discount; /* 0: none */
  double horizon;  /* likewise */
  bool ranged;
  double min, max;
  far__name *names;
  size_t n_names, names_capacity;
  far__start *starts, *terminals; /* only state and line of terminals are used */
  size_t n_starts, starts_capacity, n_terminals, terminals_capacity;
  far__exact *exact;
  far_outcome *outcomes; /* of the exact rows */
  size_t n_exact, exact_capacity, n_outcomes, outcomes_capacity;
} far__extras;

void far__extras_free(far__extras *extras);

/* Is this a number of steps that a horizon may have? */
bool far__is_horizon(double x);

/* Reads a remark, the text after the '@'. */
far_status far__extras_remark(far__extras *extras, far__input *in, const char *text, size_t length,
                              size_t line);

far_status far__extras_name(far__extras *extras, far__input *in, bool action, size_t index,
                            const char *text, size_t length, size_t line);
far_status far__extras_start(far__extras *extras, far__input *in, size_t state, double probability,
                             size_t line);
far_status far__extras_terminal(far__extras *extras, far__input *in, size_t state, size_t line);

/* ---- building: begin, one row a pair, finish ---- */

typedef struct far__build {
  far__input *in;
  far__extras *extras;
  far_mdp_builder *builder;
  size_t n_states, n_actions, n_outcomes;
  bool *terminal; /* as marked */
} far__build;

/* Checks the sizes and enters what `extras` holds. On failure nothing is left to free. */
far_status far__build_begin(far__build *build, far__input *in, far__extras *extras, size_t n_states,
                            size_t n_actions);

/* Enters the outcomes of a pair; their probabilities must add to 1 within 1e-5 and are scaled. The outcomes
 * of a state that is marked as terminal must be one loop without reward, and are dropped. */
far_status far__build_row(far__build *build, size_t s, size_t a, far_outcome *row, size_t count,
                          size_t line);

/* Finishes the model if the status is FAR_OK; frees the build in any case. */
far_status far__build_finish(far_mdp **out, far__build *build, far_status status);

/* ---- a model as a list of choices: DRN and JSON ---- */

typedef struct far__choice {
  size_t s, a, first, count, line;
} far__choice;

typedef struct far__draft {
  far__extras extras;
  size_t n_states, n_actions;
  far__choice *choices;
  far_outcome *outcomes;
  size_t n_choices, choices_capacity, n_outcomes, outcomes_capacity;
} far__draft;

void far__draft_free(far__draft *draft);
far_status far__draft_choice(far__draft *draft, far__input *in, size_t s, size_t a, size_t line);
far_status far__draft_outcome(far__draft *draft, far__input *in, far_outcome outcome);

/* A state without choices becomes terminal; an action that a state lacks repeats its last one. */
far_status far__draft_build(far_mdp **out, far__draft *draft, far__input *in);

/* ---- writing ---- */

/* Remarks, each line beginning with `mark`: those that hold for every format, the starts, and the
 * outcomes of a pair. */
void far__remark_extras(far__text *out, const char *mark, const far_mdp *mdp);
void far__remark_name(far__text *out, const char *mark, const char *what, size_t i,
                      const char *name);
void far__remark_starts(far__text *out, const char *mark, const far_mdp *mdp);
void far__remark_outcomes(far__text *out, const char *mark, const far_mdp *mdp, uint32_t s,
                          uint32_t a);

/* ---- the formats ---- */

far_status far__read_cassandra(far_mdp **out, far__input *in);
far_status far__read_drn(far_mdp **out, far__input *in);
far_status far__read_json(far_mdp **out, far__input *in);

/* `discount` is what to write; 0 if there is none. Without memory out->failed is set. */
void far__print_cassandra(far__text *out, const far_mdp *mdp, double discount);
void far__print_drn(far__text *out, const far_mdp *mdp, double discount);
void far__print_json(far__text *out, const far_mdp *mdp, double discount);

#endif
