// The way of nearly all collectives: blocking, alike the one before, and going on in a series (see series.hpp). It does
// what `Entered`, `Recording` and `Waiting` do for all of them, without a question whose answer is known.
#pragma once

#include "repeated.hpp"
#include "series.hpp"
#include "slot.hpp"

namespace jaxmpi {

// What calls like this one need to go this way. `number`: of the description, for this thread; not 0.
Steady steady(const Call& call, const Described& described, std::uint64_t number);

// Whether a call can go this way now, as far as this rank knows.
inline bool may_carry_on(const Described& same) {
    const Lane* const lane = same.steady.lane;
    if (lane == nullptr) return false;
    const std::uint64_t ordinal = lane->count.load(std::memory_order_relaxed);
    return ordinal >= lane->series.others_past &&
           may_go_on(lane->series, same.hashes.fingerprint & SlotWord::kFingerprints, ordinal);
}

// Carries out such a call; false, and nothing has happened: it must go the way of all others.
bool carry_on(const Call& call, const Described& same, Word& result);

}  // namespace jaxmpi
