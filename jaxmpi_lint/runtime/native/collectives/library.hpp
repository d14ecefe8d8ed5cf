// The MPI library of this process, found at run time: no header, no link. Handles are 64-bit words that hold an `int`
// or a pointer: registers and stack slots of the platforms we run on take either.
#pragma once

#include <cstdint>
#include <string>

namespace jaxmpi::collectives {

using Word = std::uint64_t;
using Count = std::int64_t;

// A function in its `int` version and, where the library has it, its large-count version.
template <class... Parameters>
struct Function {
    int (*plain)(Parameters...) = nullptr;
    int (*large)(Parameters...) = nullptr;
};

// Arguments of type Count are `int` in the plain version; the callers see to it that they fit.
struct Library {
    Function<const void*, void*, Count, Word, Word, Word> allreduce, scan;
    Function<const void*, void*, Count, Word, Word, Count, Word> reduce;
    Function<void*, Count, Word, Count, Word> bcast;
    Function<const void*, Count, Word, void*, Count, Word, Word> allgather, alltoall;
    Function<const void*, Count, Word, void*, Count, Word, Count, Word> gather, scatter;
    Function<const void*, Count, Word, Count, Count, Word> send;
    Function<void*, Count, Word, Count, Count, Word, void*> recv;
    Function<const void*, Count, Word, Count, Count, void*, Count, Word, Count, Count, Word, void*> sendrecv;
    Function<const void*, Word, void*> get_count;
    int (*barrier)(Word) = nullptr;
    int (*query_cuda)() = nullptr;          // of Open MPI and MPICH
    int (*query_gpu)(int, int*) = nullptr;  // of MPICH and what derives from it
    int (*error_string)(Count, char*, int*) = nullptr;
    int (*get_errhandler)(Word, Word*) = nullptr;
    int (*set_errhandler)(Word, Word) = nullptr;
    int (*free_errhandler)(Word*) = nullptr;
    Word errors_return = 0;
    Count proc_null = 0;
};

const Library& library();

// Resolves every function as the extension module at `path` (mpi4py's) has it bound: the global scope first, where
// the sanitizer's interposers are, then what the extension depends on. Returns what is missing, "" if nothing.
std::string resolve(const char* path, Word errors_return, Count proc_null);

// Whether the MPI library says that it takes pointers to the memory of a CUDA device.
bool takes_device_memory();

}  // namespace jaxmpi::collectives
