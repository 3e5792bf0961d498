/* Worlds: many copies of one model, stepped in one call (farsight/worlds.h). */
#include "core.h"

enum { MANY = 1 << 14 }; /* from so many worlds on, a step releases Python's lock */

static PyTypeObject *worlds_type;

typedef struct worlds {
  PyObject_HEAD core_lock lock;
  far_worlds *worlds; /* NULL: closed */
  PyObject *model;    /* which the worlds borrow */
  far_worlds_def def;
  size_t n;
  uint32_t n_actions;
  uint32_t *actions, *states, *reached; /* of n, in one block */
} worlds;

static const char *const MODES[] = {"NextStep", "SameStep", "Disabled"}; /* of far_autoreset */

/* ---- one user at a time, and none after close ---- */

static bool take(worlds *w) {
  if (!core_take(&w->lock, "environment")) return false;
  if (w->worlds != NULL) return true;
  core_release(&w->lock);
  PyErr_SetString(PyExc_ValueError, "this environment is closed");
  return false;
}

/* ---- creation ---- */

static bool find_mode(far_autoreset *out, const char *name) {
  int found;
  if (!core_choice(&found, name, "autoreset mode", MODES, 3)) return false;
  *out = (far_autoreset)found;
  return true;
}

static bool allocate(worlds *w, size_t n) {
  if (n > PY_SSIZE_T_MAX / (3 * sizeof(uint32_t)))
    w->actions = NULL;
  else
    w->actions = PyMem_Calloc(3 * n, sizeof(uint32_t));
  if (w->actions == NULL) {
    PyErr_NoMemory();
    return false;
  }
  w->states = w->actions + n;
  w->reached = w->states + n;
  w->n = n;
  return true;
}

static bool create(worlds *w, PyObject *model, size_t n) {
  far_error error;
  const far_mdp *mdp = core_model(model);
  if (mdp == NULL) return false;
  if (far_worlds_create(&w->worlds, mdp, n, &w->def, &error) != FAR_OK) {
    core_raise(&error, NULL);
    return false;
  }
  w->n_actions = far_mdp_shape(mdp).n_actions;
  w->model = model;
  Py_INCREF(model);
  return allocate(w, n);
}

static bool parse(worlds *w, PyObject **model, uint64_t *n, PyObject *args, PyObject *named) {
  static char *names[] = {"model", "n", "seed", "first_replicate", "autoreset", "max_episode_steps",
                          NULL};
  PyObject *count = NULL, *seed = NULL, *first = NULL, *limit = NULL;
  const char *mode = MODES[0];
  w->def = far_worlds_def_default();
  *n = 1;
  return PyArg_ParseTupleAndKeywords(args, named, "O|OOOsO:Worlds", names, model, &count, &seed,
                                     &first, &mode, &limit) &&
         (count == NULL || core_uint64(n, count, "n")) &&
         (seed == NULL || core_uint64(&w->def.seed, seed, "seed")) &&
         (first == NULL || core_uint64(&w->def.first_replicate, first, "first_replicate")) &&
         (limit == NULL || limit == Py_None ||
          core_int64(&w->def.max_episode_steps, limit, "max_episode_steps")) &&
         find_mode(&w->def.autoreset, mode);
}

static PyObject *worlds_new(PyTypeObject *type, PyObject *args, PyObject *named) {
  worlds *w = (worlds *)core_new_object(type);
  PyObject *model;
  uint64_t n;
  if (w != NULL && parse(w, &model, &n, args, named) && create(w, model, (size_t)n))
    return (PyObject *)w;
  Py_XDECREF(w);
  return NULL;
}

static PyObject *worlds_clone(PyObject *self, PyObject *unused) {
  worlds *w = (worlds *)self;
  worlds *copy = (worlds *)core_new_object(Py_TYPE(self));
  far_error error;
  (void)unused;
  if (copy == NULL || !take(w)) goto failed;
  const far_status status = far_worlds_clone(&copy->worlds, w->worlds, &error);
  copy->def = w->def;
  copy->n_actions = w->n_actions;
  copy->model = w->model;
  Py_INCREF(copy->model);
  core_release(&w->lock);
  if (status != FAR_OK)
    core_raise(&error, NULL);
  else if (allocate(copy, w->n))
    return (PyObject *)copy;
failed:
  Py_XDECREF(copy);
  return NULL;
}

static void empty(worlds *w) {
  far_worlds_free(w->worlds);
  PyMem_Free(w->actions);
  w->worlds = NULL;
  w->actions = w->states = w->reached = NULL;
  Py_CLEAR(w->model);
}

static void worlds_free(PyObject *self) {
  empty((worlds *)self);
  core_free_object(self);
}

static PyObject *worlds_close(PyObject *self, PyObject *unused) {
  worlds *w = (worlds *)self;
  (void)unused;
  if (!core_take(&w->lock, "environment")) return NULL;
  empty(w);
  core_release(&w->lock);
  Py_RETURN_NONE;
}

/* ---- pickles ---- */

/* For pickle: the arguments of Worlds, and the present state of the worlds. */
static PyObject *worlds_reduce(PyObject *self, PyObject *unused) {
  worlds *w = (worlds *)self;
  const npy_intp dims[] = {(npy_intp)w->n, FAR_WORLDS_WORDS};
  PyObject *words = core_array(NPY_UINT64, 2, dims);
  (void)unused;
  if (words == NULL || !take(w)) {
    Py_XDECREF(words);
    return NULL;
  }
  far_worlds_save(w->worlds, PyArray_DATA((PyArrayObject *)words));
  PyObject *reduced =
      Py_BuildValue("O(OnKKsL)N", (PyObject *)Py_TYPE(self), w->model, (Py_ssize_t)w->n,
                    (unsigned long long)w->def.seed, (unsigned long long)w->def.first_replicate,
                    MODES[w->def.autoreset], (long long)w->def.max_episode_steps, words);
  core_release(&w->lock);
  return reduced;
}

static PyObject *worlds_set_state(PyObject *self, PyObject *state) {
  worlds *w = (worlds *)self;
  PyObject *held;
  far_error error;
  const uint64_t *words =
      core_data(&held, state, "state", NPY_UINT64, (Py_ssize_t)(w->n * FAR_WORLDS_WORDS));
  if (words == NULL) return NULL;
  bool restored = false;
  if (take(w)) {
    restored = far_worlds_restore(w->worlds, words, &error) == FAR_OK;
    core_release(&w->lock);
    if (!restored) core_raise(&error, NULL);
  }
  Py_DECREF(held);
  if (!restored) return NULL;
  Py_RETURN_NONE;
}

/* ---- reset ---- */

static PyObject *worlds_seed(PyObject *self, PyObject *args) {
  worlds *w = (worlds *)self;
  PyObject *seed, *first = NULL;
  uint64_t s, f = 0;
  if (!PyArg_ParseTuple(args, "O|O:seed", &seed, &first) || !core_uint64(&s, seed, "seed") ||
      (first != NULL && !core_uint64(&f, first, "first_replicate")) || !take(w))
    return NULL;
  far_worlds_seed(w->worlds, s, f);
  w->def.seed = s;
  w->def.first_replicate = f;
  core_release(&w->lock);
  Py_RETURN_NONE;
}

static PyObject *reset(worlds *w, const bool *mask) {
  far_error error;
  if (far_worlds_reset(w->worlds, mask, w->states, &error) != FAR_OK)
    return core_raise(&error, NULL);
  return core_array_of_uint32(w->states, (npy_intp)w->n);
}

static PyObject *worlds_reset(PyObject *self, PyObject *args) {
  worlds *w = (worlds *)self;
  PyObject *given = Py_None, *held = NULL;
  if (!PyArg_ParseTuple(args, "|O:reset", &given)) return NULL;
  const bool *mask = NULL;
  if (given != Py_None &&
      (mask = core_data(&held, given, "mask", NPY_BOOL, (Py_ssize_t)w->n)) == NULL)
    return NULL;
  PyObject *states = NULL;
  if (take(w)) {
    states = reset(w, mask);
    core_release(&w->lock);
  }
  Py_XDECREF(held);
  return states;
}

static PyObject *worlds_reset_one(PyObject *self, PyObject *unused) {
  worlds *w = (worlds *)self;
  (void)unused;
  if (!take(w)) return NULL;
  far_error error;
  const far_status status = far_worlds_reset(w->worlds, NULL, w->states, &error);
  const uint32_t state = w->states[0];
  core_release(&w->lock);
  return status == FAR_OK ? PyLong_FromUnsignedLong(state) : core_raise(&error, NULL);
}

/* ---- step ---- */

/* UINT32_MAX, which no model has as an action, stands for all actions out of bounds; the library reports it only
 * where the action matters. */
static void copy_actions(uint32_t *out, const int64_t *actions, size_t n) {
  for (size_t i = 0; i < n; ++i)
    out[i] = actions[i] >= 0 && actions[i] < UINT32_MAX ? (uint32_t)actions[i] : UINT32_MAX;
}

static bool read_actions(worlds *w, PyObject *object) {
  PyObject *held;
  const int64_t *actions = core_data(&held, object, "actions", NPY_INT64, (Py_ssize_t)w->n);
  if (actions == NULL) return false;
  copy_actions(w->actions, actions, w->n);
  Py_DECREF(held);
  return true;
}

/* What a step fills in; new arrays, since callers keep them. */
typedef struct results {
  PyObject *states, *rewards, *terminated, *truncated, *info;
} results;

static bool make_results(results *r, npy_intp n) {
  r->states = core_array(NPY_INT64, 1, &n);
  r->rewards = core_array(NPY_DOUBLE, 1, &n);
  r->terminated = core_array(NPY_BOOL, 1, &n);
  r->truncated = core_array(NPY_BOOL, 1, &n);
  r->info = PyDict_New();
  return r->states != NULL && r->rewards != NULL && r->terminated != NULL && r->truncated != NULL &&
         r->info != NULL;
}

static void free_results(results *r) {
  Py_XDECREF(r->states);
  Py_XDECREF(r->rewards);
  Py_XDECREF(r->terminated);
  Py_XDECREF(r->truncated);
  Py_XDECREF(r->info);
}

static void *data_of(PyObject *array) {
  return PyArray_DATA((PyArrayObject *)array);
}

static void widen(PyObject *array, const uint32_t *values, size_t n) {
  int64_t *out = data_of(array);
  for (size_t i = 0; i < n; ++i) out[i] = values[i];
}

/* ---- where episodes have ended, in the form of Gymnasium's vector environments ---- */

/* Which episodes have ended: a mask, and whether any has. */
static PyObject *ended_of(const results *r, size_t n, bool *any) {
  const npy_intp count = (npy_intp)n;
  const bool *terminated = data_of(r->terminated), *truncated = data_of(r->truncated);
  PyObject *mask = core_array(NPY_BOOL, 1, &count);
  if (mask == NULL) return NULL;
  bool *out = data_of(mask);
  *any = false;
  for (size_t i = 0; i < n; ++i) *any |= out[i] = terminated[i] || truncated[i];
  return mask;
}

/* The states in which episodes ended, None for the other worlds: an array of objects. */
static PyObject *final_states(const worlds *w, const bool *ended) {
  const npy_intp n = (npy_intp)w->n;
  PyObject *array = core_array(NPY_OBJECT, 1, &n);
  if (array == NULL) return NULL;
  PyObject **out = data_of(array);
  for (size_t i = 0; i < w->n; ++i) {
    PyObject *item = ended[i] ? PyLong_FromUnsignedLong(w->reached[i]) : Py_None;
    if (item == NULL) {
      Py_DECREF(array);
      return NULL;
    }
    if (!ended[i]) Py_INCREF(item);
    Py_XDECREF(out[i]);
    out[i] = item;
  }
  return array;
}

/* With SameStep: adds to `info` the states in which episodes ended, where new ones have begun. */
static bool add_final(const worlds *w, const results *r) {
  bool any;
  PyObject *ended = ended_of(r, w->n, &any);
  bool good = ended != NULL;
  if (good && any)
    good = core_put(r->info, "final_obs", final_states(w, data_of(ended))) &&
           core_put(r->info, "_final_obs", PyArray_NewCopy((PyArrayObject *)ended, NPY_CORDER)) &&
           core_put(r->info, "final_info", PyDict_New()) &&
           PyDict_SetItemString(r->info, "_final_info", ended) == 0;
  Py_XDECREF(ended);
  return good;
}

static far_status step_all(worlds *w, const results *r, far_error *error) {
  const bool release = w->n >= MANY;
  double *rewards = data_of(r->rewards);
  bool *terminated = data_of(r->terminated), *truncated = data_of(r->truncated);
  PyThreadState *saved = release ? PyEval_SaveThread() : NULL;
  const far_status status = far_worlds_step(w->worlds, w->actions, w->states, rewards, terminated,
                                            truncated, w->reached, error);
  if (release) PyEval_RestoreThread(saved);
  return status;
}

/* The tuple (states, rewards, terminated, truncated, info) of a finished step. */
static PyObject *tuple_of(const worlds *w, const results *r) {
  widen(r->states, w->states, w->n);
  if (w->def.autoreset == FAR_AUTORESET_SAME_STEP && !add_final(w, r)) return NULL;
  return PyTuple_Pack(5, r->states, r->rewards, r->terminated, r->truncated, r->info);
}

static PyObject *step(worlds *w, PyObject *actions) {
  results r = {0};
  far_error error;
  PyObject *tuple = NULL;
  if (!read_actions(w, actions)) return NULL;
  if (make_results(&r, (npy_intp)w->n)) {
    if (step_all(w, &r, &error) == FAR_OK)
      tuple = tuple_of(w, &r);
    else
      core_raise(&error, NULL);
  }
  free_results(&r);
  return tuple;
}

static PyObject *worlds_step(PyObject *self, PyObject *actions) {
  worlds *w = (worlds *)self;
  if (!take(w)) return NULL;
  PyObject *tuple = step(w, actions);
  core_release(&w->lock);
  return tuple;
}

/* The tuple of a step of one world. Takes the references to `state` and `reward`. */
static PyObject *tuple_of_step(PyObject *state, PyObject *reward, bool terminated, bool truncated) {
  PyObject *tuple = PyTuple_New(5), *info = PyDict_New();
  if (tuple == NULL || info == NULL || state == NULL || reward == NULL) {
    Py_XDECREF(tuple);
    Py_XDECREF(info);
    Py_XDECREF(state);
    Py_XDECREF(reward);
    return NULL;
  }
  PyTuple_SetItem(tuple, 0, state);
  PyTuple_SetItem(tuple, 1, reward);
  PyTuple_SetItem(tuple, 2, PyBool_FromLong(terminated));
  PyTuple_SetItem(tuple, 3, PyBool_FromLong(truncated));
  PyTuple_SetItem(tuple, 4, info);
  return tuple;
}

static PyObject *worlds_step_one(PyObject *self, PyObject *const *args, Py_ssize_t n) {
  worlds *w = (worlds *)self;
  uint32_t action, state;
  double reward;
  bool terminated, truncated;
  far_error error;
  if (n != 1 || w->n != 1) {
    PyErr_SetString(PyExc_TypeError, "step_one takes one action, and is for one world");
    return NULL;
  }
  if (!core_index(&action, args[0], "action", w->n_actions) || !take(w)) return NULL;
  const far_status status =
      far_worlds_step(w->worlds, &action, &state, &reward, &terminated, &truncated, NULL, &error);
  core_release(&w->lock);
  if (status != FAR_OK) return core_raise(&error, NULL);
  return tuple_of_step(PyLong_FromUnsignedLong(state), PyFloat_FromDouble(reward), terminated,
                       truncated);
}

/* ---- attributes ---- */

static PyObject *get_states(PyObject *self, void *unused) {
  worlds *w = (worlds *)self;
  (void)unused;
  if (!take(w)) return NULL;
  for (size_t i = 0; i < w->n; ++i) w->states[i] = far_worlds_state(w->worlds, i);
  PyObject *states = core_array_of_uint32(w->states, (npy_intp)w->n);
  core_release(&w->lock);
  return states;
}

static PyObject *get_model(PyObject *self, void *unused) {
  worlds *w = (worlds *)self;
  (void)unused;
  if (!take(w)) return NULL;
  PyObject *model = w->model;
  Py_INCREF(model);
  core_release(&w->lock);
  return model;
}

static PyObject *get_n(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromSize_t(((worlds *)self)->n);
}

static PyObject *get_seed(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromUnsignedLongLong(((worlds *)self)->def.seed);
}

static PyObject *get_first_replicate(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromUnsignedLongLong(((worlds *)self)->def.first_replicate);
}

static PyObject *get_autoreset(PyObject *self, void *unused) {
  (void)unused;
  return PyUnicode_FromString(MODES[((worlds *)self)->def.autoreset]);
}

static PyObject *get_max_episode_steps(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromLongLong(((worlds *)self)->def.max_episode_steps);
}

static PyObject *get_closed(PyObject *self, void *unused) {
  (void)unused;
  return PyBool_FromLong(((worlds *)self)->worlds == NULL);
}

static PyGetSetDef attributes[] = {
    {"states", get_states, NULL, "IntArray: The state in which each world now is (a copy).", NULL},
    {"model", get_model, NULL, "Model: The model of the worlds.", NULL},
    {"n", get_n, NULL, "int: The number of worlds.", NULL},
    {"key", get_seed, NULL, "int: The seed of the random streams.", NULL},
    {"first_replicate", get_first_replicate, NULL,
     "int: World i has the random streams of replicate first_replicate + i.", NULL},
    {"autoreset", get_autoreset, NULL, "str: 'NextStep', 'SameStep' or 'Disabled'.", NULL},
    {"max_episode_steps", get_max_episode_steps, NULL,
     "int: An episode of so many steps is truncated; 0: no limit.", NULL},
    {"closed", get_closed, NULL, "bool: Whether close() was called.", NULL},
    {0}};

static PyMethodDef methods[] = {
    {"seed", worlds_seed, METH_VARARGS,
     "seed(self, seed, first_replicate=0, /)\n--\n\n"
     "seed(seed: int, first_replicate: int = 0, /) -> None\n\n"
     "Return all worlds to the beginning of these random streams. They must be reset next."},
    {"reset", worlds_reset, METH_VARARGS,
     "reset(self, mask=None, /)\n--\n\nreset(mask: BoolArray | None = None, /) -> IntArray\n\n"
     "Begin an episode in each world of the mask, or in all. The states of all worlds."},
    {"reset_one", worlds_reset_one, METH_NOARGS,
     "reset_one(self, /)\n--\n\nreset_one() -> int\n\nBegin an episode in the first world."},
    {"step", worlds_step, METH_O,
     "step(self, actions, /)\n--\n\n"
     "step(actions: ArrayLike, /) -> tuple[IntArray, FloatArray, BoolArray, BoolArray, dict[str, "
     "Any]]\n\n"
     "One step in every world: states, rewards, terminated, truncated, all new arrays, and a dict, "
     "which "
     "is\nempty but where SameStep began episodes: it then has final_obs, final_info and their "
     "masks."},
    {"step_one", CORE_METHOD(worlds_step_one), METH_FASTCALL,
     "step_one(self, action, /)\n--\n\n"
     "step_one(action: int, /) -> tuple[int, float, bool, bool, dict[str, Any]]\n\n"
     "A step of the only world: state, reward, terminated, truncated and an empty dict."},
    {"clone", worlds_clone, METH_NOARGS,
     "clone(self, /)\n--\n\nclone() -> Self\n\n"
     "A copy in the same states that will see the same random numbers: to look ahead."},
    {"__reduce__", worlds_reduce, METH_NOARGS,
     "__reduce__(self, /)\n--\n\n__reduce__() -> tuple[Any, ...]\n\n"
     "For pickle: worlds in the same states that will see the same random numbers."},
    {"__setstate__", worlds_set_state, METH_O,
     "__setstate__(self, state, /)\n--\n\n__setstate__(state: ArrayLike, /) -> None\n\n"
     "For pickle."},
    {"close", worlds_close, METH_NOARGS,
     "close(self, /)\n--\n\nclose() -> None\n\nFree the worlds; no other call is then possible."},
    {0}};

static PyType_Slot slots[] = {
    {Py_tp_doc,
     "Worlds(model, n=1, seed=1, first_replicate=0, autoreset='NextStep', "
     "max_episode_steps=0)\n--\n\n"
     "Worlds(model: Model, n: int = 1, seed: int = 1, first_replicate: int = 0, autoreset: str = "
     "'NextStep', max_episode_steps: int | None = 0)\n\n"
     "Many copies of one model, stepped in one call."},
    {Py_tp_new, worlds_new},
    {Py_tp_dealloc, worlds_free},
    {Py_tp_getset, attributes},
    {Py_tp_methods, methods},
    {0}};

static PyType_Spec spec = {.name = "farsight._core.Worlds",
                           .basicsize = sizeof(worlds),
                           .flags = Py_TPFLAGS_DEFAULT,
                           .slots = slots};

bool core_add_worlds(PyObject *module) {
  worlds_type = core_add_type(module, &spec);
  return worlds_type != NULL;
}

/* ---- for other files ---- */

far_worlds *core_worlds_take(PyObject *object) {
  if (!PyObject_TypeCheck(object, worlds_type)) {
    PyErr_Format(PyExc_TypeError, "expected worlds, not %R", (PyObject *)Py_TYPE(object));
    return NULL;
  }
  return take((worlds *)object) ? ((worlds *)object)->worlds : NULL;
}

void core_worlds_release(PyObject *object) {
  core_release(&((worlds *)object)->lock);
}

bool core_worlds_fit(PyObject *object, const far_shape *shape) {
  const worlds *w = (worlds *)object;
  return shape->n_states == far_mdp_shape(core_model(w->model)).n_states &&
         shape->n_actions == w->n_actions;
}
