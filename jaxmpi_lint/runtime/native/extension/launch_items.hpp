// Which item of a dictionary a launch works on, where a loop over a set has chosen it.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>

#include "launch_ledger.hpp"

namespace jaxmpi::launches {

struct Chosen {
    std::uint32_t place = kNone;  // among the items of this process
    std::uint64_t word = 0;       // for comparisons; 0: nothing to be compared
};

// Asks Python at a line of the program's first launch, the second, fourth, eighth ..., and at each one once it was in
// such a loop. Needs the GIL.
Chosen chosen_at(std::uint32_t site);

// The function that is asked: it returns None outside of such loops, else the item's text and a hash of the choices.
void look_for_items(nanobind::object function);

}  // namespace jaxmpi::launches
