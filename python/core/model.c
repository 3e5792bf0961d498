/* Model: a finite Markov decision process; immutable, and so free to be shared by threads. */
#include "core.h"

#include <math.h> /* only for NAN */
#include <string.h>

#include "model/criterion.h"
#include "questions/model/drawing.h"

PyTypeObject *core_model_type;

typedef struct model {
  PyObject_HEAD far_mdp *mdp;
} model;

PyObject *core_model_new(PyTypeObject *type, far_mdp *mdp) {
  model *self = (model *)core_new_object(type);
  if (self == NULL)
    far_mdp_free(mdp);
  else
    self->mdp = mdp;
  return (PyObject *)self;
}

const far_mdp *core_model(PyObject *object) {
  if (PyObject_TypeCheck(object, core_model_type)) return ((model *)object)->mdp;
  PyErr_Format(PyExc_TypeError, "expected a model (farsight.MDP), not %R",
               (PyObject *)Py_TYPE(object));
  return NULL;
}

static void model_free(PyObject *self) {
  far_mdp_free(((model *)self)->mdp);
  core_free_object(self);
}

/* The problem's discount; NAN for None. */
static bool read_gamma(double *out, PyObject *object) {
  *out = NAN;
  if (object == Py_None) return true;
  if (!core_double(out, object, "gamma")) return false;
  if (*out > 0 && *out < 1) return true;
  PyErr_Format(PyExc_ValueError,
               "gamma is %R: must be in (0, 1); without a discount the environment has horizon=H "
               "or average=on",
               object);
  return false;
}

static PyObject *from_spec(PyObject *type, PyObject *args, PyObject *named) {
  static char *names[] = {"spec", "gamma", NULL};
  PyObject *text, *given = Py_None;
  const char *spec;
  double gamma;
  far_spec *env;
  far_mdp *mdp = NULL;
  far_error error;
  if (!PyArg_ParseTupleAndKeywords(args, named, "O|O:from_spec", names, &text, &given) ||
      !core_text(&spec, text, "spec", false) || !read_gamma(&gamma, given))
    return NULL;
  far_status status = far_spec_of_env(&env, spec, gamma, &error);
  if (status == FAR_OK) status = far_mdp_from(&mdp, env, &error);
  far_spec_free(env);
  if (status != FAR_OK) return core_raise(&error, spec);
  return core_model_new((PyTypeObject *)type, mdp);
}

/* ---- files ---- */

static bool find_format(far_format *out, const char *name) {
  const char *words[16];
  int n = 0, found;
  while (n < 16 && (words[n] = far_format_name((far_format)n)) != NULL) ++n;
  if (!core_choice(&found, name, "format", words, n)) return false;
  *out = (far_format)found;
  return true;
}

/* A Model that takes ownership of `mdp`, which was read from a file or a text. A `gamma` that is not NAN replaces
 * the file's. */
static PyObject *read_model(PyObject *type, far_mdp *mdp, double gamma) {
  far_error error;
  if (gamma != gamma || far_mdp_set_gamma(mdp, gamma, &error) == FAR_OK)
    return core_model_new((PyTypeObject *)type, mdp);
  far_mdp_free(mdp);
  return core_raise(&error, NULL);
}

static PyObject *load(PyObject *type, PyObject *args, PyObject *named) {
  static char *names[] = {"path", "format", "gamma", NULL};
  PyObject *path, *given = Py_None;
  const char *name = "auto";
  double gamma;
  far_format format;
  if (!PyArg_ParseTupleAndKeywords(args, named, "O&|sO:load", names, PyUnicode_FSConverter, &path,
                                   &name, &given))
    return NULL;
  far_mdp *mdp = NULL;
  far_error error;
  if (find_format(&format, name) && read_gamma(&gamma, given)) {
    const char *file = PyBytes_AsString(path);
    core_work work = core_work_begin(Py_None);
    const far_status status = far_mdp_load(&mdp, file, format, &error);
    core_work_end(&work);
    if (status != FAR_OK) core_raise(&error, NULL);
  }
  Py_DECREF(path);
  return mdp != NULL ? read_model(type, mdp, gamma) : NULL;
}

static PyObject *read_text(PyObject *type, PyObject *args, PyObject *named) {
  static char *names[] = {"text", "format", "gamma", NULL};
  const char *text, *name = "auto";
  PyObject *given = Py_None;
  Py_ssize_t length;
  double gamma;
  far_format format;
  if (!PyArg_ParseTupleAndKeywords(args, named, "s#|sO:read", names, &text, &length, &name,
                                   &given) ||
      !find_format(&format, name) || !read_gamma(&gamma, given))
    return NULL;
  far_mdp *mdp;
  far_error error;
  core_work work = core_work_begin(Py_None);
  const far_status status = far_mdp_read(&mdp, text, (size_t)length, format, &error);
  core_work_end(&work);
  if (status != FAR_OK) return core_raise(&error, NULL);
  return read_model(type, mdp, gamma);
}

static bool read_discount(double *out, PyObject *object) {
  *out = 0;
  return object == Py_None || core_double(out, object, "discount");
}

static PyObject *save(PyObject *self, PyObject *args, PyObject *named) {
  static char *names[] = {"path", "format", "discount", NULL};
  PyObject *path, *given = Py_None;
  const char *name = "auto";
  double discount;
  far_format format;
  far_error error;
  if (!PyArg_ParseTupleAndKeywords(args, named, "O&|sO:save", names, PyUnicode_FSConverter, &path,
                                   &name, &given))
    return NULL;
  bool good = find_format(&format, name) && read_discount(&discount, given);
  if (good) {
    const char *file = PyBytes_AsString(path);
    core_work work = core_work_begin(Py_None);
    good = far_mdp_save(((model *)self)->mdp, file, format, discount, &error) == FAR_OK;
    core_work_end(&work);
    if (!good) core_raise(&error, NULL);
  }
  Py_DECREF(path);
  if (!good) return NULL;
  Py_RETURN_NONE;
}

static PyObject *dumps(PyObject *self, PyObject *args, PyObject *named) {
  static char *names[] = {"format", "discount", NULL};
  PyObject *given = Py_None;
  const char *name = "json";
  double discount;
  far_format format;
  if (!PyArg_ParseTupleAndKeywords(args, named, "|sO:dumps", names, &name, &given) ||
      !find_format(&format, name) || !read_discount(&discount, given))
    return NULL;
  char *text;
  size_t length;
  far_error error;
  core_work work = core_work_begin(Py_None);
  const far_status status =
      far_mdp_print(&text, &length, ((model *)self)->mdp, format, discount, &error);
  core_work_end(&work);
  if (status != FAR_OK) return core_raise(&error, NULL);
  PyObject *answer = PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, "replace");
  far_free(text);
  return answer;
}

/* ---- the shape of a problem ---- */

static bool shape_from_tuple(far_shape *out, PyObject **held, PyObject *tuple) {
  PyObject *states, *actions, *absent;
  int episodic, average = 0;
  *held = NULL;
  *out = far_shape_default(1, 1);
  if (!PyArg_ParseTuple(tuple, "OOO&O&pO|O&O&pO&:shape", &states, &actions,
                        CORE_DOUBLE("the least reward", &out->reward_min),
                        CORE_DOUBLE("the largest reward", &out->reward_max), &episodic, &absent,
                        CORE_INT64("horizon", &out->horizon), CORE_DOUBLE("gamma", &out->gamma),
                        &average, CORE_INT64("steps", &out->steps)) ||
      !core_size(&out->n_states, states, "n_states") ||
      !core_size(&out->n_actions, actions, "n_actions"))
    return false;
  out->episodic = episodic != 0;
  out->average = average != 0;
  if (absent == Py_None) return true;
  out->absent = core_data(held, absent, "absent", NPY_BOOL, (Py_ssize_t)out->n_states);
  return out->absent != NULL;
}

bool core_shape(far_shape *out, PyObject **held, PyObject *object) {
  if (PyTuple_Check(object)) return shape_from_tuple(out, held, object);
  const far_mdp *mdp = core_model(object);
  if (mdp == NULL) return false;
  *out = far_mdp_shape(mdp);
  *held = object;
  Py_INCREF(object);
  return true;
}

/* The marks are copied: the library's own do not outlive the call. */
static PyObject *marks(const bool *absent, npy_intp count) {
  if (absent == NULL) Py_RETURN_NONE;
  return core_array_of_bool(absent, count);
}

PyObject *core_shape_tuple(const far_shape *shape) {
  PyObject *absent = marks(shape->absent, (npy_intp)shape->n_states);
  if (absent == NULL) return NULL;
  return Py_BuildValue("(kkddNNLdNL)", (unsigned long)shape->n_states,
                       (unsigned long)shape->n_actions, shape->reward_min, shape->reward_max,
                       PyBool_FromLong(shape->episodic), absent, (long long)shape->horizon,
                       shape->gamma, PyBool_FromLong(shape->average), (long long)shape->steps);
}

/* ---- attributes ---- */

static const far_mdp *mdp_of(PyObject *self) {
  return ((model *)self)->mdp;
}

static PyObject *get_spec(PyObject *self, void *unused) {
  (void)unused;
  return PyUnicode_FromString(far_mdp_spec(mdp_of(self)));
}

static PyObject *get_n_states(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromUnsignedLong(far_mdp_shape(mdp_of(self)).n_states);
}

static PyObject *get_n_actions(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromUnsignedLong(far_mdp_shape(mdp_of(self)).n_actions);
}

static PyObject *get_hash(PyObject *self, void *unused) {
  (void)unused;
  char text[FAR_HASH_TEXT];
  far_mdp_hash(text, mdp_of(self));
  return PyUnicode_FromString(text);
}

static PyObject *get_reward_range(PyObject *self, void *unused) {
  (void)unused;
  const far_shape shape = far_mdp_shape(mdp_of(self));
  return Py_BuildValue("(dd)", shape.reward_min, shape.reward_max);
}

static PyObject *get_episodic(PyObject *self, void *unused) {
  (void)unused;
  return PyBool_FromLong(far_mdp_shape(mdp_of(self)).episodic);
}

static PyObject *get_horizon(PyObject *self, void *unused) {
  (void)unused;
  const int64_t horizon = far_mdp_horizon(mdp_of(self));
  if (horizon == 0) Py_RETURN_NONE;
  return PyLong_FromLongLong(horizon);
}

/* An array of bool, one a state. */
static PyObject *mask(const far_mdp *mdp, bool (*of)(const far_mdp *mdp, uint32_t s)) {
  const npy_intp n = (npy_intp)far_mdp_shape(mdp).n_states;
  PyObject *array = core_array(NPY_BOOL, 1, &n);
  if (array == NULL) return NULL;
  bool *out = PyArray_DATA((PyArrayObject *)array);
  for (npy_intp s = 0; s < n; ++s) out[s] = of(mdp, (uint32_t)s);
  return array;
}

static bool is_live(const far_mdp *mdp, uint32_t s) {
  const far_shape shape = far_mdp_shape(mdp);
  return far_shape_is_live(&shape, s);
}

static PyObject *get_terminal(PyObject *self, void *unused) {
  (void)unused;
  return mask(mdp_of(self), far_mdp_terminal);
}

static PyObject *get_live(PyObject *self, void *unused) {
  (void)unused;
  return mask(mdp_of(self), is_live);
}

static PyObject *get_start(PyObject *self, void *unused) {
  (void)unused;
  const npy_intp n = (npy_intp)far_mdp_shape(mdp_of(self)).n_states;
  PyObject *array = PyArray_ZEROS(1, &n, NPY_DOUBLE, 0);
  if (array == NULL) return NULL;
  double *out = PyArray_DATA((PyArrayObject *)array);
  size_t count;
  const far_outcome *starts = far_mdp_starts(mdp_of(self), &count);
  for (size_t i = 0; i < count; ++i) out[starts[i].next] += starts[i].probability;
  return array;
}

/* A list of names, with None for an item without a name; None in place of the list if no item has a name. */
static PyObject *names(const far_mdp *mdp, uint32_t n,
                       const char *(*name_of)(const far_mdp *mdp, uint32_t i)) {
  bool any = false;
  PyObject *list = PyList_New(0);
  for (uint32_t i = 0; list != NULL && i < n; ++i) {
    const char *name = name_of(mdp, i);
    any |= name != NULL;
    core_append(&list, Py_BuildValue("z", name));
  }
  if (list == NULL || any) return list;
  Py_DECREF(list);
  Py_RETURN_NONE;
}

static PyObject *get_state_names(PyObject *self, void *unused) {
  (void)unused;
  return names(mdp_of(self), far_mdp_shape(mdp_of(self)).n_states, far_mdp_state_name);
}

static PyObject *get_action_names(PyObject *self, void *unused) {
  (void)unused;
  return names(mdp_of(self), far_mdp_shape(mdp_of(self)).n_actions, far_mdp_action_name);
}

static PyObject *get_discount(PyObject *self, void *unused) {
  (void)unused;
  const double discount = far_mdp_discount(mdp_of(self));
  if (discount != 0) return PyFloat_FromDouble(discount);
  Py_RETURN_NONE;
}

static PyObject *get_gamma(PyObject *self, void *unused) {
  (void)unused;
  if (far_mdp_horizon(mdp_of(self)) > 0 || far_mdp_shape(mdp_of(self)).average) Py_RETURN_NONE;
  return PyFloat_FromDouble(far_mdp_gamma(mdp_of(self)));
}

static PyObject *get_average(PyObject *self, void *unused) {
  (void)unused;
  return PyBool_FromLong(far_mdp_shape(mdp_of(self)).average);
}

static PyObject *get_caveat(PyObject *self, void *unused) {
  (void)unused;
  return Py_BuildValue("z", far__mdp_caveat(mdp_of(self)));
}

static PyObject *get_nbytes(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromSize_t(far__mdp_bytes(mdp_of(self)));
}

/* ---- methods ---- */

static PyObject *outcomes(PyObject *self, PyObject *args) {
  PyObject *state, *action;
  uint32_t s, a;
  const far_shape shape = far_mdp_shape(mdp_of(self));
  if (!PyArg_ParseTuple(args, "OO:outcomes", &state, &action) ||
      !core_index(&s, state, "state", shape.n_states) ||
      !core_index(&a, action, "action", shape.n_actions))
    return NULL;
  size_t count;
  const far_outcome *o = far_mdp_outcomes(mdp_of(self), s, a, &count);
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list != NULL && i < count; ++i)
    core_append(&list, Py_BuildValue("(dkdN)", o[i].probability, (unsigned long)o[i].next,
                                     o[i].reward, PyBool_FromLong(o[i].done)));
  return list;
}

static PyObject *draw_step(PyObject *self, PyObject *args) {
  PyObject *state, *action, *random;
  uint32_t s, a;
  const far_shape shape = far_mdp_shape(mdp_of(self));
  if (!PyArg_ParseTuple(args, "OOO:step", &state, &action, &random) ||
      !core_index(&s, state, "state", shape.n_states) ||
      !core_index(&a, action, "action", shape.n_actions))
    return NULL;
  if (far_mdp_terminal(mdp_of(self), s)) {
    PyErr_Format(PyExc_ValueError, "state %lu is terminal: there is no step from it",
                 (unsigned long)s);
    return NULL;
  }
  far_rng *rng = core_random_begin(random);
  if (rng == NULL) return NULL;
  const far_outcome *o = far_mdp_step(mdp_of(self), s, a, rng);
  core_random_end(random);
  return Py_BuildValue("(kdN)", (unsigned long)o->next, o->reward, PyBool_FromLong(o->done));
}

static PyObject *draw_start(PyObject *self, PyObject *random) {
  far_rng *rng = core_random_begin(random);
  if (rng == NULL) return NULL;
  const uint32_t s = far_mdp_start(mdp_of(self), rng);
  core_random_end(random);
  return PyLong_FromUnsignedLong(s);
}

static PyObject *unreachable(PyObject *self, PyObject *unused) {
  uint32_t count, first = 0;
  far_error error;
  (void)unused;
  if (far_mdp_unreachable(mdp_of(self), &count, &first, &error) != FAR_OK)
    return core_raise(&error, NULL);
  return PyLong_FromUnsignedLong(count);
}

/* The actions of a policy; an action out of bounds, such as -1, becomes UINT32_MAX (none). NULL for None, or with an
 * exception set. */
static uint32_t *policy_of(PyObject *given, const far_shape *shape) {
  PyObject *held;
  if (given == Py_None) return NULL;
  const int64_t *actions =
      core_data(&held, given, "policy", NPY_INT64, (Py_ssize_t)shape->n_states);
  if (actions == NULL) return NULL;
  uint32_t *policy = PyMem_Malloc(shape->n_states * sizeof *policy);
  for (uint32_t s = 0; policy != NULL && s < shape->n_states; ++s)
    policy[s] = actions[s] >= 0 && actions[s] < (int64_t)shape->n_actions ? (uint32_t)actions[s]
                                                                          : UINT32_MAX;
  if (policy == NULL) PyErr_NoMemory();
  Py_DECREF(held);
  return policy;
}

static PyObject *draw(PyObject *self, PyObject *args) {
  PyObject *given = Py_None;
  const char *caption = NULL;
  const far_shape shape = far_mdp_shape(mdp_of(self));
  if (!PyArg_ParseTuple(args, "|Oz:draw", &given, &caption)) return NULL;
  uint32_t *policy = policy_of(given, &shape);
  if (policy == NULL && PyErr_Occurred() != NULL) return NULL;
  PyObject *document = core_document_new("draw");
  if (document != NULL) {
    const far__drawing_def def = {.mdp = mdp_of(self), .policy = policy, .caption = caption};
    if (!far__drawing_report(&def, core_document_report(document))) {
      Py_DECREF(document);
      document = Py_None;
      Py_INCREF(document);
    }
  }
  PyMem_Free(policy);
  return document;
}

static PyGetSetDef attributes[] = {
    {"spec", get_spec, NULL, "str: The canonical spec; '' for a model that was built.", NULL},
    {"n_states", get_n_states, NULL, "int: The number of states.", NULL},
    {"n_actions", get_n_actions, NULL, "int: The number of actions.", NULL},
    {"reward_range", get_reward_range, NULL,
     "tuple[float, float]: The range of rewards that agents are told.", NULL},
    {"episodic", get_episodic, NULL, "bool: Whether an episode can end.", NULL},
    {"horizon", get_horizon, NULL,
     "int | None: The steps after which an episode is cut; None if there is no horizon.", NULL},
    {"terminal", get_terminal, NULL, "BoolArray: Which states are terminal, as an array (S,).",
     NULL},
    {"live", get_live, NULL,
     "BoolArray: Which states can be reached and are not terminal, as an array (S,).", NULL},
    {"start", get_start, NULL, "FloatArray: The start distribution, as an array (S,).", NULL},
    {"state_names", get_state_names, NULL,
     "list[str | None] | None: The names of the states; None if no state has one.", NULL},
    {"action_names", get_action_names, NULL,
     "list[str | None] | None: The names of the actions; None if no action has one.", NULL},
    {"discount", get_discount, NULL,
     "float | None: The discount that the model names, in (0, 1]; None if it names none.", NULL},
    {"gamma", get_gamma, NULL,
     "float | None: The problem's discount, the same for all agents: the one that the model names, "
     "or 0.95. None where nothing is discounted: with a horizon, or where the average reward "
     "counts.",
     NULL},
    {"average", get_average, NULL, "bool: Whether what counts is the average reward of a step.",
     NULL},
    {"caveat", get_caveat, NULL,
     "str | None: An assumption about what its file does not say, and that may be wrong.", NULL},
    {"layout", core_model_layout, NULL,
     "dict[str, Any] | None: Where its states stand in a drawing: kind ('line', 'grid' or "
     "'graph'), width, "
     "height, x, y, labels, dx, dy, action_labels and walls (rows x0, y0, x1, y1).",
     NULL},
    {"hash", get_hash, NULL, "str: SHA-256 of everything that can affect a run.", NULL},
    {"nbytes", get_nbytes, NULL, "int: The memory that the model takes, in bytes.", NULL},
    {0}};

static PyMethodDef methods[] = {
    {"from_spec", CORE_METHOD(from_spec), METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "from_spec(spec, gamma=None)\n--\n\nfrom_spec(spec: str, gamma: float | None = None) -> "
     "Self\n\n"
     "A model from a spec, as in 'chain:n=50'. gamma is the problem's discount; a ValueError if "
     "the "
     "spec has another."},
    {"load", CORE_METHOD(load), METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "load(path, format='auto', gamma=None)\n--\n\n"
     "load(path: str | os.PathLike[str], format: str = 'auto', gamma: float | None = None) -> "
     "Self\n\n"
     "Read a model file: 'cassandra' (.mdp, .pomdp), 'drn' (.drn) or 'json' (.json); 'auto' goes "
     "by the\n"
     "extension, or else by the content. gamma replaces the file's discount."},
    {"read", CORE_METHOD(read_text), METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "read(text, format='auto', gamma=None)\n--\n\n"
     "read(text: str, format: str = 'auto', gamma: float | None = None) -> Self\n\n"
     "Read a model from a text, as load does from a file."},
    {"from_csr", core_model_from_csr, METH_VARARGS | METH_CLASS,
     "from_csr(arrays, state_names=None, action_names=None, layout=None, /)\n--\n\n"
     "from_csr(arrays: dict[str, Any], state_names: Sequence[str | None] | None = None, "
     "action_names: Sequence[str | None] | None = None, layout: dict[str, Any] | None = None, /) "
     "-> Self\n\n"
     "A model from arrays as to_csr returns them."},
    {"to_csr", core_model_to_csr, METH_NOARGS,
     "to_csr(self, /)\n--\n\nto_csr() -> dict[str, Any]\n\n"
     "The model as arrays: the outcomes of pair s * n_actions + a have the numbers offsets[pair] "
     "to\n"
     "offsets[pair + 1] - 1 in probability, next and reward."},
    {"save", CORE_METHOD(save), METH_VARARGS | METH_KEYWORDS,
     "save(self, /, path, format='auto', discount=None)\n--\n\n"
     "save(path: str | os.PathLike[str], format: str = 'auto', discount: float | None = None) -> "
     "None\n\n"
     "Write a model file; 'auto' goes by the extension. A discount replaces the model's."},
    {"dumps", CORE_METHOD(dumps), METH_VARARGS | METH_KEYWORDS,
     "dumps(self, /, format='json', discount=None)\n--\n\n"
     "dumps(format: str = 'json', discount: float | None = None) -> str\n\nThe model file as a "
     "text."},
    {"outcomes", outcomes, METH_VARARGS,
     "outcomes(self, s, a, /)\n--\n\n"
     "outcomes(s: int, a: int, /) -> list[tuple[float, int, float, bool]]\n\n"
     "How action a in state s can end: (probability, next state, reward, whether the next is "
     "terminal).\n"
     "Nothing in a terminal state."},
    {"step", draw_step, METH_VARARGS,
     "step(self, s, a, random, /)\n--\n\n"
     "step(s: int, a: int, random: Random, /) -> tuple[int, float, bool]\n\n"
     "Draw an outcome of action a in state s: next state, reward, whether the next is terminal.\n"
     "One draw from the stream."},
    {"draw_start", draw_start, METH_O,
     "draw_start(self, random, /)\n--\n\ndraw_start(random: Random, /) -> int\n\n"
     "Draw a state to start in. One draw from the stream."},
    {"unreachable", unreachable, METH_NOARGS,
     "unreachable(self, /)\n--\n\nunreachable() -> int\n\nThe number of states that no run can "
     "reach."},
    {"drawing", draw, METH_VARARGS,
     "drawing(self, policy=None, caption=None, /)\n--\n\n"
     "drawing(policy: IntArray | None = None, caption: str | None = None, /) -> Document | None\n\n"
     "A drawing of the layout, with an arrow for each state's action (-1: none); None if there is "
     "no layout\n"
     "of a line or a grid, or it is too large."},
    {0}};

static PyType_Slot slots[] = {{Py_tp_doc, "A finite Markov decision process; immutable."},
                              {Py_tp_dealloc, model_free},
                              {Py_tp_getset, attributes},
                              {Py_tp_methods, methods},
                              {0}};

static PyType_Spec spec = {.name = "farsight._core.Model",
                           .basicsize = sizeof(model),
                           .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                           .slots = slots};

bool core_add_model(PyObject *module) {
  core_model_type = core_add_type(module, &spec);
  return core_model_type != NULL;
}
