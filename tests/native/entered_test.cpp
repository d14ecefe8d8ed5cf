// Collectives entered by threads that stand for ranks: what is alike is silent, what differs is found.
#include <array>

#include "entering.hpp"
#include "expect.hpp"
#include "overtaken.hpp"

using namespace ranks;

namespace {

constexpr Word kArgument = 2, kProcessFailed = 75;  // classes of errors: one that is the caller's own, one that is not

Signature bcast(std::int32_t root) {
    Signature signature = allreduce();
    signature.function = static_cast<std::uint16_t>(Function::kBcast);
    signature.reduction = 0;
    signature.root = root;
    return signature;
}

// The same bytes as others say they are doubles.
Signature bytes_of(const Signature& like) {
    Signature signature = like;
    signature.base = Base::kByte;
    signature.width = 1;
    signature.elements = like.bytes;
    signature.type_hash = 0x77;
    return signature;
}

Signature integers(const Signature& like) {
    Signature signature = like;
    signature.base = Base::kSigned;
    signature.type_hash = 0x99;
    return signature;
}

// The ranks one after the other, each with what `what` says.
void in_turns(Rank& rank, Communicator& comm, const std::vector<Signature>& what) {
    for (std::size_t turn = 0; turn < what.size(); ++turn) {
        if (static_cast<std::size_t>(rank.number) == turn) enter(rank, comm, what[turn]);
        rank.wait();
    }
}

void equal_ones_are_silent(std::int32_t size) {
    forget_all();
    const Job job(size);
    job.run([&](Rank& rank) {
        Communicator comm = join(kId, job.everybody());
        rank.wait();
        // Nobody waits for anybody: some are far ahead, and records and slots are overwritten.
        for (std::uint64_t i = 0; i < 3000; ++i) enter(rank, comm, allreduce(i % 7));
        rank.wait();
        for (std::int32_t i = 0; i < size; ++i) {
            expect_equal(static_cast<long long>(comm.entry->lanes()[i].count.load()), 3000);
            expect(comm.entry->lanes()[i].rolling.load() == comm.lane->rolling.load());
        }
    });
    expect(noticed.empty() && lines.empty());
}

void different_ones_are_found(std::int32_t size) {
    forget_all();
    constexpr std::uint64_t kTimes = 300;
    const Job job(size);
    const auto odd = [size](std::uint64_t i) { return static_cast<std::int32_t>(i % static_cast<unsigned>(size)); };
    job.run([&](Rank& rank) {
        Communicator comm = join(kId, job.everybody());
        for (std::uint64_t i = 0; i < kTimes; ++i) {
            rank.wait();
            enter(rank, comm, i % 3 == 0 && rank.number == odd(i) ? allreduce(5) : allreduce(4));
        }
    });
    std::vector<int> sides(kTimes);
    for (const Noticed& one : noticed) {
        ++sides[one.ordinal];
        expect(one.kind == FindingKind::kMismatch && one.difference == Difference::kCount);
        const auto strange = static_cast<std::uint32_t>(odd(one.ordinal));
        expect((one.rank == strange) != (one.other == strange));
        expect_equal(static_cast<long long>(one.mine.elements), one.rank == strange ? 5 : 4);
        expect_equal(static_cast<long long>(one.theirs.elements), one.rank == strange ? 4 : 5);
    }
    for (std::uint64_t i = 0; i < kTimes; ++i) expect(i % 3 == 0 ? sides[i] >= 1 : sides[i] == 0);
}

void overwritten_records_are_left_to_the_rolling_hash() {
    forget_all();
    const Job job(2, 4);
    job.run([&](Rank& rank) {
        Communicator comm = join(kId, job.everybody()),
                     own = join(kId + 1 + static_cast<unsigned>(rank.number), {rank.number});
        rank.wait();
        if (rank.number == 0) {
            enter(rank, comm, allreduce(4));
            for (int i = 0; i < 4; ++i) enter(rank, own, allreduce());
        }
        rank.wait();
        if (rank.number == 1) enter(rank, comm, allreduce(5));
        rank.wait();
        expect(comm.entry->lanes()[0].count.load() == comm.entry->lanes()[1].count.load());
        expect(comm.entry->lanes()[0].rolling.load() != comm.entry->lanes()[1].rolling.load());
    });
    expect(noticed.empty());
}

void who_is_far_ahead_is_found_in_its_history(std::int32_t size) {
    forget_all();
    const Job job(size, 1024);
    job.run([&](Rank& rank) {
        Communicator comm = join(kId, job.everybody());
        rank.wait();
        if (rank.number == 0)
            for (std::uint32_t i = 0; i < kSlots + 2; ++i) enter(rank, comm, allreduce());
        rank.wait();
        if (rank.number == 1) {
            enter(rank, comm, allreduce(5));  // its slot is at collective 64 already
            enter(rank, comm, allreduce());
            enter(rank, comm, allreduce(6));  // its slot is at 2 still
            for (std::uint32_t i = 3; i < kSlots; ++i) enter(rank, comm, allreduce());
            enter(rank, comm, allreduce(7));
        }
    });
    expect_equal(static_cast<long long>(noticed.size()), 3);
    for (const std::size_t i : {0, 1, 2}) {
        expect_equal(static_cast<long long>(noticed[i].ordinal), std::array<int, 3>{0, 2, kSlots}[i]);
        expect_equal(static_cast<long long>(noticed[i].mine.elements), 5 + static_cast<long long>(i));
        expect_equal(static_cast<long long>(noticed[i].theirs.elements), 4);
        expect_equal(noticed[i].other, 0);
    }
}

void a_record_that_is_not_written_yet_is_looked_at_again() {
    const Job job(1);
    job.run([&](Rank& rank) {
        std::uint64_t from = 0;
        std::uint32_t site = 0;
        Signature found{};
        Recording recording(rank.thread, Function::kAllreduce);
        expect(!find_recorded(job.ledger(), 0, 3, 7, from, found, site));
        recording->communicator = 3;
        recording->ordinal = 7;
        recording->signature = allreduce();
        recording.publish();
        expect(find_recorded(job.ledger(), 0, 3, 7, from, found, site));
        expect(found.elements == allreduce().elements);
    });
}

// The record of a former communicator in the same place is not taken for that of the present one, though the position
// (modulo 2^14) and the number are the same.
void a_former_communicator_is_another() {
    forget_all();
    const Job job(2, SlotWord::kPositions * 2, 3);
    job.run([&](Rank& rank) {
        Communicator own = join(kId + 1 + static_cast<unsigned>(rank.number), {rank.number});
        rank.wait();
        Communicator former = join(kId, job.everybody());
        enter(rank, former, allreduce(1));
        rank.wait();
        leave_entry(former.index);
        rank.wait();
        Communicator present = join(kId + 9, job.everybody());
        expect(present.entry == former.entry && present.index != former.index);
        rank.wait();
        if (rank.number == 0) {
            while (process().block->head.load() != SlotWord::kPositions) enter(rank, own, allreduce());
            enter(rank, present, allreduce(2));
        }
        rank.wait();
        if (rank.number == 1) enter(rank, present, allreduce(3));
    });
    expect_equal(static_cast<long long>(noticed.size()), 1);
    expect_equal(static_cast<long long>(noticed[0].theirs.elements), 2);
}

void a_call_that_failed_alone_gives_its_number_back(std::int32_t size) {
    forget_all();
    const Job job(size);
    job.run([&](Rank& rank) {
        Communicator comm = join(kId, job.everybody());
        enter(rank, comm, allreduce());
        const std::uint64_t before = comm.lane->rolling.load();
        rank.wait();
        if (rank.number == 0) {
            enter(rank, comm, allreduce(9), kArgument);
            expect_equal(static_cast<long long>(comm.lane->count.load()), 1);
            expect(comm.lane->rolling.load() == before);
        }
        rank.wait();
        if (rank.number == 1) enter(rank, comm, allreduce(5));
        rank.wait();
        if (rank.number != 1) enter(rank, comm, allreduce(5));
        rank.wait();
        expect(noticed.empty());
        if (rank.number == 0) enter(rank, comm, allreduce(9), kArgument);
        rank.wait();
        if (rank.number == 1) enter(rank, comm, allreduce(6));
        rank.wait();
        if (rank.number == 0) enter(rank, comm, allreduce(7));  // compared with 1's, not with what was given back
    });
    expect_equal(static_cast<long long>(noticed.size()), 1);
    expect(noticed[0].rank == 0 && noticed[0].other == 1 && lines.empty());
}

void another_failure_ends_the_checks() {
    forget_all();
    const Job job(2);
    job.run([&](Rank& rank) {
        Communicator comm = join(kId, job.everybody());
        rank.wait();
        enter(rank, comm, allreduce(), kProcessFailed);
        rank.wait();
        expect_equal(static_cast<long long>(comm.lane->count.load()), 1);
        enter(rank, comm, allreduce(static_cast<std::uint64_t>(rank.number)));
    });
    expect(noticed.empty());
    expect_equal(static_cast<long long>(lines.size()), 1);  // both saw it, one says it
}

void a_refused_call_has_not_been_made() {
    forget_all();
    decision = Decision::kRaise;
    const Job job(3);
    job.run([&](Rank& rank) {
        Communicator comm = join(kId, job.everybody());
        rank.wait();
        if (rank.number == 0) expect(!enter(rank, comm, allreduce(4)));
        rank.wait();
        if (rank.number == 1) {
            expect(enter(rank, comm, allreduce(5)));
            expect_equal(static_cast<long long>(comm.lane->count.load()), 0);
            expect(process().ledger.records(1)[0].communicator == kNone);
        }
        rank.wait();
        if (rank.number == 2) expect(!enter(rank, comm, allreduce(4)));
        rank.wait();
        if (rank.number == 1) expect(!enter(rank, comm, allreduce(4)));
        expect_equal(static_cast<long long>(comm.lane->count.load()), 1);
    });
    expect_equal(static_cast<long long>(noticed.size()), 1);
}

// Bytes against anything of the same size is a note; it does not hide that two others differ.
void a_note_hides_no_error() {
    forget_all();
    const Job job(3);
    job.run([&](Rank& rank) {
        Communicator comm = join(kId, job.everybody());
        rank.wait();
        in_turns(rank, comm, {bytes_of(bcast(0)), bcast(0), integers(bcast(0))});
    });
    expect_equal(static_cast<long long>(noticed.size()), 3);
    expect(noticed[0].difference == Difference::kByteNote && noticed[1].difference == Difference::kByteNote);
    expect(noticed[2].difference == Difference::kType);
    expect_equal(noticed[2].rank, 2);
    expect_equal(noticed[2].other, 1);
}

// On an intercommunicator the root group passes MPI_ROOT or MPI_PROC_NULL (kNobody here), the other one a rank.
void roots_are_compared_within_a_group() {
    const std::vector<std::int32_t> low{0, 1}, high{2, 3};
    const auto noticed_with = [&](const std::vector<Signature>& what) {
        forget_all();
        const Job job(4);
        job.run([&](Rank& rank) {
            Communicator comm = rank.number < 2 ? join(kId, low, high) : join(kId, high, low);
            rank.wait();
            in_turns(rank, comm, what);
        });
        return noticed.size();
    };
    const auto of = [](std::int32_t root) {
        Signature signature = bcast(root);
        signature.flags |= kCountUnknown;
        return signature;
    };
    expect_equal(static_cast<long long>(noticed_with({of(kNobody), of(kNobody), of(1), of(1)})), 0);
    expect_equal(static_cast<long long>(noticed_with({of(1), of(1), of(kNobody), of(kNobody)})), 0);
    expect_equal(static_cast<long long>(noticed_with({of(kNobody), of(kNobody), of(1), of(0)})), 1);
    expect(noticed[0].difference == Difference::kRoot && noticed[0].rank == 3 && noticed[0].other == 2);
}

}  // namespace

int main() {
    for (const std::int32_t size : {2, 4, 6}) {
        equal_ones_are_silent(size);
        different_ones_are_found(size);
        who_is_far_ahead_is_found_in_its_history(size);
        a_call_that_failed_alone_gives_its_number_back(size);
    }
    overwritten_records_are_left_to_the_rolling_hash();
    a_record_that_is_not_written_yet_is_looked_at_again();
    a_former_communicator_is_another();
    another_failure_ends_the_checks();
    a_refused_call_has_not_been_made();
    a_note_hides_no_error();
    roots_are_compared_within_a_group();
}
