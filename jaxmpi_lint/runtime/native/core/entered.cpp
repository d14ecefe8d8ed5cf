#include <cstdio>

#include "collectives.hpp"
#include "compare.hpp"
#include "distant_parts.hpp"
#include "entries.hpp"
#include "overtaken.hpp"
#include "routine.hpp"
#include "vectors.hpp"

namespace jaxmpi {
namespace {

const Routine error_class{"PMPI_Error_class"};

int class_of(Word result) {
    int found = 0;
    return error_class(integer(result), &found) == 0 ? found : -1;
}

Sides sides_of(const Communicator& comm, std::uint32_t other) {
    if (!comm.inter) return Sides::kOneGroup;
    const auto side = [&](std::uint32_t local) { return comm.entry->remote[local / 64] >> local % 64 & 1; };
    return side(process().local) == side(other) ? Sides::kSameGroup : Sides::kOtherGroup;
}

}  // namespace

Word error_code() { return static_cast<Word>(process().abi->error_other); }

bool failed_alone(Word result) {
    const int found = class_of(result);
    return found >= 1 && found <= process().abi->error_argument;
}

[[gnu::hot]] Entered::Entered(ThreadContext& thread, Function function, const Described& described)
    : described_(described), record_(thread, function), when_(record_->entered), site_(call_site()) {
    const Communicator& comm = *described.comm;
    if (comm.lane != nullptr) {
        ordinal_ = comm.lane->count.load(std::memory_order_relaxed);
        rolling_before_ = comm.lane->rolling.load(std::memory_order_relaxed);
        fine_before_ = comm.lane->fine.load(std::memory_order_relaxed);
    }
    Arrived arrived{Arrival::kAgrees, 0, {}};
    if (comm.everybody > 1 && comm.compared()) [[likely]] {
        compared_ = true;
        if (!goes_on(*comm.entry, comm.lane->series, fingerprint(), ordinal_)) arrived = arrive();
    }
    record_->communicator = comm.index;
    record_->ordinal = ordinal_;
    record_->site = site_;
    record_->signature = described.signature;
    record_.publish();
    if (!compared_) return;
    comm.lane->series.recorded.store(ordinal_ + 1, std::memory_order_release);
    if (is_suspect(arrived)) [[unlikely]]
        judge_all(arrived);
}

[[gnu::hot, gnu::noinline]] Arrived Entered::arrive() {
    SeriesMember& series = comm().lane->series;
    look_at_series(*comm().entry, series, fingerprint(), ordinal_);
    const bool few = comm().members_here <= kFew;
    const Arrived arrived = few ? arrive_among(comm().entry->slots, comm().members_here, comm().place, ordinal_, word())
                                : jaxmpi::arrive(comm().slot(ordinal_), word());
    follow_series(*comm().entry, series, comm().members_here, fingerprint(), ordinal_);
    return arrived;
}

// What this rank leaves for the others.
SlotWord Entered::word() const {
    return SlotWord::of(ordinal_, process().local, record_.position(), described_.hashes.fingerprint);
}

[[gnu::hot]] bool Entered::is_suspect(const Arrived& arrived) const {
    return arrived.how == Arrival::kDiffers || arrived.how == Arrival::kTooLate ||
           ordinal_ < comm().lane->series.others_past;
}

// A note, or what must differ between two groups, does not end the search for an error.
[[gnu::cold]] void Entered::judge_all(Arrived arrived) {
    while (arrived.how == Arrival::kDiffers || arrived.how == Arrival::kTooLate) {
        if (judge(arrived)) return;
        if (comm().members_here > kFew) break;
        arrived = look_among(comm().entry->slots, comm().members_here, comm().place, ordinal_, word(), arrived.next);
    }
    if (ordinal_ < comm().lane->series.others_past) judge_past();
}

// Compares with the ranks that have skipped publishing in a series: they have no words.
void Entered::judge_past() {
    for (std::uint16_t local = 0; local < process().ledger.layout().local_ranks; ++local) {
        const bool member = (comm().entry->members[local / 64] >> local % 64 & 1) != 0;
        if (!member || local == process().local || !went_on(comm().entry->lanes()[local].series, ordinal_)) continue;
        if (judge({Arrival::kTooLate, 0, {.turn = 0, .local = local, .position = 0, .fingerprint = 0}})) return;
    }
}

bool Entered::said_by(const Arrived& arrived, Signature& theirs, std::uint32_t& site) const {
    const Ledger& ledger = process().ledger;
    const std::uint16_t local = arrived.other.local;
    if (arrived.how == Arrival::kDiffers) return published(ledger, arrived.other, comm().index, ordinal_, theirs, site);
    return find_recorded(ledger, local, comm().index, ordinal_, comm().searched[local], theirs, site);
}

// Whether it is an error.
bool Entered::judge(const Arrived& arrived) {
    const SlotWord& other = arrived.other;
    Finding finding{};
    if (!said_by(arrived, finding.theirs, finding.other_site)) return false;
    finding.difference = difference(signature(), finding.theirs, sides_of(comm(), other.local));
    if (finding.difference == Difference::kNothing) return false;
    finding.kind = FindingKind::kMismatch;
    finding.communicator = comm().index;
    finding.ordinal = ordinal_;
    finding.rank = process().local;
    finding.other = other.local;
    finding.site = site_;
    finding.when = ticks();
    finding.mine = signature();
    if (!is_error(finding.difference)) {
        report(finding);
        return false;
    }
    if (report_and_hold(finding) == Decision::kRaise) refused_ = true;
    return true;
}

namespace {

// The collective with one of its parts as the data.
Signature with_part(Signature signature, const Part& part) {
    signature.base = part.base();
    signature.width = part.width();
    signature.bytes = part.bytes;
    signature.elements = part.width() == 0 ? 0 : part.bytes / part.width();
    return signature;
}

}  // namespace

void Entered::report_part(const Disagreement& part, const char* text) {
    Finding finding{};
    finding.kind = FindingKind::kCounts;
    finding.difference = Difference::kPart;
    finding.communicator = comm().index;
    finding.ordinal = ordinal_;
    finding.rank = process().local;
    const bool own = part.peer == comm().rank;
    finding.other = own ? kNone : process().local_of_world(comm().world[static_cast<std::size_t>(part.peer)]);
    finding.site = site_;
    finding.other_site = kNone;
    finding.when = ticks();
    finding.mine = with_part(signature(), part.mine);
    finding.theirs = with_part(signature(), part.theirs);
    finding.mine_bytes = part.mine.bytes;
    finding.theirs_bytes = part.theirs.bytes;
    std::snprintf(finding.text, sizeof finding.text, "%s", text);
    if (report_and_hold(finding) == Decision::kRaise) refused_ = true;
}

[[gnu::hot]] void Entered::count() {
    if (comm().lane == nullptr) return;
    counted_ = true;
    Lane& lane = *comm().lane;
    const std::uint64_t number = ordinal_ + 1, rolling = rolled(rolling_before_, described_.hashes.coarse);
    lane.rolling.store(rolling, std::memory_order_relaxed);
    lane.fine.store(rolled(fine_before_, described_.hashes.fingerprint), std::memory_order_relaxed);
    if (Checkpoints::has(number)) [[unlikely]]
        lane.checkpoints.at(number).store(rolling, std::memory_order_relaxed);
    lane.count.store(number, std::memory_order_release);
}

[[gnu::hot]] void Entered::settle(Word result) {
    record_.leave(result);
    if (integer(result) == 0) [[likely]]
        return;
    if (refused_) return withdraw();  // never forwarded
    if (comm().lane == nullptr) return;
    if (!failed_alone(result)) {
        std::uint64_t none = 0;
        comm().entry->failed.compare_exchange_strong(none, ordinal_ + 1, std::memory_order_relaxed);
        if (class_of(result) != process().abi->error_truncate) stop_checking(comm().index, "a collective on it failed");
        return;
    }
    withdraw();
}

[[gnu::cold]] void Entered::withdraw() {
    if (comm().lane == nullptr) return;
    if (compared_) {
        retract(comm().slot(ordinal_), word());
        retract(comm().lane->series, ordinal_);
        take_back_parts(static_cast<Function>(signature().function), comm(), ordinal_);
    }
    record_->communicator = kNone;
    if (!counted_ || comm().lane->count.load(std::memory_order_relaxed) != ordinal_ + 1) return;
    if (is_vector(static_cast<Function>(signature().function))) take_back_distant(comm(), ordinal_);
    Lane& lane = *comm().lane;
    lane.rolling.store(rolling_before_, std::memory_order_relaxed);
    lane.fine.store(fine_before_, std::memory_order_relaxed);
    if (Checkpoints::has(ordinal_ + 1)) lane.checkpoints.at(ordinal_ + 1).store(0, std::memory_order_relaxed);
    lane.count.store(ordinal_, std::memory_order_release);
}

}  // namespace jaxmpi
