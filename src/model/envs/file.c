/* A model read from a file; see model/formats/format.h. A criterion may follow the path: file:maze.mdp,gamma=0.9 */
#include "base/error.h"
#include "base/number.h"
#include "base/spec.h"
#include "model/envs/family.h"

#include <string.h>

typedef struct FAR__PARAMS file_params {
  char path[FAR_TEXT_SIZE];
} file_params;

static const far_param params[] = {
    {.name = "path",
     .kind = FAR_PARAM_TEXT,
     .fallback = "model.drn",
     .offset = offsetof(file_params, path),
     .help = "the file: .mdp or .pomdp (Cassandra), .drn (Storm) or .json (Gymnasium's P); behind "
             "it may stand ,gamma=G or ,horizon=H or ,average=on in place of what the file says"},
};

static const char *const criteria[] = {",gamma=", ",horizon=", ",average="};

size_t far__criterion_at(const char *text, size_t length) {
  size_t comma = length;
  while (comma > 0 && text[comma - 1] != ',') --comma;
  if (comma == 0) return length;
  for (size_t k = 0; k < sizeof criteria / sizeof *criteria; ++k)
    if (strncmp(text + comma - 1, criteria[k], strlen(criteria[k])) == 0) return comma - 1;
  return length;
}

/* Sets the criterion of a text such as ",gamma=0.9". */
static far_status set_criterion(far_mdp *mdp, const char *text, far_error *error) {
  const char *value = strchr(text, '=') + 1;
  const size_t length = strlen(value);
  double gamma;
  int64_t horizon;
  if (text[1] == 'g') {
    if (far__real_parse(value, length, &gamma)) return far_mdp_set_gamma(mdp, gamma, error);
    return far__fail(error, FAR_STATUS_SYNTAX, -1, "gamma=%.40s: gamma must be a number in (0, 1)",
                     value);
  }
  if (text[1] == 'h') {
    if (far__integer_parse(value, length, &horizon) && horizon > 0)
      return far_mdp_set_horizon(mdp, horizon, error);
    return far__fail(error, FAR_STATUS_SYNTAX, -1,
                     "horizon=%.40s: horizon must be a whole number of at least 1", value);
  }
  if (strcmp(value, "on") == 0) return far_mdp_set_average(mdp, error);
  if (strcmp(value, "off") == 0) return FAR_OK;
  return far__fail(error, FAR_STATUS_SYNTAX, -1, "average=%.40s: average must be one of off, on",
                   value);
}

static far_status build(far_mdp **out, const void *values, far_error *error) {
  file_params p = *(const file_params *)values;
  char criterion[FAR_TEXT_SIZE];
  const size_t at = far__criterion_at(p.path, strlen(p.path));
  memcpy(criterion, p.path + at, strlen(p.path + at) + 1);
  p.path[at] = '\0';
  if (far__criterion_at(p.path, at) < at)
    return far__fail(error, FAR_STATUS_CONFLICT, -1,
                     "a problem has one criterion, and two stand behind the path: give one of "
                     "gamma=G, horizon=H and average=on");
  const far_status status = far_mdp_load(out, p.path, FAR_FORMAT_AUTO, error);
  if (status != FAR_OK || criterion[0] == '\0') return status;
  return set_criterion(*out, criterion, error);
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
