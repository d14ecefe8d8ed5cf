import numpy as np

from channel import Channel, Tag
from scene import HEIGHT, TILE, WIDTH, render, tiles


class Foreman:
    def __init__(self, comm, samples, seed):
        self.chan = Channel(comm)
        self.jobs = [(t, samples, seed) for t in tiles()]
        self.image = np.zeros((HEIGHT, WIDTH))

    def run(self):
        queue = iter(self.jobs)
        active = set(self.chan.peers)
        received = 0
        while active:
            finished, worker = self.chan.recv(tag=Tag.READY)
            if finished is not None:
                self._store(*finished)
                received += 1
            job = next(queue, None)
            if job is None:
                self.chan.send(None, worker)
                active.discard(worker)
            else:
                self.chan.send(job, worker, tag=Tag.TASK)
        assert received == len(self.jobs)
        return self.image

    def _store(self, tile, block):
        x, y = tile
        self.image[y:y + TILE, x:x + TILE] = block


class Renderer:
    def __init__(self, comm):
        self.chan = Channel(comm)

    def run(self):
        done = 0
        finished = None
        while True:
            self.chan.send(finished, 0, tag=Tag.READY)
            job, _ = self.chan.recv(source=0, tag=Tag.TASK)
            if job is None:
                return done
            tile, samples, seed = job
            finished = (tile, render(tile, samples, seed))
            done += 1
