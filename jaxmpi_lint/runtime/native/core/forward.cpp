// Calling the MPI library's own functions, whatever their number of arguments.
#include <utility>

#include "dispatch.hpp"

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
[[gnu::hot]] Word invoke_n(void* function, const Word* a) {
    return invoke(function, a, std::make_index_sequence<N>{});
}

template <std::size_t... N>
constexpr auto invokers(std::index_sequence<N...>) {
    return std::array<Word (*)(void*, const Word*), sizeof...(N)>{&invoke_n<N>...};
}
constexpr auto kInvokers = invokers(std::make_index_sequence<kLongest + 1>{});

}  // namespace

[[gnu::hot]] Word Call::forward() const { return kInvokers[info.arity](real(function), arguments); }

}  // namespace jaxmpi
