// Collectives that everybody repeats: without words for each other, and still everybody sees who does otherwise.
#include "series.hpp"

#include <atomic>
#include <random>
#include <set>

#include "entering.hpp"
#include "expect.hpp"

using namespace ranks;

namespace {

constexpr std::uint64_t kEnough = 1000;  // repetitions after which every series has begun, whatever was before

bool is_whole(const Communicator& comm) { return comm.lane->series.from != kNever; }

void repeat(Rank& rank, Communicator& comm, std::uint64_t times) {
    for (std::uint64_t i = 0; i < times; ++i) enter(rank, comm, allreduce());
}

void no_words_are_left_in_a_series(std::int32_t size) {
    forget_all();
    const Job job(size);
    job.run([&](Rank& rank) {
        Communicator comm = join(kId, job.everybody());
        rank.wait();
        repeat(rank, comm, kEnough);
        rank.wait();
        repeat(rank, comm, 1);
        rank.wait();
        expect(is_whole(comm));
        const std::uint64_t word = comm.slot(comm.lane->count.load()).load();
        rank.wait();
        repeat(rank, comm, kSlots);
        expect(comm.slot(comm.lane->count.load()).load() == word);
        expect(comm.lane->series.past.load() == kEnough + 1 + kSlots);
    });
    expect(noticed.empty());
}

// Whoever comes last with another call than the rest finds it, and whoever comes last after another call.
void the_one_that_differs_is_found(std::int32_t size, bool odd_comes_first) {
    forget_all();
    const Job job(size);
    job.run([&](Rank& rank) {
        Communicator comm = join(kId, job.everybody());
        rank.wait();
        repeat(rank, comm, kEnough);
        rank.wait();
        repeat(rank, comm, 1);
        rank.wait();
        if ((rank.number == 0) == odd_comes_first) enter(rank, comm, allreduce(rank.number == 0 ? 5 : 4));
        rank.wait();
        if ((rank.number == 0) != odd_comes_first) enter(rank, comm, allreduce(rank.number == 0 ? 5 : 4));
        rank.wait();
        expect(rank.number != 0 || !is_whole(comm));
    });
    expect(!noticed.empty());
    for (const Noticed& one : noticed) {
        expect_equal(static_cast<long long>(one.ordinal), kEnough + 1);
        expect((one.rank == 0) != (one.other == 0));
        expect((one.rank == 0) != odd_comes_first);  // the second of the two
        expect_equal(static_cast<long long>(one.mine.elements), one.rank == 0 ? 5 : 4);
    }
}

void one_that_lags_behind_is_compared_with_those_who_went_on() {
    forget_all();
    constexpr std::uint64_t kAhead = 300;
    const Job job(3, 4096);
    job.run([&](Rank& rank) {
        Communicator comm = join(kId, job.everybody());
        rank.wait();
        repeat(rank, comm, kEnough);
        rank.wait();
        if (rank.number != 0) repeat(rank, comm, kAhead);
        rank.wait();
        if (rank.number == 1) enter(rank, comm, allreduce(9));  // ends the series while 0 is far behind
        rank.wait();
        if (rank.number == 0) {
            for (std::uint64_t i = 0; i < kAhead; ++i) enter(rank, comm, allreduce(i % 100 == 50 ? 5 : 4));
            enter(rank, comm, allreduce(9));
        }
        rank.wait();
        if (rank.number == 2) enter(rank, comm, allreduce(9));
    });
    std::set<std::uint64_t> ordinals;
    for (const Noticed& one : noticed) {
        ordinals.insert(one.ordinal);
        expect(one.rank == 0 && one.mine.elements == 5 && one.theirs.elements == 4);
    }
    expect(ordinals == std::set<std::uint64_t>{kEnough + 50, kEnough + 150, kEnough + 250});
}

void a_call_that_failed_alone_was_none() {
    forget_all();
    constexpr Word kArgument = 2;  // a class of errors that is the caller's own
    const Job job(2);
    job.run([&](Rank& rank) {
        Communicator comm = join(kId, job.everybody());
        rank.wait();
        repeat(rank, comm, kEnough);
        rank.wait();
        repeat(rank, comm, 1);
        rank.wait();
        if (rank.number == 0) {
            enter(rank, comm, allreduce(), kArgument);
            expect_equal(static_cast<long long>(comm.lane->series.past.load()), kEnough + 1);
        }
        rank.wait();
        if (rank.number == 1) enter(rank, comm, allreduce(5));  // nobody has been there
        rank.wait();
        if (rank.number == 0) enter(rank, comm, allreduce(5));
    });
    expect(noticed.empty());
}

void words_are_refreshed() {
    forget_all();
    const Job job(2);
    job.run([&](Rank& rank) {
        Communicator comm = join(kId, job.everybody());
        comm.lane->count.store(kRefreshed - kEnough);
        rank.wait();
        repeat(rank, comm, kEnough);
        rank.wait();
        repeat(rank, comm, kSlots);
        rank.wait();
        expect(is_whole(comm));
        expect(SlotWord::unpacked(comm.slot(0).load()).turn == static_cast<std::uint16_t>(kRefreshed / kSlots));
    });
    expect(noticed.empty());
}

void who_goes_on_is_awaited_until_its_record_is_there() {
    SeriesMember other;
    reset(other);
    expect(!went_on(other, 4));
    other.past.store(5);
    expect(!went_on(other, 5));
    const auto meanwhile = [&](const std::function<void()>& what) {
        std::thread changes([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            what();
        });
        const bool went = went_on(other, 4);
        changes.join();
        return went;
    };
    expect(meanwhile([&] { other.recorded.store(5); }));
    retract(other, 4);
    other.past.store(5);
    expect(!meanwhile([&] { retract(other, 4); }));
}

// Everybody runs the same program of collectives, repeated for a while each; now and then one of them does otherwise.
void random_programs(std::int32_t size, std::uint32_t seed) {
    forget_all();
    const std::uint64_t together = seed % 2 == 0 ? 200 : 3;  // collectives after which they wait for each other
    struct Step {
        std::uint64_t elements;
        std::int32_t odd;  // who does otherwise; -1 nobody
    };
    std::mt19937 random(seed);
    std::vector<Step> program;
    while (program.size() < 8000) {
        const std::uint64_t elements = 1 + random() % 5, times = 1 + random() % (random() % 3 == 0 ? 1000 : 20);
        for (std::uint64_t i = 0; i < times; ++i)
            program.push_back({elements, random() % 300 == 0 ? static_cast<std::int32_t>(random() % size) : -1});
    }
    std::atomic<std::uint64_t> without_words{0};
    const Job job(size, 1024);
    job.run([&](Rank& rank) {
        Communicator comm = join(kId, job.everybody());
        for (std::uint64_t i = 0; i < program.size(); ++i) {
            if (i % together == 0) rank.wait();
            enter(rank, comm, allreduce(program[i].elements + (program[i].odd == rank.number ? 10 : 0)));
            without_words += comm.lane->series.past.load() == i + 1;
        }
    });
    std::vector<int> found(program.size());
    for (const Noticed& one : noticed) {
        const auto odd = static_cast<std::uint32_t>(program[one.ordinal].odd);
        expect((one.rank == odd) != (one.other == odd));
        expect(one.mine.elements != one.theirs.elements);
        ++found[one.ordinal];
    }
    for (std::uint64_t i = 0; i < program.size(); ++i) expect((found[i] > 0) == (program[i].odd >= 0));
    expect(seed % 2 == 0 || without_words > program.size() / 10 * static_cast<std::uint64_t>(size));
}

// While a call waits, its thread's state says for what, whichever way the call went and whatever came before.
void the_state_says_what_is_waited_for() {
    forget_all();
    std::atomic<std::uint64_t> looked_at{0};
    const Job job(2);
    job.run([&](Rank& rank) {
        Communicator comm = join(kId, job.everybody()), other = join(kId + 1, job.everybody());
        rank.wait();
        const ThreadBlock& state = *rank.thread.block;
        for (std::uint64_t i = 0; i < 3 * kEnough; ++i) {
            const bool on_other = i >= kEnough && i % 3 == 0;
            const std::uint64_t ordinal = (on_other ? other : comm).lane->count.load();
            rank.thread.label = i % 7 == 0 ? 1 : 0;
            enter(rank, on_other ? other : comm, allreduce(on_other ? 5 : 4));
            if (!was_steady) continue;
            ++looked_at;
            expect(state.communicator == (on_other ? other : comm).index && state.ordinal == ordinal);
            expect(state.waits[0].ordinal == ordinal && state.label == rank.thread.label);
            expect_equal(static_cast<long long>(state.signature.elements), on_other ? 5 : 4);
            expect(state.sequence.load() % 2 == 0 && state.activity.load() == Activity::kRunning);
            if (i % 11 == 0) StateWriter(*rank.thread.block)->signature.elements = 99;
        }
    });
    expect(noticed.empty());
    expect(!steadily || looked_at > kEnough);
}

void all_ways() {
    for (const std::int32_t size : {2, 3, 6}) {
        no_words_are_left_in_a_series(size);
        for (const bool odd_comes_first : {false, true}) the_one_that_differs_is_found(size, odd_comes_first);
        for (std::uint32_t seed = 0; seed < 4; ++seed) random_programs(size, seed);
    }
    one_that_lags_behind_is_compared_with_those_who_went_on();
    a_call_that_failed_alone_was_none();
    words_are_refreshed();
    the_state_says_what_is_waited_for();
}

}  // namespace

int main() {
    all_ways();
    who_goes_on_is_awaited_until_its_record_is_there();
    steadily = true;
    all_ways();
    expect(steady_ones > 100 * kEnough);
}
