// The mode `strict`: agree before every blocking collective.
#pragma once

#include "communicators.hpp"

namespace jaxmpi {

// Waits until every local member has entered collective `ordinal`, with progress for messages in flight. Mismatches hold
// whoever comes second, and the monitor ends the job when somebody will never come; so this needs no time limit.
void wait_for_all(const Communicator& communicator, std::uint64_t ordinal);

}  // namespace jaxmpi
