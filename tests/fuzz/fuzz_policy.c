/* Any bytes as a policy file, of problems of several sizes. What is accepted has an action of every state that exists, or
 * as many probabilities as there are pairs. */
#include <farsight/farsight.h>
#include <stdio.h>

#include "base/file.h"
#include "input_file.h"

#define copy_of copy_text /* the command has another one of this name */
#define far__file_open(out, size, path, most, error) open_input(out, path, most, error)
#include "policy_file.c"
#undef copy_of

static bool told; /* what is wrong */

int complain(const char *format, ...) {
  (void)format;
  told = true;
  return EXIT_USAGE;
}
int run_error(const far_error *error) {
  (void)error;
  return EXIT_FAILED;
}
void *room_for(size_t count, size_t size) {
  void *out = calloc(count + 1, size);
  if (out == NULL) abort();
  return out;
}

static void check(const policy_file *policy, const far_shape *shape) {
  expect(policy->given && (policy->action == NULL) != (policy->probability == NULL));
  for (uint32_t s = 0; s < shape->n_states; ++s)
    if (policy->action != NULL) expect(policy->action[s] < shape->n_actions);
  for (uint32_t i = 0; policy->probability != NULL && i < shape->n_states * shape->n_actions; ++i)
    expect(policy->probability[i] == policy->probability[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const uint32_t shapes[][2] = {{1, 1}, {3, 1}, {2, 2}, {4, 3}};
  if (size < 2) return 0; /* the first byte chooses the problem */
  const uint32_t *wanted = shapes[data[0] % 4];
  const far_shape shape = {.n_states = wanted[0], .n_actions = wanted[1]};
  policy_file policy = {0};
  input_file.data = data + 1;
  input_file.size = size - 1;
  told = false;
  if (policy_file_read(&policy, "policy", &shape) == EXIT_OK)
    check(&policy, &shape);
  else
    expect(told);
  policy_file_free(&policy);
  return 0;
}
