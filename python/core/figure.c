/* Figure: a drawing, as SVG, as TikZ, or in a file. Immutable, and so free to be shared by threads. */
#include "figure.h"

#include <stdio.h>
#include <string.h>

#include "report/figure/figure.h"

static PyTypeObject *figure_type;

typedef struct figure {
  PyObject_HEAD far_figure *figure;
} figure;

PyObject *core_figure_answer(far_figure *made, far_status status, const far_error *error) {
  if (status != FAR_OK) core_raise(error, NULL);
  figure *self = PyErr_Occurred() == NULL ? (figure *)core_new_object(figure_type) : NULL;
  if (self == NULL)
    far_figure_free(made);
  else
    self->figure = made;
  return (PyObject *)self;
}

/* The text of a key that core_plot_look has checked; NULL: none. */
static const char *look_text(PyObject *look, const char *key) {
  PyObject *found = PyDict_GetItemString(look, key);
  return found != NULL && found != Py_None ? PyUnicode_AsUTF8AndSize(found, NULL) : NULL;
}

PyObject *core_figure_headed(PyObject *self, PyObject *look) {
  far_error error;
  if (self == NULL || far__figure_set_heading(((figure *)self)->figure, look_text(look, "title"),
                                              look_text(look, "caption"), &error) == FAR_OK)
    return self;
  Py_DECREF(self);
  return core_raise(&error, NULL);
}

static void figure_free(PyObject *self) {
  far_figure_free(((figure *)self)->figure);
  core_free_object(self);
}

static const far_figure *figure_of(PyObject *self) {
  return ((figure *)self)->figure;
}

/* ---- rendering ---- */

static bool find_theme(far_theme *out, const char *word) {
  static const char *const words[] = {"auto", "light", "dark"};
  int found = 0;
  if (!core_choice(&found, word, "theme", words, 3)) return false;
  *out = (far_theme)found;
  return true;
}

/* Renders into the buffer without Python's lock. */
static bool render(far_buffer *out, PyObject *self, const far_figure_def *how) {
  far_error error;
  core_work work = core_work_begin(Py_None);
  const far_status status = far_figure_render(figure_of(self), how, far_sink_buffer(out), &error);
  core_work_end(&work);
  if (status != FAR_OK) core_raise(&error, NULL);
  return PyErr_Occurred() == NULL;
}

static PyObject *rendered(PyObject *self, const far_figure_def *how) {
  far_buffer buffer = {0};
  PyObject *text = render(&buffer, self, how)
                       ? PyUnicode_DecodeUTF8(buffer.bytes, (Py_ssize_t)buffer.length, "replace")
                       : NULL;
  far_buffer_free(&buffer);
  return text;
}

static PyObject *figure_svg(PyObject *self, PyObject *args, PyObject *named) {
  static char *names[] = {"theme", NULL};
  const char *theme = "auto";
  far_figure_def how = far_figure_def_default();
  if (!PyArg_ParseTupleAndKeywords(args, named, "|s:svg", names, &theme) ||
      !find_theme(&how.theme, theme))
    return NULL;
  return rendered(self, &how);
}

static PyObject *figure_tikz(PyObject *self, PyObject *unused) {
  (void)unused;
  far_figure_def how = far_figure_def_default();
  how.format = FAR_FIGURE_TIKZ;
  return rendered(self, &how);
}

/* A notebook page may hold many drawings: their identifiers contain a hash of the content, so that they differ. */
static PyObject *figure_repr_svg(PyObject *self, PyObject *unused) {
  (void)unused;
  uint8_t digest[FAR_HASH_BYTES];
  char hash[FAR_HASH_TEXT], id[32];
  far_buffer buffer = {0};
  far_figure_def how = far_figure_def_default();
  const bool good = render(&buffer, self, &how);
  if (good) far_hash(digest, buffer.bytes, buffer.length);
  far_buffer_free(&buffer);
  if (!good) return NULL;
  far_hash_text(hash, digest);
  snprintf(id, sizeof id, "figure-%.12s", hash);
  how.id = id;
  return rendered(self, &how);
}

static PyObject *figure_save(PyObject *self, PyObject *args, PyObject *named) {
  static char *names[] = {"path", "theme", NULL};
  const char *word = "auto";
  PyObject *path = NULL;
  far_theme theme;
  far_error error;
  if (!PyArg_ParseTupleAndKeywords(args, named, "O&|s:save", names, PyUnicode_FSConverter, &path,
                                   &word))
    return NULL;
  if (!find_theme(&theme, word)) {
    Py_DECREF(path);
    return NULL;
  }
  core_work work = core_work_begin(Py_None);
  const far_status status = far_figure_save(figure_of(self), PyBytes_AsString(path), theme, &error);
  core_work_end(&work);
  Py_DECREF(path);
  if (status != FAR_OK) return core_raise(&error, NULL);
  if (PyErr_Occurred() != NULL) return NULL;
  Py_RETURN_NONE;
}

/* ---- attributes ---- */

static PyObject *text_of(const char *text) {
  return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

static PyObject *get_kind(PyObject *self, void *unused) {
  (void)unused;
  return text_of(far_figure_info_of(figure_of(self)).kind);
}

static PyObject *get_title(PyObject *self, void *unused) {
  (void)unused;
  return text_of(far_figure_info_of(figure_of(self)).title);
}

static PyObject *get_description(PyObject *self, void *unused) {
  (void)unused;
  return text_of(far_figure_info_of(figure_of(self)).description);
}

static PyObject *get_width(PyObject *self, void *unused) {
  (void)unused;
  return PyFloat_FromDouble(far_figure_info_of(figure_of(self)).width);
}

static PyObject *get_height(PyObject *self, void *unused) {
  (void)unused;
  return PyFloat_FromDouble(far_figure_info_of(figure_of(self)).height);
}

static PyObject *figure_repr(PyObject *self) {
  const far_figure_info info = far_figure_info_of(figure_of(self));
  PyObject *title = text_of(info.title);
  if (title == NULL) return NULL;
  PyObject *text = PyUnicode_FromFormat("<Figure %s: %U>", info.kind, title);
  Py_DECREF(title);
  return text;
}

/* ---- the type ---- */

static PyGetSetDef attributes[] = {
    {"kind", get_kind, NULL, "str: What kind of figure it is, such as \"curves\".", NULL},
    {"title", get_title, NULL, "str: Its title, one line.", NULL},
    {"description", get_description, NULL, "str: What is to be seen, in words and numbers.", NULL},
    {"width", get_width, NULL, "float: In units of 1/96 inch.", NULL},
    {"height", get_height, NULL, "float: In units of 1/96 inch.", NULL},
    {0}};

static PyMethodDef methods[] = {
    {"svg", CORE_METHOD(figure_svg), METH_VARARGS | METH_KEYWORDS,
     "svg(self, /, theme='auto')\n--\n\n"
     "svg(theme: Literal['auto', 'light', 'dark'] = 'auto') -> str\n\n"
     "The drawing as SVG, a file of its own. With \"auto\" it is light or dark as the reader "
     "prefers."},
    {"tikz", figure_tikz, METH_NOARGS,
     "tikz(self, /)\n--\n\ntikz() -> str\n\n"
     "The drawing as a tikzpicture for LaTeX, which needs the packages tikz and xcolor."},
    {"save", CORE_METHOD(figure_save), METH_VARARGS | METH_KEYWORDS,
     "save(self, /, path, theme='auto')\n--\n\n"
     "save(path: StrPath, theme: Literal['auto', 'light', 'dark'] = 'auto') -> None\n\n"
     "Writes a file, in the format of its ending: .svg, .tex (TikZ), .pdf or .png. The last two "
     "are "
     "converted by rsvg-convert or inkscape; an AbsentError if neither is installed."},
    {"_repr_svg_", figure_repr_svg, METH_NOARGS,
     "_repr_svg_(self, /)\n--\n\n_repr_svg_() -> str\n\nFor notebooks."},
    {0}};

static PyType_Slot slots[] = {
    {Py_tp_doc, "A drawing, which notebooks show by themselves; ``save`` writes it to a file."},
    {Py_tp_dealloc, figure_free},
    {Py_tp_repr, figure_repr},
    {Py_tp_getset, attributes},
    {Py_tp_methods, methods},
    {0}};

static PyType_Spec spec = {.name = "farsight._core.Figure",
                           .basicsize = sizeof(figure),
                           .flags = Py_TPFLAGS_DEFAULT,
                           .slots = slots};

bool core_add_figure(PyObject *module) {
  figure_type = core_add_type(module, &spec);
  return figure_type != NULL;
}
