/* Store: results in one SQLite file, which the command reads and writes as well. */
#include "core.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "lab/store/access.h"

PyTypeObject *core_store_type;

typedef struct store {
  PyObject_HEAD core_lock lock;
  far_store *store;  /* NULL: not open */
  PyObject *path;    /* str */
  PyObject *waiting; /* is called with the path while another process writes for long; or NULL */
  core_work *work;   /* of the call that is under way; or NULL */
  double asked;      /* when the work was last asked whether to go on */
  bool told;         /* `waiting` was called */
} store;

/* ---- use by other files ---- */

static store *store_of(PyObject *object) {
  if (PyObject_TypeCheck(object, core_store_type)) return (store *)object;
  PyErr_Format(PyExc_TypeError, "expected a store (farsight.Store), not %R",
               (PyObject *)Py_TYPE(object));
  return NULL;
}

far_store *core_store(PyObject *object) {
  store *s = store_of(object);
  if (s != NULL && s->store == NULL) PyErr_SetString(PyExc_ValueError, "the store is closed");
  return s != NULL ? s->store : NULL;
}

far_store *core_store_take(PyObject *object) {
  store *s = store_of(object);
  if (s == NULL || !core_take(&s->lock, "store")) return NULL;
  far_store *open = core_store(object);
  if (open == NULL) core_release(&s->lock);
  return open;
}

void core_store_release(PyObject *object) {
  core_release(&((store *)object)->lock);
}

static PyObject *path_argument(const void *user) {
  return Py_BuildValue("(O)", ((const store *)user)->path);
}

/* Called while the store works or waits, often a thousand times a second; takes Python's lock at most 20 times a
 * second. */
static bool goes_on(void *user, double waited) {
  store *s = user;
  const double now = far__clock_seconds();
  if (s->work->type != NULL) return false;
  if (now - s->asked < 0.05) return true;
  s->asked = now;
  PyObject *report = s->work->report;
  s->work->report = waited > 3 && !s->told ? s->waiting : NULL;
  s->told = s->told || s->work->report != NULL;
  const bool go = core_continue(s->work, path_argument, s);
  s->work->report = report;
  return go;
}

void core_store_watch(PyObject *object, core_work *work) {
  store *s = (store *)object;
  s->work = work;
  s->told = false;
  far__store_watch(s->store, work != NULL ? goes_on : NULL, s);
}

/* ---- calls ---- */

/* A call without Python's lock, which Ctrl-C stops. */
typedef struct call {
  PyObject *self;
  far_store *store;
  core_work work;
  far_error error;
} call;

/* Begins a call. `out` must not be moved until `end`. */
static bool begin(call *out, PyObject *self) {
  *out = (call){.self = self, .store = core_store_take(self)};
  if (out->store == NULL) return false;
  out->work = core_work_begin(Py_None);
  core_store_watch(self, &out->work);
  return true;
}

/* True if the call succeeded, else an exception is set. */
static bool end(call *c, far_status status) {
  core_store_watch(c->self, NULL);
  core_work_end(&c->work);
  core_store_release(c->self);
  if (status != FAR_OK) core_raise(&c->error, NULL);
  return PyErr_Occurred() == NULL;
}

/* ---- opening and closing ---- */

static bool find_mode(far_store_mode *out, const char *mode) {
  static const char *const names[] = {"r", "w", "memory"};
  int found;
  if (!core_choice(&found, mode, "mode", names, 3)) return false;
  *out = (far_store_mode)found;
  return true;
}

static bool open_file(store *s, const char *path, far_store_mode mode, const char *command) {
  far_error error;
  core_work work = core_work_begin(Py_None);
  s->work = &work;
  far_status status = far__store_open_watched(&s->store, path, mode, goes_on, s, &error);
  if (status == FAR_OK && command != NULL && mode != FAR_STORE_READ)
    status = far_store_command(s->store, command, &error);
  if (s->store != NULL) far__store_watch(s->store, NULL, NULL);
  s->work = NULL;
  core_work_end(&work);
  if (status != FAR_OK) core_raise(&error, NULL);
  if (PyErr_Occurred() == NULL) return true;
  far_store_close(s->store);
  s->store = NULL;
  return false;
}

static bool open_store(store *s, PyObject *path, const char *mode_name, const char *command) {
  far_store_mode mode;
  if (s->path != NULL) {
    PyErr_SetString(PyExc_RuntimeError, "a store is opened once; make another");
    return false;
  }
  if (!find_mode(&mode, mode_name)) return false;
  PyObject *bytes = core_path(path);
  if (bytes == NULL) return false;
  s->path = PyUnicode_DecodeFSDefault(PyBytes_AsString(bytes));
  const bool good = s->path != NULL && open_file(s, PyBytes_AsString(bytes), mode, command);
  Py_DECREF(bytes);
  if (!good) Py_CLEAR(s->path);
  return good;
}

static int store_init(PyObject *self, PyObject *args, PyObject *named) {
  static char *names[] = {"path", "mode", "command", "waiting", NULL};
  store *s = (store *)self;
  const char *mode = "w", *command = NULL;
  PyObject *path, *waiting = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, named, "O|szO:Store", names, &path, &mode, &command,
                                   &waiting) ||
      !core_take(&s->lock, "store"))
    return -1;
  if (waiting != Py_None && s->waiting == NULL) {
    Py_INCREF(waiting);
    s->waiting = waiting;
  }
  const bool good = open_store(s, path, mode, command);
  core_release(&s->lock);
  return good ? 0 : -1;
}

static void store_free(PyObject *self) {
  store *s = (store *)self;
  far_store_close(s->store);
  Py_XDECREF(s->path);
  Py_XDECREF(s->waiting);
  core_free_object(self);
}

static PyObject *store_close(PyObject *self, PyObject *unused) {
  (void)unused;
  store *s = (store *)self;
  if (!core_take(&s->lock, "store")) return NULL;
  far_store *open = s->store;
  s->store = NULL;
  core_work work = core_work_begin(Py_None);
  far_store_close(open);
  core_work_end(&work);
  core_release(&s->lock);
  Py_RETURN_NONE;
}

/* ---- lists ---- */

static PyObject *record_item(const far_record *r) {
  return Py_BuildValue("{ss,ss,ss,ss,ss,ss,sL,sL,sK,si,sL}", "key", r->key, "env", r->env,
                       "env_label", r->env_label, "model", r->model, "agent", r->agent,
                       "agent_label", r->agent_label, "steps", (long long)r->steps, "episodes",
                       (long long)r->episodes, "seed", (unsigned long long)r->seed, "numerics",
                       r->numerics, "runs", (long long)r->runs);
}

static PyObject *store_records(PyObject *self, PyObject *unused) {
  (void)unused;
  call c;
  far_record record;
  bool found = false;
  if (!begin(&c, self)) return NULL;
  far_status status = far_store_record(&record, &found, c.store, 0, &c.error);
  core_store_watch(self, NULL);
  core_work_end(&c.work); /* reading the other records is quick */
  PyObject *list = PyErr_Occurred() == NULL ? PyList_New(0) : NULL;
  for (size_t i = 1; status == FAR_OK && found && list != NULL; ++i)
    if (core_append(&list, record_item(&record)))
      status = far_store_record(&record, &found, c.store, i, &c.error);
  core_store_release(self);
  if (status != FAR_OK) {
    Py_CLEAR(list);
    core_raise(&c.error, NULL);
  }
  return list;
}

static PyObject *store_series(PyObject *self, PyObject *args) {
  const char *key = NULL, *name;
  far_error error;
  bool found = true;
  far_status status = FAR_OK;
  if (!PyArg_ParseTuple(args, "|z:series", &key)) return NULL;
  far_store *open = core_store_take(self);
  PyObject *list = open != NULL ? PyList_New(0) : NULL;
  for (size_t i = 0; status == FAR_OK && found && list != NULL; ++i) {
    status = far_store_series(&name, &found, open, key, i, &error);
    if (status == FAR_OK && found) core_append(&list, PyUnicode_FromString(name));
  }
  if (open != NULL) core_store_release(self);
  if (status != FAR_OK) {
    Py_CLEAR(list);
    core_raise(&error, NULL);
  }
  return list;
}

static PyObject *store_nearest(PyObject *self, PyObject *text) {
  const char *series, *name;
  bool exact;
  far_error error;
  far_store *open = core_text(&series, text, "series", false) ? core_store_take(self) : NULL;
  if (open == NULL) return NULL;
  PyObject *answer = NULL;
  if (far_store_series_nearest(&name, &exact, open, series, &error) != FAR_OK)
    core_raise(&error, NULL);
  else
    answer = Py_BuildValue("(sO)", name, exact ? Py_True : Py_False);
  core_store_release(self);
  return answer;
}

static PyObject *session_item(const far_session *x) {
  return Py_BuildValue("{ss,ss,si,ss,si,ss,ss,ss,sL}", "version", x->version, "compiler",
                       x->compiler, "numerics", x->numerics, "machine", x->machine, "processors",
                       x->processors, "command", x->command, "started", x->started, "last", x->last,
                       "runs", (long long)x->runs);
}

static PyObject *store_sessions(PyObject *self, PyObject *unused) {
  (void)unused;
  far_session session;
  far_error error;
  bool found = true;
  far_status status = FAR_OK;
  far_store *open = core_store_take(self);
  PyObject *list = open != NULL ? PyList_New(0) : NULL;
  for (size_t i = 0; status == FAR_OK && found && list != NULL; ++i) {
    status = far_store_session(&session, &found, open, i, &error);
    if (status == FAR_OK && found) core_append(&list, session_item(&session));
  }
  if (open != NULL) core_store_release(self);
  if (status != FAR_OK) {
    Py_CLEAR(list);
    core_raise(&error, NULL);
  }
  return list;
}

/* ---- numbers ---- */

static PyObject *matrix(const double *values, npy_intp rows, npy_intp columns) {
  const npy_intp dims[] = {rows, columns};
  PyObject *array = core_array(NPY_DOUBLE, 2, dims);
  if (array != NULL && rows * columns > 0)
    memcpy(PyArray_DATA((PyArrayObject *)array), values,
           (size_t)rows * (size_t)columns * sizeof *values);
  return array;
}

static PyObject *store_columns(PyObject *self, PyObject *args) {
  const char *key;
  PyObject *list, *answer = NULL;
  size_t count;
  call c;
  far_columns columns = {0};
  if (!PyArg_ParseTuple(args, "sO:columns", &key, &list)) return NULL;
  const char **series = core_texts(&count, list, "series");
  if (series == NULL) return NULL;
  if (begin(&c, self) &&
      end(&c, far_store_columns(&columns, c.store, key, series, count, &c.error)))
    answer = Py_BuildValue("(NN)", core_array_of_int64(columns.replicates, columns.count),
                           matrix(columns.values, (npy_intp)count, columns.count));
  far_columns_free(&columns);
  core_free_texts(series);
  return answer;
}

static PyObject *part(const double *values, const far_snapshot *x) {
  if (values == NULL) Py_RETURN_NONE;
  return matrix(values, x->n_states, x->n_actions);
}

static PyObject *store_snapshot(PyObject *self, PyObject *args) {
  const char *key;
  int64_t replicate, step;
  call c;
  far_snapshot x = {0};
  bool found = false;
  PyObject *answer = NULL;
  if (!PyArg_ParseTuple(args, "sO&O&:snapshot", &key, CORE_INT64("replicate", &replicate),
                        CORE_INT64("step", &step)) ||
      !begin(&c, self))
    return NULL;
  if (!end(&c, far_store_snapshot_read(&x, &found, c.store, key, replicate, step, &c.error))) {
    far_snapshot_free(&x);
    return NULL;
  }
  if (!found) Py_RETURN_NONE;
  answer = Py_BuildValue("{sL,sL,sN,sN,sN,sN}", "replicate", (long long)x.replicate, "step",
                         (long long)x.step, "visits", part(x.visits, &x), "q", part(x.q, &x),
                         "bonus", part(x.bonus, &x), "policy", part(x.policy, &x));
  far_snapshot_free(&x);
  return answer;
}

static PyObject *store_info(PyObject *self, PyObject *unused) {
  (void)unused;
  call c;
  far_store_info i;
  if (!begin(&c, self) || !end(&c, far_store_info_of(&i, c.store, &c.error))) return NULL;
  return Py_BuildValue("{si,sL,sL,sL,sL,sL,sd,sL,sL}", "format", i.format, "cells",
                       (long long)i.cells, "runs", (long long)i.runs, "blocks", (long long)i.blocks,
                       "values", (long long)i.values, "sessions", (long long)i.sessions, "seconds",
                       i.seconds, "bytes", (long long)i.bytes, "snapshots", (long long)i.snapshots);
}

/* ---- checking ---- */

/* Called without Python's lock: sentences are collected in a buffer, a line each. */
static void take_sentence(void *buffer, const char *sentence) {
  far_buffer_add(buffer, sentence, strlen(sentence));
  far_buffer_add(buffer, "\n", 1);
}

static PyObject *store_check(PyObject *self, PyObject *unused) {
  (void)unused;
  call c;
  far_store_report r;
  far_buffer faults = {0};
  PyObject *answer = NULL;
  if (!begin(&c, self)) return NULL;
  if (end(&c, far_store_check(&r, c.store, take_sentence, &faults, &c.error)))
    answer = Py_BuildValue("{sL,sL,sL,sL,sL,ss,ss#}", "faults", (long long)r.faults, "cells",
                           (long long)r.cells, "blocks", (long long)r.blocks, "values",
                           (long long)r.values, "snapshots", (long long)r.snapshots, "hash", r.hash,
                           "sentences", faults.bytes != NULL ? faults.bytes : "",
                           (Py_ssize_t)faults.length);
  far_buffer_free(&faults);
  return answer;
}

/* ---- other files ---- */

static bool write_file(void *user, const char *bytes, size_t length) {
  return fwrite(bytes, 1, length, user) == length;
}

typedef struct export_def {
  bool snapshots;
  far_export format;
  const char **series;
  size_t n_series;
} export_def;

static far_status export_to(FILE *f, call *c, const export_def *def) {
  return def->snapshots ? far_store_export_snapshots(c->store, write_file, f, &c->error)
                        : far_store_export(c->store, def->format, def->series, def->n_series,
                                           write_file, f, &c->error);
}

static PyObject *cannot_write(PyObject *path, int number) {
  errno = number;
  return PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, path);
}

/* Writes the file. *failed is 0, or the errno with which opening or writing the file failed. */
static far_status write_export(const char *path, call *c, const export_def *def, int *failed) {
  FILE *f = fopen(path, "wb");
  *failed = f == NULL ? errno : 0;
  if (f == NULL) return FAR_OK;
  errno = 0;
  const far_status status = export_to(f, c, def);
  if (ferror(f) != 0) *failed = errno != 0 ? errno : EIO;
  if (fclose(f) != 0 && *failed == 0) *failed = errno;
  return status;
}

/* A disk error takes precedence over the CANCELLED that it caused. The store is checked before the file is opened:
 * if the store is closed, the file stays as it was. */
static PyObject *export_file(PyObject *self, PyObject *path, const export_def *def) {
  call c;
  int failed;
  PyObject *bytes = core_path(path);
  const bool begun = bytes != NULL && begin(&c, self);
  if (!begun) {
    Py_XDECREF(bytes);
    return NULL;
  }
  const far_status status = write_export(PyBytes_AsString(bytes), &c, def, &failed);
  const bool good = end(&c, failed != 0 ? FAR_OK : status);
  Py_DECREF(bytes);
  if (!good) return NULL;
  if (failed != 0) return cannot_write(path, failed);
  Py_RETURN_NONE;
}

static PyObject *store_export(PyObject *self, PyObject *args) {
  PyObject *path, *list;
  const char *format;
  if (!PyArg_ParseTuple(args, "OsO:export", &path, &format, &list)) return NULL;
  export_def def = {.snapshots = strcmp(format, "snapshots") == 0, .format = FAR_EXPORT_CSV};
  if (strcmp(format, "jsonl") == 0)
    def.format = FAR_EXPORT_JSONL;
  else if (strcmp(format, "csv") != 0 && !def.snapshots)
    return PyErr_Format(PyExc_ValueError, "format is '%s': must be 'csv', 'jsonl' or 'snapshots'",
                        format);
  def.series = core_texts(&def.n_series, list, "series");
  if (def.series == NULL) return NULL;
  PyObject *answer = export_file(self, path, &def);
  core_free_texts(def.series);
  return answer;
}

static PyObject *store_import(PyObject *self, PyObject *path) {
  call c;
  far_import_report r;
  PyObject *bytes = core_path(path), *answer = NULL;
  if (bytes == NULL) return NULL;
  if (begin(&c, self) && end(&c, far_store_import(&r, c.store, PyBytes_AsString(bytes), &c.error)))
    answer = Py_BuildValue("{sL,sL,ss,sL,ss}", "rows", (long long)r.rows, "added",
                           (long long)r.added, "unused", r.unused, "apart", (long long)r.apart,
                           "why", r.apart > 0 ? r.why : "");
  Py_DECREF(bytes);
  return answer;
}

static PyObject *store_merge(PyObject *self, PyObject *list) {
  call c;
  size_t count;
  int64_t added = 0;
  PyObject *answer = NULL;
  const char **paths = core_texts(&count, list, "paths");
  if (paths == NULL) return NULL;
  if (begin(&c, self) && end(&c, far_store_merge(&added, c.store, paths, count, &c.error)))
    answer = PyLong_FromLongLong(added);
  core_free_texts(paths);
  return answer;
}

/* ---- runs of other programs ---- */

static bool read_curve(far_imported_run *run, PyObject **held, PyObject *steps, PyObject *values) {
  if (steps == Py_None) return true;
  run->checkpoints = core_data(&held[0], steps, "checkpoints", NPY_INT64, -1);
  if (run->checkpoints == NULL) return false;
  run->n_checkpoints = (size_t)PyArray_SIZE((PyArrayObject *)held[0]);
  run->curve = core_data(&held[1], values, "curve", NPY_DOUBLE, (Py_ssize_t)run->n_checkpoints);
  return run->curve != NULL;
}

static PyObject *store_add(PyObject *self, PyObject *args) {
  PyObject *model, *seed, *replicate, *steps, *values, *held[2] = {NULL, NULL}, *answer = NULL;
  far_imported_run run = {0};
  call c;
  bool added = false;
  if (!PyArg_ParseTuple(args, "OsO&OOO&OO:add", &model, &run.agent, CORE_INT64("steps", &run.steps),
                        &seed, &replicate, CORE_DOUBLE("total", &run.total), &steps, &values))
    return NULL;
  run.mdp = core_model(model);
  if (run.mdp != NULL && core_uint64(&run.seed, seed, "seed") &&
      core_uint64(&run.replicate, replicate, "replicate") &&
      read_curve(&run, held, steps, values) && begin(&c, self) &&
      end(&c, far_store_add(&added, c.store, &run, &c.error)))
    answer = PyBool_FromLong(added);
  Py_XDECREF(held[0]);
  Py_XDECREF(held[1]);
  return answer;
}

/* ---- the type ---- */

static PyObject *get_path(PyObject *self, void *unused) {
  (void)unused;
  PyObject *path = ((store *)self)->path;
  if (path == NULL) path = Py_None;
  Py_INCREF(path);
  return path;
}

static PyObject *get_closed(PyObject *self, void *unused) {
  (void)unused;
  return PyBool_FromLong(((store *)self)->store == NULL);
}

static PyGetSetDef attributes[] = {
    {"path", get_path, NULL, "str: The path that it was opened with.", NULL},
    {"closed", get_closed, NULL, "bool: Whether it is closed.", NULL},
    {0}};

static PyMethodDef methods[] = {
    {"close", store_close, METH_NOARGS,
     "close(self, /)\n--\n\nclose() -> None\n\nCloses it; a second time does nothing."},
    {"_records", store_records, METH_NOARGS,
     "_records(self, /)\n--\n\n_records() -> list[dict[str, Any]]\n\nThe cells that it has."},
    {"_series", store_series, METH_VARARGS,
     "_series(self, key=None, /)\n--\n\n_series(key: str | None = None) -> list[str]\n\n"
     "The columns of a cell, or of any."},
    {"_nearest", store_nearest, METH_O,
     "_nearest(self, series, /)\n--\n\n_nearest(series: str) -> tuple[str, bool]\n\n"
     "The column that is meant, and whether it is exactly that."},
    {"_columns", store_columns, METH_VARARGS,
     "_columns(self, key, series, /)\n--\n\n"
     "_columns(key: str, series: list[str]) -> tuple[IntArray, FloatArray]\n\n"
     "Replicates, and the values of each series in them; NaN where a run has none."},
    {"_snapshot", store_snapshot, METH_VARARGS,
     "_snapshot(self, key, replicate, step, /)\n--\n\n"
     "_snapshot(key: str, replicate: int, step: int) -> dict[str, Any] | None\n\n"
     "The first snapshot that is not before this replicate and step."},
    {"info", store_info, METH_NOARGS,
     "info(self, /)\n--\n\ninfo() -> dict[str, Any]\n\n"
     "How much it holds: cells, runs, blocks, values, sessions, snapshots, seconds of processor "
     "time, bytes."},
    {"sessions", store_sessions, METH_NOARGS,
     "sessions(self, /)\n--\n\nsessions() -> list[dict[str, Any]]\n\n"
     "Where the results come from: version, machine, command and time of each session that wrote."},
    {"_check", store_check, METH_NOARGS,
     "_check(self, /)\n--\n\n_check() -> dict[str, Any]\n\nReads everything."},
    {"_export", store_export, METH_VARARGS,
     "_export(self, path, format, series, /)\n--\n\n"
     "_export(path: StrPath, format: str, series: list[str]) -> None\n\nWrites all numbers."},
    {"_import", store_import, METH_O,
     "_import(self, path, /)\n--\n\n_import(path: StrPath) -> dict[str, Any]\n\nReads a CSV file."},
    {"_merge", store_merge, METH_O,
     "_merge(self, paths, /)\n--\n\n_merge(paths: list[str]) -> int\n\nAdds other stores."},
    {"_add", store_add, METH_VARARGS,
     "_add(self, model, agent, steps, seed, replicate, total, checkpoints, curve, /)\n--\n\n"
     "_add(model: Model, agent: str, steps: int, seed: int, replicate: int, total: float, "
     "checkpoints: Any, curve: Any) -> bool\n\nAdds a run of another program."},
    {0}};

static PyType_Slot slots[] = {{Py_tp_doc,
                               "Store(path, mode='w', command=None, waiting=None)\n--\n\n"
                               "Store(path: StrPath, mode: str = 'w', command: str | None "
                               "= None, waiting: Any = None)\n\nResults in one file."},
                              {Py_tp_new, PyType_GenericNew},
                              {Py_tp_init, store_init},
                              {Py_tp_dealloc, store_free},
                              {Py_tp_getset, attributes},
                              {Py_tp_methods, methods},
                              {0}};

static PyType_Spec spec = {.name = "farsight._core.Store",
                           .basicsize = sizeof(store),
                           .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                           .slots = slots};

bool core_add_store(PyObject *module) {
  core_store_type = core_add_type(module, &spec);
  return core_store_type != NULL;
}
