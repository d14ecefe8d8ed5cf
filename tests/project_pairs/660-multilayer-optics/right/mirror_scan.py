import argparse

import numpy as np
from mpi4py import MPI

from groups import GroupLayout
from stack import Stack

TAG_BAND = 14


class BandScan:
    """One mirror design per group; wavelengths are divided within the group."""

    def __init__(self, layout, points):
        self.layout = layout
        self.comm = layout.group
        self.points = points

    def design(self):
        spec = None
        if self.layout.leads:
            spec = {"centre": 550.0 + 150.0 * self.layout.index,
                    "pairs": 6 + 2 * self.layout.index}
        return self.layout.share(spec)

    def run(self):
        spec = self.design()
        mirror = Stack(**spec)
        lam = np.linspace(0.7 * spec["centre"], 1.4 * spec["centre"], self.points)
        part = np.array_split(lam, self.comm.size)[self.comm.rank]
        pieces = self.comm.gather(mirror.reflectance(part), root=0)
        if pieces is None:
            return None
        r = np.concatenate(pieces)
        high = lam[r > 0.9]
        return dict(spec, peak=float(r.max()), lo=float(high.min()), hi=float(high.max()))


def main():
    ap = argparse.ArgumentParser(description="stop bands of quarter-wave mirrors")
    ap.add_argument("--groups", type=int, default=2)
    ap.add_argument("--points", type=int, default=4001)
    args = ap.parse_args()

    world = MPI.COMM_WORLD
    layout = GroupLayout(world, args.groups)
    band = BandScan(layout, args.points).run()
    layout.send_up(band, TAG_BAND)
    if world.rank == 0:
        for b in layout.collect_up(band, TAG_BAND):
            print(f"centre {b['centre']:6.1f} nm  pairs {b['pairs']:2d}  peak R {b['peak']:.5f}  "
                  f"R > 0.9 from {b['lo']:.1f} to {b['hi']:.1f} nm")
    layout.free()


if __name__ == "__main__":
    main()
