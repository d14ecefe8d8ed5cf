// The other hosts of a job, found by the name service of MPI: no message is sent, and no rank waits for another one.
#pragma once

#include <string>

namespace jaxmpi {

// Publishes this host and looks up those it needs: the host of world rank 0 all others, the others that one. What was
// found is left for the monitor in the job's folder. For the first rank of a host, once its monitor has been started;
// `unchecked` is what the monitor's first line is to name.
void introduce_host(const std::string& unchecked);

// Takes the published name back.
void withdraw_host();

}  // namespace jaxmpi
