// Cache lines that are asked for before they are needed: they are on their way while the rest is done.
#pragma once

#include <cstddef>

namespace jaxmpi {

inline constexpr std::size_t kLine = 64;

// To write to `bytes` from the beginning of a line on. Any address will do: a wrong one is ignored.
inline void prefetch_to_write(const void* at, std::size_t bytes = kLine) {
    const char* const begin = static_cast<const char*>(at);
    for (const char* line = begin; line < begin + bytes; line += kLine) {
#if defined(__x86_64__)
        asm volatile("prefetchw (%0)" ::"r"(line));
#else
        __builtin_prefetch(line, 1);
#endif
    }
}

}  // namespace jaxmpi
