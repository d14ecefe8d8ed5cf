// Starting the monitor of this host.
#pragma once

#include <string>

namespace jaxmpi {

// Starts Options::monitor with the path of the ledger. Neither its life nor its end is seen by the program: it is no
// child of this process, holds nothing open but the standard error for its report, and has a session of its own.
void start_monitor(const std::string& ledger);

}  // namespace jaxmpi
