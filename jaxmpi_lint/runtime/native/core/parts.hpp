// The parts of v-collectives, pairwise: what one rank sends to another, and what the other expects. The second of the
// two to arrive compares and clears the place.
//
// A place is two words: the key of the pair, and 24 bits of it again with 8 bits of the type and 32 of the length. The
// latest pair replaces an older one in its place; a rank that does not find its partner's word compares nothing.
#pragma once

#include <bit>

#include "ledger.hpp"

namespace jaxmpi {

// One kind of element in eight bits, so that a report can name it: base, width, and a bit of its hash for the rest.
constexpr std::uint8_t coded(Base base, std::uint8_t width, std::uint64_t hash) {
    const auto class_of = static_cast<unsigned>(base) - static_cast<unsigned>(Base::kSigned);
    const auto scale = static_cast<unsigned>(std::bit_width(static_cast<unsigned>(width | 1))) - 1;
    return static_cast<std::uint8_t>(1U | (class_of & 7U) << 1 | (scale & 7U) << 4 |
                                     static_cast<unsigned>(hash >> 63) << 7);
}

struct Part {
    std::uint8_t type = 0;  // 0: bytes, or a mixture; compared with nothing
    std::uint32_t bytes = 0;

    Base base() const {
        return type == 0 ? Base::kNothing : static_cast<Base>((type >> 1 & 7U) + static_cast<unsigned>(Base::kSigned));
    }
    std::uint8_t width() const { return type == 0 ? 0 : static_cast<std::uint8_t>(1U << (type >> 4 & 7U)); }

    bool agrees(const Part& other) const {
        return bytes == other.bytes && (type == 0 || other.type == 0 || bytes == 0 || type == other.type);
    }
};

enum class Offer : std::uint8_t { kFirst, kAgrees, kDiffers };

inline Shared<std::uint64_t>* place_of(Shared<std::uint64_t>* parts, std::uint64_t key) {
    return parts + (key >> 1) % (kParts / 2) * 2;
}

// `key` is that of (communicator, ordinal, source, destination), the same on both sides.
inline Offer offer(Shared<std::uint64_t>* parts, std::uint64_t key, const Part& mine, Part& theirs) {
    key |= 1;
    Shared<std::uint64_t>* const place = place_of(parts, key);
    const std::uint64_t check = key >> 40 | 1;
    std::uint64_t found = place[0].load(std::memory_order_acquire);
    for (;;) {
        if (found == key) {
            const std::uint64_t payload = place[1].load(std::memory_order_acquire);
            place[0].compare_exchange_strong(found, 0, std::memory_order_acq_rel);
            if (payload >> 40 != check) return Offer::kFirst;  // not written yet, or another's
            theirs = {static_cast<std::uint8_t>(payload >> 32), static_cast<std::uint32_t>(payload)};
            return mine.agrees(theirs) ? Offer::kAgrees : Offer::kDiffers;
        }
        if (place[0].compare_exchange_weak(found, key, std::memory_order_acq_rel, std::memory_order_acquire)) {
            place[1].store(check << 40 | std::uint64_t{mine.type} << 32 | mine.bytes, std::memory_order_release);
            return Offer::kFirst;
        }
    }
}

// Withdraws an offer: it is no longer compared.
inline void take_back(Shared<std::uint64_t>* parts, std::uint64_t key) {
    std::uint64_t expected = key | 1;
    place_of(parts, expected)->compare_exchange_strong(expected, 0, std::memory_order_acq_rel);
}

}  // namespace jaxmpi
