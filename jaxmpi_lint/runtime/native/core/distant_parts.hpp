// The parts of v-collectives that ranks of different hosts exchange. No rank can compare them at the call, so each
// keeps its side: the latest parts in a ring, and of all of them a sum, in which what one rank sends and what the other
// expects cancel out. Over all members of a communicator the sums are zero once every part that was sent was also
// expected.
#pragma once

#include "communicators.hpp"
#include "parts.hpp"

namespace jaxmpi {

// The parts of one rank in one v-collective.
class DistantParts {
  public:
    DistantParts(const Communicator& comm, std::uint64_t ordinal);

    // Whether there may be any. A communicator with so many ranks that the ring would not hold one collective has none:
    // on no host, since all have the same options.
    bool kept() const { return kept_; }
    // Keeps what goes to `peer`, a rank in the communicator, or comes from it, if that is on a different host.
    void add(std::int32_t peer, bool sending, const Part& part);
    // Adds them to the sums of the communicator.
    void finish() const;

  private:
    const Communicator& comm_;
    std::uint64_t ordinal_, base_;
    bool kept_;
    std::uint64_t sizes_ = 0, kinds_ = 0;
};

// Takes back those of a collective that did not take place.
void take_back_distant(const Communicator& comm, std::uint64_t ordinal);

}  // namespace jaxmpi
