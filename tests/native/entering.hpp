// A thread that stands for a rank enters collectives.
#pragma once

#include "collectives.hpp"
#include "compare.hpp"
#include "ranks.hpp"

namespace ranks {

inline constexpr std::uint64_t kId = 4711;  // of a communicator

inline Signature allreduce(std::uint64_t elements = 4) {
    Signature signature{};
    signature.function = static_cast<std::uint16_t>(Function::kAllreduce);
    signature.base = Base::kFloat;
    signature.width = 8;
    signature.root = kNobody;
    signature.reduction = 3;
    signature.type_hash = 0x1234 ^ elements;
    signature.elements = elements;
    signature.bytes = elements * 8;
    return signature;
}

// One collective from beginning to end; whether it was refused.
inline bool enter(Rank& rank, Communicator& comm, const Signature& signature, Word result = 0) {
    const Described described{&comm, signature, hashes_of(signature, comm.inter), {}};
    Entered entered(rank.thread, static_cast<Function>(signature.function), described);
    if (!entered.refused()) entered.count();
    entered.settle(entered.refused() ? error_code() : result);
    return entered.refused();
}

}  // namespace ranks
