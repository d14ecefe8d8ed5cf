import numpy as np

WIDTH, HEIGHT, TILE = 192, 128, 32
SPHERES = np.array([[0.0, 0.0, 4.0, 1.0], [1.4, 0.3, 5.0, 0.8], [-1.6, -0.2, 4.5, 0.7],
                    [0.0, -101.0, 4.0, 100.0]])
LIGHT = np.array([0.5, 0.7, -0.5]) / np.linalg.norm([0.5, 0.7, -0.5])


def tiles():
    for y in range(0, HEIGHT, TILE):
        for x in range(0, WIDTH, TILE):
            yield x, y


def hit(origin, direction):
    """Nearest positive distance and sphere index for each ray."""
    best = np.full(len(direction), np.inf)
    which = np.full(len(direction), -1)
    for k, (*c, r) in enumerate(SPHERES):
        oc = origin - np.array(c)
        b = np.sum(oc * direction, axis=1)
        disc = b * b - (np.sum(oc * oc, axis=1) - r * r)
        t = np.where(disc > 0, -b - np.sqrt(np.clip(disc, 0, None)), np.inf)
        closer = (t > 1e-4) & (t < best)
        best[closer], which[closer] = t[closer], k
    return best, which


def render(tile, samples, seed):
    x0, y0 = tile
    rng = np.random.default_rng([seed, x0, y0])
    img = np.zeros(TILE * TILE)
    gx, gy = np.meshgrid(np.arange(x0, x0 + TILE), np.arange(y0, y0 + TILE))
    for _ in range(samples):
        u = (gx.ravel() + rng.random(TILE * TILE)) / HEIGHT - 0.5 * WIDTH / HEIGHT
        v = 0.5 - (gy.ravel() + rng.random(TILE * TILE)) / HEIGHT
        d = np.column_stack([u, v, np.ones_like(u)])
        d /= np.linalg.norm(d, axis=1)[:, None]
        t, k = hit(np.zeros_like(d), d)
        seen = k >= 0
        p = d[seen] * t[seen, None]
        n = (p - SPHERES[k[seen], :3]) / SPHERES[k[seen], 3:4]
        _, blocked = hit(p + 1e-3 * n, np.broadcast_to(LIGHT, n.shape))
        img[seen] += 0.1 + 0.9 * np.clip(n @ LIGHT, 0, None) * (blocked < 0)
        img[~seen] += 0.3
    return img.reshape(TILE, TILE) / samples
