// The datatypes that the standard and the MPI libraries name, by class.
#pragma once

#include <string_view>

#include "ledger.hpp"

namespace jaxmpi {

struct NamedType {
    std::string_view name;  // without MPI_ or MPIX_
    Base base;
    std::uint8_t variant = 0;     // tells apart what class and width do not: bfloat16 from float16
    Base first = Base::kNothing;  // of a pair, with its width
    std::uint8_t first_width = 0;
};

// nullptr: a name nobody knows.
const NamedType* named_type(std::string_view name);

}  // namespace jaxmpi
