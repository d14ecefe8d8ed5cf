// Requests of this process: what a Wait waits for, and what happens when it is done.
#pragma once

#include <functional>

#include "core.hpp"

namespace jaxmpi {

// Remembers a request that a collective made, so that waiting for it is waiting for `wait`. `completed` (may be empty)
// runs once when the request is seen to be complete: Comm_idup names its communicator then.
void track_collective(Word request, const Wait& wait, std::uint32_t site, bool persistent, std::function<void()> completed);

}  // namespace jaxmpi
