import numpy as np

import mpi

N = 24


def cyclic_rows(matrix, rhs):
    return {i: np.append(matrix[i], rhs[i]) for i in range(mpi.rank, N, mpi.size)}


def eliminate(rows):
    for k in range(N):
        owner = k % mpi.size
        pivot = mpi.share(rows.get(k), owner)
        for i in rows:
            if i > k:
                rows[i] = rows[i] - rows[i][k] / pivot[k] * pivot
    return rows


def back_substitute(rows):
    x = np.zeros(N)
    for row in range(N - 1, -1, -1):
        x[row] = (rows[row][N] - rows[row][row + 1:N] @ x[row + 1:]) / rows[row][row]
    return x


rng = np.random.default_rng(14)
matrix = rng.random((N, N)) + N * np.eye(N)
expected = np.arange(N, dtype=np.float64)
rows = eliminate(cyclic_rows(matrix, matrix @ expected))

parts = mpi.everyone(rows)
x = back_substitute({i: row for part in parts for i, row in part.items()})
if mpi.rank == 0:
    print("solved:", bool(np.allclose(x, expected)))
