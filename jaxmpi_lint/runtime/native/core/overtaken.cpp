#include "overtaken.hpp"

#include <algorithm>

namespace jaxmpi {
namespace {

struct Found {
    bool pending = false;     // not written yet
    bool collective = false;  // of that communicator
    std::uint64_t ordinal = 0;
    Signature signature{};
    std::uint32_t site = kNone;
};

bool is_collective(std::uint16_t called, const Signature& signature) {
    if (signature.function == 0 || static_cast<std::uint16_t>(kTable[called].blocking) != signature.function)
        return false;
    switch (kTable[signature.function].category) {
        case Category::kSend:
        case Category::kReceive:
        case Category::kExchange:
        case Category::kProbe:
        case Category::kMatchedReceive:
            return false;
        default:
            return true;
    }
}

// The owner may overwrite the record meanwhile: then the serial number changes, and what was read is discarded.
__attribute__((no_sanitize("thread"))) Found read(const Record& record, std::uint64_t serial,
                                                  std::uint32_t communicator) {
    Found found;
    const std::uint64_t written = record.serial.load(std::memory_order_acquire);
    found.pending = written < serial;
    if (written != serial || record.communicator != communicator) return found;
    found.ordinal = record.ordinal;
    found.signature = record.signature;
    found.site = record.site;
    const std::uint16_t called = record.function;
    std::atomic_thread_fence(std::memory_order_acquire);
    if (record.serial.load(std::memory_order_relaxed) == serial)
        found.collective = is_collective(called, found.signature);
    return found;
}

}  // namespace

bool find_recorded(const Ledger& ledger, std::uint32_t local, std::uint32_t communicator, std::uint64_t ordinal,
                   std::uint64_t& from, Signature& signature, std::uint32_t& site) {
    if (local >= ledger.layout().local_ranks) return false;
    const std::uint64_t history = ledger.layout().history;
    const std::uint64_t head = ledger.rank(local).head.load(std::memory_order_acquire);
    from = std::max({from, std::uint64_t{1}, head > history ? head - history + 1 : 1});
    for (std::uint64_t serial = from; serial <= head; ++serial) {
        const Found found = read(ledger.records(local)[(serial - 1) % history], serial, communicator);
        if (!found.collective || found.ordinal < ordinal) {
            if (from == serial && !found.pending) ++from;
            continue;
        }
        signature = found.signature;
        site = found.site;
        return found.ordinal == ordinal;
    }
    return false;
}

}  // namespace jaxmpi
