#include "model/envs/family.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/number.h"
#include "base/spec.h"
#include "base/text.h"
#include "farsight/mdp.h"
#include "model/criterion.h"
#include "model/model.h"

static const far__family *const families[] = {
#define FAR_FAMILY(name) &far__family_##name,
#include "model/envs/families.def"
#undef FAR_FAMILY
};

enum { N_FAMILIES = sizeof families / sizeof *families };

const far_type_info *far_mdp_family(size_t index) {
  return index < N_FAMILIES ? &families[index]->info : NULL;
}

/* The error for a file in place of a spec says how to name it. */
static far_status unknown_family(const char *text, far_status status, far_error *error) {
  if (far_format_of_path(text) == FAR_FORMAT_AUTO && !far__is_file(text)) return status;
  return far__fail(error, FAR_STATUS_UNKNOWN, 0,
                   "a model file is named by file:PATH, as in 'file:%.200s'", text);
}

static bool given(const far__spec *spec, size_t criterion, size_t member) {
  return far__spec_given(spec, criterion + member);
}

/* Checks that there is one criterion. One that is not given, or equals the default, is left out of the canonical
 * spec, so that specs keep the form that they had before there was a choice. */
static far_status resolve_criterion(far__spec *spec, far_error *error) {
  const far_param *row = far_type_param(spec->type, "horizon", strlen("horizon"));
  if (row == NULL) return FAR_OK; /* file: has its criterion in the path */
  const size_t at = row->offset - offsetof(far__criterion, horizon);
  far__criterion c;
  memcpy(&c, spec->values + at, sizeof c);
  const size_t horizon = offsetof(far__criterion, horizon), gamma = offsetof(far__criterion, gamma),
               average = offsetof(far__criterion, average);
  const char *first = given(spec, at, horizon) ? "horizon" : "gamma";
  const char *second = c.average ? "average=on" : "gamma";
  if (given(spec, at, horizon) + given(spec, at, gamma) + (c.average != 0) > 1)
    return far__spec_fail(spec,
                          far__spec_later(spec, at + (given(spec, at, horizon) ? horizon : gamma),
                                          at + (c.average ? average : gamma)),
                          error, "a problem has one criterion: %s or %s, not both", first, second);
  if (c.horizon == 0) far__spec_hide(spec, at + horizon);
  if (c.gamma == 0 || c.gamma == FAR_GAMMA_DEFAULT) far__spec_hide(spec, at + gamma);
  if (!c.average) far__spec_hide(spec, at + average);
  return FAR_OK;
}

/* Adds to the error for a discount of 0 or 1 what would be right. */
static far_status explain_gamma(far_status status, far_error *error) {
  if (status != FAR_STATUS_RANGE || error == NULL || strncmp(error->message, "gamma=", 6) != 0)
    return status;
  const far_error said = *error;
  return far__fail(error, status, said.position,
                   "%s; a problem without a discount has horizon=H or average=on", said.message);
}

static far_status resolve_spec(far__spec *spec, far_error *error) {
  const far__family *family = families[spec->index];
  far_status status = family->resolve != NULL ? family->resolve(spec, error) : FAR_OK;
  if (status == FAR_OK) status = resolve_criterion(spec, error);
  return status == FAR_OK ? far__spec_check(spec, error) : status;
}

static far_status parse_spec(far__spec *spec, const char *text, far_error *error) {
  const far_type_info *infos[N_FAMILIES];
  for (size_t i = 0; i < N_FAMILIES; ++i) infos[i] = &families[i]->info;
  const far_status status = far__spec_parse(spec, text, "environment", infos, N_FAMILIES, error);
  if (status != FAR_OK && spec->type == NULL) return unknown_family(text, status, error);
  return status != FAR_OK ? explain_gamma(status, error) : resolve_spec(spec, error);
}

far_status far_mdp_resolve(char out[FAR_SPEC_SIZE], const char *text, far_error *error) {
  far__spec spec;
  const far_status status = parse_spec(&spec, text, error);
  return status == FAR_OK ? far__spec_format(out, &spec, error) : status;
}

static bool has_criterion(const char *spec, const far_type_info *family) {
  static const char *const keys[] = {"gamma", "horizon", "average"};
  size_t length;
  if (family->bare) return far__criterion_at(spec, strlen(spec)) < strlen(spec);
  for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k)
    if (far_spec_value(spec, keys[k], &length) != NULL) return true;
  return false;
}

far_status far__mdp_spec_with_gamma(char out[FAR_SPEC_SIZE], const char *spec, double gamma,
                                    far_error *error) {
  const far_type_info *family = far_spec_type(far_mdp_family, spec);
  char number[FAR__NUMBER_SIZE];
  if (gamma != gamma || family == NULL || has_criterion(spec, family)) {
    const int n = snprintf(out, FAR_SPEC_SIZE, "%s", spec);
    return n < FAR_SPEC_SIZE ? FAR_OK
                             : far__fail(error, FAR_STATUS_RANGE, -1,
                                         "a spec has at most %d characters", FAR_SPEC_SIZE - 1);
  }
  far__real_format(number, gamma);
  return far_spec_with(out, spec, "gamma", number, error);
}

far_status far__mdp_spec_of_world(char out[FAR_SPEC_SIZE], const char *spec, far_error *error) {
  const far_type_info *family = far_spec_type(far_mdp_family, spec);
  char rest[FAR_SPEC_SIZE];
  far_status status =
      far__spec_without(rest, spec, "gamma", error); /* of file: at the end of the path */
  if (status == FAR_OK) status = far__spec_without(out, rest, "average", error);
  if (status != FAR_OK || family == NULL || !family->bare) return status;
  const size_t at = far__criterion_at(spec, strlen(spec));
  const bool horizon = strncmp(spec + at, ",horizon=", 9) == 0;
  snprintf(out, FAR_SPEC_SIZE, "%.*s", (int)(horizon ? strlen(spec) : at), spec);
  return FAR_OK;
}

/* ---- a spec as a value ---- */

static far_status resolve_again(far__spec *spec, const far_spec *of, far_error *error) {
  (void)of;
  return resolve_spec(spec, error);
}

far_status far_spec_of_env(far_spec **out, const char *text, double gamma, far_error *error) {
  far__spec spec;
  char whole[FAR_SPEC_SIZE];
  const far_spec like = {.resolve = resolve_again, .gamma = gamma, .size = sizeof spec.values};
  *out = NULL;
  far_status status = far__mdp_spec_with_gamma(whole, text, gamma, error);
  if (status == FAR_OK) status = parse_spec(&spec, whole, error);
  return status == FAR_OK ? far__spec_keep(out, &like, &spec, text, error) : status;
}

static far_status build(far_mdp **out, const far_spec *spec, far_error *error) {
  far__spec parsed;
  char label[FAR_SPEC_SIZE];
  far__spec_unpack(&parsed, spec);
  const far_param *row = far_type_param(parsed.type, "horizon", strlen("horizon"));
  far__criterion c = {0};
  if (row != NULL) memcpy(&c, parsed.values + row->offset, sizeof c);
  *out = NULL;
  far_status status = families[spec->index]->build(out, parsed.values, error);
  if (status == FAR_OK && c.horizon > 0) status = far_mdp_set_horizon(*out, c.horizon, error);
  if (status == FAR_OK && c.gamma > 0) status = far_mdp_set_gamma(*out, c.gamma, error);
  if (status == FAR_OK && c.average) status = far_mdp_set_average(*out, error);
  if (status == FAR_OK) status = far_spec_label(label, spec, error);
  if (status == FAR_OK) {
    far__mdp_name(*out, strdup(spec->canonical), strdup(label));
    if ((*out)->spec != NULL && (*out)->label != NULL) return FAR_OK;
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the model's name");
  }
  far_mdp_free(*out);
  *out = NULL;
  return status;
}

double far__spec_outcomes(const far_spec *spec) {
  const far__family *family = families[spec->index];
  return family->outcomes != NULL ? family->outcomes(spec->values) : 0;
}

/* Fails if the discount that the caller asked for differs from that of the spec or file. */
static far_status check_gamma(const far_spec *spec, const far_mdp *mdp, far_error *error) {
  if (spec->gamma != spec->gamma || mdp->shape.horizon > 0 || mdp->shape.average ||
      far_mdp_gamma(mdp) == spec->gamma)
    return FAR_OK;
  return far__fail(
      error, FAR_STATUS_CONFLICT, -1,
      "%.150s has the discount %s, and all environments are to have %s: give one of them",
      spec->typed, far__shortest(far_mdp_gamma(mdp)).text, far__shortest(spec->gamma).text);
}

far_status far_mdp_from(far_mdp **out, const far_spec *spec, far_error *error) {
  far_status status = build(out, spec, error);
  if (status == FAR_STATUS_CONFLICT && spec->gamma == spec->gamma) /* a file that has a horizon */
    status = far_mdp_create(out, spec->typed, error);
  if (status == FAR_OK) status = check_gamma(spec, *out, error);
  if (status == FAR_OK) return FAR_OK;
  far_mdp_free(*out);
  *out = NULL;
  return status;
}

far_status far_mdp_create(far_mdp **out, const char *text, far_error *error) {
  far_spec *spec;
  *out = NULL;
  far_status status = far_spec_of_env(&spec, text, NAN, error);
  if (status == FAR_OK) status = build(out, spec, error);
  far_spec_free(spec);
  return status;
}

far_status far__check_outcomes(const far__spec *spec, const far__factor *factors, size_t n,
                               far_error *error) {
  double product = 1, largest = 0;
  size_t offset = factors[0].offset, used = 0;
  char list[160] = "";
  for (size_t i = 0; i < n; ++i) {
    product *= factors[i].count;
    if (factors[i].count > largest && far__spec_given(spec, factors[i].offset)) {
      largest = factors[i].count;
      offset = factors[i].offset;
    }
    if (used < sizeof list)
      used += (size_t)snprintf(list + used, sizeof list - used, "%s%.0f %s", i ? " x " : "",
                               factors[i].count, factors[i].what);
  }
  if (product <= FAR__MOST_OUTCOMES) return FAR_OK;
  return far__spec_fail(spec, offset, error, "%s are %.3g outcomes; at most %.0f are possible",
                        list, product, FAR__MOST_OUTCOMES);
}

void far__range(far__sketch *k, const double *rewards, size_t count) {
  double least = 0, most = 0;
  for (size_t i = 0; i < count; ++i) {
    if (rewards[i] < least) least = rewards[i];
    if (rewards[i] > most) most = rewards[i];
  }
  if (k->status == FAR_OK) k->status = far_mdp_builder_range(k->builder, least, most, k->error);
}

far_status far__family_build(far_mdp **out, uint32_t n_states, uint32_t n_actions,
                             double successors, far__fill *fill, const void *what,
                             far_error *error) {
  far__sketch k = {.error = error};
  k.status = far_mdp_builder_create(&k.builder, n_states, n_actions, error);
  if (k.status != FAR_OK) return k.status;
  k.status = far__mdp_builder_expect(k.builder, (double)n_states * n_actions * successors, error);
  if (k.status == FAR_OK) fill(&k, what);
  if (k.status == FAR_OK) return far_mdp_builder_finish(out, k.builder, error);
  far_mdp_builder_free(k.builder);
  return k.status;
}
