// The parts of the extension `_native`, one function for each file.
#pragma once

#include <nanobind/nanobind.h>

namespace jaxmpi {

void bind_activation(nanobind::module_& m);     // switching this process on: bind_activation.cpp
void bind_system_exit(nanobind::module_& m);    // the exit that a program asks for: system_exit.cpp
void bind_pickled(nanobind::module_& m);        // mpi4py's lower-case methods: pickled_method.cpp
void bind_operations(nanobind::module_& m);     // mpi4jax's operations: operations.cpp
void bind_ledger(nanobind::module_& m);         // reading the ledger of a job: bind_ledger.cpp
void bind_deaths(nanobind::module_& m);         // which process died first: bind_deaths.cpp
void bind_launches(nanobind::module_& m);       // recording JAX's launches: bind_launches.cpp
void bind_launch_ledger(nanobind::module_& m);  // reading them: bind_launch_ledger.cpp

void install_flusher();  // streams at the end of the process: flushing.cpp
void flush_streams();    // now; waits for the GIL

}  // namespace jaxmpi
