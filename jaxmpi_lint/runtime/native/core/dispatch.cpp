#include "dispatch.hpp"

#include <unistd.h>

#include <utility>

#include "handlers.hpp"
#include "pickled.hpp"
#include "thread.hpp"

namespace jaxmpi {
namespace {

constexpr std::size_t kLongest = 13;  // arguments of the longest function, Win_… and Get_accumulate

template <std::size_t>
using Each = Word;

template <std::size_t... I>
Word invoke(void* function, const Word* a, std::index_sequence<I...>) {
    return reinterpret_cast<Word (*)(Each<I>...)>(function)(a[I]...);
}

template <std::size_t N>
Word invoke_n(void* function, const Word* a) {
    return invoke(function, a, std::make_index_sequence<N>{});
}

template <std::size_t... N>
constexpr auto invokers(std::index_sequence<N...>) {
    return std::array<Word (*)(void*, const Word*), sizeof...(N)>{&invoke_n<N>...};
}
constexpr auto kInvokers = invokers(std::make_index_sequence<kLongest + 1>{});

bool decides_itself(Category category) {
    return category == Category::kInitialise || category == Category::kFinalise || category == Category::kAbort ||
           category == Category::kSession;
}

}  // namespace

Word Call::forward() const { return kInvokers[info.arity](real(function), arguments); }

Word dispatch(Function function, Word* arguments) {
    const FunctionInfo& info = kTable[static_cast<std::size_t>(function)];
    const Call call{info, function, arguments};
    ThreadContext& thread = this_thread();
    const Phase phase = process().phase.load(std::memory_order_relaxed);
    if (thread.depth != 0 || thread.paused != 0 || (phase != Phase::kActive && !decides_itself(info.category)) ||
        process().process != own_process())
        return call.forward();
    Inside inside(thread);
    if (thread.pickled) return inside_pickled(call);
    return kHandlers[static_cast<std::size_t>(info.category)](call);
}

}  // namespace jaxmpi
