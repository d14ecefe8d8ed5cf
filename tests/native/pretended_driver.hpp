// A CUDA driver for tests without a GPU, and what tests tell it and ask it.
//
// Memory of its device is ordinary memory that the host sees at another address than the device has it: whoever takes a
// device's address for the host's ends with a segmentation fault, as with a GPU. Copies and kernels wait in their
// stream until somebody synchronises it: whoever uses a result too early, or gives memory away too early, finds other
// numbers.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

using PretendedStream = void*;

PretendedStream pretended_stream();

// Device memory. If `is_shared`, the host can use the device's address as well: for an MPI library that takes it.
std::uint64_t pretended_allocate(std::size_t bytes, int is_shared);
void pretended_free(std::uint64_t address);

// Kernels: one that writes `bytes` of `from` (copied now) to the device, and one that reads from there into `to`.
void pretended_write(PretendedStream stream, std::uint64_t to, const void* from, std::size_t bytes);
void pretended_read(PretendedStream stream, void* to, std::uint64_t from, std::size_t bytes);

// Lets the stream do all that waits in it.
void pretended_wait(PretendedStream stream);

// The call of this name after `others` more gives `result`. Nothing fails if the name is null.
void pretended_fail(const char* name, int others, int result);

// How often a function of the driver was called.
int pretended_calls(const char* name);
// Page-locked memory in bytes: now, or the most there was at a time.
std::size_t pretended_locked();
std::size_t pretended_most_locked();
// From now on the driver says that the host has an address for device memory, as for what is managed.
void pretended_manage();
// Contexts on this thread's stack.
int pretended_contexts();
}
