import argparse
from mpi4py import MPI


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


class Pool:
    """A small task farm: rank 0 hands out, the others work."""

    WORK, STOP = 10, 11

    def __init__(self, comm):
        self.comm = comm
        self.workers = list(range(1, comm.size))

    def map(self, tasks):
        queue = list(enumerate(tasks))
        results = [None] * len(queue)
        busy = []
        for w in self.workers:
            if queue:
                self.comm.send(queue.pop(0), dest=w, tag=self.WORK)
                busy.append(w)
        pending = len(busy)
        status = MPI.Status()
        while pending:
            i, value = self.comm.recv(source=MPI.ANY_SOURCE, status=status)
            results[i] = value
            pending -= 1
            if queue:
                self.comm.send(queue.pop(0), dest=status.Get_source(), tag=self.WORK)
                pending += 1
        for w in busy:
            self.comm.send(None, dest=w, tag=self.STOP)
        return results

    def serve(self, func):
        status = MPI.Status()
        while True:
            task = self.comm.recv(source=0, tag=MPI.ANY_TAG, status=status)
            if status.Get_tag() == self.STOP:
                break
            i, arg = task
            self.comm.send((i, func(arg)), dest=0, tag=self.WORK)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("numbers", type=int, nargs="*", default=[27, 97])
    ns = ap.parse_args()
    pool = Pool(MPI.COMM_WORLD)
    if pool.comm.rank == 0:
        out = pool.map(ns.numbers)
        print(dict(zip(ns.numbers, out)))
    else:
        pool.serve(collatz)


if __name__ == "__main__":
    main()
