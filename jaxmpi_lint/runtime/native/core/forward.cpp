// Calling the MPI library's own functions, whatever their number of arguments.
//
// Every argument is a Word, although the functions have int, pointer and handle parameters: in the procedure call
// standards of x86-64 (System V) and AArch64, integers and pointers take the same registers and stack slots, and a
// callee ignores the upper bits of a narrower parameter. No MPI function has a floating-point parameter. CMakeLists.txt
// refuses other processors.
#include <utility>

#include "dispatch.hpp"

namespace jaxmpi {
namespace {

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
constexpr auto kInvokers = invokers(std::make_index_sequence<kMostArguments + 1>{});

}  // namespace

[[gnu::hot]] Word Call::forward() const { return kInvokers[info.arity](real(function), arguments); }

}  // namespace jaxmpi
