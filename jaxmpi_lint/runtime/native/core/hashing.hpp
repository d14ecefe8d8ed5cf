// One hash for texts and numbers, the same on every rank.
#pragma once

#include <cstdint>
#include <string_view>

namespace jaxmpi {

constexpr std::uint64_t mix(std::uint64_t value) {
    value ^= value >> 32;
    value *= 0xd6e8feb86659fd93;
    value ^= value >> 32;
    value *= 0xd6e8feb86659fd93;
    return value ^ value >> 32;
}

constexpr std::uint64_t combine(std::uint64_t hash, std::uint64_t value) {
    return mix(hash ^ mix(value + 0x9e3779b97f4a7c15));
}

constexpr std::uint64_t hash_text(std::string_view text) {
    std::uint64_t hash = text.size();
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return mix(hash);
}

}  // namespace jaxmpi
