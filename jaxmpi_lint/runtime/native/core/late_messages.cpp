#include "late_messages.hpp"

#include "core.hpp"
#include "errors_returned.hpp"
#include "routine.hpp"

namespace jaxmpi {
namespace {

constexpr int kQuiet = 16;  // probes in a row that find nothing: each makes some progress, which may bring a message

bool has_arrived() {
    static const Routine probe{"PMPI_Iprobe"};
    const Process& p = process();
    int flag = 0;
    probe(p.abi->any_source, p.abi->any_tag, p.comm_world, &flag, p.abi->status_ignore);
    return flag != 0;
}

// Whether there was one. Nothing waits for its end: the sender may be in MPI_Finalize, where it makes no progress.
// MPICH looks only for messages that have no receive.
bool take_one() {
    static const Routine probe{"PMPI_Improbe"}, receive{"PMPI_Imrecv"}, release{"PMPI_Request_free"};
    const Process& p = process();
    HandleCell message, request;
    int flag = 0;
    probe(p.abi->any_source, p.abi->any_tag, p.comm_world, &flag, message.address(), p.abi->status_ignore);
    if (flag == 0 || receive(Word{0}, 0, p.byte, message.address(), request.address()) != 0) return false;
    if (request.value() != p.request_null) release(request.address());
    return true;
}

}  // namespace

LateMessages::LateMessages() : taken_(!process().abi->probes_self && !has_arrived()) {}

void LateMessages::take() const {
    if (!taken_) return;
    const ErrorsReturned returned;
    for (int quiet = 0; quiet < kQuiet; ++quiet)
        if (take_one()) quiet = 0;
}

}  // namespace jaxmpi
