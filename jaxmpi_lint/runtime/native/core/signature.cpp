#include "signature.hpp"

#include "datatypes.hpp"
#include "hashing.hpp"
#include "operators.hpp"

namespace jaxmpi {
namespace {

bool describe_side(const Call& call, Role how_many, Role type, Signature& signature) {
    const std::int64_t elements = count(call.info, call[how_many]);
    describe_data(signature, handle(call[type]), elements);
    return elements >= 0;
}

std::uint32_t shortened(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32) | 1; }

// The array of counts is part of what must agree; in bytes, because types may be named differently.
void describe_counts(const Call& call, const Communicator& comm, Role type, Signature& signature) {
    const std::uint64_t width = type_signature(handle(call[type])).bytes;
    const Word counts = call[Role::kRecvcounts];
    std::uint64_t hash = 0, total = 0;
    for (std::int32_t i = 0; i < comm.size; ++i) {
        const auto part = static_cast<std::uint64_t>(count_at(call.info, counts, static_cast<std::size_t>(i))) * width;
        hash = (hash + part + 1) * 0x9e3779b97f4a7c15;
        total += part;
    }
    signature.note = shortened(mix(hash));
    if (width != 0) describe_data(signature, handle(call[type]), static_cast<std::int64_t>(total / width));
}

// Where it receives as much as it sends, the other side is compared by its bytes.
void describe_other_side(const Call& call, Signature& signature) {
    Signature other{};
    describe_side(call, Role::kRecvcount, Role::kRecvtype, other);
    signature.note = shortened(mix(other.bytes + 1));
}

bool describe_contents(const Call& call, const Communicator& comm, Signature& signature) {
    const bool in_place = (signature.flags & kInPlace) != 0;
    const bool at_root = signature.root == comm.rank;
    switch (call.info.data) {
        case Data::kNone:
            return true;
        case Data::kBuffer:
            return describe_side(call, Role::kCount, Role::kDatatype, signature);
        case Data::kBlock:
            return describe_side(call, Role::kRecvcount, Role::kDatatype, signature);
        case Data::kSent:
            describe_other_side(call, signature);
            if (!in_place) return describe_side(call, Role::kSendcount, Role::kSendtype, signature);
            return describe_side(call, Role::kRecvcount, Role::kRecvtype, signature);
        case Data::kToRoot:
        case Data::kFromRoot:
            if (at_root == (call.info.data == Data::kToRoot))
                return describe_side(call, Role::kRecvcount, Role::kRecvtype, signature);
            return describe_side(call, Role::kSendcount, Role::kSendtype, signature);
        case Data::kCounts:
            describe_counts(call, comm, Role::kDatatype, signature);
            return true;
        case Data::kGathered:
            describe_counts(call, comm, Role::kRecvtype, signature);
            signature.flags |= kCountUnknown;
            return true;
        case Data::kOwn:
            signature.flags |= kCountUnknown;
            return true;
    }
    return true;
}

void describe_operator(const Call& call, Signature& signature) {
    const Operator op = operator_of(handle(call[Role::kOp]));
    signature.reduction = op.number;
    signature.reduction_site = op.site;
}

// MPI_ROOT and MPI_PROC_NULL in one group of an intercommunicator are kNobody, which the other group never passes.
bool describe_root(const Call& call, const Communicator& comm, Signature& signature) {
    const std::int32_t root = integer(call[Role::kRoot]);
    const std::int32_t ranks = comm.inter ? static_cast<std::int32_t>(comm.remote.size()) : comm.size;
    signature.root = root;
    if (root >= 0 && root < ranks) return true;
    signature.root = kNobody;
    return comm.inter && (root == process().abi->root || root == process().abi->proc_null);
}

bool is_certain(Flow flow, const Communicator& comm, const Signature& signature, bool all_parts) {
    if (comm.inter || !all_parts) return false;
    const bool empty = (signature.flags & kCountUnknown) == 0 && signature.elements == 0 &&
                       kTable[signature.function].data != Data::kNone;
    if (empty) return false;
    switch (flow) {
        case Flow::kAll:
            return true;
        case Flow::kFromRoot:
            return signature.root != comm.rank;
        case Flow::kToRoot:
            return signature.root == comm.rank;
        case Flow::kPrefix:
            return comm.rank > 0;
        default:
            return false;
    }
}

}  // namespace

bool is_in_place(const Call& call) {
    const Word in_place = process().abi->in_place;
    if (call.has(Role::kSendbuf) && call[Role::kSendbuf] == in_place) return true;
    return call.has(Role::kRecvbuf) && call[Role::kRecvbuf] == in_place;
}

bool describe(const Call& call, const Communicator& comm, Signature& signature) {
    signature = Signature{};
    signature.function = static_cast<std::uint16_t>(call.info.blocking);
    signature.flags = static_cast<std::uint8_t>((call.info.non_blocking ? kNonBlocking : 0) |
                                                (call.info.persistent ? kPersistent : 0));
    signature.root = kNobody;
    if (is_in_place(call)) signature.flags |= kInPlace;
    if (call.has(Role::kRoot) && !describe_root(call, comm, signature)) return false;
    const bool idle = comm.inter && call.has(Role::kRoot) && integer(call[Role::kRoot]) == process().abi->proc_null;
    if (call.has(Role::kOp) && !idle) describe_operator(call, signature);
    if (!comm.inter) return describe_contents(call, comm, signature);
    signature.flags |= kCountUnknown;
    return true;
}

Wait wait_for(const Communicator& comm, const Signature& signature, Flow flow, std::uint64_t ordinal, bool all_parts) {
    Wait wait{};
    wait.kind = WaitKind::kCollective;
    wait.certain = is_certain(flow, comm, signature, all_parts) ? 1 : 0;
    wait.flow = static_cast<std::uint8_t>(flow);
    wait.peer = signature.root >= 0 ? comm.world_of(signature.root) : kNobody;
    wait.tag = kAny;
    wait.communicator = comm.index;
    wait.ordinal = ordinal;
    return wait;
}

}  // namespace jaxmpi
