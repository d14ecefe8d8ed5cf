import numpy as np

from .block import Block

BASE_TAG = 500


class Migrator:
    """Carries out a plan; every process sees the same moves."""

    def __init__(self, forest):
        self.forest = forest
        self.comm = forest.comm

    def execute(self, plan):
        sent = received = 0
        for move in sorted(plan):
            if move.source == self.comm.rank:
                self._send(move)
                sent += 1
            elif move.target == self.comm.rank:
                self._receive(move)
                received += 1
        return sent, received

    def _send(self, move):
        block = self.forest.blocks.pop(move.name)
        self.comm.Send(block.data, dest=move.target, tag=BASE_TAG + move.number)

    def _receive(self, move):
        data = np.empty((Block.EDGE, Block.EDGE))
        self.comm.Recv(data, source=move.source, tag=BASE_TAG + move.number)
        self.forest.blocks[move.name] = Block(move.name, move.number, move.level, data)
