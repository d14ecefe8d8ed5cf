#include "slot.hpp"

#include <sched.h>

#include <chrono>

namespace jaxmpi {
namespace {

constexpr auto kPatience = std::chrono::seconds(1);
constexpr int kLooks = 1024;  // before the processor is given away

enum class Found : std::uint8_t { kRecord, kNothing, kUnfinished };

// The owner may overwrite the record meanwhile: then the serial number changes, and what was read is discarded.
__attribute__((no_sanitize("thread"))) Found look(const Ledger& ledger, const SlotWord& at, std::uint32_t communicator,
                                                  std::uint64_t ordinal, Signature& signature, std::uint32_t& site) {
    const std::uint32_t history = ledger.layout().history;
    Found found = Found::kNothing;
    for (std::uint32_t position = at.position; position < history; position += SlotWord::kPositions) {
        const Record& record = ledger.records(at.local)[position];
        const std::uint64_t serial = record.serial.load(std::memory_order_acquire);
        // A part of the ring that was never reached is not going to be written either.
        if (serial == 0 && position < ledger.rank(at.local).head.load(std::memory_order_relaxed))
            found = Found::kUnfinished;
        if (serial == 0 || record.communicator != communicator || record.ordinal != ordinal) continue;
        signature = record.signature;
        site = record.site;
        std::atomic_thread_fence(std::memory_order_acquire);
        if (record.serial.load(std::memory_order_relaxed) == serial && signature.function != 0) return Found::kRecord;
    }
    return found;
}

}  // namespace

bool published(const Ledger& ledger, const SlotWord& at, std::uint32_t communicator, std::uint64_t ordinal,
               Signature& signature, std::uint32_t& site) {
    if (at.local >= ledger.layout().local_ranks) return false;
    const auto begin = std::chrono::steady_clock::now();
    for (int turn = 0;; ++turn) {
        const Found found = look(ledger, at, communicator, ordinal, signature, site);
        if (found != Found::kUnfinished) return found == Found::kRecord;
        if (turn < kLooks) continue;
        if (std::chrono::steady_clock::now() - begin > kPatience) return false;  // its writer died
        sched_yield();
    }
}

}  // namespace jaxmpi
