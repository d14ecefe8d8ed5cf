#include "slot.hpp"

namespace jaxmpi {

// Its owner may be writing the record anew meanwhile: the serial number tells, and what was read is not used then.
__attribute__((no_sanitize("thread"))) bool published(const Ledger& ledger, const SlotWord& at,
                                                      std::uint32_t communicator, std::uint64_t ordinal,
                                                      Signature& signature, std::uint32_t& site) {
    const std::uint32_t history = ledger.layout().history;
    if (at.local >= ledger.layout().local_ranks) return false;
    for (std::uint32_t position = at.position; position < history; position += SlotWord::kPositions) {
        const Record& record = ledger.records(at.local)[position];
        const std::uint64_t serial = record.serial.load(std::memory_order_acquire);
        if (serial == 0 || record.communicator != communicator || record.ordinal != ordinal) continue;
        signature = record.signature;
        site = record.site;
        std::atomic_thread_fence(std::memory_order_acquire);
        if (record.serial.load(std::memory_order_relaxed) == serial && signature.function != 0) return true;
    }
    return false;
}

}  // namespace jaxmpi
