import numpy as np
from mpi4py import MPI


class SampleSort:
    def __init__(self, comm, oversample=32, seed=0):
        self.comm = comm
        self.oversample = oversample
        self.rng = np.random.default_rng([seed, comm.rank])

    def _splitters(self, data):
        sample = self.rng.choice(data, self.oversample)
        pool = np.concatenate(self.comm.allgather(sample))
        pool.sort()
        return pool[self.oversample * np.arange(1, self.comm.size)]

    def sort(self, data):
        data = np.sort(data)
        splitters = self._splitters(data)
        cuts = np.searchsorted(data, splitters)
        bounds = np.concatenate([[0], cuts, [len(data)]]).astype(int)
        send = np.diff(bounds)
        recv = np.empty_like(send)
        self.comm.Alltoall(send, recv)
        out = np.empty(int(recv.sum()))
        self.comm.Alltoallv([data, (send, bounds[:-1])],
                            [out, (recv, np.concatenate([[0], np.cumsum(recv)[:-1]]))])
        out.sort()
        return out
