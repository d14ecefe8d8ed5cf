#pragma once

#include <stdexcept>

namespace jaxmpi::collectives {

// Why an operation could not be carried out; becomes the Python exception.
struct Problem : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// One of the GPU or its driver, which does not know the operation that it happened to.
struct DeviceProblem : Problem {
    using Problem::Problem;
};

}  // namespace jaxmpi::collectives
