import numpy as np
from scipy import sparse


def row_range(n, rank, size):
    """equal blocks, the last rank takes the remainder"""
    per = n // size
    lo = rank * per
    hi = n if rank == size - 1 else lo + per
    return lo, hi


def banded(n, lo, hi):
    i = np.arange(lo, hi)
    main = sparse.coo_matrix((np.full(hi - lo, 4.0), (i - lo, i)), shape=(hi - lo, n))
    up = i[i + 1 < n]
    dn = i[i - 1 >= 0]
    far = i[i + 7 < n]
    m = main + sparse.coo_matrix((np.full(len(up), -1.0), (up - lo, up + 1)), shape=(hi - lo, n))
    m = m + sparse.coo_matrix((np.full(len(dn), -1.0), (dn - lo, dn - 1)), shape=(hi - lo, n))
    m = m + sparse.coo_matrix((np.full(len(far), -0.5), (far - lo, far + 7)), shape=(hi - lo, n))
    return m.tocsr()
