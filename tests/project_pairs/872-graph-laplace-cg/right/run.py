import numpy as np
from mpi4py import MPI

from meshcg import (ConjugateGradient, JacobiPreconditioner, LocalMesh,
                    ShiftedLaplacian, build_grid_graph)


def solve(comm, graph, source, shift=0.05):
    mesh = LocalMesh(comm, graph)
    A = ShiftedLaplacian(mesh, shift)
    x, iterations = ConjugateGradient(A, JacobiPreconditioner(A)).solve(source[mesh.owned])
    pieces = comm.gather((mesh.owned, x), root=0)
    if comm.rank != 0:
        return None, iterations
    full = np.empty(graph.num_nodes)
    for nodes, values in pieces:
        full[nodes] = values
    return full, iterations


def main():
    comm = MPI.COMM_WORLD
    graph = build_grid_graph(24, 20)
    source = np.sin(graph.coords[:, 0] / 3.0) + 0.1 * graph.coords[:, 1]
    x, iterations = solve(comm, graph, source)
    if comm.rank == 0:
        reference, _ = solve(MPI.COMM_SELF, graph, source)
        error = np.linalg.norm(x - reference) / np.linalg.norm(reference)
        print(f"{iterations} iterations on {comm.size} ranks")
        print(f"sum of solution {x.sum():.8f}, expected {source.sum() / 0.05:.8f}")
        print(f"relative difference from one rank {error:.2e}")


if __name__ == "__main__":
    main()
