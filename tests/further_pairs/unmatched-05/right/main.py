import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size

CELLS = 64
density = np.zeros(CELLS + 1)
density[1:] = 1.0 + 0.5 * np.sin(0.1 * (rank * CELLS + np.arange(CELLS)))


def upwind_ghost(density):
    """Fill the left ghost cell from the rank to the left."""
    request = None
    if rank > 0:
        request = comm.Irecv(density[:1], source=rank - 1, tag=2)
    if rank < size - 1:
        comm.Send(density[-1:], dest=rank + 1, tag=2)
    if request is not None:
        request.Wait()


courant = 0.4
for step in range(20):
    upwind_ghost(density)
    if rank == 0:
        density[0] = 1.0
    density[1:] -= courant * np.diff(density)

mass = np.array(density[1:].sum())
total = np.array(0.0)
comm.Reduce(mass, total, op=MPI.SUM, root=0)
if rank == 0:
    print(f"mass {float(total):.6f}")
