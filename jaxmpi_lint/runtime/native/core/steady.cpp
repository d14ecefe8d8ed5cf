#include "steady.hpp"

#include "collectives.hpp"

namespace jaxmpi {
namespace {

bool shows(const ThreadContext& thread, const Described& same) {
    return thread.shown.number == same.steady.number && thread.shown.label == thread.label &&
           thread.shown.sequence == thread.block->sequence.load(std::memory_order_relaxed);
}

[[gnu::always_inline]] inline void write_waiting(const Call& call, const Described& same, std::uint64_t ordinal,
                                                 std::uint32_t site, std::uint64_t entered) {
    const bool is_there = shows(call.thread, same);
    StateWriter state(*call.thread.block);
    if (!is_there) [[unlikely]]
        describe(state, call, same.steady.index, same.signature, same.wait);
    state->site = site;
    state->ordinal = state->waits[0].ordinal = ordinal;
    state->entered = entered;
    state.step(Activity::kBlocked);
}

[[gnu::always_inline]] inline void write_running(ThreadContext& thread, const Described& same) {
    StateWriter(*thread.block).step(Activity::kRunning);
    thread.shown = {same.steady.number, thread.label, thread.block->sequence.load(std::memory_order_relaxed)};
}

}  // namespace

Steady steady(const Call& call, const Described& described, std::uint64_t number) {
    const Communicator& comm = *described.comm;
    const bool other = call.info.non_blocking || call.info.persistent || is_vector(call.info.blocking) ||
                       process().options.strict || comm.everybody == 1 || !comm.checked;
    return {other ? nullptr : comm.lane, comm.entry, number, comm.index};
}

[[gnu::hot]] bool carry_on(const Call& call, const Described& same, Word& result) {
    Lane& lane = *same.steady.lane;
    const Before before(lane);
    const std::uint64_t ordinal = before.count;
    const std::uint32_t site = call_site();
    if (!goes_on(*same.steady.entry, lane.series, ordinal)) [[unlikely]]  // also where the checks have ended
        return false;

    Recording record(call.thread, call.function);
    record->communicator = same.steady.index;
    record->ordinal = ordinal;
    record->site = site;
    record->signature = same.signature;
    record.publish();
    lane.series.recorded.store(ordinal + 1, std::memory_order_release);

    count_next(lane, before, same.hashes);
    const bool shown = call.thread.block != nullptr;
    if (shown) [[likely]]
        write_waiting(call, same, ordinal, site, record->entered);
    result = call.forward();
    if (shown) [[likely]]
        write_running(call.thread, same);
    record.leave(result);
    if (integer(result) != 0) [[unlikely]]
        Entered(same, record, site, before).settle(result);
    return true;
}

}  // namespace jaxmpi
