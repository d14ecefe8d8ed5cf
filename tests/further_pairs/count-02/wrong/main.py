import numpy as np
from mpi4py import MPI

from calibration import polynomial_fit

ORDER = 4


class Calibration:
    def __init__(self, comm):
        self.comm = comm
        self.coefs = np.zeros(ORDER)
        if comm.rank == 0:
            self.coefs = polynomial_fit(ORDER)
        comm.Bcast(self.coefs, root=0)

    def apply(self, raw):
        return np.polynomial.polynomial.polyval(raw, self.coefs)


def main():
    comm = MPI.COMM_WORLD
    calibration = Calibration(comm)
    raw = np.random.default_rng(comm.rank).uniform(0.0, 1.0, size=200)
    energy = calibration.apply(raw)
    total = comm.reduce(float(energy.sum()), op=MPI.SUM, root=0)
    if comm.rank == 0:
        print(f"total energy {total:.5f}")


if __name__ == "__main__":
    main()
