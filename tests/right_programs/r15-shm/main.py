"""One table per node in shared memory, filled by the node leader with data
that the leaders obtain among themselves."""
import numpy as np
from mpi4py import MPI

from nodeshared import NodeComms, SharedTable

ROWS, COLS = 40, 12


def build_table():
    """Expensive; done by world rank 0 only."""
    r, c = np.mgrid[0:ROWS, 0:COLS]
    return np.log1p(r * COLS + c)


def main():
    comm = MPI.COMM_WORLD
    with NodeComms(comm) as nodes:
        table = SharedTable(nodes.node, (ROWS, COLS), np.float64)

        if nodes.is_leader:
            # leaders.rank 0 is world rank 0: keys follow the world ranks
            block = build_table() if nodes.leaders.Get_rank() == 0 else np.empty((ROWS, COLS))
            nodes.leaders.Bcast(block, root=0)
            table.array[:] = block
        table.publish()

        # everybody reads, nobody writes
        n = comm.size
        partial = sum(float(table.array[i].sum()) for i in range(comm.rank, ROWS, n))
        total = comm.allreduce(partial)
        assert np.isclose(total, build_table().sum())

        # second phase: every rank scales rows of its own, disjoint on the node
        table.publish()     # end of the reading phase
        k, m = nodes.node.Get_rank(), nodes.node.Get_size()
        table.array[k::m] *= 2.0
        table.publish()
        assert np.allclose(table.array, 2.0 * build_table())

        # hierarchical reduction: node first, then the leaders, then back
        local = np.array([float(comm.rank + 1)])
        on_node = np.zeros(1)
        nodes.node.Reduce(local, on_node, op=MPI.SUM, root=0)
        if nodes.is_leader:
            nodes.leaders.Allreduce(MPI.IN_PLACE, on_node, op=MPI.SUM)
        nodes.node.Bcast(on_node, root=0)
        assert on_node[0] == n * (n + 1) / 2

        if comm.rank == 0:
            print(f"{nodes.n_nodes} node(s), table sum {total:.6f}")
        table.free()


if __name__ == "__main__":
    main()
