/* Any bytes as a study file, up to its plan: grids and specs are checked, no model is made. What is
 * accepted must be printed as a file that means the same. */
#include <farsight/lab.h>

#include "lab/study/study.h"
#include "fuzz.h"

static void expect_same(const far_study *x, const far_study *y) {
  const far_study_info a = far_study_info_of(x), b = far_study_info_of(y);
  expect(a.n_envs == b.n_envs && a.n_agents == b.n_agents && a.n_metrics == b.n_metrics);
  expect(strcmp(a.name, b.name) == 0 && strcmp(a.until, b.until) == 0);
  for (size_t i = 0; i < a.n_envs; ++i) expect(strcmp(a.envs[i], b.envs[i]) == 0);
  for (size_t i = 0; i < a.n_agents; ++i) expect(strcmp(a.agents[i], b.agents[i]) == 0);
  expect(x->n_checkpoints == y->n_checkpoints && x->steps == y->steps);
}

/* Agents on any shape: a spec is resolved or refused. */
static void try_agents(const far_study *study) {
  const far_shape shape = far_shape_default(3, 2);
  const far_study_info info = far_study_info_of(study);
  char spec[FAR_SPEC_SIZE];
  for (size_t i = 0; i < info.n_agents && i < 20; ++i)
    far_agent_resolve(spec, info.agents[i], &shape, NULL);
}

static void print_and_read(const far_study *study, const far__limits *limits) {
  far_study *again;
  far_error error;
  char *text;
  if (far_study_print(&text, study, &error) != FAR_OK) abort();
  expect(far__study_read_plan(&again, text, strlen(text), limits, &error) == FAR_OK);
  expect_same(study, again);
  far_study_free(again);
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const far__limits limits = {.specs = 200, .cells = 2000};
  far_study *study;
  far_error error = {FAR_OK, -1, ""};
  if (size > 0 && memchr(data, '@', size) != NULL) return 0; /* no files are read */
  char *text =
      malloc(size > 0 ? size : 1); /* exactly as long as it is, so that any overrun shows */
  if (text == NULL) return 0;
  if (size > 0) memcpy(text, data, size);
  const far_status status = far__study_read_plan(&study, text, size, &limits, &error);
  if (status == FAR_OK) {
    try_agents(study);
    print_and_read(study, &limits);
  } else {
    expect(study == NULL && error.code == status && error.message[0] != '\0');
    expect(error.position >= -1 && error.position <= (int)size);
  }
  far_study_free(study);
  free(text);
  return 0;
}
