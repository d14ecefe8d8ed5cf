"""The compiled extension, loaded and connected to the MPI library of this process."""

from __future__ import annotations

import ctypes
import itertools
import os
from pathlib import Path

import jax
import jaxlib
from mpi4py import MPI

from jaxmpi_lint.runtime.collectives import building, dtypes, lines

OPERATIONS = (
    "allgather", "allreduce", "alltoall", "barrier", "bcast", "gather",
    "recv", "reduce", "scan", "scatter", "send", "sendrecv",
)  # fmt: skip


PLATFORMS = {"cpu": "jaxmpi_", "CUDA": "jaxmpi_cuda_"}  # XLA's name -> prefix of the handlers' names


def handle(thing: MPI.Comm | MPI.Op | MPI.Datatype | MPI.Errhandler) -> int:
    """The C handle as an unsigned integer."""
    bits = 8 * MPI._sizeof(thing)
    return int(MPI._handleof(thing)) & ((1 << bits) - 1)


def target(operation: str) -> str:
    """The name under which the handler is registered with XLA."""
    return f"jaxmpi_{operation}"


def _load() -> ctypes.CDLL:
    path = building.library(Path(jax.ffi.include_dir()), jaxlib.__version__)
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:  # compiled on an incompatible host
        raise building.Unavailable(f"the collectives extension cannot be loaded: {error}; remove the file") from None
    word, count, address = ctypes.c_uint64, ctypes.c_int64, ctypes.c_void_p
    library.jaxmpi_resolve.argtypes = [ctypes.c_char_p, word, count, ctypes.c_char_p, ctypes.c_size_t]
    library.jaxmpi_set_sizes.argtypes = [ctypes.c_size_t, count, word]
    library.jaxmpi_set_datatype.argtypes = [ctypes.c_int, word]
    library.jaxmpi_add_communicator.argtypes = [word, count, count, ctypes.c_char_p]
    library.jaxmpi_add_communicator.restype = count
    library.jaxmpi_retire_communicator.argtypes = [count]
    library.jaxmpi_add_operator.argtypes = [address, ctypes.c_bool]
    library.jaxmpi_add_operator.restype = count
    library.jaxmpi_set_status.argtypes = [count, address]
    library.jaxmpi_missing_driver.restype = ctypes.c_char_p
    return library


def _connect(library: ctypes.CDLL) -> None:
    """Pass the location of MPI and its handles to the extension."""
    problem = ctypes.create_string_buffer(1024)
    library.jaxmpi_resolve(
        os.fsencode(str(MPI.__file__)), handle(MPI.ERRORS_RETURN), MPI.PROC_NULL, problem, len(problem)
    )
    if problem.value:
        raise building.Unavailable(f"the collectives extension found no MPI: {problem.value.decode()}")
    library.jaxmpi_set_sizes(MPI._sizeof(MPI.Op), MPI._sizeof(MPI.Status), handle(MPI.OP_NULL))
    for index, kind in enumerate(dtypes.TYPES.values()):
        library.jaxmpi_set_datatype(index, handle(kind))


def _register(library: ctypes.CDLL) -> None:
    """Register the handlers with XLA. JAX defers those for CUDA until its CUDA backend starts, if it does."""
    for operation, (platform, prefix) in itertools.product(OPERATIONS, PLATFORMS.items()):
        handler = lines.relayed(jax.ffi.pycapsule(getattr(library, prefix + operation)))
        jax.ffi.register_ffi_target(target(operation), handler, platform=platform)


LIBRARY = _load()
_connect(LIBRARY)
_register(LIBRARY)
