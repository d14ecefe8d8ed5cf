// What ranks announce of their compiled functions, in the ledger.
#pragma once

#include <vector>

#include "ledger.hpp"

namespace jaxmpi {

// Writes this rank's; at most kAhead of them. Whoever announces afterwards sees it.
void write_announcement(const std::vector<Announced>& collectives);

// Another rank's, by its local index; nothing while it writes.
std::vector<Announced> read_announcement(const Ledger& ledger, std::uint32_t local);

}  // namespace jaxmpi
