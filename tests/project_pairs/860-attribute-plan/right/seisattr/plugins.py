"""Attributes of the standard set."""
import numpy as np
from scipy import ndimage, signal

from .registry import Attribute, attribute


@attribute("envelope")
class Envelope(Attribute):
    def compute(self, section, known):
        return np.abs(signal.hilbert(section.traces, axis=1))


@attribute("frequency")
class InstantaneousFrequency(Attribute):
    def compute(self, section, known):
        phase = np.unwrap(np.angle(signal.hilbert(section.traces, axis=1)))
        return np.gradient(phase, section.dt, axis=1) / (2 * np.pi)


@attribute("rms")
class RunningRms(Attribute):
    window = 21

    def compute(self, section, known):
        power = ndimage.uniform_filter1d(section.traces ** 2, self.window,
                                         axis=1)
        return np.sqrt(power)


@attribute("gradient")
class VerticalGradient(Attribute):
    def compute(self, section, known):
        return np.abs(np.gradient(section.traces, section.dt, axis=1))


@attribute("crossings")
class ZeroCrossings(Attribute):
    def compute(self, section, known):
        change = np.diff(np.signbit(section.traces), axis=1)
        return change.astype(float)


@attribute("sweetness", needs=("envelope", "frequency"))
class Sweetness(Attribute):
    def compute(self, section, known):
        freq = np.clip(np.abs(known["frequency"]), 1.0, None)
        return known["envelope"] / np.sqrt(freq)


@attribute("contrast", needs=("rms", "envelope"))
class Contrast(Attribute):
    def compute(self, section, known):
        return known["envelope"] / np.maximum(known["rms"], 1e-3)


@attribute("roughness", needs=("gradient", "rms"))
class Roughness(Attribute):
    def compute(self, section, known):
        return known["gradient"] / np.maximum(known["rms"], 1e-3)
