#include "leftovers.hpp"

#include <algorithm>
#include <cstdio>

#include "findings.hpp"
#include "requests.hpp"

namespace jaxmpi {
namespace {

// Findings of one kind, one for each pair of lines, each with how many there were.
class Tally {
  public:
    void add(const Finding& one) {
        for (std::size_t i = 0; i < size_; ++i)
            if (findings_[i].site == one.site && findings_[i].other == one.other &&
                findings_[i].other_site == one.other_site) {
                findings_[i].mine_bytes += one.mine_bytes;
                return;
            }
        if (size_ < kMost) copy(findings_[size_++], one);
    }
    void tell() const {
        for (std::size_t i = 0; i < size_; ++i) report(findings_[i]);
    }

  private:
    static constexpr std::size_t kMost = 8;
    static void copy(Finding& to, const Finding& from) {
        to.kind = from.kind;
        to.communicator = from.communicator;
        to.rank = from.rank;
        to.other = from.other;
        to.site = from.site;
        to.other_site = from.other_site;
        to.when = from.when;
        to.mine_bytes = from.mine_bytes;
        std::copy(std::begin(from.text), std::end(from.text), std::begin(to.text));
    }
    Finding findings_[kMost]{};
    std::size_t size_ = 0;
};

void blank(Finding& finding, FindingKind kind, std::uint32_t communicator) {
    finding.kind = kind;
    finding.communicator = communicator;
    finding.rank = process().local;
    finding.other = finding.site = finding.other_site = kNone;
    finding.when = ticks();
}

void report_requests() {
    Tally tally;
    requests().each([&tally](const Request& request) {
        const bool moves = (request.sends && !request.out.lonely) || (request.receives && !request.in.lonely);
        if (!request.active || request.cancelled || (!moves && !request.collective)) return;
        Finding finding{};
        blank(finding, FindingKind::kUnfinished,
              request.collective ? request.wait.communicator : (request.sends ? request.out : request.in).index);
        finding.site = request.site;
        finding.mine_bytes = 1;
        std::snprintf(finding.text, sizeof finding.text, "%s", kTable[static_cast<std::size_t>(request.function)].name);
        tally.add(finding);
    });
    tally.tell();
}

void report_messages() {
    const Process& self = process();
    if (self.ledger.header().channels_overflow.load() != 0 || self.block->uncertain.load() != 0) return;
    Tally tally;
    for (std::uint32_t i = 0; i < kChannels; ++i) {
        const Channel& channel = self.ledger.channels()[i];
        if (channel.state.load(std::memory_order_acquire) != 2 || channel.destination != self.world_rank) continue;
        const std::uint32_t sent = channel.sent.load(), received = channel.received.load();
        if (channel.source < 0 || static_cast<std::int32_t>(sent - received) <= 0) continue;
        Finding finding{};
        blank(finding, FindingKind::kUnreceived, channel.communicator);
        finding.other = self.local_of_world(channel.source);
        finding.other_site = channel.site.load();
        finding.mine_bytes = sent - received;
        std::snprintf(finding.text, sizeof finding.text, "tag %d", channel.tag);
        if (finding.other != kNone) tally.add(finding);
    }
    tally.tell();
}

}  // namespace

void report_leftovers() {
    report_requests();
    report_messages();
}

}  // namespace jaxmpi
