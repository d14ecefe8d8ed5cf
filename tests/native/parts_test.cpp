// The parts of v-collectives: each pair of ranks compares what one sends and the other expects, whoever comes second.
#include <array>

#include "collectives.hpp"
#include "exchanging.hpp"
#include "expect.hpp"
#include "hashing.hpp"
#include "vectors.hpp"

using namespace ranks;

namespace {

constexpr std::uint64_t kId = 4711;

// A table of parts alone.
struct Table {
    std::vector<Shared<std::uint64_t>> words = std::vector<Shared<std::uint64_t>>(kParts);
    Offer offered(std::uint64_t key, const Part& mine, Part* theirs = nullptr) {
        Part found;
        const Offer how = offer(words.data(), key, mine, found);
        if (theirs != nullptr) *theirs = found;
        return how;
    }
};

void who_comes_second_compares() {
    Table table;
    const std::uint64_t key = mix(1), other = mix(2);
    expect(table.offered(key, {3, 40}) == Offer::kFirst);
    expect(table.offered(other, {3, 48}) == Offer::kFirst);
    expect(table.offered(key, {3, 40}) == Offer::kAgrees);
    Part theirs;
    expect(table.offered(other, {3, 40}, &theirs) == Offer::kDiffers);
    expect_equal(theirs.bytes, 48);
    expect_equal(theirs.type, 3);
    expect(table.offered(key, {3, 99}) == Offer::kFirst);  // both places are free again
    expect(table.offered(other, {3, 99}) == Offer::kFirst);
}

void what_agrees() {
    const Part doubles{3, 40}, bytes{0, 40}, floats{5, 40}, nothing{5, 0};
    expect(doubles.agrees(bytes) && bytes.agrees(doubles));
    expect(!doubles.agrees(floats));
    expect(!doubles.agrees({3, 48}) && !bytes.agrees({0, 48}));
    expect(nothing.agrees({3, 0}) && !nothing.agrees(doubles));
}

void the_newest_takes_a_place_over() {
    Table table;
    const std::uint64_t old = std::uint64_t{5} << 40 | 8, young = std::uint64_t{6} << 40 | 8;  // the same place
    expect(table.offered(old, {3, 40}) == Offer::kFirst);
    expect(table.offered(young, {3, 8}) == Offer::kFirst);
    expect(table.offered(old, {3, 48}) == Offer::kFirst);  // its partner's word is gone: compared with nothing
    take_back(table.words.data(), young);                  // nor is another's word taken back
    expect(table.offered(old, {3, 48}) == Offer::kAgrees);
    // Who comes between a key and its contents sees those of another.
    table.offered(young, {3, 8});
    table.words[place_of(table.words.data(), young) - table.words.data()].store(old | 1);
    expect(table.offered(old, {3, 9}) == Offer::kFirst);
}

void what_is_taken_back_compares_nothing() {
    Table table;
    table.offered(mix(1), {3, 40});
    take_back(table.words.data(), mix(1));
    expect(table.offered(mix(1), {3, 48}) == Offer::kFirst);
    expect(table.offered(mix(1), {3, 48}) == Offer::kAgrees);
}

// Two ranks race for the same places: never a false difference, a true one by one side at the most.
void two_at_once() {
    constexpr std::uint64_t kPairs = 100'000;
    Table table;
    std::vector<std::atomic<int>> agreed(kPairs), differed(kPairs);
    std::vector<std::thread> sides;
    for (std::uint32_t side = 0; side < 2; ++side)
        sides.emplace_back([&, side] {
            for (std::uint64_t i = 0; i < kPairs; ++i) {
                const bool odd = i % 10 == 0;
                Part theirs;
                const Offer how = table.offered(mix(i), {7, odd ? 100 + side : static_cast<std::uint32_t>(i)}, &theirs);
                if (how == Offer::kAgrees) ++agreed[i];
                if (how != Offer::kDiffers) continue;
                ++differed[i];
                expect_equal(theirs.bytes, 100 + (1 - side));
            }
        });
    for (std::thread& one : sides) one.join();
    std::uint64_t compared = 0;
    for (std::uint64_t i = 0; i < kPairs; ++i) {
        expect((i % 10 == 0 ? agreed : differed)[i] == 0);
        expect((i % 10 == 0 ? differed : agreed)[i] <= 1);
        compared += static_cast<unsigned>(agreed[i] + differed[i]);
    }
    expect(compared > 0);
}

struct Found {
    std::int32_t rank;
    Disagreement what;
};

// One Alltoallv after another, each rank when those before it have come, in an order that `first` begins.
std::vector<Found> exchanged(const std::function<void(std::int32_t, Exchange&)>& change) {
    std::vector<Found> all;
    const Job job(kSize);
    job.run([&](Rank& rank) {
        const Communicator comm = join(kId, job.everybody());
        for (std::int32_t first = 0; first < kSize; ++first)
            for (std::int32_t turn = 0; turn < kSize; ++turn) {
                rank.wait();
                if ((first + turn) % kSize != rank.number) continue;
                Exchange exchange(rank.number);
                change(rank.number, exchange);
                Disagreement found{};
                if (parts_differ(exchange.call(rank), comm, kNobody, static_cast<std::uint64_t>(first), found))
                    all.push_back({rank.number, found});
            }
    });
    return all;
}

void parts_that_fit_are_silent() {
    expect(exchanged([](std::int32_t, Exchange&) {}).empty());
    expect(exchanged([](std::int32_t rank, Exchange& one) {
               for (auto& many : rank % 2 == 0 ? one.sends : one.receives) many *= 8;  // as bytes
               for (auto& many : rank % 2 == 0 ? one.receives : one.sends) many *= 8;
               one.sendtype = one.recvtype = kBytes;
           }).empty());
    expect(exchanged([](std::int32_t, Exchange& one) {
               one.sends.fill(99);  // not looked at
               one.receives.fill(2);
               one.in_place = true;
           }).empty());
}

void a_part_that_does_not_fit_is_found_once() {
    const auto found = exchanged([](std::int32_t rank, Exchange& one) {
        if (rank == 2) one.sends[1] += 3;
    });
    expect_equal(static_cast<long long>(found.size()), kSize);
    for (const Found& one : found) {
        const bool sender = one.rank == 2;
        expect(sender || one.rank == 1);
        expect_equal(one.what.peer, sender ? 1 : 2);
        expect(one.what.sending == sender);
        const auto wanted = static_cast<std::uint32_t>(Exchange::between(2, 1)) * 8;
        expect_equal(one.what.mine.bytes, sender ? wanted + 24 : wanted);
        expect_equal(one.what.theirs.bytes, sender ? wanted : wanted + 24);
    }
}

void types_are_compared_where_they_are_told() {
    const auto found = exchanged([](std::int32_t rank, Exchange& one) {
        one.sends.fill(2);
        one.receives.fill(2);
        if (rank != 3) return;
        one.sendtype = kIntegers;  // as many bytes
        one.sends.fill(4);
    });
    expect_equal(static_cast<long long>(found.size()) > 0, 1);
    for (const Found& one : found) {
        expect(one.rank == 3 || one.what.peer == 3);
        const Part& integers = one.rank == 3 ? one.what.mine : one.what.theirs;
        const Part& doubles = one.rank == 3 ? one.what.theirs : one.what.mine;
        expect(integers.base() == Base::kSigned && integers.width() == 4);
        expect(doubles.base() == Base::kFloat && doubles.width() == 8);
        expect_equal(integers.bytes, doubles.bytes);
    }
}

// A call that failed for its arguments, and is made again with others.
void a_call_that_was_given_back() {
    forget_all();
    const Job job(2);
    job.run([&](Rank& rank) {
        Communicator comm = join(kId, job.everybody());
        Signature signature{};
        signature.function = static_cast<std::uint16_t>(Function::kAlltoallv);
        signature.flags = kCountUnknown;
        signature.root = kNobody;
        const auto differs = [&](std::int32_t many, Word result) {
            const Described described{&comm, hashes_of(signature, comm.inter), signature, {}};
            Entered entered(rank.thread, Function::kAlltoallv, described);
            Exchange exchange(rank.number);
            exchange.sends.fill(many);
            exchange.receives.fill(many);
            Disagreement found{};
            const bool differing = parts_differ(exchange.call(rank), comm, kNobody, entered.ordinal(), found);
            entered.count();
            entered.settle(result);
            return differing;
        };
        rank.wait();
        if (rank.number == 0) expect(!differs(9, 2));
        rank.wait();
        if (rank.number == 1) expect(!differs(4, 0));
        rank.wait();
        if (rank.number == 0) expect(!differs(4, 0));
        rank.wait();
        if (rank.number == 0) {
            expect(!differs(9, 2));
            expect(!differs(4, 0));  // nor is it compared with itself
        }
    });
}

// Who only sends to the root, or only gets from it, has one part.
void one_to_all_and_back() {
    const Job job(kSize);
    std::atomic<int> found_by_root{0}, found_by_others{0};
    job.run([&](Rank& rank) {
        const Communicator comm = join(kId, job.everybody());
        const bool root = rank.number == 1;
        std::array<std::int32_t, kSize> counts{1, 2, 3, 4};
        std::uint64_t ordinal = 0;
        const auto differs = [&](Function function, std::int32_t own) {
            // sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype | sendbuf, sendcounts, displs, ...
            const auto array = reinterpret_cast<Word>(counts.data());
            std::array<Word, 9> gather{64, static_cast<Word>(own), kDoubles, 64, array, 0, kDoubles, 1, 0};
            std::array<Word, 9> scatter{64, array, 0, kDoubles, 64, static_cast<Word>(own), kDoubles, 1, 0};
            Disagreement found{};
            const Call call{kTable[static_cast<std::size_t>(function)], function,
                            function == Function::kGatherv ? gather.data() : scatter.data(), rank.thread};
            return parts_differ(call, comm, 1, ordinal, found);
        };
        for (const Function function : {Function::kGatherv, Function::kScatterv})
            for (const bool root_first : {false, true})
                for (const bool wrong : {false, true}) {
                    ++ordinal;
                    const std::int32_t own = rank.number + 1 + (wrong && rank.number == 3 ? 1 : 0);
                    rank.wait();
                    if (root == root_first && differs(function, own)) ++(root ? found_by_root : found_by_others);
                    rank.wait();
                    if (root != root_first && differs(function, own)) ++(root ? found_by_root : found_by_others);
                }
    });
    expect_equal(found_by_root, 2);
    expect_equal(found_by_others, 2);
}

}  // namespace

int main() {
    who_comes_second_compares();
    what_agrees();
    the_newest_takes_a_place_over();
    what_is_taken_back_compares_nothing();
    two_at_once();
    parts_that_fit_are_silent();
    a_part_that_does_not_fit_is_found_once();
    types_are_compared_where_they_are_told();
    a_call_that_was_given_back();
    one_to_all_and_back();
}
