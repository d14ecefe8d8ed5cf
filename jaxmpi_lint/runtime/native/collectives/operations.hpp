// The operations, on memory that MPI can read and write.
#pragma once

#include <cstddef>

#include "tables.hpp"

namespace jaxmpi::collectives {

struct Array {
    void* data = nullptr;
    Count count = 0;
    Type type = Type::kUnknown;
    std::size_t bytes = 0;
};

// Who a message goes to or comes from.
struct Envelope {
    Count peer = 0, tag = 0;
};

// All throw Problem; arrays that do not fit together or to the communicator are refused before any call of MPI.
void allreduce(Count communicator, Count reduction, const Array& sent, const Array& received);
void scan(Count communicator, Count reduction, const Array& sent, const Array& received);
void reduce(Count communicator, Count reduction, Count root, const Array& sent, const Array& received);
void bcast(Count communicator, Count root, const Array& sent, const Array& received);
void allgather(Count communicator, const Array& sent, const Array& received);
void alltoall(Count communicator, const Array& sent, const Array& received);
void gather(Count communicator, Count root, const Array& sent, const Array& received);
void scatter(Count communicator, Count root, const Array& sent, const Array& received);
void barrier(Count communicator);
void send(Count communicator, const Envelope& to, const Array& sent);
void recv(Count communicator, const Envelope& from, Count status, const Array& received);
void sendrecv(Count communicator, const Envelope& to, const Array& sent, const Envelope& from, Count status,
              const Array& received);

}  // namespace jaxmpi::collectives
