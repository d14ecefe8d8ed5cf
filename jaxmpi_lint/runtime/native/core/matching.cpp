#include "matching.hpp"

#include "compare.hpp"
#include "hashing.hpp"
#include "slot.hpp"

namespace jaxmpi {
namespace {

struct Publisher {
    Signature signature;
    std::uint32_t site;
};

// The first arriver's record, if it is still the one that the slot speaks of.
bool read(std::uint32_t local, std::uint32_t position, std::uint32_t communicator, std::uint64_t ordinal, Publisher& out) {
    const Record& record = process().ledger.records(local)[position];
    const std::uint64_t before = record.serial.load(std::memory_order_acquire);
    if (before == 0 || record.communicator != communicator || record.ordinal != ordinal) return false;
    out = {record.signature, record.site};
    std::atomic_thread_fence(std::memory_order_acquire);
    return record.serial.load(std::memory_order_relaxed) == before;
}

Flow flow_of(const Signature& signature) { return kTable[signature.function].flow; }

}  // namespace

Entering::Entering(ThreadContext& thread, Function function, Communicator& communicator, const Signature& signature,
                   std::uint32_t site)
    : communicator_(communicator), signature_(signature), site_(site), recording_(thread, function), function_(function) {
    Lane& lane = *communicator.lane;
    ordinal_ = lane.count.load(std::memory_order_relaxed);
    rolling_before_ = lane.rolling.load(std::memory_order_relaxed);
    hash_ = fingerprint(signature);
    recording_->communicator = communicator.index;
    recording_->ordinal = ordinal_;
    recording_->site = site;
    recording_->signature = signature;
    recording_.publish();
    lane.rolling.store(combine(rolling_before_, coarse(signature, communicator.inter)), std::memory_order_relaxed);
    lane.count.store(ordinal_ + 1, std::memory_order_release);
}

Decision Entering::compare() {
    if (communicator_.entry->unchecked.load(std::memory_order_relaxed) != 0) return Decision::kForward;
    const auto answer = Slot(*communicator_.entry, ordinal_).arrive(process().local, recording_.position(), hash_);
    if (answer.arrival != Slot::Arrival::kDiffers) return Decision::kForward;
    return differs(answer.first, answer.position);
}

Decision Entering::differs(std::uint32_t first, std::uint32_t position) {
    Publisher other{};
    if (!read(first, position, communicator_.index, ordinal_, other)) return Decision::kForward;
    const Difference what = difference(signature_, other.signature);
    if (what == Difference::kNothing) return Decision::kForward;
    Finding finding{};
    finding.kind = FindingKind::kMismatch;
    finding.difference = what;
    finding.communicator = communicator_.index;
    finding.ordinal = ordinal_;
    finding.rank = process().local;
    finding.other = first;
    finding.site = site_;
    finding.other_site = other.site;
    finding.when = ticks();
    finding.mine_bytes = signature_.bytes;
    finding.theirs_bytes = other.signature.bytes;
    finding.mine = signature_;
    finding.theirs = other.signature;
    if (is_error(what)) return report_and_hold(finding);
    report(finding);
    return Decision::kForward;
}

void Entering::leave(Word result) {
    recording_.leave(result);
    Lane& lane = *communicator_.lane;
    if (static_cast<std::int32_t>(result) == 0 || communicator_.entry == nullptr ||
        lane.count.load(std::memory_order_relaxed) != ordinal_ + 1)
        return;
    Slot(*communicator_.entry, ordinal_).withdraw(process().local, recording_.position(), hash_);
    lane.rolling.store(rolling_before_, std::memory_order_relaxed);
    lane.count.store(ordinal_, std::memory_order_release);
}

// Calls that return alone on both MPI libraries, as seen, wait for nobody for certain.
Wait Entering::wait() const {
    const bool root = !communicator_.inter && signature_.root == communicator_.rank;
    const bool empty = signature_.elements == 0 && !(signature_.flags & kCountUnknown) &&
                       signature_.function != static_cast<std::uint16_t>(Function::kBarrier);
    Wait wait{};
    wait.kind = WaitKind::kCollective;
    wait.flow = static_cast<std::uint8_t>(flow_of(signature_));
    wait.peer = signature_.root == kNobody ? kNobody : communicator_.world_of(signature_.root);
    wait.tag = kAny;
    wait.communicator = communicator_.index;
    wait.ordinal = ordinal_;
    switch (flow_of(signature_)) {
        case Flow::kAll:
            wait.certain = !empty && !(signature_.flags & kCountUnknown);
            break;
        case Flow::kFromRoot:
            wait.certain = !empty && !root && !communicator_.inter;
            break;
        case Flow::kToRoot:
            wait.certain = !empty && root;
            break;
        default:
            wait.certain = 0;
    }
    // A barrier has no data; pickled methods always move something.
    if (signature_.flags & kPickled)
        wait.certain = flow_of(signature_) == Flow::kAll || (flow_of(signature_) == Flow::kFromRoot && !root) ||
                       (flow_of(signature_) == Flow::kToRoot && root);
    (void)function_;
    return wait;
}

}  // namespace jaxmpi
