import numpy as np

N = 22


def diagonally_dominant():
    rng = np.random.default_rng(0)
    matrix = rng.random((N, N))
    matrix += N * np.eye(N)
    return matrix, rng.random(N)
