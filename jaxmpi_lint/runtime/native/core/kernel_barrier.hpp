// A full memory barrier on each running thread of the process, so that the others' fast paths need none: membarrier(2).
#pragma once

namespace jaxmpi {

// Before the first barrier; false: there is none here.
bool register_kernel_barrier();
bool kernel_barrier();

}  // namespace jaxmpi
