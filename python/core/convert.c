/* Arguments and arrays: Python objects as C values and back. */
#include "core.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- numbers ---- */

/* The object as a Python int. A TypeError becomes one that names the argument; any other exception of __index__
 * stays. */
static PyObject *index_of(PyObject *object, const char *what) {
  PyObject *index = PyNumber_Index(object);
  if (index == NULL && PyErr_ExceptionMatches(PyExc_TypeError))
    PyErr_Format(PyExc_TypeError, "%s must be a whole number, not %R", what,
                 (PyObject *)Py_TYPE(object));
  return index;
}

/* The object as a whole number; -1 with an exception set if it is not a whole number or too large. */
static long long whole(PyObject *object, const char *what) {
  if (PyLong_Check(object)) return PyLong_AsLongLong(object);
  PyObject *index = index_of(object, what);
  if (index == NULL) return -1;
  const long long value = PyLong_AsLongLong(index);
  Py_DECREF(index);
  return value;
}

static bool out_of_bounds(const char *what, PyObject *object, uint32_t limit) {
  PyErr_Format(PyExc_IndexError, "%s is %R: must be in 0 ... %lu", what, object,
               (unsigned long)limit - 1);
  return false;
}

bool core_index(uint32_t *out, PyObject *object, const char *what, uint32_t limit) {
  const long long value = whole(object, what);
  if (value < 0 || value >= (long long)limit) {
    if (value == -1 && PyErr_Occurred() != NULL) {
      if (!PyErr_ExceptionMatches(PyExc_OverflowError)) return false;
      PyErr_Clear();
    }
    return out_of_bounds(what, object, limit);
  }
  *out = (uint32_t)value;
  return true;
}

/* Replaces an OverflowError by a ValueError with the bounds; returns false. Python refuses to convert whole numbers
 * of thousands of digits to text. */
static bool too_large(PyObject *object, const char *what, const char *bounds) {
  if (!PyErr_ExceptionMatches(PyExc_OverflowError)) return false;
  PyErr_Clear();
  PyObject *text = PyObject_Repr(object);
  if (text != NULL)
    PyErr_Format(PyExc_ValueError, "%s is %U: must be %s", what, text, bounds);
  else
    PyErr_Format(PyExc_ValueError, "%s is too large: must be %s", what, bounds);
  Py_XDECREF(text);
  return false;
}

bool core_int64(int64_t *out, PyObject *object, const char *what) {
  const long long value = whole(object, what);
  *out = (int64_t)value;
  if (value != -1 || PyErr_Occurred() == NULL) return true;
  return too_large(object, what, "in -2^63 ... 2^63-1");
}

int core_take_int64(PyObject *object, void *named) {
  const core_named *n = named;
  return core_int64(n->out, object, n->what);
}

bool core_size(uint32_t *out, PyObject *object, const char *what) {
  int64_t value;
  if (!core_int64(&value, object, what)) return false;
  *out = (uint32_t)value;
  if (value >= 0 && value < UINT32_MAX) return true;
  PyErr_Format(PyExc_ValueError, "%s is %R: must be in 0 ... %lu", what, object,
               (unsigned long)UINT32_MAX - 1);
  return false;
}

bool core_uint64(uint64_t *out, PyObject *object, const char *what) {
  PyObject *index = index_of(object, what);
  if (index == NULL) return false;
  *out = PyLong_AsUnsignedLongLong(index);
  Py_DECREF(index);
  if (PyErr_Occurred() == NULL) return true;
  return too_large(object, what, FAR_SEED_BOUNDS);
}

bool core_double(double *out, PyObject *object, const char *what) {
  *out = PyFloat_AsDouble(object);
  if (*out != -1 || PyErr_Occurred() == NULL) return true;
  if (PyErr_ExceptionMatches(PyExc_TypeError))
    PyErr_Format(PyExc_TypeError, "%s must be a number, not %R", what, (PyObject *)Py_TYPE(object));
  return too_large(object, what, "a number of 64 bits, at most 1.8e308");
}

int core_take_double(PyObject *object, void *named) {
  const core_named *n = named;
  return core_double(n->out, object, n->what);
}

bool core_threads(unsigned *out, PyObject *object) {
  int64_t value = 0;
  if (object != NULL && object != Py_None && !core_int64(&value, object, "threads")) return false;
  *out = (unsigned)value;
  if (value >= 0 && value <= 4096) return true;
  PyErr_Format(PyExc_ValueError,
               "threads is %R: must be in 1 ... 4096; None or 0: one per processor", object);
  return false;
}

bool core_append(PyObject **list, PyObject *item) {
  if (*list != NULL && (item == NULL || PyList_Append(*list, item) < 0)) Py_CLEAR(*list);
  Py_XDECREF(item);
  return *list != NULL;
}

bool core_put(PyObject *dict, const char *key, PyObject *value) {
  const bool put = value != NULL && PyDict_SetItemString(dict, key, value) == 0;
  Py_XDECREF(value);
  return put;
}

/* ---- texts ---- */

bool core_text(const char **out, PyObject *object, const char *what, bool optional) {
  *out = NULL;
  if (optional && (object == NULL || object == Py_None)) return true;
  if (object == NULL || !PyUnicode_Check(object)) {
    PyErr_Format(PyExc_TypeError, "%s must be a str, not %R", what,
                 object != NULL ? (PyObject *)Py_TYPE(object) : Py_None);
    return false;
  }
  Py_ssize_t size;
  *out = PyUnicode_AsUTF8AndSize(object, &size);
  if (*out == NULL) return false;
  if (strlen(*out) == (size_t)size) return true;
  PyErr_Format(PyExc_ValueError, "%s contains a zero byte", what);
  return false;
}

/* "'a', 'b', 'c'", as far as there is room. */
static void join_words(char *out, size_t size, const char *const *words, int count) {
  size_t at = 0;
  out[0] = '\0';
  for (int i = 0; i < count && at < size; ++i)
    at += (size_t)snprintf(out + at, size - at, "%s'%s'", i > 0 ? ", " : "", words[i]);
}

bool core_choice(int *out, const char *word, const char *what, const char *const *words,
                 int count) {
  for (*out = 0; *out < count; ++*out)
    if (strcmp(word, words[*out]) == 0) return true;
  char list[400];
  join_words(list, sizeof list, words, count);
  PyErr_Format(PyExc_ValueError, "there is no %s '%s': %s", what, word, list);
  return false;
}

PyObject *core_path(PyObject *object) {
  PyObject *bytes = NULL;
  return PyUnicode_FSConverter(object, &bytes) ? bytes : NULL;
}

/* Texts, and the tuple that keeps them alive: another thread may change the list while Python's lock is released,
 * and a subclass of list may create its items anew on each access. */
typedef struct owned_texts {
  PyObject *items;
  const char *texts[];
} owned_texts;

const char **core_texts(size_t *count, PyObject *list, const char *what) {
  if (!PyList_Check(list) && !PyTuple_Check(list)) {
    PyErr_Format(PyExc_TypeError, "%s must be a list of str, not %R", what,
                 (PyObject *)Py_TYPE(list));
    return NULL;
  }
  PyObject *items = PySequence_Tuple(list);
  if (items == NULL) return NULL;
  const Py_ssize_t n = PyTuple_Size(items);
  owned_texts *block = PyMem_Calloc(1, sizeof *block + (size_t)n * sizeof *block->texts);
  if (block == NULL) {
    Py_DECREF(items);
    return (const char **)PyErr_NoMemory();
  }
  block->items = items;
  for (Py_ssize_t i = 0; i < n; ++i) {
    if (core_text(&block->texts[i], PyTuple_GetItem(items, i), what, false)) continue;
    core_free_texts(block->texts);
    return NULL;
  }
  *count = (size_t)n;
  return block->texts;
}

void core_free_texts(const char **texts) {
  if (texts == NULL) return;
  owned_texts *block = (owned_texts *)((char *)texts - offsetof(owned_texts, texts));
  Py_DECREF(block->items);
  PyMem_Free(block);
}

PyObject *core_list_of_texts(const char *const *texts, size_t count) {
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list != NULL && i < count; ++i)
    core_append(&list, PyUnicode_FromString(texts[i]));
  return list;
}

/* ---- arrays ---- */

PyObject *core_array(int type, int n_dims, const npy_intp *dims) {
  return PyArray_SimpleNew(n_dims, dims, type);
}

/* A copy of `count` values of this size and type. */
static PyObject *array_of(int type, size_t size, const void *values, npy_intp count) {
  PyObject *array = core_array(type, 1, &count);
  if (array != NULL && count > 0)
    memcpy(PyArray_DATA((PyArrayObject *)array), values, (size_t)count * size);
  return array;
}

PyObject *core_array_of_double(const double *values, npy_intp count) {
  return array_of(NPY_DOUBLE, sizeof *values, values, count);
}

PyObject *core_array_of_int64(const int64_t *values, npy_intp count) {
  return array_of(NPY_INT64, sizeof *values, values, count);
}

PyObject *core_array_of_bool(const bool *values, npy_intp count) {
  return array_of(NPY_BOOL, sizeof *values, values, count);
}

PyObject *core_array_of_uint32(const uint32_t *values, npy_intp count) {
  PyObject *array = core_array(NPY_INT64, 1, &count);
  if (array == NULL) return NULL;
  int64_t *out = PyArray_DATA((PyArrayObject *)array);
  for (npy_intp i = 0; i < count; ++i) out[i] = values[i];
  return array;
}

PyObject *core_view_of_double(const double *values, int n_dims, const npy_intp *dims,
                              PyObject *owner) {
  PyObject *array = PyArray_New(&PyArray_Type, n_dims, dims, NPY_DOUBLE, NULL, (void *)values, 0,
                                NPY_ARRAY_CARRAY_RO, NULL);
  if (array == NULL) return NULL;
  Py_INCREF(owner);
  if (PyArray_SetBaseObject((PyArrayObject *)array, owner) < 0) Py_CLEAR(array);
  return array;
}

/* NumPy takes every byte but 0 for True, and a view of bytes may hold any; in C a bool is 0 or 1. Returns the array, or
 * a copy in its place. */
static PyObject *true_bools(PyObject *array) {
  const unsigned char *bytes = PyArray_DATA((PyArrayObject *)array);
  const npy_intp count = PyArray_SIZE((PyArrayObject *)array);
  npy_intp i = 0;
  while (i < count && bytes[i] <= 1) ++i;
  if (i == count) return array;
  PyObject *copy = PyArray_NewCopy((PyArrayObject *)array, NPY_CORDER);
  Py_DECREF(array);
  if (copy == NULL) return NULL;
  unsigned char *out = PyArray_DATA((PyArrayObject *)copy);
  for (i = 0; i < count; ++i) out[i] = out[i] != 0;
  return copy;
}

/* An array of this type, converted if no value changes. A list becomes an array of its own type first: NumPy would
 * cut [0.5] to whole numbers. An array without elements may be converted from any type. */
static PyObject *safe_array(PyObject *object, int type) {
  PyObject *array = PyArray_FROM_O(object);
  if (array == NULL) return NULL;
  const int flags = PyArray_SIZE((PyArrayObject *)array) == 0 ? NPY_ARRAY_FORCECAST : 0;
  PyObject *safe = PyArray_FROM_OTF(array, type, NPY_ARRAY_IN_ARRAY | flags);
  Py_DECREF(array);
  return safe != NULL && type == NPY_BOOL ? true_bools(safe) : safe;
}

/* Puts "WHAT: " before the message of NumPy's exception. */
static void name_argument(const char *what) {
  PyObject *type = PyErr_Occurred(), *value, *trace;
  if (type != PyExc_TypeError && type != PyExc_ValueError) return; /* others may have no message */
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  PyErr_Format(type, "%s: %S", what, value != NULL ? value : Py_None);
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(trace);
}

void *core_data(PyObject **held, PyObject *object, const char *what, int type, Py_ssize_t count) {
  *held = safe_array(object, type);
  if (*held == NULL) {
    name_argument(what);
    return NULL;
  }
  PyArrayObject *array = (PyArrayObject *)*held;
  if (count < 0 || PyArray_SIZE(array) == count) return PyArray_DATA(array);
  PyErr_Format(PyExc_ValueError, "%s has %zd numbers: must have %zd", what,
               (Py_ssize_t)PyArray_SIZE(array), count);
  Py_CLEAR(*held);
  return NULL;
}

static bool index_out_of_bounds(const char *what, Py_ssize_t i, int64_t value, uint32_t limit) {
  PyErr_Format(PyExc_IndexError, "%s[%zd] is %lld: must be in 0 ... %lu", what, i, (long long)value,
               (unsigned long)limit - 1);
  return false;
}

uint32_t *core_indices(Py_ssize_t *count, PyObject *object, const char *what, uint32_t limit) {
  PyObject *held;
  const int64_t *values = core_data(&held, object, what, NPY_INT64, *count);
  if (values == NULL) return NULL;
  *count = PyArray_SIZE((PyArrayObject *)held);
  uint32_t *out = PyMem_Malloc((size_t)*count * sizeof *out + 1);
  if (out == NULL) PyErr_NoMemory();
  for (Py_ssize_t i = 0; out != NULL && i < *count; ++i) {
    const int64_t value = *(const volatile int64_t *)&values[i]; /* another thread may write it */
    out[i] = (uint32_t)value;
    if (value >= 0 && value < (int64_t)limit) continue;
    index_out_of_bounds(what, i, value, limit);
    PyMem_Free(out);
    out = NULL;
  }
  Py_DECREF(held);
  return out;
}
