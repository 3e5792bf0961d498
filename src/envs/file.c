/* A model read from a file; see formats/format.h. */
#include "envs/family.h"
#include "base/error.h"
#include "base/spec.h"

#include <string.h>

typedef struct FAR__PARAMS file_params {
  char path[FAR_TEXT_SIZE];
} file_params;

static const far_param params[] = {
    {.name = "path",
     .kind = FAR_PARAM_TEXT,
     .fallback = "model.drn",
     .offset = offsetof(file_params, path),
     .help = "the file: .mdp or .pomdp (Cassandra), .drn (Storm) or .json (Gymnasium's P)"},
};

/* Every other family takes the key, so that it may be tried here. */
static far_status hint_at_horizon(far_error *error) {
  const far_error said = *error;
  return far__fail(error, said.code, said.position,
                   "%s; all that follows 'file:' is the path: 'farsight convert FILE NEW --horizon "
                   "H' gives a file a horizon",
                   said.message);
}

static far_status build(far_mdp **out, const void *values, far_error *error) {
  const file_params *p = values;
  const far_status status = far_mdp_load(out, p->path, FAR_FORMAT_AUTO, error);
  const bool hint = error != NULL && strstr(p->path, ",horizon=") != NULL;
  return status == FAR_STATUS_IO && hint ? hint_at_horizon(error) : status;
}

const far__family far__family_file = {
    .info = {.name = "file",
             .summary = "A model from a file, as in file:models/maze.mdp",
             .reference = "Cassandra's format, Storm's DRN, or Gymnasium's P as JSON",
             .bare = true,
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .build = build,
};
