// JAX aborts every process when that of its coordinator is gone. The monitor knows whether it is, and then ends the job
// as after any other mistake: an abort waits for its answer. Everything here may run inside of a signal handler.
#include <signal.h>

#include "futex.hpp"
#include "launch_own.hpp"

namespace jaxmpi::launches {
namespace {

constexpr int kAnswer = 50, kEnd = 100;  // turns in which the monitor has answered, and ended the job
constexpr double kTurn = 0.1;            // seconds

void wait_while(Shared<std::uint32_t>& word, Abort value, int turns) {
    const auto raw = static_cast<std::uint32_t>(value);
    for (int turn = 0; word.load(std::memory_order_acquire) == raw && turn < turns; ++turn)
        futex_wait(word, raw, kTurn);
}

void aborting(int) {
    if (joined() && self().lane->index != 0) {
        Shared<std::uint32_t>& word = self().lane->abort;
        auto none = static_cast<std::uint32_t>(Abort::kNone);
        if (word.compare_exchange_strong(none, static_cast<std::uint32_t>(Abort::kAsked))) ring();
        wait_while(word, Abort::kAsked, kAnswer);
        wait_while(word, Abort::kAwaitsTheEnd, kEnd);
    }
    signal(SIGABRT, SIG_DFL);
    raise(SIGABRT);  // at the return
}

}  // namespace

void watch_aborts() {
    struct sigaction now{};
    if (sigaction(SIGABRT, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) != 0 || now.sa_handler != SIG_DFL) return;
    now.sa_handler = aborting;
    now.sa_flags = 0;
    sigaction(SIGABRT, &now, nullptr);
}

}  // namespace jaxmpi::launches
