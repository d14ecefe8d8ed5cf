"""Work spreading over a ring with unknown total work; Safra's token ring
detects that all are idle and no message is under way."""
from collections import deque

from mpi4py import MPI

from safra import Termination, TAG_TOKEN, TAG_HALT

TAG_WORK = 1


class Node:
    def __init__(self, comm):
        self.comm = comm
        self.right = (comm.rank + 1) % comm.size
        self.queue = deque()
        self.outbox = []
        self.processed = 0
        self.total = 0
        self.term = Termination(comm)

    def expand(self, item):
        """Item (value, depth) splits into two smaller ones; leaves count."""
        value, depth = item
        self.processed += 1
        if depth == 0 or value < 2:
            self.total += value
            return
        half = value // 2
        children = [(half, depth - 1), (value - half, depth - 1)]
        self.queue.append(children[0])
        if (value + depth) % 3 and self.comm.size > 1:
            self.outbox.append(self.comm.isend(children[1], dest=self.right, tag=TAG_WORK))
            self.term.sent()
        else:
            self.queue.append(children[1])

    def drain_messages(self, status):
        """Take everything that has arrived; True once HALT is seen."""
        while self.comm.iprobe(source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG, status=status):
            src, tag = status.Get_source(), status.Get_tag()
            message = self.comm.recv(source=src, tag=tag)
            if tag == TAG_WORK:
                self.queue.append(message)
                self.term.received()
            elif tag == TAG_TOKEN:
                self.term.hold(message)
            elif tag == TAG_HALT:
                return True
        return False

    def run(self):
        status = MPI.Status()
        while True:
            if self.drain_messages(status):
                break
            if self.queue:
                self.expand(self.queue.pop())
                continue
            if self.term.idle_step():       # rank 0 has detected the end
                break
        self.term.halt()
        MPI.Request.waitall(self.outbox)


def main():
    comm = MPI.COMM_WORLD
    node = Node(comm)
    start = 10_000
    if comm.rank == comm.size - 1:
        node.queue.append((start, 9))
    node.run()

    total = comm.allreduce(node.total)
    assert total == start, (total, start)
    assert not node.queue
    assert comm.allreduce(node.term.balance) == 0
    processed = comm.gather(node.processed, root=0)
    if comm.rank == 0:
        assert sum(processed) == 2 ** 10 - 1, processed
        print(f"leaves sum to {total}; nodes per rank {processed}")


if __name__ == "__main__":
    main()
