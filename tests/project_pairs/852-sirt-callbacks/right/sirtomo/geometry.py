"""Parallel beam projector as a sparse matrix."""
import numpy as np
from scipy import sparse


def phantom(n):
    """Two discs and a bar, values between zero and one."""
    y, x = np.mgrid[-1:1:n * 1j, -1:1:n * 1j]
    image = np.zeros((n, n))
    image[(x + 0.2) ** 2 + y ** 2 < 0.3] = 0.6
    image[(x - 0.4) ** 2 + (y - 0.3) ** 2 < 0.05] = 1.0
    image[(np.abs(x) < 0.6) & (np.abs(y + 0.6) < 0.08)] = 0.8
    return image


def angles_of_rank(n_angles, rank, size):
    """Interleaved angles, so that every rank sees the whole arc."""
    return np.linspace(0.0, np.pi, n_angles, endpoint=False)[rank::size]


def projector(n, angles):
    """Rows are rays, one detector bin per pixel width, linear weights."""
    centre = (n - 1) / 2.0
    y, x = np.indices((n, n)) - centre
    pixels = np.arange(n * n)
    blocks = []
    for angle in angles:
        t = (x * np.cos(angle) + y * np.sin(angle)).ravel() + centre
        low = np.floor(t).astype(int)
        frac = t - low
        rows = np.concatenate([low, low + 1])
        cols = np.concatenate([pixels, pixels])
        vals = np.concatenate([1.0 - frac, frac])
        keep = (rows >= 0) & (rows < n)
        blocks.append(sparse.csr_matrix(
            (vals[keep], (rows[keep], cols[keep])), shape=(n, n * n)))
    return sparse.vstack(blocks, format="csr")
