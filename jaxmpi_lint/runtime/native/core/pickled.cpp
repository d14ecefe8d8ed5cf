#include "pickled.hpp"

#include <optional>
#include <utility>

#include "collectives.hpp"
#include "freeing.hpp"
#include "labels.hpp"
#include "operators.hpp"
#include "ordering.hpp"
#include "per_thread.hpp"
#include "signature.hpp"

namespace jaxmpi {
namespace {

struct Method {
    Word comm = 0;
    Described described{};
    std::optional<Reading> reading;  // from its begin to its end
    std::optional<Entered> entered;  // from its first MPI call on
    bool pending = false;            // no MPI call has been made yet
    bool failed_alone = false;       // the first one was refused for its arguments
};

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

// At the first MPI call and not before: an object that cannot be pickled, or an argument that the method does not take,
// ends it without the others having noticed anything.
void begin(Method& method) {
    Communicator* const comm = communicator(method.comm);
    if (comm == nullptr || comm->lane == nullptr) return;
    const Signature& signature = method.described.signature;
    const auto function = static_cast<Function>(signature.function);
    const FunctionInfo& info = kTable[signature.function];
    ThreadContext& thread = this_thread();
    const Inside inside(thread);
    method.described.comm = comm;
    method.described.hashes = hashes_of(signature, comm->inter);
    Entered& entered = method.entered.emplace(thread, function, method.described);
    method.described.wait = wait_for(*comm, signature, info.flow, entered.ordinal(), true);
    if (entered.refused()) return;
    entered.count();
    if (process().options.strict) await_everybody(Call{info, function, nullptr, thread}, entered);
}

}  // namespace

bool enter_pickled(std::uint32_t label, Function function, Word comm_handle, std::int32_t root, Word op) {
    Process& p = process();
    ThreadContext& thread = this_thread();
    if (p.phase.load(std::memory_order_relaxed) != Phase::kActive || p.process != own_process() || thread.depth != 0 ||
        thread.paused != 0 || thread.pickled)
        return false;
    const Reading reading(thread.reader);
    Communicator* const comm = communicator(comm_handle);
    if (comm == nullptr) {
        note_use(comm_handle, kLabels[label].name);
        return false;
    }
    Signature signature;
    if (comm->lane == nullptr || !describe_method(function, *comm, root, op, signature)) return false;
    thread.label = label;
    thread.pickled = true;
    auto& method = per_thread<Method>();
    method.reading.emplace(thread.reader);
    method.comm = comm_handle;
    method.described.signature = signature;
    method.pending = true;
    method.failed_alone = false;
    return true;
}

void leave_pickled(bool failed) {
    ThreadContext& thread = this_thread();
    auto& method = per_thread<Method>();
    // Some make no MPI call, such as those with MPI_PROC_NULL as root.
    if (std::exchange(method.pending, false) && !failed) begin(method);
    thread.pickled = false;
    thread.label = 0;
    if (method.entered) {
        if (failed && method.failed_alone && !method.entered->refused()) method.entered->withdraw();
        method.entered->settle(method.entered->refused() ? error_code() : 0);
        method.entered.reset();
    }
    method.reading.reset();
}

// Neither counted nor compared; the thread waits for what the method waits for.
[[gnu::noinline]] Word inside_pickled(const Call& call) {
    if (!may_wait(call.info.category)) return call.forward();
    auto& method = per_thread<Method>();
    const bool first = std::exchange(method.pending, false);
    if (first) {
        const bool beside = call.has(Role::kComm) && handle(call[Role::kComm]) != method.comm;
        if (beside) note_own_method(call.thread, method.comm);
        begin(method);
    }
    if (!method.entered) return call.forward();
    if (method.entered->refused()) return error_code();
    const Waiting waiting(call.thread, call, *method.entered, method.described.wait);
    const Word result = call.forward();
    if (first) method.failed_alone = failed_alone(result);
    return result;
}

}  // namespace jaxmpi
