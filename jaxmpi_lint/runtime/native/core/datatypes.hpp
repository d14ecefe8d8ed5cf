// What a datatype is made of, however it was built: its type signature in the sense of the standard.
#pragma once

#include "core.hpp"

namespace jaxmpi {

// A sequence of basic elements. Sequences of one kind of element are described by it and their length, so n
// elements of contiguous(m) are n*m elements; others by a polynomial hash, which can be repeated without the elements.
struct TypeSignature {
    std::uint64_t elements = 0;
    std::uint64_t bytes = 0;
    std::uint64_t hash = 0;   // one kind: of that kind; mixed: polynomial over the elements' kinds
    std::uint64_t power = 1;  // mixed: of the base of the polynomial, to the number of elements
    Base base = Base::kNothing;
    std::uint8_t width = 0;  // of one element; 0 if they differ
    bool known = false;

    bool mixed() const { return base == Base::kMixed || base == Base::kPair; }
};

// The signature of one element of a datatype. Cheap for a datatype that was seen before.
TypeSignature type_signature(Word datatype);

TypeSignature repeated(const TypeSignature& one, std::uint64_t count);
TypeSignature joined(const TypeSignature& first, const TypeSignature& second);

// The whole hash, equal for equal sequences of elements.
std::uint64_t total_hash(const TypeSignature& all);

// Writes `count` elements of `datatype` into a signature.
void describe_data(Signature& into, Word datatype, std::int64_t count);

}  // namespace jaxmpi
