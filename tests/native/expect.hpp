// The whole test harness.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <source_location>

inline void expect(bool holds, std::source_location at = std::source_location::current()) {
    if (holds) return;
    std::fprintf(stderr, "%s:%u: does not hold (%s)\n", at.file_name(), at.line(), at.function_name());
    std::exit(1);
}

// Says what was expected and what came instead.
inline void expect_equal(long long got, long long wanted, std::source_location at = std::source_location::current()) {
    if (got == wanted) return;
    std::fprintf(stderr, "%s:%u: %lld instead of %lld\n", at.file_name(), at.line(), got, wanted);
    std::exit(1);
}
