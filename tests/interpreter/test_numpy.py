"""What the interpreter computes of numpy: known values, dtypes, views, and random numbers."""

from __future__ import annotations

import pytest

from interpreter.running import explored, faults

HEADER = """\
import math
import statistics
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
"""

KNOWN = [
    "np.zeros((3, 4)).shape == (3, 4)",
    "np.zeros((3, 4)).nbytes == 96",
    "np.ones(3, dtype='i').dtype == np.int32",
    "np.full(3, 7).dtype == int",
    "np.zeros_like(np.ones(3, dtype='f4')).itemsize == 4",
    "np.arange(12).reshape(3, 4)[1, 2] == 6",
    "np.arange(12).reshape(3, -1).T.shape == (4, 3)",
    "np.arange(12).reshape(3, 4).T[2, 1] == 6",
    "np.arange(12).reshape(3, 4).sum(axis=0).tolist() == [12, 15, 18, 21]",
    "np.max(np.arange(12).reshape(3, 4), axis=1).tolist() == [3, 7, 11]",
    "np.arange(12).mean() == 5.5",
    "np.arange(0, 1, 0.25).tolist() == [0, 0.25, 0.5, 0.75]",
    "np.linspace(0, 1, 5).tolist() == [0, 0.25, 0.5, 0.75, 1]",
    "np.concatenate([np.zeros(2), np.ones(3)]).shape == (5,)",
    "np.concatenate([[[1], [2]], [[3], [4]]], axis=1).tolist() == [[1, 3], [2, 4]]",
    "np.vstack([np.zeros(2), np.ones(2)]).shape == (2, 2)",
    "np.stack([np.zeros(2), np.ones(2)], axis=1)[0, 1] == 1",
    "[len(part) for part in np.array_split(np.arange(10), 3)] == [4, 3, 3]",
    "np.where(np.arange(4) > 1)[0].tolist() == [2, 3]",
    "np.where([True, False], 1, 2).tolist() == [1, 2]",
    "np.unique([3, 1, 3]).tolist() == [1, 3]",
    "np.argmax([1, 5, 2]) == 1",
    "np.argsort([3, 1, 2]).tolist() == [1, 2, 0]",
    "np.cumsum([1, 2, 3])[-1] == 6",
    "np.diff([1, 4, 9]).tolist() == [3, 5]",
    "np.dot([1, 2], [3, 4]) == 11",
    "(np.eye(2) @ np.array([[1, 2], [3, 4]])).tolist() == [[1, 2], [3, 4]]",
    "np.searchsorted([1, 3, 5], 3) == 1",
    "np.clip([1, 9], 2, 5).tolist() == [2, 5]",
    "np.tile([1, 2], 2).tolist() == [1, 2, 1, 2]",
    "np.repeat([1, 2], 2).tolist() == [1, 1, 2, 2]",
    "np.roll([1, 2, 3], 1).tolist() == [3, 1, 2]",
    "np.arange(4)[np.newaxis, :].shape == (1, 4)",
    "(np.arange(3)[:, None] + np.arange(2)).shape == (3, 2)",
    "np.arange(9)[np.arange(9) > 5].tolist() == [6, 7, 8]",
    "np.arange(6).reshape(3, 2)[[0, 2]].tolist() == [[0, 1], [4, 5]]",
    "np.sqrt(16) == 4 and np.isnan(np.nan) and not np.isfinite(np.inf)",
    "np.allclose([1, 2], [1, 2 + 1e-9]) and not np.array_equal([1], [2])",
    "np.array([1, 2], dtype=np.int8).astype(float).dtype == np.float64",
    "np.uint8(300) == 44 and np.float32(0.1) != 0.1",
    "isinstance(np.zeros(2), np.ndarray)",
    "not isinstance(np.arange(2)[0], int) and isinstance(np.arange(2)[0], np.integer)",
    "np.fromfunction(lambda i, j: i + j, (2, 2)).tolist() == [[0, 1], [1, 2]]",
    "np.array([[1, 2]]).flags['C_CONTIGUOUS']",
    "len(np.random.rand(5)) == 5",
    "math.floor(2.5) == 2 and math.gcd(4, 6) == 2 and statistics.mean([1, 2, 3]) == 2",
]


@pytest.mark.parametrize("expression", KNOWN)
def test_a_value_is_known(expression: str) -> None:
    wrong = faults(f"{HEADER}if not ({expression}) and rank == 0:\n    comm.Barrier()\n")
    assert wrong == set()
    (result,) = explored(f"{HEADER}if {expression} and rank == 0:\n    comm.Barrier()\n")
    assert {one.fault.kind.value for one in result.found} == {"parted"}
    assert result.worlds == len(result.sizes)


CHANGES = {
    "a reshaped array is a view": "b = a.reshape(2, 3)\nb[0, 0] = 9\n",
    "a flat array is a view": "b = a.ravel()\nb[0] = 9\n",
    "a slice is a view": "b = a[:2]\nb[:] = 9\n",
    "out": "np.add(a, 9, out=a)\n",
    "in place": "a += 9\n",
    "fill": "a.fill(9)\n",
    "a mask": "a[a == 0] = 9\n",
    "copyto": "np.copyto(a, np.full(6, 9))\n",
}
UNCHANGED = {
    "a flattened array is a copy": "b = a.flatten()\nb[0] = 9\n",
    "a copy": "b = a.copy()\nb[0] = 9\n",
    "a new dtype": "b = a.astype('f')\nb[0] = 9\n",
    "another array": "b = a + 9\n",
    "a list of positions is a copy": "b = a[[0, 1]]\nb[0] = 9\n",
}
TEST = "if a[0] == 9 and rank == 0:\n    comm.Barrier()\n"


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_an_array_is_changed(change: str) -> None:
    assert faults(f"{HEADER}a = np.zeros(6)\n{change}{TEST}")


@pytest.mark.parametrize("change", UNCHANGED.values(), ids=UNCHANGED)
def test_an_array_is_not_changed(change: str) -> None:
    assert not faults(f"{HEADER}a = np.zeros(6)\n{change}{TEST}")


DRAWS = {
    "a seed": ("np.random.seed(1)\nx = np.random.rand()\n", False),
    "no seed": ("x = np.random.rand()\n", True),
    "a seed with the rank": ("np.random.seed(rank)\nx = np.random.rand()\n", True),
    "a generator": ("x = np.random.default_rng(3).random()\n", False),
    "a generator of its own": ("x = np.random.default_rng().random()\n", True),
    "another draw on one rank": (
        "rng = np.random.default_rng(3)\nif rank == 0:\n    rng.normal()\nx = rng.random()\n",
        True,
    ),
    "draws applied to different data": (
        "rng = np.random.RandomState(3)\nmine = np.arange(4) + rank\nrng.shuffle(mine)\nx = rng.rand()\n",
        False,
    ),
    "draws of different scale": (
        "rng = np.random.default_rng(3)\ny = rng.normal(rank, 2.0, 5)\nx = rng.random()\n",
        False,
    ),
    "draws of different number": (
        "rng = np.random.default_rng(3)\ny = rng.normal(size=rank + 1)\nx = rng.random()\n",
        True,
    ),
    "a generator that is sent": (
        "rng = comm.bcast(np.random.default_rng() if rank == 0 else None)\nx = rng.random()\n",
        False,
    ),
}


@pytest.mark.parametrize(("draw", "differs"), DRAWS.values(), ids=DRAWS)
def test_random_numbers_of_equal_seeds_are_equal(draw: str, differs: bool) -> None:
    assert bool(faults(f"{HEADER}{draw}if x < 0.5:\n    comm.Barrier()\n")) is differs


FAILURES = {
    "nothing has no maximum": "np.zeros(0).max()",
    "shapes that do not fit": "np.zeros(3) + np.zeros(4)",
    "a reshape that does not fit": "np.zeros(6).reshape(4, 2)",
    "an index out of range": "np.zeros(3)[3]",
    "an uneven split": "np.split(np.zeros(5), 2)",
    "a negative length": "np.zeros(-1)",
    "an endless range": "np.arange(0.0, math.inf, 5.0)",
}
NO_FAILURES = {
    "a maximum of what is not known": "np.load('data.npy').max()",
    "an even split or not": "np.split(np.load('data.npy'), 2)",
    "a division by zero": "np.ones(2)[0] / 0",
    "an unknown index": "np.zeros(3)[int(input())]",
    "broadcasting": "np.zeros((3, 1)) + np.zeros(4)",
}


@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES)
def test_a_failure_of_one_rank_is_one(failure: str) -> None:
    assert faults(f"{HEADER}if rank == 0:\n    value = {failure}\ncomm.Barrier()\n")


@pytest.mark.parametrize("failure", NO_FAILURES.values(), ids=NO_FAILURES)
def test_what_may_succeed_does_not_fail(failure: str) -> None:
    assert not faults(f"{HEADER}if rank == 0:\n    value = {failure}\ncomm.Barrier()\n")


BUFFERS = {
    "dtypes that differ": ("np.zeros(3, dtype='f' if rank else 'd')", True),
    "dtypes that are equal": ("np.zeros(3, dtype=np.float64 if rank else 'd')", False),
    "sizes that differ": ("np.arange(rank + 2)", True),
    "a list of guessed length": ("np.array([int(word) for word in input().split()])", False),
    "elements of an array": ("np.array([np.zeros(2, dtype='f')[0]] if rank else np.float32(1), ndmin=1)", False),
}


@pytest.mark.parametrize(("value", "differs"), BUFFERS.values(), ids=BUFFERS)
def test_buffers_of_a_broadcast_agree(value: str, differs: bool) -> None:
    assert bool(faults(f"{HEADER}buffer = {value}\ncomm.Bcast(buffer, root=0)\n")) is differs
