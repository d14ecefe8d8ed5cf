// The v-collectives: how much goes from each rank to each other.
#pragma once

#include "communicators.hpp"
#include "dispatch.hpp"
#include "parts.hpp"

namespace jaxmpi {

constexpr bool is_vector(Function blocking) {
    const Data data = kTable[static_cast<std::size_t>(blocking)].data;
    return data == Data::kOwn || data == Data::kGathered;
}

// A part with different sizes or types on its two ranks.
struct Disagreement {
    std::int32_t peer;  // rank in the communicator
    bool sending;       // this rank sends it
    Part mine, theirs;
};

// Compares this rank's parts of v-collective `ordinal` with those of the ranks that came before; true: `found` differs.
bool parts_differ(const Call& call, const Communicator& comm, std::int32_t root, std::uint64_t ordinal,
                  Disagreement& found);

// Keeps this rank's parts of v-collective `ordinal` that go to other hosts, or come from there, for the monitors.
void keep_distant_parts(const Call& call, const Communicator& comm, std::int32_t root, std::uint64_t ordinal);

// Withdraws this rank's parts of a collective that did not take place: no rank compares with them.
void take_back_parts(Function blocking, const Communicator& comm, std::uint64_t ordinal);

// Whether this rank receives data from each rank that it would have to wait for.
bool receives_from_all(const Call& call, const Communicator& comm, std::int32_t root);

}  // namespace jaxmpi
