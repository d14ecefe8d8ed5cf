import numpy as np

from events import bucket_of


class BucketSorter:
    def __init__(self, comm, settings):
        self.comm = comm
        self.settings = settings

    def owned(self):
        per = -(-self.settings.buckets // self.comm.size)
        lo = self.comm.rank * per
        return range(lo, min(lo + per, self.settings.buckets))

    def spill(self, events, scratch):
        which = bucket_of(events["mass"], self.settings)
        for b in range(self.settings.buckets):
            scratch.put(b, events[which == b])
        scratch.synchronize()

    def merge(self, scratch):
        pieces = []
        for b in self.owned():
            piece = scratch.collect(b)
            pieces.append(piece[np.argsort(piece["mass"], kind="stable")])
        return pieces


def check_order(comm, pieces):
    flat = np.concatenate([p["mass"] for p in pieces]) if pieces else np.empty(0)
    ok = bool(np.all(np.diff(flat) >= 0))
    return all(comm.allgather(ok)), comm.allreduce(flat.size)
