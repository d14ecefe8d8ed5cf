// Comparison between ranks of the collectives of a compiled function, before its first one.
//
// When a function runs for the first time, the operations that it begins with for all data are known. When the first of
// them begins, all earlier communication has been counted, so each of its collectives already has a number on its
// communicator. It is compared with the announcements of other ranks for that number, or with the collectives that they
// have entered: a function that differs in its tenth collective is detected before its first.
//
// No rank waits for another. Operations after a branch, after a loop of unknown trip count or after anything else
// unknown are not announced.
#pragma once

#include <cstdint>
#include <vector>

#include "export.hpp"

namespace jaxmpi {

struct KnownOperation;
struct ThreadContext;

// The calling thread is about to start a compiled function that begins with these operations, in this order, and
// nothing that it launched earlier is still in progress.
JAXMPI_EXPORT void announce(const std::vector<std::uint64_t>& keys);

// The thread is about to launch a different function: if the announced one has not begun by now, it failed.
void forget_announced(const ThreadContext& thread);

// The first announced operation begins: compares the announcement, and reports mismatches.
void begin_announced(KnownOperation& first, const ThreadContext& thread);

// An operation failed, so the operations announced after it may not be executed.
JAXMPI_EXPORT void operation_failed();

}  // namespace jaxmpi
