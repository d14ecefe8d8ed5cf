// Telling the others: a rank that noticed something writes it into the ledger and may be held.
#pragma once

#include "core.hpp"

namespace jaxmpi {

enum class Decision { kForward, kRaise };

// Writes `what` into the ledger, wakes the monitor, and holds the calling thread: for at most Options::hold_seconds to
// let the other ranks arrive; then `abort` never comes back (the job ends), `raise` answers kRaise, `continue`
// kForward. The same pair of sites is reported once.
Decision report_and_hold(const Finding& what);

// Writes `what` and returns: warnings and notes.
void report(const Finding& what);

// One line on the saved standard error, from rank 0 of the node or from this rank; "jaxmpi-sanitize: " before it.
void say(const char* line);

// "rank 3 at train.py:41"; of a rank by its local index and a `site` of the ledger.
std::string where(std::uint32_t local, std::uint32_t site);

}  // namespace jaxmpi
