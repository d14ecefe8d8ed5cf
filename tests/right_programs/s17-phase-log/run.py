import shutil
import tempfile
from pathlib import Path

import numpy as np
from mpi4py import MPI

from cache import cached_on_disk
from journal import Journal, phase

comm = MPI.COMM_WORLD
folder = None


class MissingPart(LookupError):
    pass


@cached_on_disk(lambda: folder, comm)
def spectrum(n, scale):
    rows = np.arange(n)[comm.rank::comm.size]
    mine = np.zeros(n)
    mine[rows] = scale * np.sin(rows + 1.0)
    total = np.empty(n)
    comm.Allreduce(mine, total)
    return total


@phase("write")
def write_parts(values):
    np.save(folder / f"part{comm.rank}.npy", values[comm.rank::comm.size])
    if comm.rank == 0:
        (folder / "manifest.txt").write_text("\n".join(f"part{r}.npy" for r in range(comm.size)))


@phase("read")
def read_parts(n):
    whole = np.empty(n)
    names = (folder / "manifest.txt").read_text().split()
    for k, name in enumerate(names):
        whole[k::len(names)] = np.load(folder / name)
    return whole


@phase("probe", expect=MissingPart)
def probe(name):
    if not (folder / name).exists():
        raise MissingPart(name)
    return "present"


def main():
    global folder
    made = tempfile.mkdtemp() if comm.rank == 0 else None
    folder = Path(comm.bcast(made, root=0))
    try:
        for params in ({"n": 20, "scale": 2.0}, {"n": 9, "scale": 1.0}, {"scale": 2.0, "n": 20}):
            values = spectrum(**params)
            assert np.allclose(values, params["scale"] * np.sin(np.arange(params["n"]) + 1.0))
        assert spectrum.hits == 1
        write_parts(values)
        assert np.array_equal(read_parts(len(values)), values)
        assert probe("part0.npy") == "present" and probe("part99.npy") is None

        outcome = "fine"
        try:
            with phase("solo", expect=MissingPart):
                if comm.rank == comm.size - 1:
                    raise MissingPart("only here")
        except RuntimeError:
            outcome = "told"
        outcomes = comm.allgather(outcome)
        assert outcomes == ["told"] * (comm.size - 1) + ["fine"]
        journal = Journal()
        assert len(journal) == (5 if comm.rank == 0 else 0)
        if comm.rank == 0:
            print(*journal.lines, sep="\n")
    finally:
        comm.Barrier()
        if comm.rank == 0:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
