// Programs repeat themselves. While all members on a host enter one and the same collective again and again, none of
// them needs to leave a word in the slots, or to look at what the others left (see slot.hpp).
//
// Who has entered the same collective a number of times joins the series. When everybody has, a member goes on in it
// without a word: it says so, and then looks whether the series still lasts. Who is about to enter another collective
// ends the series first, and then looks who has gone on without a word, and compares with its record. Of two, one thus
// sees the other: whoever comes second to a collective with another call finds it before its call goes any further, as
// it does with words. Members join at different collectives; before the last of those everybody leaves words.
//
// The word of a series is its number (28 bits, counted up when one ends), how many have joined (12 bits) and the
// fingerprint of what they repeat (24 bits).
#pragma once

#include "ledger.hpp"

namespace jaxmpi {

inline constexpr std::uint64_t kNever = ~std::uint64_t{0};

// As many collectives after each other leave words every so often, in a series as well: no word of a slot ever becomes
// so old that the 16 bits of its turn make it look new.
inline constexpr std::uint64_t kRefreshed = kSlots << 14;

void reset(SeriesMember& own);

// Whether this rank enters collective `ordinal` of the communicator without a word. Then nothing is to be compared.
inline bool goes_on(const CommunicatorEntry& entry, SeriesMember& own, std::uint32_t fingerprint,
                    std::uint64_t ordinal) {
    if (ordinal < own.from || fingerprint != own.fingerprint || ordinal % kRefreshed < kSlots) return false;
    const std::uint64_t before = own.past.exchange(ordinal + 1, std::memory_order_seq_cst);
    if (entry.series.load(std::memory_order_seq_cst) == own.whole) [[likely]]
        return true;
    own.past.store(before, std::memory_order_seq_cst);
    return false;
}

// Before a word is left: ends the series if this collective is another, and looks who went on in one that has ended.
void look_at_series(CommunicatorEntry& entry, SeriesMember& own, std::uint32_t fingerprint, std::uint64_t ordinal);

// After a word was left: joins when it is time. `members`: on this host.
void follow_series(CommunicatorEntry& entry, SeriesMember& own, std::uint32_t members, std::uint32_t fingerprint,
                   std::uint64_t ordinal);

// Collective `ordinal` did not take place after all.
void retract(SeriesMember& own, std::uint64_t ordinal);

// Whether another member has entered collective `ordinal` without a word; its record is there then.
bool went_on(const SeriesMember& other, std::uint64_t ordinal);

}  // namespace jaxmpi
