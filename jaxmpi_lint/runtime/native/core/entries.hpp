// Entries of communicators in the ledger: found or made by id, given back when every local member has left.
#pragma once

#include "communicators.hpp"

namespace jaxmpi {

// Index of the entry of that id; kNone: the table is full (said once by the flag in the header).
std::uint32_t claim_entry(std::uint64_t id, const Communicator& communicator, const Birth& birth);

// Gives the entry back if all local members have left and their histories agree; else it stays for the monitor to see.
void release_entry(CommunicatorEntry& entry);

}  // namespace jaxmpi
