#include "native_sites.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "findings.hpp"
#include "native_code.hpp"
#include "native_frames.hpp"
#include "per_thread.hpp"
#include "thread.hpp"

namespace jaxmpi {
namespace {

constexpr std::size_t kDeepest = 32;         // frames looked at
constexpr std::size_t kNodes = 2048;         // frames remembered by each thread
constexpr std::size_t kFullest = 1536;       // of them
constexpr std::size_t kChain = 4;            // frames that name a site in a library
constexpr std::size_t kBelowPython = 2;      // callers in compiled code, where lines of Python follow
constexpr std::uint32_t kUnwindings = 8192;  // of each thread; a stack that always differs is not worth more
constexpr std::size_t kRoutes = 64;          // of Python and compiled code, remembered by each thread

// What is known of a call: its site, and how many frames have to be the same for another call to be alike.
struct Resolved {
    std::uint32_t site = kNone;
    std::size_t frames = 1;
};

// Sites and call paths of this process. Asked only for frames that a thread meets for the first time.
class Interned {
  public:
    Resolved of(std::span<const NativeFrame> frames, bool in_python) {
        const std::lock_guard lock(mutex_);
        frames = without_start(frames);
        std::size_t at = 0;
        while (at < frames.size() && place(frames[at]).owner == CodeOwner::kMpi) ++at;
        if (at == frames.size()) return {kNone, std::max<std::size_t>(frames.size(), 1)};
        if (in_python && place(frames[at]).owner != CodeOwner::kProgram) return {kNone, at + 1};
        std::vector<std::uintptr_t> chain;
        while (at < frames.size() && place(frames[at]).owner != CodeOwner::kProgram)
            chain.push_back(frames[at++].address);
        chain.resize(std::min(chain.size(), kChain - 1));
        if (at < frames.size()) chain.push_back(frames[at].address);
        return with_callers(site(chain), frames, at + 1, in_python);
    }
    std::uint32_t of(const Route& route) {
        const std::lock_guard lock(mutex_);
        return path(route);
    }

    static Interned& table() {
        static auto* const table = new Interned;  // never destroyed: threads may call until the very end
        return *table;
    }

  private:
    // Of the frames of the C library that start the program or a thread, one is enough.
    std::span<const NativeFrame> without_start(std::span<const NativeFrame> frames) {
        const auto starts = [&](const NativeFrame& frame) { return place(frame).starts; };
        while (frames.size() > 1 && starts(frames.back()) && starts(frames[frames.size() - 2]))
            frames = frames.first(frames.size() - 1);
        return frames;
    }

    // In Python only the callers up to the interpreter, whose lines of Python follow them.
    Resolved with_callers(std::uint32_t first, std::span<const NativeFrame> frames, std::size_t at, bool in_python) {
        Route route{first};
        std::size_t length = 0;
        const std::size_t callers = process().options.callers;
        const std::size_t most = in_python ? std::min(callers, kBelowPython) : callers;
        for (; first != kNone && at < frames.size() && length < most; ++at) {
            const bool is_program = place(frames[at]).owner == CodeOwner::kProgram;
            if (in_python && !is_program) break;
            if (is_program && frames[at].address != frames[at - 1].address)
                route.callers[length++] = site({frames[at].address});
        }
        const std::size_t decided = length < most ? at + 1 : at;
        return {length == 0 ? first : path(route), std::min(decided, frames.size())};
    }

    const CodePlace& place(const NativeFrame& frame) { return place(frame.address); }
    const CodePlace& place(std::uintptr_t address) {
        const auto [at, is_new] = places_.try_emplace(address);
        if (is_new) at->second = code_at(address);
        return at->second;
    }

    std::uint32_t site(const std::vector<std::uintptr_t>& chain) {
        if (chain.empty()) return kNone;
        if (const auto known = sites_.find(chain); known != sites_.end()) return known->second;
        const std::uint32_t around = site({chain.begin() + 1, chain.end()});
        const CodePlace& where = place(chain.front());
        const std::uint32_t made = where.file.empty() ? around : written(where, around);
        return sites_[chain] = made;
    }

    static std::uint32_t written(const CodePlace& where, std::uint32_t around) {
        const std::uint32_t index = claim_site();
        if (index == kNone) return kNone;
        Site& site = process().ledger.sites(process().local)[index];
        copy(where.file, site.file);
        copy(where.build, site.function);
        site.line = 0;
        site.caller = around;
        site.address = where.address;
        site.state.store(1, std::memory_order_release);
        return index;
    }

    template <std::size_t N>
    static void copy(const std::string& text, char (&to)[N]) {
        const std::size_t length = std::min(text.size(), N - 1);
        std::copy_n(text.data(), length, to);
        to[length] = 0;
    }

    std::uint32_t path(const Route& route) {
        if (const auto known = paths_.find(route); known != paths_.end()) return known->second;
        return paths_[route] = write_path(route);
    }

    std::mutex mutex_;
    std::unordered_map<std::uintptr_t, CodePlace> places_;
    std::map<std::vector<std::uintptr_t>, std::uint32_t> sites_;
    std::map<Route, std::uint32_t> paths_;
};

// A frame that a thread has met. The outermost one of a path has the site, the others say where the next address is.
struct Node {
    std::uintptr_t inner;  // the node of the frame that is called here; of the innermost the end of its callee's frame
    std::uintptr_t address;   // 0: the node is free
    std::uintptr_t distance;  // from one end of a frame to the next; 0: this is the outermost
    std::uint32_t site;
};

class Met {
  public:
    [[gnu::hot]] std::uint32_t site(const Caller& caller, bool in_python) {
        const std::uintptr_t both = caller.address ^ reinterpret_cast<std::uintptr_t>(caller.frame);
        Stack& stack = stacks_[(both * 0x9e3779b97f4a7c15 >> 32) % kStacks];
        return stack.is(caller) ? stack.site : looked_up(caller, in_python, stack);
    }

  private:
    // The stack of a call that was looked up: equal as long as the same addresses lie at the same places.
    struct Stack {
        static constexpr std::size_t kMost = 6;
        Caller caller{0, nullptr};
        std::uint32_t site = kNone, frames = kMost + 1;  // more: it is not known
        std::array<std::pair<const std::uintptr_t*, std::uintptr_t>, kMost> outer;

        bool is(const Caller& other) const {
            if (other.address != caller.address || other.frame != caller.frame || frames > kMost) return false;
            for (std::uint32_t i = 0; i < frames; ++i)
                if (*outer[i].first != outer[i].second) return false;
            return true;
        }
        void add(const std::uintptr_t* at) {
            if (frames < kMost) outer[frames] = {at, *at};
            ++frames;
        }
        std::uint32_t found(std::uint32_t what) { return site = what; }
        std::uint32_t forgotten(std::uint32_t what) {
            frames = kMost + 1;
            return what;
        }
    };

    std::uint32_t looked_up(const Caller& caller, bool in_python, Stack& stack) {
        stack.caller = caller;
        stack.frames = 0;
        const Node* node = &at(kAnyFrame, caller.address);
        if (node->address == 0) [[unlikely]]
            return stack.forgotten(learn(caller, in_python));
        if (node->distance == 0) return stack.found(node->site);
        std::uintptr_t end = reinterpret_cast<std::uintptr_t>(caller.frame), inner = end, address = caller.address;
        for (;;) {
            node = &at(inner, address);
            if (node->address == 0) [[unlikely]]
                return stack.forgotten(learn(caller, in_python));
            if (node->distance == 0) return stack.found(node->site);
            inner = reinterpret_cast<std::uintptr_t>(node);
            end += node->distance;
            const auto* const at_address = reinterpret_cast<const std::uintptr_t*>(end) - 1;
            address = *at_address;
            stack.add(at_address);
        }
    }

    static constexpr std::size_t kStacks = 32;
    static constexpr std::uintptr_t kAnyFrame =
        1;  // wherever the stack is: the address alone decides, or is not enough

    // The node of a frame, or the free one that it would take.
    Node& at(std::uintptr_t inner, std::uintptr_t address) {
        std::size_t i = ((inner + (inner >> 17)) ^ address) * 0x9e3779b97f4a7c15 >> 40;
        for (;; ++i) {
            Node& node = nodes_[i % kNodes];
            if (node.address == 0 || (node.address == address && node.inner == inner)) return node;
        }
    }

    [[gnu::cold, gnu::noinline]] std::uint32_t learn(const Caller& caller, bool in_python) {
        const auto end = reinterpret_cast<std::uintptr_t>(caller.frame);
        std::array<NativeFrame, kDeepest> room{NativeFrame{caller.address, end}};
        std::span<NativeFrame> frames(room.data(), 1);
        const bool on_stack = caller.frame != nullptr && lies_on_stack(end);
        if (on_stack && unwindings_ < kUnwindings) {
            if (++unwindings_ == kUnwindings)
                say("the stack differs at nearly every MPI call: further calls are reported without callers");
            if (const auto unwound = unwind(caller, room); !unwound.empty()) frames = unwound;
        }
        const Resolved found = Interned::table().of(frames, in_python);
        remember(frames.first(found.frames), found.site, on_stack);
        return found.site;
    }

    void remember(std::span<const NativeFrame> frames, std::uint32_t site, bool on_stack) {
        if (used_ + frames.size() >= kFullest) {
            nodes_.fill({});
            used_ = 0;
        }
        const bool address_decides = frames.size() == 1 && on_stack;
        Node* node = &put(kAnyFrame, frames[0].address, address_decides ? 0 : 1, site);
        if (address_decides) return;
        std::uintptr_t inner = frames[0].end;
        for (std::size_t i = 0; i < frames.size(); ++i) {
            const bool is_last = i + 1 == frames.size();
            node = &put(inner, frames[i].address, is_last ? 0 : frames[i + 1].end - frames[i].end, site);
            inner = reinterpret_cast<std::uintptr_t>(node);
        }
    }

    Node& put(std::uintptr_t inner, std::uintptr_t address, std::uintptr_t distance, std::uint32_t site) {
        Node& node = at(inner, address);
        if (node.address == 0) ++used_;
        node = {inner, address, distance, site};
        return node;
    }

    std::array<Node, kNodes> nodes_{};
    std::array<Stack, kStacks> stacks_{};
    std::size_t used_ = 0;
    std::uint32_t unwindings_ = 0;
};

// Calls of compiled code of the program with the line of Python that called it.
struct Mixed {
    struct Entry {
        std::uint32_t native = kNone, python = kNone, path = kNone;
    };
    std::array<Entry, kRoutes> entries;
};

void append(Route& route, std::uint32_t site) {
    const CallPath* const path = process().ledger.path(process().local, site);
    if (path == nullptr) return route.add(site, process().options.callers);
    route.add(path->site, process().options.callers);
    for (const std::uint32_t caller : path->callers) route.add(caller, process().options.callers);
    if (path->handled != kNone) route.handled = path->handled;
}

std::uint32_t mixed(std::uint32_t native, std::uint32_t python) {
    Mixed::Entry& entry = per_thread<Mixed>().entries[(native * 31 + python) % kRoutes];
    if (entry.native == native && entry.python == python) return entry.path;
    Route route;
    append(route, native);
    append(route, python);
    entry = {native, python, route.is_site() ? native : Interned::table().of(route)};
    return entry.path;
}

}  // namespace

[[gnu::hot]] std::uint32_t native_site(const Caller& caller) { return per_thread<Met>().site(caller, false); }

[[gnu::hot]] std::uint32_t native_site_in_python(const Caller& caller, std::uint32_t python) {
    const std::uint32_t native = per_thread<Met>().site(caller, true);
    return native == kNone ? python : python == kNone ? native : mixed(native, python);
}

}  // namespace jaxmpi
