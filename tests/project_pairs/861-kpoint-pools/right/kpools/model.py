"""Hamiltonian of a square lattice with several orbitals in the cell."""
import numpy as np


class LatticeModel:
    def __init__(self, n_orbitals=6, seed=9):
        rng = np.random.default_rng(seed)
        self.n_orbitals = n_orbitals
        level = np.where(np.arange(n_orbitals) < n_orbitals // 2, -4.0, 4.0)
        self.onsite = np.diag(level + 0.2 * rng.normal(size=n_orbitals))
        self.hop = []
        for _ in range(2):
            hop = 0.3 * rng.normal(size=(n_orbitals, n_orbitals))
            self.hop.append(hop - 0.5 * np.eye(n_orbitals))

    def rows(self, k, rank, size):
        """Rows of H(k) that belong to a rank, zero elsewhere."""
        h = np.zeros((self.n_orbitals, self.n_orbitals), complex)
        for i in range(rank, self.n_orbitals, size):
            h[i] = self.onsite[i]
            for ki, hop in zip(k, self.hop):
                h[i] += np.exp(1j * ki) * hop[i] + np.exp(-1j * ki) * hop[:, i]
        return h
