// Buffers in the memory of a CUDA device, given to an MPI library that says of itself that it does not take them: it
// would read and write them as the host's, which is a segmentation fault.
#pragma once

#include "dispatch.hpp"

namespace jaxmpi {

// Whether the MPI library says that it takes pointers to the memory of a CUDA device: 1, 0, or -1 if it does not say.
JAXMPI_EXPORT int takes_device_memory();

// Whether the call is not to be carried out because MPI would touch a device's memory. That was reported; whoever has
// asked for it gets an error instead of the end of the job. Nothing is asked of a driver that the program has not
// loaded, and little is done as long as it has not.
bool refused_for_device_memory(const Call& call);

}  // namespace jaxmpi
