// What differs between two ranks' sides of one collective, and what does not: see docs/sanitizer-semantics.md.
#pragma once

#include "export.hpp"
#include "hashing.hpp"
#include "ledger.hpp"

namespace jaxmpi {

// How the communicator bears on it.
enum class Sides : std::uint8_t { kOneGroup, kSameGroup, kOtherGroup };  // the latter two on intercommunicators

// The first thing that differs, errors before warnings and notes.
Difference difference(const Signature& mine, const Signature& theirs, Sides sides);

// Whether it is an error, not a warning or a note.
constexpr bool is_error(Difference what) {
    return what != Difference::kNothing && what != Difference::kReductionSite && what != Difference::kByteNote;
}

// The two hashes of a signature by which ranks are compared: at each collective, and in the order of collectives.
struct Hashes {
    std::uint32_t fingerprint;
    std::uint64_t coarse;
};
Hashes hashes_of(const Signature& signature, bool inter);

// Equal only for signatures of which nothing at all differs; the ordinary case is settled by it.
JAXMPI_EXPORT std::uint32_t fingerprint(const Signature& signature);

// For the rolling hash: blind to all that may differ without being an error.
std::uint64_t coarse(const Signature& signature, bool inter);
constexpr std::uint64_t rolled(std::uint64_t before, std::uint64_t coarse) {
    return folded(before + 0x9e3779b97f4a7c15, coarse);
}

}  // namespace jaxmpi
