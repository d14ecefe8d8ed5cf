// The ledger as Python dictionaries whose fields are those of the classes in snapshot.py.
#pragma once

#include <nanobind/nanobind.h>

#include "watched.hpp"

namespace jaxmpi {

nanobind::dict describe(const Watched& watched);
// The checkpoints of a lane that are not overwritten meanwhile: pairs of count and hash, the earliest first.
nanobind::list checkpoints(Lane& lane);
nanobind::list describe_history(const Watched& watched, std::uint32_t local, std::size_t count);

}  // namespace jaxmpi
