"""The inventory rank: builds the response tables of a network on demand."""
import functools

import numpy as np
from mpi4py import MPI
from scipy import signal

from .protocol import Reply, Tag

NETWORKS = {"GR": 6, "CH": 5, "NL": 4}


def nominal(network, station):
    """Gain and corner frequency as engraved on the sensor."""
    number = int(station[1:])
    base = {"GR": 600.0, "CH": 1500.0, "NL": 2400.0}[network]
    return base + 37.0 * number, 0.05 + 0.01 * number


@functools.lru_cache(maxsize=None)
def network_table(network):
    """Sensitivities at one hertz of all stations of a network."""
    table = {}
    grid = 2 * np.pi * np.logspace(-3, 2, 60000)
    for number in range(NETWORKS[network]):
        station = f"S{number:02d}"
        gain, corner = nominal(network, station)
        b, a = signal.butter(4, 2 * np.pi * corner, "high", analog=True)
        for _ in range(60):                      # one curve a channel epoch
            _, curve = signal.freqs(b, a, worN=grid)
        at_one = np.interp(2 * np.pi, grid, np.abs(curve))
        table[station] = (gain * at_one, corner)
    return table


class InventoryServer:
    def __init__(self, comm, n_clients):
        self.comm = comm
        self.n_clients = n_clients

    def serve(self):
        """Answer requests until every client has said goodbye."""
        status = MPI.Status()
        open_clients = self.n_clients
        while open_clients:
            message = self.comm.recv(source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG,
                                     status=status)
            if status.Get_tag() == Tag.DONE:
                open_clients -= 1
                continue
            gain, corner = network_table(message.network)[message.station]
            self.comm.send(Reply(message.serial, gain, corner),
                           dest=status.Get_source(), tag=Tag.REPLY)
