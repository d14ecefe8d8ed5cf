// Host memory for copies of a GPU's arrays. It is page-locked and kept for the next call, up to a bound for all that
// the process has at a time, in use or kept; beyond the bound it is ordinary memory, which the driver copies to and
// from more slowly. JAXMPI_PINNED_BYTES is the bound.
#pragma once

#include <cstddef>

#include "driver.hpp"

namespace jaxmpi::collectives {

class HostMemory {
  public:
    // The driver's current context must be that of the device. Throws a DeviceProblem.
    HostMemory(const Driver& cuda, std::size_t bytes);
    ~HostMemory();
    HostMemory(HostMemory&& other) noexcept;
    HostMemory(const HostMemory&) = delete;
    HostMemory& operator=(const HostMemory&) = delete;
    HostMemory& operator=(HostMemory&&) = delete;

    void* data() const { return data_; }

  private:
    void* data_ = nullptr;
    std::size_t locked_ = 0;  // bytes of page-locked memory; 0 if it is ordinary
};

}  // namespace jaxmpi::collectives
