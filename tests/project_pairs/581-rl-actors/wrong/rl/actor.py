import numpy as np
from mpi4py import MPI

from .gridworld import GridWorld
from .protocol import TAG_POLICY, TAG_ROLLOUT, TAG_STOP, Rollout


class Actor:
    def __init__(self, comm, config):
        self.comm = comm
        self.rng = np.random.default_rng([config["seed"], comm.rank])
        self.env = GridWorld(config["side"], self.rng)
        self.epsilon = config["epsilon"]
        self.episodes = 0

    def _act(self, table, state):
        if self.rng.uniform() < self.epsilon:
            return int(self.rng.integers(self.env.actions))
        return int(np.argmax(table[state]))

    def _episode(self, table):
        rollout = Rollout()
        state, done = self.env.reset(), False
        while not done:
            action = self._act(table, state)
            after, reward, done = self.env.step(action)
            rollout.add(state, action, reward, after, done)
            state = after
        self.episodes += 1
        return rollout

    def _policy(self):
        status = MPI.Status()
        table = self.comm.recv(source=0, tag=TAG_POLICY, status=status)
        return None if status.Get_tag() == TAG_STOP else table

    def serve(self):
        table = self._policy()
        while table is not None:
            self.comm.send(self._episode(table), dest=0, tag=TAG_ROLLOUT)
            table = self._policy()
        return self.episodes
