// Progress of MPI while a rank waits outside of it.
#pragma once

namespace jaxmpi {

// Lets messages in flight, and one-sided operations of other ranks on windows of this one, go on.
void make_progress();

}  // namespace jaxmpi
