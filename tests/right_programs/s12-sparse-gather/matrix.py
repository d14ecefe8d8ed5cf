from functools import singledispatch

import numpy as np

from plan import GatherPlan


def row_entries(i, n):
    """Deterministic sparse row: diagonal, neighbours and two far columns."""
    rng = np.random.default_rng(1000 + i)
    cols = {i, (i + 1) % n, (i - 1) % n, *rng.integers(0, n, 2).tolist()}
    return {j: (8.0 if i == j else -1.0 / (1 + (i * j) % 5)) for j in sorted(cols)}


class RowMatrix:
    def __init__(self, comm, n, offsets):
        self.comm, self.n, self.offsets = comm, n, offsets
        rows = [row_entries(i, n) for i in range(offsets[comm.rank], offsets[comm.rank + 1])]
        self.plan = GatherPlan(comm, offsets, set().union(*rows))
        self.rows = [(np.array([self.plan.local_index(j) for j in r], dtype=int),
                      np.array(list(r.values()))) for r in rows]


@singledispatch
def apply(matrix, x):
    raise TypeError(type(matrix).__name__)


@apply.register
def _(matrix: RowMatrix, x):
    ext = matrix.plan.extend(x)
    return np.array([values @ ext[index] for index, values in matrix.rows])


@apply.register
def _(matrix: np.ndarray, x):
    return matrix @ x


def dense(n):
    full = np.zeros((n, n))
    for i in range(n):
        for j, value in row_entries(i, n).items():
            full[i, j] = value
    return full
