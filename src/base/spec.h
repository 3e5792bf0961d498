/* The one parser and printer of specs; see farsight/base.h for the grammar. */
#ifndef FAR_BASE_SPEC_H
#define FAR_BASE_SPEC_H

#include <stdalign.h>

#include "farsight/base.h"

/* Do two specs name the same type? */
bool far__spec_same_type(const char *spec, const char *other);

/* The spec without what it gives to a key; `out` must not overlap it. RANGE if the spec is longer than
 * any spec may be. */
far_status far__spec_without(char out[FAR_SPEC_SIZE], const char *spec, const char *key,
                             far_error *error);

/* The entry of `names` nearest to text[0..length) in spelling, or NULL if none is near. Names have
 * at most 40 characters. */
const char *far__nearest(const char *text, size_t length, const char *const *names, size_t count);

/* The bounds of a parameter in words: "in [0, 1)", "at least 1", "one of a, b". */
void far__param_bounds(char *out, size_t size, const far_param *param);

enum {
  FAR__SPEC_PARAMS = 32,
  FAR__SPEC_BYTES = 1024,
  FAR__SPEC_TEXT = FAR_SPEC_SIZE,
  FAR__SPEC_TYPES = 640, /* at most so many in one list */
  FAR__PAIR_SIZE = FAR_TEXT_SIZE + 64
};

/* A type's own parameter struct is stored in far__spec's bytes and may alias them. */
#define FAR__PARAMS __attribute__((may_alias))

typedef struct far__spec {
  const far_type_info *type;
  size_t index;                   /* of the type in its list */
  uint32_t given;                 /* bit i: parameter i was written in the text */
  uint32_t hidden;                /* bit i: parameter i does not apply (set by resolve) */
  int position[FAR__SPEC_PARAMS]; /* in the text, of the value of a given parameter; else -1 */
  alignas(8) unsigned char values[FAR__SPEC_BYTES]; /* the type's own parameter struct */
} far__spec;

/* A spec as callers keep it; see farsight/base.h. */
struct far_spec {
  const far_type_info *type;
  size_t index; /* as in far__spec */
  uint32_t given, hidden;
  far_shape shape; /* of agents: the problem's, as they see it */
  double gamma;    /* of environments: what the caller asked for, or NAN */
  /* derives what is not given in a spec that gives fewer keys than `of` */
  far_status (*resolve)(far__spec *spec, const far_spec *of, far_error *error);
  char *typed, *canonical;
  size_t size; /* of the values */
  alignas(8) unsigned char values[];
};

/* Makes a far_spec of a parsed and resolved one: type, index, given, hidden and values are those of `parsed`, all else
 * (with the size of the values) that of `like`. */
far_status far__spec_keep(far_spec **out, const far_spec *like, const far__spec *parsed,
                          const char *typed, far_error *error);

/* Turns a far_spec back into a far__spec; positions are -1. */
void far__spec_unpack(far__spec *out, const far_spec *spec);

/* Number of texts parsed since the program began, in all threads: for tests that count them. */
size_t far__spec_parsed(void);

/* A spec of the type with nothing given, as parsed from its bare name. */
void far__spec_bare(far__spec *out, const far_type_info *type, size_t index);

/* Gives parameter i the value that it has in another spec of the type. */
void far__spec_give(far__spec *out, size_t i, const far__spec *from);

/* Gives parameter i, a choice, its word number `choice`. */
void far__spec_give_word(far__spec *out, size_t i, int32_t choice);

/* "key=value" of parameter i, or the value alone of a bare type; returns the length. */
size_t far__spec_pair(char out[FAR__PAIR_SIZE], const far__spec *spec, size_t i);

/* Parses text against a list of types. What is not given holds its fixed default; derived
 * parameters are left zero for the type's resolve step. `what` names the list: "agent". */
far_status far__spec_parse(far__spec *out, const char *text, const char *what,
                           const far_type_info *const *types, size_t n_types, far_error *error);

/* A numeric parameter's value in a type's own parameter struct; false if it is of another kind. */
bool far__param_number(const far_param *param, const unsigned char *values, double *out);

/* Was the parameter stored at this offset written in the text? */
bool far__spec_given(const far__spec *spec, size_t offset);

/* The text of a default that is the problem's own value. */
#define FAR__THE_PROBLEMS "the problem's"

/* Is the choice stored at this offset, which the type must have, this word? */
bool far__spec_word_is(const far__spec *spec, size_t offset, const char *word);

/* Which of two parameters, both written in the text, comes later there. */
size_t far__spec_later(const far__spec *spec, size_t offset, size_t other);

/* Leaves a parameter out of the canonical text. The type must have it. */
void far__spec_hide(far__spec *spec, size_t offset);

/* Hides a parameter that does not apply; an error at the key if the text gives it. `why` completes the sentence
 * "temperature does not apply: ...". */
far_status far__spec_refuse(far__spec *spec, size_t offset, const char *why, far_error *error);

/* Hides a parameter that needs another one, `with`; an error at the key if the text gives it: "eps applies only with
 * preset=theory, as in ...". */
far_status far__spec_needs(far__spec *spec, size_t offset, const char *with, far_error *error);

/* Checks all values against their bounds again, after derived ones are filled in. */
far_status far__spec_check(const far__spec *spec, far_error *error);

/* Fails with the position of a parameter's value (or -1 if it was not given). */
far_status far__spec_fail(const far__spec *spec, size_t offset, far_error *error,
                          const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The canonical text: every parameter that applies, in table order. */
far_status far__spec_format(char out[FAR__SPEC_TEXT], const far__spec *spec, far_error *error);

#endif
