"""D2Q9 velocity set."""
import numpy as np

C = np.array([[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1],
              [1, 1], [-1, 1], [-1, -1], [1, -1]])
W = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)
OPPOSITE = np.array([0, 3, 4, 1, 2, 7, 8, 5, 6])

EAST = [q for q in range(9) if C[q, 0] > 0]
WEST = [q for q in range(9) if C[q, 0] < 0]
NORTH = [q for q in range(9) if C[q, 1] > 0]
SOUTH = [q for q in range(9) if C[q, 1] < 0]


def equilibrium(rho, ux, uy):
    cu = 3.0 * (C[:, 0, None, None] * ux + C[:, 1, None, None] * uy)
    usq = 1.5 * (ux ** 2 + uy ** 2)
    return W[:, None, None] * rho * (1.0 + cu + 0.5 * cu ** 2 - usq)


def moments(f):
    rho = f.sum(axis=0)
    ux = np.tensordot(C[:, 0], f, axes=1) / rho
    uy = np.tensordot(C[:, 1], f, axes=1) / rho
    return rho, ux, uy
