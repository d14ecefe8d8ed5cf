#include "dispatch.hpp"

#include <unistd.h>

#include "collectives.hpp"
#include "device_memory.hpp"
#include "handlers.hpp"
#include "ordering.hpp"
#include "pickled.hpp"
#include "refusals.hpp"
#include "thread.hpp"

namespace jaxmpi {

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
    else if (refused_for_device_memory(call)) [[unlikely]]
        return error_code();
    else
        result = kHandlers[static_cast<std::size_t>(info.category)](call);
    if (thread.refused) [[unlikely]]
        report_refusal(call);
    return result;
}

}  // namespace jaxmpi
