"""Lennard-Jones relaxation with a damped step."""
import numpy as np


def energy_forces(x):
    d = x[:, None] - x[None]
    r2 = (d**2).sum(-1)
    np.fill_diagonal(r2, np.inf)
    s6 = 1.0 / r2**3
    energy = 2.0 * np.sum(s6 * s6 - s6)
    grad = (24.0 * (2.0 * s6 * s6 - s6) / r2)[..., None] * d
    return float(energy), grad.sum(axis=1)


def relax_structure(structure, settings):
    x = structure.positions.copy()
    v = np.zeros_like(x)
    energy, f = energy_forces(x)
    step = 0
    for step in range(1, settings.max_steps + 1):
        v = np.where((v * f).sum() > 0, v, 0.0) + 0.01 * f
        move = 0.5 * v
        longest = np.abs(move).max()
        x = x + move * min(1.0, 0.1 / max(longest, 1e-12))
        energy, f = energy_forces(x)
        if np.abs(f).max() < settings.fmax:
            break
    return {"name": structure.name, "atoms": len(x), "energy": energy, "steps": step}
