// With the option `strict`: no rank begins a blocking collective before all ranks have entered it.
//
// Ranks of one host compare with each other as they enter it, and then wait until the last one has. Where the job spans
// hosts, they then wait until the monitors have found the collective equal on all of them, so that nothing is changed
// by a wrong one. A collective that does not block waits for that when it is completed, see waiting.cpp and
// testing.cpp.
#include <sched.h>

#include "agreement.hpp"
#include "collectives.hpp"
#include "progress.hpp"

namespace jaxmpi {

void await_everybody(const Call& call, const Entered& entered) {
    const Communicator& comm = entered.comm();
    if (comm.everybody < 2 || !comm.compared()) return;
    const Wait wait{WaitKind::kCollective, 1, static_cast<std::uint8_t>(Flow::kAll), 0, kNobody, kAny, comm.index,
                    entered.ordinal()};
    const Waiting waiting(this_thread(), call, entered, wait);
    for (unsigned turn = 1; !everybody_came(*comm.entry, entered.ordinal()) && comm.compared(); ++turn) {
        if (turn % 256 != 0) continue;
        make_progress();
        sched_yield();
    }
    if (comm.spans_hosts()) await_agreement({comm.index, entered.ordinal()});
}

}  // namespace jaxmpi
