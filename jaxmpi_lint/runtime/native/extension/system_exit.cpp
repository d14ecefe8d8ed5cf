// The exit that a program asks for: `sys.exit(3)`, `raise SystemExit`.
//
// Python tells nobody of an unhandled SystemExit, and destroys it when no Python frame is left; one that is handled is
// destroyed while Python code runs. So its type's initialiser and destructor are wrapped, which no program can see.
#include <nanobind/nanobind.h>

#include "bindings.hpp"

namespace nb = nanobind;

namespace jaxmpi {
namespace {

struct Watch {
    initproc initialise = nullptr;
    destructor destroy = nullptr;
    PyObject* made = nullptr;   // called where one is made
    PyObject* ended = nullptr;  // called with its code if the process ends by the one that was made last
    const PyObject* latest = nullptr;
    unsigned long thread = 0;  // the main one: only there it ends the process
};
Watch watch;

PyTypeObject* type() { return reinterpret_cast<PyTypeObject*>(PyExc_SystemExit); }

// Calls a function of ours; the program's own exception, if there is one, stays as it is.
void call(PyObject* function, PyObject* argument) {
    PyObject *kind, *value, *traceback;
    PyErr_Fetch(&kind, &value, &traceback);
    PyObject* const result =
        argument == nullptr ? PyObject_CallNoArgs(function) : PyObject_CallOneArg(function, argument);
    if (result == nullptr) PyErr_Clear();
    Py_XDECREF(result);
    PyErr_Restore(kind, value, traceback);
}

int initialise(PyObject* self, PyObject* arguments, PyObject* keywords) {
    const int result = watch.initialise(self, arguments, keywords);
    if (result == 0 && PyThread_get_thread_ident() == watch.thread) {
        watch.latest = self;
        call(watch.made, nullptr);
    }
    return result;
}

void destroy(PyObject* self) {
    if (self == watch.latest) {
        watch.latest = nullptr;
        if (PyEval_GetFrame() == nullptr) {
            PyObject* const code = reinterpret_cast<PySystemExitObject*>(self)->code;
            PyObject* const kept = Py_NewRef(code == nullptr ? Py_None : code);
            call(watch.ended, kept);
            Py_DECREF(kept);
        }
    }
    watch.destroy(self);
}

#if PY_VERSION_HEX < 0x030C0000
// sys.exit, which here sets the exception without making it.
PyObject* exit_with(PyObject*, PyObject* arguments) {
    PyObject* code = Py_None;
    if (!PyArg_UnpackTuple(arguments, "exit", 0, 1, &code)) return nullptr;
    PyObject* const made = PyTuple_Check(code) ? PyObject_CallObject(PyExc_SystemExit, code)
                           : code == Py_None   ? PyObject_CallNoArgs(PyExc_SystemExit)
                                               : PyObject_CallOneArg(PyExc_SystemExit, code);
    if (made == nullptr) return nullptr;
    PyErr_SetObject(PyExc_SystemExit, made);
    Py_DECREF(made);
    return nullptr;
}

void replace_exit() {
    static PyMethodDef method{"exit", &exit_with, METH_VARARGS, nullptr};
    const nb::object known = nb::module_::import_("sys").attr("exit");
    if (!PyCFunction_Check(known.ptr())) return;  // the program's own
    method.ml_doc = reinterpret_cast<PyCFunctionObject*>(known.ptr())->m_ml->ml_doc;
    const nb::object made =
        nb::steal(PyCFunction_NewEx(&method, PyCFunction_GET_SELF(known.ptr()), nb::str("sys").ptr()));
    nb::module_::import_("sys").attr("exit") = made;
}
#else
void replace_exit() {}
#endif

unsigned long main_thread() {
    return nb::cast<unsigned long>(nb::module_::import_("threading").attr("main_thread")().attr("ident"));
}

void watch_system_exit(const nb::object& made, const nb::object& ended) {
    if (watch.destroy != nullptr) return;
    watch = {type()->tp_init, type()->tp_dealloc, made.inc_ref().ptr(), ended.inc_ref().ptr(), nullptr, main_thread()};
    type()->tp_init = &initialise;
    type()->tp_dealloc = &destroy;
    replace_exit();
}

}  // namespace

void bind_system_exit(nb::module_& m) {
    m.def("watch_system_exit", &watch_system_exit, nb::arg("made"), nb::arg("ended"),
          "Call `made` where a SystemExit is made, `ended` with its code if the process ends by it.");
}

}  // namespace jaxmpi
