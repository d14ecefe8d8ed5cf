#include "announcement.hpp"

#include <algorithm>

#include "core.hpp"

namespace jaxmpi {

__attribute__((no_sanitize("thread"))) void write_announcement(const std::vector<Announced>& collectives) {
    Announcement& to = process().block->ahead;
    to.sequence.store(to.sequence.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    to.count = static_cast<std::uint32_t>(std::min<std::size_t>(collectives.size(), kAhead));
    std::copy_n(collectives.begin(), to.count, to.collectives);
    to.sequence.store(to.sequence.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

// The owner may overwrite it meanwhile: then the sequence number changes, and what was read is discarded.
__attribute__((no_sanitize("thread"))) std::vector<Announced> read_announcement(const Ledger& ledger,
                                                                                std::uint32_t local) {
    const Announcement& from = ledger.rank(local).ahead;
    const std::uint32_t before = from.sequence.load(std::memory_order_acquire);
    if (before % 2 != 0) return {};
    const std::uint32_t count = std::min(from.count, kAhead);
    std::vector<Announced> found(from.collectives, from.collectives + count);
    std::atomic_thread_fence(std::memory_order_acquire);
    if (from.sequence.load(std::memory_order_relaxed) != before) return {};
    return found;
}

}  // namespace jaxmpi
