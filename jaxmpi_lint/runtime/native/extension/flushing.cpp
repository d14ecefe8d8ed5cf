// The interpreter's own streams, flushed when the sanitizer ends the process from a native thread.
#include <Python.h>

#include "bindings.hpp"
#include "closing.hpp"

namespace jaxmpi {

void flush_streams() {
    if (Py_IsInitialized() == 0) return;
    const PyGILState_STATE state = PyGILState_Ensure();  // may take forever: the caller does not wait that long
    for (const char* name : {"stdout", "stderr"}) {
        PyObject* const stream = PySys_GetObject(name);  // borrowed
        PyObject* const done = stream == nullptr ? nullptr : PyObject_CallMethod(stream, "flush", nullptr);
        if (done == nullptr) PyErr_Clear();
        Py_XDECREF(done);
    }
    PyGILState_Release(state);
}

void install_flusher() { set_flusher(&flush_streams); }

}  // namespace jaxmpi
