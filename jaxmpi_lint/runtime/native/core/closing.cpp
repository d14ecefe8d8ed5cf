#include "closing.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <semaphore>
#include <system_error>
#include <thread>

#include "board.hpp"
#include "farewell.hpp"
#include "futex.hpp"
#include "identity.hpp"
#include "late_messages.hpp"
#include "parting.hpp"
#include "progress.hpp"
#include "service.hpp"
#include "thread.hpp"

namespace jaxmpi {
namespace {

using std::chrono::microseconds;

constexpr double kStartSeconds = 30;  // within which a monitor must have begun
constexpr double kStillSeconds = 30;  // without a heartbeat, after which it is stuck or stopped
constexpr auto kJudgement = std::chrono::seconds(5);
constexpr auto kLastLook = std::chrono::seconds(2);  // that MPI_Abort waits: what it ends may not print
constexpr auto kFlushSeconds = std::chrono::milliseconds(250);

std::atomic<Flusher> flusher{nullptr};
std::atomic<LastWord> last_word{nullptr};

std::uint64_t monotonic() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

double seconds_since(std::uint64_t then) {
    const Header& header = process().ledger.header();
    const double rate = static_cast<double>(monotonic() - header.monotonic_at_start) /
                        static_cast<double>(ticks() - header.ticks_at_start);
    return static_cast<double>(static_cast<std::int64_t>(ticks() - then)) * rate * 1e-9;
}

bool left(const RankBlock& block) { return block.state.load(std::memory_order_acquire) >= RankState::kFinalizing; }

bool everyone_left() {
    const Ledger& ledger = process().ledger;
    Descriptor board;
    for (std::uint32_t i = 0; i < ledger.layout().local_ranks; ++i) {
        if (left(ledger.rank(i))) continue;
        if (!board) board = open_board(ledger.header().directory);
        if (!board || rank_alive(board, i)) return false;
    }
    return true;
}

// Runs `work` in a separate thread and waits for it at most so long.
void attempt(void (*work)()) {
    static std::counting_semaphore<8> done{0};
    try {
        std::thread([work] {
            work();
            done.release();
        }).detach();
    } catch (const std::system_error&) {
        return;
    }
    (void)done.try_acquire_for(kFlushSeconds);
}

std::int32_t abort_code = 0;

// Hydra and srun may let the ranks of other hosts wait forever for ranks that have ended here.
void abort_other_hosts() {
    using Abort = Word (*)(Word, Word);
    if (const auto abort = reinterpret_cast<Abort>(symbol("PMPI_Abort")))
        abort(process().comm_world, static_cast<Word>(abort_code));
}

// Whether MPI must and can still end them: after MPI_Finalize, MPI_Abort is an error that changes the exit code.
bool can_abort_other_hosts() {
    const Process& p = process();
    return p.phase.load() == Phase::kActive && p.block != nullptr &&
           p.ledger.header().verdict.load() != Verdict::kEndEverywhere &&
           static_cast<std::int32_t>(p.ledger.layout().local_ranks) < p.world_size;
}

}  // namespace

void ring_alarm() {
    Header& header = process().ledger.header();
    header.alarm.fetch_add(1, std::memory_order_acq_rel);
    futex_wake(header.alarm);
}

bool monitor_gone() {
    Process& p = process();
    Header& header = p.ledger.header();
    const std::int32_t pid = header.monitor.load(std::memory_order_acquire);
    if (p.options.monitor.empty() || pid < 0) return true;
    const Descriptor board = open_board(process().ledger.header().directory);
    if (!board) return true;
    const std::uint64_t beat = header.monitor_beat.load(std::memory_order_acquire);
    if (monitor_alive(board)) return beat != 0 && seconds_since(beat) > kStillSeconds;
    if (beat != 0) return true;  // it had begun
    if (p.local == 0 && pid > 0 && is_dead(pid)) {
        header.monitor.store(-1, std::memory_order_release);
        return true;
    }
    return seconds_since(header.ticks_at_start) > kStartSeconds;
}

void hold_finalise(const Call& call) {
    Process& p = process();
    Header& header = p.ledger.header();
    ThreadContext& thread = this_thread();
    const Blocked blocked(thread, call.function, call_site(), [](StateWriter& state) {
        state->activity.store(Activity::kInCall, std::memory_order_relaxed);
        state->communicator = kNone;
    });
    const LateMessages late;
    p.block->state.store(RankState::kFinalizing, std::memory_order_release);
    ring_alarm();
    microseconds pause(20);
    const auto rest = [&] {
        if (header.verdict.load(std::memory_order_acquire) != 0) wait_for_the_end();
        make_progress();
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 5 / 4, microseconds(1000));
    };
    while (!everyone_left()) rest();
    if (header.closing.exchange(1, std::memory_order_acq_rel) == 0) ring_alarm();
    pause = microseconds(50);
    for (unsigned turn = 0; header.released.load(std::memory_order_acquire) == 0; ++turn) {
        if (turn % 16 == 0 && monitor_gone()) break;
        rest();
    }
    if (header.verdict.load(std::memory_order_acquire) != 0) wait_for_the_end();
    late.take();
}

void await_judgement() {
    const Header& header = process().ledger.header();
    const auto until = std::chrono::steady_clock::now() + kJudgement;
    const auto judged = [&header] {
        return header.reported.load(std::memory_order_acquire) >=
               std::min(header.finding_count.load(std::memory_order_acquire), kFindings);
    };
    while (header.verdict.load(std::memory_order_acquire) == 0 && !judged() && !monitor_gone() &&
           std::chrono::steady_clock::now() < until)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (header.verdict.load(std::memory_order_acquire) != 0) wait_for_the_end();
}

void await_release() {
    const Header& header = process().ledger.header();
    const auto until = std::chrono::steady_clock::now() + kLastLook;
    while (header.released.load(std::memory_order_acquire) == 0 &&
           header.verdict.load(std::memory_order_acquire) == 0 && !monitor_gone() &&
           std::chrono::steady_clock::now() < until)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void end_job(const Ledger& ledger, std::int32_t code, bool everywhere) {
    ledger.header().exit_code.store(static_cast<std::uint32_t>(code), std::memory_order_relaxed);
    ledger.header().verdict.store(everywhere ? Verdict::kEndEverywhere : Verdict::kEnd, std::memory_order_release);
    for (std::uint32_t i = 0; i < ledger.layout().local_ranks; ++i) send_command(ledger.rank(i), Command::kEnd);
}

void set_flusher(Flusher function) { flusher.store(function, std::memory_order_release); }

void set_last_word(LastWord word) { last_word.store(word, std::memory_order_release); }

void end_process(std::int32_t code) {
    if (const std::int32_t asked = asked_status(); asked != 0) code = asked;
    if (const LastWord word = last_word.load(std::memory_order_acquire)) word();
    if (const Flusher flush = flusher.load(std::memory_order_acquire)) attempt(flush);
    attempt([] { std::fflush(nullptr); });
    attempt(remove_segments);
    keep_connections();
    part(code);
    abort_code = code;
    if (can_abort_other_hosts()) attempt(abort_other_hosts);
    _exit(code);
}

void wait_for_the_end() {
    for (int i = 0; i < 50; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    end_process(static_cast<std::int32_t>(process().ledger.header().exit_code.load()));  // no monitor ended the process
}

}  // namespace jaxmpi
