// Errors of MPI that the sanitizer's own calls meet.
#pragma once

#include <array>

#include "core.hpp"
#include "routine.hpp"

namespace jaxmpi {

// While it lives, errors on MPI_COMM_WORLD and MPI_COMM_SELF are returned. Only where the program has no control: in
// MPI_Init and MPI_Finalize.
class ErrorsReturned {
  public:
    ErrorsReturned() {
        for (Kept& one : kept_) {
            one.known = get(one.comm, reinterpret_cast<Word>(one.handler.address())) == 0;
            if (one.known) set(one.comm, process().errors_return);
        }
    }
    ~ErrorsReturned() {
        for (Kept& one : kept_) {
            if (!one.known) continue;
            set(one.comm, one.handler.value());
            release(reinterpret_cast<Word>(one.handler.address()));
        }
    }
    ErrorsReturned(const ErrorsReturned&) = delete;
    ErrorsReturned& operator=(const ErrorsReturned&) = delete;

  private:
    struct Kept {
        Word comm;
        HandleCell handler;
        bool known = false;
    };
    static inline const Routine get{"PMPI_Comm_get_errhandler"}, set{"PMPI_Comm_set_errhandler"},
        release{"PMPI_Errhandler_free"};
    std::array<Kept, 2> kept_{Kept{process().comm_world, {}}, Kept{process().comm_self, {}}};
};

}  // namespace jaxmpi
