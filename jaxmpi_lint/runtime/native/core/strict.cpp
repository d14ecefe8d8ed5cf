#include "strict.hpp"

#include <unistd.h>

#include "mpi.hpp"

namespace jaxmpi {
namespace {

bool somebody_missing(const Communicator& communicator, std::uint64_t ordinal) {
    Lane* lanes = communicator.entry->lanes();
    for (std::uint32_t local = 0; local < process().ledger.layout().local_ranks; ++local) {
        if (!(communicator.entry->members[local / 64] >> local % 64 & 1)) continue;
        if (lanes[local].count.load(std::memory_order_acquire) <= ordinal) return true;
    }
    return false;
}

}  // namespace

void wait_for_all(const Communicator& communicator, std::uint64_t ordinal) {
    static const MpiFunction probe("PMPI_Iprobe");
    for (std::uint32_t round = 0; somebody_missing(communicator, ordinal); ++round) {
        std::int32_t flag = 0;
        probe(process().comm_self, process().abi->any_source, process().abi->any_tag, address(&flag),
              process().abi->status_ignore);
        if (round > 1000) usleep(50);
    }
}

}  // namespace jaxmpi
