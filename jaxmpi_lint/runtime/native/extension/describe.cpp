#include "describe.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <unordered_map>

#include "hashing.hpp"
#include "kernel.hpp"
#include "labels.hpp"
#include "operators.hpp"

namespace nb = nanobind;

namespace jaxmpi {
namespace {

constexpr int kTries = 200;
constexpr int kCollects = 3;
constexpr int kDeepest = 16;  // callers of a site

constexpr const char* function_name(std::uint16_t function) {
    return function < kFunctions ? kTable[function].name : "";
}
constexpr const char* label_name(std::uint32_t label) { return label < kLabels.size() ? kLabels[label].name : ""; }

nb::object none() { return nb::none(); }
nb::object index_or_none(std::uint32_t index) { return index == kNone ? none() : nb::object(nb::int_(index)); }
nb::object rank_or_none(std::int32_t rank) { return rank < 0 ? none() : nb::object(nb::int_(rank)); }
nb::object tag_or_none(std::int32_t tag) { return tag == kAny ? none() : nb::object(nb::int_(tag)); }

template <std::size_t N>
nb::object text(const char (&field)[N]) {  // a field may be in the middle of being written
    return nb::steal(PyUnicode_DecodeUTF8(field, static_cast<Py_ssize_t>(strnlen(field, N)), "replace"));
}

nb::object describe_new_site(const Ledger& ledger, std::uint32_t local, std::uint32_t index, int depth) {
    const Site* const site = depth > kDeepest ? nullptr : ledger.site(local, index);
    if (site == nullptr) return none();
    nb::dict d;
    d["file"] = text(site->file);
    d["line"] = site->line;
    d["function"] = text(site->function);
    d["operand"] = text(site->operand);
    d["address"] = site->address;
    d["caller"] = describe_new_site(ledger, local, site->caller, depth + 1);
    nb::list callers;
    const CallPath* const path = ledger.path(local, index);
    if (path != nullptr)
        for (const std::uint32_t caller : path->callers)
            if (caller != kNone) callers.append(describe_new_site(ledger, local, caller, kDeepest));
    d["callers"] = callers;
    d["handled"] = path == nullptr ? none() : describe_new_site(ledger, local, path->handled, kDeepest);
    return d;
}

// As long as it lives, each site is described once, and shared: the lanes of many communicators have few.
class SharedSites {
  public:
    SharedSites() { current() = this; }
    ~SharedSites() { current() = nullptr; }
    SharedSites(const SharedSites&) = delete;
    SharedSites& operator=(const SharedSites&) = delete;

    static SharedSites*& current() {
        thread_local SharedSites* found = nullptr;
        return found;
    }

    nb::object& of(std::uint32_t local, std::uint32_t index) { return sites_[std::uint64_t{local} << 32 | index]; }

  private:
    std::unordered_map<std::uint64_t, nb::object> sites_;
};

}  // namespace

nb::object describe_site(const Ledger& ledger, std::uint32_t local, std::uint32_t index) {
    SharedSites* const shared = SharedSites::current();
    if (shared == nullptr) return describe_new_site(ledger, local, index, 0);
    nb::object& known = shared->of(local, index);
    if (!known.is_valid()) known = describe_new_site(ledger, local, index, 0);
    return known;
}

namespace {

nb::object reduction(const Signature& s) {
    if (s.reduction == 0) return none();
    if (s.reduction == kUserOperator) return nb::str("user");
    return nb::str(reduction_name(s.reduction));
}

nb::dict describe_signature(const Signature& s) {
    nb::dict d;
    d["function"] = function_name(s.function);
    d["in_place"] = (s.flags & kInPlace) != 0;
    d["non_blocking"] = (s.flags & kNonBlocking) != 0;
    d["persistent"] = (s.flags & kPersistent) != 0;
    d["pickled"] = (s.flags & kPickled) != 0;
    d["count_known"] = (s.flags & kCountUnknown) == 0;
    d["base"] = name_of(s.base);
    d["width"] = s.width;
    d["elements"] = s.elements;
    d["bytes"] = s.bytes;
    d["type_hash"] = s.type_hash;
    d["root"] = rank_or_none(s.root);
    d["reduction"] = reduction(s);
    d["reduction_site"] = s.reduction_site;
    d["note"] = s.note;
    return d;
}

nb::object signature_or_none(const Signature& s) {
    return s.function == 0 ? none() : nb::object(describe_signature(s));
}

nb::dict describe_wait(const Wait& w) {
    nb::dict d;
    d["kind"] = name_of(w.kind);
    d["certain"] = w.certain != 0;
    d["flow"] = name_of(static_cast<Flow>(w.flow));
    d["peer"] = rank_or_none(w.peer);
    d["any_source"] = w.peer == kAny && w.kind != WaitKind::kCollective;
    d["tag"] = tag_or_none(w.tag);
    d["communicator"] = w.communicator;
    d["ordinal"] = w.ordinal;
    return d;
}

// A copy that was not written to while it was made; nullptr if there was none in kTries.
using ThreadCopy = std::unique_ptr<ThreadBlock>;
ThreadCopy copy_of(const ThreadBlock& block) {
    auto copy = std::make_unique<ThreadBlock>();
    for (int i = 0; i < kTries; ++i) {
        const std::uint32_t before = block.sequence.load(std::memory_order_acquire);
        std::memcpy(static_cast<void*>(copy.get()), static_cast<const void*>(&block), sizeof block);
        std::atomic_thread_fence(std::memory_order_acquire);
        if ((before & 1) == 0 && block.sequence.load(std::memory_order_relaxed) == before) return copy;
    }
    return nullptr;
}

bool is_in_call(Activity activity) { return activity != Activity::kRunning && activity != Activity::kEnded; }

bool enters_collective(std::uint16_t function) {
    if (function >= kFunctions) return false;
    switch (kTable[function].category) {
        case Category::kCollective:
        case Category::kCommunicator:
        case Category::kWindow:
        case Category::kWindowCollective:
        case Category::kFile:
        case Category::kFileCollective:
            return true;
        default:
            return false;
    }
}

nb::object describe_thread(const Watched& watched, std::uint32_t local, std::uint32_t slot, bool alive) {
    const RankBlock& rank = watched.ledger().rank(local);
    const ThreadCopy t = copy_of(rank.threads[slot]);
    if (t == nullptr) return none();
    const Activity activity = t->activity.load(std::memory_order_relaxed);
    const bool inside = is_in_call(activity);
    const KernelView kernel =
        alive && activity != Activity::kEnded ? kernel_view(rank.process, t->kernel_id) : KernelView{};
    nb::dict d;
    d["slot"] = slot;
    d["kernel_id"] = t->kernel_id;
    d["activity"] = name_of(activity);
    d["function"] = function_name(t->function);
    d["label"] = label_name(t->label);
    d["site"] = t->function == 0 ? none() : describe_site(watched.ledger(), local, t->site);
    d["communicator"] = inside ? index_or_none(t->communicator) : none();
    d["ordinal"] = t->ordinal;
    d["entered"] = watched.seconds(t->entered);
    d["calls"] = t->calls.load(std::memory_order_relaxed);
    d["sequence"] = t->sequence.load(std::memory_order_relaxed);
    d["any_of"] = t->any_of != 0;
    d["waits_overflow"] = t->waits_overflow != 0;
    nb::list waits;
    const std::uint32_t count = inside ? std::min(t->wait_count, kWaits) : 0;
    for (std::uint32_t i = 0; i < count; ++i) waits.append(describe_wait(t->waits[i]));
    d["waits"] = waits;
    d["signature"] = inside && enters_collective(t->function) ? signature_or_none(t->signature) : none();
    d["cpu_seconds"] = kernel.cpu_seconds;
    d["sleeping"] = kernel.sleeping;
    d["stopped"] = kernel.stopped;
    return d;
}

// `whole` becomes false if a thread of it could not be read. Of a dead rank that is final, and nothing to wait for.
nb::dict describe_rank(const Watched& watched, std::uint32_t local, bool& whole) {
    const RankBlock& rank = watched.ledger().rank(local);
    const bool alive = watched.alive(local);
    const RankState state = rank.state.load(std::memory_order_acquire);
    const bool spoke = rank.farewell[0] != 0 || rank.raised.load(std::memory_order_acquire) != 0;
    nb::dict d;
    d["rank"] = rank.world_rank;
    d["local"] = local;
    d["process"] = rank.process;
    d["state"] = name_of(state);
    d["alive"] = alive;
    const std::int32_t status = rank.exit_status.load();
    const bool known = state == RankState::kVanished ? status != kUnknownStatus : state >= RankState::kExited || spoke;
    d["exit_status"] = known ? nb::object(nb::int_(status)) : none();
    d["raised"] = rank.raised.load() != 0;
    d["farewell"] = text(rank.farewell);
    d["python"] = rank.python.load() != 0;
    d["python_threads"] = rank.python_threads.load();
    d["uncertain"] = rank.uncertain.load() != 0;
    d["calls"] = rank.head.load(std::memory_order_relaxed);
    d["freed"] = rank.former_sum.load(std::memory_order_relaxed);
    nb::list threads;
    for (std::uint32_t i = 0; i < kThreads; ++i)
        if (rank.threads[i].activity.load(std::memory_order_acquire) != Activity::kFree) {
            const nb::object thread = describe_thread(watched, local, i, alive);
            if (!thread.is_none())
                threads.append(thread);
            else if (alive)
                whole = false;
        }
    d["threads"] = threads;
    return d;
}

nb::list world_ranks(const Ledger& ledger, const std::uint64_t (&set)[kLocalRanks / 64]) {
    nb::list ranks;
    for (std::uint32_t i = 0; i < ledger.layout().local_ranks; ++i)
        if ((set[i / 64] >> (i % 64) & 1) != 0) ranks.append(ledger.rank(i).world_rank);
    return ranks;
}

nb::dict describe_communicator(const Ledger& ledger, std::uint32_t place) {
    CommunicatorEntry& entry = ledger.communicator(place);
    nb::dict d;
    d["index"] = ledger.index_of(place);
    d["id"] = entry.id.load();
    d["parent"] = entry.parent;
    d["number"] = entry.number;
    d["size"] = entry.size;
    d["kind"] = name_of(entry.kind);
    d["private"] = entry.private_ != 0;
    d["unchecked"] = entry.unchecked.load() != 0;
    const std::uint64_t awaited = entry.awaited.load(std::memory_order_relaxed);
    d["awaited"] = awaited > entry.agreed.load(std::memory_order_relaxed) ? awaited : 0;
    const std::uint64_t failed = entry.failed.load(std::memory_order_relaxed);
    d["failed"] = failed == 0 ? none() : nb::object(nb::int_(failed - 1));
    d["name"] = text(entry.name);
    nb::list lanes;
    for (std::uint32_t i = 0; i < ledger.layout().local_ranks; ++i) {
        Lane& lane = entry.lanes()[i];
        const std::uint32_t state = lane.state.load(std::memory_order_acquire);
        if (state == static_cast<std::uint32_t>(LaneState::kOutside)) continue;
        nb::dict l;
        l["rank"] = ledger.rank(i).world_rank;
        l["rank_in"] = lane.rank;
        l["count"] = lane.count.load();
        l["rolling"] = lane.rolling.load();
        l["fine"] = lane.fine.load();
        l["sizes"] = lane.sizes.load();
        l["kinds"] = lane.kinds.load();
        l["checkpoints"] = checkpoints(lane);
        l["state"] = name_of(static_cast<LaneState>(state));
        l["wildcard_receives"] = lane.posted.load();
        l["site"] = describe_site(ledger, i, lane.site);
        lanes.append(l);
    }
    d["lanes"] = lanes;
    d["remote"] = world_ranks(ledger, entry.remote);
    return d;
}

std::uint32_t local_of(const Ledger& ledger, std::int32_t world) {
    for (std::uint32_t i = 0; i < ledger.layout().local_ranks; ++i)
        if (ledger.rank(i).world_rank == world) return i;
    return kNone;
}

nb::dict describe_channel(const Ledger& ledger, const Channel& c) {
    nb::dict d;
    const bool waits = c.sent.load() != c.received.load();  // only then anybody asks
    d["site"] = waits ? describe_site(ledger, local_of(ledger, c.source), c.site.load()) : none();
    d["communicator"] = c.communicator;
    d["identity"] = c.communicator_id;
    d["source"] = rank_or_none(c.source);
    d["destination"] = c.destination;
    d["tag"] = tag_or_none(c.tag);
    d["sent"] = c.sent.load();
    d["received"] = c.received.load();
    d["posted"] = c.posted.load();
    d["completed"] = c.completed.load();
    return d;
}

nb::object world_or_none(const Ledger& ledger, std::uint32_t local) {
    return local < ledger.layout().local_ranks ? nb::object(nb::int_(ledger.rank(local).world_rank)) : none();
}

// The sites in compiled code that a text refers to as "<site 12>".
nb::dict places_in(const Ledger& ledger, std::uint32_t local, const std::string& text) {
    constexpr std::string_view kMark = "<site ";
    nb::dict found;
    for (std::size_t at = text.find(kMark); at != text.npos; at = text.find(kMark, at + 1)) {
        const auto index = static_cast<std::uint32_t>(std::strtoul(text.c_str() + at + kMark.size(), nullptr, 10));
        found[nb::int_(index)] = describe_site(ledger, local, index);
    }
    return found;
}

nb::dict describe_finding(const Watched& watched, const Finding& f) {
    const Ledger& ledger = watched.ledger();
    nb::dict d;
    d["kind"] = name_of(f.kind);
    d["difference"] = name_of(f.difference);
    d["communicator"] = index_or_none(f.communicator);
    d["ordinal"] = f.ordinal;
    d["rank"] = world_or_none(ledger, f.rank);
    d["other"] = world_or_none(ledger, f.other);
    d["site"] = describe_site(ledger, f.rank, f.site);
    d["other_site"] = describe_site(ledger, f.other, f.other_site);
    d["when"] = watched.seconds(f.when);
    d["mine"] = signature_or_none(f.mine);
    d["theirs"] = signature_or_none(f.theirs);
    d["mine_bytes"] = f.mine_bytes;
    d["theirs_bytes"] = f.theirs_bytes;
    d["text"] = text(f.text);
    d["places"] = places_in(ledger, f.rank, {f.text, strnlen(f.text, sizeof f.text)});
    return d;
}

// Everything that moves, as one number: two equal ones with a look in between make the look consistent.
std::uint64_t digest(const Ledger& ledger) {
    std::uint64_t hash = ledger.header().finding_count.load(std::memory_order_acquire);
    for (std::uint32_t i = 0; i < ledger.layout().local_ranks; ++i) {
        const RankBlock& rank = ledger.rank(i);
        hash = combine(
            hash, static_cast<std::uint64_t>(rank.state.load(std::memory_order_acquire)) << 32 | rank.raised.load());
        for (const ThreadBlock& thread : rank.threads)
            hash = combine(hash, static_cast<std::uint64_t>(thread.sequence.load(std::memory_order_acquire)) << 32 ^
                                     thread.calls.load());
    }
    for (std::uint32_t i = 0; i < ledger.layout().communicators; ++i) {
        CommunicatorEntry& entry = ledger.communicator(i);
        if (entry.id.load(std::memory_order_acquire) == 0) continue;
        for (std::uint32_t r = 0; r < ledger.layout().local_ranks; ++r)
            hash = combine(hash, entry.lanes()[r].count.load());
    }
    for (std::uint32_t i = 0; i < kChannels; ++i) {
        const Channel& c = ledger.channels()[i];
        if (c.state.load(std::memory_order_acquire) != 2) continue;
        hash = combine(hash, static_cast<std::uint64_t>(c.sent.load()) << 32 | c.received.load());
        hash = combine(hash, static_cast<std::uint64_t>(c.posted.load()) << 32 | c.completed.load());
    }
    return hash;
}

nb::dict collect(const Watched& watched, bool& whole) {
    const Ledger& ledger = watched.ledger();
    const Header& header = ledger.header();
    nb::dict d;
    d["taken"] = watched.now();
    d["world_size"] = header.world_size;
    d["job"] = text(header.job);
    d["host"] = text(header.host);
    d["library"] = text(header.library);
    nb::list ranks, communicators, channels, findings;
    for (std::uint32_t i = 0; i < ledger.layout().local_ranks; ++i) ranks.append(describe_rank(watched, i, whole));
    for (std::uint32_t i = 0; i < ledger.layout().communicators; ++i)
        if (ledger.communicator(i).id.load(std::memory_order_acquire) != 0)
            communicators.append(describe_communicator(ledger, i));
    for (std::uint32_t i = 0; i < kChannels; ++i)
        if (ledger.channels()[i].state.load(std::memory_order_acquire) == 2)
            channels.append(describe_channel(ledger, ledger.channels()[i]));
    const std::uint32_t count = std::min(header.finding_count.load(std::memory_order_acquire), kFindings);
    for (std::uint32_t i = 0; i < count && header.findings[i].state.load(std::memory_order_acquire) >= 2; ++i)
        findings.append(describe_finding(watched, header.findings[i]));
    d["ranks"] = ranks;
    d["communicators"] = communicators;
    d["channels"] = channels;
    d["channels_overflow"] = header.channels_overflow.load() != 0;
    d["communicators_overflow"] = header.communicators_overflow.load() != 0;
    d["findings"] = findings;
    return d;
}

nb::dict describe_record(const Watched& watched, std::uint32_t local, const Record& r) {
    nb::dict d;
    d["serial"] = r.serial.load(std::memory_order_relaxed);
    d["rank"] = watched.ledger().rank(local).world_rank;
    d["thread"] = r.thread;
    d["function"] = function_name(r.function);
    d["label"] = label_name(r.label);
    d["communicator"] = index_or_none(r.communicator);
    d["ordinal"] = r.ordinal;
    d["peer"] = rank_or_none(r.peer);
    d["tag"] = tag_or_none(r.tag);
    d["request"] = r.request;
    d["site"] = describe_site(watched.ledger(), local, r.site);
    d["entered"] = watched.seconds(r.entered);
    const std::uint64_t left = r.left.load(std::memory_order_relaxed);
    d["left"] = left == 0 ? none() : nb::object(nb::float_(watched.seconds(left)));
    d["result"] = r.result.load(std::memory_order_relaxed);
    d["signature"] = describe_signature(r.signature);
    return d;
}

}  // namespace

nb::dict describe(const Watched& watched) {
    for (int i = 1;; ++i) {
        const std::uint64_t before = digest(watched.ledger());
        bool whole = true;
        const SharedSites shared;
        nb::dict d = collect(watched, whole);
        const bool consistent = whole && digest(watched.ledger()) == before;
        d["consistent"] = consistent;
        if (consistent || i == kCollects) return d;
    }
}

nb::list describe_history(const Watched& watched, std::uint32_t local, std::size_t count) {
    const Ledger& ledger = watched.ledger();
    const std::uint64_t head = ledger.rank(local).head.load(std::memory_order_acquire);
    const std::uint64_t history = ledger.layout().history;
    const std::uint64_t wanted = std::min<std::uint64_t>({count, head, history});
    nb::list records;
    const auto copy = std::make_unique<Record>();
    for (std::uint64_t at = head - wanted; at < head; ++at) {
        const Record& record = ledger.records(local)[at % history];
        std::memcpy(static_cast<void*>(copy.get()), static_cast<const void*>(&record), sizeof record);
        std::atomic_thread_fence(std::memory_order_acquire);
        if (copy->serial.load() == at + 1 && record.serial.load(std::memory_order_relaxed) == at + 1)
            records.append(describe_record(watched, local, *copy));
    }
    return records;
}

}  // namespace jaxmpi
