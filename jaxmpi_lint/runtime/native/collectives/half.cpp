#include "half.hpp"

#include <cstring>

namespace jaxmpi::collectives {
namespace {

using Bits = std::uint32_t;
using Half = std::uint16_t;

constexpr Bits kSign = 0x8000;
constexpr Bits kExponent = 0x7f800000;
constexpr Bits kQuiet = 0x00400000;
constexpr int kMantissaDifference = 13;      // bits that float32 has and float16 has not
constexpr float kDenormalUnit = 0x1p-24F;    // the smallest float16
constexpr float kSmallestNormal = 0x1p-14F;  // of float16
constexpr float kOverflow = 65520.0F;        // rounds to infinity in float16
constexpr Bits kRebias = (127 - 15) << 10;   // exponents, at float16's place

Bits bits_of(float value) {
    Bits bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

float value_of(Bits bits) {
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

// The upper part of `bits` above `dropped` bits, rounded to nearest and ties to even.
Bits rounded(Bits bits, int dropped) {
    const Bits half = (Bits{1} << (dropped - 1)) - 1;
    return (bits + half + ((bits >> dropped) & 1)) >> dropped;
}

bool is_nan(Bits bits) { return (bits & ~(kSign << 16)) > kExponent; }

float from_bfloat16(Half half) { return value_of(Bits{half} << 16); }

Half to_bfloat16(float value) {
    const Bits bits = bits_of(value);
    return static_cast<Half>(is_nan(bits) ? (bits | kQuiet) >> 16 : rounded(bits, 16));
}

float from_float16(Half half) {
    const Bits sign = (Bits{half} & kSign) << 16, rest = half & ~kSign & 0xffff;
    if (rest >= 0x7c00) return value_of(sign | kExponent | ((rest & 0x3ff) << kMantissaDifference));
    if (rest < 0x400) return value_of(sign | bits_of(static_cast<float>(rest) * kDenormalUnit));
    return value_of(sign | ((rest + kRebias) << kMantissaDifference));
}

Half to_float16(float value) {
    const Bits bits = bits_of(value), sign = (bits >> 16) & kSign;
    const float size = value_of(bits & ~(kSign << 16));
    if (is_nan(bits)) return static_cast<Half>(sign | 0x7e00 | ((bits >> kMantissaDifference) & 0x3ff));
    if (size >= kOverflow) return static_cast<Half>(sign | 0x7c00);
    if (size < kSmallestNormal) {  // the unit of 0.5 is 2^-24: adding it rounds to a multiple of the smallest float16
        return static_cast<Half>(sign | (bits_of(size + 0.5F) - bits_of(0.5F)));
    }
    return static_cast<Half>(sign | (rounded(bits_of(size), kMantissaDifference) - kRebias));
}

}  // namespace

std::vector<float> widened(const Array& array) {
    const auto* halves = static_cast<const Half*>(array.data);
    const auto convert = array.type == Type::kFloat16 ? from_float16 : from_bfloat16;
    std::vector<float> values(static_cast<std::size_t>(array.count));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = convert(halves[i]);
    return values;
}

void narrow(const std::vector<float>& values, const Array& into) {
    auto* halves = static_cast<Half*>(into.data);
    const auto convert = into.type == Type::kFloat16 ? to_float16 : to_bfloat16;
    for (std::size_t i = 0; i < values.size(); ++i) halves[i] = convert(values[i]);
}

}  // namespace jaxmpi::collectives
