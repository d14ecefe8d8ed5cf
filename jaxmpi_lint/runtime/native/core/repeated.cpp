#include "repeated.hpp"

#include <algorithm>

#include "handle_table.hpp"
#include "hashing.hpp"
#include "per_thread.hpp"
#include "signature.hpp"
#include "steady.hpp"

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

// An odd number without a pattern: two calls have equal sums once in 2^60 pairs.
constexpr std::uint64_t kFactor = mix(0x9e3779b97f4a7c15) | 1;

struct alignas(64) Kept {
    std::uint64_t changes = 0;               // of handles, until then; 0: nothing is kept here
    Function function = Function::kNothing;  // of its latest call, with all arguments
    std::uint32_t arity = 0;
    std::array<Word, kLongest> arguments;
    std::uint64_t asked = 0;
    Described described;

    void note(const Call& call) {
        function = call.function;
        arity = call.info.arity;
        std::copy_n(call.arguments, arity, arguments.begin());
    }
};

// All that tells calls apart, in one number; 0: this call is not remembered.
[[gnu::hot]] std::uint64_t asked(const Call& call) {
    std::uint32_t bits = kTelling[static_cast<std::size_t>(call.function)];
    if (bits == 0) [[unlikely]]
        return 0;
    std::uint64_t sum = static_cast<std::uint64_t>(call.function) * 2 + is_in_place(call);
    for (; bits != 0; bits &= bits - 1) sum = sum * kFactor + call.arguments[__builtin_ctz(bits)];
    return sum | 1;
}

constinit thread_local const Kept* latest JAXMPI_NEAR = nullptr;  // where the thread's latest collective is kept

// Of one thread.
struct Memory {
    Memory() = default;
    ~Memory() { latest = nullptr; }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    std::array<Kept, kPlaces> places;
    std::uint64_t kept = 0;  // ever
};

constexpr std::size_t place_of(std::uint64_t asked) { return static_cast<std::size_t>(asked >> 32) % kPlaces; }

}  // namespace

[[gnu::hot]] const Described* recalled(const Call& call) {
    const std::uint64_t one = asked(call);
    Kept& kept = per_thread<Memory>().places[place_of(one)];
    if (one == 0 || kept.asked != one || kept.changes != handle_changes.load(std::memory_order_acquire)) return nullptr;
    if (latest == &kept) kept.note(call);  // not where the program alternates
    latest = &kept;
    return &kept.described;
}

[[gnu::hot]] const Described* recalled_at_once(const Call& call) {
    const Kept* const kept = latest;
    if (kept == nullptr || kept->function != call.function ||
        kept->changes != handle_changes.load(std::memory_order_acquire))
        return nullptr;
    for (std::uint32_t i = 0; i < kept->arity; ++i)  // one by one, as they were written: the processor passes them on
        if (call.arguments[i] != kept->arguments[i]) return nullptr;
    return &kept->described;
}

void keep(const Call& call, const Described& described, std::uint64_t changes) {
    const std::uint64_t one = asked(call);
    if (one == 0) return;
    auto& memory = per_thread<Memory>();
    Kept& kept = memory.places[place_of(one)];
    kept.changes = changes;
    kept.asked = one;
    kept.described = described;
    kept.described.steady = steady(call, described, ++memory.kept);
    kept.note(call);
}

}  // namespace jaxmpi
