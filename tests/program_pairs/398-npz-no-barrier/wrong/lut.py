"""Precomputed Voigt profile table, kept on disk because it is slow."""
import os
import time

import numpy as np
from scipy.special import wofz


def voigt(x, sigma, gamma):
    z = (x + 1j * gamma) / (sigma * np.sqrt(2))
    return wofz(z).real / (sigma * np.sqrt(2 * np.pi))


class VoigtTable:
    XMAX = 20.0

    def __init__(self, path, comm, nx=801, ngamma=40):
        self.path = path
        self.comm = comm
        self.nx, self.ngamma = nx, ngamma
        self.x = None
        self.gamma = None
        self.table = None

    def _build(self):
        x = np.linspace(-self.XMAX, self.XMAX, self.nx)
        gamma = np.linspace(0.01, 2.0, self.ngamma)
        tab = np.array([voigt(x, 1.0, g) for g in gamma])
        tmp = self.path + ".part.npz"
        np.savez(tmp, x=x, gamma=gamma, table=tab)
        os.replace(tmp, self.path)

    def prepare(self):
        """make sure that the table exists"""
        if self.comm.rank == 0:
            if os.path.exists(self.path):
                os.remove(self.path)
            t = time.time()
            self._build()
            print("table built in %.2f s" % (time.time() - t))
        return self

    def load(self):
        with np.load(self.path) as f:
            self.x = f["x"]
            self.gamma = f["gamma"]
            self.table = f["table"]
        return self

    def __call__(self, x, g):
        k = int(np.clip(np.searchsorted(self.gamma, g), 0, len(self.gamma) - 1))
        return np.interp(x, self.x, self.table[k], left=0.0, right=0.0)
