// What the user calls around MPI calls: methods of mpi4py that pickle, operations of mpi4jax and of our collectives.
// By number: ThreadContext::label, Record::label.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "functions.hpp"

namespace jaxmpi {

struct Label {
    const char* name;       // as the user reads it
    Function function;      // the collective that a pickling method means; kNothing: it is told by its MPI calls
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
    Label{"mpi4jax.allgather", Function::kNothing},
    Label{"mpi4jax.allreduce", Function::kNothing},
    Label{"mpi4jax.alltoall", Function::kNothing},
    Label{"mpi4jax.barrier", Function::kNothing},
    Label{"mpi4jax.bcast", Function::kNothing},
    Label{"mpi4jax.gather", Function::kNothing},
    Label{"mpi4jax.recv", Function::kNothing},
    Label{"mpi4jax.reduce", Function::kNothing},
    Label{"mpi4jax.scan", Function::kNothing},
    Label{"mpi4jax.scatter", Function::kNothing},
    Label{"mpi4jax.send", Function::kNothing},
    Label{"mpi4jax.sendrecv", Function::kNothing},
    Label{"collectives.allgather", Function::kNothing},
    Label{"collectives.allreduce", Function::kNothing},
    Label{"collectives.alltoall", Function::kNothing},
    Label{"collectives.barrier", Function::kNothing},
    Label{"collectives.bcast", Function::kNothing},
    Label{"collectives.gather", Function::kNothing},
    Label{"collectives.recv", Function::kNothing},
    Label{"collectives.reduce", Function::kNothing},
    Label{"collectives.scan", Function::kNothing},
    Label{"collectives.scatter", Function::kNothing},
    Label{"collectives.send", Function::kNothing},
    Label{"collectives.sendrecv", Function::kNothing},
};

// The number of a method, 0 if it has none.
constexpr std::uint32_t label_of(std::string_view name) {
    for (std::uint32_t i = 1; i < kLabels.size(); ++i)
        if (name == kLabels[i].name) return i;
    return 0;
}

}  // namespace jaxmpi
