#include <algorithm>
#include <cstring>
#include <memory>

#include "describe.hpp"
#include "parts.hpp"

namespace nb = nanobind;

namespace jaxmpi {
namespace {

nb::dict describe_part(const Watched& watched, std::uint32_t local, const DistantPart& one) {
    const Part part{one.type, one.bytes};
    nb::dict d;
    d["rank"] = watched.ledger().rank(local).world_rank;
    d["communicator"] = one.communicator;
    d["ordinal"] = one.ordinal;
    d["peer"] = one.peer;
    d["sending"] = one.sending != 0;
    d["bytes"] = part.bytes;
    d["type"] = part.type;
    d["base"] = name_of(part.base());
    d["width"] = part.width();
    return d;
}

}  // namespace

nb::list describe_distant_parts(const Watched& watched, std::uint32_t local, std::size_t count) {
    const Ledger& ledger = watched.ledger();
    nb::list parts;
    if (!ledger.layout().other_hosts) return parts;
    const std::uint64_t head = ledger.rank(local).distant.load(std::memory_order_acquire);
    const std::uint64_t history = ledger.layout().history;
    const auto copy = std::make_unique<DistantPart>();
    for (std::uint64_t at = head - std::min<std::uint64_t>({count, head, history}); at < head; ++at) {
        const DistantPart& one = ledger.distant_parts(local)[at % history];
        std::memcpy(static_cast<void*>(copy.get()), static_cast<const void*>(&one), sizeof one);
        std::atomic_thread_fence(std::memory_order_acquire);
        if (copy->serial.load() == at + 1 && one.serial.load(std::memory_order_relaxed) == at + 1)
            parts.append(describe_part(watched, local, *copy));
    }
    return parts;
}

}  // namespace jaxmpi
