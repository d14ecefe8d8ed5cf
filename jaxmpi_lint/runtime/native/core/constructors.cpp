// New communicators get the same identity on every rank, without communication.
#include <map>
#include <mutex>
#include <tuple>

#include "collectives.hpp"
#include "freeing.hpp"
#include "handlers.hpp"
#include "hashing.hpp"
#include "requests.hpp"
#include "signature.hpp"

namespace jaxmpi {
namespace {

std::uint64_t as_number(std::int32_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t shortened(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32) | 1; }

std::uint64_t hash_array(Word array, std::int32_t length, bool logical) {
    const auto* const at = reinterpret_cast<const std::int32_t*>(array);
    std::uint64_t hash = as_number(length);
    for (std::int32_t i = 0; i < length; ++i) hash = combine(hash, as_number(logical ? at[i] != 0 : at[i]));
    return hash;
}

// The argument that must be equal on all ranks besides the function; 0: none.
std::uint32_t agreement(const Call& call) {
    const Word* const a = call.arguments;
    switch (call.function) {
        case Function::kCommSplitType:
            return integer(a[1]) == process().abi->undefined ? 0 : shortened(mix(as_number(integer(a[1])) + 1));
        case Function::kCartCreate: {
            const std::int32_t dimensions = integer(a[1]);
            if (dimensions < 0 || dimensions > 64) return 0;
            return shortened(combine(hash_array(a[2], dimensions, false), hash_array(a[3], dimensions, true)));
        }
        case Function::kGraphCreate:
            return shortened(mix(as_number(integer(a[1])) + 1));
        default:
            return 0;
    }
}

Signature describe_constructor(const Call& call) {
    Signature signature{};
    signature.function = static_cast<std::uint16_t>(call.info.blocking);
    signature.flags = call.info.non_blocking ? kNonBlocking : 0;
    signature.root = call.has(Role::kLocalLeader) ? integer(call[Role::kLocalLeader]) : kNobody;
    signature.note = agreement(call);
    return signature;
}

// Communicators of the same ranks and tag are numbered in the order of their creation.
std::uint64_t occurrence(std::uint64_t members, std::uint64_t tag) {
    static std::mutex mutex;
    static auto* const seen = new std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t>;
    const std::lock_guard lock(mutex);
    return ++(*seen)[{members, tag}];
}

Word made(const Call& call) {
    const Word at = call[Role::kNewcomm];
    return at == 0 ? process().comm_null : load_handle(reinterpret_cast<const void*>(at));
}

void adopt_made(Word handle, Birth birth, std::uint64_t seed) {
    Groups groups = groups_of(handle);
    birth.kind = groups.inter ? CommunicatorKind::kInter : CommunicatorKind::kIntra;
    birth.id = seed == 0 ? 0 : combine(seed, as_number(groups.lowest())) | 1;
    adopt(handle, std::move(groups), birth);
}

// Identified by its ranks, a tag, and their count of such communicators.
void adopt_by_members(Word handle, Birth birth, std::uint64_t tag) {
    Groups groups = groups_of(handle);
    birth.kind = groups.inter ? CommunicatorKind::kInter : CommunicatorKind::kIntra;
    const std::uint64_t members = groups.hash();
    birth.id = combine(combine(members, tag), occurrence(members, tag)) | 1;
    adopt(handle, std::move(groups), birth);
}

Birth birth_from(const Call& call, const Communicator* parent) {
    Birth birth;
    birth.parent = parent == nullptr ? 0 : parent->id;
    birth.how = call.info.name;
    birth.site = call_site();
    birth.is_private = parent != nullptr && parent->is_private;
    return birth;
}

Word make_from_group(const Call& call) {
    std::uint64_t tag = hash_text(call.info.name);
    if (call.has(Role::kStringtag) && call[Role::kStringtag] != 0)
        tag = combine(tag, hash_text(reinterpret_cast<const char*>(call[Role::kStringtag])));
    else if (call.has(Role::kTag))
        tag = combine(tag, as_number(integer(call[Role::kTag])));
    const Communicator* const parent = call.has(Role::kComm) ? communicator(handle(call[Role::kComm])) : nullptr;
    const Word result = carry_out_unknown(call, nullptr);
    const Word handle = integer(result) == 0 ? made(call) : process().comm_null;
    if (handle == process().comm_null) return result;
    adopt_by_members(handle, birth_from(call, parent), tag);
    return result;
}

Word make_intercommunicator(const Call& call, Communicator& local) {
    const std::uint64_t tag = combine(hash_text("MPI_Intercomm_create"), as_number(integer(call[Role::kTag])));
    const Signature signature = describe_constructor(call);
    const Wait wait = wait_for(local, signature, Flow::kAll, 0, false);
    const Word result = carry_out(call, local, signature, wait);
    const Word handle = integer(result) == 0 ? made(call) : process().comm_null;
    if (handle != process().comm_null) adopt_by_members(handle, birth_from(call, &local), tag);
    return result;
}

// A constructor that all ranks of `parent` call: identified by its number on the parent.
Word make_from(const Call& call, Communicator& parent) {
    Birth birth = birth_from(call, &parent);
    std::uint64_t seed = 0;
    if (parent.lane != nullptr) {
        birth.number = parent.lane->created.load(std::memory_order_relaxed) + 1;
        parent.lane->created.store(birth.number, std::memory_order_relaxed);
        seed = combine(parent.id, birth.number) | 1;
    }
    const auto finish = [at = call[Role::kNewcomm], birth, seed] {
        const Word handle = at == 0 ? process().comm_null : load_handle(reinterpret_cast<const void*>(at));
        if (handle != process().comm_null) adopt_made(handle, birth, seed);
    };
    std::function<void()> later;
    if (call.info.non_blocking) later = finish;
    Word result;
    if (parent.lane == nullptr) {
        result = carry_out_unknown(call, &parent);
    } else {
        const Signature signature = describe_constructor(call);
        const Wait wait = wait_for(parent, signature, Flow::kAll, 0, true);
        result = carry_out(call, parent, signature, wait, &later);
    }
    if (integer(result) != 0) {
        if (parent.lane != nullptr && failed_alone(result))
            parent.lane->created.fetch_sub(1, std::memory_order_relaxed);
        return result;
    }
    if (!call.info.non_blocking) finish();
    return result;
}

}  // namespace

Word on_communicator(const Call& call) {
    if (!call.has(Role::kComm) || call.function == Function::kCommCreateGroup) return make_from_group(call);
    const Word comm_handle = handle(call[Role::kComm]);
    Communicator* const parent = communicator(comm_handle);
    if (parent == nullptr) return on_unknown_communicator(call, comm_handle);
    if (call.function == Function::kIntercommCreate && parent->lane != nullptr)
        return make_intercommunicator(call, *parent);
    return make_from(call, *parent);
}

// Spawned and connected processes cannot be observed: their communicators are marked as unknown.
Word on_foreign_communicator(const Call& call) {
    Communicator* const comm = call.has(Role::kComm) ? communicator(handle(call[Role::kComm])) : nullptr;
    Word result;
    if (call.function == Function::kCommGetParent) {
        result = call.forward();
    } else if (comm != nullptr && comm->lane != nullptr) {
        process().block->uncertain.store(1, std::memory_order_relaxed);
        Signature signature = describe_constructor(call);
        if (call.has(Role::kRoot)) signature.root = integer(call[Role::kRoot]);
        Wait wait = wait_for(*comm, signature, Flow::kAll, 0, false);
        wait.kind = WaitKind::kUnknown;
        result = carry_out(call, *comm, signature, wait);
    } else {
        process().block->uncertain.store(1, std::memory_order_relaxed);
        result = carry_out_unknown(call, comm);
    }
    const Word at = call.has(Role::kNewcomm) ? call[Role::kNewcomm] : call.arguments[0];
    const Word handle = integer(result) == 0 && at != 0 ? load_handle(reinterpret_cast<const void*>(at)) : 0;
    if (handle != 0 && handle != process().comm_null && object(handle) == nullptr) {
        process().block->uncertain.store(1, std::memory_order_relaxed);
        adopt_made(handle, birth_from(call, nullptr), 0);
    }
    return result;
}

}  // namespace jaxmpi
