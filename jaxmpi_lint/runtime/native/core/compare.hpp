// What differs between two ranks' collectives and what does not (MPI 4.1, chapter 6, and the section "what differs").
#pragma once

#include "ledger.hpp"

namespace jaxmpi {

// The first thing in which the two differ; kNone … kByteNote are not errors: see `is_error`.
Difference difference(const Signature& mine, const Signature& theirs);

bool is_error(Difference difference);

// Hash of everything that `difference` looks at; equal hashes need no closer look.
std::uint64_t fingerprint(const Signature& signature);

// Hash of what is equal on every rank of a correct program, however it spells its types: for rolling hashes, which
// cannot look closer. `between_groups`: on an intercommunicator roots and counts differ by side.
std::uint64_t coarse(const Signature& signature, bool between_groups);

}  // namespace jaxmpi
