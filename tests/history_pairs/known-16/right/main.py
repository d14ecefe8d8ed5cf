from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from mpi4py import MPI


@dataclass
class State:
    rank: int
    size: int
    step: int = 0
    folder: Path | None = None
    values: np.ndarray = field(default_factory=lambda: np.zeros(32))


def prepare(state: State) -> None:
    state.values[:] = np.sin(np.linspace(0, np.pi, 32) * (state.rank + 1))
    state.folder = Path("snapshots")
    state.folder.mkdir(exist_ok=True)
    if state.rank == 0:
        print("snapshots go to", state.folder)


def write_snapshot(state: State) -> Path:
    path = state.folder / f"field_{state.rank:03d}_{state.step:04d}.npy"
    np.save(path, state.values)
    return path


comm = MPI.COMM_WORLD
state = State(comm.rank, comm.size)
prepare(state)
comm.Barrier()

written = []
for step in range(1, 21):
    state.step = step
    state.values *= 0.95
    if state.step % 10 == 0:
        written.append(write_snapshot(state).name)

everything = comm.gather(written, root=0)
if comm.rank == 0:
    print("files:", sum(len(names) for names in everything))
