"""Level-synchronous breadth first search, vertices spread round-robin.

    mpirun -n 4 python bfs.py --n 2000 --root 0
"""
import argparse

from mpi4py import MPI

from graph import serial_bfs, small_world


class ParallelBFS:
    def __init__(self, comm, adj):
        self.comm = comm
        self.rank = comm.Get_rank()
        self.size = comm.Get_size()
        self.adj = {v: ws for v, ws in adj.items() if self.owner(v) == self.rank}

    def owner(self, v):
        return v % self.size

    def exchange(self, frontier):
        """Send the neighbours of the frontier to their owners."""
        outbox = [set() for _ in range(self.size)]
        for v in frontier:
            for w in self.adj[v]:
                outbox[self.owner(w)].add(w)
        return self.comm.alltoall([sorted(s) for s in outbox])

    def search(self, root):
        dist = {}
        frontier = []
        if self.owner(root) == self.rank:
            dist[root] = 0
            frontier = [root]
        level = 0
        active = 1
        while active:
            level += 1
            found = set()
            for part in self.exchange(frontier):
                for w in part:
                    if w not in dist:
                        dist[w] = level
                        found.add(w)
            frontier = sorted(found)
            active = len(frontier)
        return dist


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--n", type=int, default=2000)
    ap.add_argument("--root", type=int, default=0)
    args = ap.parse_args()
    n = max(args.n, 3)
    root = args.root % n

    comm = MPI.COMM_WORLD
    adj = small_world(n)
    dist = ParallelBFS(comm, adj).search(root)

    far = comm.reduce(max(dist.values(), default=0), op=MPI.MAX, root=0)
    parts = comm.gather(dist, root=0)
    if comm.Get_rank() == 0:
        everything = {}
        for p in parts:
            everything.update(p)
        print(f"reached {len(everything)} of {n} vertices, eccentricity {far}")
        print("agrees with serial search:", everything == serial_bfs(adj, root))


if __name__ == "__main__":
    main()
