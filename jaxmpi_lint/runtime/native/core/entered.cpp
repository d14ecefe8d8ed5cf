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
    if (comm.lane != nullptr) before_ = Before(*comm.lane);
    Arrived arrived{Arrival::kAgrees, 0, {}};
    if (comm.everybody > 1 && comm.compared()) [[likely]] {
        compared_ = true;
        SeriesMember& series = comm.lane->series;
        if (!may_go_on(series, fingerprint(), ordinal()) || !goes_on(*comm.entry, series, ordinal()))
            arrived = arrive();
    }
    record_->communicator = comm.index;
    record_->ordinal = ordinal();
    record_->site = site_;
    record_->signature = described.signature;
    record_.publish();
    if (!compared_) return;
    comm.lane->series.recorded.store(ordinal() + 1, std::memory_order_release);
    if (is_suspect(arrived)) [[unlikely]]
        judge_all(arrived);
}

[[gnu::cold]] Entered::Entered(const Described& described, const Recording& record, std::uint32_t site,
                               const Before& before)
    : described_(described),
      record_(record),
      when_(record_->entered),
      before_(before),
      site_(site),
      compared_(true),
      counted_(true) {}

[[gnu::hot, gnu::noinline]] Arrived Entered::arrive() {
    SeriesMember& series = comm().lane->series;
    look_at_series(*comm().entry, series, fingerprint(), ordinal());
    const bool few = comm().members_here <= kFew;
    const Arrived arrived =
        few ? arrive_among(comm().entry->slots, comm().members_here, comm().place, ordinal(), word())
            : jaxmpi::arrive(comm().slot(ordinal()), word());
    follow_series(*comm().entry, series, comm().members_here, fingerprint(), ordinal());
    return arrived;
}

// What this rank leaves for the others.
SlotWord Entered::word() const {
    return SlotWord::of(ordinal(), process().local, record_.position(), described_.hashes.fingerprint);
}

[[gnu::hot]] bool Entered::is_suspect(const Arrived& arrived) const {
    return arrived.how == Arrival::kDiffers || arrived.how == Arrival::kTooLate ||
           ordinal() < comm().lane->series.others_past;
}

// A note, or what must differ between two groups, does not end the search for an error.
[[gnu::cold]] void Entered::judge_all(Arrived arrived) {
    while (arrived.how == Arrival::kDiffers || arrived.how == Arrival::kTooLate) {
        if (judge(arrived)) return;
        if (comm().members_here > kFew) break;
        arrived = look_among(comm().entry->slots, comm().members_here, comm().place, ordinal(), word(), arrived.next);
    }
    if (ordinal() < comm().lane->series.others_past) judge_past();
}

// Compares with the ranks that have skipped publishing in a series: they have no words.
void Entered::judge_past() {
    for (std::uint16_t local = 0; local < process().ledger.layout().local_ranks; ++local) {
        const bool member = (comm().entry->members[local / 64] >> local % 64 & 1) != 0;
        if (!member || local == process().local || !went_on(comm().entry->lanes()[local].series, ordinal())) continue;
        if (judge({Arrival::kTooLate, 0, {.turn = 0, .local = local, .position = 0, .fingerprint = 0}})) return;
    }
}

bool Entered::said_by(const Arrived& arrived, Signature& theirs, std::uint32_t& site) const {
    const Ledger& ledger = process().ledger;
    const std::uint16_t local = arrived.other.local;
    if (arrived.how == Arrival::kDiffers)
        return published(ledger, arrived.other, comm().index, ordinal(), theirs, site);
    return find_recorded(ledger, local, comm().index, ordinal(), comm().searched[local], theirs, site);
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
    finding.ordinal = ordinal();
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
    finding.ordinal = ordinal();
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
    count_next(*comm().lane, before_, described_.hashes);
}

[[gnu::hot]] void Entered::settle(Word result) {
    record_.leave(result);
    if (integer(result) == 0) [[likely]]
        return;
    if (refused_) return withdraw();  // never forwarded
    if (comm().lane == nullptr) return;
    if (!failed_alone(result)) {
        std::uint64_t none = 0;
        comm().entry->failed.compare_exchange_strong(none, ordinal() + 1, std::memory_order_relaxed);
        if (class_of(result) != process().abi->error_truncate) stop_checking(comm().index, "a collective on it failed");
        return;
    }
    withdraw();
}

[[gnu::cold]] void Entered::withdraw() {
    if (comm().lane == nullptr) return;
    if (compared_) {
        retract(comm().slot(ordinal()), word());
        retract(comm().lane->series, ordinal());
        take_back_parts(static_cast<Function>(signature().function), comm(), ordinal());
    }
    record_->communicator = kNone;
    if (!counted_ || comm().lane->count.load(std::memory_order_relaxed) != ordinal() + 1) return;
    if (is_vector(static_cast<Function>(signature().function))) take_back_distant(comm(), ordinal());
    Lane& lane = *comm().lane;
    lane.rolling.store(before_.rolling, std::memory_order_relaxed);
    lane.fine.store(before_.fine, std::memory_order_relaxed);
    if (Checkpoints::has(ordinal() + 1)) lane.checkpoints.at(ordinal() + 1).store(0, std::memory_order_relaxed);
    lane.count.store(ordinal(), std::memory_order_release);
}

void describe(StateWriter& state, const Call& call, std::uint32_t communicator, const Signature& signature,
              const Wait& wait) {
    state->function = static_cast<std::uint16_t>(call.function);
    state->label = call.thread.label;
    state->wait_count = 1;
    state->any_of = state->waits_overflow = 0;
    state->communicator = communicator;
    state->signature = signature;
    state->waits[0] = wait;
}

[[gnu::hot]] Waiting::Waiting(ThreadContext& thread, const Call& call, const Entered& entered, const Wait& wait)
    : block_(entered.comm().everybody > 1 ? thread.block : nullptr) {
    if (block_ == nullptr) return;
    StateWriter state(*block_);
    state->site = entered.site();
    state->ordinal = entered.ordinal();
    state->entered = entered.when();
    describe(state, call, entered.comm().index, entered.signature(), wait);
    state.step(Activity::kBlocked);
}

[[gnu::hot]] Waiting::~Waiting() {
    if (block_ == nullptr) return;
    StateWriter(*block_).step(Activity::kRunning);
}

}  // namespace jaxmpi
