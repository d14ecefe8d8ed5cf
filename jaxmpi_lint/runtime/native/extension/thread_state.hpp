// What the interpreter keeps of the calling thread.
#pragma once

#include <Python.h>

#include <cstring>

#include "per_thread.hpp"

namespace jaxmpi::python {

// Of the process's main thread, whose state lives as long as the interpreter: asking for it takes several libraries.
constinit inline thread_local const PyThreadState* lasting_state JAXMPI_NEAR = nullptr;

// nullptr: the thread has none.
inline const PyThreadState* thread_state() {
    return lasting_state != nullptr ? lasting_state : PyGILState_GetThisThreadState();
}

// The exception that the thread is handling, borrowed; nullptr if there is none.
inline PyObject* handled_exception(const PyThreadState* thread) {
    for (const _PyErr_StackItem* at = thread->exc_info; at != nullptr; at = at->previous_item)
        if (at->exc_value != nullptr && at->exc_value != Py_None) return at->exc_value;
    return nullptr;
}

// The name of a class without its module.
inline const char* class_name(const PyTypeObject* type) {
    const char* const dot = std::strrchr(type->tp_name, '.');
    return dot == nullptr ? type->tp_name : dot + 1;
}

// Called by the main thread it keeps its state until the interpreter's last `atexit` function. Needs the GIL.
void keep_thread_state();

}  // namespace jaxmpi::python
