// What the interpreter keeps of the calling thread.
#pragma once

#include <Python.h>

#include "per_thread.hpp"

namespace jaxmpi::python {

// Of the process's main thread, whose state lives as long as the interpreter: asking for it takes several libraries.
constinit inline thread_local const PyThreadState* lasting_state JAXMPI_NEAR = nullptr;

// nullptr: the thread has none.
inline const PyThreadState* thread_state() {
    return lasting_state != nullptr ? lasting_state : PyGILState_GetThisThreadState();
}

// Called by the main thread it keeps its state until the interpreter's last `atexit` function. Needs the GIL.
void keep_thread_state();

}  // namespace jaxmpi::python
