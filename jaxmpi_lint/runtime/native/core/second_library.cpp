#include "second_library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <mutex>
#include <string_view>
#include <utility>

#include "findings.hpp"
#include "lifecycle.hpp"
#include "thread.hpp"

namespace jaxmpi {
namespace {

constexpr Word kErrorOther = 16;      // MPI_ERR_OTHER of Open MPI; any value but 0 is an error everywhere
constexpr std::size_t kGuards = 768;  // more than an MPI library has functions

constexpr std::array<std::string_view, 8> kHarmless{
    "MPI_Initialized",     "MPI_Finalized",    "MPI_Get_version", "MPI_Get_library_version",
    "MPI_Abi_get_version", "MPI_Abi_get_info", "MPI_Wtime",       "MPI_Wtick",
};

struct Guarded {
    std::string name;
    void* target;
};

std::string path;
void* library = nullptr;
std::array<Guarded, kGuards> guarded;
std::size_t used = 0;

// Reports the first call of the second library; whether calls are forwarded. Two libraries are an error only while both
// are in use.
bool allowed(const Guarded& called) {
    static std::once_flag once;
    static bool answer = true;
    std::call_once(once, [&called] {
        Dl_info first{};
        dladdr(real(Function::kInit), &first);
        const std::string other = first.dli_fname == nullptr ? "another MPI library" : first.dli_fname;
        const std::string text = called.name + " of " + path + " is called in a process that already uses " + other;
        const Phase phase = process().phase.load(std::memory_order_relaxed);
        if (phase == Phase::kLoaded) go_passive(text);
        if (phase != Phase::kActive) return;
        Finding finding{};
        finding.kind = FindingKind::kSecondLibrary;
        finding.communicator = kNone;
        finding.rank = process().local;
        finding.other = finding.other_site = kNone;
        finding.site = call_site();
        finding.when = ticks();
        text.copy(finding.text, sizeof finding.text - 1);
        answer = report_and_hold(finding) == Decision::kForward;
    });
    return answer;
}

// The function behind a guard; nullptr: it is not to be called.
[[gnu::noinline]] void* behind(std::size_t index) {
    const Guarded& called = guarded[index];
    if (this_thread().depth == 0 && process().process == own_process() && !allowed(called)) return nullptr;
    return called.target;
}

// Takes as many words as the longest function has: what a shorter one does not use is passed on as it is.
template <std::size_t Index>
Word guard(Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h, Word i, Word j, Word k, Word l, Word m) {
    void* target = behind(Index);
    if (target == nullptr) return kErrorOther;
    return reinterpret_cast<decltype(&guard<Index>)>(target)(a, b, c, d, e, f, g, h, i, j, k, l, m);
}

template <std::size_t... Index>
constexpr auto all_guards(std::index_sequence<Index...>) {
    return std::array{&guard<Index>...};
}
constexpr auto kAllGuards = all_guards(std::make_index_sequence<kGuards>{});

}  // namespace

void* guard_of_second(const char* name, const std::string& at) {
    static std::mutex one_at_a_time;
    const std::lock_guard held(one_at_a_time);
    if (path.empty()) {
        path = at;
        library = dlopen(at.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    }
    if (library == nullptr || at != path || std::ranges::find(kHarmless, std::string_view(name)) != kHarmless.end())
        return nullptr;
    const auto end = guarded.begin() + static_cast<std::ptrdiff_t>(used);
    auto found = std::find_if(guarded.begin(), end, [name](const Guarded& one) { return one.name == name; });
    if (found == end) {
        void* target = dlsym(library, name);
        if (target == nullptr || used == kGuards) return nullptr;
        *found = {name, target};
        ++used;
    }
    return reinterpret_cast<void*>(kAllGuards[static_cast<std::size_t>(found - guarded.begin())]);
}

}  // namespace jaxmpi
