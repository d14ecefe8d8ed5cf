from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh


@dataclass
class Orbitals:
    energy: float
    eps: np.ndarray
    coeff: np.ndarray
    iterations: int


def fock_rows(model, density, rows):
    """Two-electron part of the Fock matrix, some rows of it."""
    part = np.zeros((model.n, model.n))
    diag = np.diag(density)
    for mu in rows:
        part[mu] = -0.5 * density[mu] * model.gamma[mu]
        part[mu, mu] += model.gamma[mu] @ diag
    return part


def solve_scf(team, model, tol, max_iter=400):
    density = np.eye(model.n)
    rows = team.mine(range(model.n))
    last, count = np.inf, 0
    for count in range(1, max_iter + 1):
        fock = model.core + team.total(fock_rows(model, density, rows))
        energy = 0.5 * float(np.sum(density * (model.core + fock))) + model.nuclear
        new = None
        if team.leads:
            _, c = eigh(fock)
            occ = c[:, : model.nocc]
            new = 0.5 * density + occ @ occ.T
        density = team.share(new)
        if team.agree(abs(energy - last) < tol):
            break
        last = energy
    eps = coeff = None
    if team.leads:
        eps, coeff = eigh(fock)
    return Orbitals(energy, team.share(eps), team.share(coeff), count)
