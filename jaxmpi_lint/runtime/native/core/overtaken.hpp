// A collective whose slot is in use by a later one: the signature of the rank that is ahead is in its history.
#pragma once

#include "ledger.hpp"

namespace jaxmpi {

// The signature that rank `local` recorded for collective `ordinal` of a communicator (by its index). `from`: the
// serial number of the record to begin with, advanced for the next search, so that a slower rank reads each record
// once, as soon as it is written. False if the history has wrapped as well; the rolling hashes still reveal a
// difference then.
bool find_recorded(const Ledger& ledger, std::uint32_t local, std::uint32_t communicator, std::uint64_t ordinal,
                   std::uint64_t& from, Signature& signature, std::uint32_t& site);

}  // namespace jaxmpi
