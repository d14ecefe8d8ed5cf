"""The annealing states. What a rank notices is or-ed over all ranks before
the next state is looked up."""
from enum import Enum, Flag, auto

import numpy as np
from mpi4py import MPI

from knapsack import Best


class State(Enum):
    SWEEP = auto()
    EXCHANGE = auto()
    REHEAT = auto()
    DONE = auto()


class Notice(Flag):
    NONE = 0
    STALE = auto()
    IMPROVED = auto()
    EXHAUSTED = auto()


class Annealer:
    def __init__(self, comm, problem, seed, max_sweeps=120):
        self.comm, self.problem = comm, problem
        self.rng = np.random.default_rng([seed, comm.rank])
        self.temperature = 4.0 + 3.0 * comm.rank
        self.picks = self.rng.integers(0, 2, len(problem.values))
        self.best, self.sweeps, self.max_sweeps, self.still = Best(), 0, max_sweeps, 0
        self.visited = []

    def agree(self, notice):
        return Notice(self.comm.allreduce(notice.value, op=MPI.BOR))

    def run(self):
        state = State.SWEEP
        while state is not State.DONE:
            self.visited.append(state.name[0])
            handler = getattr(self, f"do_{state.name.lower()}")
            state = self.next_state(state, self.agree(handler()))
        winner = max(self.comm.allgather((self.best.worth, self.best.picks)))
        return Best(*winner)

    @staticmethod
    def next_state(state, notice):
        match state, notice:
            case _, n if Notice.EXHAUSTED in n:
                return State.DONE
            case State.SWEEP, n if Notice.IMPROVED in n:
                return State.EXCHANGE
            case State.SWEEP, n if Notice.STALE in n:
                return State.REHEAT
            case _:
                return State.SWEEP

    def do_sweep(self):
        before = self.best.worth
        for _ in range(40):
            trial = self.picks.copy()
            trial[self.rng.integers(len(trial))] ^= 1
            gain = self.problem.worth(trial) - self.problem.worth(self.picks)
            if gain >= 0 or self.rng.random() < np.exp(gain / self.temperature):
                self.picks = trial
                self.best.offer(self.problem, trial)
        self.sweeps += 1
        self.temperature *= 0.97
        notice = Notice.NONE
        if self.best.worth > before:
            notice |= Notice.IMPROVED
            self.still = 0
        else:
            self.still += 1
        if self.still >= 6:
            notice |= Notice.STALE
        if self.sweeps >= self.max_sweeps:
            notice |= Notice.EXHAUSTED
        return notice

    def do_exchange(self):
        """Pairs alternate; a rank without partner keeps its state."""
        odd = len(self.visited) % 2
        partner = self.comm.rank + (1 if self.comm.rank % 2 == odd else -1)
        if 0 <= partner < self.comm.size:
            theirs = np.empty_like(self.picks)
            self.comm.Sendrecv(self.picks, dest=partner, recvbuf=theirs, source=partner)
            if self.problem.worth(theirs) > self.problem.worth(self.picks):
                self.picks = theirs
        return Notice.NONE

    def do_reheat(self):
        hottest = self.comm.allreduce(self.temperature, op=MPI.MAX)
        self.temperature = 0.5 * (self.temperature + hottest) + 2.0
        self.still = 0
        return Notice.NONE
