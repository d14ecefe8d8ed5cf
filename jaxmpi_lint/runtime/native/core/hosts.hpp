// The other hosts of a job, found without any message; no rank but the first of each host waits for it.
#pragma once

#include <string>

namespace jaxmpi {

// Publishes this host and looks up those it needs: the host of world rank 0 all others, the others that one. What was
// found is left for the monitor in the job's folder. For the first rank of a host, once its monitor has been started;
// `unchecked` is what the monitor's first line is to name.
void introduce_host(const std::string& unchecked);

// Takes back what this host has published.
void withdraw_host();

}  // namespace jaxmpi
