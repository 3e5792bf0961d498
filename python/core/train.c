/* The loop of farsight.train without Python: an agent in one world, many steps a call. */
#include "core.h"

/* The state of the loop; the caller passes it from call to call. */
typedef struct journey {
  PyObject *agent_object;
  far_agent *agent;
  far_worlds *worlds;
  uint32_t s;
  bool over;     /* the next step begins an episode */
  double total;  /* reward of the episode so far */
  int64_t steps; /* of the episode so far */
  int64_t limit; /* truncates an episode of so many steps; 0: none */
} journey;

/* The arrays that the loop fills, with room for `room` steps and episodes. */
typedef struct record {
  double *rewards, *returns;
  int64_t *lengths;
  bool *terminated;
  int64_t room, most_episodes;
  int64_t steps, episodes;
} record;

static far_status begin_episode(journey *j, far_error *error) {
  j->over = false;
  j->total = 0;
  j->steps = 0;
  return far_worlds_reset(j->worlds, NULL, &j->s, error);
}

static void end_episode(journey *j, record *r, bool terminated) {
  r->returns[r->episodes] = j->total;
  r->lengths[r->episodes] = j->steps;
  r->terminated[r->episodes++] = terminated;
  j->over = true;
}

static far_status world_step(journey *j, far_transition *step, far_error *error) {
  const far_status status = far_worlds_step(j->worlds, &step->a, &step->next, &step->r, &step->done,
                                            &step->cut, NULL, error);
  if (j->limit > 0 && j->steps + 1 >= j->limit) step->cut = true;
  return status;
}

static far_status one_step(journey *j, record *r, far_error *error) {
  far_status status = j->over ? begin_episode(j, error) : FAR_OK;
  far_transition step = {.s = j->s};
  if (status == FAR_OK) status = far_agent_try_act(j->agent, j->s, &step.a, error);
  if (status == FAR_OK) status = world_step(j, &step, error);
  if (status == FAR_OK) status = far_agent_observe(j->agent, &step, error);
  if (status != FAR_OK) return status;
  core_agent_count(j->agent_object, &step);
  r->rewards[r->steps++] = step.r;
  j->total += step.r;
  j->steps += 1;
  if (step.done || step.cut)
    end_episode(j, r, step.done);
  else
    j->s = step.next;
  return FAR_OK;
}

static PyObject *travel(journey *j, record *r) {
  far_error error;
  far_status status = FAR_OK;
  core_work work = core_work_begin(Py_None);
  while (status == FAR_OK && r->steps < r->room && r->episodes < r->most_episodes)
    status = one_step(j, r, &error);
  core_work_end(&work);
  if (status != FAR_OK) return core_raise(&error, NULL);
  return Py_BuildValue("(LLIOdL)", (long long)r->steps, (long long)r->episodes, (unsigned)j->s,
                       j->over ? Py_True : Py_False, j->total, (long long)j->steps);
}

/* ---- arguments ---- */

/* The data of an array that is written to: contiguous and of exactly this type. */
static void *output(PyObject *object, int type, int64_t *room) {
  PyArrayObject *array = (PyArrayObject *)object;
  if (!PyArray_Check(object) || PyArray_TYPE(array) != type || !PyArray_ISCARRAY(array)) {
    PyErr_SetString(PyExc_TypeError, "train_in needs contiguous arrays of the right type");
    return NULL;
  }
  if (PyArray_SIZE(array) < *room) *room = PyArray_SIZE(array);
  return PyArray_DATA(array);
}

/* Requires a tuple, which keeps its arrays alive; another sequence might create them anew on each access. */
static bool open_record(record *r, PyObject *tuple, long long most_episodes) {
  PyObject *arrays[4];
  if (!PyArg_ParseTuple(tuple, "OOOO:arrays", &arrays[0], &arrays[1], &arrays[2], &arrays[3]))
    return false;
  r->room = INT64_MAX;
  r->most_episodes = most_episodes;
  r->rewards = output(arrays[0], NPY_DOUBLE, &r->room);
  r->returns = r->rewards != NULL ? output(arrays[1], NPY_DOUBLE, &r->room) : NULL;
  r->lengths = r->returns != NULL ? output(arrays[2], NPY_INT64, &r->room) : NULL;
  r->terminated = r->lengths != NULL ? output(arrays[3], NPY_BOOL, &r->room) : NULL;
  return r->terminated != NULL;
}

static PyObject *travel_taken(journey *j, record *r, PyObject *worlds) {
  const uint32_t n_states = far_agent_shape(j->agent)->n_states;
  if (far_worlds_count(j->worlds) != 1 || j->s >= n_states) {
    PyErr_SetString(PyExc_ValueError, "train_in needs one world, and a state of the agent's");
    return NULL;
  }
  if (core_worlds_fit(worlds, far_agent_shape(j->agent))) return travel(j, r);
  PyErr_SetString(PyExc_ValueError, "the agent and the worlds differ in their states or actions");
  return NULL;
}

static PyObject *train_in(PyObject *module, PyObject *args) {
  (void)module;
  journey j = {0};
  record r = {0};
  PyObject *worlds, *state, *arrays, *result = NULL;
  int over;
  uint32_t s;
  long long most, limit, steps;
  if (!PyArg_ParseTuple(args, "OOOpdLLO!L:train_in", &j.agent_object, &worlds, &state, &over,
                        &j.total, &steps, &limit, &PyTuple_Type, &arrays, &most) ||
      !core_index(&s, state, "s", UINT32_MAX) || !open_record(&r, arrays, most))
    return NULL;
  if (steps < 0 || steps > INT64_MAX / 2) {
    PyErr_SetString(PyExc_ValueError, "the length of an episode must be in 0 ... 2^62");
    return NULL;
  }
  j.s = s, j.over = over != 0, j.steps = steps, j.limit = limit;
  j.agent = core_agent_take(j.agent_object);
  if (j.agent == NULL) return NULL;
  j.worlds = core_worlds_take(worlds);
  if (j.worlds != NULL) {
    result = travel_taken(&j, &r, worlds);
    core_worlds_release(worlds);
  }
  core_agent_release(j.agent_object);
  return result;
}

static PyMethodDef functions[] = {
    {"train_in", train_in, METH_VARARGS,
     "train_in(agent, worlds, s, over, total, length, limit, arrays, episodes, /)\n--\n\n"
     "train_in(agent: Agent, worlds: Worlds, s: int, over: bool, total: float, length: int, limit: "
     "int, arrays: tuple[FloatArray, FloatArray, IntArray, BoolArray], episodes: int) -> "
     "tuple[int, "
     "int, int, bool, float, int]\n\n"
     "Act and learn in the one world of worlds, until the arrays (rewards; returns, lengths and "
     "terminated of\nepisodes) are full or so many episodes have ended. s: the state; over: the "
     "next step begins an episode;\ntotal, length: of the episode so far; limit: truncates an "
     "episode of so many steps, 0: never.\nReturns (steps, episodes, s, over, total, length)."},
    {0}};

bool core_add_train(PyObject *module) {
  return core_add_functions(module, functions);
}
