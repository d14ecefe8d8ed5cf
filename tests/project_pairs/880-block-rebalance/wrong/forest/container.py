from .block import Block, refined_level


class Forest:
    """The blocks of this process, by name."""

    def __init__(self, comm, total):
        self.comm = comm
        self.total = total
        self.blocks = {}
        per = -(-total // comm.size)
        for number in range(comm.rank * per, min(total, (comm.rank + 1) * per)):
            block = Block.create(number, refined_level(number, total))
            self.blocks[block.name] = block

    @property
    def load(self):
        return sum(b.work for b in self.blocks.values())

    def catalogue(self):
        """(name, number, level, owner) of all blocks, the same on every process."""
        mine = [(b.name, b.number, b.level, self.comm.rank) for b in self.blocks.values()]
        entries = [e for part in self.comm.allgather(mine) for e in part]
        return sorted(entries, key=lambda e: e[1])

    def smooth(self):
        for block in self.blocks.values():
            for _ in range(block.work):
                block.data += 0.1 * (block.data.mean() - block.data)

    def checksum(self):
        return self.comm.allreduce(sum(float(b.data.sum()) for b in self.blocks.values()))
