"""What every handler for CUDA gives, on the device of a pretended driver; under both kinds of MPI, GPU-aware or not."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import checking
import jax.numpy as jnp
import numpy as np
import pretended_gpu as gpu
from checking import RANK, SIZE, WORLD
from mpi4py import MPI
from pretended_gpu import IS_SHARED, OnDevice, on_device

from jaxmpi_lint.runtime.collectives import communicators, operators, statuses

NEXT, PREVIOUS = (RANK + 1) % SIZE, (RANK - 1) % SIZE
COMMUNICATOR = communicators.known(WORLD.Dup()).number
ALONE = communicators.known(MPI.COMM_SELF).number
SUM = operators.known(MPI.SUM).number
TYPES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "bfloat16", "float32", "float64", "complex64", "complex128", "float8_e4m3fn",
)  # fmt: skip
SHAPES: tuple[tuple[int, ...], ...] = ((), (0,), (3,), (2, 0, 3), (2, 3))
ILLEGAL = "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)"


def of(rank: int, name: str = "float32", shape: tuple[int, ...] = (2, 3)) -> np.ndarray:
    """What a rank has to give."""
    count = int(np.prod(shape))
    return (np.arange(count).reshape(shape) % 7 + rank + 1).astype(jnp.dtype(name))


def stacked(name: str = "float32", shape: tuple[int, ...] = (2, 3)) -> np.ndarray:
    return np.stack([of(rank, name, shape) for rank in range(SIZE)])


def run(operation: str, given: Any, shape: tuple[int, ...] | None, *more: Any, **static: int) -> Any:
    """The result of an operation on an array (None: there is no operand), None if it has none."""
    operands = [] if given is None else [on_device(given)]
    dtype = np.float32 if given is None else operands[0].dtype
    results = [] if shape is None else [OnDevice(shape, dtype)]
    static.setdefault("communicator", COMMUNICATOR)
    gpu.call(operation, [*operands, *map(on_device, more)], results, **static)
    return results[0].value() if results else None


def refused(call: Callable[[], Any], *words: str) -> None:
    try:
        call()
    except RuntimeError as error:
        for word in words:
            assert word in str(error), f"{word!r} is not in {error}"
    else:
        raise AssertionError(f"nothing raised; expected {words}")


def check_types_and_shapes() -> None:
    for name in TYPES:
        for shape in SHAPES:
            here, everywhere = of(RANK, name, shape), stacked(name, shape)
            np.testing.assert_array_equal(run("allgather", here, (SIZE, *shape)), everywhere)
            moved = run("sendrecv", here, shape, source=PREVIOUS, dest=NEXT, sendtag=0, recvtag=MPI.ANY_TAG)
            np.testing.assert_array_equal(moved, everywhere[PREVIOUS])
            if name not in ("bool", "float8_e4m3fn"):
                total = run("allreduce", here, shape, operator=SUM)
                np.testing.assert_array_equal(
                    total.astype("complex128"), everywhere.astype("complex128").sum(0), err_msg=name
                )


def check_reductions() -> None:
    np.testing.assert_array_equal(run("scan", of(RANK), (2, 3), operator=SUM), stacked()[: RANK + 1].sum(0))
    for root in range(SIZE):
        shape = (2, 3) if root == RANK else (0,)
        result = run("reduce", of(RANK), shape, operator=SUM, root=root)
        np.testing.assert_array_equal(result, stacked().sum(0) if root == RANK else np.empty(0))


def check_bcast() -> None:
    for root in range(SIZE):
        if root == RANK:
            run("bcast", of(root), (0,), root=root)
        else:
            np.testing.assert_array_equal(run("bcast", None, (2, 3), root=root), of(root))


def check_gather_and_scatter() -> None:
    for root in range(SIZE):
        result = run("gather", of(RANK), (SIZE, 2, 3) if root == RANK else (0,), root=root)
        np.testing.assert_array_equal(result, stacked() if root == RANK else np.empty(0))
        result = run("scatter", stacked() if root == RANK else None, (2, 3), root=root)
        np.testing.assert_array_equal(result, of(RANK))


def check_alltoall() -> None:
    given = np.stack([of(RANK) + 100 * rank for rank in range(SIZE)])
    np.testing.assert_array_equal(run("alltoall", given, given.shape), stacked() + 100 * RANK)


def check_barrier() -> None:
    """What the stream was to do before is done when it returns."""
    before = gpu.calls("cuStreamSynchronize")
    assert run("barrier", None, None) is None
    assert gpu.calls("cuStreamSynchronize") == before + 1


def check_send_and_recv() -> None:
    if SIZE == 1:
        return
    if RANK == 0:
        assert run("send", of(0), None, dest=1, sendtag=3) is None
    if RANK == 1:
        np.testing.assert_array_equal(run("recv", None, (2, 3), source=0, recvtag=3), of(0))


def check_status() -> None:
    """Its number is an operand, in the device's memory as all are."""
    tags = {"sendtag": 20 + RANK, "recvtag": MPI.ANY_TAG}
    status = MPI.Status()
    result = run("sendrecv", of(RANK), (2, 3), statuses.promised(status), source=PREVIOUS, dest=NEXT, **tags)
    np.testing.assert_array_equal(result, of(PREVIOUS))
    assert (status.source, status.tag) == (PREVIOUS, 20 + PREVIOUS)
    if SIZE > 1 and RANK < 2:
        status = MPI.Status()
        if RANK == 0:
            run("send", of(0), None, dest=1, sendtag=8)
        else:
            result = OnDevice((2, 3), np.float32)
            static = {"communicator": COMMUNICATOR, "source": MPI.ANY_SOURCE, "recvtag": MPI.ANY_TAG}
            gpu.call("recv", [on_device(statuses.promised(status))], [result], **static)
            np.testing.assert_array_equal(result.value(), of(0))
            assert (status.source, status.tag) == (0, 8)


def check_nobody() -> None:
    """From PROC_NULL comes the template."""
    result = run("recv", of(RANK), (2, 3), source=MPI.PROC_NULL, recvtag=MPI.ANY_TAG)
    np.testing.assert_array_equal(result, of(RANK))
    static = {"source": MPI.PROC_NULL, "dest": MPI.PROC_NULL, "sendtag": 0, "recvtag": MPI.ANY_TAG}
    np.testing.assert_array_equal(run("sendrecv", of(RANK), (2, 3), of(RANK) + 5, **static), of(RANK) + 5)
    status = MPI.Status()
    run("sendrecv", of(RANK), (2, 3), of(RANK), statuses.promised(status), **static)
    assert status.source == MPI.PROC_NULL


def check_result_in_the_memory_of_the_argument() -> None:
    array = on_device(of(RANK))
    gpu.call("allreduce", [array], [array], communicator=COMMUNICATOR, operator=SUM)
    np.testing.assert_array_equal(array.value(), stacked().sum(0))


def check_operator_of_the_program() -> None:
    """It is called on the host, with the host's memory."""

    def larger(a: Any, b: Any, _: Any) -> None:
        right = np.frombuffer(b, np.float32)
        right[:] = np.maximum(np.frombuffer(a, np.float32), right)

    op = MPI.Op.Create(larger, commute=True)
    before = gpu.copies()
    result = run("allreduce", of(RANK), (2, 3), operator=operators.known(op).number)
    np.testing.assert_array_equal(result, stacked().max(0))
    assert gpu.copies() == before + 2
    op.Free()


def check_who_copies() -> None:
    """An MPI that says so gets the device's addresses; any other gets copies, and no more than it needs."""
    before = gpu.copies()
    run("allreduce", of(RANK), (2, 3), operator=SUM)
    run("bcast", of(0) if RANK == 0 else None, (0,) if RANK == 0 else (2, 3), root=0)
    run("sendrecv", of(RANK), (2, 3), source=PREVIOUS, dest=NEXT, sendtag=0, recvtag=MPI.ANY_TAG)
    assert gpu.copies() - before == (0 if IS_SHARED else 5)
    before = gpu.copies()
    run("allreduce", of(RANK, "bfloat16"), (2, 3), operator=SUM)
    assert gpu.copies() - before == 2  # reduced in float32


def check_more_than_may_be_locked() -> None:
    bound = int(os.environ["JAXMPI_PINNED_BYTES"])
    given = of(RANK, "float64", (bound // 2,))
    total = run("allreduce", given, given.shape, operator=SUM)
    np.testing.assert_array_equal(total, stacked("float64", given.shape).sum(0))
    assert 0 < gpu.DRIVER.pretended_most_locked() <= bound


def check_errors_of_the_driver() -> None:
    def reduced() -> Any:
        return run("allreduce", of(RANK, "float16"), (2, 3), communicator=ALONE, operator=SUM)

    gpu.fail("cuMemcpyDtoHAsync_v2", 700)
    refused(reduced, f"allreduce: copying from the GPU: {ILLEGAL}")
    gpu.fail("cuStreamSynchronize", 700)
    refused(reduced, f"allreduce: waiting for the GPU: {ILLEGAL}")
    gpu.fail("cuMemcpyHtoDAsync_v2", 700)
    refused(reduced, f"allreduce: copying to the GPU: {ILLEGAL}")
    gpu.fail("cuStreamGetCtx", 201)
    refused(lambda: run("barrier", None, None, communicator=ALONE), "barrier: ", "CUDA_ERROR_INVALID_CONTEXT")
    np.testing.assert_array_equal(reduced(), of(RANK, "float16"))


def check_errors_of_mpi() -> None:
    """The program gets an exception, and no result."""
    result = OnDevice((3,), np.float32)
    before = result.value()
    operator = operators.known(MPI.BAND).number

    def reduced() -> None:
        gpu.call("allreduce", [on_device(np.ones(3, np.float32))], [result], communicator=ALONE, operator=operator)

    refused(reduced, "allreduce on MPI_COMM_SELF")
    if not IS_SHARED:
        np.testing.assert_array_equal(result.value().view(np.uint32), before.view(np.uint32))


def check_freed_communicator() -> None:
    clone = MPI.COMM_SELF.Dup()
    number = communicators.known(clone).number
    run("barrier", None, None, communicator=number)
    clone.Free()
    refused(lambda: run("barrier", None, None, communicator=number), "barrier on", "it was freed")


def check_the_threads_context_is_left_alone() -> None:
    assert gpu.DRIVER.pretended_contexts() == 0


checking.run(globals())
