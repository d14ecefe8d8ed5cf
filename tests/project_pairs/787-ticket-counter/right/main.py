"""Potential energy of a Plummer sphere with dynamic load balancing."""
import argparse

from mpi4py import MPI

from bodies import Tiles, plummer, tile_energy
from tickets import TicketCounter


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("-n", type=int, default=600)
    ap.add_argument("--edge", type=int, default=10)
    ap.add_argument("--seed", type=int, default=11)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    pos = plummer(args.n, args.seed)
    tiles = Tiles(args.n, args.edge)

    energy, done = 0.0, 0
    with TicketCounter(comm, len(tiles)) as tickets:
        for number in tickets:
            energy += tile_energy(pos, *tiles[number])
            done += 1

    shares = comm.gather(done, root=0)
    total = comm.reduce(energy, op=MPI.SUM, root=0)
    if comm.rank == 0:
        whole = tile_energy(pos, slice(0, args.n), slice(0, args.n))
        print(f"{sum(shares)} tiles done of {len(tiles)}")
        print(f"potential energy {total / args.n**2:.10f}, direct sum {whole / args.n**2:.10f}")
        print("PASS" if abs(total - whole) < 1e-8 * abs(whole) else "FAIL")


if __name__ == "__main__":
    main()
