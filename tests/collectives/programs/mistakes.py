"""What goes wrong is an exception in the rank that can know, and the program can go on after it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import checking
import jax
import jax.numpy as jnp
import numpy as np
from checking import RANK, SIZE, WORLD
from mpi4py import MPI

import jaxmpi_lint.runtime.collectives as core

X = jnp.ones(3)


def refused(call: Callable[[], Any], kind: type[Exception], *words: str) -> None:
    """This exception with these words, and one only: what follows is not affected."""
    try:
        jax.block_until_ready(call())
    except kind as error:
        for word in words:
            assert word in str(error), f"{word!r} is not in {error}"
    else:
        raise AssertionError(f"nothing raised; expected {kind.__name__} with {words}")
    jax.effects_barrier()


def check_roots_and_peers() -> None:
    refused(lambda: core.bcast(X, SIZE), ValueError, f"root={SIZE}")
    refused(lambda: core.gather(X, -1), ValueError, "root=-1")
    refused(lambda: core.send(X, SIZE + 3), ValueError, f"dest={SIZE + 3}")
    refused(lambda: core.sendrecv(X, X, SIZE, 0), ValueError, f"source={SIZE}")
    refused(lambda: core.bcast(X, jnp.int32(0)), TypeError, '"root"')  # type: ignore[arg-type]
    refused(lambda: core.bcast(X, True), TypeError, '"root"')
    refused(lambda: core.recv(X, 0, tag=1.0), TypeError, '"tag"')  # type: ignore[arg-type]
    refused(lambda: jax.jit(lambda root: core.bcast(X, root))(0), TypeError, "static_argnums")


def check_arguments_of_other_types() -> None:
    refused(lambda: core.allreduce([1.0], MPI.SUM), TypeError, "list")  # type: ignore[arg-type]
    refused(lambda: core.allreduce(X, "SUM"), TypeError, '"op"')  # type: ignore[arg-type]
    refused(lambda: core.barrier(comm=3), TypeError, '"comm"')  # type: ignore[arg-type]
    refused(lambda: core.barrier(token=None), RuntimeError, "token")  # type: ignore[arg-type]
    refused(lambda: core.recv(X, MPI.PROC_NULL, status=3), TypeError, '"status"')  # type: ignore[arg-type]
    refused(lambda: core.allgather(jax.random.key(0)), TypeError, "key_data")
    refused(lambda: core.allgather(X.astype("int4")), TypeError, "int4")
    nobody = WORLD.Split(MPI.UNDEFINED)
    refused(lambda: core.barrier(comm=nobody), ValueError, "COMM_NULL")


def check_other_devices() -> None:
    """Lowering for them needs none."""
    traced = jax.jit(lambda x: core.allreduce(x, MPI.SUM)).trace(X)
    refused(lambda: traced.lower(lowering_platforms=("tpu",)), NotImplementedError, "allreduce", "CPUs and NVIDIA")
    assert "jaxmpi_allreduce" in traced.lower(lowering_platforms=("cuda",)).as_text()


def check_rows() -> None:
    refused(lambda: core.alltoall(jnp.ones((SIZE + 1, 2))), ValueError, "(nproc, ...)")
    refused(lambda: core.alltoall(jnp.ones(())), ValueError, "(nproc, ...)")
    refused(lambda: core.scatter(jnp.ones((SIZE + 1, 2)), RANK), ValueError, "(nproc, ...)")


def check_operators_that_do_not_fit() -> None:
    def reduced(x: jax.Array) -> jax.Array:
        return core.allreduce(x, MPI.BAND)

    for call in (reduced, jax.jit(reduced)):
        refused(lambda call=call: call(X), jax.errors.JaxRuntimeError, "allreduce on clone of MPI_COMM_WORLD")
    refused(lambda: core.allreduce(X.astype("bfloat16"), MPI.BOR), jax.errors.JaxRuntimeError, "allreduce")
    refused(lambda: core.allreduce(X.astype("float8_e4m3fn"), MPI.SUM), jax.errors.JaxRuntimeError, "8-bit")
    np.testing.assert_array_equal(core.allreduce(X, MPI.SUM), X * SIZE)


def check_freed_operator() -> None:
    op = MPI.Op.Create(lambda a, b, _: None)
    function = jax.jit(lambda x: core.allreduce(x, op))
    function(X)
    op.Free()
    refused(lambda: function(X), jax.errors.JaxRuntimeError, "operator was freed")
    refused(lambda: core.allreduce(X, op), ValueError, "OP_NULL")


def check_messages_of_another_size() -> None:
    if SIZE == 1 or RANK > 1:
        return
    for call in (core.recv, jax.jit(core.recv, static_argnums=1)):
        for sent, room, words in ((3, 5, ("3 elements", "has 5")), (0, 5, ("0 elements",)), (5, 3, ("runcate",))):
            if RANK == 0:
                core.send(jnp.ones(sent), 1)
            else:
                refused(lambda call=call, room=room: call(jnp.ones(room), 0), jax.errors.JaxRuntimeError, *words)


def check_message_that_is_no_whole_number_of_elements() -> None:
    if SIZE == 1 or RANK > 1 or MPI.get_vendor()[0] == "MPICH":  # its MPI_Recv fails an assertion and ends the job
        return
    if RANK == 0:
        core.send(jnp.ones(3, jnp.int8), 1)
    else:
        refused(lambda: core.recv(jnp.ones(1), 0), jax.errors.JaxRuntimeError, "no whole number of elements")


def check_failed_message_without_result() -> None:
    """The exception comes from the call, although nobody asks for a result."""
    refused(lambda: jax.jit(lambda x: core.send(x, 0, tag=-77))(X), jax.errors.JaxRuntimeError, "send on")
    assert core.barrier() == []


def check_handler_of_the_program_stays() -> None:
    comm = WORLD.Dup()
    comm.Set_errhandler(MPI.ERRORS_ARE_FATAL)
    refused(lambda: core.allreduce(X, MPI.BAND, comm=comm), jax.errors.JaxRuntimeError, "allreduce")
    assert comm.Get_errhandler() == MPI.ERRORS_ARE_FATAL
    comm.Free()


def check_freed_communicator() -> None:
    comm, other = WORLD.Dup(), WORLD.Dup()
    same = MPI.Intracomm(other)
    functions = [jax.jit(lambda x, c=c: core.allreduce(x, MPI.SUM, comm=c)) for c in (comm, other)]
    for function in functions:
        function(jnp.ones(1 << 20))
        function(X)
    comm.Free()
    same.Free()  # through another object
    refused(lambda: core.allreduce(X, MPI.SUM, comm=comm), ValueError, "COMM_NULL")
    for function in functions:
        refused(lambda function=function: function(X), jax.errors.JaxRuntimeError, "freed")
    new = WORLD.Dup()  # may have the same handle
    for function in functions:
        refused(lambda function=function: function(X), jax.errors.JaxRuntimeError, "freed")
    np.testing.assert_array_equal(core.allreduce(X, MPI.SUM, comm=new), X * SIZE)
    new.Free()


def check_intercommunicator() -> None:
    if SIZE == 1:
        return
    local = WORLD.Split(RANK % 2, RANK)
    inter = local.Create_intercomm(0, WORLD, (RANK + 1) % 2)
    refused(lambda: core.barrier(comm=inter), TypeError, "Intracomm")  # type: ignore[arg-type]
    inter.Free()
    local.Free()


checking.run(globals())
