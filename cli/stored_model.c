#include "stored_model.h"

#include <string.h>

#include "memory.h"

static const int64_t LONGEST_MODEL = (int64_t)1 << 28;

static far_status check_file(const char *spec, far_error *why) {
  static const char family[] = "file:";
  FILE *f;
  if (strncmp(spec, family, sizeof family - 1) != 0) return FAR_OK;
  const far_status status = far_file_open(&f, spec + sizeof family - 1, LONGEST_MODEL, why);
  if (status == FAR_OK) fclose(f);
  return status;
}

/* A model that says which one it is must still be that one. */
far_mdp *stored_model(const char *spec, const char *digest, far_error *why) {
  far_mdp *mdp;
  char hash[FAR_HASH_TEXT];
  if (need_memory(check_file(spec, why)) != FAR_OK) return NULL;
  if (need_memory(far_mdp_create(&mdp, spec, why)) != FAR_OK) return NULL;
  far_mdp_hash(hash, mdp);
  if (digest[0] == '\0' || strcmp(hash, digest) == 0) return mdp;
  far_mdp_free(mdp);
  *why = (far_error){FAR_STATUS_MISMATCH, -1, "it is not the model of the stored runs"};
  return NULL;
}
