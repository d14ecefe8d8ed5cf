"""The public operations; they check their arguments before anything is traced."""

from __future__ import annotations

from typing import Any, TypeAlias

import jax
from mpi4py import MPI

from jaxmpi_lint.runtime.collectives import arguments, cuda, primitives, statuses
from jaxmpi_lint.runtime.collectives.arguments import ABSENT, Absent
from jaxmpi_lint.runtime.collectives.dtypes import movable

Array: TypeAlias = jax.Array
Arrays: TypeAlias = jax.typing.ArrayLike


def allreduce(x: Arrays, op: MPI.Op, *, comm: MPI.Intracomm | None = None, token: Absent = ABSENT) -> Array:
    """Reduce over all ranks; every rank gets the result, with the shape of ``x``."""
    communicator = arguments.communicator("allreduce", comm, token)
    operator = arguments.operator("allreduce", op)
    return primitives.allreduce_p.bind(movable(x, "allreduce"), communicator=communicator, operator=operator)


def reduce(x: Arrays, op: MPI.Op, root: int, *, comm: MPI.Intracomm | None = None, token: Absent = ABSENT) -> Array:
    """Reduce over all ranks; the root gets the result, the others their ``x``."""
    communicator = arguments.communicator("reduce", comm, token)
    operator = arguments.operator("reduce", op)
    root = arguments.root("reduce", root, communicator)
    array = movable(x, "reduce")
    result = primitives.reduce_p.bind(array, communicator=communicator, operator=operator, root=root)
    return result if communicator.rank == root else primitives.tied_p.bind(array, result)


def scan(x: Arrays, op: MPI.Op, *, comm: MPI.Intracomm | None = None, token: Absent = ABSENT) -> Array:
    """Reduce over this rank and all lower ones; the result has the shape of ``x``."""
    communicator = arguments.communicator("scan", comm, token)
    operator = arguments.operator("scan", op)
    return primitives.scan_p.bind(movable(x, "scan"), communicator=communicator, operator=operator)


def bcast(x: Arrays, root: int, *, comm: MPI.Intracomm | None = None, token: Absent = ABSENT) -> Array:
    """The root's ``x`` on every rank; on other ranks ``x`` is a template for shape and dtype."""
    communicator = arguments.communicator("bcast", comm, token)
    root = arguments.root("bcast", root, communicator)
    array = movable(x, "bcast")
    result = primitives.bcast_p.bind(array, communicator=communicator, root=root)
    return primitives.tied_p.bind(array, result) if communicator.rank == root else result


def allgather(x: Arrays, *, comm: MPI.Intracomm | None = None, token: Absent = ABSENT) -> Array:
    """The ``x`` of all ranks on every rank, shape ``(size, *x.shape)``."""
    communicator = arguments.communicator("allgather", comm, token)
    return primitives.allgather_p.bind(movable(x, "allgather"), communicator=communicator)


def alltoall(x: Arrays, *, comm: MPI.Intracomm | None = None, token: Absent = ABSENT) -> Array:
    """Send row ``i`` of ``x`` to rank ``i``, and receive row ``i`` from it. ValueError unless there are size rows."""
    communicator = arguments.communicator("alltoall", comm, token)
    array = movable(x, "alltoall")
    arguments.one_row_each("alltoall", array, communicator)
    return primitives.alltoall_p.bind(array, communicator=communicator)


def gather(x: Arrays, root: int, *, comm: MPI.Intracomm | None = None, token: Absent = ABSENT) -> Array:
    """The ``x`` of all ranks on the root, shape ``(size, *x.shape)``; the others get their ``x``."""
    communicator = arguments.communicator("gather", comm, token)
    root = arguments.root("gather", root, communicator)
    array = movable(x, "gather")
    result = primitives.gather_p.bind(array, communicator=communicator, root=root)
    return result if communicator.rank == root else primitives.tied_p.bind(array, result)


def scatter(x: Arrays, root: int, *, comm: MPI.Intracomm | None = None, token: Absent = ABSENT) -> Array:
    """Row ``i`` of the root's ``x`` on rank ``i``; on other ranks ``x`` is a template of one row.

    ValueError on the root unless ``x`` has a row for each rank.
    """
    communicator = arguments.communicator("scatter", comm, token)
    root = arguments.root("scatter", root, communicator)
    array = movable(x, "scatter")
    if communicator.rank == root:
        arguments.one_row_each("scatter", array, communicator)
    return primitives.scatter_p.bind(array, communicator=communicator, root=root)


def barrier(*, comm: MPI.Intracomm | None = None, token: Absent = ABSENT) -> list[Any]:
    """Wait for all ranks. Returns an empty list, as mpi4jax does."""
    return primitives.barrier_p.bind(communicator=arguments.communicator("barrier", comm, token))


def send(x: Arrays, dest: int, *, tag: int = 0, comm: MPI.Intracomm | None = None, token: Absent = ABSENT) -> list[Any]:
    """Send ``x`` to a rank. Returns an empty list, as mpi4jax does."""
    communicator = arguments.communicator("send", comm, token)
    dest = arguments.peer("send", "dest", dest, communicator)
    tag = arguments.integer("send", "tag", tag)
    return primitives.send_p.bind(movable(x, "send"), communicator=communicator, dest=dest, sendtag=tag)


def recv(
    x: Arrays,
    source: int = MPI.ANY_SOURCE,
    *,
    tag: int = MPI.ANY_TAG,
    comm: MPI.Intracomm | None = None,
    status: MPI.Status | None = None,
    token: Absent = ABSENT,
) -> Array:
    """Receive a message with the shape and dtype of ``x``; returns ``x`` itself if the source is PROC_NULL.

    Raises an exception if the message has a different number of elements.
    """
    communicator = arguments.communicator("recv", comm, token)
    source = arguments.peer("recv", "source", source, communicator, MPI.ANY_SOURCE)
    tag = arguments.integer("recv", "tag", tag)
    arrays: list[Any] = [movable(x, "recv")]
    static = {"communicator": communicator, "source": source, "recvtag": tag}
    return _with_status("recv", primitives.recv_p, arrays, status, static)


def sendrecv(
    sendbuf: Arrays,
    recvbuf: Arrays,
    source: int,
    dest: int,
    *,
    sendtag: int = 0,
    recvtag: int = MPI.ANY_TAG,
    comm: MPI.Intracomm | None = None,
    status: MPI.Status | None = None,
    token: Absent = ABSENT,
) -> Array:
    """Send one message and receive another concurrently; see ``send`` and ``recv``."""
    communicator = arguments.communicator("sendrecv", comm, token)
    static = {
        "communicator": communicator,
        "source": arguments.peer("sendrecv", "source", source, communicator, MPI.ANY_SOURCE),
        "dest": arguments.peer("sendrecv", "dest", dest, communicator),
        "sendtag": arguments.integer("sendrecv", "sendtag", sendtag),
        "recvtag": arguments.integer("sendrecv", "recvtag", recvtag),
    }
    arrays: list[Any] = [movable(sendbuf, "sendrecv"), movable(recvbuf, "sendrecv")]
    return _with_status("sendrecv", primitives.sendrecv_p, arrays, status, static)


def _with_status(
    operation: str, primitive: Any, arrays: list[Any], status: MPI.Status | None, static: dict[str, Any]
) -> Array:
    if status is None:
        return primitive.bind(*arrays, **static)
    number = statuses.promised(arguments.status(operation, status))
    result = primitive.bind(*arrays, number, **static)
    statuses.settle(number, result)
    return result


def has_cuda_support() -> bool:
    """Whether arrays on NVIDIA GPUs are supported: JAX has a CUDA backend, and the driver can be loaded."""
    return cuda.is_usable()


def has_sycl_support() -> bool:
    """Whether arrays on SYCL devices are supported: no."""
    return False
