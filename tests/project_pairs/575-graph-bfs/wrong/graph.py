import numpy as np


def rmat_edges(scale, degree, seed, a=0.57, b=0.19, c=0.19):
    """Undirected power-law edges, the same on every rank."""
    rng = np.random.default_rng(seed)
    count = degree << scale
    src = np.zeros(count, dtype=np.int64)
    dst = np.zeros(count, dtype=np.int64)
    for bit in range(scale):
        u = rng.uniform(size=count)
        src |= (u >= a + b).astype(np.int64) << bit
        dst |= (((u >= a) & (u < a + b)) | (u >= a + b + c)).astype(np.int64) << bit
    keep = src != dst
    return np.concatenate([src[keep], dst[keep]]), np.concatenate([dst[keep], src[keep]])


class LocalGraph:
    """Adjacency (CSR) of the vertices lo..hi."""

    def __init__(self, src, dst, lo, hi):
        mine = (src >= lo) & (src < hi)
        order = np.argsort(src[mine], kind="stable")
        self.lo = lo
        self.hi = hi
        self.targets = dst[mine][order]
        self.start = np.searchsorted(src[mine][order], np.arange(lo, hi + 1))

    @property
    def edges(self):
        return self.targets.size

    def neighbours(self, frontier):
        parts = [self.targets[self.start[v - self.lo]:self.start[v - self.lo + 1]] for v in frontier]
        return np.unique(np.concatenate(parts)) if parts else np.empty(0, dtype=np.int64)
