// Calls that make and free communicators: collectives on the parent, and the birth of an identity.
#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "handlers.hpp"
#include "hashing.hpp"
#include "matching.hpp"
#include "mpi.hpp"
#include "requests.hpp"

namespace jaxmpi {
namespace {

constexpr Word kErrorOther = 16;

// How often this process has made a communicator of the same group and tag.
std::uint32_t occurrence(std::uint64_t key) {
    static std::mutex mutex;
    static auto* counts = new std::map<std::uint64_t, std::uint32_t>;
    const std::lock_guard lock(mutex);
    return (*counts)[key]++;
}

std::uint64_t hash_of(std::vector<std::int32_t> ranks) {
    std::sort(ranks.begin(), ranks.end());
    std::uint64_t hash = ranks.size();
    for (const std::int32_t rank : ranks) hash = combine(hash, static_cast<std::uint32_t>(rank));
    return hash;
}

std::uint64_t hash_of_tag(const Call& call) {
    if (call.has(Role::kStringtag)) return hash_text(reinterpret_cast<const char*>(call[Role::kStringtag]));
    return static_cast<std::uint32_t>(integer(call[Role::kTag]));
}

Word made_handle(const Call& call) { return load_handle(reinterpret_cast<const void*>(call[Role::kNewcomm])); }

bool by_group(const Call& call) {
    return call.function == Function::kCommCreateGroup || call.function == Function::kCommCreateFromGroup ||
           call.function == Function::kIntercommCreate || call.function == Function::kIntercommCreateFromGroups;
}

// Not every member of a parent takes part: the identity is made of the groups and the tag, once they are known.
void adopt_by_group(const Call& call, const Birth& birth) {
    Communicator* made = nullptr;
    Birth complete = birth;
    if (call.has(Role::kGroup)) {
        complete.key = combine(hash_of(world_ranks(handle(call[Role::kGroup]))), hash_of_tag(call));
    } else {
        static const MpiFunction group_of("PMPI_Comm_group"), remote_of("PMPI_Comm_remote_group"),
            free_group("PMPI_Group_free");
        std::vector<std::int32_t> all;
        for (const MpiFunction* which : {&group_of, &remote_of}) {
            Word group = 0;
            if ((*which)(made_handle(call), address(&group)) != 0) return;
            const auto ranks = world_ranks(load_handle(&group));
            all.insert(all.end(), ranks.begin(), ranks.end());
            free_group(address(&group));
        }
        complete.key = combine(hash_of(all), hash_of_tag(call));
    }
    complete.key = combine(complete.key, occurrence(complete.key));
    made = adopt(made_handle(call), complete);
    (void)made;
}

Word make_by_group(const Call& call, ThreadContext& thread, const Birth& birth) {
    Recording recording(thread, call.function);
    recording->site = birth.site;
    recording->signature = {};
    recording->signature.function = static_cast<std::uint16_t>(call.info.blocking);
    recording.publish();
    Word result = 0;
    {
        Blocked blocked(thread, call.info, call.function, birth.site, [](StateWriter& state) {
            state->communicator = kNone;
            state->waits[0] = Wait{};
            state->waits[0].kind = WaitKind::kUnknown;
            state->wait_count = 1;
        });
        result = call.forward();
    }
    recording.leave(result);
    if (integer(result) == 0 && made_handle(call) != process().comm_null) adopt_by_group(call, birth);
    return result;
}

// What must agree beside the function: the kind of a typed split, the leader of a local group.
std::uint32_t note_of(const Call& call) {
    if (call.has(Role::kSplitType) && integer(call[Role::kSplitType]) != process().abi->undefined)
        return static_cast<std::uint32_t>(integer(call[Role::kSplitType])) * 2 + 1;
    return 0;
}

Signature signature_of_constructor(const Call& call) {
    Signature signature{};
    signature.function = static_cast<std::uint16_t>(call.info.blocking);
    signature.flags = static_cast<std::uint8_t>(kCountUnknown | (call.info.non_blocking ? kNonBlocking : 0));
    signature.root = kNobody;
    signature.note = call.has(Role::kSplitType) ? 0 : note_of(call);
    return signature;
}

Wait wait_for_all_of(const Communicator& parent, std::uint64_t ordinal) {
    Wait wait{};
    wait.kind = WaitKind::kCollective;
    wait.certain = 1;
    wait.flow = static_cast<std::uint8_t>(Flow::kAll);
    wait.peer = kNobody;
    wait.tag = kAny;
    wait.communicator = parent.index;
    wait.ordinal = ordinal;
    return wait;
}

// Context ids of new communicators are agreed on by all members of the parent, so nobody returns before all have come.
Word make_on(const Call& call, ThreadContext& thread, Communicator& parent, Birth birth) {
    const Signature signature = signature_of_constructor(call);
    birth.parent = parent.entry->id.load(std::memory_order_relaxed);
    birth.number = parent.lane->created.fetch_add(1, std::memory_order_relaxed);
    Entering entering(thread, call.function, parent, signature, birth.site);
    if (entering.compare() == Decision::kRaise) {
        entering.leave(kErrorOther);  // never forwarded: the number is free again
        return kErrorOther;
    }
    const Wait wait = wait_for_all_of(parent, entering.ordinal());
    Word result = 0;
    if (call.info.non_blocking) {
        result = call.forward();
        if (integer(result) == 0) {
            const void* storage = reinterpret_cast<const void*>(call[Role::kNewcomm]);
            track_collective(load_handle(reinterpret_cast<const void*>(call[Role::kRequest])), wait, birth.site, false,
                             [storage, birth] { adopt(load_handle(storage), birth); });
        }
    } else {
        Blocked blocked(thread, call.info, call.function, birth.site, [&](StateWriter& state) {
            state->communicator = parent.index;
            state->ordinal = entering.ordinal();
            state->signature = signature;
            state->waits[0] = wait;
            state->wait_count = parent.size + static_cast<std::int32_t>(parent.remote.size()) > 1 ? 1 : 0;
        });
        result = call.forward();
    }
    entering.leave(result);
    if (integer(result) != 0) {
        parent.lane->created.fetch_sub(1, std::memory_order_relaxed);
    } else if (!call.info.non_blocking) {
        adopt(made_handle(call), birth);
    }
    return result;
}

}  // namespace

Word on_communicator(const Call& call) {
    ThreadContext& thread = this_thread();
    Birth birth;
    birth.name = call.info.name;
    birth.site = call_site();
    if (by_group(call)) return make_by_group(call, thread, birth);
    Communicator* parent = communicator(call[Role::kComm]);
    if (parent == nullptr || !parent->checked) return call.forward();
    return make_on(call, thread, *parent, birth);
}

Word on_foreign_communicator(const Call& call) {
    const Word result = call.forward();
    if (integer(result) == 0 && made_handle(call) != process().comm_null)
        process().block->uncertain.store(1, std::memory_order_relaxed);
    return result;
}

Word on_free_communicator(const Call& call) {
    const void* storage = reinterpret_cast<const void*>(call[Role::kComm]);
    const Word freed = load_handle(storage);
    const bool ours = communicator(freed) != nullptr;
    const Word result = call.forward();
    if (ours && integer(result) == 0) remember_freed(freed, call_site());
    return result;
}

}  // namespace jaxmpi
