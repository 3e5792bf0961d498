/* Random: a random stream of the library, keyed by (seed, replicate, purpose). */
#include "core.h"

static PyTypeObject *random_type;

/* What a stream was made from. */
typedef struct key {
  uint64_t seed, replicate;
  far_purpose purpose; /* 0: not known, its state was set */
} key;

typedef struct stream {
  PyObject_HEAD core_lock lock;
  far_rng rng;
  key key;
} stream;

/* The names of purposes, indexed by far_purpose. */
static const char *const purposes[] = {[FAR_PURPOSE_TRANSITION] = "transition",
                                       [FAR_PURPOSE_START] = "start",
                                       [FAR_PURPOSE_REWARD] = "reward",
                                       [FAR_PURPOSE_AGENT] = "agent",
                                       [FAR_PURPOSE_SEARCH] = "search",
                                       [FAR_PURPOSE_MODEL] = "model",
                                       [FAR_PURPOSE_ROLLOUT] = "rollout",
                                       [FAR_PURPOSE_BOOTSTRAP] = "bootstrap",
                                       [FAR_PURPOSE_SIGNS] = "signs"};

static bool find_purpose(far_purpose *out, const char *name) {
  int found;
  if (!core_choice(&found, name, "purpose", purposes + 1, sizeof purposes / sizeof *purposes - 1))
    return false;
  *out = (far_purpose)(found + 1);
  return true;
}

static PyObject *random_new(PyTypeObject *type, PyObject *args, PyObject *named) {
  static char *names[] = {"seed", "replicate", "purpose", NULL};
  PyObject *seed_object = NULL, *replicate_object = NULL;
  const char *name = "agent";
  uint64_t seed = 1, replicate = 0;
  far_purpose purpose;
  if (!PyArg_ParseTupleAndKeywords(args, named, "|OOs:Random", names, &seed_object,
                                   &replicate_object, &name) ||
      (seed_object != NULL && seed_object != Py_None && !core_uint64(&seed, seed_object, "seed")) ||
      (replicate_object != NULL && !core_uint64(&replicate, replicate_object, "replicate")) ||
      !find_purpose(&purpose, name))
    return NULL;
  PyObject *self = core_new_object(type);
  if (self == NULL) return NULL;
  far_rng_init(&((stream *)self)->rng, seed, replicate, purpose);
  ((stream *)self)->key = (key){seed, replicate, purpose};
  return self;
}

static PyObject *next(PyObject *self, PyObject *unused) {
  (void)unused;
  stream *r = (stream *)self;
  if (!core_take(&r->lock, "random stream")) return NULL;
  const uint64_t bits = far_rng_next(&r->rng);
  core_release(&r->lock);
  return PyLong_FromUnsignedLongLong(bits);
}

static PyObject *uniform(PyObject *self, PyObject *unused) {
  (void)unused;
  stream *r = (stream *)self;
  if (!core_take(&r->lock, "random stream")) return NULL;
  const double value = far_rng_uniform(&r->rng);
  core_release(&r->lock);
  return PyFloat_FromDouble(value);
}

static PyObject *below(PyObject *self, PyObject *limit) {
  stream *r = (stream *)self;
  uint32_t n;
  if (!core_index(&n, limit, "n", UINT32_MAX)) return NULL;
  if (n == 0) {
    PyErr_SetString(PyExc_ValueError, "n is 0: must be at least 1");
    return NULL;
  }
  if (!core_take(&r->lock, "random stream")) return NULL;
  const uint32_t value = far_rng_below(&r->rng, n);
  core_release(&r->lock);
  return PyLong_FromUnsignedLong(value);
}

/* ---- for other files ---- */

far_rng *core_random_begin(PyObject *object) {
  if (!PyObject_TypeCheck(object, random_type)) {
    PyErr_Format(PyExc_TypeError, "expected a random stream (farsight.Random), not %R",
                 (PyObject *)Py_TYPE(object));
    return NULL;
  }
  return core_take(&((stream *)object)->lock, "random stream") ? &((stream *)object)->rng : NULL;
}

void core_random_end(PyObject *object) {
  core_release(&((stream *)object)->lock);
}

/* ---- copies ---- */

/* Copies the stream as it is now; false with an exception set if another thread is using it. */
static bool look(PyObject *self, far_rng *out, key *made_from) {
  stream *r = (stream *)self;
  if (!core_take(&r->lock, "random stream")) return false;
  *out = r->rng;
  *made_from = r->key;
  core_release(&r->lock);
  return true;
}

static PyObject *copy(PyObject *self, PyObject *unused) {
  (void)unused;
  far_rng rng;
  key made_from;
  PyObject *other = look(self, &rng, &made_from) ? core_new_object(Py_TYPE(self)) : NULL;
  if (other == NULL) return NULL;
  ((stream *)other)->rng = rng;
  ((stream *)other)->key = made_from;
  return other;
}

static PyObject *get_state(PyObject *self, PyObject *unused) {
  (void)unused;
  far_rng rng;
  key made_from;
  if (!look(self, &rng, &made_from)) return NULL;
  const uint64_t *w = rng.word;
  return Py_BuildValue("(KKKK)", (unsigned long long)w[0], (unsigned long long)w[1],
                       (unsigned long long)w[2], (unsigned long long)w[3]);
}

static PyObject *set_state(PyObject *self, PyObject *state) {
  unsigned long long w[4];
  if (!PyTuple_Check(state)) {
    PyErr_SetString(PyExc_TypeError, "the state of a random stream is a tuple of four numbers");
    return NULL;
  }
  if (!PyArg_ParseTuple(state, "KKKK:__setstate__", &w[0], &w[1], &w[2], &w[3]) ||
      !core_take(&((stream *)self)->lock, "random stream"))
    return NULL;
  for (int i = 0; i < 4; ++i) ((stream *)self)->rng.word[i] = w[i];
  ((stream *)self)->key = (key){0};
  core_release(&((stream *)self)->lock);
  Py_RETURN_NONE;
}

static PyObject *reduce(PyObject *self, PyObject *unused) {
  PyObject *state = get_state(self, unused);
  return state != NULL ? Py_BuildValue("O()N", (PyObject *)Py_TYPE(self), state) : NULL;
}

/* Identifies the stream, not its position: <Random: seed 1, replicate 0, agent>. */
static PyObject *repr(PyObject *self) {
  far_rng rng;
  key k;
  if (!look(self, &rng, &k)) return NULL;
  if (k.purpose == 0) return PyUnicode_FromString("<Random: a state that was set>");
  return PyUnicode_FromFormat("<Random: seed %llu, replicate %llu, %s>", (unsigned long long)k.seed,
                              (unsigned long long)k.replicate, purposes[k.purpose]);
}

static PyMethodDef methods[] = {
    {"next", next, METH_NOARGS, "next(self, /)\n--\n\nnext() -> int\n\nThe next 64 uniform bits."},
    {"uniform", uniform, METH_NOARGS,
     "uniform(self, /)\n--\n\nuniform() -> float\n\nUniform in [0, 1), a multiple of 2**-53."},
    {"below", below, METH_O,
     "below(self, n, /)\n--\n\nbelow(n: int) -> int\n\nUniform in 0 ... n-1. One draw."},
    {"copy", copy, METH_NOARGS,
     "copy(self, /)\n--\n\ncopy() -> Self\n\nA stream that continues as this one does."},
    {"__copy__", copy, METH_NOARGS, "__copy__(self, /)\n--\n\n__copy__() -> Self"},
    {"__deepcopy__", copy, METH_O,
     "__deepcopy__(self, memo, /)\n--\n\n__deepcopy__(memo: object) -> Self"},
    {"__getstate__", get_state, METH_NOARGS,
     "__getstate__(self, /)\n--\n\n__getstate__() -> tuple[int, int, int, int]"},
    {"__setstate__", set_state, METH_O,
     "__setstate__(self, state, /)\n--\n\n__setstate__(state: tuple[int, int, int, int]) -> None"},
    {"__reduce__", reduce, METH_NOARGS,
     "__reduce__(self, /)\n--\n\n__reduce__() -> tuple[object, ...]"},
    {0}};

static PyType_Slot slots[] = {
    {Py_tp_doc,
     "Random(seed=1, replicate=0, purpose='agent')\n--\n\n"
     "Random(seed: int | None = 1, replicate: int = 0, purpose: str = 'agent')\n\n"
     "A random stream of the library (xoshiro256++), the same on every machine: keyed by seed,\n"
     "replicate and purpose (transition, start, reward, agent, search, model, rollout, "
     "bootstrap, signs)."},
    {Py_tp_new, random_new},
    {Py_tp_dealloc, core_free_object},
    {Py_tp_repr, repr},
    {Py_tp_methods, methods},
    {0}};

static PyType_Spec type_spec = {.name = "farsight._core.Random",
                                .basicsize = sizeof(stream),
                                .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                                .slots = slots};

bool core_add_random(PyObject *module) {
  random_type = core_add_type(module, &type_spec);
  return random_type != NULL;
}
