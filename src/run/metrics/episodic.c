/* episodic-regret: the sum over the episodes of V*(s) - V(s), where s is the episode's start and V the
 * value of the policy with which the agent began it, frozen. It is the regret of all theorems of finite
 * horizon. With per=episode it is divided by their number, so that runs with the same number of steps, but not of
 * episodes, can be compared. episode-mistakes: in how many episodes that difference is above eps (uniform PAC bounds it
 * for all eps at once). An episode counts from its first step on. */
#include <stdlib.h>

#include "run/metrics/episode-value.h"
#include "base/error.h"

typedef enum regret_per { PER_RUN, PER_EPISODE } regret_per;

typedef struct FAR__PARAMS regret_params {
  int32_t per;
} regret_params;

static const far_param regret_rows[] = {
    {.name = "per",
     .kind = FAR_PARAM_CHOICE,
     .fallback = "run",
     .choices = "run|episode",
     .offset = offsetof(regret_params, per),
     .help = "the sum over the episodes of a run, or their mean"},
};

typedef struct FAR__PARAMS mistakes_params {
  double eps;
} mistakes_params;

static const far_param mistakes_rows[] = {
    {.name = "eps",
     .kind = FAR_PARAM_REAL,
     .fallback = "0.1",
     .min = 0,
     .max = INFINITY,
     .max_open = true,
     .offset = offsetof(mistakes_params, eps),
     .help = "how much less than the best an episode may be expected to earn"},
};

typedef struct watcher {
  far__episode_value value;
  double eps;  /* NAN: the sum itself */
  double loss; /* of the next episode, until its first step */
  bool due;    /* `loss` has not been counted yet */
  bool mean;   /* per episode */
  double sum, episodes;
} watcher;

static void watcher_free(void *of) {
  if (of != NULL) far__episode_value_free(&((watcher *)of)->value);
  free(of);
}

static far_status create(void **out, const far__scene *scene, double eps, bool mean,
                         far_error *error) {
  watcher *w = calloc(1, sizeof *w);
  if (w == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a metric");
  *out = w;
  w->eps = eps;
  w->mean = mean;
  return far__episode_value_create(&w->value, scene, error);
}

static far_status create_regret(void **out, const far__scene *scene, far_error *error) {
  return create(out, scene, NAN, ((const regret_params *)scene->params)->per == PER_EPISODE, error);
}

static far_status create_mistakes(void **out, const far__scene *scene, far_error *error) {
  return create(out, scene, ((const mistakes_params *)scene->params)->eps, false, error);
}

/* Evaluates the policy for the episode that begins in s. */
static void look(watcher *w, const far_agent *agent, uint32_t s) {
  far__episode_value_look(&w->value, agent);
  w->loss = far__episode_loss(&w->value, s);
  if (w->eps == w->eps) w->loss = w->loss > w->eps + far__episode_slack(&w->value);
  w->due = true;
}

static far_status begin(void *of, const far_agent *agent, uint32_t s, far_error *error) {
  watcher *w = of;
  (void)error;
  w->sum = w->episodes = 0;
  w->value.known = false; /* the value is that of an earlier run */
  look(w, agent, s);
  return FAR_OK;
}

static far_status step(void *of, const far_agent *agent, const far_transition *step, uint32_t next,
                       far_error *error) {
  watcher *w = of;
  (void)error;
  if (w->due) {
    w->sum += w->loss;
    w->episodes += 1;
  }
  w->due = false;
  if (step->done || step->cut) look(w, agent, next);
  return FAR_OK;
}

static double end(void *of, const far_agent *agent) {
  (void)agent;
  const watcher *w = of;
  return w->mean && w->episodes > 0 ? w->sum / w->episodes : w->sum;
}

const far__metric_type far__metric_episodic_regret = {
    .info = {.name = "episodic-regret",
             .summary = "Finite horizon: what the policies of the episodes lose against the best",
             .reference = "Azar, Osband & Munos, Minimax Regret Bounds for Reinforcement Learning, "
                          "ICML 2017",
             .finite_horizon = true,
             .params = regret_rows,
             .n_params = sizeof regret_rows / sizeof *regret_rows},
    .create = create_regret,
    .begin = begin,
    .step = step,
    .end = end,
    .sofar = end,
    .free = watcher_free,
};

const far__metric_type far__metric_episode_mistakes = {
    .range = FAR__STEPS,
    .info = {.name = "episode-mistakes",
             .summary = "Finite horizon: episodes whose policy loses more than eps",
             .reference =
                 "Dann, Lattimore & Brunskill, Unifying PAC and Regret: Uniform PAC Bounds "
                 "for Episodic Reinforcement Learning, NeurIPS 2017",
             .finite_horizon = true,
             .params = mistakes_rows,
             .n_params = sizeof mistakes_rows / sizeof *mistakes_rows},
    .create = create_mistakes,
    .begin = begin,
    .step = step,
    .end = end,
    .sofar = end,
    .free = watcher_free,
};
