import numpy as np
from mpi4py import MPI


def gram_block(rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    return np.exp(-((rows[:, None] - columns[None, :]) ** 2))


def timed_assembly(comm: MPI.Comm, n: int) -> tuple[float, float]:
    points = np.linspace(-2.0, 2.0, n)
    comm.Barrier()
    started = MPI.Wtime()
    if comm.rank == 0:
        print("assembling", n, "rows")
    block = gram_block(points[comm.rank::comm.size], points)
    trace = float(sum(block[i, comm.rank + i * comm.size] for i in range(len(block))))
    elapsed = MPI.Wtime() - started
    return comm.allreduce(trace), comm.allreduce(elapsed, op=MPI.MAX)


def main() -> None:
    comm = MPI.COMM_WORLD
    trace, slowest = timed_assembly(comm, 300)
    if comm.rank == 0:
        print(f"trace {trace:.1f}")
        print("took less than a minute:", slowest < 60.0)


if __name__ == "__main__":
    main()
