// Which files belong to a library, by the folders where libraries are installed; ownership.py finds them.
#pragma once

#include <string>
#include <vector>

namespace jaxmpi::python {

using Paths = std::vector<std::string>;  // of folders; each ends with a separator

struct Folders {
    Paths libraries;
    Paths mpi;  // of mpi4py and mpi4jax, whose lines are never those of the program
    Paths jax;  // the same of JAX, for launches
    Paths own;  // of this sanitizer
};

// Those published last. The reference stays valid: a thread may read folders that have been replaced.
const Folders& folders();
void publish(Folders found);

bool lies_in(const char* file, const Paths& paths);
bool is_machinery(const char* file);  // of this sanitizer or of the interpreter; the same test as in ownership.py

}  // namespace jaxmpi::python
