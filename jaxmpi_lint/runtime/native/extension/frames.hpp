// Interpreter frames read without the GIL, as borrowed pointers: no reference count changes, nothing waits.
//
// The layouts are internal to CPython and differ by version; this is the only place that knows them, and
// `frames_are_readable` proves at start-up, against `sys._getframe`, that it knows the running one.
#pragma once

#include <Python.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace jaxmpi::python {

// The leading fields of _PyInterpreterFrame (CPython's Include/internal/pycore_frame.h, pycore_interpframe_structs.h).
struct Frame {
#if PY_VERSION_HEX < 0x030C0000
    void *function, *globals, *builtins, *locals;
    std::uintptr_t code_bits;
    void* frame_object;
    const Frame* previous;
    const char* instruction;
#else
    std::uintptr_t code_bits;
    const Frame* previous;
    void *function, *globals, *builtins, *locals, *frame_object;
    const char* instruction;
#endif
    // From 3.14 on the reference is tagged in its low bits.
    const PyCodeObject* code() const { return reinterpret_cast<const PyCodeObject*>(code_bits & ~std::uintptr_t{3}); }
};

// The leading fields of a frame object (CPython's Include/internal/pycore_frame.h).
struct FrameObject {
    PyObject head;
    void* back;
    const Frame* frame;
};

// Where the innermost frame of a thread is kept.
inline const Frame* const* innermost(const PyThreadState* thread) {
#if PY_VERSION_HEX < 0x030D0000
    return reinterpret_cast<const Frame* const*>(&thread->cframe->current_frame);
#else
    return reinterpret_cast<const Frame* const*>(&thread->current_frame);
#endif
}

inline bool is_code(const PyCodeObject* code) {
    return code != nullptr && Py_TYPE(reinterpret_cast<const PyObject*>(code)) == &PyCode_Type;
}

// Byte offset of the instruction being executed.
inline int instruction_offset(const Frame& frame, const PyCodeObject* code) {
    return static_cast<int>(frame.instruction - code->co_code_adaptive);
}

inline constexpr std::size_t kLongestPath = 4096;

// Copies a string object as UTF-8, cut to fit; `out` is always terminated.
inline void copy_text(PyObject* text, char* out, std::size_t size) {
    std::size_t used = 0;
    const auto put = [&](unsigned byte) {
        if (used + 1 < size) out[used++] = static_cast<char>(byte);
    };
    if (text != nullptr && PyUnicode_Check(text)) {
        const auto length = static_cast<std::size_t>(PyUnicode_GET_LENGTH(text));
        const auto kind = PyUnicode_KIND(text);
        const void* data = PyUnicode_DATA(text);
        for (std::size_t i = 0; i < length; ++i) {
            const Py_UCS4 c = PyUnicode_READ(kind, data, static_cast<Py_ssize_t>(i));
            if (c < 0x80) {
                put(c);
            } else if (c < 0x800) {
                put(0xc0 | c >> 6), put(0x80 | (c & 0x3f));
            } else if (c < 0x10000) {
                put(0xe0 | c >> 12), put(0x80 | (c >> 6 & 0x3f)), put(0x80 | (c & 0x3f));
            } else {
                put(0xf0 | c >> 18), put(0x80 | (c >> 12 & 0x3f)), put(0x80 | (c >> 6 & 0x3f)), put(0x80 | (c & 0x3f));
            }
        }
    }
    out[used] = '\0';
}

// What a local variable of a running frame stands for (a new reference), without the changes that asking for all of
// them makes to what `locals()` has returned; nullptr if it has no value. Needs the GIL.
PyObject* local_variable(PyFrameObject* frame, PyObject* name);

// Whether the layouts above are those of the running interpreter. Needs the GIL.
bool frames_are_readable();

// See StackReader in thread.hpp.
std::size_t read_all_stacks(char* out, std::size_t size, std::uint32_t* python_threads);

// Registers the readers of call sites and stacks with the core if frames are readable; else says why not, once.
// Needs the GIL. Returns "" or the reason.
const char* install_readers();

}  // namespace jaxmpi::python
