// What a datatype is made of, independent of how it was built: its type signature (MPI 4.1, section 5.1).
#pragma once

#include "core.hpp"

namespace jaxmpi {

// The sequence of basic elements of one item of a datatype, or of several. Sequences of one base and width are known by
// their length; others by a polynomial hash of the sequence, in order, so that repetition and concatenation compose.
struct TypeSequence {
    Base base = Base::kNothing;  // kNothing: no elements; kMixed: of several kinds
    std::uint8_t width = 0;
    bool known = false;
    std::uint64_t elements = 0;
    std::uint64_t bytes = 0;
    std::uint64_t polynomial = 0;  // hash of the sequence
    std::uint64_t power = 1;       // kFactor to the number of elements

    TypeSequence then(const TypeSequence& next) const;
    TypeSequence times(std::uint64_t count) const;
    std::uint64_t hash() const;  // 0 for no elements
    std::uint64_t hash_of(std::uint64_t count) const;  // of `count` items, for sequences of one base
};

TypeSequence basic(Base base, std::uint8_t width);
// One item of the datatype behind a handle; `known` is false for MPI_DATATYPE_NULL and what cannot be told. Cheap.
TypeSequence type_sequence(Word datatype);

}  // namespace jaxmpi
