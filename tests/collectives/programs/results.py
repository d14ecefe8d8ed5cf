"""What every operation gives, outside and inside of compiled functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import checking
import jax
import jax.numpy as jnp
import numpy as np
from checking import RANK, SIZE
from mpi4py import MPI

import jaxmpi_lint.runtime.collectives as core

NEXT, PREVIOUS = (RANK + 1) % SIZE, (RANK - 1) % SIZE
TYPES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "bfloat16", "float32", "float64", "complex64", "complex128", "float8_e4m3fn",
)  # fmt: skip
SHAPES: tuple[tuple[int, ...], ...] = ((), (0,), (3,), (2, 0, 3), (2, 3))


def of(rank: int) -> np.ndarray:
    return np.arange(6.0).reshape(2, 3) + 10 * rank


X = jnp.asarray(of(RANK))
ALL = np.stack([of(rank) for rank in range(SIZE)])


def both(operation: Callable[..., Any], *arrays: Any) -> Iterator[Any]:
    """The result of a call outside and inside of a compiled function."""
    yield operation(*arrays)
    yield jax.jit(operation)(*arrays)


def check_allreduce() -> None:
    for result in both(lambda x: core.allreduce(x, MPI.SUM), X):
        np.testing.assert_allclose(result, ALL.sum(0))
    for result in both(lambda x: core.allreduce(x, op=MPI.MAX), X):
        np.testing.assert_allclose(result, ALL.max(0))


def check_reduce() -> None:
    for root in range(SIZE):
        for result in both(lambda x, root=root: core.reduce(x, MPI.SUM, root), X):
            np.testing.assert_allclose(result, ALL.sum(0) if root == RANK else X)


def check_scan() -> None:
    for result in both(lambda x: core.scan(x, MPI.SUM), X):
        np.testing.assert_allclose(result, ALL[: RANK + 1].sum(0))


def check_bcast() -> None:
    for root in range(SIZE):
        for result in both(lambda x, root=root: core.bcast(x, root), X):
            np.testing.assert_allclose(result, ALL[root])


def check_allgather() -> None:
    for result in both(core.allgather, X):
        np.testing.assert_allclose(result, ALL)


def check_gather() -> None:
    for root in range(SIZE):
        for result in both(lambda x, root=root: core.gather(x, root), X):
            np.testing.assert_allclose(result, ALL if root == RANK else X)


def check_scatter() -> None:
    for root in range(SIZE):
        given = jnp.asarray(ALL) if root == RANK else jnp.zeros((2, 3))
        for result in both(lambda x, root=root: core.scatter(x, root), given):
            np.testing.assert_allclose(result, of(RANK))


def check_alltoall() -> None:
    given = jnp.stack([X + 100 * rank for rank in range(SIZE)])
    for result in both(core.alltoall, given):
        np.testing.assert_allclose(result, ALL + 100 * RANK)


def check_barrier() -> None:
    for result in both(core.barrier):
        assert result == []


def check_send_and_recv() -> None:
    if SIZE == 1:
        return
    if RANK == 0:
        for result in both(lambda x: core.send(x, 1, tag=3), X):
            assert result == []
    if RANK == 1:
        for result in both(lambda x: core.recv(x, 0, tag=3), X):
            np.testing.assert_allclose(result, ALL[0])


def check_any_source_and_status() -> None:
    if SIZE == 1:
        return
    if RANK == SIZE - 1:
        for _ in range(SIZE - 1):
            status = MPI.Status()
            result = core.recv(X, status=status)
            np.testing.assert_allclose(result, ALL[status.source])
            assert status.tag == 20 + status.source
            assert status.Get_count(MPI.FLOAT) == 6 * X.dtype.itemsize // 4
    else:
        core.send(X, SIZE - 1, tag=20 + RANK)


def check_sendrecv() -> None:
    for result in both(lambda x: core.sendrecv(x, x, PREVIOUS, NEXT), X):
        np.testing.assert_allclose(result, ALL[PREVIOUS])
    for result in both(lambda x: core.sendrecv(x, x, PREVIOUS, NEXT, sendtag=RANK, recvtag=PREVIOUS), X):
        np.testing.assert_allclose(result, ALL[PREVIOUS])


def check_status_of_a_compiled_sendrecv() -> None:
    status = MPI.Status()
    exchange = jax.jit(lambda x: core.sendrecv(x, x, PREVIOUS, NEXT, sendtag=RANK, status=status))
    for _ in range(2):
        status.source = status.tag = 77
        exchange(X)
        assert (status.source, status.tag) == (PREVIOUS, PREVIOUS)


def check_nobody() -> None:
    """Nothing is moved to or from PROC_NULL: the result is the template."""
    for result in both(lambda x: core.recv(x, MPI.PROC_NULL), X):
        np.testing.assert_array_equal(result, X)
    for result in both(lambda x: core.sendrecv(x, x + 1, MPI.PROC_NULL, MPI.PROC_NULL), X):
        np.testing.assert_array_equal(result, X + 1)
    assert core.send(X, MPI.PROC_NULL) == []
    border = RANK == 0
    source, dest = MPI.PROC_NULL if border else RANK - 1, MPI.PROC_NULL if RANK == SIZE - 1 else RANK + 1
    for result in both(lambda x: core.sendrecv(x, -x, source, dest), X):
        np.testing.assert_array_equal(result, -X if border else ALL[RANK - 1])


def check_sizes_of_sendrecv_may_differ() -> None:
    given = jnp.arange(float(RANK + 1))
    for result in both(lambda x: core.sendrecv(x, jnp.zeros(PREVIOUS + 1), PREVIOUS, NEXT), given):
        np.testing.assert_array_equal(result, np.arange(PREVIOUS + 1.0))


def check_element_types_and_shapes() -> None:
    for name in TYPES:
        for shape in SHAPES:
            given = jnp.full(shape, RANK + 1).astype(name)
            result = core.allgather(given)
            assert result.dtype == given.dtype
            assert result.shape == (SIZE, *shape)
            wanted = np.stack([np.asarray(jnp.full(shape, rank + 1).astype(name)) for rank in range(SIZE)])
            np.testing.assert_array_equal(np.asarray(result), wanted)
            moved = core.sendrecv(given, given, PREVIOUS, NEXT)
            np.testing.assert_array_equal(np.asarray(moved), wanted[PREVIOUS])
            if name not in ("bool", "float8_e4m3fn"):
                total = np.asarray(core.allreduce(given, MPI.SUM)).astype("complex128")
                np.testing.assert_array_equal(total, np.full(shape, SIZE * (SIZE + 1) // 2))


def check_truth_values() -> None:
    here = jnp.asarray([True, False, RANK == 0])
    np.testing.assert_array_equal(core.allreduce(here, MPI.LAND), [True, False, SIZE == 1])
    np.testing.assert_array_equal(core.allreduce(here, MPI.LOR), [True, False, True])


def check_half_precision_comes_back() -> None:
    """Every bit pattern; but XLA's threads flush the subnormal numbers of float32, which are those of bfloat16."""
    patterns = np.arange(1 << 16, dtype=np.uint16)
    for name, subnormal in (("float16", 0), ("bfloat16", 0x80)):
        every = jax.lax.bitcast_convert_type(jnp.asarray(patterns), jnp.dtype(name))
        result = core.allreduce(every, MPI.MAX)
        found = np.asarray(jax.lax.bitcast_convert_type(result, jnp.uint16))
        kept = ~np.isnan(np.asarray(every, np.float32)) & ((patterns & 0x7FFF == 0) | (patterns & 0x7FFF >= subnormal))
        np.testing.assert_array_equal(found[kept], patterns[kept])
        assert np.all(np.isnan(np.asarray(result, np.float32)) == np.isnan(np.asarray(every, np.float32)))


def check_half_precision_is_rounded_once() -> None:
    """Sums are those of float32, rounded to nearest; what is too large is infinite."""
    for name, largest in (("float16", 6e4), ("bfloat16", 3e38)):
        values = jax.random.normal(jax.random.key(RANK), (4096,), jnp.float32) * 3e-3
        given = values.astype(name)
        wide = core.allreduce(given.astype(jnp.float32), MPI.SUM)
        np.testing.assert_array_equal(np.asarray(core.allreduce(given, MPI.SUM)), np.asarray(wide.astype(name)))
        overflow = core.allreduce(jnp.full(3, largest).astype(name), MPI.SUM)
        assert bool(jnp.isinf(overflow).all()) == (SIZE > 1)


def check_operator_of_the_program() -> None:
    def larger(a: Any, b: Any, _: Any) -> None:
        left, right = np.frombuffer(a, np.float32), np.frombuffer(b, np.float32)
        right[:] = np.maximum(left, right)

    op = MPI.Op.Create(larger, commute=True)
    given = jnp.arange(5, dtype=jnp.float32) + RANK
    for result in both(lambda x: core.allreduce(x, op), given):
        np.testing.assert_array_equal(result, np.arange(5) + SIZE - 1)
    op.Free()


def check_what_is_no_array() -> None:
    assert float(core.allreduce(2.0, MPI.SUM)) == 2.0 * SIZE
    np.testing.assert_array_equal(core.allreduce(np.ones(3, np.float32), MPI.SUM), np.full(3, SIZE))


def check_other_communicators() -> None:
    half = checking.WORLD.Split(RANK % 2, RANK)
    members = [rank for rank in range(SIZE) if rank % 2 == RANK % 2]
    for result in both(lambda x: core.allreduce(x, MPI.SUM, comm=half), X):
        np.testing.assert_allclose(result, sum(of(rank) for rank in members))
    reordered = checking.WORLD.Split(0, -RANK)
    np.testing.assert_allclose(core.bcast(X, 0, comm=reordered), ALL[SIZE - 1])
    half.Free()
    reordered.Free()


def check_transposed_layout() -> None:
    for result in both(lambda x: core.allgather(x.T), X):
        np.testing.assert_allclose(result, ALL.transpose(0, 2, 1))


def check_accelerators() -> None:
    assert core.has_cuda_support() or jax.default_backend() != "gpu"
    assert core.has_sycl_support() is False


jax.config.update("jax_enable_x64", True)
X = jnp.asarray(of(RANK))
checking.run(globals())
