import numpy as np


def render(tile, cfg):
    """Iteration counts (with a fraction for the root found) on one tile."""
    step = 2.0 * cfg.extent / cfg.size
    x = -cfg.extent + step * (np.arange(tile.x0, tile.x0 + tile.nx) + 0.5)
    y = -cfg.extent + step * (np.arange(tile.y0, tile.y0 + tile.ny) + 0.5)
    z = x[:, None] + 1j * y[None, :]
    count = np.zeros(z.shape)
    d = cfg.degree
    for _ in range(cfg.max_iter):
        power = z ** (d - 1)
        delta = (power * z - 1.0) / (d * power)
        moving = np.abs(delta) > cfg.tolerance
        count += moving
        z = np.where(moving, z - delta, z)
    angle = np.round(np.angle(z) / (2.0 * np.pi) * d) % d
    return count + angle / d
