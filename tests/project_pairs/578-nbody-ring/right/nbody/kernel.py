import numpy as np


def accelerations(pos, others, eps, block=256):
    """Softened pull of others (x, y, z, m) on pos."""
    acc = np.zeros_like(pos)
    for lo in range(0, len(pos), block):
        d = others[None, :, :3] - pos[lo:lo + block, None, :]
        r2 = np.einsum("ijk,ijk->ij", d, d) + eps * eps
        acc[lo:lo + block] = np.einsum("ij,ijk->ik", others[None, :, 3] * r2 ** -1.5, d)
    return acc
