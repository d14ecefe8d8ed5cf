// The table of communicators: made by who comes first, cleared by who leaves last, taken again by others.
#include "entries.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <set>

#include "board.hpp"
#include "expect.hpp"
#include "ranks.hpp"

using namespace ranks;

namespace {

constexpr std::int32_t kSize = 4;

void all_get_the_same() {
    const Job job(kSize);
    std::vector<std::uint32_t> first(kSize), second(kSize);
    job.run([&](Rank& rank) {
        const auto number = static_cast<std::size_t>(rank.number);
        rank.wait();
        // In the order in which they like.
        if (rank.number % 2 == 0) first[number] = join(100, job.everybody()).index;
        second[number] = join(200, {3, 1, 0, 2}).index;
        if (rank.number % 2 != 0) first[number] = join(100, job.everybody()).index;
    });
    expect(first[0] != kNone && second[0] != kNone && first[0] != second[0]);
    for (std::size_t i = 1; i < kSize; ++i) expect(first[i] == first[0] && second[i] == second[0]);
    int used = 0;
    for (std::uint32_t place = 0; place < job.ledger().layout().communicators; ++place)
        used += job.ledger().communicator(place).id.load() != 0 ? 1 : 0;
    expect_equal(used, 2);
    CommunicatorEntry& entry = job.ledger().indexed(second[0]);
    expect_equal(static_cast<long long>(entry.members[0]), 0b1111);
    expect_equal(entry.size, kSize);
    const std::vector<std::int32_t> places{2, 1, 3, 0};
    for (std::size_t i = 0; i < kSize; ++i) {
        expect_equal(entry.lanes()[i].rank, places[i]);
        expect(entry.lanes()[i].state.load() == static_cast<std::uint32_t>(LaneState::kMember));
    }
}

// All have found that there is none, and come to make it.
void one_makes_it() {
    const Job job(kSize);
    Shared<std::uint32_t>& lock = job.ledger().header().claiming;
    lock.store(99);
    std::thread opens([&lock] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        lock.store(0);
    });
    job.run([&](Rank&) { expect(join(100, job.everybody()).index != kNone); });
    opens.join();
    expect(job.ledger().communicator(0).id.load() == 100);
    expect(job.ledger().communicator(1).id.load() == 0);
}

// A process that holds the lock is killed: its lock of the board is released, and the next rank takes its place.
void lock_of_a_killed_rank_is_taken_over() {
    const Job job(2);
    char folder[] = "/tmp/entries_test.XXXXXX";
    expect(mkdtemp(folder) != nullptr);
    std::snprintf(job.ledger().header().directory, sizeof job.ledger().header().directory, "%s", folder);
    const std::string board = std::string(folder) + "/" + Board::kName;
    const Descriptor here = open_file(board, O_RDWR | O_CREAT);
    int ready[2];
    expect(pipe(ready) == 0);
    const pid_t holder = fork();
    if (holder == 0) {
        const Descriptor file = open_file(board, O_RDWR);
        const bool alive = lock_byte(file, Board::kRanks + 1);
        if (alive && write(ready[1], "x", 1) == 1) pause();
        _exit(1);
    }
    char byte = 0;
    expect(read(ready[0], &byte, 1) == 1);
    job.ledger().header().claiming.store(2);  // by the rank with number 1 on this host
    expect(rank_alive(here, 1));
    kill(holder, SIGKILL);
    waitpid(holder, nullptr, 0);
    job.run([&](Rank& rank) {
        if (rank.number == 0) expect(join(100, job.everybody()).index != kNone);
    });
    unlink(board.c_str());
    rmdir(folder);
}

void two_groups(std::int32_t first) {
    const Job job(kSize);
    job.run([&](Rank& rank) {
        const std::vector<std::int32_t> with_lowest{3, 0}, others{2, 1};
        const bool low = rank.number == 0 || rank.number == 3;
        if (rank.number != first) rank.wait();
        const Communicator one = low ? join(100, with_lowest, others) : join(100, others, with_lowest);
        if (rank.number == first) rank.wait();
        rank.wait();
        expect_equal(static_cast<long long>(one.entry->members[0]), 0b1111);
        expect_equal(static_cast<long long>(one.entry->remote[0]), 0b0110);  // whoever made it
        expect_equal(one.entry->size, 4);
        expect_equal(one.entry->lanes()[3].rank, 0);
        expect_equal(one.entry->lanes()[2].rank, 0);
    });
}

// Again and again the same few places: nobody finds anything of those who were there before, and no index comes twice.
void places_are_taken_again() {
    constexpr std::uint64_t kRounds = 2000;
    const Job job(kSize, 64, 6);
    std::vector<std::vector<std::uint32_t>> indices(kSize);
    job.run([&](Rank& rank) {
        for (std::uint64_t round = 1; round <= kRounds; ++round) {
            if (round % 5 == 0) rank.wait();  // within these, some free what others have not yet made
            const Communicator one = join(round, job.everybody());
            expect(one.index != kNone);
            expect(one.entry->id.load() == round);
            expect_equal(static_cast<long long>(one.lane->count.load()), 0);
            expect_equal(static_cast<long long>(one.lane->rolling.load()), 0);
            expect_equal(one.lane->rank, rank.number);
            one.lane->rolling.store(round);
            one.lane->count.store(round % 3);
            one.entry->slots[static_cast<std::size_t>(rank.number)].store(round);
            indices[static_cast<std::size_t>(rank.number)].push_back(one.index);
            leave_entry(one.index);
        }
    });
    for (std::size_t i = 1; i < kSize; ++i) expect(indices[i] == indices[0]);
    const std::set<std::uint32_t> different(indices[0].begin(), indices[0].end());
    expect_equal(static_cast<long long>(different.size()), kRounds);
    for (std::uint32_t place = 0; place < 6; ++place) expect(job.ledger().communicator(place).id.load() == 0);
    expect_equal(job.ledger().header().communicators_overflow.load(), 0);
    expect_equal(job.ledger().header().claiming.load(), 0);
}

// Pairs of ranks make and free theirs beside each other.
void several_at_once() {
    const Job job(kSize, 64, 12);
    std::atomic<int> pairs[kSize]{};
    job.run([&](Rank& rank) {
        for (std::uint64_t round = 1; round <= 1000; ++round) {
            if (round % 2 == 0) rank.wait();
            const std::int32_t partner = rank.number ^ (round % 2 == 0 ? 1 : 3);
            const std::int32_t low = std::min(rank.number, partner);
            const Communicator one =
                join(round * 10 + static_cast<unsigned>(low), {low, std::max(rank.number, partner)});
            expect(one.index != kNone);
            expect_equal(static_cast<long long>(one.entry->members[0]), 1 << rank.number | 1 << partner);
            expect_equal(static_cast<long long>(one.lane->count.load()), 0);
            one.lane->count.store(7);
            ++pairs[rank.number];
            leave_entry(one.index);
        }
    });
    for (std::uint32_t place = 0; place < 12; ++place) expect(job.ledger().communicator(place).id.load() == 0);
}

void who_has_not_come_keeps_it() {
    const Job job(2);
    job.run([&](Rank& rank) {
        if (rank.number == 0) leave_entry(join(100, {0, 1}).index);
        rank.wait();
        if (rank.number == 1) {
            const Communicator one = join(100, {0, 1});
            expect(one.entry->lanes()[0].state.load() == static_cast<std::uint32_t>(LaneState::kFreed));
            leave_entry(one.index);
            expect(one.entry->id.load() == 0);
        }
    });
}

// The monitor is to see on which communicator histories parted, even when all have freed it.
void histories_that_differ_stay() {
    const Job job(2);
    job.run([&](Rank& rank) {
        const Communicator one = join(100, {0, 1}), two = join(200, {0, 1});
        one.lane->count.store(1 + static_cast<unsigned>(rank.number));
        two.lane->count.store(1);
        two.lane->rolling.store(1 + static_cast<unsigned>(rank.number));
        rank.wait();
        leave_entry(one.index);
        leave_entry(two.index);
        rank.wait();
        expect(one.entry->id.load() == 100);
        expect(two.entry->id.load() == 200);
    });
}

void no_room_is_said_once() {
    forget_all();
    const Job job(2, 64, 2);
    job.run([&](Rank& rank) {
        const Communicator one = join(100, {0, 1});
        expect(join(200, {0, 1}).index != kNone);
        rank.wait();
        expect(join(300, {0, 1}).index == kNone);
        expect(join(400, {0, 1}).index == kNone);
        expect_equal(job.ledger().header().communicators_overflow.load(), 1);
        rank.wait();
        leave_entry(one.index);
        rank.wait();
        expect(join(500, {0, 1}).index != kNone);
    });
    expect_equal(static_cast<long long>(lines.size()), 1);
}

// Killed in the midst of making one: the others do without.
void a_lock_that_is_never_given_back() {
    forget_all();
    const Job job(2);
    job.run([&](Rank& rank) {
        const Communicator before = join(100, {0, 1});
        rank.wait();
        if (rank.number == 0) job.ledger().header().claiming.store(99);
        rank.wait();
        expect(join(200, {0, 1}).index == kNone);
        expect(join(100, {0, 1}).index == before.index);  // what is there is found
    });
}

void an_end_of_the_checks_is_said_once() {
    forget_all();
    const Job job(kSize);
    job.run([&](Rank& rank) {
        const Communicator one = join(100, job.everybody());
        rank.wait();
        stop_checking(one.index, "of a test");
        expect(!one.compared());
        stop_checking(kNone, "of nothing");
    });
    expect_equal(static_cast<long long>(lines.size()), 1);
    expect(lines[0] == "tested is no longer checked: of a test");
}

}  // namespace

int main() {
    all_get_the_same();
    one_makes_it();
    lock_of_a_killed_rank_is_taken_over();
    for (std::int32_t first = 0; first < kSize; ++first) two_groups(first);
    places_are_taken_again();
    several_at_once();
    who_has_not_come_keeps_it();
    histories_that_differ_stay();
    no_room_is_said_once();
    a_lock_that_is_never_given_back();
    an_end_of_the_checks_is_said_once();
}
