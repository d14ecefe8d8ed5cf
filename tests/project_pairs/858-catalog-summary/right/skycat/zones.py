"""Exchange of sources, so that a rank owns a zone of declination."""
import numpy as np

from .catalog import Catalog


def zone_of(dec, size, low=-1.0, high=1.0):
    zone = ((dec - low) / (high - low) * size).astype(int)
    return np.clip(zone, 0, size - 1)


def to_zones(catalog):
    comm = catalog.comm
    zone = zone_of(catalog.rows["dec"], comm.size)
    outgoing = [catalog.rows[zone == rank] for rank in range(comm.size)]
    incoming = comm.alltoall(outgoing)
    rows = np.concatenate(incoming)
    return Catalog(comm, rows[np.argsort(rows["dec"], kind="stable")])
