// Starting the monitor of this host.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "export.hpp"

namespace jaxmpi {

// Starts a program that is not a child of this process, has a separate session, and holds nothing open but the standard
// error for its report and the pidfds of `watched` (from descriptor 3 on). Its pid; -1 and why.
JAXMPI_EXPORT std::int32_t start_detached(std::vector<std::string> words, std::vector<std::int32_t> watched,
                                          std::string& why);

// Starts Options::monitor with the path of the ledger. Neither its life nor its end is seen by the program.
void start_monitor(const std::string& ledger);

}  // namespace jaxmpi
