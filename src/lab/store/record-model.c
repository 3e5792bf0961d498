/* The models that a store's records name. The store is untrusted: the size of a file that it
 * names is checked before the file is read. */
#include <math.h> /* only for NAN */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "farsight/base.h"
#include "farsight/mdp.h"
#include "farsight/store.h"
#include "run/simulator.h"

static const int64_t LONGEST_MODEL = (int64_t)1 << 28;

static far_status check_file(const char *spec, far_error *error) {
  static const char family[] = "file:";
  FILE *f;
  if (strncmp(spec, family, sizeof family - 1) != 0) return FAR_OK;
  const far_status status =
      far__file_open(&f, NULL, spec + sizeof family - 1, LONGEST_MODEL, error);
  if (status == FAR_OK) fclose(f);
  return status;
}

far_status far_record_model(far_mdp **out, const char *env, const char *model, far_error *error) {
  far_spec *spec;
  *out = NULL;
  if (far__simulator_is_spec(env))
    return far__fail(error, FAR_STATUS_UNKNOWN, -1,
                     "%.200s is a simulator, which only its own program can run: there is no model",
                     env);
  far_status status = far_spec_of_env(&spec, env, NAN, error);
  if (status == FAR_OK) status = far_record_model_from(out, spec, model, error);
  far_spec_free(spec);
  return status;
}

far_status far_record_model_from(far_mdp **out, const far_spec *env, const char *model,
                                 far_error *error) {
  char hash[FAR_HASH_TEXT];
  *out = NULL;
  far_status status = check_file(far_spec_typed(env), error);
  if (status == FAR_OK) status = far_mdp_from(out, env, error);
  if (status != FAR_OK) return status;
  far_mdp_hash(hash, *out);
  if (model[0] == '\0' || strcmp(hash, model) == 0) return FAR_OK;
  far_mdp_free(*out);
  *out = NULL;
  return far__fail(error, FAR_STATUS_MISMATCH, -1, "it is not the model of the stored runs");
}
