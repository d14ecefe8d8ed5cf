#include "dispatch.hpp"

#include <unistd.h>

#include "collectives.hpp"
#include "device_memory.hpp"
#include "handlers.hpp"
#include "ordering.hpp"
#include "pickled.hpp"
#include "refusals.hpp"
#include "repeated.hpp"
#include "thread.hpp"

namespace jaxmpi {
namespace {

// What is known of a collective that the thread repeats with the same buffers, which need not be looked at then.
[[gnu::always_inline]] inline const Described* repeated_collective(const Call& call) {
    if (call.info.category != Category::kCollective || device_driver_loaded()) return nullptr;
    return recalled_at_once(call);
}

}  // namespace

[[gnu::hot]] Word dispatch(Function function, Word* arguments, Caller caller) {
    const FunctionInfo& info = kTable[static_cast<std::size_t>(function)];
    ThreadContext& thread = this_thread();
    const Call call{info, function, arguments, thread};
    const Phase phase = process().phase.load(std::memory_order_relaxed);
    if (thread.depth != 0 || thread.paused != 0 || (phase != Phase::kActive && !info.decides_itself) ||
        process().process != own_process()) [[unlikely]]
        return call.forward();
    Inside inside(thread);
    thread.caller = caller;
    if (thread.launched && thread.launching == 0) [[unlikely]]
        note_own_call(call);
    Word result;
    if (thread.pickled) [[unlikely]]
        result = inside_pickled(call);
    else if (const Described* const same = repeated_collective(call); same != nullptr)
        result = on_repeated_collective(call, *same);
    else if (refused_for_device_memory(call)) [[unlikely]]
        return error_code();
    else
        result = kHandlers[static_cast<std::size_t>(info.category)](call);
    if (thread.refused) [[unlikely]]
        report_refusal(call);
    return result;
}

}  // namespace jaxmpi
