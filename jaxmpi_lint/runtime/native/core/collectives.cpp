#include "collectives.hpp"

#include "agreement.hpp"
#include "entries.hpp"
#include "freeing.hpp"
#include "handle_table.hpp"
#include "handlers.hpp"
#include "prefetch.hpp"
#include "requests.hpp"
#include "signature.hpp"
#include "steady.hpp"
#include "vectors.hpp"

namespace jaxmpi {
namespace {

[[gnu::noinline]] bool compare_parts(const Call& call, Entered& entered) {
    Disagreement found{};
    const Communicator& comm = entered.comm();
    if (!comm.compared()) return true;
    const std::int32_t root = entered.signature().root;
    if (parts_differ(call, comm, root, entered.ordinal(), found)) {
        const char* text = found.sending ? "sends" : "receives";
        if (found.peer == comm.rank) text = "own";
        entered.report_part(found, text);
        if (entered.refused()) return false;
    }
    keep_distant_parts(call, comm, root, entered.ordinal());
    return true;
}

void ask_for_slot(const Communicator& comm) {
    const std::uint64_t ordinal = comm.lane->count.load(std::memory_order_relaxed);
    if (ordinal < comm.lane->series.from) prefetch_to_write(&comm.slot(ordinal));
}

[[gnu::noinline]] Word begin_non_blocking(const Call& call, Entered& entered, const Wait& wait,
                                          std::function<void()>* completed) {
    const Word result = call.forward();
    entered.settle(result);
    if (integer(result) != 0) return result;
    const Communicator& comm = entered.comm();
    const bool strict = process().options.strict && comm.spans_hosts() && comm.compared();
    if (strict) ask_to_agree({comm.index, entered.ordinal()});
    if (call.has(Role::kRequest) && call[Role::kRequest] != 0)
        track_collective({load_handle(reinterpret_cast<const void*>(call[Role::kRequest])), wait, entered.site(),
                          call.info.persistent, strict, completed == nullptr ? std::function<void()>() : *completed});
    return result;
}

}  // namespace

Word carry_out_unknown(const Call& call, const Communicator* comm) {
    ThreadContext& thread = this_thread();
    const std::uint32_t site = call_site();
    Recording record(thread, call.function);
    record->ordinal = 0;
    record->site = site;
    record->signature = Signature{};
    record->signature.function = static_cast<std::uint16_t>(call.info.blocking);
    record->signature.root = kNobody;
    record.publish();
    Word result;
    if (call.info.non_blocking || call.info.persistent || (comm != nullptr && comm->everybody == 1)) {
        result = call.forward();
    } else {
        const Blocked blocked(thread, call.function, site, [](StateWriter& state) {
            state->communicator = kNone;
            state->ordinal = 0;
            state->wait_count = 1;
            state->waits[0] = Wait{WaitKind::kUnknown, 0, 0, 0, kNobody, kAny, kNone, 0};
        });
        result = call.forward();
    }
    record.leave(result);
    if (integer(result) == 0 && call.has(Role::kRequest))
        track_collective({load_handle(reinterpret_cast<const void*>(call[Role::kRequest])),
                          Wait{WaitKind::kUnknown, 0, 0, 0, kNobody, kAny, kNone, 0}, site, call.info.persistent});
    return result;
}

[[gnu::hot]] Word carry_out(const Call& call, const Described& described, std::function<void()>* completed) {
    ThreadContext& thread = call.thread;
    Entered entered(thread, call.function, described);
    Wait numbered = described.wait;
    numbered.ordinal = entered.ordinal();
    if (entered.refused() || (is_vector(call.info.blocking) && !compare_parts(call, entered))) [[unlikely]] {
        entered.settle(error_code());
        return error_code();
    }
    entered.count();
    if (call.info.non_blocking || call.info.persistent) [[unlikely]]
        return begin_non_blocking(call, entered, numbered, completed);
    if (process().options.strict) [[unlikely]]
        await_everybody(call, entered);
    Word result;
    {
        const Waiting waiting(thread, call, entered, numbered);
        result = call.forward();
    }
    entered.settle(result);
    return result;
}

Word carry_out(const Call& call, Communicator& comm, const Signature& signature, const Wait& wait,
               std::function<void()>* completed) {
    return carry_out(call, Described{&comm, hashes_of(signature, comm.inter), signature, wait}, completed);
}

namespace {

[[gnu::noinline]] Word on_new_collective(const Call& call) {
    const std::uint64_t changes = handle_changes.load(std::memory_order_acquire);
    const Word comm_handle = handle(call[Role::kComm]);
    Communicator* const comm = communicator(comm_handle);
    if (comm == nullptr) return on_unknown_communicator(call, comm_handle);
    if (comm->lane == nullptr) return carry_out_unknown(call, comm);
    ask_for_slot(*comm);
    Described one{comm, {}, {}, {}};
    if (!describe(call, *comm, one.signature)) {
        const Word result = carry_out_unknown(call, comm);
        if (integer(result) == 0 && !call.thread.refused)  // MPICH returns success after a handler that comes back
            stop_checking(comm->index, "a call with arguments that the standard forbids has returned without an error");
        return result;
    }
    const bool all_parts = receives_from_all(call, *comm, one.signature.root);
    one.hashes = hashes_of(one.signature, comm->inter);
    one.wait = wait_for(*comm, one.signature, call.info.flow, 0, all_parts);
    keep(call, one, changes);
    return carry_out(call, one);
}

}  // namespace

[[gnu::hot]] Word on_repeated_collective(const Call& call, const Described& same) {
    Word result;
    if (may_carry_on(same) && carry_on(call, same, result)) [[likely]]
        return result;
    ask_for_slot(*same.comm);
    return carry_out(call, same);
}

[[gnu::hot]] Word on_collective(const Call& call) {
    const Described* const same = recalled(call);
    if (same == nullptr) [[unlikely]]
        return on_new_collective(call);
    return on_repeated_collective(call, *same);
}

}  // namespace jaxmpi
