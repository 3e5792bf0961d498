/* Labels: canonical specs in their shortest form, as a user would type them.
 *
 * A canonical spec has every parameter written out. Its label is the shortest spec found that means the
 * same: "r-max:m=5" for "r-max:gamma=0.95,m=5,plan=full,tol=0.002,ties=random". A label can be given
 * wherever a spec can.
 */
#ifndef FAR_QUESTIONS_LISTING_LABEL_H
#define FAR_QUESTIONS_LISTING_LABEL_H

#include "farsight/base.h"

/* The label of a canonical spec: only the keys whose values are not the defaults, perhaps after a
 * preset. An agent's defaults depend on the shape of the environment. A spec that this version cannot
 * read, or reads otherwise, is copied as it is, cut to FAR_SPEC_SIZE - 1 bytes. Fails with MEMORY
 * alone, and *out is then empty. */
far_status far__env_label(char out[FAR_SPEC_SIZE], const char *canonical, far_error *error);
far_status far__agent_label(char out[FAR_SPEC_SIZE], const char *canonical, const far_shape *shape,
                            far_error *error);

/* The same of stored results, whose numerics are known: what an agent of version 1.0 (2) was by its defaults, which depended
 * on the environment, is one label on all of them ("directed-delayed-q:gamma=short,steps=10000"). */
far_status far__agent_label_stored(char out[FAR_SPEC_SIZE], const char *canonical,
                                   const far_shape *shape, int numerics, far_error *error);

/* Adds to a label the keys that other labels of the same type give, with the values of the canonical
 * spec: beside "r-max:m=5", the label "r-max" becomes "r-max:m=20". `others` may contain the label
 * itself. `out` may not be the label. */
void far__label_distinguish(char out[FAR_SPEC_SIZE], const char *label, const char *canonical,
                            const char *const *others, size_t n_others);

/* Shortens a label for a figure: what all labels of the same type among the others give as well is left
 * out, and an ellipsis says so, unless nothing else is left. Beside "q-learning:alpha=0.1,q0=1", "q-learning:alpha=0.1,q0=2" becomes
 * "q-learning:…q0=2". `others` may contain the label itself; a label that is no spec stays as it is. `out` may
 * not be the label. */
void far__label_brief(char out[FAR_SPEC_SIZE], const char *label, const char *const *others,
                      size_t n_others);

/* Labels of one list as they fit into so many columns (at least 6): out[i] is labels[i], or has an ellipsis in its middle where
 * it is too long, placed so that labels that differ still look different; a number in the list is the last resort. Each is to
 * be freed by far_free; MEMORY (all are then NULL). O(n^2). */
far_status far__labels_cut(char **out, const char *const *labels, size_t n, int columns,
                           far_error *error);

/* What a series of runs (far_comparison_def) is called in a sentence: "total reward" for "total" and "curve",
 * "regret (against=gain)", "total reward after 1000 steps" for "curve@1000". Cut to fit. */
void far__series_label(char out[FAR_SPEC_SIZE], const char *series);

#endif
