#include "driver.hpp"

#include <dlfcn.h>

#include <cstdlib>

#include "problem.hpp"

namespace jaxmpi::collectives {
namespace {

constexpr char kVariable[] = "JAXMPI_LIBCUDA";
constexpr char kUsual[] = "libcuda.so.1";

class Loading {
  public:
    Loading() {
        const char* const named = std::getenv(kVariable);
        const char* const file = named != nullptr && *named != 0 ? named : kUsual;
        library_ = dlopen(file, RTLD_NOW | RTLD_LOCAL);
        if (library_ == nullptr) {
            problem_ = std::string("the CUDA driver cannot be loaded: ") + dlerror();
            return;
        }
        file_ = file;
        take(driver_.stream_context, "cuStreamGetCtx");
        take(driver_.push_context, "cuCtxPushCurrent_v2");
        take(driver_.pop_context, "cuCtxPopCurrent_v2");
        take(driver_.synchronize, "cuStreamSynchronize");
        take(driver_.to_host, "cuMemcpyDtoHAsync_v2");
        take(driver_.to_device, "cuMemcpyHtoDAsync_v2");
        take(driver_.allocate, "cuMemHostAlloc");
        take(driver_.release, "cuMemFreeHost");
        take(driver_.error_name, "cuGetErrorName");
        take(driver_.error_text, "cuGetErrorString");
    }

    const Driver& driver() const { return driver_; }
    const std::string& problem() const { return problem_; }

  private:
    template <class Pointer>
    void take(Pointer& function, const char* name) {
        function = reinterpret_cast<Pointer>(dlsym(library_, name));
        if (function == nullptr && problem_.empty())
            problem_ = "the CUDA driver is too old: " + file_ + " has no " + name;
    }

    void* library_ = nullptr;
    std::string file_, problem_;
    Driver driver_;
};

const Loading& loading() {
    static const auto* const once = new Loading;  // XLA's threads may outlive what is static
    return *once;
}

std::string told(Result (*tell)(Result, const char**), Result result) {
    const char* text = nullptr;
    return tell(result, &text) == kSuccess && text != nullptr ? text : "";
}

}  // namespace

const Driver& driver() {
    if (!loading().problem().empty()) throw DeviceProblem(loading().problem());
    return loading().driver();
}

void check(const Driver& cuda, Result result, const char* what) {
    if (result == kSuccess) return;
    const std::string name = told(cuda.error_name, result), text = told(cuda.error_text, result);
    throw DeviceProblem(std::string(what) + ": " + (name.empty() ? "CUDA error " + std::to_string(result) : name) +
                        (text.empty() ? "" : " (" + text + ")"));
}

InContext::InContext(const Driver& cuda, Stream stream) : cuda_(cuda) {
    if (stream == nullptr) return;  // the default stream is of whatever context is current
    Context context = nullptr;
    check(cuda, cuda.stream_context(stream, &context), "finding the stream's context");
    check(cuda, cuda.push_context(context), "entering the stream's context");
    pushed_ = true;
}

InContext::~InContext() {
    Context context = nullptr;
    if (pushed_) cuda_.pop_context(&context);
}

}  // namespace jaxmpi::collectives

// What is missing, "" if arrays of a GPU can be communicated.
extern "C" __attribute__((visibility("default"))) const char* jaxmpi_missing_driver() {
    return jaxmpi::collectives::loading().problem().c_str();
}
