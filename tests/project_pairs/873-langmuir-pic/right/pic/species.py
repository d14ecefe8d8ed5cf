import numpy as np


class Electrons:
    """Markers of the electron species that lie in this rank's slab."""

    def __init__(self, grid, per_cell, amplitude, mode=1):
        n = grid.nlocal * per_cell
        x0 = grid.xmin + (np.arange(n) + 0.5) * grid.dx / per_cell
        k = 2.0 * np.pi * mode / grid.length
        self.grid = grid
        self.x = np.mod(x0 + amplitude * np.sin(k * x0) / k, grid.length)
        self.v = np.zeros(n)
        self.charge = -1.0 / per_cell
        self.mass = abs(self.charge) * grid.dx
        self.migrate()

    def deposit(self, rho):
        node, right = self.grid.weights(self.x)
        np.add.at(rho, node, self.charge * (1.0 - right))
        np.add.at(rho, node + 1, self.charge * right)

    def push(self, efield, dt):
        node, right = self.grid.weights(self.x)
        e = efield[node] * (1.0 - right) + efield[node + 1] * right
        self.v -= dt * e
        self.x = np.mod(self.x + dt * self.v, self.grid.length)
        self.migrate()

    def migrate(self):
        comm = self.grid.comm
        owner = self.grid.owner_of(self.x)
        parcels = [np.stack([self.x[owner == r], self.v[owner == r]])
                   for r in range(comm.size)]
        self.x, self.v = np.concatenate(comm.alltoall(parcels), axis=1)

    def kinetic(self):
        return 0.5 * self.mass * float(self.v @ self.v)
