import numpy as np

from .reporting import Reporter
from .teams import TeamMember


class ReplicaTeam(TeamMember, Reporter):
    """One replica of a parallel tempering run, evaluated by a team."""

    def __init__(self, world, team_size, model, move, temperatures, seed):
        TeamMember.__init__(self, world, team_size)
        Reporter.__init__(self, world)
        if len(temperatures) != self.num_teams:
            raise ValueError("one temperature per team, please")
        self.model = model
        self.move = move
        self.temperatures = np.asarray(temperatures, dtype=float)
        self.slot = self.team
        self.rng = np.random.default_rng([seed, self.team])
        self.x = np.zeros(model.ndim)
        self.energy = self.evaluate(self.x)
        self.sums = np.zeros(self.num_teams)
        self.visits = np.zeros(self.num_teams, dtype=int)

    @property
    def temperature(self):
        return self.temperatures[self.slot]

    def evaluate(self, x):
        return self.team_sum(self.model.partial(x, self.member, self.members))

    def sweep(self):
        for _ in range(self.model.ndim):
            draw = None
            if self.is_leader:
                draw = (self.move.propose(self.rng, self.x, self.temperature), self.rng.random())
            candidate, u = self.from_leader(draw)
            energy = self.evaluate(candidate)
            if u < np.exp(min(0.0, (self.energy - energy) / self.temperature)):
                self.x, self.energy = candidate, energy
        self.sums[self.slot] += self.energy
        self.visits[self.slot] += 1

    def swap(self, parity):
        slot = None
        if self.is_leader:
            table = self.leaders.gather((self.slot, self.energy), root=0)
            if self.leaders.rank == 0:
                table = self._exchange(table, parity)
            slot = self.leaders.scatter(table, root=0)
        self.slot = self.from_leader(slot)

    def _exchange(self, table, parity):
        slots = [entry[0] for entry in table]
        order = np.argsort(slots, kind="stable")
        beta = 1.0 / self.temperatures
        for i in range(parity, self.num_teams - 1, 2):
            a, b = order[i], order[i + 1]
            gain = (beta[slots[a]] - beta[slots[b]]) * (table[a][1] - table[b][1])
            if self.rng.random() < np.exp(min(0.0, gain)):
                slots[a], slots[b] = slots[b], slots[a]
        return slots

    def run(self, sweeps, burn_in):
        for sweep in range(burn_in + sweeps):
            if sweep == burn_in:
                self.sums[:] = 0.0
                self.visits[:] = 0
            self.sweep()
            self.swap(parity=sweep % 2 if self.num_teams > 2 else 0)

    def report(self):
        everything = self.collect((self.sums, self.visits) if self.is_leader else None)
        if everything is None:
            return
        sums = sum(entry[0] for entry in everything if entry is not None)
        visits = sum(entry[1] for entry in everything if entry is not None)
        for t, s, n in zip(self.temperatures, sums, visits):
            mean = s / n if n else float("nan")
            self.say(f"T = {t:5.2f}: {n:5d} samples, mean energy {mean:7.3f}, "
                     f"exact {self.model.mean_energy(t):7.3f}")
