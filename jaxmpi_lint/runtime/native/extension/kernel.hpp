// What the kernel says of a thread.
#pragma once

#include <cstdint>

namespace jaxmpi {

struct KernelView {
    double cpu_seconds = 0;
    bool sleeping = false;
    bool stopped = false;
};

// All zero if the thread is gone.
KernelView kernel_view(std::int32_t process, std::int32_t thread);

}  // namespace jaxmpi
