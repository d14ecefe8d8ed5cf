import numpy as np


def build_stream_function(n, modes=24):
    """Random but reproducible periodic stream function on an n x n grid."""
    rng = np.random.default_rng(2024)
    axis = 2.0 * np.pi * np.arange(n) / n
    psi = np.zeros((n, n))
    for _ in range(modes):
        kx, ky = rng.integers(1, 5, size=2)
        phase = rng.uniform(0.0, 2.0 * np.pi)
        amp = rng.normal() / np.hypot(kx, ky)
        psi += amp * np.cos(kx * axis[:, None] + ky * axis[None, :] + phase)
    return psi


def velocity(psi):
    h = 2.0 * np.pi / psi.shape[0]
    u = (np.roll(psi, -1, axis=1) - np.roll(psi, 1, axis=1)) / (2.0 * h)
    v = -(np.roll(psi, -1, axis=0) - np.roll(psi, 1, axis=0)) / (2.0 * h)
    return u, v


def drift(psi, n_tracers, diffusivity, seed, steps=40, dt=0.02):
    """Mean squared distance travelled by n_tracers particles."""
    rng = np.random.default_rng(seed)
    u, v = velocity(psi)
    n = psi.shape[0]
    pos = rng.uniform(0.0, 2.0 * np.pi, (n_tracers, 2))
    start = pos.copy()
    kick = np.sqrt(2.0 * diffusivity * dt)
    for _ in range(steps):
        i, j = np.floor(pos * n / (2.0 * np.pi)).astype(int).T % n
        pos = pos + dt * np.stack([u[i, j], v[i, j]], axis=1)
        pos += kick * rng.normal(size=pos.shape)
    return float(((pos - start) ** 2).sum(axis=1).mean())
