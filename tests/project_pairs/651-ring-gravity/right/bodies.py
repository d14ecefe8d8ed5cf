import numpy as np


def plummer(n, rng):
    r = 1.0 / np.sqrt(rng.uniform(0.001, 0.999, n) ** (-2.0 / 3.0) - 1.0)
    mu, phi = rng.uniform(-1, 1, n), rng.uniform(0, 2 * np.pi, n)
    s = np.sqrt(1 - mu**2)
    pos = r[:, None] * np.column_stack([s * np.cos(phi), s * np.sin(phi), mu])
    vel = 0.3 * rng.normal(size=(n, 3))
    return pos, vel


def accel(targets, sources, eps2):
    """Acceleration on targets[:, :3] by sources[:, :4] = (x, y, z, m)."""
    acc = np.zeros((len(targets), 3))
    for lo in range(0, len(targets), 128):
        d = sources[None, :, :3] - targets[lo:lo + 128, None, :3]
        r2 = np.einsum("ijk,ijk->ij", d, d) + eps2
        acc[lo:lo + 128] = np.einsum("ij,ijk->ik", sources[:, 3] / (r2 * np.sqrt(r2)), d)
    return acc
