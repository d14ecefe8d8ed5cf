// Where those who come to collective k of a communicator leave a word and compare. Who comes first to a slot leaves its
// word there, all others compare with it. A few members have a slot each instead, side by side in one cache line: each
// writes its own and, having the line, reads those of the others.
//
// A word is 16 bits of k / kSlots, the local index of its rank (10 bits), the position of the record in that rank's
// ring modulo 2^14, and 24 bits of fingerprint. It comes before that record, which only one that finds a difference
// needs: the less a rank has written, the sooner all see it. Nobody overwrites what is newer.
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
    kDiffers,  // as far as 24 bits tell: look at the record
    kTooLate,  // the slot is at a later collective already: `other` is ahead
};

struct Arrived {
    Arrival how;
    std::uint8_t next;  // of a few: who is to be looked at next
    SlotWord other;     // kDiffers, kTooLate: whose
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

// Whether a word that was found says the same, or was left before.
inline bool is_no_other(std::uint64_t found, std::uint64_t mine) {
    constexpr std::uint64_t kTurn = std::uint64_t{0xffff} << 48;
    if (((found ^ mine) & (kTurn | SlotWord::kFingerprints)) == 0 || found == 0) [[likely]]
        return true;
    return static_cast<std::int64_t>((found & kTurn) - (mine & kTurn)) < 0;
}

// One of a few members, at `place` among them: who of the others, from `first` on, says something else or is ahead.
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

// The same, having left the own word: whoever of two comes second sees the other's.
inline Arrived arrive_among(Shared<std::uint64_t>* slots, std::uint32_t members, std::uint32_t place,
                            std::uint64_t ordinal, const SlotWord& mine) {
    slots[ordinal % kSlots * kFew + place].exchange(mine.packed(), std::memory_order_seq_cst);
    return look_among(slots, members, place, ordinal, mine, 0);
}

// Takes one's own word back.
inline void retract(Shared<std::uint64_t>& slot, const SlotWord& mine) {
    std::uint64_t expected = mine.packed();
    slot.compare_exchange_strong(expected, 0, std::memory_order_acq_rel);
}

// The signature that a rank recorded for collective `ordinal`, or is about to; false if its ring has gone on.
bool published(const Ledger& ledger, const SlotWord& at, std::uint32_t communicator, std::uint64_t ordinal,
               Signature& signature, std::uint32_t& site);

}  // namespace jaxmpi
