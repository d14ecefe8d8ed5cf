import numpy as np

SPHERES = [
    # centre, radius, colour
    ((0.0, -0.2, 3.0), 0.8, (0.9, 0.2, 0.2)),
    ((1.1, 0.3, 4.0), 0.9, (0.2, 0.8, 0.3)),
    ((-1.3, 0.4, 3.5), 0.6, (0.3, 0.3, 0.9)),
    ((0.0, -101.0, 3.0), 100.0, (0.6, 0.6, 0.6)),
]
LIGHT = np.array([0.5, 1.0, -0.6]) / np.linalg.norm([0.5, 1.0, -0.6])


def hit(origin, rays, centre, radius):
    oc = origin - np.asarray(centre)
    b = rays @ oc
    disc = b * b - (oc @ oc - radius**2)
    root = np.sqrt(np.maximum(disc, 0.0))
    t = np.where(-b - root > 1e-4, -b - root, -b + root)
    return np.where((disc > 0) & (t > 1e-4), t, np.inf)


def render_row(y, width, height):
    """One row of the image as (width, 3) array of floats from 0 to 1."""
    xs = (np.arange(width) + 0.5) / width * 2 - 1
    yy = 1 - (y + 0.5) / height * 2
    rays = np.stack([xs * width / height, np.full(width, yy), np.full(width, 1.6)], axis=1)
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    origin = np.zeros(3)

    depth = np.full(width, np.inf)
    colour = np.tile([0.5, 0.7, 1.0], (width, 1)) * (0.5 + 0.5 * yy)
    for centre, radius, paint in SPHERES:
        t = hit(origin, rays, centre, radius)
        nearer = t < depth
        if not nearer.any():
            continue
        points = t[nearer, None] * rays[nearer]
        normal = (points - centre) / radius
        shade = 0.15 + 0.85 * np.clip(normal @ LIGHT, 0, 1)
        colour[nearer] = shade[:, None] * paint
        depth[nearer] = t[nearer]
    return np.clip(colour, 0, 1)
