// Series: while all ranks of a communicator on a host repeat one collective, they skip publishing and comparing words
// (see slot.hpp).
//
// A rank that has entered the same collective a number of times joins the series. Once all ranks have joined, a rank
// skips publishing: it announces the skip in `past`, and then checks that the series has not ended. A rank that is
// about to enter a different collective ends the series first, then looks for ranks that have skipped publishing, and
// compares with their records. Sequential consistency makes one of the two see the other: of two mismatched calls, the
// later one is detected before it is forwarded, as it is with words. Ranks join at different collectives; up to the
// last of these, all ranks publish words.
//
// The word of a series is its number (28 bits, incremented when one ends), the number of ranks that have joined (12
// bits) and the fingerprint of the repeated collective (24 bits).
#pragma once

#include "ledger.hpp"

namespace jaxmpi {

inline constexpr std::uint64_t kNever = ~std::uint64_t{0};

// Bound on the age of a word: kSlots consecutive collectives of each kRefreshed publish words even in a series. So the
// turns (16 bits) of a slot's word and of the current collective differ by about 2^14 at most, less than half their
// range, and their signed difference gives the right order.
inline constexpr std::uint64_t kRefreshed = kSlots << 14;

void reset(SeriesMember& own);

// As far as this rank knows.
inline bool may_go_on(const SeriesMember& own, std::uint32_t fingerprint, std::uint64_t ordinal) {
    return ordinal >= own.from && fingerprint == own.fingerprint && ordinal % kRefreshed >= kSlots;
}

// Whether this rank skips publishing for collective `ordinal` of the communicator, for which it may go on. Then it need
// not compare either.
inline bool goes_on(const CommunicatorEntry& entry, SeriesMember& own, std::uint64_t ordinal) {
    const std::uint64_t before = own.past.exchange(ordinal + 1, std::memory_order_seq_cst);
    if (entry.series.load(std::memory_order_seq_cst) == own.whole) [[likely]]
        return true;
    own.past.store(before, std::memory_order_seq_cst);
    return false;
}

// Ends the series of a communicator that is no longer checked.
void end_series(CommunicatorEntry& entry);

// Before publishing: ends the series if this collective is different; finds ranks that skipped in an ended series.
void look_at_series(CommunicatorEntry& entry, SeriesMember& own, std::uint32_t fingerprint, std::uint64_t ordinal);

// After publishing: joins the series if the collective was repeated often enough. `members`: on this host.
void follow_series(CommunicatorEntry& entry, SeriesMember& own, std::uint32_t members, std::uint32_t fingerprint,
                   std::uint64_t ordinal);

// Withdraws collective `ordinal`, which did not take place: refused, or failed on this rank alone.
void retract(SeriesMember& own, std::uint64_t ordinal);

// Whether another rank has skipped publishing for collective `ordinal`; then it has written its record.
bool went_on(const SeriesMember& other, std::uint64_t ordinal);

}  // namespace jaxmpi
