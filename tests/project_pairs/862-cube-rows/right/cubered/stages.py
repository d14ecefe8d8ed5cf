"""Stages that work on an iterator of spaxels."""
import numpy as np


def subtract_continuum(spaxels):
    for number, spectrum in spaxels:
        yield number, spectrum - np.median(spectrum)


def reject_noisy(spaxels, min_snr):
    """Leave out spaxels in which the line is not significant."""
    for number, spectrum in spaxels:
        noise = 1.4826 * np.median(np.abs(spectrum - np.median(spectrum)))
        if spectrum.max() > min_snr * noise:
            yield number, spectrum


def fit_line(spaxels):
    """Flux, centre and width from the moments around the maximum."""
    for number, spectrum in spaxels:
        peak = int(spectrum.argmax())
        low, high = max(peak - 8, 0), peak + 9
        channel = np.arange(low, min(high, spectrum.size))
        weight = np.clip(spectrum[low:high], 0.0, None)
        flux = weight.sum()
        centre = (channel * weight).sum() / flux
        var = ((channel - centre) ** 2 * weight).sum() / flux
        yield number, flux, centre, np.sqrt(var)
