"""Move particles to their owners, one neighbour at a time."""
import numpy as np


class Migrator:
    TO_LEFT, TO_RIGHT = 11, 12

    def __init__(self, strip):
        self.strip = strip
        self.comm = strip.comm
        self.rounds = 0

    def _sort(self, particles):
        hops = self.strip.hops(particles[:, 0])
        return particles[hops == 0], particles[hops < 0], particles[hops > 0]

    def _travelling(self, *groups):
        return sum(len(g) for g in groups)

    def _pass_on(self, leftward, rightward):
        s = self.strip
        from_right = self.comm.sendrecv(
            leftward, dest=s.left, sendtag=self.TO_LEFT,
            source=s.right, recvtag=self.TO_LEFT)
        from_left = self.comm.sendrecv(
            rightward, dest=s.right, sendtag=self.TO_RIGHT,
            source=s.left, recvtag=self.TO_RIGHT)
        return from_left, from_right

    def __call__(self, particles):
        home, leftward, rightward = self._sort(particles)
        while self._travelling(leftward, rightward) > 0:
            arrived = self._pass_on(leftward, rightward)
            home = np.concatenate((home, *arrived))
            home, leftward, rightward = self._sort(home)
            self.rounds += 1
        return home
