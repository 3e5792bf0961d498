/* Parameters as data. One table an algorithm or environment family feeds the spec parser, the help,
 * the JSON listings and the bindings alike.
 *
 * A spec is a string: a name, then optionally a colon and key=value pairs in any order:
 *
 *     directed-delayed-q:gamma_e=0.99,m=40
 */
#ifndef FARSIGHT_PARAM_H
#define FARSIGHT_PARAM_H

#include <stdbool.h>
#include <stddef.h>

#include "farsight/export.h"
#include "farsight/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  FAR_TEXT_SIZE = 512,
  FAR_SPEC_SIZE = 1024 /* room for any canonical spec and its terminator */
};

typedef enum far_param_kind {
  FAR_PARAM_REAL,    /* stored as double */
  FAR_PARAM_INTEGER, /* stored as int64_t */
  FAR_PARAM_CHOICE,  /* stored as int32_t, the index into choices */
  FAR_PARAM_TEXT,    /* stored as FAR_TEXT_SIZE characters, ended by a zero; no comma in it */
} far_param_kind;

typedef struct far_param {
  const char *name;
  far_param_kind kind;
  const char *fallback; /* the default as text; with derived, the rule that computes it */
  bool derived;         /* the default depends on other parameters or on the problem */
  double min, max;      /* numeric kinds: bounds ... */
  bool min_open;        /* ... which are excluded where these are set */
  bool max_open;
  const char *choices; /* FAR_PARAM_CHOICE: the words, separated by '|' */
  const char *
      word; /* FAR_PARAM_REAL: a word that may stand in place of a number, whose value the type computes; or NULL */
  const char *help;
  size_t offset; /* where the value lives; for the library's own use */
} far_param;

/* What `farsight list` shows of an algorithm or environment family. All strings are static. */
typedef struct far_type_info {
  const char *name;
  const char *summary;
  const char *reference;
  const char *guarantee; /* NULL where the notion does not apply */
  bool model_based;
  bool higher_is_better; /* metrics: a larger number is a better run */
  bool bare; /* the spec is NAME:VALUE, VALUE being all of its one parameter: file:models/a.mdp */
  const far_param *params;
  size_t n_params;
  bool baseline; /* an agent that never learns: a yardstick for those that do */
  bool
      finite_horizon; /* an agent that plans for the horizon, or a metric of episodes: refused where there is none */
  bool peeks; /* an agent that is told about the model: far_agent_create_on makes it (run.h) */
  bool
      registered; /* an agent that is not the library's own: far_agent_register added it (plugin.h) */
  /* metrics whose number is a time, in steps: what a run has come to by then, as a participle ("learned"). A run
   * whose number is all of its steps had not come to it: it is censored (far_series_limit, metric.h). Else NULL */
  const char *event;
} far_type_info;

/* A list of types: far_agent_type, far_mdp_family, far_metric_type. NULL past the end. */
typedef const far_type_info *far_listing(size_t index);

/* ---- specs as text ---- */

/* The type that a spec names, that is what stands before the colon; NULL if the list has none such. */
FAR_API const far_type_info *far_spec_type(far_listing *listing, const char *spec);

/* Do two specs name the same type? */
FAR_API bool far_spec_same_type(const char *spec, const char *other);

/* The parameter of a type (which may be NULL) with the name key[0..length); NULL if there is none. */
FAR_API const far_param *far_type_param(const far_type_info *type, const char *key, size_t length);

/* The text that a spec gives to a key: a pointer into the spec, and its length; NULL, with *length as
 * it was, if the spec does not give it. Not for specs of a bare type. */
FAR_API const char *far_spec_value(const char *spec, const char *key, size_t *length);

/* The spec with key=value: in place of the value that it gives to the key, or at its end. `out` must
 * not overlap the others. RANGE if the result has more than FAR_SPEC_SIZE - 1 characters; nothing else
 * is checked. */
FAR_API far_status far_spec_with(char out[FAR_SPEC_SIZE], const char *spec, const char *key,
                                 const char *value, far_error *error);

/* The spec without what it gives to a key; `out` must not overlap it. RANGE if the spec is longer than
 * any spec may be. */
FAR_API far_status far_spec_without(char out[FAR_SPEC_SIZE], const char *spec, const char *key,
                                    far_error *error);

/* ---- names and bounds ---- */

/* The entry of `names` nearest to text[0..length) in spelling, or NULL if none is near. Names have
 * at most 40 characters. */
FAR_API const char *far_nearest(const char *text, size_t length, const char *const *names,
                                size_t count);

/* The bounds of a parameter in words: "in [0, 1)", "at least 1", "one of a, b". */
FAR_API void far_param_bounds(char *out, size_t size, const far_param *param);

#ifdef __cplusplus
}
#endif

#endif
