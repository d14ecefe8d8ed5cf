"""Lennard-Jones energies, relaxation and normal modes."""
import numpy as np
from scipy import optimize


def energy_and_gradient(flat):
    x = flat.reshape(-1, 3)
    i, j = np.triu_indices(len(x), 1)
    d = x[i] - x[j]
    r2 = np.einsum("ij,ij->i", d, d)
    s6 = 1.0 / r2 ** 3
    energy = 4.0 * np.sum(s6 * s6 - s6)
    pair = (-48.0 * s6 * s6 + 24.0 * s6) / r2
    gradient = np.zeros_like(x)
    np.add.at(gradient, i, pair[:, None] * d)
    np.add.at(gradient, j, -pair[:, None] * d)
    return energy, gradient.ravel()


def relax(positions):
    result = optimize.minimize(energy_and_gradient, positions.ravel(),
                               jac=True, method="L-BFGS-B",
                               options={"maxiter": 2000, "gtol": 1e-6})
    return float(result.fun), result.x.reshape(-1, 3)


def modes(positions, h=1e-4):
    """Frequencies from a central difference Hessian, smallest first."""
    flat = positions.ravel()
    hessian = np.empty((flat.size, flat.size))
    for k in range(flat.size):
        shift = np.zeros_like(flat)
        shift[k] = h
        up = energy_and_gradient(flat + shift)[1]
        down = energy_and_gradient(flat - shift)[1]
        hessian[k] = (up - down) / (2 * h)
    eigenvalues = np.linalg.eigvalsh(0.5 * (hessian + hessian.T))
    return np.sqrt(np.clip(eigenvalues[6:], 0.0, None))
