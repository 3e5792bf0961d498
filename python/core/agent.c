/* Agent: a learner, with the number of observed visits of every pair.
 *
 * A subclass may have an __init__ of its own, so that an object can exist before its agent does: every method begins
 * with `agent_take`, which raises an exception then. The memory of the visits is an object of its own, since views of
 * the visits can outlive the agent.
 */
#include "agent.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "agents/facts.h"

static PyTypeObject *agent_type;

/* ---- one user at a time ---- */

static bool is_made(const agent *self) {
  if (self->agent != NULL) return true;
  PyErr_SetString(PyExc_RuntimeError,
                  "this agent does not exist yet: __init__ must call super().__init__(...)");
  return false;
}

bool agent_take(agent *self) {
  if (!core_take(&self->lock, "agent")) return false;
  if (is_made(self)) return true;
  core_release(&self->lock);
  return false;
}

PyObject *agent_give_back(agent *self, PyObject *result) {
  core_release(&self->lock);
  return result;
}

/* ---- making and freeing ---- */

static bool plans_long(const char *spec) {
  const far_type_info *type = far_spec_type(far_agent_type, spec);
  return type == NULL || type->model_based;
}

static void free_counts(PyObject *capsule) {
  free(PyCapsule_GetPointer(capsule, NULL));
}

/* Memory for counts, all 0, owned by a capsule: Python code could resize an array that owned it. */
static int64_t *new_counts(PyObject **owner, size_t count) {
  int64_t *counts = calloc(count, sizeof *counts);
  if (counts == NULL) {
    PyErr_NoMemory();
    return NULL;
  }
  *owner = PyCapsule_New(counts, NULL, free_counts);
  if (*owner != NULL) return counts;
  free(counts);
  return NULL;
}

/* Makes counts for a problem of this shape. If the size is unchanged, the memory stays, so that views show the new
 * counts. */
static bool make_counts(agent *self, const far_shape *shape) {
  const size_t count = agent_n_pairs(shape);
  PyObject *memory;
  if (self->agent != NULL && self->shape.n_states == shape->n_states &&
      self->shape.n_actions == shape->n_actions) {
    memset(self->counts, 0, count * sizeof *self->counts);
    return true;
  }
  int64_t *counts = new_counts(&memory, count);
  if (counts == NULL) return false;
  Py_XDECREF(self->memory);
  self->memory = memory;
  self->counts = counts;
  return true;
}

/* Makes `made` the agent of the object, in place of the one it has; no visits yet. */
static bool adopt(agent *self, far_agent *made) {
  const far_shape shape = *far_agent_shape(made);
  if (!make_counts(self, &shape)) {
    far_agent_free(made);
    return false;
  }
  far_agent_free(self->agent);
  self->agent = made;
  self->shape = shape;
  self->plans = plans_long(far_agent_spec(made));
  return true;
}

static far_agent *create(const char *spec, PyObject *problem, int64_t steps, uint64_t seed,
                         uint64_t replicate) {
  far_shape shape;
  PyObject *held;
  if (!core_shape(&shape, &held, problem)) return NULL;
  if (steps > 0) shape = far_shape_for(shape, steps, 0);
  const far_mdp *mdp = PyTuple_Check(problem) ? NULL : core_model(problem);
  far_agent *made = NULL;
  far_error error;
  core_work work = core_work_begin(Py_None);
  const far_status status =
      mdp != NULL ? far_agent_create_on(&made, spec, mdp, steps, seed, replicate, &error)
                  : far_agent_create(&made, spec, &shape, seed, replicate, &error);
  core_work_end(&work);
  Py_XDECREF(held);
  if (status == FAR_OK) return made;
  core_raise(&error, spec);
  return NULL;
}

static int init_taken(agent *self, PyObject *args, PyObject *named) {
  static char *names[] = {"spec", "problem", "seed", "replicate", "steps", NULL};
  PyObject *text, *problem, *seed_object = NULL, *replicate_object = NULL;
  const char *spec;
  uint64_t seed = 1, replicate = 0;
  int64_t steps = 0;
  if (!PyArg_ParseTupleAndKeywords(args, named, "OO|OOO&:Agent", names, &text, &problem,
                                   &seed_object, &replicate_object, CORE_INT64("steps", &steps)) ||
      !core_text(&spec, text, "spec", false) ||
      (seed_object != NULL && seed_object != Py_None && !core_uint64(&seed, seed_object, "seed")) ||
      (replicate_object != NULL && !core_uint64(&replicate, replicate_object, "replicate")))
    return -1;
  far_agent *made = create(spec, problem, steps, seed, replicate);
  return made != NULL && adopt(self, made) ? 0 : -1;
}

static int agent_init(PyObject *object, PyObject *args, PyObject *named) {
  agent *self = (agent *)object;
  if (!core_take(&self->lock, "agent")) return -1;
  const int failed = init_taken(self, args, named);
  core_release(&self->lock);
  return failed;
}

static PyObject *agent_new(PyTypeObject *type, PyObject *args, PyObject *named) {
  (void)args, (void)named; /* the arguments are for __init__ */
  return core_new_object(type);
}

/* A new object of this type that owns the agent. */
PyObject *agent_wrap(PyTypeObject *type, far_agent *made) {
  PyObject *object = agent_new(type, NULL, NULL);
  if (object == NULL) far_agent_free(made);
  if (object != NULL && !adopt((agent *)object, made)) Py_CLEAR(object);
  return object;
}

static void agent_free(PyObject *object) {
  agent *self = (agent *)object;
  far_agent_free(self->agent);
  Py_XDECREF(self->memory);
  core_free_object(object);
}

/* ---- act and observe: the two calls that must be fast ---- */

/* As core_index, but with a single call of Python where the index is valid. */
static inline bool fast_index(uint32_t *out, PyObject *object, const char *what, uint32_t limit) {
  const long value = PyLong_AsLong(object);
  *out = (uint32_t)value;
  if (value >= 0 && (unsigned long)value < limit) return true;
  PyErr_Clear();
  return core_index(out, object, what, limit);
}

static inline bool fast_truth(bool *out, PyObject *object) {
  if (object == Py_True || object == Py_False) {
    *out = object == Py_True;
    return true;
  }
  const int truth = PyObject_IsTrue(object);
  *out = truth > 0;
  return truth >= 0;
}

static PyObject *act(PyObject *object, PyObject *state) {
  agent *self = (agent *)object;
  uint32_t s, a;
  far_error error;
  if (!agent_take(self)) return NULL;
  if (!fast_index(&s, state, "state", self->shape.n_states)) return agent_give_back(self, NULL);
  const far_status status = far_agent_try_act(self->agent, s, &a, &error);
  core_release(&self->lock);
  return status == FAR_OK ? PyLong_FromLong((long)a) : core_raise(&error, NULL);
}

static bool named_argument(PyObject **values, PyObject *name, PyObject *value) {
  for (int i = 0; i < N_ARGUMENTS; ++i) {
    if (PyUnicode_CompareWithASCIIString(name, agent_columns[i]) != 0) continue;
    if (values[i] == NULL) {
      values[i] = value;
      return true;
    }
    PyErr_Format(PyExc_TypeError, "observe() has two values for '%s'", agent_columns[i]);
    return false;
  }
  PyErr_Format(PyExc_TypeError, "observe() has no argument %R", name);
  return false;
}

/* The arguments by place; those that were not given are NULL. */
static bool observe_arguments(PyObject **values, PyObject *const *args, Py_ssize_t count,
                              PyObject *names) {
  if (count > N_ARGUMENTS) {
    PyErr_Format(PyExc_TypeError, "observe() takes at most %d arguments, not %zd", N_ARGUMENTS,
                 count);
    return false;
  }
  for (Py_ssize_t i = 0; i < count; ++i) values[i] = args[i];
  const Py_ssize_t n_named = names != NULL ? PyTuple_Size(names) : 0;
  for (Py_ssize_t i = 0; i < n_named; ++i)
    if (!named_argument(values, PyTuple_GetItem(names, i), args[count + i])) return false;
  for (int i = 0; i <= NEXT; ++i) {
    if (values[i] != NULL) continue;
    PyErr_Format(PyExc_TypeError, "observe() needs a value for '%s'", agent_columns[i]);
    return false;
  }
  return true;
}

/* Reads a transition; `next` of a terminated step is ignored. */
static bool read_step(far_transition *step, PyObject *const *values, const far_shape *shape) {
  return fast_index(&step->s, values[S], "state", shape->n_states) &&
         fast_index(&step->a, values[A], "action", shape->n_actions) &&
         core_double(&step->r, values[R], "reward") &&
         (values[TERMINATED] == NULL || fast_truth(&step->done, values[TERMINATED])) &&
         (values[TRUNCATED] == NULL || fast_truth(&step->cut, values[TRUNCATED])) &&
         (step->done || fast_index(&step->next, values[NEXT], "next state", shape->n_states));
}

/* Observes the step; releases Python's lock if the agent may compute a plan. */
static far_status learn(agent *self, const far_transition *step, far_error *error) {
  if (!self->plans) return far_agent_observe(self->agent, step, error);
  core_work work = core_work_begin(Py_None);
  const far_status status = far_agent_observe(self->agent, step, error);
  core_work_end(&work);
  return status;
}

static PyObject *observe(PyObject *object, PyObject *const *args, Py_ssize_t count,
                         PyObject *names) {
  agent *self = (agent *)object;
  PyObject *values[N_ARGUMENTS] = {0};
  far_transition step = {0};
  far_error error;
  if (!observe_arguments(values, args, count, names) || !agent_take(self)) return NULL;
  if (!read_step(&step, values, &self->shape)) return agent_give_back(self, NULL);
  agent_widen(&step.r, &self->shape);
  const far_status status = learn(self, &step, &error);
  if (status == FAR_OK) agent_count_visit(self, &step);
  core_release(&self->lock);
  if (status != FAR_OK) return core_raise(&error, NULL);
  Py_RETURN_NONE;
}

/* ---- for other files ---- */

far_agent *core_agent_take(PyObject *object) {
  if (!PyObject_TypeCheck(object, agent_type)) {
    PyErr_Format(PyExc_TypeError, "expected an agent (farsight.Agent), not %R",
                 (PyObject *)Py_TYPE(object));
    return NULL;
  }
  return agent_take((agent *)object) ? ((agent *)object)->agent : NULL;
}

void core_agent_release(PyObject *object) {
  core_release(&((agent *)object)->lock);
}

void core_agent_count(PyObject *object, const far_transition *step) {
  agent_count_visit((agent *)object, step);
}

/* ---- what the agent knows ---- */

static PyObject *pair_array(const agent *self) {
  return core_array(NPY_DOUBLE, 2, (npy_intp[]){self->shape.n_states, self->shape.n_actions});
}

const char *const core_value_names[FAR_VALUE_COUNT] = {[FAR_VALUE_Q] = "q",
                                                       [FAR_VALUE_BONUS] = "bonus",
                                                       [FAR_VALUE_E] = "e",
                                                       [FAR_VALUE_N] = "samples",
                                                       [FAR_VALUE_LEARN] = "learning"};

static bool find_kind(far_value *out, PyObject *name) {
  const char *text;
  int found;
  if (!core_text(&text, name, "kind", false) ||
      !core_choice(&found, text, "kind", core_value_names, FAR_VALUE_COUNT))
    return false;
  *out = (far_value)found;
  return true;
}

/* The step of the episode to read values of: `given`, or the present step if that is INT64_MIN. */
static bool find_step(int64_t *out, const agent *self, int64_t given) {
  const int64_t horizon = self->shape.horizon, count = horizon > 0 ? horizon : 1;
  *out = given == INT64_MIN ? far_agent_episode_step(self->agent) : given;
  if (*out >= 0 && *out < count) return true;
  PyErr_Format(PyExc_ValueError, "step %lld is outside 0 ... %lld", given, (long long)count - 1);
  return false;
}

static bool fill_values(const agent *self, far_value kind, int64_t h, double *out) {
  const far_shape *shape = &self->shape;
  for (uint32_t s = 0; s < shape->n_states; ++s)
    for (uint32_t a = 0; a < shape->n_actions; ++a)
      if (!far_agent_value_at(self->agent, kind, h, s, a, out++)) return false;
  return true;
}

static bool fill_policy(const agent *self, int64_t h, double *out) {
  const far_shape *shape = &self->shape;
  for (uint32_t s = 0; s < shape->n_states; ++s, out += shape->n_actions) {
    if (!far_agent_policy_at(self->agent, h, s, out)) return false;
    for (uint32_t a = 0; !far_shape_is_live(shape, s) && a < shape->n_actions; ++a) out[a] = 0;
  }
  return true;
}

static PyObject *values(PyObject *object, PyObject *args) {
  agent *self = (agent *)object;
  PyObject *name;
  int64_t h, given = INT64_MIN;
  far_value kind;
  if (!PyArg_ParseTuple(args, "O|O&:_values", &name, CORE_INT64("step", &given))) return NULL;
  if (!find_kind(&kind, name) || !agent_take(self)) return NULL;
  PyObject *array = find_step(&h, self, given) ? pair_array(self) : NULL;
  bool known = true;
  if (array != NULL) known = fill_values(self, kind, h, PyArray_DATA((PyArrayObject *)array));
  core_release(&self->lock);
  if (known) return array;
  Py_DECREF(array);
  Py_RETURN_NONE;
}

static PyObject *policy(PyObject *object, PyObject *args) {
  agent *self = (agent *)object;
  int64_t h, given = INT64_MIN;
  if (!PyArg_ParseTuple(args, "|O&:_policy", CORE_INT64("step", &given))) return NULL;
  if (!agent_take(self)) return NULL;
  PyObject *array = find_step(&h, self, given) ? pair_array(self) : NULL;
  bool known = true;
  if (array != NULL) known = fill_policy(self, h, PyArray_DATA((PyArrayObject *)array));
  core_release(&self->lock);
  if (known) return array;
  Py_DECREF(array);
  Py_RETURN_NONE;
}

static PyObject *visits_view(const agent *self) {
  const npy_intp dims[] = {self->shape.n_states, self->shape.n_actions};
  PyObject *array = PyArray_New(&PyArray_Type, 2, dims, NPY_INT64, NULL, self->counts, 0,
                                NPY_ARRAY_CARRAY_RO, NULL);
  if (array == NULL) return NULL;
  Py_INCREF(self->memory);
  if (PyArray_SetBaseObject((PyArrayObject *)array, self->memory) < 0) Py_CLEAR(array);
  return array;
}

static PyObject *get_visits(PyObject *object, void *unused) {
  (void)unused;
  agent *self = (agent *)object;
  return agent_take(self) ? agent_give_back(self, visits_view(self)) : NULL;
}

static PyObject *set_visits(PyObject *object, PyObject *array) {
  agent *self = (agent *)object;
  if (!agent_take(self)) return NULL;
  PyObject *held;
  const size_t count = agent_n_pairs(&self->shape);
  const int64_t *counts = core_data(&held, array, "visits", NPY_INT64, (Py_ssize_t)count);
  if (counts != NULL) {
    memcpy(self->counts, counts, count * sizeof *counts);
    Py_DECREF(held);
  }
  core_release(&self->lock);
  return agent_none(counts != NULL);
}

/* ---- attributes ---- */

static PyObject *get_spec(PyObject *self, void *unused) {
  (void)unused;
  return is_made((agent *)self) ? PyUnicode_FromString(far_agent_spec(((agent *)self)->agent))
                                : NULL;
}

static PyObject *get_steps(PyObject *self, void *unused) {
  (void)unused;
  return is_made((agent *)self) ? PyLong_FromLongLong(far_agent_steps(((agent *)self)->agent))
                                : NULL;
}

static PyObject *get_n_states(PyObject *self, void *unused) {
  (void)unused;
  return is_made((agent *)self) ? PyLong_FromUnsignedLong(((agent *)self)->shape.n_states) : NULL;
}

static PyObject *get_n_actions(PyObject *self, void *unused) {
  (void)unused;
  return is_made((agent *)self) ? PyLong_FromUnsignedLong(((agent *)self)->shape.n_actions) : NULL;
}

static PyObject *get_reward_range(PyObject *self, void *unused) {
  (void)unused;
  const far_shape *shape = &((agent *)self)->shape;
  return is_made((agent *)self) ? Py_BuildValue("(dd)", shape->reward_min, shape->reward_max)
                                : NULL;
}

static PyObject *get_episodic(PyObject *self, void *unused) {
  (void)unused;
  return is_made((agent *)self) ? PyBool_FromLong(((agent *)self)->shape.episodic) : NULL;
}

static PyObject *get_horizon(PyObject *self, void *unused) {
  (void)unused;
  if (!is_made((agent *)self)) return NULL;
  const int64_t horizon = ((agent *)self)->shape.horizon;
  if (horizon == 0) Py_RETURN_NONE;
  return PyLong_FromLongLong(horizon);
}

static PyObject *get_episode_step(PyObject *self, void *unused) {
  (void)unused;
  if (!is_made((agent *)self)) return NULL;
  return PyLong_FromLongLong(far_agent_episode_step(((agent *)self)->agent));
}

static PyObject *get_by_step(PyObject *self, void *unused) {
  (void)unused;
  return is_made((agent *)self) ? PyBool_FromLong(far__agent_by_step(((agent *)self)->agent))
                                : NULL;
}

static PyObject *get_stopped(PyObject *self, void *unused) {
  (void)unused;
  return is_made((agent *)self) ? PyBool_FromLong(far_agent_stopped(((agent *)self)->agent)) : NULL;
}

static PyObject *get_certificate(PyObject *self, void *unused) {
  (void)unused;
  double bound;
  if (!is_made((agent *)self)) return NULL;
  if (!far_agent_certificate(((agent *)self)->agent, &bound)) Py_RETURN_NONE;
  return PyFloat_FromDouble(bound);
}

static PyObject *get_uncertified(PyObject *self, void *unused) {
  (void)unused;
  double bound;
  if (!is_made((agent *)self)) return NULL;
  if (!far_agent_uncertified(((agent *)self)->agent, &bound)) Py_RETURN_NONE;
  return PyFloat_FromDouble(bound);
}

static PyObject *absent_array(const far_shape *shape) {
  const npy_intp count = shape->n_states;
  PyObject *array = PyArray_ZEROS(1, &count, NPY_BOOL, 0);
  if (array != NULL && shape->absent != NULL)
    memcpy(PyArray_DATA((PyArrayObject *)array), shape->absent, (size_t)count);
  return array;
}

static PyObject *get_absent(PyObject *self, void *unused) {
  (void)unused;
  return is_made((agent *)self) ? absent_array(&((agent *)self)->shape) : NULL;
}

/* ---- the type ---- */

static PyGetSetDef attributes[] = {
    {"spec", get_spec, NULL, "str: The canonical spec: every parameter that applies.", NULL},
    {"steps", get_steps, NULL, "int: The number of transitions observed so far.", NULL},
    {"n_states", get_n_states, NULL, "int: The number of states.", NULL},
    {"n_actions", get_n_actions, NULL, "int: The number of actions.", NULL},
    {"reward_range", get_reward_range, NULL,
     "tuple[float, float]: The smallest and the largest reward.", NULL},
    {"episodic", get_episodic, NULL, "bool: Whether episodes can end.", NULL},
    {"horizon", get_horizon, NULL, "int | None: The steps of an episode; None: no horizon.", NULL},
    {"episode_step", get_episode_step, NULL,
     "int: The step of the episode that comes next, from 0; always 0 without a horizon.", NULL},
    {"by_step", get_by_step, NULL, "bool: Whether its policy depends on the step of the episode.",
     NULL},
    {"certificate", get_certificate, NULL,
     "float | None: A bound on what its policy loses in an episode against the best; None: it has "
     "none, or its parameters are outside the guarantee.",
     NULL},
    {"uncertified", get_uncertified, NULL,
     "float | None: What the certificate would be if the parameters carried the guarantee: nothing "
     "is proved of it. None: it has a certificate, or no number.",
     NULL},
    {"stopped", get_stopped, NULL,
     "bool: Whether it has learned enough, by its own rule, and recommends its policy.", NULL},
    {"absent", get_absent, NULL,
     "BoolArray: True where a state is terminal or cannot be reached, as the agent was told.",
     NULL},
    {"visits", get_visits, NULL,
     "IntArray: How often each pair was observed by this object: a read-only view that follows the "
     "agent.",
     NULL},
    {0}};

static PyMethodDef methods[] = {
    {"act", act, METH_O,
     "act(self, s, /)\n--\n\nact(s: int) -> int\n\n"
     "The action to take in state s. Learns nothing; may draw from the agent's random stream."},
    {"observe", CORE_METHOD(observe), METH_FASTCALL | METH_KEYWORDS,
     "observe(self, s, a, r, next, terminated=False, truncated=False)\n--\n\n"
     "observe(s: int, a: int, r: float, next: int | None, terminated: bool = False, "
     "truncated: bool = False) -> None\n\n"
     "Learn from one transition: action a in state s gave reward r and led to state next.\n\n"
     "terminated: a terminal state was reached; next is then ignored. truncated: the episode was\n"
     "stopped, as by a time limit; the value of next counts as after any other step."},
    {"act_many", agent_act_many, METH_O,
     "act_many(self, states, /)\n--\n\nact_many(states: npt.ArrayLike) -> IntArray\n\n"
     "The actions to take in many states, in their order: as one call of act for each."},
    {"observe_many", CORE_METHOD(agent_observe_many), METH_VARARGS | METH_KEYWORDS,
     "observe_many(self, states, actions, rewards, next_states, terminated=None, "
     "truncated=None)\n--\n\n"
     "observe_many(states: npt.ArrayLike, actions: npt.ArrayLike, rewards: npt.ArrayLike, "
     "next_states: "
     "npt.ArrayLike, "
     "terminated: npt.ArrayLike | None = None, truncated: npt.ArrayLike | None = None) -> None\n\n"
     "Learn from many transitions in their order, up to the first that is refused."},
    {"_values", values, METH_VARARGS,
     "_values(self, kind, h=..., /)\n--\n\n_values(kind: str, h: int = ..., /) -> FloatArray | "
     "None\n\n"
     "q, bonus, e, samples or learning of every pair on step h of an episode, by default the "
     "present "
     "one; None if the algorithm has none."},
    {"_policy", policy, METH_VARARGS,
     "_policy(self, h=..., /)\n--\n\n_policy(h: int = ..., /) -> FloatArray | None\n\n"
     "The probability of every action in every state on step h; None if there is no closed form."},
    {"_figure", CORE_METHOD(agent_figure), METH_VARARGS | METH_KEYWORDS,
     "_figure(self, /, model, what, name=None, exact=False, gamma=nan, scale='auto', "
     "width=720.0, step=-1)\n--\n\n"
     "_figure(model: Model, what: str, name: str | None = None, exact: bool = False, gamma: float "
     "= "
     "..., scale: str = 'auto', width: float = 720.0, step: int = -1) -> Figure\n\n"
     "What it knows, on the layout of a model."},
    {"_set_visits", set_visits, METH_O,
     "_set_visits(self, visits, /)\n--\n\n_set_visits(visits: npt.ArrayLike) -> None\n\n"
     "Set the counts of visits, as after loading."},
    {"_clone", agent_clone, METH_NOARGS,
     "_clone(self, /)\n--\n\n_clone() -> Self\n\n"
     "An independent copy, random stream and visits included; attributes of a subclass are not."},
    {"_save", agent_save, METH_O,
     "_save(self, path, /)\n--\n\n_save(path: str | bytes | os.PathLike[str]) -> None\n\n"
     "Write the agent to a file, without its visits."},
    {"_load", agent_load, METH_O | METH_CLASS,
     "_load(path, /)\n--\n\n_load(path: str | bytes | os.PathLike[str]) -> Self\n\n"
     "An agent from a file."},
    {"_restore", agent_restore, METH_O,
     "_restore(self, path, /)\n--\n\n_restore(path: str | bytes | os.PathLike[str]) -> None\n\n"
     "Take the state of a saved agent of the same spec and shape; visits begin at 0."},
    {"save_bytes", agent_save_bytes, METH_NOARGS,
     "save_bytes(self, /)\n--\n\nsave_bytes() -> bytes\n\n"
     "What a file of the agent holds: everything but the visits."},
    {"load_bytes", agent_load_bytes, METH_O | METH_CLASS,
     "load_bytes(data, /)\n--\n\nload_bytes(data: bytes) -> Self\n\n"
     "An agent from bytes; it continues bit for bit where the saved one stood."},
    {"reset", CORE_METHOD(agent_reset), METH_VARARGS | METH_KEYWORDS,
     "reset(self, /, seed=1, replicate=0)\n--\n\nreset(seed: int | None = 1, replicate: int = 0) "
     "-> "
     "None\n\n"
     "Forget everything and start on the random stream (seed, replicate), as if created anew."},
    {0}};

static PyType_Slot slots[] = {
    {Py_tp_doc, "Agent(spec, problem, seed=1, replicate=0, steps=0)\n--\n\n"
                "Agent(spec: str, problem: Model | tuple[object, ...], seed: int | None = 1, "
                "replicate: int = 0, steps: int = 0)\n\n"
                "A learner. problem is a model, or a tuple (n_states, n_actions, reward_min, "
                "reward_max, episodic, absent, horizon, gamma, average, steps), of which the last "
                "four may be left out; steps is the length of the run (0: not known)."},
    {Py_tp_new, agent_new},
    {Py_tp_init, agent_init},
    {Py_tp_dealloc, agent_free},
    {Py_tp_getset, attributes},
    {Py_tp_methods, methods},
    {0}};

static PyType_Spec type_spec = {.name = "farsight._core.Agent",
                                .basicsize = sizeof(agent),
                                .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                                .slots = slots};

bool core_add_agent(PyObject *module) {
  agent_type = core_add_type(module, &type_spec);
  return agent_type != NULL && core_add_functions(module, agent_functions);
}
