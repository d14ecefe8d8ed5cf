// Call sites of this rank as something that other ranks can compare.
#pragma once

#include "core.hpp"
#include "hashing.hpp"

namespace jaxmpi {

// Hash of file and line; 0 for an unknown site.
inline std::uint32_t site_hash(std::uint32_t site) {
    if (site == kNone) return 0;
    const Site& at = process().ledger.sites(process().local)[site];
    return static_cast<std::uint32_t>(combine(hash_text(at.file), at.line));
}

}  // namespace jaxmpi
