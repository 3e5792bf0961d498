/* The module farsight._core: its types, and its conversions between Python and C. */
#define FARSIGHT_IMPORTS_NUMPY
#include "core.h"

#include <stdio.h>
#include <string.h>

/* ---- types and functions ---- */

/* Does the type have Py_tp_new? Without it Python would still create instances, empty ones. */
static bool makes_instances(const PyType_Spec *spec) {
  for (const PyType_Slot *slot = spec->slots; slot->slot != 0; ++slot)
    if (slot->slot == Py_tp_new) return true;
  return false;
}

PyTypeObject *core_add_type(PyObject *module, PyType_Spec *spec) {
  if (!makes_instances(spec)) spec->flags |= Py_TPFLAGS_DISALLOW_INSTANTIATION;
  PyObject *type = PyType_FromSpec(spec);
  if (type == NULL) return NULL;
  if (PyModule_AddObjectRef(module, strrchr(spec->name, '.') + 1, type) < 0) {
    Py_DECREF(type);
    return NULL;
  }
  return (PyTypeObject *)type; /* one reference stays with the caller */
}

bool core_add_functions(PyObject *module, PyMethodDef *methods) {
  return PyModule_AddFunctions(module, methods) == 0;
}

PyObject *core_new_object(PyTypeObject *type) {
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  return allocate(type, 0);
}

void core_free_object(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

/* ---- one user at a time ---- */

bool core_take(core_lock *lock, const char *what) {
  if (!atomic_flag_test_and_set_explicit(&lock->taken, memory_order_acquire)) return true;
  PyErr_Format(PyExc_RuntimeError, "this %s is in use by another call, perhaps in another thread",
               what);
  return false;
}

void core_release(core_lock *lock) {
  atomic_flag_clear_explicit(&lock->taken, memory_order_release);
}

/* ---- the module ---- */

static struct PyModuleDef module_def = {
    PyModuleDef_HEAD_INIT,
    .m_name = "farsight._core",
    .m_doc = "The C library under the package farsight. Use the package; this module may change.",
    .m_size = -1,
};

static bool (*const parts[])(PyObject *module) = {
    core_add_types,  core_add_document, core_add_model,     core_add_agent,  core_add_random,
    core_add_worlds, core_add_train,    core_add_hooks,     core_add_plugin, core_add_simulator,
    core_add_study,  core_add_store,    core_add_solve,     core_add_theory, core_add_comparison,
    core_add_search, core_add_paper,    core_add_figure,    core_add_plot,   core_add_layout,
    core_add_page,   core_add_ranking,  core_add_benchmark, core_add_device, core_add_resources,
};

static bool add_all(PyObject *module) {
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
    if (!parts[i](module)) return false;
  return true;
}

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void) {
  if (PyArray_ImportNumPyAPI() < 0) return NULL;
  PyObject *module = PyModule_Create(&module_def);
  if (module == NULL) return NULL;
#ifdef Py_GIL_DISABLED
  PyUnstable_Module_SetGIL(module, Py_MOD_GIL_NOT_USED);
#endif
  if (!add_all(module)) Py_CLEAR(module);
  return module;
}
