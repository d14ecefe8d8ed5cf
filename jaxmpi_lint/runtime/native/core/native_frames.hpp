// The frames of compiled code around a call, from the unwinding tables that compilers write for exceptions.
#pragma once

#include <span>

#include "core.hpp"

namespace jaxmpi {

struct NativeFrame {
    std::uintptr_t address;  // the call in this frame returns here
    std::uintptr_t end;      // of the frame of what is called, below which `address` is stored
};

// The frames from the caller of an interposed function outwards; as many as `frames` holds and as can be read. Every
// one of them is verified against the stack. Takes microseconds.
std::span<NativeFrame> unwind(const Caller& caller, std::span<NativeFrame> frames);

// Whether an address is on the stack that the calling thread was given; a coroutine has one of its own.
bool lies_on_stack(std::uintptr_t address);

}  // namespace jaxmpi
