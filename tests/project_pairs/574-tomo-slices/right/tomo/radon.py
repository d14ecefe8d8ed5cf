"""Parallel beam projection and filtered back projection on a pixel grid."""
import numpy as np


class Geometry:
    def __init__(self, size, angles):
        self.size = size
        self.angles = np.linspace(0, np.pi, angles, endpoint=False)
        c = (size - 1) / 2
        y, x = np.mgrid[0:size, 0:size] - c
        self.bins = [np.clip(np.rint(x * np.cos(t) + y * np.sin(t) + c), 0, size - 1).astype(int)
                     for t in self.angles]
        self.ramp = np.abs(np.fft.rfftfreq(2 * size))

    def project(self, image):
        return np.array([np.bincount(b.ravel(), image.ravel(), minlength=self.size)
                         for b in self.bins])

    def _filtered(self, sinogram):
        spectrum = np.fft.rfft(sinogram, n=2 * self.size, axis=1) * self.ramp
        return np.fft.irfft(spectrum, axis=1)[:, :self.size]

    def backproject(self, sinogram):
        out = np.zeros((self.size, self.size))
        for b, row in zip(self.bins, self._filtered(sinogram)):
            out += row[b]
        return out * np.pi / len(self.angles)
