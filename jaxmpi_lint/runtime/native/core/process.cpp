#include "core.hpp"

namespace jaxmpi {

constinit LastingProcess lasting_process;

#if !defined(JAXMPI_CORE)
Process& process() { return lasting_process.value; }
#endif

std::uint32_t Process::local_of_world(std::int32_t world) const {
    if (!ledger || world < 0 || world >= world_size) return kNone;
    const std::uint32_t ranks = ledger.layout().local_ranks;
    if (ranks == static_cast<std::uint32_t>(world_size)) return static_cast<std::uint32_t>(world);
    for (std::uint32_t low = 0, high = ranks; low < high;) {  // local ranks are in the order of the world
        const std::uint32_t middle = (low + high) / 2;
        const std::int32_t found = ledger.rank(middle).world_rank;
        if (found == world) return middle;
        (found < world ? low : high) = found < world ? middle + 1 : middle;
    }
    return kNone;
}

}  // namespace jaxmpi
