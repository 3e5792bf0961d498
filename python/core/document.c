/* Document: what an analysis found, as the command shows it: text, Markdown, JSON, CSV, LaTeX. */
#include "figure.h"
#include "questions/page/page.h"

PyTypeObject *core_document_type;

typedef struct document {
  PyObject_HEAD core_lock lock;
  far_report *report;
  void *subject;
  void (*free_subject)(void *);
  core_draw_fn *draw; /* or NULL */
  PyObject *keep;     /* a list; may be NULL */
} document;

PyObject *core_document_new(const char *command) {
  document *self = (document *)core_new_object(core_document_type);
  if (self == NULL) return NULL;
  far_error error;
  if (far_report_create(&self->report, command, &error) == FAR_OK) return (PyObject *)self;
  core_raise(&error, NULL);
  Py_DECREF(self);
  return NULL;
}

far_report *core_document_report(PyObject *self) {
  return ((document *)self)->report;
}

void core_document_adopt(PyObject *self, void *subject, void (*free_subject)(void *),
                         core_draw_fn *draw) {
  ((document *)self)->subject = subject;
  ((document *)self)->draw = draw;
  ((document *)self)->free_subject = free_subject;
}

const void *core_document_subject(PyObject *object, core_draw_fn *draw, const char *what) {
  if (PyObject_TypeCheck(object, core_document_type) && ((document *)object)->draw == draw)
    return ((document *)object)->subject;
  PyErr_Format(PyExc_TypeError, "expected a document of a %s, not %R", what,
               (PyObject *)Py_TYPE(object));
  return NULL;
}

bool core_document_keep(PyObject *self, PyObject *object) {
  document *d = (document *)self;
  if (d->keep == NULL) d->keep = PyList_New(0);
  return d->keep != NULL && PyList_Append(d->keep, object) == 0;
}

static void document_free(PyObject *self) {
  document *d = (document *)self;
  far_report_free(d->report);
  if (d->subject != NULL) d->free_subject(d->subject);
  Py_XDECREF(d->keep);
  core_free_object(self);
}

static bool find_format(far_report_format *out, const char *name) {
  const char *words[16];
  int n = 0, found;
  while (n < 16 && (words[n] = far_report_format_name((far_report_format)n)) != NULL) ++n;
  if (!core_choice(&found, name, "format", words, n)) return false;
  *out = (far_report_format)found;
  return true;
}

static PyObject *render(document *d, const far_render_def *how) {
  far_error error;
  far_buffer buffer = {0};
  PyObject *text = NULL;
  if (far_report_render(d->report, how, far_sink_buffer(&buffer), &error) != FAR_OK)
    core_raise(&error, NULL);
  else
    text = PyUnicode_DecodeUTF8(buffer.bytes, (Py_ssize_t)buffer.length, "replace");
  far_buffer_free(&buffer);
  return text;
}

static PyObject *document_render(PyObject *self, PyObject *args, PyObject *named) {
  static char *names[] = {"format", "width", "table", "kinds", NULL};
  far_render_def how = far_render_def_default();
  const char *format = "text";
  int kinds = 0;
  if (!PyArg_ParseTupleAndKeywords(args, named, "|sizp:render", names, &format, &how.width,
                                   &how.table, &kinds) ||
      !find_format(&how.format, format) || !core_take(&((document *)self)->lock, "document"))
    return NULL;
  how.kinds = kinds != 0;
  PyObject *text = render((document *)self, &how);
  core_release(&((document *)self)->lock);
  return text;
}

static PyObject *document_tables(PyObject *self, PyObject *unused) {
  (void)unused;
  const char *name;
  PyObject *names = PyList_New(0);
  for (size_t i = 0;
       names != NULL && (name = far_report_table_name(((document *)self)->report, i)) != NULL; ++i)
    core_append(&names, PyUnicode_FromString(name));
  return names;
}

/* A progress callback that only checks for Ctrl-C. */
static bool goes_on(void *work, const char *what, size_t done, size_t count) {
  (void)what, (void)done, (void)count;
  return core_continue(work, NULL, NULL);
}

/* Takes no lock: the subject is immutable, so several threads may draw at once. */
static PyObject *document_draw(PyObject *self, PyObject *args) {
  const document *d = (document *)self;
  const char *kind;
  PyObject *part, *look;
  uint32_t index;
  far_plot_def def = far_plot_def_default();
  far_figure *figure;
  far_error error;
  if (!PyArg_ParseTuple(args, "sOO!:draw", &kind, &part, &PyDict_Type, &look) ||
      !core_index(&index, part, "part", UINT32_MAX) || !core_plot_look(&def, look))
    return NULL;
  if (d->draw == NULL) return PyErr_Format(PyExc_ValueError, "there is no figure of this");
  core_work work = core_work_begin(Py_None);
  def.results.progress = goes_on;
  def.results.user = &work;
  const far_status status = d->draw(&figure, d->subject, kind, index, &def, &error);
  core_work_end(&work);
  return core_figure_headed(core_figure_answer(figure, status, &error), look);
}

static PyObject *document_save(PyObject *self, PyObject *path) {
  far_error error;
  size_t bytes = 0;
  PyObject *name = core_path(path);
  if (name == NULL) return NULL;
  if (!core_take(&((document *)self)->lock, "document")) {
    Py_DECREF(name);
    return NULL;
  }
  core_work work = core_work_begin(Py_None);
  const far_status status =
      far__page_save(((document *)self)->report, PyBytes_AsString(name), &bytes, &error);
  core_work_end(&work);
  core_release(&((document *)self)->lock);
  Py_DECREF(name);
  if (status != FAR_OK) return core_raise(&error, NULL);
  return PyErr_Occurred() == NULL ? PyLong_FromSize_t(bytes) : NULL;
}

static PyMethodDef methods[] = {
    {"render", CORE_METHOD(document_render), METH_VARARGS | METH_KEYWORDS,
     "render(self, /, format='text', width=80, table=None, kinds=False)\n--\n\n"
     "render(format: str = 'text', width: int = 80, table: str | None = None, kinds: bool = False) "
     "-> str\n\n"
     "The document as text, markdown, json, csv (one table), latex or html."},
    {"tables", document_tables, METH_NOARGS,
     "tables(self, /)\n--\n\ntables() -> list[str]\n\nThe names of its tables, for csv."},
    {"save", document_save, METH_O,
     "save(self, path, /)\n--\n\nsave(path: StrPath) -> int\n\n"
     "Writes it as a page of HTML; its size in bytes."},
    {"draw", document_draw, METH_VARARGS,
     "draw(self, kind, part, look, /)\n--\n\n"
     "draw(kind: str, part: int, look: dict[str, Any]) -> Figure\n\n"
     "A figure of one of its parts (groups, agents); look may have x, y, width, most and "
     "parameter."},
    {0}};

static PyType_Slot slots[] = {{Py_tp_doc, "What an analysis found, as the command shows it."},
                              {Py_tp_dealloc, document_free},
                              {Py_tp_methods, methods},
                              {0}};

static PyType_Spec spec = {.name = "farsight._core.Document",
                           .basicsize = sizeof(document),
                           .flags = Py_TPFLAGS_DEFAULT,
                           .slots = slots};

bool core_add_document(PyObject *module) {
  core_document_type = core_add_type(module, &spec);
  return core_document_type != NULL;
}
