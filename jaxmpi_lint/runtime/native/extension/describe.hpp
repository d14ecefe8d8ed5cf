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
// For each member of a communicator on this host, by the identity of it: a pair of the world rank and a hash of the
// collectives from `begin` to before `end`, 0 if the history does not hold all of them.
nanobind::list span_hashes(const Watched& watched, std::uint64_t id, std::uint64_t begin, std::uint64_t end);
nanobind::list describe_history(const Watched& watched, std::uint32_t local, std::size_t count);

}  // namespace jaxmpi
