import numpy as np

from buckets import make_buckets


class ParameterServer:
    """Keeps the weights on rank 0 and applies the averaged worker gradients."""

    def __init__(self, comm, model, cfg):
        self.comm = comm
        self.cfg = cfg
        self.weights = model.flat()
        self.velocity = np.zeros_like(self.weights)
        self.buckets = make_buckets(self.weights.size, cfg.bucket_elems)
        self.n_workers = comm.size - 1

    def _collect(self):
        mean = np.zeros_like(self.weights)
        incoming = np.empty(self.cfg.bucket_elems, dtype=np.float32)
        for bucket in self.buckets:
            for worker in range(1, self.n_workers + 1):
                self.comm.Recv(incoming[: bucket.size], source=worker, tag=bucket.index)
                mean[bucket.span] += incoming[: bucket.size]
        return mean / self.n_workers

    def run(self):
        for step in range(self.cfg.steps):
            self.comm.Bcast(self.weights, root=0)
            grad = self._collect()
            self.velocity = self.cfg.momentum * self.velocity + grad
            self.weights -= np.float32(self.cfg.lr / self.cfg.batch) * self.velocity
            loss = self.comm.reduce(0.0, root=0) / self.n_workers
            print(f"step {step}  loss {loss:.5f}  |grad| {np.linalg.norm(grad):.5f}", flush=True)
