/* Exact solutions of models. */
#include "core.h"

#include <math.h>

#include "base/clock.h"
#include "questions/model/model-solution.h"

/* A question: its definition, the objects that the definition borrows from, and the work. */
typedef struct question {
  far__model_solution_def def;
  uint32_t *actions;       /* of the policy to evaluate; or NULL */
  PyObject *probabilities; /* the array of the policy; or NULL */
  core_work work;
  double next;                   /* when Python is called next */
  char warning[FAR_DEVICE_TEXT]; /* of a device; "" if all is well */
} question;

/* ---- the question ---- */

static bool find_method(far_method *out, const char *name) {
  const char *words[16];
  int n = 0, found;
  while (n < 16 && (words[n] = far_method_name((size_t)n)) != NULL) ++n;
  if (!core_choice(&found, name, "method", words, n)) return false;
  *out = (far_method)found;
  return true;
}

static bool find_kind(far__solve_kind *out, const char *name) {
  static const char *const names[] = {"discounted", "policy", "horizon", "average"};
  int found;
  if (!core_choice(&found, name, "problem", names, 4)) return false;
  *out = (far__solve_kind)found;
  return true;
}

/* Reads the policy to evaluate: an action of each state, or a probability of each pair. */
static bool read_policy(question *q, PyObject *actions, PyObject *probabilities) {
  const far_shape shape = far_mdp_shape(q->def.mdp);
  Py_ssize_t count = (Py_ssize_t)shape.n_states;
  if (actions != Py_None) {
    q->actions = core_indices(&count, actions, "policy", shape.n_actions);
    q->def.policy.action = q->actions;
    return q->actions != NULL;
  }
  if (probabilities == Py_None) return true;
  q->def.policy.probability = core_data(&q->probabilities, probabilities, "policy", NPY_DOUBLE,
                                        count * (Py_ssize_t)shape.n_actions);
  return q->def.policy.probability != NULL;
}

static void free_question(question *q) {
  PyMem_Free(q->actions);
  Py_XDECREF(q->probabilities);
}

/* ---- progress ---- */

typedef struct tick_state {
  far__solving what;
  int64_t done;
  double error;
} tick_state;

static PyObject *tick_arguments(const void *user) {
  const tick_state *t = user;
  static const char *const names[] = {"diameter", "values", "measures"};
  return Py_BuildValue("(sLd)", names[t->what], (long long)t->done, t->error);
}

/* Calls Python about ten times a second. Of small models only some sweeps read the clock, since a sweep takes less
 * time than that. */
static bool tick(void *user, far__solving what, int64_t done, double error) {
  question *q = user;
  const int64_t every = 1 + (1 << 14) / (int64_t)far_mdp_shape(q->def.mdp).n_states;
  if (what == FAR__SOLVING_VALUES && done % every != 0) return true;
  const double now = far__clock_seconds();
  if (now < q->next) return true;
  q->next = now + 0.1;
  const tick_state state = {what, done, error};
  return core_continue(&q->work, tick_arguments, &state);
}

/* Called without Python's lock, in the thread that has called solve. */
static void take_warning(void *user, const char *text) {
  question *q = user;
  snprintf(q->warning, sizeof q->warning, "%s", text);
}

/* ---- the answer ---- */

static PyObject *view2(const double *values, size_t rows, size_t columns, PyObject *owner) {
  const npy_intp dims[] = {(npy_intp)rows, (npy_intp)columns};
  return core_view_of_double(values, 2, dims, owner);
}

static PyObject *view1(const double *values, size_t count, PyObject *owner) {
  const npy_intp dims[] = {(npy_intp)count};
  return core_view_of_double(values, 1, dims, owner);
}

static bool put_values(PyObject *out, const far__model_solution *x, PyObject *owner) {
  const far_solution *v = &x->values;
  return core_put(out, "v", view1(v->v, v->n_states, owner)) &&
         core_put(out, "q", view2(v->q, v->n_states, v->n_actions, owner)) &&
         core_put(out, "gaps", view1(x->gap, v->n_states, owner)) &&
         core_put(out, "policy", core_array_of_uint32(v->policy, v->n_states)) &&
         core_put(out, "residual", PyFloat_FromDouble(v->residual)) &&
         core_put(out, "span", PyFloat_FromDouble(v->span)) &&
         core_put(out, "sweeps", PyLong_FromLongLong(v->sweeps)) &&
         core_put(out, "device_name", PyUnicode_FromString(v->device)) &&
         core_put(out, "device_sweeps", PyLong_FromLongLong(v->device_sweeps)) &&
         core_put(out, "device_seconds", PyFloat_FromDouble(v->device_seconds));
}

static bool put_horizon(PyObject *out, const far_horizon *x, PyObject *owner) {
  const npy_intp count = (npy_intp)x->horizon * x->n_states;
  return core_put(out, "v", view2(x->v, (size_t)x->horizon + 1, x->n_states, owner)) &&
         core_put(out, "policy", core_array_of_uint32(x->policy, count));
}

static bool put_average(PyObject *out, const far_average *x, PyObject *owner) {
  return core_put(out, "bias", view1(x->bias, x->n_states, owner)) &&
         core_put(out, "policy", core_array_of_uint32(x->policy, x->n_states)) &&
         core_put(out, "gain", PyFloat_FromDouble(x->gain)) &&
         core_put(out, "span", PyFloat_FromDouble(x->span)) &&
         core_put(out, "sweeps", PyLong_FromLongLong(x->sweeps));
}

static bool put_structure(PyObject *out, const far_structure *x) {
  return core_put(out, "kind", PyUnicode_FromString(far_chain_name(x->kind))) &&
         core_put(out, "classes", PyLong_FromUnsignedLong(x->n_classes)) &&
         core_put(out, "closed", PyLong_FromUnsignedLong(x->n_closed)) &&
         core_put(out, "recurrent", PyLong_FromUnsignedLong(x->n_recurrent)) &&
         core_put(out, "class_of", core_array_of_uint32(x->class_of, x->n_states)) &&
         core_put(out, "recurrent_of", core_array_of_uint32(x->recurrent, x->n_states));
}

static bool put_diameter(PyObject *out, const far_diameter *x) {
  return core_put(out, "diameter",
                  Py_BuildValue("(ddIIO)", x->value, x->error, (unsigned)x->from, (unsigned)x->to,
                                x->converged ? Py_True : Py_False));
}

/* Parts of the measures, as dictionaries; NULL without memory. */

static PyObject *norm_of(const far_norm *x) {
  return Py_BuildValue("{s:d,s:d,s:I,s:I}", "value", x->value, "error", x->error, "state",
                       (unsigned)x->state, "action", (unsigned)x->action);
}

static PyObject *gaps_of(const far_reciprocals *x) {
  return Py_BuildValue("{s:d,s:d,s:d,s:d,s:n,s:n,s:d}", "sum", x->sum, "low", x->low, "high",
                       x->high, "least", x->least, "positive", (Py_ssize_t)x->n_positive, "zero",
                       (Py_ssize_t)x->n_zero, "regular", x->regular);
}

static PyObject *effective_of(const far_effective *x) {
  return Py_BuildValue("{s:L,s:d,s:L,s:d,s:d,s:L}", "k", (long long)x->k, "horizon", x->horizon,
                       "at", (long long)x->at, "gap", x->gap, "gorp", x->gorp, "tried",
                       (long long)x->tried);
}

static PyObject *mixing_of(const far_mixing *x) {
  return Py_BuildValue("{s:d,s:I,s:I,s:I,s:d,s:d,s:O}", "time", x->time, "states",
                       (unsigned)x->n_states, "closed", (unsigned)x->n_closed, "period",
                       (unsigned)x->period, "distance", x->distance, "error", x->error, "converged",
                       x->converged ? Py_True : Py_False);
}

static PyObject *cover_of(const far_cover *x) {
  const bool known = x->kind != FAR_COVER_BOUNDED;
  PyObject *out =
      Py_BuildValue("{s:s,s:n,s:d,s:d,s:d,s:d,s:d,s:d,s:d}", "kind", far_cover_name(x->kind),
                    "pairs", (Py_ssize_t)x->n_pairs, "standard_error", x->standard_error, "low",
                    x->low, "high", x->high, "hitting", x->hitting, "hitting_error",
                    x->hitting_error, "length_low", x->length_low, "length_high", x->length_high);
  if (out == NULL) return NULL;
  const bool put =
      core_put(out, "expected", known ? PyFloat_FromDouble(x->expected) : Py_NewRef(Py_None)) &&
      core_put(out, "worst",
               known && x->kind != FAR_COVER_SIMULATED ? PyFloat_FromDouble(x->worst)
                                                       : Py_NewRef(Py_None));
  if (!put) Py_CLEAR(out);
  return out;
}

static bool put_measures(PyObject *out, const far__measures *x) {
  PyObject *parts = PyDict_New();
  bool put = parts != NULL && core_put(parts, "value_norm", norm_of(&x->norm)) &&
             core_put(parts, "chain_states", PyLong_FromUnsignedLongLong(x->n_chain));
  if (put && x->has_gaps) put = core_put(parts, "gaps", gaps_of(&x->gaps));
  if (put && x->has_effective) put = core_put(parts, "effective", effective_of(&x->effective));
  if (put && x->has_mixing)
    put = core_put(parts, "mixing", mixing_of(&x->best)) &&
          core_put(parts, "mixing_uniform", mixing_of(&x->uniform));
  if (put && x->has_cover) put = core_put(parts, "cover", cover_of(&x->cover));
  if (put && x->has_diameter)
    put = core_put(parts, "diameter", PyFloat_FromDouble(x->diameter.value));
  if (put) return core_put(out, "hardness", parts);
  Py_XDECREF(parts);
  return false;
}

static bool put_all(PyObject *out, const far__model_solution *x, PyObject *owner) {
  bool put = core_put(out, "error", PyFloat_FromDouble(x->error)) &&
             core_put(out, "start", PyFloat_FromDouble(x->start)) &&
             core_put(out, "gamma", PyFloat_FromDouble(x->def.gamma)) &&
             core_put(out, "converged", PyBool_FromLong(x->converged));
  if (put && x->def.kind == FAR__SOLVE_HORIZON)
    put = put_horizon(out, &x->horizon, owner);
  else if (put && x->def.kind == FAR__SOLVE_AVERAGE)
    put = put_average(out, &x->average, owner);
  else if (put)
    put = put_values(out, x, owner);
  if (put && x->has_structure) put = put_structure(out, &x->structure);
  if (put && x->has_diameter) put = put_diameter(out, &x->diameter);
  if (put && x->has_measures) put = put_measures(out, &x->measures);
  return put;
}

/* A capsule owns the solution and keeps the model alive. The arrays are views of the solution's memory. */
static const char CAPSULE[] = "farsight._core.solution";

static void free_capsule(PyObject *capsule) {
  far__model_solution_free(PyCapsule_GetPointer(capsule, CAPSULE));
  Py_XDECREF((PyObject *)PyCapsule_GetContext(capsule));
}

static PyObject *new_capsule(far__model_solution *x, PyObject *model) {
  PyObject *capsule = PyCapsule_New(x, CAPSULE, free_capsule);
  if (capsule == NULL) {
    far__model_solution_free(x);
    return NULL;
  }
  Py_INCREF(model);
  if (PyCapsule_SetContext(capsule, model) == 0) return capsule;
  Py_DECREF(model);
  Py_DECREF(capsule);
  return NULL;
}

/* `warning` is "" if there is none. */
static PyObject *answer(far__model_solution *x, PyObject *model, const char *warning) {
  PyObject *capsule = new_capsule(x, model), *values = PyDict_New(), *both = NULL;
  if (capsule != NULL && values != NULL && put_all(values, x, capsule) &&
      (warning[0] == '\0' || core_put(values, "warning", PyUnicode_FromString(warning))))
    both = Py_BuildValue("(OO)", capsule, values);
  Py_XDECREF(capsule);
  Py_XDECREF(values);
  return both;
}

static PyObject *solution_document(PyObject *self, PyObject *args) {
  PyObject *capsule;
  int64_t rows = 24;
  (void)self;
  if (!PyArg_ParseTuple(args, "O|O&:solution_document", &capsule, CORE_INT64("rows", &rows)))
    return NULL;
  const far__model_solution *x = PyCapsule_GetPointer(capsule, CAPSULE);
  PyObject *document = x != NULL ? core_document_new("solve") : NULL;
  if (document != NULL && !core_document_keep(document, capsule)) Py_CLEAR(document);
  if (document != NULL)
    far__model_solution_report(x, rows > 0 ? (size_t)rows : 0, core_document_report(document));
  return document;
}

static PyObject *solve_question(question *q, PyObject *model, PyObject *report) {
  far__model_solution *x;
  far_error error;
  q->def.progress = tick;
  q->def.note = take_warning;
  q->def.user = q;
  q->next = far__clock_seconds() + 0.1;
  q->work = core_work_begin(report);
  const far_status status = far__model_solve(&x, &q->def, &error);
  core_work_end(&q->work);
  if (status != FAR_OK) return core_raise(&error, NULL);
  if (PyErr_Occurred() == NULL) return answer(x, model, q->warning);
  far__model_solution_free(x); /* Ctrl-C came when all was done */
  return NULL;
}

static PyObject *solve(PyObject *self, PyObject *args, PyObject *named) {
  static char *names[] = {"model",      "kind",    "gamma",   "tolerance",     "method",
                          "max_sweeps", "horizon", "actions", "probabilities", "structure",
                          "diameter",   "threads", "device",  "report",        NULL};
  question q = {.def = far__model_solution_def_default()};
  PyObject *model, *actions = Py_None, *probabilities = Py_None, *report = Py_None;
  PyObject *threads = NULL, *device = NULL;
  const char *kind = "discounted", *method = "auto";
  int structure = 0, diameter = 0;
  (void)self;
  q.def.max_sweeps = q.def.horizon = 0;
  if (!PyArg_ParseTupleAndKeywords(
          args, named, "O|sO&O&sO&O&OOppOOO:solve", names, &model, &kind,
          CORE_DOUBLE("gamma", &q.def.gamma), CORE_DOUBLE("tolerance", &q.def.tolerance), &method,
          CORE_INT64("max_sweeps", &q.def.max_sweeps), CORE_INT64("horizon", &q.def.horizon),
          &actions, &probabilities, &structure, &diameter, &threads, &device, &report))
    return NULL;
  q.def.mdp = core_model(model);
  q.def.structure = structure != 0;
  q.def.diameter = diameter != 0;
  PyObject *both = NULL;
  if (q.def.mdp != NULL && find_kind(&q.def.kind, kind) && find_method(&q.def.method, method) &&
      (threads == NULL || core_threads(&q.def.threads, threads)) &&
      (device == NULL || core_device_choice(&q.def.device, device)) &&
      read_policy(&q, actions, probabilities))
    both = solve_question(&q, model, report);
  free_question(&q);
  return both;
}

static PyMethodDef functions[] = {
    {"solve", CORE_METHOD(solve), METH_VARARGS | METH_KEYWORDS,
     "solve(model, kind='discounted', gamma=nan, tolerance=1e-6, method='auto', max_sweeps=0, "
     "horizon=0, actions=None, probabilities=None, structure=False, diameter=False, "
     "threads=0, device='cpu', report=None)\n--\n\n"
     "solve(model: Model, kind: str = 'discounted', gamma: float = ..., tolerance: float = 1e-6, "
     "method: str = 'auto', max_sweeps: int = 0, horizon: int = 0, actions: IntArray | None = "
     "None, probabilities: FloatArray | None = None, structure: bool = False, diameter: bool = "
     "False, threads: int | None = 0, device: str = 'cpu', report: Callable[[str, int, float], "
     "object] | None = None) -> "
     "tuple[object, dict[str, Any]]\n\n"
     "Solves a model: the solution, for solution_document, and its numbers; \"warning\" among them "
     "if a "
     "device failed."},
    {"solution_document", solution_document, METH_VARARGS,
     "solution_document(solution, most_rows=24, /)\n--\n\n"
     "solution_document(solution: object, most_rows: int = 24, /) -> Document\n\n"
     "What a solution says; tables of more rows than that show the first and the last (0: all)."},
    {0}};

bool core_add_solve(PyObject *module) {
  return core_add_functions(module, functions);
}
