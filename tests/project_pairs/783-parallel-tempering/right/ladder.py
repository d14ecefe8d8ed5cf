"""Temperature ladder: one replica per rank, neighbours exchange states."""
import numpy as np


class Ladder:
    ENERGY, STATE = 1, 2

    def __init__(self, comm, t_min, t_max, seed):
        self.comm = comm
        self.temperatures = np.geomspace(t_min, t_max, comm.size)
        self.beta = 1.0 / self.temperatures[comm.rank]
        self.exchange_rng = np.random.default_rng(seed)
        self.tried = self.accepted = 0

    def partner(self, sweep):
        """Even pairs on even sweeps, odd pairs on odd ones."""
        rank = self.comm.rank
        other = rank + 1 if (rank + sweep) % 2 == 0 else rank - 1
        return other if 0 <= other < self.comm.size else None

    def exchange(self, replica, sweep):
        draws = self.exchange_rng.random(self.comm.size)
        other = self.partner(sweep)
        if other is None:
            return
        self.tried += 1
        e_other = self.comm.sendrecv(replica.energy, dest=other, sendtag=self.ENERGY,
                                     source=other, recvtag=self.ENERGY)
        b_other = 1.0 / self.temperatures[other]
        log_ratio = (self.beta - b_other) * (replica.energy - e_other)
        u = draws[min(other, self.comm.rank)]
        if np.log(u) < log_ratio:
            state = self.comm.sendrecv(replica.spins, dest=other, sendtag=self.STATE,
                                       source=other, recvtag=self.STATE)
            replica.adopt(state, e_other)
            self.accepted += 1
