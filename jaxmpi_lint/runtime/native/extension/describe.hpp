// The ledger as Python dictionaries whose fields are those of the classes in snapshot.py.
#pragma once

#include <nanobind/nanobind.h>

#include "watched.hpp"

namespace jaxmpi {

nanobind::dict describe(const Watched& watched);
nanobind::list describe_history(const Watched& watched, std::uint32_t local, std::size_t count);

}  // namespace jaxmpi
