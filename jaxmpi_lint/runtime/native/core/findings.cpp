#include "findings.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>

#include "closing.hpp"
#include "futex.hpp"
#include "output.hpp"
#include "service.hpp"
#include "thread.hpp"

namespace jaxmpi {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::uint32_t kBeingWritten = 1, kComplete = 2, kSuppressed = 3;
constexpr double kJudgement = 5;  // seconds that `raise` waits for the monitor to print its report

bool same(const Finding& a, const Finding& b) {
    return a.kind == b.kind && a.difference == b.difference && a.rank == b.rank && a.other == b.other &&
           a.site == b.site && a.other_site == b.other_site && a.site != kNone;
}

// The place of an equal finding, or of this one, now written; kNone if there is no room.
std::uint32_t place(const Finding& what, bool& fresh) {
    Header& header = process().ledger.header();
    const std::uint32_t known = std::min(header.finding_count.load(std::memory_order_acquire), kFindings);
    for (std::uint32_t i = 0; i < known; ++i)
        if (header.findings[i].state.load(std::memory_order_acquire) >= kComplete && same(header.findings[i], what))
            return i;
    fresh = true;
    const std::uint32_t index = header.finding_count.fetch_add(1, std::memory_order_acq_rel);
    if (index >= kFindings) return kNone;
    Finding& to = header.findings[index];
    to.state.store(kBeingWritten, std::memory_order_relaxed);
    constexpr std::size_t skip = offsetof(Finding, kind);
    std::memcpy(reinterpret_cast<char*>(&to) + skip, reinterpret_cast<const char*>(&what) + skip,
                sizeof(Finding) - skip);
    to.state.store(kComplete, std::memory_order_release);
    ring_alarm();
    return index;
}

const char* name_of(const Signature& signature) {
    return signature.function < kFunctions ? kTable[signature.function].name : "";
}

// All that can be said without the monitor.
void report_alone(const Finding& what) {
    std::string line = "ERROR: " + std::string(name_of(what.mine)) + " of " + where(what.rank, what.site);
    if (what.other != kNone)
        line += " does not match " + std::string(name_of(what.theirs)) + " of " + where(what.other, what.other_site);
    if (what.text[0] != 0) line += ": " + std::string(what.text);
    say((line + " (monitor not running: no further details)").c_str());
}

bool decided(std::uint32_t index) { return process().ledger.header().reported.load(std::memory_order_acquire) > index; }
bool suppressed(std::uint32_t index) {
    return process().ledger.header().findings[index].state.load(std::memory_order_acquire) == kSuppressed;
}

// Until the monitor has dealt with the finding, or for `seconds`; whether it has. `seconds` < 0: until it is gone.
bool await_monitor(std::uint32_t index, double seconds) {
    Header& header = process().ledger.header();
    const auto begin = Clock::now();
    while (!decided(index)) {
        if (header.verdict.load(std::memory_order_acquire) != 0) wait_for_the_end();
        if (seconds >= 0 && std::chrono::duration<double>(Clock::now() - begin).count() >= seconds) return false;
        const std::uint32_t serial = header.verdict_serial.load(std::memory_order_acquire);
        if (!decided(index)) futex_wait(header.verdict_serial, serial, seconds >= 0 ? std::min(seconds, 0.02) : 0.1);
        if (monitor_gone()) return false;
    }
    return true;
}

class Held {
  public:
    explicit Held(ThreadBlock* block) : block_(block) {
        if (block_ == nullptr) return;
        before_ = block_->activity.load(std::memory_order_relaxed);
        StateWriter(*block_)->activity.store(Activity::kHeld, std::memory_order_relaxed);
    }
    ~Held() {
        if (block_ != nullptr) StateWriter(*block_)->activity.store(before_, std::memory_order_relaxed);
    }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

  private:
    ThreadBlock* block_;
    Activity before_{};
};

}  // namespace

std::string where(std::uint32_t local, std::uint32_t site) {
    if (local >= process().ledger.layout().local_ranks) return "";
    std::string text = "rank " + std::to_string(process().ledger.rank(local).world_rank);
    if (const Site* const at = process().ledger.site(local, site)) {
        text += std::string(" at ") + at->file;
        if (at->address == 0) text.append(":").append(std::to_string(at->line));  // GCC 12 warns about operator+
    }
    return text;
}

Decision report_and_hold(const Finding& what) {
    const Options& options = process().options;
    bool fresh = false;
    const std::uint32_t index = place(what, fresh);
    const Decision outcome = options.on_error == Options::OnError::kRaise ? Decision::kRaise : Decision::kForward;
    if (options.on_error != Options::OnError::kAbort) {
        if (!fresh || index == kNone) return index != kNone && suppressed(index) ? Decision::kForward : outcome;
        const Held held(this_thread().block);
        // An exception, or MPI after it has refused a call, may end the job before the report is printed.
        const bool may_end_the_job = outcome == Decision::kRaise || what.kind == FindingKind::kRefused;
        if (!await_monitor(index, may_end_the_job ? kJudgement : options.hold_ms / 1000.0) && monitor_gone())
            report_alone(what);
        return suppressed(index) ? Decision::kForward : outcome;
    }
    const Held held(this_thread().block);
    if (index != kNone && await_monitor(index, -1))
        return Decision::kForward;  // suppressed, or it would have ended the job
    report_alone(what);
    end_job(process().ledger, static_cast<std::int32_t>(options.exitcode));
    wait_for_the_end();
}

void report(const Finding& what) {
    bool fresh = false;
    (void)place(what, fresh);
}

}  // namespace jaxmpi
