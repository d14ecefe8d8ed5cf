"""Arrays of numpy: orders of memory, and functions that change elements in place."""

import numpy as np

grid = np.arange(6).reshape(2, 3)
show(grid.flatten(order="F").tolist(), grid.ravel("F").tolist(), np.ravel(grid, order="F").tolist())
show(grid.T.ravel("K").tolist(), grid.T.ravel("A").tolist(), grid.T.flatten("C").tolist(), grid.ravel("K").tolist())
show(grid.reshape(3, 2, order="F").tolist(), np.reshape(grid, (-1,), order="F").tolist())
show(np.arange(6).reshape((2, 3), order="F").tolist(), grid.T.reshape(6, order="A").tolist())
cube = np.arange(8).reshape(2, 2, 2)
show(cube.ravel("F").tolist(), cube.reshape(4, 2, order="F").tolist())

a = np.zeros((2, 2), int)
a.flat = 1
show(a.tolist())
a.flat = [1, 2, 3]
show(a.tolist())
a.flat[2] = 7
show(a.tolist())
a.T.flat[1] = 9
show(a.tolist(), a.T.flat[2])
a[:, 1].flat = 5
show(a.tolist())

b = np.zeros(3, int)
with np.nditer(b, op_flags=["readwrite"]) as it:
    for x in it:
        x[...] = 1
show(b.tolist())
c = np.arange(4).reshape(2, 2)
for x in np.nditer(c, op_flags=["readwrite"]):
    x[...] = x * 2
show(c.tolist())
show([int(x) for x in np.nditer(c.T)])

hist = np.zeros(4, int)
np.add.at(hist, [1, 1, 3], 1)
show(hist.tolist())
np.add.at(hist, np.array([0, 1]), np.array([5, 6]))
np.subtract.at(hist, 0, 2)
np.maximum.at(hist, [0, 1], [9, 1])
show(hist.tolist())
d = np.arange(6).reshape(2, 3)
np.put(d, [0, -1], [7, 8])
d.put([1], 5)
show(d.tolist())
np.place(d, d > 6, [1, 2])
show(d.tolist())
np.putmask(d, d < 3, [10, 20])
show(d.tolist())
e = np.zeros((3, 3), int)
np.fill_diagonal(e, 4)
show(e.tolist())
np.fill_diagonal(e, [1, 2, 3])
show(e.tolist())
f = np.array([[3, 1], [2, 5], [1, 4]])
f.sort(axis=0)
show(f.tolist(), np.sort(f, axis=0).tolist(), np.sort([[3, 1, 2]], axis=1).tolist())
f.sort()
show(f.tolist())
g = np.array([5, 2, 9, 1])
g.partition(1)
show(g[1])

show(np.asfortranarray(grid).ravel("K").tolist(), np.array(grid, order="F").ravel("A").tolist())
show(grid[:, ::2].ravel("K").tolist(), cube.transpose(1, 0, 2).ravel("K").tolist(), (grid.T * 2).ravel("K").tolist())
show(grid.T.copy().ravel("K").tolist(), np.copy(grid.T).ravel("K").tolist(), grid.T[0].ravel("F").tolist())
show(np.zeros((2, 3), order="F").ravel("A").tolist(), np.arange(3).ravel("F").tolist(), grid.T[:, :1].ravel("A").tolist())
