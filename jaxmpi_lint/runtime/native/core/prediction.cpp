#include "prediction.hpp"

#include <array>
#include <limits>
#include <string_view>

#include "dispatch.hpp"
#include "signature.hpp"
#include "thread.hpp"

namespace jaxmpi {
namespace {

constexpr std::size_t kMost = 16;  // parameters of a collective

struct Operated {
    std::string_view operation;
    Function function;
};
constexpr std::array kFunctionsOf{
    Operated{"allgather", Function::kAllgather}, Operated{"allreduce", Function::kAllreduce},
    Operated{"alltoall", Function::kAlltoall},   Operated{"barrier", Function::kBarrier},
    Operated{"bcast", Function::kBcast},         Operated{"gather", Function::kGather},
    Operated{"reduce", Function::kReduce},       Operated{"scan", Function::kScan},
    Operated{"scatter", Function::kScatter},
};

struct Parameter {
    const char* name;
    Role role;
    bool is_count = false;
};
constexpr std::array kParameters{
    Parameter{"count", Role::kCount, true},
    Parameter{"sendcount", Role::kSendcount, true},
    Parameter{"recvcount", Role::kRecvcount, true},
    Parameter{"datatype", Role::kDatatype},
    Parameter{"sendtype", Role::kSendtype},
    Parameter{"recvtype", Role::kRecvtype},
    Parameter{"op", Role::kOp},
    Parameter{"root", Role::kRoot},
    Parameter{"comm", Role::kComm},
};
constexpr std::array kBuffers{Role::kSendbuf, Role::kRecvbuf, Role::kBuffer};

Function function_of(std::string_view name) {
    const std::string_view operation = name.substr(name.find('.') + 1);
    for (const Operated& one : kFunctionsOf)
        if (one.operation == operation) return one.function;
    return Function::kNothing;
}

bool is_int(std::int64_t value) {
    return value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max();
}

// The call as it will be made, but for the addresses of buffers: some that are none of MPI's constants.
bool fill(const Call& call, const std::map<std::string, std::int64_t>& given) {
    static const std::array<std::byte, kBuffers.size()> somewhere{};
    for (std::size_t i = 0; i < kBuffers.size(); ++i)
        if (call.has(kBuffers[i])) call[kBuffers[i]] = reinterpret_cast<Word>(&somewhere[i]);
    for (const Parameter& one : kParameters) {
        if (!call.has(one.role)) continue;
        const auto at = given.find(one.name);
        if (at == given.end() || (one.is_count && !is_int(at->second))) return false;
        call[one.role] = static_cast<Word>(at->second);
    }
    return true;
}

}  // namespace

bool predict(const Operation& what, Predicted& predicted) {
    const Function function = function_of(what.name);
    const FunctionInfo& info = kTable[static_cast<std::size_t>(function)];
    if (function == Function::kNothing || info.arity > kMost) return false;
    std::array<Word, kMost> arguments{};
    const Call call{info, function, arguments.data(), this_thread()};
    if (!fill(call, what.arguments)) return false;
    predicted.comm = communicator(handle(call[Role::kComm]));
    if (predicted.comm == nullptr) return false;
    if (what.communicator != 0 && predicted.comm->id != what.communicator) return false;  // freed, and made anew
    return describe(call, *predicted.comm, predicted.signature);
}

}  // namespace jaxmpi
