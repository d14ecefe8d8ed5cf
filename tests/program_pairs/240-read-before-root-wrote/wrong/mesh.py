import numpy as np


def build_mesh(n):
    """Triangles of the unit square, n x n cells with two triangles each."""
    xs = np.linspace(0, 1, n + 1)
    points = np.array([(x, y) for y in xs for x in xs])
    tris = []
    for j in range(n):
        for i in range(n):
            a = j * (n + 1) + i
            b, c, d = a + 1, a + n + 1, a + n + 2
            tris.append((a, b, d))
            tris.append((a, d, c))
    return points, np.array(tris)


def element_areas(points, tris):
    p, q, r = (points[tris[:, k]] for k in range(3))
    u, v = q - p, r - p
    return 0.5 * np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0])
