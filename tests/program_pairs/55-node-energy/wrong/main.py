import numpy as np
from mpi4py import MPI

from meter import NodeMeter
from topology import NodeLayout


def workload(rank, rounds=5):
    rng = np.random.default_rng(rank)
    a = rng.normal(size=(80, 80))
    for _ in range(rounds):
        a = np.tanh(a @ a.T / 80) + np.eye(80)
    return float(np.trace(a))


def main():
    comm = MPI.COMM_WORLD
    layout = NodeLayout(comm)
    meter = NodeMeter()

    trace = comm.allreduce(workload(comm.rank))
    work_here = layout.node.allreduce(10)
    meter.advance(work_here)

    joules = None
    if layout.is_leader:
        joules = layout.leaders.reduce(meter.joules(), root=0)
    nodes = layout.num_nodes
    if comm.rank == 0:
        ranks_per_node = comm.size / nodes
        print(f"{nodes} node(s), {ranks_per_node:.1f} ranks each")
        print(f"checksum {trace:.6f}")
        print(f"total energy {joules:.2f} J")
    layout.free()


if __name__ == "__main__":
    main()
