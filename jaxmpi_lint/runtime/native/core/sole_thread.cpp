#include "sole_thread.hpp"

#include <sched.h>

#include "kernel_barrier.hpp"

namespace jaxmpi {

void SoleThread::arrive() {
    if (!somebody_.exchange(true, std::memory_order_acq_rel)) {
#if !defined(__SANITIZE_THREAD__)  // which does not know barriers made by the kernel
        Mode unknown = Mode::kUnknown;
        if (register_kernel_barrier()) mode_.compare_exchange_strong(unknown, Mode::kSole);
#endif
        return;
    }
    if (mode_.exchange(Mode::kCrowded) != Mode::kSole) return;
    kernel_barrier();
    while (inside_.load(std::memory_order_acquire)) sched_yield();
}

}  // namespace jaxmpi
