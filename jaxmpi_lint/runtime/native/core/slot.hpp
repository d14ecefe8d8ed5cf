// Per-communicator table of fingerprints. The first rank to enter collective k publishes a word in slot k % kSlots;
// later ranks compare with it. With at most kFew local ranks, each rank has a slot instead, all in one cache line: it
// publishes its word and then reads those of the others.
//
// A word consists of 16 bits of k / kSlots, the local index of its rank (10 bits), the position of the record in that
// rank's ring modulo 2^14, and 24 bits of fingerprint. It is published before the record, which is read only if the
// fingerprints differ: the fewer stores come before the word, the earlier it is visible. A word never replaces one of a
// later collective.
#pragma once

#include "ledger.hpp"

namespace jaxmpi {

struct SlotWord {
    std::uint16_t turn;
    std::uint16_t local;
    std::uint16_t position;
    std::uint32_t fingerprint;  // never 0

    static constexpr std::uint32_t kPositions = 1 << 14, kFingerprints = 0xffffff;

    constexpr std::uint64_t packed() const {
        return std::uint64_t{turn} << 48 | std::uint64_t{local} << 38 | std::uint64_t{position} << 24 | fingerprint;
    }
    static constexpr SlotWord unpacked(std::uint64_t word) {
        return {static_cast<std::uint16_t>(word >> 48), static_cast<std::uint16_t>(word >> 38 & 0x3ff),
                static_cast<std::uint16_t>(word >> 24 & 0x3fff), static_cast<std::uint32_t>(word & kFingerprints)};
    }
    static constexpr SlotWord of(std::uint64_t ordinal, std::uint32_t local, std::uint32_t position,
                                 std::uint32_t fingerprint) {
        return {static_cast<std::uint16_t>(ordinal / kSlots), static_cast<std::uint16_t>(local),
                static_cast<std::uint16_t>(position % kPositions), fingerprint & kFingerprints};
    }
};
static_assert(kLocalRanks <= 1 << 10);

enum class Arrival : std::uint8_t {
    kFirst,
    kAgrees,
    kDiffers,  // in 24 bits of the fingerprint: compare the records
    kTooLate,  // the slot is already in use by a later collective: `other` is ahead
};

struct Arrived {
    Arrival how;
    std::uint8_t next;  // one slot per rank: the rank to compare with next
    SlotWord other;     // kDiffers, kTooLate: the word of the other rank
};

inline Arrived arrive(Shared<std::uint64_t>& slot, const SlotWord& mine) {
    std::uint64_t found = slot.load(std::memory_order_acquire);
    for (;;) {
        const SlotWord other = SlotWord::unpacked(found);
        const auto ahead = static_cast<std::int16_t>(static_cast<std::uint16_t>(other.turn - mine.turn));
        if (found != 0 && ahead == 0)
            return {other.fingerprint == mine.fingerprint ? Arrival::kAgrees : Arrival::kDiffers, 0, other};
        if (found != 0 && ahead > 0) return {Arrival::kTooLate, 0, other};
        if (slot.compare_exchange_weak(found, mine.packed(), std::memory_order_acq_rel, std::memory_order_acquire))
            return {Arrival::kFirst, 0, mine};
    }
}

// Whether a word is empty, equal, or of an earlier collective.
inline bool is_no_other(std::uint64_t found, std::uint64_t mine) {
    constexpr std::uint64_t kTurn = std::uint64_t{0xffff} << 48;
    if (((found ^ mine) & (kTurn | SlotWord::kFingerprints)) == 0 || found == 0) [[likely]]
        return true;
    return static_cast<std::int64_t>((found & kTurn) - (mine & kTurn)) < 0;
}

// One slot per rank, ours at `place`: the next rank from `first` on whose word differs or that is ahead.
inline Arrived look_among(Shared<std::uint64_t>* slots, std::uint32_t members, std::uint32_t place,
                          std::uint64_t ordinal, const SlotWord& mine, std::uint32_t first) {
    const Shared<std::uint64_t>* const row = slots + ordinal % kSlots * kFew;
    for (std::uint32_t other = first; other < members; ++other) {
        if (other == place) continue;
        const std::uint64_t found = row[other].load(std::memory_order_seq_cst);
        if (is_no_other(found, mine.packed())) continue;
        const SlotWord word = SlotWord::unpacked(found);
        return {word.turn == mine.turn ? Arrival::kDiffers : Arrival::kTooLate, static_cast<std::uint8_t>(other + 1),
                word};
    }
    return {Arrival::kAgrees, 0, {}};
}

// The same, after publishing our word: sequential consistency makes one of any two ranks see the word of the other.
inline Arrived arrive_among(Shared<std::uint64_t>* slots, std::uint32_t members, std::uint32_t place,
                            std::uint64_t ordinal, const SlotWord& mine) {
    slots[ordinal % kSlots * kFew + place].exchange(mine.packed(), std::memory_order_seq_cst);
    return look_among(slots, members, place, ordinal, mine, 0);
}

// Withdraws our word.
inline void retract(Shared<std::uint64_t>& slot, const SlotWord& mine) {
    std::uint64_t expected = mine.packed();
    slot.compare_exchange_strong(expected, 0, std::memory_order_acq_rel);
}

// The signature that a rank has recorded for collective `ordinal`, or is about to; false if its ring has wrapped.
bool published(const Ledger& ledger, const SlotWord& at, std::uint32_t communicator, std::uint64_t ordinal,
               Signature& signature, std::uint32_t& site);

}  // namespace jaxmpi
