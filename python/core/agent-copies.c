/* Agent: saving, loading, copying and starting again. */
#include "agent.h"

#include <string.h>

static void forget_visits(agent *self) {
  memset(self->counts, 0, agent_n_pairs(&self->shape) * sizeof *self->counts);
}

/* Saves to a file, or restores from one, without Python's lock. */
static PyObject *with_file(agent *self, PyObject *where, bool restores) {
  PyObject *path = core_path(where);
  if (path == NULL) return NULL;
  far_error error;
  far_status status = FAR_OK;
  const bool taken = agent_take(self);
  if (taken) {
    core_work work = core_work_begin(Py_None);
    status = (restores ? far_agent_restore(self->agent, PyBytes_AsString(path), &error)
                       : far_agent_save(self->agent, PyBytes_AsString(path), &error));
    core_work_end(&work);
    if (restores && status == FAR_OK) forget_visits(self);
    core_release(&self->lock);
  }
  Py_DECREF(path);
  if (taken && status != FAR_OK) core_raise(&error, NULL);
  return agent_none(taken && status == FAR_OK);
}

PyObject *agent_save(PyObject *self, PyObject *where) {
  return with_file((agent *)self, where, false);
}

PyObject *agent_restore(PyObject *self, PyObject *where) {
  return with_file((agent *)self, where, true);
}

PyObject *agent_load(PyObject *type, PyObject *where) {
  PyObject *path = core_path(where);
  if (path == NULL) return NULL;
  far_agent *made;
  far_error error;
  const far_status status = far_agent_load(&made, PyBytes_AsString(path), &error);
  Py_DECREF(path);
  return status == FAR_OK ? agent_wrap((PyTypeObject *)type, made) : core_raise(&error, NULL);
}

PyObject *agent_save_bytes(PyObject *object, PyObject *unused) {
  (void)unused;
  agent *self = (agent *)object;
  if (!agent_take(self)) return NULL;
  void *data;
  size_t size;
  far_error error;
  const far_status status = far_agent_save_memory(&data, &size, self->agent, &error);
  core_release(&self->lock);
  if (status != FAR_OK) return core_raise(&error, NULL);
  PyObject *bytes = PyBytes_FromStringAndSize(data, (Py_ssize_t)size);
  far_free(data);
  return bytes;
}

PyObject *agent_load_bytes(PyObject *type, PyObject *object) {
  PyObject *bytes = PyBytes_FromObject(object);
  if (bytes == NULL) return NULL;
  far_agent *made;
  far_error error;
  const far_status status =
      far_agent_load_memory(&made, PyBytes_AsString(bytes), (size_t)PyBytes_Size(bytes), &error);
  Py_DECREF(bytes);
  return status == FAR_OK ? agent_wrap((PyTypeObject *)type, made) : core_raise(&error, NULL);
}

PyObject *agent_clone(PyObject *object, PyObject *unused) {
  (void)unused;
  agent *self = (agent *)object;
  if (!agent_take(self)) return NULL;
  far_agent *made;
  far_error error;
  if (far_agent_clone(&made, self->agent, &error) != FAR_OK)
    return agent_give_back(self, core_raise(&error, NULL));
  PyObject *other = agent_wrap(Py_TYPE(object), made);
  if (other != NULL)
    memcpy(((agent *)other)->counts, self->counts,
           agent_n_pairs(&self->shape) * sizeof *self->counts);
  return agent_give_back(self, other);
}

PyObject *agent_reset(PyObject *object, PyObject *args, PyObject *named) {
  static char *names[] = {"seed", "replicate", NULL};
  agent *self = (agent *)object;
  PyObject *seed_object = NULL, *replicate_object = NULL;
  uint64_t seed = 1, replicate = 0;
  if (!PyArg_ParseTupleAndKeywords(args, named, "|OO:reset", names, &seed_object,
                                   &replicate_object) ||
      (seed_object != NULL && seed_object != Py_None && !core_uint64(&seed, seed_object, "seed")) ||
      (replicate_object != NULL && !core_uint64(&replicate, replicate_object, "replicate")) ||
      !agent_take(self))
    return NULL;
  far_agent_reset(self->agent, seed, replicate);
  forget_visits(self);
  core_release(&self->lock);
  Py_RETURN_NONE;
}
