#include "communicators.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>

#include "entries.hpp"
#include "findings.hpp"
#include "hashing.hpp"
#include "lifecycle.hpp"
#include "mpi.hpp"

namespace jaxmpi {
namespace {

// Attached to each communicator as an attribute, so that no unseen free and no reused handle can leave a stale one;
// the caches of all threads are dropped when one goes.
std::atomic<std::uint64_t> epoch{1};

struct Cached {
    Word handle = 0;
    std::uint64_t epoch = 0;
    Communicator* communicator = nullptr;
};
constexpr std::size_t kCached = 16;
thread_local std::array<Cached, kCached> cache;

Word on_delete(Word, Word, Word attached, Word) {
    const std::unique_ptr<Communicator> gone(reinterpret_cast<Communicator*>(attached));
    epoch.fetch_add(1, std::memory_order_relaxed);
    leave(*gone);
    return 0;
}

Word do_not_copy(Word, Word, Word, Word, Word, std::int32_t* flag) {
    *flag = 0;
    return 0;
}

std::int32_t key() {
    static const std::int32_t made = [] {
        std::int32_t value = -1;
        MpiFunction("PMPI_Comm_create_keyval")(address(reinterpret_cast<void*>(&do_not_copy)),
                                               address(reinterpret_cast<void*>(&on_delete)), address(&value), 0);
        return value;
    }();
    return made;
}

Communicator* attached_to(Word handle) {
    static const MpiFunction get("PMPI_Comm_get_attr");
    Word found = 0;
    std::int32_t flag = 0;
    if (get(handle, key(), address(&found), address(&flag)) != 0 || flag == 0) return nullptr;
    return reinterpret_cast<Communicator*>(found);
}

Word handle_from(const Word& storage) { return load_handle(&storage); }

std::vector<std::int32_t> members(Word communicator, const char* which_group) {
    static const MpiFunction free_group("PMPI_Group_free");
    Word group = 0;
    if (MpiFunction(which_group)(communicator, address(&group)) != 0) return {};
    std::vector<std::int32_t> ranks = world_ranks(handle_from(group));
    free_group(address(&group));
    return ranks;
}

std::unique_ptr<Communicator> describe(Word handle) {
    static const MpiFunction size("PMPI_Comm_size"), rank("PMPI_Comm_rank"), is_inter("PMPI_Comm_test_inter");
    auto made = std::make_unique<Communicator>();
    std::int32_t inter = 0;
    made->handle = handle;
    if (size(handle, address(&made->size)) != 0 || rank(handle, address(&made->rank)) != 0 ||
        is_inter(handle, address(&inter)) != 0)
        return nullptr;
    made->inter = inter != 0;
    made->world = members(handle, "PMPI_Comm_group");
    if (made->inter) made->remote = members(handle, "PMPI_Comm_remote_group");
    return made;
}

bool all_known(const std::vector<std::int32_t>& world) {
    return std::all_of(world.begin(), world.end(), [](std::int32_t rank) { return rank >= 0; });
}

void place_in_ledger(Communicator& made, const Birth& birth) {
    made.checked = false;
    if (!all_known(made.world) || !all_known(made.remote) || made.world.empty()) return;
    std::uint64_t id = birth.key != 0 ? birth.key : combine(combine(hash_text("child"), birth.parent), birth.number);
    id = combine(id, static_cast<std::uint32_t>(made.lowest())) | 1;
    made.index = claim_entry(id, made, birth);
    if (made.index == kNone) return;
    made.entry = &process().ledger.communicator(made.index);
    made.lane = made.entry->lanes() + process().local;
    made.lane->rank = made.rank;
    made.lane->site = birth.site;
    made.lane->state.store(static_cast<std::uint32_t>(LaneState::kMember), std::memory_order_release);
    made.checked = made.entry->unchecked.load(std::memory_order_relaxed) == 0;
}

struct Freed {
    std::mutex mutex;
    std::map<Word, std::uint32_t> sites;
};
Freed& freed() {
    static auto* handles = new Freed;
    return *handles;
}

}  // namespace

std::vector<std::int32_t> world_ranks(Word group) {
    static const MpiFunction size("PMPI_Group_size"), translate("PMPI_Group_translate_ranks"), world("PMPI_Comm_group");
    static const Word world_group = [] {
        Word storage = 0;
        world(process().comm_world, address(&storage));
        return handle_from(storage);
    }();
    std::int32_t n = 0;
    if (size(group, address(&n)) != 0 || n <= 0) return {};
    std::vector<std::int32_t> ranks(static_cast<std::size_t>(n)), out(ranks.size());
    std::iota(ranks.begin(), ranks.end(), 0);
    if (translate(group, n, address(ranks.data()), world_group, address(out.data())) != 0) return {};
    for (std::int32_t& rank : out)
        if (rank == process().abi->undefined) rank = kNobody;
    return out;
}

std::int32_t Communicator::world_of(std::int32_t peer) const {
    const Abi& abi = *process().abi;
    if (peer == abi.any_source) return kAny;
    const std::vector<std::int32_t>& group = inter ? remote : world;
    return peer >= 0 && static_cast<std::size_t>(peer) < group.size() ? group[static_cast<std::size_t>(peer)] : kNobody;
}

std::int32_t Communicator::lowest() const {
    std::int32_t least = kNobody;
    for (const auto* group : {&world, &remote})
        for (const std::int32_t member : *group)
            if (least < 0 || member < least) least = member;
    return least;
}

Communicator* communicator(Word raw) {
    const Word wanted = handle(raw);
    Cached& known = cache[mix(wanted) % kCached];
    const std::uint64_t now = epoch.load(std::memory_order_relaxed);
    if (known.handle == wanted && known.epoch == now) return known.communicator;
    std::uint32_t site = kNone;
    if (wanted == process().comm_null || was_freed(wanted, &site)) return nullptr;
    Communicator* found = attached_to(wanted);
    if (found != nullptr) known = {wanted, now, found};
    return found;
}

Communicator* adopt(Word raw, const Birth& birth) {
    static const MpiFunction set("PMPI_Comm_set_attr");
    const Word wanted = handle(raw);
    if (wanted == process().comm_null) return nullptr;
    std::unique_ptr<Communicator> made = describe(wanted);
    if (made == nullptr) return nullptr;
    if (set(wanted, key(), address(made.get())) != 0) return nullptr;
    place_in_ledger(*made, birth);
    {
        const std::lock_guard lock(freed().mutex);
        freed().sites.erase(wanted);
    }
    epoch.fetch_add(1, std::memory_order_relaxed);
    return made.release();
}

Communicator* adopt_object(const Communicator& of, const Birth& birth) {
    auto made = std::make_unique<Communicator>(of);
    made->index = kNone;
    made->entry = nullptr;
    made->lane = nullptr;
    if (of.checked) place_in_ledger(*made, birth);
    return made.release();
}

void leave(Communicator& left) {
    if (left.entry == nullptr || process().phase.load(std::memory_order_relaxed) != Phase::kActive) return;
    left.lane->state.store(static_cast<std::uint32_t>(LaneState::kFreed), std::memory_order_release);
    release_entry(*left.entry);
    left.entry = nullptr;
    left.checked = false;
}

void give_up(Communicator& communicator, const char* why) {
    communicator.checked = false;
    if (communicator.entry == nullptr || communicator.entry->unchecked.exchange(1) != 0) return;
    Finding note{};
    note.kind = FindingKind::kNote;
    note.communicator = communicator.index;
    note.rank = process().local;
    note.other = note.site = note.other_site = kNone;
    note.when = ticks();
    std::snprintf(note.text, sizeof note.text, "%s is no longer checked: %s", communicator.entry->name, why);
    report(note);
}

bool was_freed(Word raw, std::uint32_t* site) {
    const std::lock_guard lock(freed().mutex);
    const auto at = freed().sites.find(handle(raw));
    if (at == freed().sites.end()) return false;
    *site = at->second;
    return true;
}

void remember_freed(Word raw, std::uint32_t site) {
    const std::lock_guard lock(freed().mutex);
    freed().sites[handle(raw)] = site;
}

void adopt_predefined() {
    Birth world;
    world.key = hash_text("MPI_COMM_WORLD");
    world.name = "MPI_COMM_WORLD";
    adopt(process().comm_world, world);
    Birth self;
    self.key = hash_text("MPI_COMM_SELF");
    self.name = "MPI_COMM_SELF";
    adopt(process().comm_self, self);
}

}  // namespace jaxmpi
