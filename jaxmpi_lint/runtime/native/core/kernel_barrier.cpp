#include "kernel_barrier.hpp"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace jaxmpi {
namespace {

bool membarrier(int command) { return syscall(SYS_membarrier, command, 0, 0) == 0; }

}  // namespace

bool register_kernel_barrier() { return membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED); }
bool kernel_barrier() { return membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED); }

}  // namespace jaxmpi
