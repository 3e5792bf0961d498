/* Long calls: Python's lock is released, Ctrl-C is seen, and progress is reported. */
#include "core.h"

core_work core_work_begin(PyObject *report) {
  return (core_work){.report = report == Py_None ? NULL : report, .saved = PyEval_SaveThread()};
}

void core_work_end(core_work *work) {
  core_interpreter_linger();
  PyEval_RestoreThread(work->saved);
  if (work->type != NULL) PyErr_Restore(work->type, work->value, work->trace);
  work->type = work->value = work->trace = NULL;
}

PyObject *core_work_stopped(void) {
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  if (type != NULL) PyErr_NormalizeException(&type, &value, &trace);
  if (value != NULL && trace != NULL) PyException_SetTraceback(value, trace);
  Py_XDECREF(type);
  Py_XDECREF(trace);
  if (value != NULL) return value;
  Py_INCREF(Py_None);
  return Py_None;
}

/* Calls `report` with Python's lock held; true if the work continues. */
static bool report(core_work *work, PyObject *(*arguments)(const void *), const void *user) {
  if (PyErr_CheckSignals() != 0) return false;
  if (work->report == NULL) return true;
  PyObject *values = arguments(user);
  PyObject *answer = values != NULL ? PyObject_CallObject(work->report, values) : NULL;
  Py_XDECREF(values);
  Py_XDECREF(answer);
  return answer != NULL;
}

bool core_continue(core_work *work, PyObject *(*arguments)(const void *), const void *user) {
  if (work->type != NULL || !core_interpreter_hold()) return false;
  PyEval_RestoreThread(work->saved);
  const bool goes_on = report(work, arguments, user);
  if (!goes_on) PyErr_Fetch(&work->type, &work->value, &work->trace);
  work->saved = PyEval_SaveThread();
  core_interpreter_release();
  return goes_on;
}

static PyObject *batch_arguments(const void *user) {
  const far_progress *p = user;
  return Py_BuildValue("(LLLLdddd)", (long long)p->cells_done, (long long)p->cells,
                       (long long)p->runs_done, (long long)p->runs, p->steps_done, p->steps,
                       p->seconds, p->seconds_left);
}

bool core_progress(void *work, const far_progress *progress) {
  return core_continue(work, batch_arguments, progress);
}
