/* Hooks: Python called by threads of the library.
 *
 * Worker threads of a batch are not created by Python. The first call of Python in such a thread makes a thread state,
 * which stays until the thread ends: making one for every call would cost more than the call. When the interpreter
 * shuts down, new hooks are refused, and running hooks are waited for, a second at most: a thread that asks a finished
 * interpreter for its lock would hang or be killed. Long calls that the shutdown interrupts return late
 * (core_interpreter_linger): in a daemon thread nobody is left to handle their exception, and Python would begin to
 * print it.
 */
#include "core.h"

#include <pthread.h>
#include <time.h>

enum {
  LINGER_SECONDS = 5
}; /* enough for the shutdown to end; bounded, since a thread may be joined */

static atomic_bool closing;
static pthread_t closer; /* the thread that shuts the interpreter down, once it is closing */
static atomic_long inside;
static pthread_key_t guests; /* in threads whose thread state was made here: that state */
static bool has_key;

bool core_interpreter_hold(void) {
  atomic_fetch_add(&inside, 1);
  if (!atomic_load(&closing) || pthread_equal(closer, pthread_self())) return true;
  atomic_fetch_sub(&inside, 1);
  return false;
}

void core_interpreter_release(void) {
  atomic_fetch_sub(&inside, 1);
}

void core_interpreter_linger(void) {
  const struct timespec pause = {LINGER_SECONDS, 0};
  if (atomic_load(&closing) && !pthread_equal(closer, pthread_self())) nanosleep(&pause, NULL);
}

bool core_enter(core_visit *visit) {
  if (!core_interpreter_hold()) return false;
  const bool is_new = PyGILState_GetThisThreadState() == NULL;
  visit->state = PyGILState_Ensure();
  visit->stays =
      is_new && has_key && pthread_setspecific(guests, PyGILState_GetThisThreadState()) == 0;
  return true;
}

void core_leave(const core_visit *visit) {
  if (visit->stays)
    (void)PyEval_SaveThread();
  else
    PyGILState_Release(visit->state);
  core_interpreter_release();
}

/* Called when a thread ends whose thread state was made here. Python may have forgotten the state by now, so that
 * PyGILState_Release would not find it. */
static void forget_thread(void *state) {
  if (!core_interpreter_hold()) return;
  PyEval_RestoreThread(state);
  PyThreadState_Clear(state);
  (void)PyEval_SaveThread();
  PyThreadState_Delete(state);
  core_interpreter_release();
}

static PyObject *close_hooks(PyObject *self, PyObject *unused) {
  (void)self, (void)unused;
  const struct timespec pause = {0, 1000000};
  closer = pthread_self();
  atomic_store(&closing, true);
  PyThreadState *saved = PyEval_SaveThread();
  for (int i = 0; i < 1000 && atomic_load(&inside) > 0; ++i) nanosleep(&pause, NULL);
  PyEval_RestoreThread(saved);
  Py_RETURN_NONE;
}

static PyMethodDef close_method = {"close_hooks", close_hooks, METH_NOARGS, NULL};

bool core_add_hooks(PyObject *module) {
  if (!has_key) has_key = pthread_key_create(&guests, forget_thread) == 0;
  PyObject *at_exit = PyImport_ImportModule("atexit");
  PyObject *function = PyCFunction_NewEx(&close_method, NULL, NULL), *answer = NULL;
  if (at_exit != NULL && function != NULL)
    answer = PyObject_CallMethod(at_exit, "register", "O", function);
  Py_XDECREF(at_exit);
  Py_XDECREF(function);
  Py_XDECREF(answer);
  (void)module;
  return answer != NULL;
}
