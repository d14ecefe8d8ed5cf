#include "parting.hpp"

#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string_view>

#include "core.hpp"

namespace jaxmpi {
namespace {

constexpr std::size_t kStack = std::size_t{64} << 10;
constexpr int kTurns = 1000;  // of 5 ms: on a loaded machine the others are scheduled late
constexpr int kOthers = 200;  // turns in which ranks of other hosts end, whose monitor ends them last

void rest() {
    const timespec pause{0, 5'000'000};
    syscall(SYS_nanosleep, &pause, nullptr);
}

bool all_ended(const Ledger& ledger) {
    for (std::uint32_t i = 0; i < ledger.layout().local_ranks; ++i)
        if (ledger.rank(i).state.load(std::memory_order_acquire) < RankState::kFinalized) return false;
    return true;
}

// The ranks of this host are ended before those of the host whose monitor judges all.
bool others_end_last() { return process().ledger.header().verdict.load() == Verdict::kEndEverywhere; }

// Shares the memory of the process that ends, but has separate descriptors: system calls only.
int linger(void*) {
    const Ledger& ledger = process().ledger;
    for (int descriptor = 0; descriptor <= STDERR_FILENO; ++descriptor) syscall(SYS_close, descriptor);
    for (int turn = 0; turn < kTurns && !all_ended(ledger); ++turn) rest();
    for (int turn = 0; turn < (others_end_last() ? kOthers : 1); ++turn) rest();
    syscall(SYS_exit_group, 0);
    return 0;
}

}  // namespace

void keep_connections() {
    if (process().block == nullptr || (std::getenv("PMI_FD") == nullptr && !others_end_last())) return;
    void* const stack = mmap(nullptr, kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack != MAP_FAILED) clone(linger, static_cast<char*>(stack) + kStack, CLONE_VM, nullptr);
}

void remove_segments() {
    constexpr std::string_view kMpich = "/dev/shm/mpich_shm_", kOpenMpi = "/dev/shm/sm_segment.",
                               kDeleted = " (deleted)";
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> maps(std::fopen("/proc/self/maps", "re"), std::fclose);
    char line[512];
    while (maps != nullptr && std::fgets(line, sizeof line, maps.get()) != nullptr) {
        std::string_view text(line);
        const std::size_t begin = std::min(text.find(kMpich), text.find(kOpenMpi));
        if (begin == text.npos || text.back() != '\n') continue;
        text = text.substr(begin, text.size() - begin - 1);
        line[begin + text.size()] = 0;
        if (!text.ends_with(kDeleted)) unlink(line + begin);
    }
}

}  // namespace jaxmpi
