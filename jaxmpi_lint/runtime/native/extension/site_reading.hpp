// Which line of the program makes a call: read from the interpreter's frames, remembered by each thread, interned once.
//
// A `Table` says where sites are kept and which files are the tool's own:
//   static bool ready();                          there is a place to keep them
//   static bool is_ours(const char* file);        frames that are passed over: of the tool, and of what it checks
//   static Site* claim(std::uint32_t& index);     a new site to be filled in, nullptr if there is no room
//   static constexpr bool kProgramOnly;           libraries are passed over, too, if a line of the program is around
//   static constexpr bool kWithCallers;           lines of the program around a site are part of it, as many as
//   static std::size_t callers();                 says, and the exception that the thread handles
#pragma once

#include <array>
#include <bit>
#include <cstdio>
#include <map>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include "careful_copy.hpp"
#include "frames.hpp"
#include "ledger.hpp"
#include "ownership.hpp"
#include "per_thread.hpp"
#include "thread.hpp"
#include "thread_state.hpp"

namespace jaxmpi::python {

inline constexpr std::size_t kCached = 1024;       // lines remembered by each thread
inline constexpr std::size_t kCachedStacks = 256;  // stacks whose call paths are remembered by each thread
inline constexpr std::size_t kChain = 4;           // frames that name a site in a library
inline constexpr int kDeepest = 32;                // frames looked at
inline constexpr int kDeepestBelowProgram = 96;
inline constexpr int kDeepestCaller = 24;  // frames around a site that are looked at

enum class Place : std::uint8_t { kUnknown, kOurs, kLibrary, kProgram };

// Identifies a call, even if a code object's memory was reused.
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

// What is known of stacks with the same innermost frames.
struct CachedStack {
    std::uint64_t hash = 0;      // of these frames
    std::uint32_t frames = 0;    // the call path depends on so many of the innermost frames
    std::uint32_t path = kNone;  // if these are all
};

template <class Table>
struct Remembered {
    std::array<Cached, kCached> sites;
    std::array<CachedStack, kCachedStacks> stacks;
};

// What this thread found out about a frame, or another's that shares its place in the table.
template <class Table>
Cached& remembered(const PyCodeObject* code, int instruction) {
    const auto both = reinterpret_cast<std::uintptr_t>(code) + static_cast<std::uintptr_t>(instruction);
    return per_thread<Remembered<Table>>().sites[both * 0x9e3779b97f4a7c15 >> 32 & (kCached - 1)];
}

inline std::uint64_t stir(std::uint64_t h, std::uint64_t value) {
    h ^= value + 0x9e3779b97f4a7c15 + (h << 6) + (h >> 2);
    return h * 0xff51afd7ed558ccd;
}

inline std::uint64_t hash(const Key& key) {
    std::uint64_t h = stir(reinterpret_cast<std::uintptr_t>(key.code), static_cast<std::uint64_t>(key.instruction));
    return stir(stir(h, reinterpret_cast<std::uintptr_t>(key.lines)), static_cast<std::uint64_t>(key.first_line));
}

inline Key key_of(const Frame& frame, const PyCodeObject* code) {
    return {code, code->co_linetable, code->co_qualname, code->co_firstlineno, instruction_offset(frame, code)};
}

template <class Table>
Place place_of(const PyCodeObject* code) {
    char file[kLongestPath];
    copy_text(code->co_filename, file, sizeof file);
    if (Table::is_ours(file)) return Place::kOurs;
    return lies_in(file, folders().libraries) ? Place::kLibrary : Place::kProgram;
}

// Sites of this process by the hash of their frames. Taken only when a line is seen for the first time by a thread.
template <class Table>
class Interned {
  public:
    std::uint32_t of(const Chain& chain) {
        const std::lock_guard lock(mutex_);
        const auto [at, is_new] = sites_.try_emplace(chain.hash, kNone);
        if (is_new) at->second = write(chain, 0);
        return at->second;
    }
    std::uint32_t of(const Route& route) {
        const std::lock_guard lock(mutex_);
        if (const auto at = paths_.find(route); at != paths_.end()) return at->second;
        const std::uint32_t path = write_path(route);
        if (path != route.site) paths_.emplace(route, path);  // else there is no room: neither here
        return path;
    }
    // A line that an exception of this class has passed.
    std::uint32_t of(const Key& line, const char* exception) {
        const std::lock_guard lock(mutex_);
        const Chain chain{{line}, 1, stir(hash(line), std::hash<std::string_view>()(exception))};
        const auto [at, is_new] = sites_.try_emplace(chain.hash, kNone);
        if (is_new) at->second = write(chain, 0, exception);
        return at->second;
    }

    static Interned& table() {
        static auto* table = new Interned;  // never destroyed: threads may call until the very end
        return *table;
    }

  private:
    static std::uint32_t write(const Chain& chain, std::size_t depth, const char* operand = "") {
        const std::uint32_t caller = depth + 1 < chain.length ? write(chain, depth + 1) : kNone;
        std::uint32_t index = kNone;
        Site* const site = Table::claim(index);
        if (site == nullptr) return kNone;
        const Key& key = chain.frames[depth];
        copy_text(key.code->co_filename, site->file, sizeof site->file);
        copy_text(key.code->co_qualname, site->function, sizeof site->function);
        site->line = static_cast<std::uint32_t>(PyCode_Addr2Line(const_cast<PyCodeObject*>(key.code), key.instruction));
        site->caller = caller;
        std::snprintf(site->operand, sizeof site->operand, "%s", operand);
        site->state.store(1, std::memory_order_release);
        return index;
    }

    std::mutex mutex_;
    std::unordered_map<std::uint64_t, std::uint32_t> sites_;
    std::map<Route, std::uint32_t> paths_;
};

// What is known of a frame of Python code.
template <class Table>
Cached& classified(const Frame& frame, const PyCodeObject* code) {
    const Key key = key_of(frame, code);
    Cached& known = remembered<Table>(code, key.instruction);
    if (!(known.key == key)) known = {key, place_of<Table>(code), kNone};
    return known;
}

template <class Table>
std::uint32_t site_of(Cached& known) {
    if (known.site == kNone) known.site = Interned<Table>::table().of({{known.key}, 1, stir(0, hash(known.key))});
    return known.site;
}

// From a frame outwards to one of the program's; what is between, in libraries, is part of the site. `looked` counts
// the frames that the answer depends on.
template <class Table>
[[gnu::noinline]] std::uint32_t site_from(const Frame*& frame, std::uint32_t& looked) {
    constexpr int kDepth = Table::kProgramOnly ? kDeepestBelowProgram : kDeepest;
    Chain chain;
    for (int depth = 0; frame != nullptr && depth < kDepth; frame = frame->previous, ++depth) {
        ++looked;
        const PyCodeObject* code = frame->code();
        if (!is_code(code)) continue;
        Cached& known = classified<Table>(*frame, code);
        if (known.place == Place::kOurs) continue;
        if (known.place == Place::kProgram && (chain.length == 0 || Table::kProgramOnly)) return site_of<Table>(known);
        if (chain.length == kChain) continue;
        chain.frames[chain.length++] = known.key;
        chain.hash = stir(chain.hash, hash(known.key));
        if (!Table::kProgramOnly && (known.place == Place::kProgram || chain.length == kChain)) break;
    }
    return chain.length == 0 ? kNone : Interned<Table>::table().of(chain);
}

// The site with the lines of the program around it, from this frame outwards. A line that calls itself counts once.
template <class Table>
std::uint32_t with_callers(std::uint32_t site, const Frame* frame, std::uint32_t handled, std::uint32_t& looked) {
    Route route{site};
    route.handled = handled;
    std::uint32_t last = site;
    std::size_t length = 0;
    for (int depth = 0; frame != nullptr && length < Table::callers() && depth < kDeepestCaller; ++depth) {
        ++looked;
        const PyCodeObject* const code = frame->code();
        if (is_code(code)) {
            Cached& known = classified<Table>(*frame, code);
            if (known.place == Place::kProgram && site_of<Table>(known) != last) {
                if (known.site == kNone) break;
                last = route.callers[length++] = known.site;
            }
        }
        frame = frame->previous;
    }
    return route.is_site() ? site : Interned<Table>::table().of(route);
}

// The innermost frames as one number: what identifies each of them, in order.
class InnermostFrames {
  public:
    explicit InnermostFrames(const Frame* innermost) : next_(innermost) {}

    // Adds frames until there are so many, or none is left.
    void extend(std::uint32_t frames) {
        for (; count_ < frames && next_ != nullptr; ++count_, next_ = next_->previous) {
            const PyCodeObject* const code = next_->code();
            if (is_code(code)) add(key_of(*next_, code));
        }
    }
    std::uint32_t count() const { return count_; }
    bool whole() const { return next_ == nullptr; }
    // Differs between frames that more frames are around and a whole stack.
    std::uint64_t hash() const { return whole() ? ~hash_ : hash_; }

  private:
    void add(const Key& key) {
        const auto word = [](const void* address) { return reinterpret_cast<std::uintptr_t>(address); };
        const std::uint64_t line = static_cast<std::uint64_t>(key.first_line) << 32;
        const std::uint64_t one = word(key.code) ^ std::rotl(word(key.lines), 17);
        const std::uint64_t other =
            std::rotl(word(key.name), 41) ^ (line | static_cast<std::uint32_t>(key.instruction));
        __extension__ using Wide = unsigned __int128;
        place_ += 0x2545f4914f6cdd1d;
        const Wide product = static_cast<Wide>(one ^ place_) * (other ^ 0x9e3779b97f4a7c15);
        hash_ += static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    }

    const Frame* next_;
    std::uint32_t count_ = 0;
    // A sum, so that no multiplication waits for the one before; `place_` makes it depend on the order.
    std::uint64_t hash_ = 0, place_ = 0;
};

template <class Table>
CachedStack& remembered(const InnermostFrames& frames) {
    return per_thread<Remembered<Table>>().stacks[frames.hash() >> 24 & (kCachedStacks - 1)];
}

// A stack that is not remembered: its call path, remembered by as many frames as it depends on.
template <class Table>
[[gnu::noinline]] std::uint32_t new_path(const Frame* frame, InnermostFrames frames) {
    if (!Table::ready()) return kNone;
    std::uint32_t looked = 0;
    const std::uint32_t site = site_from<Table>(frame, looked);
    if (site == kNone) return kNone;
    const std::uint32_t path = frame == nullptr ? site : with_callers<Table>(site, frame->previous, kNone, looked);
    if (looked > frames.count() && !frames.whole()) {
        remembered<Table>(frames) = {frames.hash(), looked, kNone};
        frames.extend(looked);
    }
    remembered<Table>(frames) = {frames.hash(), frames.count(), path};
    return path;
}

template <class Table>
[[gnu::hot]] std::uint32_t site_with_callers(const Frame* frame) {
    InnermostFrames frames(frame);
    for (std::uint32_t wanted = 1 + static_cast<std::uint32_t>(Table::callers());;) {
        frames.extend(wanted);
        const CachedStack& known = remembered<Table>(frames);
        if (known.hash != frames.hash()) return new_path<Table>(frame, frames);
        if (known.frames <= frames.count()) return known.path;
        wanted = known.frames;
    }
}

// The code that an exception has passed; nullptr if it cannot be read. Other threads may have the exception, too.
inline const PyCodeObject* code_of(const PyTracebackObject& passed) {
    FrameObject object;
    Frame frame;
    PyObject head;
    if (Py_TYPE(reinterpret_cast<const PyObject*>(&passed)) != &PyTraceBack_Type) return nullptr;
    if (!copy(reinterpret_cast<const FrameObject*>(passed.tb_frame), object) || !copy(object.frame, frame))
        return nullptr;
    const PyCodeObject* const code = frame.code();
    if (!copy(reinterpret_cast<const PyObject*>(code), head) || Py_TYPE(&head) != &PyCode_Type) return nullptr;
    return code;
}

// The innermost line of the program that an exception has passed; of a library if there is no other.
template <class Table>
std::uint32_t passed_line(PyObject* exception) {
    Key line{};
    bool in_program = false;
    PyTracebackObject passed;
    const auto* at = reinterpret_cast<const PyTracebackObject*>(
        reinterpret_cast<const PyBaseExceptionObject*>(exception)->traceback);
    for (int depth = 0; depth < kDeepestBelowProgram && copy(at, passed); at = passed.tb_next, ++depth) {
        const PyCodeObject* const code = code_of(passed);
        if (code == nullptr) break;
        const bool here = place_of<Table>(code) == Place::kProgram;
        if (in_program && !here) continue;
        line = {code, code->co_linetable, code->co_qualname, code->co_firstlineno, passed.tb_lasti};
        in_program = here;
    }
    return line.code == nullptr ? kNone : Interned<Table>::table().of(line, class_name(Py_TYPE(exception)));
}

// The site of a call that is made while an exception is handled. Rare, and it depends on more than the stack.
template <class Table>
[[gnu::noinline]] std::uint32_t site_in_handler(const Frame* frame, PyObject* exception) {
    if (!Table::ready()) return kNone;
    std::uint32_t looked = 0;
    const std::uint32_t site = site_from<Table>(frame, looked);
    if (site == kNone) return kNone;
    return with_callers<Table>(site, frame == nullptr ? nullptr : frame->previous, passed_line<Table>(exception),
                               looked);
}

template <class Table>
[[gnu::hot]] std::uint32_t innermost_site(const Frame* frame) {
    if (frame != nullptr) {  // nearly always: the program's own, and seen before
        const PyCodeObject* const code = frame->code();
        const Cached& known = remembered<Table>(code, instruction_offset(*frame, code));
        if (known.key.code == code && known.site != kNone && known.key == key_of(*frame, code)) return known.site;
    }
    std::uint32_t looked = 0;
    return Table::ready() ? site_from<Table>(frame, looked) : kNone;
}

template <class Table>
[[gnu::hot]] std::uint32_t read_site() {
    const PyThreadState* thread = thread_state();
    if (thread == nullptr) return kNone;
    const Frame* const frame = *innermost(thread);
    if constexpr (Table::kWithCallers) {
        if (frame != nullptr && Table::callers() != 0) {
            PyObject* const exception = handled_exception(thread);
            if (exception != nullptr) [[unlikely]]
                return site_in_handler<Table>(frame, exception);
            return site_with_callers<Table>(frame);
        }
    }
    return innermost_site<Table>(frame);
}

}  // namespace jaxmpi::python
