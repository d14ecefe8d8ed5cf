import numpy as np

from .events import M_HIGH, M_LOW


def summarize(spectrum):
    edges = np.linspace(M_LOW, M_HIGH, spectrum.counts.size + 1)
    centre = 0.5 * (edges[1:] + edges[:-1])
    window = (centre > 86) & (centre < 96)
    return {
        "jobs": len(spectrum.numbers),
        "accepted": int(spectrum.accepted),
        "histogram": int(spectrum.counts.sum()),
        "peak": float(centre[np.argmax(spectrum.counts)]),
        "in_window": int(spectrum.counts[window].sum()),
    }
