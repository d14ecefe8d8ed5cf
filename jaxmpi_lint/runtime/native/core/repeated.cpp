#include "repeated.hpp"

#include "handle_table.hpp"
#include "per_thread.hpp"
#include "signature.hpp"

namespace jaxmpi {
namespace {

constexpr std::size_t kLongest = 10;  // arguments of the longest collective without arrays: Gather_init
constexpr std::size_t kPlaces = 32;

constexpr bool has_arrays(const FunctionInfo& info) {
    for (const Role role : {Role::kSendcounts, Role::kRecvcounts, Role::kSendtypes, Role::kRecvtypes})
        if (info.position[static_cast<std::size_t>(role)] >= 0) return true;
    return false;
}

// Which arguments tell calls apart: all but where the data and the new request are.
constexpr std::uint32_t telling(const FunctionInfo& info) {
    std::uint32_t bits = (1U << info.arity) - 1;
    for (const Role role : {Role::kSendbuf, Role::kRecvbuf, Role::kBuffer, Role::kRequest})
        if (const int at = info.position[static_cast<std::size_t>(role)]; at >= 0) bits &= ~(1U << at);
    return bits;
}

// 0: calls of this function are not remembered.
constexpr std::array<std::uint16_t, kFunctions> kTelling = [] {
    std::array<std::uint16_t, kFunctions> all{};
    for (std::size_t i = 1; i < kFunctions; ++i)
        if (kTable[i].category == Category::kCollective && kTable[i].arity <= kLongest && !has_arrays(kTable[i]))
            all[i] = static_cast<std::uint16_t>(telling(kTable[i]));
    return all;
}();

struct Key {
    std::uint64_t changes = 0;  // of handles, until then; 0 nothing is kept here
    std::uint32_t function = 0;
    std::uint32_t in_place = 0;
    std::array<Word, kLongest> arguments{};
};

struct Kept {
    Key key;
    Described described;
};

struct Asked {
    std::uint32_t bits;
    std::uint32_t in_place;
    std::size_t place;
};

[[gnu::hot]] Asked asked(const Call& call) {
    const std::uint32_t bits = kTelling[static_cast<std::size_t>(call.function)];
    const auto in_place = static_cast<std::uint32_t>(is_in_place(call));
    std::uint64_t sum = static_cast<std::uint64_t>(call.function) * 2 + in_place;
    for (std::uint32_t rest = bits; rest != 0; rest &= rest - 1) sum += call.arguments[__builtin_ctz(rest)];
    return {bits, in_place, static_cast<std::size_t>(sum * 0x9e3779b97f4a7c15 >> 32) % kPlaces};
}

using Table = std::array<Kept, kPlaces>;

}  // namespace

[[gnu::hot]] const Described* recalled(const Call& call) {
    const Asked one = asked(call);
    if (one.bits == 0) return nullptr;
    const Kept& kept = per_thread<Table>()[one.place];
    if (kept.key.changes != handle_changes.load(std::memory_order_acquire) || kept.key.in_place != one.in_place ||
        kept.key.function != static_cast<std::uint32_t>(call.function))
        return nullptr;
    for (std::uint32_t rest = one.bits; rest != 0; rest &= rest - 1) {
        const int at = __builtin_ctz(rest);
        if (kept.key.arguments[static_cast<std::size_t>(at)] != call.arguments[at]) return nullptr;
    }
    return &kept.described;
}

void keep(const Call& call, const Described& described, std::uint64_t changes) {
    const Asked one = asked(call);
    if (one.bits == 0) return;
    Kept& kept = per_thread<Table>()[one.place];
    kept.key.changes = changes;
    kept.key.function = static_cast<std::uint32_t>(call.function);
    kept.key.in_place = one.in_place;
    for (std::uint32_t rest = one.bits; rest != 0; rest &= rest - 1)
        kept.key.arguments[static_cast<std::size_t>(__builtin_ctz(rest))] = call.arguments[__builtin_ctz(rest)];
    kept.described = described;
}

}  // namespace jaxmpi
