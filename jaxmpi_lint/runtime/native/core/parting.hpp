// Ending all ranks with one exit code although the launcher kills the rest as soon as one is gone, and leaving nothing.
#pragma once

namespace jaxmpi {

// Keeps this process' connections open, after its end, until every rank of the host has ended itself: Hydra takes a
// closed connection for a crash and kills the others, whose exit codes are then its own. Where ranks of other hosts are
// ended later, for a moment more: Open MPI ends a rank whose connection is closed, with an exit code of its own.
void keep_connections();

// Removes the names of the memory that MPI shares between ranks; it does so itself only when it is finalised.
void remove_segments();

}  // namespace jaxmpi
