// A local variable of a running frame.
#include "frames.hpp"

namespace jaxmpi::python {
namespace {

#if PY_VERSION_HEX < 0x030C0000
// What follows the leading fields of a frame of 3.11.
struct Locals {
    int stack;
    bool is_entry;
    char owner;
    PyObject* slots[1];
};

const Frame* running(const PyFrameObject* object) {
    const PyThreadState* thread = PyGILState_GetThisThreadState();
    const Frame* frame = thread == nullptr ? nullptr : *innermost(thread);
    while (frame != nullptr && frame->frame_object != object) frame = frame->previous;
    return frame;
}

PyObject* slot_named(const Frame& frame, PyObject* name) {
    const PyCodeObject* code = frame.code();
    const auto* locals = reinterpret_cast<const Locals*>(&frame + 1);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(code->co_localsplusnames); ++i)
        if (PyUnicode_Compare(PyTuple_GET_ITEM(code->co_localsplusnames, i), name) == 0) return locals->slots[i];
    return nullptr;
}
#endif

}  // namespace

PyObject* local_variable(PyFrameObject* object, PyObject* name) {
#if PY_VERSION_HEX < 0x030C0000
    const Frame* frame = running(object);
    PyObject* found = frame == nullptr ? nullptr : slot_named(*frame, name);
    if (found != nullptr && PyCell_Check(found)) found = PyCell_GET(found);
    Py_XINCREF(found);
    return found;
#else
    PyObject* found = PyFrame_GetVar(object, name);
    if (found == nullptr) PyErr_Clear();
    return found;
#endif
}

}  // namespace jaxmpi::python
