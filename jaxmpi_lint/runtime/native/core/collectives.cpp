// Data collectives and the barrier.
#include "handlers.hpp"
#include "matching.hpp"
#include "parts.hpp"
#include "requests.hpp"
#include "signature.hpp"
#include "strict.hpp"

namespace jaxmpi {
namespace {

constexpr Word kErrorOther = 16;  // MPI_ERR_OTHER of Open MPI; any value but 0 is an error everywhere

// On something that nobody can identify: recorded for this rank, compared with nothing.
Word record_only(const Call& call, ThreadContext& thread, std::uint32_t site) {
    Recording recording(thread, call.function);
    recording->site = site;
    recording->ordinal = 0;
    recording->signature = signature_of(call, nullptr);
    recording.publish();
    Blocked blocked(thread, call.info, call.function, site, [](StateWriter& state) {
        state->communicator = kNone;
        state->waits[0] = Wait{};
        state->waits[0].kind = WaitKind::kUnknown;
        state->wait_count = 1;
    });
    const Word result = call.forward();
    recording.leave(result);
    return result;
}

Word start(const Call& call, Entering& entering, std::uint32_t site) {
    const Word result = call.forward();
    if (integer(result) == 0)
        track_collective(load_handle(reinterpret_cast<const void*>(call[Role::kRequest])), entering.wait(), site,
                         call.info.persistent, {});
    return result;
}

Word run(const Call& call, ThreadContext& thread, Entering& entering, const Communicator& communicator,
         const Signature& signature, std::uint32_t site) {
    Blocked blocked(thread, call.info, call.function, site, [&](StateWriter& state) {
        state->communicator = communicator.index;
        state->ordinal = entering.ordinal();
        state->signature = signature;
        state->waits[0] = entering.wait();
        state->wait_count = communicator.size + static_cast<std::int32_t>(communicator.remote.size()) > 1 ? 1 : 0;
    });
    if (process().options.strict) wait_for_all(communicator, entering.ordinal());
    return call.forward();
}

}  // namespace

Word on_collective(const Call& call) {
    ThreadContext& thread = this_thread();
    const std::uint32_t site = call_site();
    Communicator* c = communicator(call[Role::kComm]);
    if (c == nullptr) {
        if (refuse_freed(call, site)) return kErrorOther;
        return record_only(call, thread, site);
    }
    if (!c->checked) return record_only(call, thread, site);
    const Signature signature = signature_of(call, c);
    Entering entering(thread, call.function, *c, signature, site);
    if (entering.compare() == Decision::kRaise ||
        compare_parts(call, *c, entering.ordinal(), site) == Decision::kRaise) {
        entering.leave(kErrorOther);  // never forwarded: the number is free again
        return kErrorOther;
    }
    const bool at_once = !call.info.non_blocking && !call.info.persistent;
    const Word result = at_once ? run(call, thread, entering, *c, signature, site) : start(call, entering, site);
    entering.leave(result);
    return result;
}

}  // namespace jaxmpi
