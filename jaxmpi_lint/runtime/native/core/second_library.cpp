#include "second_library.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <mutex>
#include <utility>

#include "findings.hpp"
#include "thread.hpp"

namespace jaxmpi {
namespace {

constexpr Word kErrorOther = 16;  // MPI_ERR_OTHER of Open MPI; any value but 0 is an error everywhere

std::string path;
void* library = nullptr;

// Once: told what it calls, may the caller go on? Using two libraries is only wrong while both are in use.
bool allowed() {
    static std::once_flag once;
    static bool answer = true;
    std::call_once(once, [] {
        Dl_info first{};
        dladdr(real(Function::kInit), &first);
        Finding finding{};
        finding.kind = FindingKind::kSecondLibrary;
        finding.communicator = kNone;
        finding.rank = process().local;
        finding.other = finding.other_site = kNone;
        std::snprintf(finding.text, sizeof finding.text, "%s is called in a process that uses %s", path.c_str(),
                      first.dli_fname == nullptr ? "another MPI library" : first.dli_fname);
        if (process().phase.load(std::memory_order_relaxed) != Phase::kActive) {
            say((std::string("not checked: ") + finding.text).c_str());
            return;
        }
        finding.site = call_site();
        finding.when = ticks();
        answer = report_and_hold(finding) == Decision::kForward;
    });
    return answer;
}

template <std::size_t>
using Each = Word;

// Takes as many words as the longest function has: what a shorter one does not use is passed on as it is.
template <std::size_t Index, std::size_t... I>
Word guard(Each<I>... arguments) {
    static void* const target = dlsym(library, kTable[Index].name);
    if (this_thread().depth == 0 && process().process == own_process() && !allowed()) return kErrorOther;
    return reinterpret_cast<Word (*)(Each<I>...)>(target)(arguments...);
}

template <std::size_t Index, std::size_t... I>
void* address(std::index_sequence<I...>) {
    return reinterpret_cast<void*>(&guard<Index, I...>);
}

template <std::size_t... Index>
std::array<void*, kFunctions> guards(std::index_sequence<Index...>) {
    return {address<Index>(std::make_index_sequence<13>{})...};
}

}  // namespace

void* guard_of_second(Function function, const std::string& at) {
    if (path.empty()) {
        path = at;
        library = dlopen(at.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    }
    static const std::array<void*, kFunctions> table = guards(std::make_index_sequence<kFunctions>{});
    return library == nullptr || at != path ? nullptr : table[static_cast<std::size_t>(function)];
}

const std::string& second_library() { return path; }

}  // namespace jaxmpi
