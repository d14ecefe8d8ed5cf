// Buffers in the memory of a CUDA device, given to an MPI library that says of itself that it does not take them: it
// would read and write them as the host's, which is a segmentation fault.
#pragma once

#include <atomic>

#include "dispatch.hpp"

namespace jaxmpi {

// Whether the MPI library reports support for CUDA device pointers: 1, 0, or -1 if it does not report it.
JAXMPI_EXPORT int takes_device_memory();

// As long as the driver is not known to be loaded, buffers that were given to MPI before are the host's.
inline std::atomic<bool> driver_known{false};
inline bool device_driver_loaded() { return driver_known.load(std::memory_order_relaxed); }

// Whether the call must not be forwarded because MPI would access device memory. It has been reported; with
// on_error=raise the call returns an error instead of ending the job. A driver that the program has not loaded is never
// queried, and the check is cheap until then.
bool refused_for_device_memory(const Call& call);

}  // namespace jaxmpi
