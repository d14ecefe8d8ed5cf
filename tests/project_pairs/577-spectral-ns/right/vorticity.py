import numpy as np


class VorticitySolver:
    """Pseudo-spectral step; transforms are replicated, products are slab-wise."""

    def __init__(self, slab, settings):
        self.slab = slab
        self.settings = settings
        k = np.fft.fftfreq(slab.n, 1 / slab.n)
        self.kx, self.ky = np.meshgrid(k, k)
        self.k2 = self.kx ** 2 + self.ky ** 2
        self._inv = np.divide(1.0, self.k2, out=np.zeros_like(self.k2), where=self.k2 > 0)
        self._keep = (np.abs(self.kx) < slab.n / 3) & (np.abs(self.ky) < slab.n / 3)
        self.omega = self._start()

    def _start(self):
        rng = np.random.default_rng(self.settings.seed)
        phase = np.exp(2j * np.pi * rng.uniform(size=self.k2.shape))
        shape = np.where(self.k2 > 0, self.k2 * np.exp(-self.k2 / 18), 0.0)
        field = np.real(np.fft.ifft2(shape * phase))
        field *= 4.0 / np.abs(field).max()
        return field[self.slab.own].astype(self.slab.real)

    def _own(self, spectrum):
        return np.real(np.fft.ifft2(spectrum))[self.slab.own]

    def step(self):
        spectrum = np.fft.fft2(self.slab.collect(self.omega))
        stream = spectrum * self._inv
        u = self._own(1j * self.ky * stream)
        v = self._own(-1j * self.kx * stream)
        advection = (u * self._own(1j * self.kx * spectrum)
                     + v * self._own(1j * self.ky * spectrum)).astype(self.slab.real)
        rate = np.fft.fft2(self.slab.collect(advection)) * self._keep
        damp = 1 / (1 + self.settings.dt * self.settings.viscosity * self.k2)
        spectrum = (spectrum - self.settings.dt * rate) * damp
        self.omega = self._own(spectrum).astype(self.slab.real)

    def enstrophy(self):
        return 0.5 * self.slab.total(self.omega ** 2) / self.slab.n ** 2
