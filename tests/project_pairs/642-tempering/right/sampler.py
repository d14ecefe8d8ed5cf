import numpy as np
from ladder import SwapCounter, geometric_ladder

TAG_STATE, TAG_VERDICT = 31, 32


class TemperedChain:
    """One chain of a parallel-tempering ladder; rank r runs temperature r."""

    def __init__(self, comm, logp, t_max=20.0, step=0.8, seed=2718):
        self.comm = comm
        self.logp = logp
        self.temp = geometric_ladder(comm.size, t_max)
        self.beta = 1.0 / self.temp[comm.rank]
        self.step = step * np.sqrt(self.temp[comm.rank])
        self.shared_rng = np.random.default_rng(seed)
        streams = np.random.SeedSequence(seed).spawn(comm.size)
        self.rng = np.random.default_rng(streams[comm.rank])
        self.x = logp.prior_draw(self.shared_rng)
        self.lp = logp(self.x)
        self.up = SwapCounter()
        self.moves = 0
        self.trace = []

    def metropolis(self, n):
        for _ in range(n):
            prop = self.x + self.rng.normal(scale=self.step, size=self.x.size)
            lp = self.logp(prop)
            if np.log(self.rng.random()) < self.beta * (lp - self.lp):
                self.x, self.lp = prop, lp
                self.moves += 1
            self.trace.append(self.x[0])

    def _partner(self, parity):
        r = self.comm.rank
        other = r + 1 if r % 2 == parity else r - 1
        return other if 0 <= other < self.comm.size else None

    def swap(self):
        parity = int(self.shared_rng.integers(2))
        other = self._partner(parity)
        if other is None:
            return
        lp_other, x_other = self.comm.sendrecv((self.lp, self.x), dest=other, sendtag=TAG_STATE,
                                               source=other, recvtag=TAG_STATE)
        if self.comm.rank < other:
            beta_other = 1.0 / self.temp[other]
            log_a = (self.beta - beta_other) * (lp_other - self.lp)
            ok = bool(np.log(self.rng.random()) < log_a)
            self.comm.send(ok, dest=other, tag=TAG_VERDICT)
            self.up.add(ok)
        else:
            ok = self.comm.recv(source=other, tag=TAG_VERDICT)
        if ok:
            self.x, self.lp = x_other, lp_other

    def run(self, sweeps, per_sweep):
        for k in range(sweeps):
            self.metropolis(per_sweep)
            self.swap()
            if k == sweeps // 4:
                self.trace.clear()
        return np.asarray(self.trace)
