// What ranks of two hosts keep for the monitors: the parts that they exchange, and the communicators that they free.
#include <functional>
#include <tuple>

#include "collectives.hpp"
#include "distant_parts.hpp"
#include "exchanging.hpp"
#include "expect.hpp"
#include "vectors.hpp"

using namespace ranks;

namespace {

constexpr std::uint64_t kId = 4711;
constexpr std::int32_t kHere = 2;  // ranks of each host

struct Sums {
    std::uint64_t sizes = 0, kinds = 0, freed = 0;
};

// Ranks 0 and 1 on one host, 2 and 3 on the other. They run after each other: no rank waits for one elsewhere.
class TwoHosts {
  public:
    explicit TwoHosts(std::uint32_t history = 64)
        : hosts_{Job(kHere, history, 8, 0, kSize), Job(kHere, history, 8, kHere, kSize)} {}

    // All ranks enter one Alltoallv after another, with arguments that may be changed.
    void exchange(std::uint64_t count, const std::function<void(std::int32_t, std::uint64_t, Exchange&)>& change) {
        run([&](Rank& rank, Communicator& comm) {
            for (std::uint64_t ordinal = 0; ordinal < count; ++ordinal) {
                Exchange exchange(process().world_rank);
                change(process().world_rank, ordinal, exchange);
                keep_distant_parts(exchange.call(rank), comm, kNobody, ordinal);
            }
        });
    }
    void run(const std::function<void(Rank&, Communicator&)>& program) {
        for (const Job& host : hosts_)
            host.run([&](Rank& rank) {
                Communicator comm = join(kId, host.everybody());
                program(rank, comm);
                sums_.sizes += comm.lane->sizes.load();
                sums_.kinds += comm.lane->kinds.load();
                sums_.freed += process().block->former_sum.load();
                rank.wait();
            });
    }
    Sums sums() const { return {sums_.sizes, sums_.kinds, sums_.freed}; }
    const Job& host(std::size_t number) const { return hosts_[number]; }

  private:
    struct {
        std::atomic<std::uint64_t> sizes, kinds, freed;
    } sums_{};
    std::array<Job, 2> hosts_;
};

void nothing_changes(std::int32_t, std::uint64_t, Exchange&) {}

void parts_that_fit_cancel_out() {
    TwoHosts two;
    two.exchange(3, nothing_changes);
    expect(two.sums().sizes == 0 && two.sums().kinds == 0);
}

void a_size_that_does_not_fit() {
    TwoHosts two;
    two.exchange(3, [](std::int32_t rank, std::uint64_t ordinal, Exchange& one) {
        if (rank == 3 && ordinal == 1) ++one.sends[0];
    });
    expect(two.sums().sizes != 0 && two.sums().kinds != 0);
}

void a_type_that_does_not_fit() {
    TwoHosts two;
    two.exchange(1, [](std::int32_t rank, std::uint64_t, Exchange& one) {
        if (rank == 3) one.sendtype = kIntegers;
        one.sends.fill(rank == 3 ? 4 : 2);
        one.receives.fill(2);
    });
    expect(two.sums().sizes == 0);
    expect(two.sums().kinds != 0);
}

void ranks_of_one_host_are_no_concern() {
    TwoHosts two;
    two.exchange(1, [](std::int32_t rank, std::uint64_t, Exchange& one) {
        if (rank == 0) one.sends[1] = 99;
    });
    expect(two.sums().sizes == 0 && two.sums().kinds == 0);
}

// Each rank has sent two parts to the other host, and expects two, in the order of its arguments.
void what_the_ring_holds() {
    TwoHosts two;
    two.exchange(2, nothing_changes);
    const Ledger ledger = two.host(0).ledger();
    expect_equal(ledger.rank(1).distant.load(), 8);
    const std::array<std::tuple<std::int32_t, int>, 4> wanted{{{2, 1}, {3, 1}, {2, 0}, {3, 0}}};
    for (std::uint32_t at = 0; at < 8; ++at) {
        const DistantPart& part = ledger.distant_parts(1)[at];
        const auto [peer, sending] = wanted[at % 4];
        expect_equal(part.serial.load(), at + 1);
        expect_equal(part.ordinal, at / 4);
        expect_equal(part.peer, peer);
        expect_equal(part.sending, sending);
        const auto elements = sending == 1 ? Exchange::between(1, peer) : Exchange::between(peer, 1);
        expect_equal(part.bytes, static_cast<std::uint32_t>(elements) * 8);
    }
}

void a_ring_that_holds_no_collective_is_not_used() {
    TwoHosts two(7);
    two.exchange(2, [](std::int32_t rank, std::uint64_t, Exchange& one) { one.sends.fill(rank); });
    expect(two.sums().sizes == 0 && two.sums().kinds == 0);
    expect_equal(two.host(0).ledger().rank(0).distant.load(), 0);
}

void what_is_taken_back_adds_nothing() {
    TwoHosts two;
    two.run([](Rank& rank, Communicator& comm) {
        Exchange wrong(process().world_rank), right(process().world_rank);
        wrong.sends.fill(process().world_rank + 10);
        keep_distant_parts(right.call(rank), comm, kNobody, 0);
        keep_distant_parts(wrong.call(rank), comm, kNobody, 1);
        take_back_distant(comm, 1);
        keep_distant_parts(right.call(rank), comm, kNobody, 1);
    });
    expect(two.sums().sizes == 0 && two.sums().kinds == 0);
    const Ledger ledger = two.host(0).ledger();
    for (std::uint32_t at = 0; at < 12; ++at)
        expect_equal(ledger.distant_parts(0)[at].serial.load(), at / 4 == 1 ? 0 : at + 1);
}

// Each rank enters some collectives on the communicator and frees it.
Sums freed(const std::function<std::uint64_t(std::int32_t)>& entered) {
    TwoHosts two;
    two.run([&](Rank&, Communicator& comm) {
        comm.lane->count.store(3);
        comm.lane->rolling.store(entered(process().world_rank));
        leave_entry(comm.index);
    });
    const Former& one = two.host(1).ledger().rank(0).former[0];
    expect_equal(one.serial.load(), 1);
    expect_equal(one.rank, 2);
    expect(one.id == kId && one.count == 3 && one.rolling == entered(2));
    return two.sums();
}

void freed_communicators_cancel_out() {
    expect(freed([](std::int32_t) { return 5; }).freed == 0);
    expect(freed([](std::int32_t rank) { return rank == 3 ? 6 : 5; }).freed != 0);
    expect(freed([](std::int32_t rank) { return rank < kHere ? 6 : 5; }).freed != 0);
}

}  // namespace

int main() {
    parts_that_fit_cancel_out();
    a_size_that_does_not_fit();
    a_type_that_does_not_fit();
    ranks_of_one_host_are_no_concern();
    what_the_ring_holds();
    a_ring_that_holds_no_collective_is_not_used();
    what_is_taken_back_adds_nothing();
    freed_communicators_cancel_out();
}
