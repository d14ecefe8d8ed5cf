"""Exchange of configurations between neighbouring temperatures."""
import numpy as np

ENERGY, STATE = 31, 32


class Exchanger:
    def __init__(self, comm, betas, rng):
        self.comm = comm
        self.betas = betas
        self.rng = rng
        self.tried = self.done = 0

    def partner(self, odd):
        rank = self.comm.rank
        other = rank + 1 if rank % 2 == odd else rank - 1
        return other if 0 <= other < self.comm.size else None

    def attempt(self, walker):
        odd = int(self.rng.integers(2))
        draws = self.rng.random(self.comm.size)
        other = self.partner(odd)
        if other is None:
            return
        mine = walker.energy
        theirs = self.comm.sendrecv(mine, dest=other, sendtag=ENERGY,
                                    source=other, recvtag=ENERGY)
        log_ratio = (self.betas[self.comm.rank] - self.betas[other]) * (mine - theirs)
        self.tried += 1
        if np.log(draws[min(self.comm.rank, other)]) < log_ratio:
            self._trade(walker, other)

    def _trade(self, walker, other):
        incoming = np.empty_like(walker.x)
        self.comm.Sendrecv(walker.x, dest=other, sendtag=STATE,
                           recvbuf=incoming, source=other, recvtag=STATE)
        walker.x = incoming
        self.done += 1
