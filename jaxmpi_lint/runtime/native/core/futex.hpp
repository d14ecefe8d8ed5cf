// Waiting for a word of shared memory to change.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdint>
#include <ctime>

namespace jaxmpi {

// Sleeps while `word` is `value`, at most `seconds` (negative: without end).
inline void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t value, double seconds = -1) {
    timespec limit{static_cast<std::time_t>(seconds),
                   static_cast<long>((seconds - static_cast<double>(static_cast<std::time_t>(seconds))) * 1e9)};
    syscall(SYS_futex, &word, FUTEX_WAIT, value, seconds < 0 ? nullptr : &limit, nullptr, 0);
}

inline void futex_wake(std::atomic<std::uint32_t>& word) {
    syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace jaxmpi
