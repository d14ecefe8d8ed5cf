// The ledger as Python dictionaries whose fields are those of the classes in snapshot.py.
#pragma once

#include <nanobind/nanobind.h>

#include "watched.hpp"

namespace jaxmpi {

nanobind::dict describe(const Watched& watched);
// The checkpoints of a lane that are not overwritten meanwhile: pairs of count and hash, the earliest first.
nanobind::list checkpoints(Lane& lane);
// A call site with its callers; None if it is none.
nanobind::object describe_site(const Ledger& ledger, std::uint32_t local, std::uint32_t index);
// The latest communicators that a rank has freed.
nanobind::list describe_formers(const Watched& watched, std::uint32_t local, std::size_t count);
// The latest parts of v-collectives that a rank exchanged with other hosts.
nanobind::list describe_distant_parts(const Watched& watched, std::uint32_t local, std::size_t count);
nanobind::list describe_history(const Watched& watched, std::uint32_t local, std::size_t count);

}  // namespace jaxmpi
