#include "describe.hpp"

#include <map>

namespace nb = nanobind;

namespace jaxmpi {

nb::list checkpoints(Lane& lane) {
    std::map<std::uint64_t, std::uint64_t> found;
    const std::uint64_t count = lane.count.load(std::memory_order_acquire);
    const auto read = [&](std::uint64_t at) {
        if (const std::uint64_t hash = lane.checkpoints.at(at).load(std::memory_order_acquire); hash != 0)
            found[at] = hash;
    };
    for (std::uint32_t bits = Checkpoints::kLeast; bits < Checkpoints::kLeast + Checkpoints::kPowers; ++bits) {
        const std::uint64_t odd = ((count >> bits) - 1) | 1;
        if (count >> bits == 0) break;
        read(odd << bits);
        if (odd >= 3) read((odd - 2) << bits);
    }
    const std::uint64_t later = lane.count.load(std::memory_order_acquire) + 1;
    nb::list list;
    for (const auto& [at, hash] : found) {
        const std::uint64_t overwritten = at + (std::uint64_t{4} << (Checkpoints::power(at) + Checkpoints::kLeast));
        if (overwritten > later) list.append(nb::make_tuple(at, hash));
    }
    return list;
}

}  // namespace jaxmpi
