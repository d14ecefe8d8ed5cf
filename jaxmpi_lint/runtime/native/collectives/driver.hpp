// The CUDA driver, found at run time: no header, no link, and nothing is loaded before an array of a GPU is
// communicated. The declarations are those of the driver's public interface, which is C and stable; names with `_v2`
// are what its header calls by the name without.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace jaxmpi::collectives {

using Result = int;                   // CUresult
using DeviceAddress = std::uint64_t;  // CUdeviceptr
struct StreamObject;
using Stream = StreamObject*;  // CUstream
struct ContextObject;
using Context = ContextObject*;  // CUcontext

constexpr Result kSuccess = 0;
constexpr Result kOutOfMemory = 2;
constexpr unsigned kPortable = 1;  // page-locked memory for all contexts

struct Driver {
    Result (*stream_context)(Stream, Context*) = nullptr;
    Result (*push_context)(Context) = nullptr;
    Result (*pop_context)(Context*) = nullptr;
    Result (*synchronize)(Stream) = nullptr;
    Result (*to_host)(void*, DeviceAddress, std::size_t, Stream) = nullptr;
    Result (*to_device)(DeviceAddress, const void*, std::size_t, Stream) = nullptr;
    Result (*allocate)(void**, std::size_t, unsigned) = nullptr;
    Result (*release)(void*) = nullptr;
    Result (*error_name)(Result, const char**) = nullptr;
    Result (*error_text)(Result, const char**) = nullptr;
};

// Loads it on first use; a DeviceProblem says why it cannot be loaded. The variable JAXMPI_LIBCUDA names another file
// than libcuda.so.1.
const Driver& driver();

// Throws a DeviceProblem with the driver's name of the error if there was one; `what` was to be done.
void check(const Driver& cuda, Result result, const char* what);

// The context of a stream is the thread's current one while this lives.
class InContext {
  public:
    InContext(const Driver& cuda, Stream stream);
    ~InContext();
    InContext(const InContext&) = delete;
    InContext& operator=(const InContext&) = delete;

  private:
    const Driver& cuda_;
    bool pushed_ = false;
};

}  // namespace jaxmpi::collectives
