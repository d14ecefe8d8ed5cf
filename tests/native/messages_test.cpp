// Messages and requests against a pretended MPI library: what is counted, what is waited for, what is written down.
#include "pretended.hpp"

#include "expect.hpp"
#include "leftovers.hpp"
#include "messages.hpp"

using namespace pretended;

namespace {

Behaviour makes_request(Word request, std::size_t argument = 6) {
    return [=](Word* a) -> Word {
        *reinterpret_cast<Word*>(a[argument]) = request;
        return 0;
    };
}

Behaviour completes_all() {
    return [](Word* a) -> Word {
        for (Word i = 0; i < a[0]; ++i) reinterpret_cast<Word*>(a[1])[i] = kRequestNull;
        return 0;
    };
}

double buffer[4];

Word send(Rank& rank, Function function, std::int32_t dest, std::int32_t tag, Word request = 0) {
    return rank.call(function, {address(buffer), 4, kDoubles, word(dest), word(tag), kWorld, request});
}

Word receive(Rank& rank, std::int32_t source, std::int32_t tag, Word status, Word datatype = kDoubles, Word count = 4) {
    return rank.call(Function::kRecv, {address(buffer), count, datatype, word(source), word(tag), kWorld, status});
}

void a_send_waits_for_its_receiver() {
    Rank rank;
    behaviours[Function::kSend] = [&rank](Word*) -> Word {
        expect(rank.activity() == Activity::kBlocked);
        expect_equal(rank.state().wait_count, 1);
        const Wait& wait = rank.state().waits[0];
        expect(wait.kind == WaitKind::kStandardSend && wait.certain == 0);
        expect_equal(wait.peer, 1);
        expect_equal(wait.tag, 7);
        expect_equal(static_cast<long long>(wait.ordinal), 1);
        expect_equal(rank.channel(0, 1, 7).sent.load(), 1);  // counted before it is forwarded
        return 0;
    };
    behaviours[Function::kSsend] = [&rank](Word*) -> Word {
        expect(rank.state().waits[0].kind == WaitKind::kSynchronousSend && rank.state().waits[0].certain == 1);
        expect_equal(static_cast<long long>(rank.state().waits[0].ordinal), 2);
        return 0;
    };
    behaviours[Function::kBsend] = [&rank](Word*) -> Word {
        expect(rank.activity() == Activity::kRunning);
        return 0;
    };
    send(rank, Function::kSend, 1, 7);
    expect(rank.activity() == Activity::kRunning);
    expect_equal(rank.record().signature.function, static_cast<int>(Function::kSend));
    expect_equal(static_cast<long long>(rank.record().signature.elements), 4);
    send(rank, Function::kSsend, 1, 7);
    send(rank, Function::kBsend, 1, 7);
    expect_equal(rank.channel(0, 1, 7).sent.load(), 3);
}

void a_failing_call_gives_its_count_back() {
    Rank rank;
    for (const Function function : {Function::kSend, Function::kIsend, Function::kRecv, Function::kSendrecv})
        behaviours[function] = [](Word*) -> Word { return 6; };
    Word request = kRequestNull;
    expect_equal(static_cast<long long>(send(rank, Function::kSend, 1, 7)), 6);
    send(rank, Function::kIsend, 1, 7, address(request));
    receive(rank, 1, 7, kIgnore);
    expect_equal(rank.channel(0, 1, 7).sent.load(), 0);
    expect_equal(rank.channel(1, 0, 7).posted.load(), 0);
    expect_equal(rank.channel(1, 0, 7).received.load(), 0);
}

void nobody_is_waited_for_at_proc_null() {
    Rank rank;
    const auto not_blocked = [&rank](Word*) -> Word {
        expect(rank.activity() == Activity::kRunning);
        return 0;
    };
    behaviours[Function::kSend] = behaviours[Function::kRecv] = behaviours[Function::kProbe] = not_blocked;
    send(rank, Function::kSend, kProcNull, 7);
    receive(rank, kProcNull, kAnyTag, kIgnore);
    rank.call(Function::kProbe, {word(kProcNull), 7, kWorld, kIgnore});
    expect_equal(rank.record().signature.function, 0);
    expect_equal(rank.record().peer, kNobody);
}

void a_wildcard_is_counted_where_the_message_came_from() {
    Rank rank;
    behaviours[Function::kRecv] = [&rank](Word* a) -> Word {
        expect(a[6] != kIgnore);  // a status of ours, since the program wants none
        expect_equal(rank.lane().open.load(), 1);
        expect_equal(rank.state().waits[0].peer, kAny);
        *reinterpret_cast<RawStatus*>(a[6]) = {2, 5, 0, 0};
        return 0;
    };
    receive(rank, kAnySource, kAnyTag, kIgnore);
    expect_equal(rank.channel(2, 0, 5).received.load(), 1);
    expect_equal(rank.channel(2, 0, 5).posted.load(), 1);
    expect_equal(rank.channel(kAny, 0, kAny).completed.load(), 1);
    expect_equal(rank.lane().open.load(), 0);
    expect_equal(rank.lane().posted.load(), 1);
    expect_equal(rank.record().peer, 2);
    expect_equal(static_cast<long long>(rank.record().ordinal), 1);
    RawStatus own{1, 1, 1, 1};
    behaviours[Function::kRecv] = [&own](Word* a) -> Word {
        expect(a[6] == address(own));
        own = {2, 5, 0, 0};
        return 0;
    };
    receive(rank, kAnySource, 5, address(own));
    expect_equal(static_cast<long long>(rank.record().ordinal), 2);
}

void an_exchange_of_requests() {
    Rank rank;
    Word requests[2] = {kRequestNull, kRequestNull};
    behaviours[Function::kIsend] = makes_request(64);
    behaviours[Function::kIrecv] = makes_request(128);
    behaviours[Function::kWaitall] = [&rank](Word* a) -> Word {
        expect(rank.activity() == Activity::kBlocked);
        expect_equal(rank.state().wait_count, 2);
        expect_equal(rank.state().any_of, 0);
        expect(rank.state().waits[0].kind == WaitKind::kStandardSend);
        expect(rank.state().waits[1].kind == WaitKind::kReceive);
        expect_equal(static_cast<long long>(rank.state().waits[1].ordinal), 1);
        expect(a[2] == kIgnore);  // no wildcard: nobody need be asked
        return completes_all()(a);
    };
    send(rank, Function::kIsend, 1, 7, address(requests[0]));
    rank.call(Function::kIrecv, {address(buffer), 4, kDoubles, 2, 7, kWorld, address(requests[1])});
    const std::uint32_t serial = rank.record().request;
    expect(serial != 0);
    expect_equal(rank.channel(2, 0, 7).received.load(), 0);
    rank.call(Function::kWaitall, {2, address(requests), kIgnore});
    expect_equal(rank.channel(2, 0, 7).received.load(), 1);
    expect_equal(static_cast<long long>(rank.records()), 4);
    expect_equal(rank.record().request, serial);
    expect(rank.activity() == Activity::kRunning);
    report_leftovers();
    expect(told.empty());
}

void requests_of_one_handle() {
    Rank rank;
    Word first = kRequestNull, second = kRequestNull;
    behaviours[Function::kIsend] = makes_request(64);
    behaviours[Function::kWait] = [](Word* a) -> Word {
        *reinterpret_cast<Word*>(a[0]) = kRequestNull;
        return 0;
    };
    send(rank, Function::kIsend, 1, 7, address(first));
    send(rank, Function::kIsend, 2, 8, address(second));
    rank.call(Function::kWait, {address(second), kIgnore});
    expect_equal(rank.record().peer, 2);
    rank.call(Function::kWait, {address(first), kIgnore});
    expect_equal(rank.record().peer, 1);
}

void any_of_several() {
    Rank rank;
    Word requests[2] = {kRequestNull, kRequestNull};
    behaviours[Function::kIrecv] = makes_request(64);
    rank.call(Function::kIrecv, {address(buffer), 4, kDoubles, word(kAnySource), 7, kWorld, address(requests[0])});
    behaviours[Function::kIrecv] = makes_request(128);
    rank.call(Function::kIrecv, {address(buffer), 4, kDoubles, 2, 7, kWorld, address(requests[1])});
    behaviours[Function::kWaitany] = [&](Word* a) -> Word {
        expect_equal(rank.state().any_of, 1);
        expect_equal(rank.state().wait_count, 2);
        expect_equal(static_cast<long long>(rank.state().waits[1].ordinal), 0);  // the wildcard may take its message
        *reinterpret_cast<RawStatus*>(a[3]) = {1, 7, 0, 0};
        *reinterpret_cast<std::int32_t*>(a[2]) = 0;
        requests[0] = kRequestNull;
        return 0;
    };
    std::int32_t index = -1;
    rank.call(Function::kWaitany, {2, address(requests), address(index), kIgnore});
    expect_equal(rank.channel(1, 0, 7).received.load(), 1);
    expect_equal(rank.record(1).peer, 2);  // the Irecv that is still open
    expect_equal(rank.record(2).peer, 1);  // the first one now says whose message it took
    report_leftovers();
    expect_equal(static_cast<long long>(told.size()), 1);
    expect(told[0].kind == FindingKind::kUnfinished);
    Word left = 128;
    rank.call(Function::kRequestFree, {address(left)});
}

void polling_is_one_state() {
    Rank rank;
    Word request = kRequestNull;
    std::int32_t flag = 0;
    behaviours[Function::kIrecv] = makes_request(64);
    rank.call(Function::kIrecv, {address(buffer), 4, kDoubles, 2, 7, kWorld, address(request)});
    const std::uint64_t records = rank.records();
    rank.call(Function::kTest, {address(request), address(flag), kIgnore});
    expect(rank.activity() == Activity::kPolling);
    const std::uint32_t sequence = rank.state().sequence.load();
    const std::uint64_t since = rank.state().entered;
    for (int i = 0; i < 10; ++i) rank.call(Function::kTest, {address(request), address(flag), kIgnore});
    expect_equal(rank.state().sequence.load(), sequence);
    expect_equal(static_cast<long long>(rank.state().entered), static_cast<long long>(since));
    expect_equal(static_cast<long long>(rank.records()), static_cast<long long>(records));
    expect_equal(rank.state().waits[0].peer, 2);
    rank.call(Function::kIprobe, {2, 9, kWorld, address(flag), kIgnore});  // another one
    expect(rank.state().waits[0].kind == WaitKind::kProbe);
    behaviours[Function::kTest] = [&](Word*) -> Word {
        flag = 1;
        request = kRequestNull;
        return 0;
    };
    rank.call(Function::kTest, {address(request), address(flag), kIgnore});
    expect(rank.activity() == Activity::kRunning);
    expect_equal(rank.channel(2, 0, 7).received.load(), 1);
}

void persistent_requests() {
    Rank rank;
    Word request = kRequestNull;
    behaviours[Function::kSendInit] = makes_request(64);
    send(rank, Function::kSendInit, 1, 7, address(request));
    expect_equal(rank.channel(0, 1, 7).sent.load(), 0);
    for (unsigned round = 1; round <= 3; ++round) {
        rank.call(Function::kStart, {address(request)});
        expect_equal(rank.channel(0, 1, 7).sent.load(), round);
        expect_equal(rank.record().signature.function, static_cast<int>(Function::kSend));
        behaviours[Function::kWait] = [&rank](Word*) -> Word {
            expect(rank.activity() == Activity::kBlocked);
            return 0;
        };
        rank.call(Function::kWait, {address(request), kIgnore});
        behaviours[Function::kWait] = [&rank](Word*) -> Word {
            expect(rank.activity() == Activity::kRunning);  // inactive: nothing to wait for
            return 0;
        };
        rank.call(Function::kWait, {address(request), kIgnore});
    }
    behaviours[Function::kStart] = [](Word*) -> Word { return 6; };
    rank.call(Function::kStart, {address(request)});
    expect_equal(rank.channel(0, 1, 7).sent.load(), 3);
    rank.call(Function::kRequestFree, {address(request)});
    report_leftovers();
    expect(told.empty());
}

void matched_probes_count() {
    Rank rank;
    Word message = 0;
    behaviours[Function::kMprobe] = [](Word* a) -> Word {
        *reinterpret_cast<RawStatus*>(a[4]) = {1, 3, 0, 0};
        *reinterpret_cast<Word*>(a[3]) = 64;
        return 0;
    };
    rank.call(Function::kMprobe, {word(kAnySource), word(kAnyTag), kWorld, address(message), kIgnore});
    expect_equal(rank.channel(1, 0, 3).received.load(), 1);
    rank.call(Function::kMrecv, {address(buffer), 4, kDoubles, address(message), kIgnore});
    expect_equal(rank.channel(1, 0, 3).received.load(), 1);
    expect_equal(rank.record().peer, 1);
    expect_equal(static_cast<long long>(rank.record().ordinal), 1);
}

void a_cancelled_receive_takes_nothing() {
    Rank rank;
    Word request = kRequestNull;
    behaviours[Function::kIrecv] = makes_request(64);
    rank.call(Function::kIrecv, {address(buffer), 4, kDoubles, 1, 7, kWorld, address(request)});
    rank.call(Function::kCancel, {address(request)});
    behaviours[Function::kWait] = [&request](Word* a) -> Word {
        *reinterpret_cast<RawStatus*>(a[1]) = {-9, -9, 0, 1};
        request = kRequestNull;
        return 0;
    };
    rank.call(Function::kWait, {address(request), kIgnore});
    expect_equal(rank.channel(1, 0, 7).received.load(), 0);
    expect_equal(rank.channel(1, 0, 7).posted.load(), 0);
    expect_equal(process().block->uncertain.load(), 0);
}

// What rank 1 would have written of messages that it sent.
void sent_by_another(Rank& rank, std::int32_t tag, std::uint32_t count, Base base, std::uint64_t bytes) {
    Channel& channel = rank.channel(1, 0, tag);
    channel.carried.store(Contents{base, 8, 0, bytes}.packed());
    channel.sent.store(count);
}

void contents_are_compared() {
    Rank rank;
    sent_by_another(rank, 7, 1, Base::kFloat, 32);
    receive(rank, 1, 7, kIgnore);
    expect(told.empty());
    sent_by_another(rank, 8, 1, Base::kFloat, 16);
    receive(rank, 1, 8, kIgnore);  // shorter than there is room for
    expect(told.empty());
    sent_by_another(rank, 9, 1, Base::kByte, 32);
    receive(rank, 1, 9, kIgnore);
    expect(told.empty());
    sent_by_another(rank, 10, 1, Base::kFloat, 32);
    receive(rank, 1, 10, kIgnore, kIntegers);
    expect_equal(static_cast<long long>(told.size()), 1);
    expect(told[0].kind == FindingKind::kMessage && told[0].difference == Difference::kType);
    told.clear();
    sent_by_another(rank, 11, 1, Base::kFloat, 64);
    behaviours[Function::kRecv] = [](Word*) -> Word {
        expect_equal(static_cast<long long>(told.size()), 1);  // said before the library may end the job
        return kTruncated;
    };
    receive(rank, 1, 11, kIgnore);
    expect(told[0].difference == Difference::kCount);
    expect_equal(rank.channel(1, 0, 11).received.load(), 1);
    told.clear();
    sent_by_another(rank, 12, 2, Base::kFloat, 64);  // known only from the second message on
    rank.channel(1, 0, 12).since.store(2);
    behaviours.clear();
    receive(rank, 1, 12, kIgnore);
    expect(told.empty());
}

void what_is_left_over() {
    Rank rank;
    sent_by_another(rank, 7, 3, Base::kFloat, 32);
    receive(rank, 1, 7, kIgnore);
    report_leftovers();
    expect_equal(static_cast<long long>(told.size()), 1);
    expect(told[0].kind == FindingKind::kUnreceived);
    expect_equal(static_cast<long long>(told[0].count), 2);
}

void an_exchange_is_two_messages() {
    Rank rank;
    behaviours[Function::kSendrecv] = [&rank](Word*) -> Word {
        expect_equal(rank.state().wait_count, 2);
        return 0;
    };
    rank.call(Function::kSendrecv,
              {address(buffer), 4, kDoubles, 1, 7, address(buffer), 4, kDoubles, 2, 8, kWorld, kIgnore});
    expect_equal(rank.channel(0, 1, 7).sent.load(), 1);
    expect_equal(rank.channel(2, 0, 8).received.load(), 1);
    expect_equal(static_cast<long long>(rank.records()), 2);
}

void more_requests_than_a_state_holds() {
    Rank rank(1024);
    constexpr unsigned kMany = 100;
    Word requests[kMany];
    for (unsigned i = 0; i < kMany; ++i) {
        behaviours[Function::kIrecv] = makes_request(64 * (i + 1));
        rank.call(Function::kIrecv, {address(buffer), 4, kDoubles, 1, i, kWorld, address(requests[i])});
        if (i < 90) sent_by_another(rank, static_cast<std::int32_t>(i), 1, Base::kFloat, 32);
    }
    behaviours[Function::kWaitall] = [&rank](Word* a) -> Word {
        expect_equal(rank.state().wait_count, 10);  // of the others the messages are there
        expect_equal(rank.state().waits_overflow, 0);
        return completes_all()(a);
    };
    rank.call(Function::kWaitall, {kMany, address(requests), kIgnore});
}

}  // namespace

int main() {
    a_send_waits_for_its_receiver();
    a_failing_call_gives_its_count_back();
    nobody_is_waited_for_at_proc_null();
    a_wildcard_is_counted_where_the_message_came_from();
    an_exchange_of_requests();
    requests_of_one_handle();
    any_of_several();
    polling_is_one_state();
    persistent_requests();
    matched_probes_count();
    a_cancelled_receive_takes_nothing();
    contents_are_compared();
    what_is_left_over();
    an_exchange_is_two_messages();
    more_requests_than_a_state_holds();
}
