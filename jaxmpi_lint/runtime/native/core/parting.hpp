// Ending all ranks with one exit code although the launcher kills the rest as soon as one is gone.
#pragma once

namespace jaxmpi {

// Keeps this process' connections open, after its end, until every rank of the host has ended itself: Hydra takes a
// closed connection for a crash and kills the others, whose exit codes are then its own.
void keep_connections();

}  // namespace jaxmpi
