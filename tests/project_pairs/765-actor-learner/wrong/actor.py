import numpy as np
from mpi4py import MPI

from gridworld import Corridor, policy
from process import Process
from protocol import STOP, Header, Tag


class Actor(Process):
    def setup(self):
        self.rng = np.random.default_rng([self.cfg.seed, self.comm.rank])
        self.env = Corridor(self.cfg.corridor, self.rng)
        self.logits = np.zeros((self.cfg.corridor, self.env.n_actions))

    def _episode(self):
        rows, obs, done = [], self.env.reset(), False
        while not done:
            action = self.rng.choice(self.env.n_actions, p=policy(self.logits, obs))
            nxt, reward, done = self.env.step(action)
            rows.append((obs, action, reward))
            obs = nxt
        return np.array(rows)

    def run(self):
        version = 0
        status = MPI.Status()
        while version != STOP:
            traj = self._episode()
            self.comm.send(Header(self.comm.rank, version, len(traj)), dest=0, tag=Tag.HEADER)
            self.comm.Send(traj, dest=0, tag=Tag.TRAJECTORY)
            version = self.comm.recv(source=0, tag=Tag.HEADER, status=status)
            if version != STOP:
                self.comm.Recv(self.logits, source=0, tag=Tag.WEIGHTS)
