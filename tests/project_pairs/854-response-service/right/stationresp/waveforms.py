"""Raw waveforms of the stations of one rank."""
import numpy as np

from .inventory import NETWORKS, nominal


def stations():
    for network, count in NETWORKS.items():
        for number in range(count):
            yield network, f"S{number:02d}"


def raw_amplitudes(rank, size):
    """Yields (network, station, counts) for every `size`-th station.

    The event has a ground velocity of one millimetre a second everywhere.
    """
    for index, (network, station) in enumerate(stations()):
        if index % size != rank:
            continue
        gain, _ = nominal(network, station)
        t = np.linspace(0.0, 20.0, 4000)
        trace = gain * 1.0 * np.sin(2 * np.pi * t) * np.exp(-0.02 * t)
        yield network, station, float(np.abs(trace).max())
