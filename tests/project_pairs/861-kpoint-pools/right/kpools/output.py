"""Collects the results and derives the energies."""
import numpy as np


class BandStore:
    def __init__(self, comms):
        self.comms = comms
        self._local = []

    def add(self, result):
        self._local.append(result)

    def collect(self):
        """All results in order of the mesh on the root, None elsewhere."""
        parts = self.comms.world.gather(self._local, root=0)
        if parts is None:
            return None
        return sorted((r for part in parts for r in part),
                      key=lambda r: r.index)


def band_energy(results, n_occupied):
    """Energy of the occupied bands of an insulator."""
    return sum(r.weight * r.bands[:n_occupied].sum() for r in results)


def gap(results, n_occupied):
    top = max(r.bands[n_occupied - 1] for r in results)
    bottom = min(r.bands[n_occupied] for r in results)
    return float(bottom - top)


def write_bands(results, stream):
    for r in results:
        np.savetxt(stream, [[r.index, *r.bands]], fmt="%4d" + " %9.5f" *
                   len(r.bands))
