// Reduction operators by canonical number: handles differ between ranks and libraries.
#pragma once

#include <string>

#include "core.hpp"

namespace jaxmpi {

struct Reduction {
    std::uint32_t number = 0;  // of a predefined operator, kUserOperator, 0: none or unknown
    std::uint32_t site = 0;    // of a user's: hash of the line that created it
};

Reduction reduction_of(Word op);
// "MPI_SUM"; "user" for kUserOperator, "" for 0.
JAXMPI_EXPORT std::string reduction_name(std::uint32_t number);

}  // namespace jaxmpi
