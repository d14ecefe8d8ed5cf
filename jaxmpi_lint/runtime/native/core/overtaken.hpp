// A collective whose slot has gone on to a later one: what the rank that is ahead said is in its history.
#pragma once

#include "ledger.hpp"

namespace jaxmpi {

// What rank `local` recorded for collective `ordinal` of a communicator (by its index). `from`: the serial number of
// the record to begin with, moved on for the next search, so that one who stays behind reads each record once, as soon
// as it is written. False if the history has gone on as well; the rolling hash still tells then.
bool find_recorded(const Ledger& ledger, std::uint32_t local, std::uint32_t communicator, std::uint64_t ordinal,
                   std::uint64_t& from, Signature& signature, std::uint32_t& site);

}  // namespace jaxmpi
