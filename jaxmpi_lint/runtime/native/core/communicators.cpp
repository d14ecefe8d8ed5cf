#include "communicators.hpp"

#include <algorithm>

#include "entries.hpp"
#include "freeing.hpp"
#include "handle_table.hpp"
#include "hashing.hpp"
#include "routine.hpp"
#include "thread.hpp"

namespace jaxmpi {
namespace {

const Routine comm_rank{"PMPI_Comm_rank"}, test_inter{"PMPI_Comm_test_inter"}, comm_group{"PMPI_Comm_group"},
    remote_group{"PMPI_Comm_remote_group"}, group_size{"PMPI_Group_size"}, translate{"PMPI_Group_translate_ranks"},
    free_group{"PMPI_Group_free"}, create_keyval{"PMPI_Comm_create_keyval"}, set_attribute{"PMPI_Comm_set_attr"};

HandleTable<Communicator>& known() {
    static auto* const table = new HandleTable<Communicator>;  // outlives every thread that may still call
    return *table;
}

class MemberGroup {
  public:
    MemberGroup(const Routine& of, Word comm) { valid_ = of(comm, cell_.address()) == 0; }
    ~MemberGroup() {
        if (valid_) free_group(cell_.address());
    }
    MemberGroup(const MemberGroup&) = delete;
    MemberGroup& operator=(const MemberGroup&) = delete;
    explicit operator bool() const { return valid_; }

    // World ranks of all members; kNobody for processes outside of MPI_COMM_WORLD.
    std::vector<std::int32_t> world_ranks() const {
        int size = 0;
        if (group_size(cell_.value(), &size) != 0 || size <= 0) return {};
        const MemberGroup world(comm_group, process().comm_world);
        std::vector<std::int32_t> from(static_cast<std::size_t>(size)), to(from.size(), kNobody);
        for (int i = 0; i < size; ++i) from[static_cast<std::size_t>(i)] = i;
        if (!world || translate(cell_.value(), size, from.data(), world.cell_.value(), to.data()) != 0) return {};
        for (std::int32_t& rank : to)
            if (rank < 0) rank = kNobody;
        return to;
    }

  private:
    HandleCell cell_;
    bool valid_ = false;
};

int do_not_copy(Word, int, void*, void*, void*, int* flag) {
    *flag = 0;
    return 0;
}

int deleted(Word comm, int, void*, void*) {
    if (process().process != own_process()) return 0;
    const Reading reading(this_thread().reader);  // the program may have paused the sanitizer
    forget(handle(comm));
    return 0;
}

// MPI calls this when the communicator is destroyed, by any caller: a reused handle never finds the old entry.
void watch(Word comm) {
    static const int key = [] {
        int made = -1;
        return create_keyval(&do_not_copy, &deleted, &made, nullptr) == 0 ? made : -1;
    }();
    if (key != -1) set_attribute(comm, key, nullptr);
}

bool is_communicator(CommunicatorKind kind) {
    return kind == CommunicatorKind::kIntra || kind == CommunicatorKind::kInter;
}

// An unknown handle: created by a call that was not intercepted.
Communicator* adopt_unknown(Word handle) {
    const Process& p = process();
    if (handle == p.comm_null || was_freed(handle)) return nullptr;
    Groups groups = groups_of(handle);
    if (!groups.known) return nullptr;
    return adopt(handle, std::move(groups), Birth{});
}

void adopt_one(Word handle, const char* name, std::uint64_t id) {
    Birth birth;
    birth.how = name;
    birth.id = id;
    if (Communicator* const made = adopt(handle, groups_of(handle), birth)) made->predefined = true;
}

void find_place(Communicator& one) {
    one.searched.resize(process().ledger.layout().local_ranks);
    for (std::uint32_t local = 0; local < process().ledger.layout().local_ranks; ++local) {
        if ((one.entry->members[local / 64] >> local % 64 & 1) == 0) continue;
        if (local == process().local) one.place = one.members_here;
        ++one.members_here;
    }
}

bool contains_foreign(const std::vector<std::int32_t>& ranks) {
    return std::ranges::find(ranks, kNobody) != ranks.end();
}

}  // namespace

std::int32_t Communicator::world_of(std::int32_t one) const {
    const Abi& abi = *process().abi;
    if (one == abi.any_source) return kAny;
    const std::vector<std::int32_t>& peers = inter ? remote : world;
    return one < 0 || static_cast<std::size_t>(one) >= peers.size() ? kNobody : peers[static_cast<std::size_t>(one)];
}

std::int32_t Groups::lowest() const {
    std::int32_t least = local.empty() ? kNobody : *std::ranges::min_element(local);
    if (!remote.empty()) least = std::min(least, *std::ranges::min_element(remote));
    return least;
}

std::uint64_t Groups::hash() const {
    const auto one = [](const std::vector<std::int32_t>& ranks) {
        std::uint64_t sum = ranks.size();
        for (const std::int32_t member : ranks) sum = combine(sum, static_cast<std::uint64_t>(member));
        return sum;
    };
    return one(local) + (inter ? one(remote) : 0);
}

Groups groups_of(Word comm) {
    Groups groups;
    int inter = 0;
    if (test_inter(comm, &inter) != 0 || comm_rank(comm, &groups.rank) != 0) return groups;
    groups.inter = inter != 0;
    groups.local = MemberGroup(comm_group, comm).world_ranks();
    if (groups.inter) groups.remote = MemberGroup(remote_group, comm).world_ranks();
    groups.known = !groups.local.empty();
    groups.foreign = contains_foreign(groups.local) || contains_foreign(groups.remote);
    return groups;
}

Communicator* object(Word handle) { return known().find(handle); }

Communicator* communicator(Word handle) {
    Communicator* const found = known().find(handle);
    return found != nullptr ? found : adopt_unknown(handle);
}

Communicator* adopt(Word handle, Groups groups, const Birth& birth) {
    forget(handle);  // it referred to a communicator whose end was not seen
    const bool checked = birth.id != 0 && groups.known && !groups.foreign;
    auto made = std::make_unique<Communicator>();
    made->handle = handle;
    made->checked = checked;
    made->inter = groups.inter;
    made->size = static_cast<std::int32_t>(groups.local.size());
    made->rank = groups.rank;
    made->everybody = made->size + static_cast<std::int32_t>(groups.remote.size());
    made->id = birth.id;
    made->site = birth.site;
    made->is_private = birth.is_private;
    made->how = birth.how;
    made->index = kNone;
    if (checked) {
        made->index = join_entry({.id = birth.id,
                                  .parent = birth.parent,
                                  .number = birth.number,
                                  .kind = birth.kind,
                                  .is_private = birth.is_private,
                                  .name = birth.how,
                                  .rank = groups.rank,
                                  .members = &groups.local,
                                  .remote = groups.inter ? &groups.remote : nullptr},
                                 birth.site);
    }
    made->entry = made->index == kNone ? nullptr : &process().ledger.indexed(made->index);
    made->lane = made->entry == nullptr ? nullptr : made->entry->lanes() + process().local;
    if (made->entry != nullptr) find_place(*made);
    made->world = std::move(groups.local);
    made->remote = std::move(groups.remote);
    if (groups.foreign) process().block->uncertain.store(1, std::memory_order_relaxed);
    is_alive_again(handle);
    Communicator* const kept = known().insert(handle, std::move(made));
    if (is_communicator(birth.kind)) watch(handle);
    return kept;
}

void forget(Word handle, const Communicator* only) {
    Communicator* const gone = known().find(handle);
    if (gone == nullptr || (only != nullptr && gone != only)) return;
    if (gone->index != kNone && !gone->predefined) leave_entry(gone->index);
    known().erase(handle);
}

void each_communicator(const std::function<void(const Communicator&)>& visit) {
    known().each([visit](Word, const Communicator& one) { visit(one); });
}

void adopt_predefined() {
    const Process& p = process();
    adopt_one(p.comm_world, "MPI_COMM_WORLD", combine(hash_text("MPI_COMM_WORLD"), 0));
    adopt_one(p.comm_self, "MPI_COMM_SELF",
              combine(hash_text("MPI_COMM_SELF"), static_cast<std::uint64_t>(p.world_rank)));
    watch_leaks();
}

}  // namespace jaxmpi
