// What messages are made of, as their senders say, against what their receivers make room for.
#pragma once

#include "findings.hpp"
#include "messages.hpp"

namespace jaxmpi {

// Before a receive is forwarded: whether a message that is known to be under way is too long for it.
Decision check_room(const Message& message, std::uint32_t site);

// After a receive: whether the message was too long (as MPI reports) or of a different type.
Decision check_contents(const Message& message, bool truncated, std::uint32_t site);

// After a receive of mpi4jax's: whether the message was shorter than its template, so that the rest of the result is
// whatever was in memory. A program that asked for the status may know.
class Filled {
  public:
    explicit Filled(const Call& call);
    bool needs_status() const { return watched_; }
    Decision check(const Message& message, Role how_many, Role type, const Status& status, std::uint32_t site) const;

  private:
    const Call& call_;
    bool watched_;
};

inline constexpr Word kErrorType = 3;  // MPI_ERR_TYPE, of all ABIs

}  // namespace jaxmpi
