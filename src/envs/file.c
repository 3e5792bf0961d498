/* A model read from a file; see formats/format.h. */
#include "envs/family.h"
#include "base/spec.h"

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

static far_status build(far_mdp **out, const void *values, far_error *error) {
  const file_params *p = values;
  return far_mdp_load(out, p->path, FAR_FORMAT_AUTO, error);
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
