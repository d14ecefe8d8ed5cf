// The first-arriver check: one word and one atomic operation for each collective of a communicator.
//
// The word of collective k lies in slots[k % kSlots]:
//   16 bits of k / kSlots | 10 bits of the first arriver's local rank | 14 bits of its ring position | 24 bits of hash
// Whoever finds an older word replaces it and is the first arriver; whoever finds the word of its own k compares; whoever
// finds a newer one has been overtaken by kSlots collectives and compares nothing.
#pragma once

#include "ledger.hpp"

namespace jaxmpi {

class Slot {
  public:
    enum class Arrival { kFirst, kAgrees, kDiffers, kOvertaken };
    struct Answer {
        Arrival arrival;
        std::uint32_t first;     // local rank, for kDiffers
        std::uint32_t position;  // of its record in its ring
    };

    Slot(CommunicatorEntry& entry, std::uint64_t ordinal) : word_(entry.slots[ordinal % kSlots]), ordinal_(ordinal) {}

    Answer arrive(std::uint32_t local, std::uint32_t position, std::uint64_t hash) {
        const std::uint64_t mine = word(local, position, hash);
        std::uint64_t found = word_.load(std::memory_order_acquire);
        while (found == 0 || age(found) < 0)
            if (word_.compare_exchange_weak(found, mine, std::memory_order_acq_rel)) return {Arrival::kFirst, local, position};
        if (age(found) > 0) return {Arrival::kOvertaken, 0, 0};
        const Arrival arrival = ((found ^ mine) & kHash) == 0 ? Arrival::kAgrees : Arrival::kDiffers;
        return {arrival, static_cast<std::uint32_t>(found >> 38 & 0x3ff), static_cast<std::uint32_t>(found >> 24 & 0x3fff)};
    }

    // Takes a word back that this rank published for a call which then failed locally.
    void withdraw(std::uint32_t local, std::uint32_t position, std::uint64_t hash) {
        std::uint64_t mine = word(local, position, hash);
        word_.compare_exchange_strong(mine, 0, std::memory_order_acq_rel);
    }

  private:
    static constexpr std::uint64_t kHash = (1 << 24) - 1;

    std::uint64_t word(std::uint32_t local, std::uint32_t position, std::uint64_t hash) const {
        return (ordinal_ / kSlots + 1) << 48 | std::uint64_t{local} << 38 | std::uint64_t{position} << 24 | (hash >> 40);
    }
    // < 0: the word is of an earlier round, > 0: of a later one; rounds are numbered modulo 2^16.
    std::int16_t age(std::uint64_t found) const {
        return static_cast<std::int16_t>(static_cast<std::uint16_t>(found >> 48) - static_cast<std::uint16_t>(ordinal_ / kSlots + 1));
    }

    Shared<std::uint64_t>& word_;
    std::uint64_t ordinal_;
};

}  // namespace jaxmpi
