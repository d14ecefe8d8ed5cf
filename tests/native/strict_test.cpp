// With `strict`, ranks wait before a blocking collective: for those of this host, and for what the monitors of several
// hosts find.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "closing.hpp"
#include "entering.hpp"
#include "expect.hpp"

using namespace ranks;

namespace {

std::atomic<bool> responds{true};  // the monitor
std::atomic<int> alarms{0};

}  // namespace

// In the place of what knows of monitors and of the ends of processes.
namespace jaxmpi {

void ring_alarm() { ++alarms; }
bool monitor_gone() { return !responds.load(); }
void wait_for_the_end() { std::abort(); }

}  // namespace jaxmpi

namespace {

constexpr std::int32_t kHere = 2, kEverywhere = 4;
constexpr auto kShort = std::chrono::milliseconds(30);

// A blocking collective up to the wait before it.
void enter_and_wait(Rank& rank, Communicator& comm) {
    const Signature signature = allreduce();
    const Described described{&comm, hashes_of(signature, comm.inter), signature, {}};
    Entered entered(rank.thread, Function::kAllreduce, described);
    entered.count();
    const FunctionInfo& info = kTable[signature.function];
    await_everybody(Call{info, Function::kAllreduce, nullptr, rank.thread}, entered);
    entered.settle(0);
}

// Both ranks of this host enter a collective; whether they wait after a while, until `then` is done.
struct Course {
    bool waited;
    std::uint64_t awaited;
    int alarms;
};
Course course_of(std::int32_t world, const std::function<void(const Job&)>& then) {
    forget_all();
    alarms = 0;
    const Job job(kHere, 64, 8, 0, world);
    std::atomic<int> through{0};
    Course course{};
    std::thread outside([&] {
        std::this_thread::sleep_for(kShort);
        course.waited = through.load() == 0;
        then(job);
    });
    job.run([&](Rank& rank) {
        Communicator comm = join(kId, job.everybody());
        rank.wait();
        enter_and_wait(rank, comm);
        ++through;
    });
    outside.join();
    course.awaited = job.ledger().communicator(0).awaited.load();
    course.alarms = alarms.load();
    return course;
}

void decide(const Job& job, Union together) { job.ledger().header().together.store(together); }

void one_host_asks_nobody() {
    const Course course = course_of(kHere, [](const Job&) {});
    expect_equal(static_cast<long long>(course.awaited), 0);
    expect_equal(course.alarms, 0);
}

// One rank of the host asks, and all wait until the monitor answers.
void other_hosts_are_waited_for() {
    const Course course = course_of(kEverywhere, [](const Job& job) {
        decide(job, Union::kTogether);
        job.ledger().communicator(0).agreed.store(1);
    });
    expect(course.waited);
    expect_equal(static_cast<long long>(course.awaited), 1);
    expect_equal(course.alarms, 1);
}

void hosts_that_are_apart_are_not_waited_for() {
    const Course course = course_of(kEverywhere, [](const Job& job) { decide(job, Union::kApart); });
    expect(course.waited);
    expect(lines.empty());
}

void without_a_monitor_nobody_waits() {
    const Course course = course_of(kEverywhere, [](const Job&) { responds = false; });
    responds = true;
    expect(course.waited);
    expect_equal(static_cast<long long>(lines.size()), 1);
}

void what_is_not_checked_is_not_waited_for() {
    const Course course =
        course_of(kEverywhere, [](const Job& job) { job.ledger().communicator(0).unchecked.store(1); });
    expect(course.waited);
}

}  // namespace

int main() {
    one_host_asks_nobody();
    other_hosts_are_waited_for();
    hosts_that_are_apart_are_not_waited_for();
    without_a_monitor_nobody_waits();
    what_is_not_checked_is_not_waited_for();
}
