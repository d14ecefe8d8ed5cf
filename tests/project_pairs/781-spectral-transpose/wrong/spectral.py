"""Distributed two-dimensional FFT and the operators built on it."""
import numpy as np


class Spectral:
    def __init__(self, slab):
        self.slab = slab
        k = np.fft.fftfreq(slab.n, d=1.0 / slab.n)
        # after a forward transform the local index runs over the x modes
        self.kx = k[slab.mine][:, None]
        self.ky = k[None, :]
        k2 = self.kx**2 + self.ky**2
        self.inv_k2 = np.where(k2 > 0, 1.0 / np.where(k2 > 0, k2, 1.0), 0.0)

    def forward(self, u):
        """Real space (y rows local) to mode space (x modes local)."""
        uh = np.fft.fft(u, axis=1)
        uh = self.slab.transpose(uh)
        return np.fft.fft(uh, axis=1)

    def backward(self, uh):
        u = np.fft.ifft(uh, axis=1)
        u = self.slab.transpose(u)
        return np.fft.ifft(u, axis=1).real

    def poisson(self, rhs):
        """Solve  -laplace(u) = rhs  with zero mean."""
        return self.backward(self.forward(rhs) * self.inv_k2)

    def gradient(self, u):
        uh = self.forward(u)
        return self.backward(1j * self.kx * uh), self.backward(1j * self.ky * uh)
