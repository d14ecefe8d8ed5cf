// The two 16-bit floating-point types, which MPI does not know: reductions are done in float32 and rounded once.
#pragma once

#include <vector>

#include "operations.hpp"

namespace jaxmpi::collectives {

inline bool is_half(Type type) { return type == Type::kFloat16 || type == Type::kBfloat16; }

std::vector<float> widened(const Array& array);
// Rounds to nearest, ties to even; infinities and NaN stay what they are.
void narrow(const std::vector<float>& values, const Array& into);

}  // namespace jaxmpi::collectives
