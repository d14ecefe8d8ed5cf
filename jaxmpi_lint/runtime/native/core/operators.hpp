// Reduction operators: those of the standard by number, a user's by its function or where it was made.
#pragma once

#include <array>

#include "core.hpp"

namespace jaxmpi {

// Signature::reduction is the place in this list.
inline constexpr std::array kOperatorNames{
    "",        "MPI_MAX",  "MPI_MIN",  "MPI_SUM",    "MPI_PROD",   "MPI_LAND",    "MPI_BAND",  "MPI_LOR",
    "MPI_BOR", "MPI_LXOR", "MPI_BXOR", "MPI_MINLOC", "MPI_MAXLOC", "MPI_REPLACE", "MPI_NO_OP",
};

constexpr const char* reduction_name(std::uint32_t number) {
    if (number == kUserOperator) return "user";
    return number < kOperatorNames.size() ? kOperatorNames[number] : "unknown";
}

struct Operator {
    std::uint32_t number = 0;  // 0: nothing known of it
    std::uint32_t site = 0;    // of a user's: hash of its function in compiled code, of its line in Python
};

Operator operator_of(Word handle);

}  // namespace jaxmpi
