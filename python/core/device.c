/* Device: what computes the runs of a call, chosen by the argument device=. Each call has a Device of its own. */
#include "core.h"

#include <stdio.h>

#include "run/device-pool.h"

static PyTypeObject *device_type;

typedef struct device {
  PyObject_HEAD far_pool *pool;      /* NULL: threads only */
  char warning[2 * FAR_DEVICE_TEXT]; /* the pool's last warning; "" if none */
} device;

bool core_device(far_pool **out, PyObject *object) {
  *out = NULL;
  if (object == NULL || object == Py_None) return true;
  if (!PyObject_TypeCheck(object, device_type)) {
    PyErr_Format(PyExc_TypeError, "expected a farsight._core.Device, not %R",
                 (PyObject *)Py_TYPE(object));
    return false;
  }
  *out = ((device *)object)->pool;
  return true;
}

/* Called without Python's lock, by the thread that has given the object to the library. */
static void take_warning(void *user, const char *text) {
  device *d = user;
  snprintf(d->warning, sizeof d->warning, "%s", text);
}

bool core_device_choice(far_device *out, PyObject *object) {
  static const char *const words[] = {"cpu", "gpu", "auto"};
  const char *word;
  int found;
  return core_text(&word, object, "device", false) &&
         core_choice(&found, word, "device", words, 3) && far__device_parse(out, word);
}

static bool open_device(device *self, far_device choice) {
  far_device_def def = far_device_def_default();
  far_error error;
  if (choice == FAR_DEVICE_CPU) return true;
  def.device = choice;
  def.note = take_warning;
  def.user = self;
  return far_device_pool_create(&self->pool, &def, &error) == FAR_OK ||
         core_raise(&error, NULL) != NULL;
}

static PyObject *device_new(PyTypeObject *type, PyObject *args, PyObject *named) {
  far_device choice;
  PyObject *given;
  (void)named;
  if (!PyArg_ParseTuple(args, "O:Device", &given) || !core_device_choice(&choice, given))
    return NULL;
  PyObject *self = core_new_object(type);
  if (self != NULL && !open_device((device *)self, choice)) Py_CLEAR(self);
  return self;
}

static void device_free(PyObject *self) {
  far_device_pool_free(((device *)self)->pool);
  core_free_object(self);
}

static PyObject *get_done(PyObject *self, void *unused) {
  (void)unused;
  const device *d = (device *)self;
  if (d->pool == NULL) Py_RETURN_NONE;
  const far_device_info info = far_device_pool_info(d->pool);
  return Py_BuildValue("(sLdss)", info.name, (long long)info.runs, info.seconds, info.choice,
                       info.failure);
}

static PyObject *get_warning(PyObject *self, void *unused) {
  (void)unused;
  return PyUnicode_FromString(((device *)self)->warning);
}

static PyGetSetDef attributes[] = {
    {"done", get_done, NULL,
     "tuple[str, int, float, str, str] | None: The name of the device, the runs that it has "
     "computed, "
     "the seconds that this took, the estimates by which auto chose, and why there is no device or "
     "it is not used any more. None if "
     "threads compute all.",
     NULL},
    {"warning", get_warning, NULL, "str: What the user should know of failures; '' if nothing.",
     NULL},
    {0}};

static PyType_Slot slots[] = {{Py_tp_doc,
                               "Device(device, /)\n--\n\nDevice(device: str)\n\n"
                               "Who computes the runs of a call: 'cpu', 'gpu' or 'auto'."},
                              {Py_tp_new, device_new},
                              {Py_tp_dealloc, device_free},
                              {Py_tp_getset, attributes},
                              {0}};

static PyType_Spec spec = {.name = "farsight._core.Device",
                           .basicsize = sizeof(device),
                           .flags = Py_TPFLAGS_DEFAULT,
                           .slots = slots};

bool core_add_device(PyObject *module) {
  device_type = core_add_type(module, &spec);
  return device_type != NULL;
}
