// What messages are made of, as their senders say, against what their receivers make room for.
#pragma once

#include "findings.hpp"
#include "messages.hpp"

namespace jaxmpi {

// Before a receive is forwarded: whether a message that is known to be under way is too long for it.
Decision check_room(const Message& message, std::uint32_t site);

// After a receive: whether the message was too long (MPI says so) or of another type.
Decision check_contents(const Message& message, bool truncated, std::uint32_t site);

inline constexpr Word kErrorType = 3;  // MPI_ERR_TYPE, of all ABIs

}  // namespace jaxmpi
