import numpy as np
from mpi4py import MPI

NBINS = 32


class SpectrumEstimator:
    def __init__(self, comm: MPI.Comm, realisations: int):
        self.comm = comm
        self.todo = range(comm.rank, realisations, comm.size)

    def one(self, number: int) -> np.ndarray:
        rng = np.random.default_rng(number)
        signal = np.cumsum(rng.normal(size=2 * NBINS))
        return np.abs(np.fft.rfft(signal))[1:] ** 2

    def run(self) -> None:
        local = [self.one(number) for number in self.todo]
        parts = self.comm.gather(local, root=0)
        if parts is not None:
            spectra = []
            for part in parts:
                spectra.extend(part)
            mean = np.mean(spectra, axis=0)
            print("realisations:", len(spectra))
            print("steep:", bool(mean[0] > 10 * mean[-1]))


if __name__ == "__main__":
    SpectrumEstimator(MPI.COMM_WORLD, 24).run()
