/* What the files of the extension share. One file defines one Python type, or the functions of one subject.
 *
 * The extension is thin: it turns Python objects into arguments of public functions of the library and their
 * results into Python objects. Whatever can be written in Python without a loss of speed is in
 * python/farsight. Only the limited API of Python 3.10 is used, so one binary serves all later versions.
 *
 * Every function here that returns a pointer to an object returns a new reference, or NULL with a Python
 * exception set; a bool is false with an exception set.
 */
#ifndef FARSIGHT_PYTHON_CORE_H
#define FARSIGHT_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define NPY_TARGET_VERSION NPY_1_23_API_VERSION /* the oldest NumPy that pyproject.toml allows */
#define NPY_NO_DEPRECATED_API NPY_1_23_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL farsight_core_array
#ifndef FARSIGHT_IMPORTS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>

#include <stdatomic.h>

#include "farsight/lab.h"

/* ---- types; each is made once, when the module is imported ---- */

extern PyTypeObject *core_document_type;
extern PyTypeObject *core_model_type;
extern PyTypeObject *core_simulator_type;
extern PyTypeObject *core_store_type;
extern PyTypeObject *core_study_type;

bool core_add_document(PyObject *module);
bool core_add_figure(PyObject *module);
bool core_add_plot(PyObject *module);
bool core_add_layout(PyObject *module);
bool core_add_page(PyObject *module);
bool core_add_model(PyObject *module);
bool core_add_types(PyObject *module);
bool core_add_agent(PyObject *module);
bool core_add_random(PyObject *module);
bool core_add_hooks(PyObject *module);
bool core_add_worlds(PyObject *module);
bool core_add_train(PyObject *module);
bool core_add_plugin(PyObject *module);
bool core_add_simulator(PyObject *module);
bool core_add_study(PyObject *module);
bool core_add_store(PyObject *module);
bool core_add_solve(PyObject *module);
bool core_add_theory(PyObject *module);
bool core_add_comparison(PyObject *module);
bool core_add_search(PyObject *module);
bool core_add_paper(PyObject *module);
bool core_add_ranking(PyObject *module);
bool core_add_benchmark(PyObject *module);
bool core_add_device(PyObject *module);
bool core_add_resources(PyObject *module);

/* Makes a type from its spec, "farsight._core.NAME", and adds it to the module. Without Py_tp_new only
 * functions of ours make instances: calling the type is a TypeError. */
PyTypeObject *core_add_type(PyObject *module, PyType_Spec *spec);

/* Adds functions to the module. */
bool core_add_functions(PyObject *module, PyMethodDef *methods);

/* A function that takes (self, args, nargs) or (self, args, nargs, kwnames), as a PyCFunction. */
#define CORE_METHOD(function) ((PyCFunction)(void (*)(void))(function))

/* core_new_object: a new instance, all zeros, of a type made by core_add_type. core_free_object frees an instance. */
PyObject *core_new_object(PyTypeObject *type);
void core_free_object(PyObject *self);

/* ---- errors ---- */

/* Raises the exception that belongs to an error of the library (farsight/_errors.py); `text` is what the
 * error's position is in, or NULL. Returns NULL. An exception that is set already stays; an error that was made
 * by core_keep_exception, wherever in the library it has been since, raises that exception again. */
PyObject *core_raise(const far_error *error, const char *text);

/* For callbacks: takes the exception that is set, keeps it for core_raise, and describes it in *error. */
far_status core_keep_exception(far_error *error);

/* ---- one user at a time ---- */

/* Objects of the library belong to one thread at a time, and long calls release Python's lock. A call takes
 * its object or fails with RuntimeError; it never waits. */
typedef struct core_lock {
  atomic_flag taken;
} core_lock;

bool core_take(core_lock *lock, const char *what);
void core_release(core_lock *lock);

/* ---- arguments ---- */

/* A whole number in 0 ... limit-1, given as an int or anything with __index__ (NumPy's integers). Anything
 * else is a TypeError, a number outside an IndexError: `what` is in the message. */
bool core_index(uint32_t *out, PyObject *object, const char *what, uint32_t limit);
bool core_uint64(uint64_t *out, PyObject *object, const char *what);
bool core_int64(int64_t *out, PyObject *object, const char *what);
bool core_double(double *out, PyObject *object, const char *what);

/* core_int64 and core_double for PyArg_Parse..., by the format "O&" in place of "L" and "d": a value that is too
 * large is a ValueError that names the argument. */
typedef struct core_named {
  const char *what;
  void *out;
} core_named;

int core_take_int64(PyObject *object, void *named);
int core_take_double(PyObject *object, void *named);
#define CORE_INT64(what, int64)                                                                    \
  core_take_int64, &(core_named) {                                                                 \
    what, (int64_t *) {                                                                            \
      int64                                                                                        \
    }                                                                                              \
  }
#define CORE_DOUBLE(what, number)                                                                  \
  core_take_double, &(core_named) {                                                                \
    what, (double *) {                                                                             \
      number                                                                                       \
    }                                                                                              \
  }

/* How many of something there are: 0 ... 2^32 - 2; a ValueError otherwise. */
bool core_size(uint32_t *out, PyObject *object, const char *what);

/* A number of threads: 1 ... 4096; None or 0 is one for each processor. */
bool core_threads(unsigned *out, PyObject *object);

/* Indices as of core_index, from an array of integers of any shape; *count < 0: of any length. Free by PyMem_Free. */
uint32_t *core_indices(Py_ssize_t *count, PyObject *object, const char *what, uint32_t limit);

/* The index of a word among the allowed ones; otherwise a ValueError about `what` that lists them. */
bool core_choice(int *out, const char *word, const char *what, const char *const *words, int count);

/* The text of a str, or NULL for None if `optional`; valid as long as the object. */
bool core_text(const char **out, PyObject *object, const char *what, bool optional);

/* A path given as str, bytes or os.PathLike: a new bytes object. */
PyObject *core_path(PyObject *object);

/* A list or tuple of str as C strings, which stay valid whatever becomes of the list; free by core_free_texts. */
const char **core_texts(size_t *count, PyObject *list, const char *what);
void core_free_texts(const char **texts); /* may be NULL */

/* Appends an item to a list; takes the reference to the item. After a failure, also if the item is NULL, *list is
 * freed and set to NULL. */
bool core_append(PyObject **list, PyObject *item);
PyObject *core_list_of_texts(const char *const *texts, size_t count);

/* Puts a value into a dict; takes the reference to the value. A NULL value is a failure whose exception is already
 * set. */
bool core_put(PyObject *dict, const char *key, PyObject *value);

/* ---- arrays ---- */

/* An empty array of this type (NPY_DOUBLE, ...) and shape. */
PyObject *core_array(int type, int n_dims, const npy_intp *dims);
PyObject *core_array_of_double(const double *values, npy_intp count);
PyObject *core_array_of_int64(const int64_t *values, npy_intp count);
PyObject *core_array_of_uint32(const uint32_t *values, npy_intp count); /* as int64 */
PyObject *core_array_of_bool(const bool *values, npy_intp count);

/* A read-only array on memory that `owner` keeps: no copy. */
PyObject *core_view_of_double(const double *values, int n_dims, const npy_intp *dims,
                              PyObject *owner);

/* The data of a contiguous array of this type, converted if no value changes; *held is a new reference to the array
 * that holds the data. Each bool is 0 or 1, as C requires. */
void *core_data(PyObject **held, PyObject *object, const char *what, int type, Py_ssize_t count);

/* ---- long calls ---- */

/* Work without Python's lock: begin, call the library, end. The progress functions below take the lock, check for
 * Ctrl-C, and call `report` with their numbers; an exception stops the work, which then ends with CANCELLED. */
typedef struct core_work {
  PyObject *report; /* or NULL */
  PyThreadState *saved;
  PyObject *type, *value, *trace; /* the exception that has stopped the work; or NULL */
} core_work;

core_work core_work_begin(PyObject *report); /* a function, or None */
void core_work_end(core_work *work); /* sets the exception that has stopped the work, if any */

/* After core_work_end, for stopped work that still has a result: takes the exception that stopped it, for the caller
 * to raise or not; None if there is none. */
PyObject *core_work_stopped(void);

bool core_progress(void *work,
                   const far_progress *progress); /* report(cells_done, cells, runs_done, runs,
                                                                 steps_done, steps, seconds, seconds_left) */
bool core_continue(core_work *work, PyObject *(*arguments)(const void *), const void *user);

/* ---- the end of the interpreter ---- */

/* Between hold and release a shutdown of the interpreter waits, up to a second. core_interpreter_hold is false if
 * another thread is already shutting it down: then nothing of Python may be touched. Python would end a thread that
 * asks for its lock, and with it the stack on which worker threads of the library still depend. */
bool core_interpreter_hold(void);
void core_interpreter_release(void);

/* Call this before a long call takes Python's lock again: waits a while if another thread is shutting the
 * interpreter down, so that it can finish. */
void core_interpreter_linger(void);

/* ---- hooks: Python called by the library, in any of its threads ---- */

typedef struct core_visit {
  PyGILState_STATE state;
  bool stays;
} core_visit;

/* Takes Python's lock; false when the interpreter shuts down: then nothing of Python may be touched, and a
 * hook returns CANCELLED. May be nested. */
bool core_enter(core_visit *visit);
void core_leave(const core_visit *visit);

/* The shape as Python code gets it: (n_states, n_actions, reward_min, reward_max, episodic, absent, horizon, gamma,
 * average, steps). */
PyObject *core_shape_tuple(const far_shape *shape);

/* ---- documents: what an analysis found ---- */

/* A document of `command`, still empty. */
PyObject *core_document_new(const char *command);
far_report *core_document_report(PyObject *document);

/* Draws a figure of this kind from the subject of a document; `part` is the index of a group or an agent, if the
 * subject has parts. */
typedef far_status core_draw_fn(far_figure **out, const void *subject, const char *kind,
                                size_t part, const far_plot_def *def, far_error *error);

/* The document keeps `subject` until the document is freed, and then frees it. `draw` may be NULL. */
void core_document_adopt(PyObject *document, void *subject, void (*free_subject)(void *),
                         core_draw_fn *draw);
/* The subject of a document that was adopted with this `draw`; NULL with a TypeError for any other object. */
const void *core_document_subject(PyObject *document, core_draw_fn *draw, const char *what);

/* The document keeps this object alive. */
bool core_document_keep(PyObject *document, PyObject *object);

/* ---- random streams ---- */

/* The stream of a farsight._core.Random, taken until core_random_end; NULL with an exception set. */
far_rng *core_random_begin(PyObject *object);
void core_random_end(PyObject *object);

/* ---- devices ---- */

/* The pool of a farsight._core.Device, NULL for None; false with a TypeError if it is neither. */
bool core_device(far_pool **out, PyObject *object);

/* "cpu", "gpu" or "auto"; false with an exception set. */
bool core_device_choice(far_device *out, PyObject *object);

/* ---- stores ---- */

/* The store of a farsight._core.Store, borrowed; NULL with a TypeError if it is none, with a ValueError if it
 * is closed. */
far_store *core_store(PyObject *object);

/* core_store for the only user of a store, until core_store_release; NULL with a RuntimeError if another call uses
 * it. */
far_store *core_store_take(PyObject *object);
void core_store_release(PyObject *object);

/* Between core_store_take and core_store_release: while the store waits for another process, Ctrl-C stops `work`.
 * NULL ends this. */
void core_store_watch(PyObject *object, core_work *work);

/* ---- studies ---- */

/* The study of a farsight._core.Study, borrowed and immutable; NULL with a TypeError if it is none. */
const far_study *core_study(PyObject *object);

/* Appends a note to a list of tuples (severe, env, agent, metric, message). The library calls it without Python's
 * lock; failures are ignored. */
void core_take_note(void *list, const far_study_note *note);

/* ---- models ---- */

/* The model of a farsight._core.Model, borrowed; NULL with a TypeError if it is none. */
const far_mdp *core_model(PyObject *object);
PyObject *core_model_new(PyTypeObject *type, far_mdp *mdp); /* takes the model */

/* Methods of Model on arrays (model-arrays.c): from_csr, to_csr, and the attribute layout. */
PyObject *core_model_from_csr(PyObject *type, PyObject *args);
PyObject *core_model_to_csr(PyObject *model, PyObject *unused);
PyObject *core_model_layout(PyObject *model, void *unused);

/* The shape of a problem: a Model, or a tuple as core_shape_tuple makes it, of which what follows `absent` may be left
 * out; absent is None or an array of bool. *held keeps what the shape borrows. */
bool core_shape(far_shape *out, PyObject **held, PyObject *object);

/* ---- agents and worlds, for code that steps them ---- */

/* The names of the kinds of values, indexed by far_value. */
extern const char *const core_value_names[FAR_VALUE_COUNT];

/* The agent of a farsight._core.Agent, taken for this call: release it afterwards. NULL with an exception. */
far_agent *core_agent_take(PyObject *object);
void core_agent_release(PyObject *object);
/* Counts the visit of a transition that the agent has learned. */
void core_agent_count(PyObject *object, const far_transition *step);

/* The worlds of a farsight._core.Worlds, taken for this call: release them afterwards. core_worlds_fit: does the
 * model have the states and actions of this shape? */
far_worlds *core_worlds_take(PyObject *object);
void core_worlds_release(PyObject *object);
bool core_worlds_fit(PyObject *object, const far_shape *shape);

/* The definition of a farsight._core.Simulator, borrowed; NULL with a TypeError if it is none. */
const far_simulator_def *core_simulator(PyObject *object);

#endif
