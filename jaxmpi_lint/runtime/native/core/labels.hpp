// The methods of mpi4py that stand around MPI calls, by number: ThreadContext::label, Record::label.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "functions.hpp"

namespace jaxmpi {

struct Label {
    const char* name;       // as the user reads it
    Function function;      // the collective it means
    std::int8_t root = -1;  // position of the argument, `self` is 0; -1: it has none
    std::int8_t op = -1;
};

inline constexpr std::array kLabels{
    Label{"", Function::kNothing},
    Label{"Comm.bcast", Function::kBcast, 2},
    Label{"Comm.gather", Function::kGather, 2},
    Label{"Comm.scatter", Function::kScatter, 2},
    Label{"Comm.allgather", Function::kAllgather},
    Label{"Comm.alltoall", Function::kAlltoall},
    Label{"Comm.reduce", Function::kReduce, 3, 2},
    Label{"Comm.allreduce", Function::kAllreduce, -1, 2},
    Label{"Intracomm.scan", Function::kScan, -1, 2},
    Label{"Intracomm.exscan", Function::kExscan, -1, 2},
    Label{"Topocomm.neighbor_allgather", Function::kNeighborAllgather},
    Label{"Topocomm.neighbor_alltoall", Function::kNeighborAlltoall},
};

// The number of a method, 0 if it has none.
constexpr std::uint32_t label_of(std::string_view name) {
    for (std::uint32_t i = 1; i < kLabels.size(); ++i)
        if (name == kLabels[i].name) return i;
    return 0;
}

}  // namespace jaxmpi
