import logging
from collections import deque

import numpy as np
from mpi4py import MPI

from .protocol import TAG_POLICY, TAG_ROLLOUT, TAG_STOP

log = logging.getLogger("rl.learner")


class Learner:
    """Q-learning on the rollouts of whichever actor is ready."""

    def __init__(self, comm, config):
        self.comm = comm
        self.config = config
        self.table = np.zeros((config["side"] ** 2, 4))
        self.recent = deque(maxlen=100)

    def _learn(self, rollout):
        for state, action, reward, after, done in reversed(rollout.steps):
            goal = reward + (0.0 if done else self.config["gamma"] * self.table[after].max())
            self.table[state, action] += self.config["rate"] * (goal - self.table[state, action])
        self.recent.append(rollout.reward)

    def _next_rollout(self):
        status = MPI.Status()
        rollout = self.comm.recv(source=MPI.ANY_SOURCE, tag=TAG_ROLLOUT, status=status)
        return status.Get_source(), rollout

    def _send_policy(self, actor):
        self.comm.send(self.table, dest=actor, tag=TAG_POLICY)

    def _dismiss(self, actor):
        self.comm.send(None, dest=actor, tag=TAG_STOP)

    def run(self):
        actors = range(1, self.comm.size)
        for actor in actors:
            self._send_policy(actor)
        for count in range(1, self.config["episodes"] + 1):
            source, rollout = self._next_rollout()
            self._learn(rollout)
            if self.config["episodes"] - count < len(actors):
                self._dismiss(source)
            else:
                self._send_policy(source)
            if count % self.config["report"] == 0:
                log.info("episode %d mean reward %.3f", count, np.mean(self.recent))
        return self.table
