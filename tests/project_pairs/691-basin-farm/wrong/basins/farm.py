import numpy as np

from .messages import recv_result, recv_task, send_result, send_task
from .newton import render

STOP = None


class Farm:
    """Rank 0 hands out tiles; with a single rank it renders them itself."""

    def __init__(self, comm, cfg):
        self.comm = comm
        self.cfg = cfg

    def render(self, tiles):
        if self.comm.rank != 0:
            return self.work(tiles)
        image = np.zeros((self.cfg.size, self.cfg.size))
        if self.comm.size == 1:
            for tile in tiles:
                image[tile.window] = render(tile, self.cfg)
        else:
            self.manage(tiles, image)
        return image

    def manage(self, tiles, image):
        queue = iter(range(len(tiles)))
        busy = 0
        for worker in range(1, self.comm.size):
            index = next(queue, STOP)
            send_task(self.comm, index, worker)
            busy += index is not STOP
        while busy:
            worker, index, pixels = recv_result(self.comm)
            image[tiles[index].window] = pixels
            index = next(queue, STOP)
            send_task(self.comm, index, worker)
            busy -= index is STOP

    def work(self, tiles):
        while True:
            index = recv_task(self.comm)
            if index is STOP:
                return None
            send_result(self.comm, index, render(tiles[index], self.cfg))
