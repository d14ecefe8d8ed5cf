// The datatypes that the standard and the MPI libraries name, by class.
#pragma once

#include <string_view>

#include "ledger.hpp"

namespace jaxmpi {

struct NamedType {
    std::string_view name;  // without MPI_ or MPIX_
    Base base;
    std::uint8_t variant = 0;     // distinguishes types of equal class and width: bfloat16 and float16
    Base first = Base::kNothing;  // of a pair, with its width
    std::uint8_t first_width = 0;
};

// nullptr: an unknown name.
const NamedType* named_type(std::string_view name);

}  // namespace jaxmpi
