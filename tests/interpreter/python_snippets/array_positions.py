"""Positions in grids, bins, and elements that are left out."""

import numpy as np

show(tuple(int(one) for one in np.unravel_index(5, (2, 3))), int(np.ravel_multi_index((1, 2), (2, 3))))
show(np.bincount([0, 2, 2]).tolist(), np.bincount(np.array([1]), minlength=4).tolist(), len(np.bincount([3])))
show(np.digitize([0.5, 1.0, 3.0], [1, 2]).tolist(), int(np.digitize(1.0, [1, 2], right=True)))
show(np.delete(np.arange(5), 1).tolist(), np.delete([1, 2, 3], [0, -1]).tolist(), np.delete(np.arange(4), np.s_[:2]).size)
show(np.fromiter((one * 2 for one in range(3)), dtype=int).tolist(), int(np.median([3, 1, 2])))
show(int(np.trace(np.array([[1, 2], [3, 4]]))), list(np.ndindex(2, 2)), list(np.ndindex((1, 2))))
number = np.arange(3)[1]
show(type(number) is int, type(1) is int, np.isscalar(number), np.isscalar([1]), np.isscalar(np.zeros(2)))
