// Call sites: which line of the program makes this MPI call.
#include <array>
#include <mutex>
#include <unordered_map>

#include "frames.hpp"
#include "per_thread.hpp"
#include "thread.hpp"

namespace jaxmpi::python {
namespace {

constexpr std::size_t kCached = 256;  // call sites remembered by each thread
constexpr std::size_t kChain = 4;     // frames that name a site in a library
constexpr int kDeepest = 32;          // frames looked at

enum class Place : std::uint8_t { kUnknown, kOurs, kLibrary, kProgram };

// Everything that tells one call from another even if a code object's memory was reused.
struct Key {
    const PyCodeObject* code;
    const void* lines;
    const void* name;
    int first_line;
    int instruction;
    bool operator==(const Key&) const = default;
};

struct Cached {
    Key key{};
    Place place = Place::kUnknown;
    std::uint32_t site = kNone;  // of a frame of the program: its site
};

struct Chain {
    Key frames[kChain];
    std::size_t length = 0;
    std::uint64_t hash = 0;
};

// What this thread found out about a frame, or another's that shares its place in the table.
Cached& remembered(const Key& key) {
    const auto both = reinterpret_cast<std::uintptr_t>(key.code) + static_cast<std::uintptr_t>(key.instruction);
    return per_thread<std::array<Cached, kCached>>()[both * 0x9e3779b97f4a7c15 >> 32 & (kCached - 1)];
}

std::uint64_t mix(std::uint64_t h, std::uint64_t value) {
    h ^= value + 0x9e3779b97f4a7c15 + (h << 6) + (h >> 2);
    return h * 0xff51afd7ed558ccd;
}

std::uint64_t hash(const Key& key) {
    std::uint64_t h = mix(reinterpret_cast<std::uintptr_t>(key.code), static_cast<std::uint64_t>(key.instruction));
    return mix(mix(h, reinterpret_cast<std::uintptr_t>(key.lines)), static_cast<std::uint64_t>(key.first_line));
}

Key key_of(const Frame& frame, const PyCodeObject* code) {
    return {code, code->co_linetable, code->co_qualname, code->co_firstlineno, instruction_offset(frame, code)};
}

Place place_of(const PyCodeObject* code) {
    char file[sizeof(Site::file)];
    copy_text(code->co_filename, file, sizeof file);
    const auto contains = [&file](const char* part) { return std::strstr(file, part) != nullptr; };
    if (contains("/jaxmpi_lint/runtime/") || contains("/mpi4py/") || contains("/mpi4jax/_src/") ||
        std::strncmp(file, "<frozen ", 8) == 0 || std::strcmp(file, "<shim>") == 0)
        return Place::kOurs;
    if (contains("/site-packages/") || contains("/dist-packages/") || contains("/lib/python3.")) return Place::kLibrary;
    return Place::kProgram;
}

// Sites of this process by the hash of their frames. Taken only when a line is seen for the first time by a thread.
class Interned {
  public:
    std::uint32_t of(const Chain& chain) {
        const std::lock_guard lock(mutex_);
        const auto [at, is_new] = sites_.try_emplace(chain.hash, kNone);
        if (is_new) at->second = write(chain, 0);
        return at->second;
    }

  private:
    static std::uint32_t write(const Chain& chain, std::size_t depth) {
        const std::uint32_t caller = depth + 1 < chain.length ? write(chain, depth + 1) : kNone;
        const std::uint32_t index = claim_site();
        if (index == kNone) return kNone;
        Site& site = process().ledger.sites(process().local)[index];
        const Key& key = chain.frames[depth];
        copy_text(key.code->co_filename, site.file, sizeof site.file);
        copy_text(key.code->co_qualname, site.function, sizeof site.function);
        site.line = static_cast<std::uint32_t>(PyCode_Addr2Line(const_cast<PyCodeObject*>(key.code), key.instruction));
        site.caller = caller;
        site.state.store(1, std::memory_order_release);
        return index;
    }

    std::mutex mutex_;
    std::unordered_map<std::uint64_t, std::uint32_t> sites_;
};

Interned& interned() {
    static auto* table = new Interned;  // never destroyed: threads may call MPI until the very end
    return *table;
}

// From a frame outwards to one of the program's; what is between, in libraries, is part of the site.
std::uint32_t site_from(const Frame* frame) {
    Chain chain;
    for (int depth = 0; frame != nullptr && depth < kDeepest; frame = frame->previous, ++depth) {
        const PyCodeObject* code = frame->code();
        if (!is_code(code)) continue;
        const Key key = key_of(*frame, code);
        Cached& known = remembered(key);
        if (!(known.key == key)) known = {key, place_of(code), kNone};
        if (known.place == Place::kOurs) continue;
        if (known.place == Place::kProgram && chain.length == 0 && known.site != kNone) return known.site;
        chain.frames[chain.length++] = key;
        chain.hash = mix(chain.hash, hash(key));
        if (known.place == Place::kProgram && chain.length == 1) return known.site = interned().of(chain);
        if (known.place == Place::kProgram || chain.length == kChain) break;
    }
    return chain.length == 0 ? kNone : interned().of(chain);
}

[[gnu::hot]] std::uint32_t read_site() {
    const PyThreadState* thread = PyGILState_GetThisThreadState();
    if (thread == nullptr || process().block == nullptr) return kNone;
    const Frame* const frame = *innermost(thread);
    if (frame != nullptr && is_code(frame->code())) {  // nearly always: the program's own, and seen before
        const Key key = key_of(*frame, frame->code());
        const Cached& known = remembered(key);
        if (known.key == key && known.site != kNone) return known.site;
    }
    return site_from(frame);
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
    return "call sites are not known under a free-threaded interpreter";
#else
    if (!frames_are_readable()) return "call sites are not known: this interpreter keeps its frames in another way";
    set_site_reader(&read_site);
    set_stack_reader(&read_all_stacks);
    return "";
#endif
}

}  // namespace jaxmpi::python
