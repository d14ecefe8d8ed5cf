import numpy as np
from mpi4py import MPI

from buckets import make_buckets
from model import batches


class GradientPusher:
    """Sends a gradient to the server bucket by bucket, packing while earlier buckets travel."""

    def __init__(self, comm, shapes, n_params, bucket_elems):
        self.comm = comm
        self.names = list(shapes)
        self.buckets = make_buckets(n_params, bucket_elems)
        self.staging = [np.empty(b.size, dtype=np.float32) for b in self.buckets]

    def _pack(self, grads, bucket, out):
        offset = 0
        for name in self.names:
            flat = grads[name].reshape(-1)
            lo = max(bucket.start - offset, 0)
            hi = min(bucket.stop - offset, flat.size)
            if lo < hi:
                at = offset + lo - bucket.start
                out[at : at + hi - lo] = flat[lo:hi]
            offset += flat.size
        return out

    def push(self, grads):
        requests = []
        for bucket in self.buckets:
            buf = self._pack(grads, bucket, self.staging[bucket.index])
            requests.append(self.comm.Isend(buf, dest=0, tag=bucket.index))
        MPI.Request.Waitall(requests)


class Worker:
    def __init__(self, comm, model, cfg):
        self.comm = comm
        self.model = model
        self.cfg = cfg
        self.data = batches(cfg, comm.rank)
        self.weights = np.empty(model.n_params, dtype=np.float32)
        self.pusher = GradientPusher(comm, model.shapes, model.n_params, cfg.bucket_elems)

    def run(self):
        for _ in range(self.cfg.steps):
            self.comm.Bcast(self.weights, root=0)
            self.model.load_flat(self.weights)
            loss, grads = self.model.loss_and_grads(*next(self.data))
            self.pusher.push(grads)
            self.comm.reduce(loss, root=0)
