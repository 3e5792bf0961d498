/* Any bytes as the space of a search, and as a file of searches. Every value of a space that is accepted
 * reads back as itself, and lies within the range and the parameter's bounds. */
#include <farsight/lab.h>

#include "base/number.h"
#include "fuzz.h"
#include "lab/study/parts.h"
#include "lab/tune/space.h"

static void try_axis(const far__axis *axis) {
  for (int i = 0; i <= 10; ++i) {
    const far__value_text value = far__axis_value(axis, i / 10.0);
    double x = 0;
    expect(value.text[0] != '\0' && strpbrk(value.text, ",[]|") == NULL);
    if (axis->param->kind != FAR_PARAM_REAL && axis->param->kind != FAR_PARAM_INTEGER) continue;
    expect(far__real_parse(value.text, strlen(value.text), &x));
    if (axis->scale != FAR__SCALE_LIST) expect(x >= axis->low && x <= axis->high);
    expect(axis->param->min_open ? x > axis->param->min : x >= axis->param->min);
    expect(axis->param->max_open ? x < axis->param->max : x <= axis->param->max);
  }
}

static void try_space(const char *text) {
  far__space space;
  far_error error = {FAR_OK, -1, ""};
  const far_status status = far__space_read(&space, text, &error);
  if (status != FAR_OK) {
    expect(error.code == status && error.message[0] != '\0');
    expect(error.position >= -1 && error.position <= (int)strlen(text));
    return;
  }
  const double u[FAR__TUNE_KEYS] = {0.3, 0.9};
  far__text spec = {0};
  far__space_spec(&spec, &space, u, NULL);
  expect(spec.failed || strchr(spec.bytes, '[') == NULL || strchr(text, '[') != NULL);
  free(spec.bytes);
  for (size_t i = 0; i < space.n_axes; ++i) try_axis(&space.axes[i]);
  far__space_free(&space);
}

static void try_file(const char *text, size_t length) {
  far_tune_plan *plan;
  far_error error = {FAR_OK, -1, ""};
  const far_status status = far_tune_read(&plan, text, length, "folder/file.yaml", &error);
  if (status != FAR_OK) {
    expect(plan == NULL && error.code == status && error.message[0] != '\0');
    return;
  }
  expect(plan->n_agents > 0 && (plan->n_envs > 0) == (plan->fit == NULL));
  for (size_t i = 0; i < plan->n_agents; ++i) try_space(plan->agents[i]);
  far_tune_plan_free(plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  if (text == NULL) return 0;
  memcpy(text, data, size);
  text[size] = '\0';
  try_space(text);
  try_file(text, size);
  free(text);
  return 0;
}
