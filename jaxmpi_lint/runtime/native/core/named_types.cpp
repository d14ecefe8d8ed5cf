#include "named_types.hpp"

#include <algorithm>
#include <array>

namespace jaxmpi {
namespace {

constexpr std::array kNamed{
    NamedType{"BYTE", Base::kByte},
    NamedType{"PACKED", Base::kPacked},
    NamedType{"LB", Base::kNothing},
    NamedType{"UB", Base::kNothing},

    NamedType{"CHAR", Base::kCharacter},
    NamedType{"CHARACTER", Base::kCharacter},
    NamedType{"WCHAR", Base::kCharacter},

    NamedType{"SIGNED_CHAR", Base::kSigned},
    NamedType{"SHORT", Base::kSigned},
    NamedType{"SHORT_INT", Base::kPair, 0, Base::kSigned, sizeof(short)},
    NamedType{"INT", Base::kSigned},
    NamedType{"LONG", Base::kSigned},
    NamedType{"LONG_LONG", Base::kSigned},
    NamedType{"LONG_LONG_INT", Base::kSigned},
    NamedType{"INT8_T", Base::kSigned},
    NamedType{"INT16_T", Base::kSigned},
    NamedType{"INT32_T", Base::kSigned},
    NamedType{"INT64_T", Base::kSigned},
    NamedType{"INTEGER", Base::kSigned},
    NamedType{"INTEGER1", Base::kSigned},
    NamedType{"INTEGER2", Base::kSigned},
    NamedType{"INTEGER4", Base::kSigned},
    NamedType{"INTEGER8", Base::kSigned},
    NamedType{"INTEGER16", Base::kSigned},
    NamedType{"AINT", Base::kSigned},
    NamedType{"OFFSET", Base::kSigned},
    NamedType{"COUNT", Base::kSigned},

    NamedType{"UNSIGNED_CHAR", Base::kUnsigned},
    NamedType{"UNSIGNED_SHORT", Base::kUnsigned},
    NamedType{"UNSIGNED", Base::kUnsigned},
    NamedType{"UNSIGNED_INT", Base::kUnsigned},
    NamedType{"UNSIGNED_LONG", Base::kUnsigned},
    NamedType{"UNSIGNED_LONG_LONG", Base::kUnsigned},
    NamedType{"UINT8_T", Base::kUnsigned},
    NamedType{"UINT16_T", Base::kUnsigned},
    NamedType{"UINT32_T", Base::kUnsigned},
    NamedType{"UINT64_T", Base::kUnsigned},

    NamedType{"FLOAT", Base::kFloat},
    NamedType{"DOUBLE", Base::kFloat},
    NamedType{"LONG_DOUBLE", Base::kFloat},
    NamedType{"SHORT_FLOAT", Base::kFloat},
    NamedType{"REAL", Base::kFloat},
    NamedType{"REAL2", Base::kFloat},
    NamedType{"REAL4", Base::kFloat},
    NamedType{"REAL8", Base::kFloat},
    NamedType{"REAL16", Base::kFloat},
    NamedType{"DOUBLE_PRECISION", Base::kFloat},
    NamedType{"C_FLOAT16", Base::kFloat},
    NamedType{"BFLOAT16", Base::kFloat, 1},

    NamedType{"C_COMPLEX", Base::kComplex},
    NamedType{"C_FLOAT_COMPLEX", Base::kComplex},
    NamedType{"C_DOUBLE_COMPLEX", Base::kComplex},
    NamedType{"C_LONG_DOUBLE_COMPLEX", Base::kComplex},
    NamedType{"C_SHORT_FLOAT_COMPLEX", Base::kComplex},
    NamedType{"CXX_COMPLEX", Base::kComplex},
    NamedType{"CXX_FLOAT_COMPLEX", Base::kComplex},
    NamedType{"CXX_DOUBLE_COMPLEX", Base::kComplex},
    NamedType{"CXX_LONG_DOUBLE_COMPLEX", Base::kComplex},
    NamedType{"COMPLEX", Base::kComplex},
    NamedType{"COMPLEX4", Base::kComplex},
    NamedType{"COMPLEX8", Base::kComplex},
    NamedType{"COMPLEX16", Base::kComplex},
    NamedType{"COMPLEX32", Base::kComplex},
    NamedType{"DOUBLE_COMPLEX", Base::kComplex},

    NamedType{"C_BOOL", Base::kLogical},
    NamedType{"CXX_BOOL", Base::kLogical},
    NamedType{"BOOL", Base::kLogical},
    NamedType{"LOGICAL", Base::kLogical},
    NamedType{"LOGICAL1", Base::kLogical},
    NamedType{"LOGICAL2", Base::kLogical},
    NamedType{"LOGICAL4", Base::kLogical},
    NamedType{"LOGICAL8", Base::kLogical},
    NamedType{"LOGICAL16", Base::kLogical},

    NamedType{"FLOAT_INT", Base::kPair, 0, Base::kFloat, sizeof(float)},
    NamedType{"DOUBLE_INT", Base::kPair, 0, Base::kFloat, sizeof(double)},
    NamedType{"LONG_DOUBLE_INT", Base::kPair, 0, Base::kFloat, sizeof(long double)},
    NamedType{"LONG_INT", Base::kPair, 0, Base::kSigned, sizeof(long)},
    NamedType{"2INT", Base::kPair, 0, Base::kSigned, sizeof(int)},
    NamedType{"2INTEGER", Base::kPair, 1, Base::kSigned, 0},
    NamedType{"2REAL", Base::kPair, 1, Base::kFloat, 0},
    NamedType{"2DOUBLE_PRECISION", Base::kPair, 1, Base::kFloat, 0},
    NamedType{"2COMPLEX", Base::kPair, 1, Base::kComplex, 0},
    NamedType{"2DOUBLE_COMPLEX", Base::kPair, 1, Base::kComplex, 0},
};

}  // namespace

const NamedType* named_type(std::string_view name) {
    for (const std::string_view prefix : {"MPI_", "MPIX_"})
        if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
    const auto found = std::ranges::find(kNamed, name, &NamedType::name);
    return found == kNamed.end() ? nullptr : found;
}

}  // namespace jaxmpi
