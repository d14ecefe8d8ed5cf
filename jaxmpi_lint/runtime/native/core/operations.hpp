// Operations of mpi4jax: each says when it is compiled what it is and where it was written, and names itself when it
// runs, on whichever thread that is.
#pragma once

#include <string>
#include <vector>

#include "core.hpp"

namespace jaxmpi {

struct ThreadContext;

// A line on the way from the operation outwards to the program.
struct Place {
    std::string file, function;
    std::uint32_t line;
};

struct Operation {
    std::string name;           // as in labels.hpp
    std::vector<Place> places;  // the innermost first
    std::string operand;        // "float32[4,8]"
};

// Keeps it under `key`, which the operation carries in the compiled program; the same key means the same operation.
JAXMPI_EXPORT void know_operation(std::uint64_t key, Operation what);

// While this lives the MPI calls of the thread are those of the operation `key`.
class JAXMPI_EXPORT InOperation {
  public:
    explicit InOperation(std::uint64_t key);
    ~InOperation();
    InOperation(const InOperation&) = delete;
    InOperation& operator=(const InOperation&) = delete;

  private:
    ThreadContext& thread_;
    std::uint32_t label_, site_;  // before
};

}  // namespace jaxmpi
