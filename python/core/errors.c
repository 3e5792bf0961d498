/* Errors of the library as Python exceptions, and exceptions of callbacks as errors of the library. */
#include "core.h"

#include <stdio.h>
#include <string.h>

/* Exceptions of callbacks on their way through the library, by number: their errors begin with MARK and the
 * number, and the library may put words before that. Those that nobody asks for are dropped after a while. */
#define MARK "Python exception "
enum { MOST_KEPT = 64 };
static _Atomic(PyObject *) kept; /* a dict, made by make_kept */
static _Atomic long count;

static PyObject *kept_exception(const char *message) {
  const char *mark = strstr(message, MARK);
  long number;
  if (mark == NULL || kept == NULL || sscanf(mark + strlen(MARK), "%ld", &number) != 1) return NULL;
  PyObject *key = PyLong_FromLong(number);
  PyObject *exception = key != NULL ? PyDict_GetItemWithError(kept, key) : NULL;
  Py_XINCREF(exception);
  if (exception != NULL && PyDict_DelItem(kept, key) < 0) PyErr_Clear();
  Py_XDECREF(key);
  return exception;
}

/* Adds a note (Python 3.11 and later) that says where the exception happened: the words that the library has put
 * before the mark. */
static void add_note(PyObject *exception, const char *message) {
  long length = (long)(strstr(message, MARK) - message);
  while (length > 0 && (message[length - 1] == ' ' || message[length - 1] == ':')) --length;
  if (length == 0) return;
  PyObject *answer = PyObject_CallMethod(exception, "add_note", "s#", message, (Py_ssize_t)length);
  if (answer == NULL) PyErr_Clear();
  Py_XDECREF(answer);
}

/* A message may quote any bytes, as of a path or a file, and may be cut within a character. */
static PyObject *decoded(const char *text) {
  return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

static PyObject *new_exception(const far_error *error, const char *text) {
  PyObject *module = PyImport_ImportModule("farsight._errors");
  if (module == NULL) return NULL;
  PyObject *message = decoded(error->message), *exception = NULL;
  PyObject *about = text != NULL ? decoded(text) : Py_BuildValue("");
  if (message != NULL && about != NULL)
    exception = PyObject_CallMethod(module, "exception", "iOiO", (int)error->code, message,
                                    error->position, about);
  Py_XDECREF(message);
  Py_XDECREF(about);
  Py_DECREF(module);
  return exception;
}

PyObject *core_raise(const far_error *error, const char *text) {
  if (PyErr_Occurred() != NULL) return NULL;
  PyObject *exception = kept_exception(error->message);
  if (exception != NULL)
    add_note(exception, error->message);
  else if (PyErr_Occurred() == NULL)
    exception = new_exception(error, text);
  if (exception == NULL) return NULL;
  PyErr_SetObject((PyObject *)Py_TYPE(exception), exception);
  Py_DECREF(exception);
  return NULL;
}

/* "TYPE: TEXT", as far as there is room. */
static void describe(char *out, size_t size, PyObject *exception) {
  PyObject *text = PyObject_Str(exception);
  PyObject *name = PyObject_GetAttrString((PyObject *)Py_TYPE(exception), "__name__");
  const char *t = text != NULL ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
  const char *n = name != NULL ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
  snprintf(out, size, "%s: %s", n != NULL ? n : "exception", t != NULL ? t : "");
  PyErr_Clear();
  Py_XDECREF(text);
  Py_XDECREF(name);
}

/* Without Python's global lock two threads may make a dict at the same time: only one dict stays. */
static void make_kept(void) {
  PyObject *none = NULL, *fresh = kept == NULL ? PyDict_New() : NULL;
  if (fresh != NULL && !atomic_compare_exchange_strong(&kept, &none, fresh)) Py_DECREF(fresh);
}

/* Keeps an exception under a number; the oldest makes room. */
static long keep(PyObject *exception) {
  const long number = ++count;
  make_kept();
  PyObject *key = PyLong_FromLong(number), *oldest = PyLong_FromLong(number - MOST_KEPT);
  if (kept != NULL && key != NULL && oldest != NULL) {
    PyDict_SetItem(kept, key, exception);
    if (PyDict_GetItemWithError(kept, oldest) != NULL) PyDict_DelItem(kept, oldest);
  }
  PyErr_Clear();
  Py_XDECREF(key);
  Py_XDECREF(oldest);
  return number;
}

far_status core_keep_exception(far_error *error) {
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  if (value != NULL && trace != NULL) PyException_SetTraceback(value, trace);
  char what[400] = "";
  if (value != NULL) describe(what, sizeof what, value);
  *error = (far_error){.code = FAR_STATUS_CONFLICT, .position = -1};
  snprintf(error->message, sizeof error->message, MARK "%ld: %s", value != NULL ? keep(value) : 0,
           what);
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(trace);
  return error->code;
}
