"""Conjugate gradients for a heated rod that drops the data broadcast by rank 0 and the requests of its messages.

``bcast`` returns the settings; if the result is dropped, every rank but the first has ``None``. ``Isend`` returns a
request that keeps the message's memory alive; if it is dropped, the memory may be reused before the message is sent.

    mpirun -n 4 timeout 60 python examples/mpi4py_buffers/wrong_lost.py
"""

import zlib

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()

MATERIALS = ("copper", "steel")


def settings() -> dict[str, float]:
    """The settings that rank 0 has read; equal on every rank afterwards."""
    found = {"points": 64.0, "tolerance": 1e-10} if rank == 0 else None
    comm.bcast(found, root=0)  #! JM201
    return found


def total(local: np.ndarray) -> np.ndarray:
    """The sum over all ranks, element by element."""
    result = np.empty_like(local)
    comm.Allreduce([local, MPI.DOUBLE], [result, MPI.DOUBLE], op=MPI.SUM)
    return result


def second_difference(piece: np.ndarray) -> np.ndarray:
    """Minus the second difference of the rod's temperature; both ends of the rod are held at zero."""
    extended = np.zeros(piece.size + 2)
    extended[1:-1] = piece
    left = rank - 1 if rank > 0 else MPI.PROC_NULL
    right = rank + 1 if rank < size - 1 else MPI.PROC_NULL
    comm.Isend(piece[:1].copy(), dest=left)  #! JM301
    comm.Isend(piece[-1:].copy(), dest=right)  #! JM301
    comm.Recv(extended[:1], source=left)
    comm.Recv(extended[-1:], source=right)
    return 2.0 * extended[1:-1] - extended[:-2] - extended[2:]


def solve(source: np.ndarray, tolerance: float) -> tuple[np.ndarray, int]:
    """Conjugate gradients; the scalar products are equal on every rank, and so is the number of iterations."""
    solution, residual = np.zeros_like(source), source.copy()
    direction, iterations = source.copy(), 0
    norm = total(np.array([residual @ residual]))[0]
    while norm > tolerance:
        product = second_difference(direction)
        step = norm / total(np.array([direction @ product]))[0]
        solution += step * direction
        residual -= step * product
        previous, norm = norm, total(np.array([residual @ residual]))[0]
        direction = residual + norm / previous * direction
        iterations += 1
    return solution, iterations


def main() -> None:
    """Solve, and print how many ranks work on each material; ranks of one material share a communicator."""
    chosen = settings()
    source = np.full(int(chosen["points"]) // size, 1e-3)  #! JM103
    solution, iterations = solve(source, chosen["tolerance"])
    error = comm.allreduce(float(np.abs(second_difference(solution) - source).max()), op=MPI.MAX)

    material = MATERIALS[rank * len(MATERIALS) // size]
    group = comm.Split(color=zlib.crc32(material.encode()) & 0x7FFFFFFF, key=rank)
    if rank == 0:
        print(
            f"{size} ranks, {iterations} iterations, residual below 1e-5: {error < 1e-5}, "
            f"{group.Get_size()} on {material}"
        )
    group.Free()


if __name__ == "__main__":
    main()
