/* Questions about stored results, as Python asks them. */
#ifndef FARSIGHT_PYTHON_COMPARISON_H
#define FARSIGHT_PYTHON_COMPARISON_H

#include "core.h"

/* The definition of a question, and the objects that it borrows from. */
typedef struct core_question {
  far_comparison_def def;
  PyObject *arguments; /* keeps the objects below alive */
  PyObject *store;
  PyObject *report; /* a function, or None */
  PyObject *models; /* a tuple; or NULL */
  const far_mdp **model_list;
  const char **envs, **agents, **env_names, **agent_names;
} core_question;

#define CORE_QUESTION_SIGNATURE                                                                    \
  "store, envs, agents, series='total', baseline=None, steps=0, run_seed=None, better='known', "   \
  "paired=False, level=0.95, correction='holm', resamples=10000, seed=1, most_agents=60, "         \
  "report=None, models=None, env_names=None, agent_names=None, episodes=0"
#define CORE_QUESTION_TYPES                                                                        \
  "store: Store, envs: list[str], agents: list[str], series: str = 'total', baseline: str "        \
  "| None = None, steps: int = 0, run_seed: int | None = None, better: str = 'known', paired: "    \
  "bool = False, level: float = 0.95, correction: str = 'holm', resamples: int = 10000, seed: "    \
  "int = 1, most_agents: int = 60, report: Callable[[str, int, int], object] | None = None, "      \
  "models: list[Model] | None = None, env_names: list[str] | None = None, agent_names: "           \
  "list[str] | None = None, episodes: int = 0"

/* Reads the arguments of a function with this signature, from `args` without its first `skip`. The caller frees
 * *out, also after a failure. */
bool core_question_take(core_question *out, PyObject *args, Py_ssize_t skip, PyObject *named);
void core_question_free(core_question *question);

/* The work on the store without Python's lock: begin, call the library with the definition, end. */
typedef struct core_asking {
  core_question *question;
  core_work work;
} core_asking;

far_store *core_asking_begin(core_asking *out,
                             core_question *question); /* do not move `out` before the end */
/* True if it succeeded, else an exception is set. */
bool core_asking_end(core_asking *asking, far_status status, const far_error *error);

#endif
