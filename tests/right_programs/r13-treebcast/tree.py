"""Binomial tree over the ranks of a communicator, rooted anywhere."""


class BinomialTree:
    TAG_DOWN = 101
    TAG_UP = 102

    def __init__(self, comm, root=0):
        self.comm, self.root = comm, root
        size = comm.size
        vrank = (comm.rank - root) % size
        self.parent = None
        children = []
        mask = 1
        while mask < size:
            if vrank & mask:
                self.parent = (vrank - mask + root) % size
                break
            if vrank + mask < size:
                children.append((vrank + mask + root) % size)
            mask <<= 1
        self.children = children        # nearest first

    def bcast(self, obj):
        if self.parent is not None:
            obj = self.comm.recv(source=self.parent, tag=self.TAG_DOWN)
        for child in reversed(self.children):       # biggest subtree first
            self.comm.send(obj, dest=child, tag=self.TAG_DOWN)
        return obj

    def reduce(self, value, combine):
        for child in self.children:
            value = combine(value, self.comm.recv(source=child, tag=self.TAG_UP))
        if self.parent is not None:
            self.comm.send(value, dest=self.parent, tag=self.TAG_UP)
            return None
        return value
