/* What a front end does: a model from arrays or by name, one agent that learns in 16 worlds at once under
 * a time limit, its whole policy in one call, and a drawing of it. */
#include <farsight/farsight.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORLDS = 16, STEPS = 20000, LIMIT = 100 };

static void need(far_status status, const far_error *error) {
  if (status == FAR_OK) return;
  fprintf(stderr, "%s\n", error->message);
  exit(1);
}

/* The same model once more, through arrays as another program might have them. */
static far_mdp *through_arrays(const far_mdp *mdp) {
  far_csr csr;
  far_mdp *copy;
  far_error error;
  need(far_mdp_to_csr(&csr, mdp, &error), &error);
  printf("%lu states, %lu actions, %lu outcomes\n", (unsigned long)csr.n_states,
         (unsigned long)csr.n_actions, (unsigned long)csr.n_outcomes);
  need(far_mdp_from_csr(&copy, &csr, &error), &error);
  far_csr_free(&csr);
  return copy;
}

static void learn(far_agent *agent, const far_mdp *mdp) {
  far_worlds *worlds;
  far_error error;
  far_worlds_def def = far_worlds_def_default();
  uint32_t state[WORLDS], action[WORLDS], next[WORLDS], reached[WORLDS];
  double reward[WORLDS];
  bool done[WORLDS], cut[WORLDS];
  def.autoreset = FAR_AUTORESET_SAME_STEP;
  def.max_episode_steps = LIMIT;
  need(far_worlds_create(&worlds, mdp, WORLDS, &def, &error), &error);
  need(far_worlds_reset(worlds, NULL, state, &error), &error);
  for (int t = 0; t < STEPS; ++t) {
    far_transition step[WORLDS];
    need(far_agent_act_many(agent, state, WORLDS, action, &error), &error);
    need(far_worlds_step(worlds, action, next, reward, done, cut, reached, &error), &error);
    for (int i = 0; i < WORLDS; ++i)
      step[i] = (far_transition){state[i], action[i], reward[i], reached[i], done[i], cut[i]};
    need(far_agent_observe_many(agent, step, WORLDS, NULL, &error), &error);
    for (int i = 0; i < WORLDS; ++i) state[i] = next[i];
  }
  far_worlds_free(worlds);
}

/* One character a cell: the label of a state where it has one, else the likeliest action. */
static void draw(const far_mdp *mdp, const double *policy) {
  const far_layout layout = far_mdp_layout(mdp);
  const far_shape shape = far_mdp_shape(mdp);
  const int width = (int)layout.width, height = (int)layout.height;
  char *cell = malloc((size_t)(width * height));
  if (cell == NULL) exit(1);
  for (int i = 0; i < width * height; ++i) cell[i] = '#'; /* what is no state */
  for (uint32_t s = 0; s < shape.n_states; ++s) {
    uint32_t best = 0;
    const double *row = policy + (size_t)s * shape.n_actions;
    for (uint32_t a = 1; a < shape.n_actions; ++a)
      if (row[a] > row[best]) best = a;
    const char label = layout.label[s][0], arrow = layout.action_label[best][0];
    const bool live = far_shape_is_live(&shape, s);
    cell[(int)layout.y[s] * width + (int)layout.x[s]] = live ? arrow : label;
  }
  for (int y = 0; y < height; ++y) printf("%.*s\n", width, cell + y * width);
  free(cell);
}

int main(void) {
  far_error error;
  far_mdp *lake, *copy;
  far_agent *agent, *loaded;
  void *saved;
  size_t size;
  printf("Farsight %s\n", far_version());
  need(far_mdp_create(&lake, "frozen-lake:slippery=off", &error), &error);
  copy = through_arrays(lake);
  const far_shape shape = far_mdp_shape(copy);
  need(far_agent_create(&agent, "q-learning:q0=1,gamma=0.9,ties=lowest,epsilon=0", &shape, 1, 0,
                        &error),
       &error);
  learn(agent, copy);
  need(far_agent_save_memory(&saved, &size, agent, &error), &error);
  need(far_agent_load_memory(&loaded, saved, size, &error), &error);
  far_free(saved);
  double *policy = malloc((size_t)shape.n_states * shape.n_actions * sizeof *policy);
  double *q = malloc((size_t)shape.n_states * shape.n_actions * sizeof *q);
  if (policy == NULL || q == NULL) return 1;
  if (!far_agent_policies(loaded, policy) || !far_agent_values(loaded, FAR_VALUE_Q, q)) return 1;
  printf("after %lld steps the start is worth %.3f\n", (long long)far_agent_steps(loaded), q[1]);
  draw(lake, policy); /* the copy has no layout */
  free(q);
  free(policy);
  far_agent_free(loaded);
  far_agent_free(agent);
  far_mdp_free(copy);
  far_mdp_free(lake);
  return 0;
}
