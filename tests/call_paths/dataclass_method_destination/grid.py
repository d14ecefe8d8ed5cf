from dataclasses import dataclass
import numpy as np
from mpi4py import MPI


@dataclass
class Grid:
    """A strip of a larger grid."""

    comm: MPI.Comm
    values: np.ndarray

    def send_edge(self, dest):
        self.comm.Send(self.values[-1:], dest=dest, tag=4)

    def receive_edge(self, source):
        self.comm.Recv(self.values[:1], source=source, tag=4)
