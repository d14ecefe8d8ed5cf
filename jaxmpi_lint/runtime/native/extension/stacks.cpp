// The Python stacks of all threads, taken by a native thread while they go on running.
//
// Without the GIL every pointer may be stale the moment it is read, so memory of the own process is read by the kernel
// (process_vm_readv), which answers "no" where a plain read would crash.
#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>

#include "careful_copy.hpp"
#include "frames.hpp"

namespace jaxmpi::python {
namespace {

constexpr int kFrames = 64;
constexpr int kMostThreads = 256;
constexpr std::size_t kLineTable = 1 << 16;
constexpr std::size_t kText = 1 << 10;

// A string object somewhere in memory, as UTF-8.
bool text_at(PyObject* from, char* out, std::size_t size) {
    struct alignas(16) Buffer {
        unsigned char bytes[sizeof(PyCompactUnicodeObject) + kText * 4];
    };
    auto buffer = std::make_unique<Buffer>();
    if (from == nullptr || !copy(from, buffer->bytes, sizeof(PyCompactUnicodeObject))) return false;
    auto* text = reinterpret_cast<PyObject*>(buffer->bytes);
    if (Py_TYPE(text) != &PyUnicode_Type) return false;
    const Py_ssize_t length = reinterpret_cast<PyASCIIObject*>(text)->length;
    const auto& state = reinterpret_cast<PyASCIIObject*>(text)->state;
    if (!state.compact || length < 0 || length >= static_cast<Py_ssize_t>(kText)) return false;
    const std::size_t head = state.ascii ? sizeof(PyASCIIObject) : sizeof(PyCompactUnicodeObject);
    const std::size_t body = static_cast<std::size_t>(length + 1) * state.kind;
    if (!copy(reinterpret_cast<const char*>(from) + head, buffer->bytes + head, body)) return false;
    copy_text(text, out, size);
    return true;
}

// The line of an instruction: a copy of the code object with a copy of its table is handed to the interpreter's own
// decoder, which reads nothing else.
int line_at(PyCodeObject code, int instruction) {
    struct alignas(16) Buffer {
        unsigned char bytes[kLineTable];
    };
    auto table = std::make_unique<Buffer>();
    PyBytesObject head;
    const auto* from = reinterpret_cast<const PyBytesObject*>(code.co_linetable);
    if (!copy(from, head)) return 0;
    const std::size_t size = offsetof(PyBytesObject, ob_sval) + static_cast<std::size_t>(Py_SIZE(&head)) + 1;
    if (size > kLineTable || !copy(from, table->bytes, size)) return 0;
    code.co_linetable = reinterpret_cast<PyObject*>(table->bytes);
#if PY_VERSION_HEX < 0x030C0000
    code._co_linearray = nullptr;
#else
    code._co_monitoring = nullptr;
#endif
    return PyCode_Addr2Line(&code, instruction);
}

class Writer {
  public:
    Writer(char* out, std::size_t size) : out_(out), size_(size) {}
    template <class... A>
    void line(const char* format, A... arguments) {
        if (used_ + 1 >= size_) return;
        const int n = std::snprintf(out_ + used_, size_ - used_, format, arguments...);
        if (n > 0) used_ = std::min(used_ + static_cast<std::size_t>(n), size_ - 1);
    }
    std::size_t used() const { return used_; }

  private:
    char* out_;
    std::size_t size_, used_ = 0;
};

void write_frame(const PyCodeObject* at, int instruction, Writer& out) {
    PyCodeObject code;
    if (!copy(at, code) || Py_TYPE(reinterpret_cast<PyObject*>(&code)) != &PyCode_Type) return;
    char file[kText], function[256];
    if (!text_at(code.co_filename, file, sizeof file) || !text_at(code.co_qualname, function, sizeof function) ||
        std::strcmp(file, "<shim>") == 0)
        return;
    out.line("  File \"%s\", line %d, in %s\n", file, line_at(code, instruction), function);
}

void write_frames(const Frame* at, Writer& out) {
    Frame frame;
    for (int depth = 0; depth < kFrames && copy(at, frame); at = frame.previous, ++depth) {
        const char* const begin =
            reinterpret_cast<const char*>(frame.code()) + offsetof(PyCodeObject, co_code_adaptive);
        write_frame(frame.code(), static_cast<int>(frame.instruction - begin), out);
    }
}

}  // namespace

std::size_t read_all_stacks(char* out, std::size_t size, std::uint32_t* python_threads) {
    Writer writer(out, size);
    std::uint32_t count = 0;
    PyThreadState thread;
    for (const PyThreadState* at = PyInterpreterState_ThreadHead(PyInterpreterState_Main());
         count < kMostThreads && copy(at, thread); at = thread.next) {
        ++count;
#if PY_VERSION_HEX < 0x030D0000
        _PyCFrame holder;
        if (!copy(static_cast<const _PyCFrame*>(thread.cframe), holder)) continue;
        const auto* frame = reinterpret_cast<const Frame*>(holder.current_frame);
#else
        const auto* frame = reinterpret_cast<const Frame*>(thread.current_frame);
#endif
        writer.line("Thread %lu (most recent call first):\n", static_cast<unsigned long>(thread.native_thread_id));
        write_frames(frame, writer);
    }
    if (python_threads != nullptr) *python_threads = count;
    return writer.used();
}

}  // namespace jaxmpi::python
