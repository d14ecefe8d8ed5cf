#include "pickled.hpp"

#include <optional>

#include "matching.hpp"
#include "operators.hpp"

namespace jaxmpi {
namespace {

constexpr Word kErrorOther = 16;

struct Method {
    Entering entering;
    std::uint32_t communicator;
    std::int32_t members;
    Signature signature;
    std::uint32_t site;
    Decision decision;
    bool called = false;  // an MPI call has been made
};
thread_local std::optional<Method> method;

bool may_block(Category category) {
    switch (category) {
        case Category::kCollective:
        case Category::kCommunicator:
        case Category::kSend:
        case Category::kReceive:
        case Category::kExchange:
        case Category::kProbe:
        case Category::kMatchedReceive:
        case Category::kWait:
            return true;
        default:
            return false;
    }
}

}  // namespace

bool enter_pickled(std::uint32_t label, Function function, Word comm, std::int32_t root, Word op) {
    ThreadContext& thread = this_thread();
    if (process().phase.load(std::memory_order_relaxed) != Phase::kActive || thread.depth != 0 || thread.paused != 0 ||
        thread.pickled || process().process != own_process())
        return false;
    Communicator* on = communicator(comm);
    if (on == nullptr || !on->checked) return false;
    const Reduction reduction = op == 0 ? Reduction{} : reduction_of(op == kPythonFunction ? op : handle(op));
    Signature signature{};
    signature.function = static_cast<std::uint16_t>(function);
    signature.flags = kPickled | kCountUnknown;
    signature.root = on->inter ? kNobody : root;
    signature.reduction = reduction.number;
    signature.reduction_site = reduction.site;
    thread.label = label;
    const std::uint32_t site = call_site();
    method.emplace(Method{Entering(thread, function, *on, signature, site), on->index,
                          on->size + static_cast<std::int32_t>(on->remote.size()), signature, site, Decision::kForward});
    thread.pickled = true;
    method->decision = method->entering.compare();
    return true;
}

void leave_pickled(bool failed) {
    ThreadContext& thread = this_thread();
    thread.pickled = false;
    thread.label = 0;
    if (!method) return;
    method->entering.leave(failed && !method->called ? kErrorOther : 0);
    method.reset();
}

Word inside_pickled(const Call& call) {
    if (!method || !may_block(call.info.category)) return call.forward();
    if (method->decision == Decision::kRaise) return kErrorOther;
    method->called = true;
    Blocked blocked(this_thread(), call.info, call.function, method->site, [](StateWriter& state) {
        state->communicator = method->communicator;
        state->ordinal = method->entering.ordinal();
        state->signature = method->signature;
        state->waits[0] = method->entering.wait();
        state->wait_count = method->members > 1 ? 1 : 0;
    });
    return call.forward();
}

}  // namespace jaxmpi
