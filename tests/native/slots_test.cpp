// The words that those who come to a collective leave, and what they lead to.
#include "slot.hpp"

#include <array>
#include <atomic>
#include <chrono>

#include "expect.hpp"
#include "ranks.hpp"

using namespace ranks;

namespace {

void a_word_is_packed_without_loss() {
    const SlotWord extreme{0xffff, 0x3ff, 0x3fff, 0xffffff};
    for (const SlotWord& word : {extreme, SlotWord{1, 0, 0, 1}, SlotWord{0, 5, 0, 1}, SlotWord{0, 0, 77, 1}}) {
        const SlotWord again = SlotWord::unpacked(word.packed());
        expect_equal(again.turn, word.turn);
        expect_equal(again.local, word.local);
        expect_equal(again.position, word.position);
        expect_equal(again.fingerprint, word.fingerprint);
    }
    const SlotWord word = SlotWord::of(5 * kSlots + 3, 9, SlotWord::kPositions + 11, 0xab123456);
    expect_equal(word.turn, 5);
    expect_equal(word.position, 11);
    expect_equal(word.fingerprint, 0x123456);
}

void who_comes_first_is_compared_with() {
    Shared<std::uint64_t> slot{0};
    const SlotWord first{7, 0, 1, 0xaaa}, alike{7, 1, 2, 0xaaa}, other{7, 2, 3, 0xbbb};
    expect(arrive(slot, first).how == Arrival::kFirst);
    expect(arrive(slot, alike).how == Arrival::kAgrees);
    const Arrived differs = arrive(slot, other);
    expect(differs.how == Arrival::kDiffers);
    expect_equal(differs.other.local, 0);
    expect_equal(differs.other.position, 1);
    expect(slot.load() == first.packed());
}

void keys_of_other_times_compare_nothing() {
    Shared<std::uint64_t> slot{0};
    const SlotWord old{6, 0, 1, 0xaaa}, present{7, 1, 2, 0xbbb};
    expect(arrive(slot, old).how == Arrival::kFirst);
    expect(arrive(slot, present).how == Arrival::kFirst);  // takes the place of what is older
    expect(arrive(slot, old).how == Arrival::kTooLate);    // and nothing takes the place of what is newer
    expect(slot.load() == present.packed());
    const SlotWord last{0xffff, 0, 1, 0xaaa}, wrapped{0, 1, 2, 0xbbb};
    slot.store(last.packed());
    expect(arrive(slot, wrapped).how == Arrival::kFirst);
    expect(arrive(slot, last).how == Arrival::kTooLate);
}

void only_the_own_word_is_taken_back() {
    Shared<std::uint64_t> slot{0};
    const SlotWord mine{1, 0, 1, 0xaaa}, theirs{1, 1, 1, 0xaaa};
    arrive(slot, mine);
    retract(slot, theirs);
    expect(slot.load() == mine.packed());
    retract(slot, mine);
    expect(slot.load() == 0);
    expect(arrive(slot, theirs).how == Arrival::kFirst);
}

void a_few_look_at_all_the_others() {
    std::array<Shared<std::uint64_t>, kSlots * kFew> slots{};
    constexpr std::uint64_t kOrdinal = 3 * kSlots + 5;
    std::vector<std::uint16_t> ahead;
    const auto seen_by = [&](std::uint32_t place, std::uint64_t ordinal, std::uint32_t fingerprint) {
        std::vector<std::uint16_t> seen;
        const SlotWord mine = SlotWord::of(ordinal, place, 0, fingerprint);
        Arrived one = arrive_among(slots.data(), 3, place, ordinal, mine);
        ahead.clear();
        for (; one.how != Arrival::kAgrees; one = look_among(slots.data(), 3, place, ordinal, mine, one.next))
            (one.how == Arrival::kDiffers ? seen : ahead).push_back(one.other.local);
        return seen;
    };
    expect(seen_by(2, kOrdinal, 0xaaa).empty());
    expect(seen_by(0, kOrdinal, 0xaaa).empty());
    expect(seen_by(1, kOrdinal, 0xbbb) == std::vector<std::uint16_t>{0, 2});
    expect(seen_by(1, kOrdinal + kSlots, 0xbbb).empty());  // the others are not there yet
    expect(seen_by(0, kOrdinal + kSlots, 0xaaa) == std::vector<std::uint16_t>{1});
    expect(ahead.empty());
    expect(seen_by(0, kOrdinal, 0xccc) == std::vector<std::uint16_t>{2});
    expect(ahead == std::vector<std::uint16_t>{1});
}

// Ranks race for the slots; in every 5th collective one of them says something else.
void threads(std::int32_t ranks, bool few) {
    constexpr std::uint64_t kCollectives = 2000;
    std::array<Shared<std::uint64_t>, kSlots * kFew> slots{};
    std::vector<std::atomic<int>> found(kCollectives);
    const auto odd = [ranks](std::uint64_t ordinal, std::int32_t rank) {
        return ordinal % 5 == 0 && static_cast<std::int32_t>(ordinal / 5 % static_cast<unsigned>(ranks)) == rank;
    };
    std::barrier<> together(ranks);
    std::vector<std::thread> all;
    for (std::int32_t rank = 0; rank < ranks; ++rank)
        all.emplace_back([&, rank] {
            const auto local = static_cast<std::uint32_t>(rank);
            for (std::uint64_t ordinal = 0; ordinal < kCollectives; ++ordinal) {
                if (ordinal % (kSlots / 2) == 0) together.arrive_and_wait();  // nobody is a whole turn ahead
                const SlotWord mine = SlotWord::of(ordinal, local, 0, odd(ordinal, rank) ? 0xbbb : 0xaaa);
                const Arrived how =
                    few ? arrive_among(slots.data(), static_cast<std::uint32_t>(ranks), local, ordinal, mine)
                        : arrive(slots[ordinal % kSlots], mine);
                if (how.how != Arrival::kDiffers) continue;
                expect_equal(how.other.turn, mine.turn);
                expect(odd(ordinal, rank) != odd(ordinal, how.other.local));
                ++found[ordinal];
            }
        });
    for (std::thread& one : all) one.join();
    for (std::uint64_t ordinal = 0; ordinal < kCollectives; ++ordinal) {
        const int sides = found[ordinal].load();
        expect(ordinal % 5 == 0 ? sides >= 1 : sides == 0);
    }
}

Signature numbered(std::uint64_t number) {
    Signature signature{};
    signature.function = static_cast<std::uint16_t>(1 + number % 50);
    signature.note = signature.reduction = static_cast<std::uint32_t>(number);
    signature.type_hash = signature.elements = signature.bytes = number;
    return signature;
}

void record(Rank& rank, std::uint32_t communicator, std::uint64_t ordinal, const Signature& signature) {
    Recording recording(rank.thread, Function::kBarrier);
    recording->communicator = communicator;
    recording->ordinal = ordinal;
    recording->site = static_cast<std::uint32_t>(ordinal);
    recording->signature = signature;
    recording.publish();
}

void a_record_is_found_by_all_of_its_key() {
    const Job job(1, SlotWord::kPositions * 2, 2);
    job.run([&](Rank& rank) {
        Signature signature;
        std::uint32_t site = 0;
        const auto found = [&](std::uint16_t local, std::uint16_t position, std::uint32_t index,
                               std::uint64_t ordinal) {
            return published(job.ledger(), {0, local, position, 1}, index, ordinal, signature, site);
        };
        record(rank, 3, 100, numbered(1));
        record(rank, 3, 101, numbered(2));
        expect(found(0, 1, 3, 101));
        expect_equal(signature.note, 2);
        expect_equal(site, 101);
        expect(!found(0, 0, 3, 101));            // another position
        expect(!found(0, 1, 3, 102));            // another collective
        expect(!found(0, 1, 3 | 1 << 16, 101));  // the place of the communicator was taken anew
        expect(!found(7, 1, 3, 101));            // no such rank
        while (process().block->head.load() != SlotWord::kPositions + 1) record(rank, 3, 0, numbered(9));
        record(rank, 3, 999, numbered(3));
        expect(found(0, 1, 3, 999));  // the position is told modulo 2^14
        expect_equal(signature.note, 3);
    });
}

// The word comes before the record.
void a_record_that_is_being_written_is_awaited() {
    const Job job(2, SlotWord::kPositions * 2, 2);
    job.run([&](Rank& rank) {
        if (rank.number == 0) {
            Recording recording(rank.thread, Function::kBarrier);
            rank.wait();
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            recording->communicator = 3;
            recording->ordinal = 100;
            recording->signature = numbered(1);
            recording.publish();
            rank.wait();
            process().ledger.records(0)[0].communicator = kNone;  // given back
            rank.wait();
            const Recording killed(rank.thread, Function::kBarrier);
            rank.wait();
            return;
        }
        Signature signature;
        std::uint32_t site = 0;
        const auto found = [&](std::uint16_t position) {
            return published(job.ledger(), {0, 0, position, 1}, 3, 100, signature, site);
        };
        const auto takes = [](const auto& what) {
            const auto begin = std::chrono::steady_clock::now();
            what();
            return std::chrono::steady_clock::now() - begin;
        };
        rank.wait();
        expect(found(0));
        expect_equal(signature.note, 1);
        rank.wait();
        rank.wait();
        expect(takes([&] { expect(!found(0)); }) <
               std::chrono::milliseconds(500));  // nobody is at the ring's other half
        rank.wait();
        expect(takes([&] { expect(!found(1)); }) > std::chrono::milliseconds(500));  // but not for ever
    });
}

// One goes round its small ring as fast as it can; what another reads of it is whole, or is not used.
void a_record_that_is_overwritten_is_not_used() {
    const Job job(2, 4, 2);
    std::atomic<bool> over{false};
    job.run([&](Rank& rank) {
        rank.wait();
        if (rank.number == 0) {
            for (std::uint64_t ordinal = 0; ordinal < 1'000'000; ++ordinal) record(rank, 3, ordinal, numbered(ordinal));
            over.store(true);
            return;
        }
        do {
            const std::uint64_t next = job.ledger().rank(0).head.load(), ordinal = next - 4;  // written anew just now
            if (next < 4) continue;
            Signature signature{};
            std::uint32_t site = 0;
            const SlotWord at{0, 0, static_cast<std::uint16_t>(ordinal % 4), 1};
            if (!published(job.ledger(), at, 3, ordinal, signature, site)) continue;
            const Signature wanted = numbered(ordinal);
            expect_equal(site, static_cast<long long>(ordinal));
            expect_equal(signature.function, wanted.function);
            expect_equal(signature.note, wanted.note);
            expect(signature.type_hash == ordinal && signature.elements == ordinal && signature.bytes == ordinal);
        } while (!over.load());
    });
}

}  // namespace

int main() {
    a_word_is_packed_without_loss();
    who_comes_first_is_compared_with();
    keys_of_other_times_compare_nothing();
    only_the_own_word_is_taken_back();
    a_few_look_at_all_the_others();
    threads(4, true);
    threads(4, false);
    threads(8, false);
    a_record_is_found_by_all_of_its_key();
    a_record_that_is_being_written_is_awaited();
    a_record_that_is_overwritten_is_not_used();
}
