import argparse

from mpi4py import MPI

from catchment import Catchment
from history import History
from parallel import RowBlocks


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--rows", type=int, default=64)
    ap.add_argument("--cols", type=int, default=48)
    ap.add_argument("--steps", type=int, default=60)
    ap.add_argument("--every", type=int, default=20)
    ap.add_argument("--out", default="catchment_out")
    args = ap.parse_args()

    blocks = RowBlocks(args.rows, args.cols, MPI.COMM_WORLD)
    model = Catchment(blocks)
    history = History(blocks, args.out)

    for step in range(1, args.steps + 1):
        model.advance()
        if step % args.every == 0:
            volume, peak = model.budget()
            history.note(step, volume, peak)
            history.snapshot(step, model.depth)
    history.close()


if __name__ == "__main__":
    main()
