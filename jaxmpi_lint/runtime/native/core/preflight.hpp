// What a compiled function is about to communicate, compared between ranks before it does so.
//
// Of a function that runs for the first time it is known which operations it begins with whatever the data are. When
// the first of them begins, everything that the program communicated before is counted, so each of its collectives has
// a number on its communicator already. It is compared with what other ranks have announced for that number, or have
// entered: a function that differs in its tenth collective is found before its first.
//
// Nobody waits for anybody. What follows a branch, a loop of unknown length or anything else unknown is not announced.
#pragma once

#include <cstdint>
#include <vector>

#include "export.hpp"

namespace jaxmpi {

struct KnownOperation;
struct ThreadContext;

// The calling thread is about to start a compiled function that begins with these operations, in this order, and
// nothing that it started before is still under way.
JAXMPI_EXPORT void announce(const std::vector<std::uint64_t>& keys);

// The thread is about to start another function: if what was announced has not begun by now, it failed.
void forget_announced(const ThreadContext& thread);

// The operation that leads what was announced begins: compares, and reports what cannot fit.
void begin_announced(KnownOperation& first, const ThreadContext& thread);

// An operation ended with an error, so what was announced after it may not come.
JAXMPI_EXPORT void operation_failed();

}  // namespace jaxmpi
