"""Look for a clique of K vertices; the start vertices are dealt out to the ranks."""
import sys

from mpi4py import MPI

from graph import extend, planted_graph

RESULT = 3


def search(adj, starts, k):
    for v in starts:
        found = extend(adj, [v], {u for u in adj[v] if u > v}, k)
        if found:
            return found
    return None


def check(adj, clique):
    return all(b in adj[a] for a in clique for b in clique if a != b)


def main(k=9, n=160):
    comm = MPI.COMM_WORLD
    rank = comm.rank
    adj = planted_graph(n, 0.25, 10, seed=5)
    starts = range(rank, n, comm.size)

    t0 = MPI.Wtime()
    mine = search(adj, starts, k)
    spent = MPI.Wtime() - t0

    if rank == 0:
        found = [mine] if mine else []
        times = [spent]
        for worker in range(1, comm.size):
            clique, t = comm.recv(source=worker, tag=RESULT)
            found.append(clique)
            times.append(t)
        if not found:
            print(f"no clique of {k} vertices")
            return 1
        best = min(found)
        print(f"clique {best}, valid: {check(adj, best)}")
        print(f"slowest search {max(times):.2f} s", file=sys.stderr)
    else:
        if mine:
            comm.send((mine, spent), dest=0, tag=RESULT)
    return 0


if __name__ == "__main__":
    sys.exit(main())
