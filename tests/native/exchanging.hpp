// The arguments of v-collectives as C has them, and the datatypes in them. For one source file only.
#pragma once

#include <array>

#include "datatypes.hpp"
#include "dispatch.hpp"
#include "ranks.hpp"

namespace ranks {

constexpr Word kDoubles = 4, kIntegers = 5, kBytes = 6;
constexpr std::int32_t kSize = 4;

// The arguments of an Alltoallv of doubles, as C has them.
struct Exchange {
    std::array<std::int32_t, kSize> sends{}, receives{};
    Word sendtype = kDoubles, recvtype = kDoubles;
    bool in_place = false;
    std::array<Word, 10> arguments{};

    explicit Exchange(std::int32_t rank) {
        for (std::int32_t peer = 0; peer < kSize; ++peer) {
            sends[static_cast<std::size_t>(peer)] = between(rank, peer);
            receives[static_cast<std::size_t>(peer)] = between(peer, rank);
        }
    }
    static std::int32_t between(std::int32_t source, std::int32_t destination) {
        return (source * 3 + destination) % 5;
    }

    Call call(Rank& rank) {
        const auto at = [](auto& of) { return reinterpret_cast<Word>(of.data()); };
        arguments = {in_place ? kAbi.in_place : 64, at(sends), 0, sendtype, 64, at(receives), 0, recvtype, 0, 0};
        return {kTable[static_cast<std::size_t>(Function::kAlltoallv)], Function::kAlltoallv, arguments.data(),
                rank.thread};
    }
};

}  // namespace ranks

namespace jaxmpi {

TypeSignature type_signature(Word datatype) {
    TypeSignature one;
    one.elements = 1;
    one.bytes = one.width = datatype == ranks::kDoubles ? 8 : datatype == ranks::kIntegers ? 4 : 1;
    one.base = datatype == ranks::kDoubles ? Base::kFloat : datatype == ranks::kIntegers ? Base::kSigned : Base::kByte;
    one.hash = datatype << 60;
    one.known = true;
    return one;
}

}  // namespace jaxmpi
