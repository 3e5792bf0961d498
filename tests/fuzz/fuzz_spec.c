/* Any text as a spec, of an agent and of an environment. What is accepted must come out canonical:
 * its own text resolves to itself. */
#include <farsight/farsight.h>
#include "grammar.h"

static void try_agent(const char *text) {
  const far_shape shape = far_shape_default(3, 2);
  far_agent *agent, *again;
  far_error error = {FAR_OK, -1, ""};
  const far_status status = far_agent_create(&agent, text, &shape, 1, 0, &error);
  if (status != FAR_OK) {
    expect(agent == NULL && error.code == status && error.message[0] != '\0');
    expect(error.position >= -1 && error.position <= (int)strlen(text));
    return;
  }
  expect(far_agent_create(&again, far_agent_spec(agent), &shape, 1, 0, NULL) == FAR_OK);
  expect(strcmp(far_agent_spec(agent), far_agent_spec(again)) == 0);
  for (uint32_t t = 0; t < 20; ++t) {
    const uint32_t a = far_agent_act(agent, t % 3);
    expect(a < 2);
    far_agent_observe(agent, &(far_transition){t % 3, a, 0.5, (t + 1) % 3, t % 7 == 6, false},
                      NULL);
  }
  far_agent_free(again);
  far_agent_free(agent);
}

static void try_environment(const char *text) {
  far_mdp *mdp;
  far_error error;
  if (is_large(text) || strchr(text, '@') != NULL) return; /* nor are files read */
  if (far_mdp_create(&mdp, text, &error) != FAR_OK) return;
  far_rng rng;
  far_rng_init(&rng, 1, 0, FAR_PURPOSE_TRANSITION);
  expect(far_mdp_step(mdp, far_mdp_start(mdp, &rng), 0, &rng)->next < far_mdp_shape(mdp).n_states);
  far_mdp_free(mdp);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = copy_of(data, size, 1);
  try_agent(text);
  try_environment(text);
  drop_copy(text);
  return 0;
}

/* Half of the inputs are specs, by the tables; few of them of environments, which take longer to make. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  dice d = dice_of(seed);
  line made = {.length = 0};
  if (roll(&d, 2) == 0) return LLVMFuzzerMutate(data, size, most);
  put_spec(&made, &d, roll(&d, 16) == 0 ? far_mdp_family : far_agent_type);
  return take_line(data, size, most, &d, &made);
}
