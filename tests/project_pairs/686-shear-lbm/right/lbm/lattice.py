import numpy as np

C = np.array([[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1],
              [1, 1], [-1, 1], [-1, -1], [1, -1]])
W = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)


class Lattice:
    """Populations f[q, x, y] with one ghost layer at both ends of y."""

    def __init__(self, layout, params):
        self.tau = params.tau
        y = np.arange(layout.y0, layout.y0 + layout.ny)
        x = np.arange(params.nx)
        shape = (params.nx, layout.ny)
        ux = params.u0 * np.sin(2 * np.pi * y / params.ny)[None, :] * np.ones(shape)
        uy = params.u0 * np.sin(2 * np.pi * x / params.nx)[:, None] * np.ones(shape)
        self.f = np.zeros((9, params.nx, layout.ny + 2))
        self.f[:, :, 1:-1] = self.equilibrium(np.ones(shape), ux, uy)

    @staticmethod
    def equilibrium(rho, ux, uy):
        cu = C[:, 0, None, None] * ux + C[:, 1, None, None] * uy
        usq = ux ** 2 + uy ** 2
        return W[:, None, None] * rho * (1 + 3 * cu + 4.5 * cu ** 2 - 1.5 * usq)

    def macroscopic(self):
        f = self.f[:, :, 1:-1]
        rho = f.sum(axis=0)
        ux = np.tensordot(C[:, 0], f, axes=1) / rho
        uy = np.tensordot(C[:, 1], f, axes=1) / rho
        return rho, ux, uy

    def collide(self):
        feq = self.equilibrium(*self.macroscopic())
        self.f[:, :, 1:-1] += (feq - self.f[:, :, 1:-1]) / self.tau

    def stream(self):
        moved = np.empty_like(self.f[:, :, 1:-1])
        n = self.f.shape[2]
        for q, (cx, cy) in enumerate(C):
            moved[q] = np.roll(self.f[q, :, 1 - cy:n - 1 - cy], cx, axis=0)
        self.f[:, :, 1:-1] = moved
