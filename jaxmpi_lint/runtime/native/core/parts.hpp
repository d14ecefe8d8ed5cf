// The parts of collectives with varying counts: what one rank sends to another and what that one expects.
#pragma once

#include "communicators.hpp"
#include "dispatch.hpp"
#include "findings.hpp"

namespace jaxmpi {

// Compares this rank's sides of all pairs with those of ranks that came before, and leaves its own for those that come
// later. Calls without varying counts have no parts.
Decision compare_parts(const Call& call, const Communicator& communicator, std::uint64_t ordinal, std::uint32_t site);

// If the call's communicator was freed by this process: tells so (JS301); true: the call is not to be forwarded.
bool refuse_freed(const Call& call, std::uint32_t site);

}  // namespace jaxmpi
