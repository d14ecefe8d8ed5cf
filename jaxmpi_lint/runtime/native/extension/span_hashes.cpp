#include <algorithm>
#include <cstring>
#include <memory>

#include "compare.hpp"
#include "describe.hpp"
#include "hashing.hpp"

namespace nb = nanobind;

namespace jaxmpi {
namespace {

// Not a message, nor the completion of a request.
bool is_collective(const Record& record) { return record.peer < 0 && record.signature.function != 0; }

std::uint64_t span_hash(const Ledger& ledger, std::uint32_t local, std::uint32_t index, std::uint64_t begin,
                        std::uint64_t end) {
    const std::uint64_t head = ledger.rank(local).head.load(std::memory_order_acquire);
    const std::uint64_t history = ledger.layout().history;
    const auto copy = std::make_unique<Record>();
    std::uint64_t hash = 1, wanted = end;
    for (std::uint64_t at = head; at-- > head - std::min(head, history) && wanted > begin;) {
        const Record& record = ledger.records(local)[at % history];
        std::memcpy(static_cast<void*>(copy.get()), static_cast<const void*>(&record), sizeof record);
        std::atomic_thread_fence(std::memory_order_acquire);
        if (copy->serial.load() != at + 1 || record.serial.load(std::memory_order_relaxed) != at + 1) continue;
        if (copy->communicator != index || copy->ordinal + 1 != wanted || !is_collective(*copy)) continue;
        hash = combine(hash, fingerprint(copy->signature));
        --wanted;
    }
    return wanted == begin ? hash : 0;
}

}  // namespace

nb::list span_hashes(const Watched& watched, std::uint64_t id, std::uint64_t begin, std::uint64_t end) {
    const Ledger& ledger = watched.ledger();
    nb::list found;
    for (std::uint32_t place = 0; place < ledger.layout().communicators; ++place) {
        CommunicatorEntry& entry = ledger.communicator(place);
        if (id == 0 || entry.id.load(std::memory_order_acquire) != id) continue;
        const std::uint32_t index = ledger.index_of(place);
        for (std::uint32_t local = 0; local < ledger.layout().local_ranks; ++local)
            if (entry.lanes()[local].count.load(std::memory_order_acquire) >= end)
                found.append(
                    nb::make_tuple(ledger.rank(local).world_rank, span_hash(ledger, local, index, begin, end)));
    }
    return found;
}

}  // namespace jaxmpi
