// The arrays of one call in a GPU's memory, and copies of them where the host can use them.
//
// Everything is ordered on XLA's stream: what the program computed before is finished when the copies have arrived, and
// what it computes later finds the result. Both ends are waited for on the host: MPI needs the data, and the copies'
// memory is used again by the next call.
#pragma once

#include <vector>

#include "driver.hpp"
#include "host_memory.hpp"
#include "operations.hpp"

namespace jaxmpi::collectives {

class Staging {
  public:
    explicit Staging(Stream stream);
    // Copies that are under way are waited for, whatever went wrong.
    ~Staging();
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    // A copy on the host, which holds the data when `arrive` has returned.
    Array copied(const Array& on_device);
    // Host memory for a result, which `bring_back` copies to the device.
    Array result(const Array& on_device);

    // Waits for the copies, and for all that the stream was to do before.
    void arrive();
    void bring_back();

  private:
    Array on_host(const Array& on_device);
    void wait(const char* what);

    const Driver& cuda_;
    const Stream stream_;
    const InContext inside_;
    std::vector<HostMemory> memory_;
    Array device_, host_;  // of the result
    bool copying_ = false;
};

}  // namespace jaxmpi::collectives
