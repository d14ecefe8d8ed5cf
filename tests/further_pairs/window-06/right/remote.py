import numpy as np
from mpi4py import MPI


class Replica:
    """One temperature of a replica exchange; the energies are open to all ranks."""

    def __init__(self, comm: MPI.Intracomm, beta: float):
        self.comm = comm
        self.beta = beta
        self.energy = np.zeros(1)
        self.win = MPI.Win.Create(self.energy, disp_unit=8, comm=comm)

    def partner_energy(self, partner: int) -> float:
        fetched = np.full(1, np.inf)
        self.win.Fence()
        self.win.Get(fetched, partner)
        self.win.Fence()
        return float(fetched[0])

    def close(self) -> None:
        self.win.Free()
