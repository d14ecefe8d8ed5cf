// What is left over when the program ends: requests never completed, messages never received.
#pragma once

namespace jaxmpi {

// For lifecycle's `at_end`: every rank has called MPI_Finalize, so all counts are final.
void report_leftovers();

}  // namespace jaxmpi
