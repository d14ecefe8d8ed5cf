// Call sites: which line of the program makes this MPI call.
#include <dlfcn.h>

#include <array>
#include <climits>
#include <cstdlib>
#include <string>

#include "native_code.hpp"
#include "site_reading.hpp"
#include "thread.hpp"

namespace jaxmpi::python {
namespace {

// Sites of MPI calls, in the ledger of the ranks. A library that calls MPI has a site of its own.
struct MpiSites {
    static constexpr bool kProgramOnly = false;
    static constexpr bool kWithCallers = true;
    static bool ready() { return process().block != nullptr; }
    static bool is_ours(const char* file) { return lies_in(file, folders().mpi) || is_machinery(file); }
    static Site* claim(std::uint32_t& index) {
        index = claim_site();
        return index == kNone ? nullptr : &process().ledger.sites(process().local)[index];
    }
    static std::size_t callers() { return process().options.callers; }
};

// The file with the code of the interpreter, which calls MPI_Finalize at the end of a program; it may lie anywhere.
const std::string& interpreter() {
    static const std::string file = [] {
        Dl_info info{};
        std::array<char, PATH_MAX> whole{};
        const bool known = dladdr(reinterpret_cast<const void*>(&Py_FinalizeEx), &info) != 0;
        return std::string(known && realpath(info.dli_fname, whole.data()) != nullptr ? whole.data() : "");
    }();
    return file;
}

bool lies_in_library(const char* file) {
    return lies_in(file, folders().libraries) || lies_in(file, folders().own) || file == interpreter();
}

}  // namespace

bool frames_are_readable() {
    const PyThreadState* thread = PyGILState_GetThisThreadState();
    PyFrameObject* expected = PyEval_GetFrame();  // borrowed; nullptr if no Python code runs
    if (thread == nullptr || expected == nullptr) return false;
    const Frame* frame = *innermost(thread);
    while (frame != nullptr && !is_code(frame->code())) frame = frame->previous;
    if (frame == nullptr) return false;
    PyCodeObject* code = PyFrame_GetCode(expected);
    const bool same = frame->code() == code && instruction_offset(*frame, code) >= 0 &&
                      PyCode_Addr2Line(code, instruction_offset(*frame, code)) == PyFrame_GetLineNumber(expected);
    Py_DECREF(code);
    return same;
}

const char* install_readers() {
#ifdef Py_GIL_DISABLED
    return "call sites are not available in a free-threaded interpreter";
#else
    if (!frames_are_readable()) return "call sites are not available: the frame layout of this interpreter is unknown";
    set_library_test(&lies_in_library);
    set_site_reader(&read_site<MpiSites>);
    set_stack_reader(&read_all_stacks);
    return "";
#endif
}

}  // namespace jaxmpi::python
