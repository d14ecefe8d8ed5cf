#include "pickled.hpp"

#include <optional>

#include "collectives.hpp"
#include "freeing.hpp"
#include "labels.hpp"
#include "operators.hpp"
#include "signature.hpp"

namespace jaxmpi {
namespace {

struct Method {
    std::optional<Entered> entered;
    Wait wait{};
    bool called = false;  // an MPI call has been made
};
thread_local Method method;

bool may_wait(Category category) {
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

bool describe_method(Function function, const Communicator& comm, std::int32_t root, Word op, Signature& signature) {
    const Abi& abi = *process().abi;
    signature = Signature{};
    signature.function = static_cast<std::uint16_t>(function);
    signature.flags = kPickled | kCountUnknown;
    signature.root = root;
    const Flow flow = kTable[signature.function].flow;
    const bool rooted = flow == Flow::kFromRoot || flow == Flow::kToRoot;
    const std::int32_t ranks = comm.inter ? static_cast<std::int32_t>(comm.remote.size()) : comm.size;
    if (!rooted) {
        signature.root = kNobody;
    } else if (root < 0 || root >= ranks) {
        if (!comm.inter || (root != abi.root && root != abi.proc_null)) return false;
        signature.root = kNobody;
        if (root == abi.proc_null) op = 0;
    }
    if (op == kPythonFunction)
        signature.reduction = kUserOperator;
    else if (op != 0)
        signature.reduction = operator_of(op).number;
    return true;
}

}  // namespace

bool enter_pickled(std::uint32_t label, Function function, Word comm_handle, std::int32_t root, Word op) {
    Process& p = process();
    ThreadContext& thread = this_thread();
    if (p.phase.load(std::memory_order_relaxed) != Phase::kActive || p.process != own_process() || thread.depth != 0 ||
        thread.paused != 0 || thread.pickled)
        return false;
    if (comm_handle == p.comm_null) {
        note_null_use(kLabels[label].name);
        return false;
    }
    Communicator* const comm = communicator(comm_handle);
    Signature signature;
    if (comm == nullptr || comm->lane == nullptr || !describe_method(function, *comm, root, op, signature))
        return false;
    const Inside inside(thread);
    thread.label = label;
    thread.pickled = true;
    Entered& entered = method.entered.emplace(thread, *comm, function, signature);
    const FunctionInfo& info = kTable[static_cast<std::size_t>(function)];
    method.wait = wait_for(*comm, signature, info.flow, entered.ordinal(), true);
    method.called = false;
    if (!entered.refused()) {
        entered.count();
        if (p.options.strict) await_everybody(Call{info, function, nullptr, this_thread()}, entered);
    }
    return true;
}

void leave_pickled(bool failed) {
    ThreadContext& thread = this_thread();
    thread.pickled = false;
    thread.label = 0;
    if (!method.entered) return;
    if (failed && !method.called && !method.entered->refused()) method.entered->withdraw();
    method.entered->settle(0);
    method.entered.reset();
}

// Neither counted nor compared; the thread waits for what the method waits for.
Word inside_pickled(const Call& call) {
    if (!method.entered || !may_wait(call.info.category)) return call.forward();
    if (method.entered->refused()) return error_code();
    method.called = true;
    const Waiting waiting(this_thread(), call, *method.entered, method.wait);
    return call.forward();
}

}  // namespace jaxmpi
