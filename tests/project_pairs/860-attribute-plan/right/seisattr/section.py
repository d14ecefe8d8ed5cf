"""The traces of one rank."""
import numpy as np


class Section:
    def __init__(self, comm, n_traces=90, n_samples=400, dt=0.004):
        self.comm = comm
        self.dt = dt
        bounds = np.linspace(0, n_traces, comm.size + 1).astype(int)
        self.numbers = range(bounds[comm.rank], bounds[comm.rank + 1])
        self.traces = np.stack([self._trace(k, n_samples)
                                for k in self.numbers])

    def _trace(self, number, n_samples):
        rng = np.random.default_rng([8, number])
        t = np.arange(n_samples) * self.dt
        trace = 0.05 * rng.normal(size=n_samples)
        for arrival, freq in ((0.3, 30.0), (0.7, 22.0), (1.2, 15.0)):
            tau = t - arrival - 0.001 * number
            trace += (1 - 2 * (np.pi * freq * tau) ** 2) * np.exp(
                -(np.pi * freq * tau) ** 2)
        return trace

    def global_mean(self, values):
        """Mean over the samples of all ranks."""
        total = self.comm.allreduce(float(values.sum()))
        count = self.comm.allreduce(values.size)
        return total / count
