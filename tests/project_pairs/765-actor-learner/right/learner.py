import logging
from collections import deque

import numpy as np
from mpi4py import MPI

from gridworld import Corridor, policy
from process import Process
from protocol import STOP, Tag

log = logging.getLogger("learner")


class Learner(Process):
    def setup(self):
        self.logits = np.zeros((self.cfg.corridor, Corridor.n_actions))
        self.recent = deque(maxlen=50)

    def _next_trajectory(self):
        status = MPI.Status()
        header = self.comm.recv(source=MPI.ANY_SOURCE, tag=Tag.HEADER, status=status)
        traj = np.zeros((header.length, 3))
        self.comm.Recv(traj, source=status.Get_source(), tag=Tag.TRAJECTORY)
        return header, traj

    def _update(self, traj):
        obs, actions = traj[:, 0].astype(int), traj[:, 1].astype(int)
        returns = np.cumsum(traj[::-1, 2])[::-1]
        baseline = np.mean(self.recent) if self.recent else 0.0
        for o, a, g in zip(obs, actions, returns):
            step = -policy(self.logits, o)
            step[a] += 1.0
            self.logits[o] += self.cfg.lr * (g - baseline) * step
        self.recent.append(returns[0])

    def _reply(self, actor, version):
        self.comm.send(version, dest=actor, tag=Tag.HEADER)
        if version != STOP:
            self.comm.Send(self.logits, dest=actor, tag=Tag.WEIGHTS)

    def run(self):
        active = self.comm.size - 1
        version = 0
        while active:
            header, traj = self._next_trajectory()
            self._update(traj)
            version += 1
            if version % 100 == 0:
                log.info("update %4d  lag %2d  return %.3f", version, version - header.version, np.mean(self.recent))
            if version >= self.cfg.updates:
                self._reply(header.actor, STOP)
                active -= 1
            else:
                self._reply(header.actor, version)
        log.info("done, mean return %.3f", np.mean(self.recent))
