#include "signature.hpp"

#include "datatypes.hpp"
#include "operators.hpp"

namespace jaxmpi {
namespace {

void set_data(Signature& s, Word datatype, std::int64_t items) {
    const TypeSequence one = type_sequence(handle(datatype));
    if (!one.known || items < 0) {
        s.flags |= kCountUnknown;
        return;
    }
    const auto count = static_cast<std::uint64_t>(items);
    s.elements = one.elements * count;
    s.bytes = one.bytes * count;
    s.base = s.elements == 0 ? Base::kNothing : one.base;
    s.width = one.width;
    s.type_hash = one.base == Base::kMixed ? one.times(count).hash() : one.hash_of(count);
}

void set_data(Signature& s, const Call& call, Role count_role, Role type_role) {
    set_data(s, call[type_role], count(call.info, call[count_role]));
}

bool in_place(const Call& call, Role buffer) { return call.has(buffer) && call[buffer] == process().abi->in_place; }

bool is_root(const Communicator& c, std::int32_t root) { return !c.inter && root == c.rank; }

// The part that each rank contributes or gets; what a rank cannot know of the others', or the standard ignores on it, is
// left open.
void set_part(Signature& s, const Call& call, const Communicator& c) {
    const auto blocking = static_cast<Function>(s.function);
    switch (blocking) {
        case Function::kBcast:
        case Function::kReduce:
        case Function::kAllreduce:
        case Function::kScan:
        case Function::kExscan:
            return set_data(s, call, Role::kCount, Role::kDatatype);
        case Function::kReduceScatterBlock:
            return set_data(s, call, Role::kRecvcount, Role::kDatatype);
        case Function::kReduceScatter: {
            std::int64_t total = 0;
            for (std::int32_t i = 0; i < c.size; ++i) total += count_at(call.info, call[Role::kRecvcounts], static_cast<std::size_t>(i));
            return set_data(s, call[Role::kDatatype], total);
        }
        case Function::kGather:
        case Function::kAllgather:
        case Function::kAlltoall:
            if (in_place(call, Role::kSendbuf)) return set_data(s, call, Role::kRecvcount, Role::kRecvtype);
            return set_data(s, call, Role::kSendcount, Role::kSendtype);
        case Function::kScatter:
            if (is_root(c, s.root)) return set_data(s, call, Role::kSendcount, Role::kSendtype);
            return set_data(s, call, Role::kRecvcount, Role::kRecvtype);
        case Function::kBarrier:
            return;
        default:
            s.flags |= kCountUnknown;
    }
}

}  // namespace

Signature signature_of(const Call& call, const Communicator* c) {
    Signature s{};
    s.function = static_cast<std::uint16_t>(call.info.blocking);
    s.root = call.has(Role::kRoot) ? integer(call[Role::kRoot]) : kNobody;
    if (call.info.non_blocking) s.flags |= kNonBlocking;
    if (call.info.persistent) s.flags |= kPersistent;
    if (in_place(call, Role::kSendbuf) || (s.function == static_cast<std::uint16_t>(Function::kScatter) && in_place(call, Role::kRecvbuf)))
        s.flags |= kInPlace;
    if (call.has(Role::kOp)) {
        const Reduction reduction = reduction_of(handle(call[Role::kOp]));
        s.reduction = reduction.number;
        s.reduction_site = reduction.site;
    }
    if (c == nullptr || c->inter) {
        // On an intercommunicator root and counts are each side's own (MPI 4.1, section 6.2.3).
        s.flags |= kCountUnknown;
        if (c != nullptr) s.root = kNobody;
        return s;
    }
    set_part(s, call, *c);
    return s;
}

}  // namespace jaxmpi
