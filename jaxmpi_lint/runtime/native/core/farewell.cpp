#include "farewell.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "board.hpp"
#include "closing.hpp"
#include "freeing.hpp"
#include "rendezvous.hpp"
#include "thread.hpp"

namespace jaxmpi {
namespace {

bool active() { return process().block != nullptr && process().process == own_process(); }

void note_exit(int status, void*) {
    if (process().process == own_process()) part(status);
}

}  // namespace

void part(std::int32_t status) {
    if (RankBlock* const block = process().block) {
        if (block->state.load(std::memory_order_acquire) < RankState::kFinalized) {
            block->exit_status.store(status, std::memory_order_relaxed);
            block->state.store(RankState::kExited, std::memory_order_release);
        }
        ring_alarm();
    }
    const bool alone = process().block == nullptr || monitor_gone();
    if (const std::string folder = leave_board(); alone && !folder.empty()) remove_if_dead(folder);
}

void farewell(const char* text, bool raised, std::int32_t status) {
    if (!active()) return;
    RankBlock& block = *process().block;
    const std::size_t length = std::strlen(text);  // the end of a traceback says more than its beginning
    const char* const from = text + (length - std::min(length, sizeof block.farewell - 1));
    std::memcpy(block.farewell, from, std::strlen(from) + 1);
    block.exit_status.store(status, std::memory_order_relaxed);
    block.raised.store(raised ? 1 : 0, std::memory_order_release);
    if (raised) report_fatal_use(text);
    ring_alarm();
}

std::int32_t asked_status() {
    const RankBlock* const block = process().block;
    const bool asked =
        block != nullptr && block->farewell[0] != 0 && block->raised.load(std::memory_order_acquire) == 0;
    return asked ? block->exit_status.load(std::memory_order_relaxed) : 0;
}

void watch_exit() {
    static const int registered = on_exit(note_exit, nullptr);
    (void)registered;
}

}  // namespace jaxmpi
