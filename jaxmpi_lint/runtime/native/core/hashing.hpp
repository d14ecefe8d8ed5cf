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

__extension__ using Wide = unsigned __int128;

// One multiplication over both halves: fast, and good enough where an equal hash of different things only misses.
constexpr std::uint64_t folded(std::uint64_t a, std::uint64_t b) {
    const Wide product = Wide{a ^ 0x2d358dccaa6c78a5} * (b ^ 0x8bb84b93962eacc9);
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
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
