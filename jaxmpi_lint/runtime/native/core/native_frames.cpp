#include "native_frames.hpp"

#include <pthread.h>
#include <unwind.h>

namespace jaxmpi {
namespace {

struct Walk {
    const Caller& caller;
    std::span<NativeFrame> frames;
    std::size_t length = 0;
};

_Unwind_Reason_Code visit(_Unwind_Context* context, void* data) {
    Walk& walk = *static_cast<Walk*>(data);
    const NativeFrame frame{_Unwind_GetIP(context), _Unwind_GetCFA(context)};
    if (walk.length == 0 && frame.end < reinterpret_cast<std::uintptr_t>(walk.caller.frame)) return _URC_NO_REASON;
    if (walk.length == walk.frames.size() || frame.end % sizeof(std::uintptr_t) != 0) return _URC_END_OF_STACK;
    // A handler of a signal has no such frame; and tables may be wrong.
    if (reinterpret_cast<const std::uintptr_t*>(frame.end)[-1] != frame.address) return _URC_END_OF_STACK;
    if (walk.length == 0 && frame.address != walk.caller.address) return _URC_END_OF_STACK;
    walk.frames[walk.length++] = frame;
    return _URC_NO_REASON;
}

struct Stack {
    std::uintptr_t low = 0, end = 0;
};

Stack own_stack() {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
    void* low = nullptr;
    std::size_t size = 0;
    const bool known = pthread_attr_getstack(&attributes, &low, &size) == 0;
    pthread_attr_destroy(&attributes);
    const auto from = reinterpret_cast<std::uintptr_t>(low);
    return known ? Stack{from, from + size} : Stack{};
}

}  // namespace

std::span<NativeFrame> unwind(const Caller& caller, std::span<NativeFrame> frames) {
    if (caller.frame == nullptr) return {};
    Walk walk{caller, frames};
    _Unwind_Backtrace(&visit, &walk);
    return frames.first(walk.length);
}

bool lies_on_stack(std::uintptr_t address) {
    thread_local const Stack stack = own_stack();
    return address > stack.low && address < stack.end;
}

}  // namespace jaxmpi
