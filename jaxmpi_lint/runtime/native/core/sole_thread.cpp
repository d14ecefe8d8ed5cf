#include "sole_thread.hpp"

#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace jaxmpi {

namespace {

bool barrier(int command) { return syscall(SYS_membarrier, command, 0, 0) == 0; }

}  // namespace

void SoleThread::arrive() {
    if (!somebody_.exchange(true, std::memory_order_acq_rel)) {
#if !defined(__SANITIZE_THREAD__)  // which does not know barriers made by the kernel
        Mode unknown = Mode::kUnknown;
        if (barrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED)) mode_.compare_exchange_strong(unknown, Mode::kSole);
#endif
        return;
    }
    if (mode_.exchange(Mode::kCrowded) != Mode::kSole) return;
    barrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    while (inside_.load(std::memory_order_acquire)) sched_yield();
}

}  // namespace jaxmpi
