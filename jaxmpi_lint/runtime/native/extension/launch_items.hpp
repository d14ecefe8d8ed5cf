// Which item of a dictionary a launch works on, where a loop over a set has chosen it.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <cstdint>

#include "launch_ledger.hpp"

namespace jaxmpi::launches {

struct Chosen {
    std::uint32_t place = kNone;  // among the items of this process
    std::uint64_t word = 0;       // for comparisons; 0: nothing to be compared
};

// A line of the program that launches.
struct Line {
    std::uint32_t launches = 0;
    bool chooses = false;  // it was in such a loop when Python was asked last
};
inline constinit std::array<Line, kSites> lines{};

Chosen ask_what_is_chosen(Line& line);

// Asks Python at a line's first launch, the second, fourth, eighth ..., and at each one once it was in such a loop.
// Needs the GIL.
inline Chosen chosen_at(std::uint32_t site) {
    if (site >= kSites) return {};
    Line& line = lines[site];
    const std::uint32_t before = line.launches++;
    if ((before & (before + 1)) != 0 && !line.chooses) [[likely]]
        return {};
    return ask_what_is_chosen(line);
}

// The function that is asked: it returns None outside of such loops, else the item's text and a hash of the choices.
void look_for_items(nanobind::object function);

}  // namespace jaxmpi::launches
