import numpy as np
from mpi4py import MPI

ROOT = 0


def make_catalogue(n: int) -> list[dict]:
    rng = np.random.default_rng(8)
    return [{"id": i, "flux": float(f)} for i, f in enumerate(rng.pareto(2.5, size=n))]


def bright(sources: list[dict], limit: float) -> list[int]:
    return [s["id"] for s in sources if s["flux"] > limit]


def main() -> None:
    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()

    if rank == ROOT:
        catalogue = make_catalogue(500)
        pieces = [catalogue[i::size] for i in range(size)]
        print("sources:", sum(len(piece) for piece in pieces))
    else:
        pieces = None
    mine = comm.scatter(pieces, root=ROOT)

    found = comm.gather(bright(mine, 1.0), root=ROOT)
    if rank == ROOT:
        merged = sorted(i for part in found for i in part)
        print("bright sources:", len(merged), "first:", merged[:3])


if __name__ == "__main__":
    main()
