from dataclasses import dataclass

import numpy as np
from mpi4py import MPI


@dataclass
class Task:
    index: int
    matrix: np.ndarray


def make_tasks(count: int, n: int = 120) -> list[Task]:
    rng = np.random.default_rng(5)
    return [Task(i, rng.standard_normal((n, n))) for i in range(count)]


def deal(comm: MPI.Comm, tasks: list[Task]) -> list[Task]:
    """Give each rank its share of the tasks of rank 0."""
    if comm.rank == 0:
        requests = []
        for dest in range(1, comm.size):
            requests.append(comm.isend(tasks[dest :: comm.size], dest=dest, tag=21))
        MPI.Request.waitall(requests)
        return tasks[:: comm.size]
    return comm.recv(source=0, tag=21)


def main() -> None:
    comm = MPI.COMM_WORLD
    tasks = make_tasks(10) if comm.rank == 0 else []
    mine = deal(comm, tasks)
    local = {task.index: float(np.linalg.norm(task.matrix, 2)) for task in mine}
    parts = comm.gather(local, root=0)
    if comm.rank == 0:
        merged = {k: v for part in parts for k, v in part.items()}
        print([round(merged[k], 4) for k in sorted(merged)])


if __name__ == "__main__":
    main()
