# Radial distribution function g(r) from a trajectory, frames split over ranks
import argparse
import numpy as np
from mpi4py.MPI import COMM_WORLD as world


class Histogram:
    def __init__(self, rmax, nbins):
        self.edges = np.linspace(0, rmax, nbins + 1)
        self.counts = np.zeros(nbins)
        self.frames = 0

    @property
    def mid(self):
        return 0.5 * (self.edges[1:] + self.edges[:-1])

    def add_frame(self, pos, box):
        d = pos[:, None] - pos[None, :]
        d -= box * np.round(d / box)
        r = np.sqrt((d ** 2).sum(-1))[np.triu_indices(len(pos), 1)]
        self.counts += np.histogram(r, bins=self.edges)[0]
        self.frames += 1

    def __iadd__(self, other):
        self.counts += other.counts
        self.frames += other.frames
        return self

    def normalise(self, n, box):
        vol = 4 / 3 * np.pi * np.diff(self.edges ** 3)
        ideal = vol * n * (n - 1) / 2 / box ** 3
        return self.counts / ideal / max(self.frames, 1)


class Trajectory:
    """Hard-ish spheres: a jittered lattice, new jitter for every frame."""

    def __init__(self, n, box, nframes):
        self.n, self.box, self.nframes = n, box, nframes
        m = int(np.ceil(n ** (1 / 3)))
        g = (np.arange(m) + 0.5) * box / m
        self.sites = np.array(np.meshgrid(g, g, g)).reshape(3, -1).T[:n]

    def __getitem__(self, k):
        rng = np.random.default_rng(k)
        return (self.sites + 0.15 * rng.normal(size=self.sites.shape)) % self.box


def analyse(traj, hist, stride=1):
    for k in range(world.rank, traj.nframes, world.size * stride):
        hist.add_frame(traj[k], traj.box)
    return hist


def combine(hist):
    """collect the histograms of all ranks in the one of rank 0"""
    parts = world.gather(hist, root=0)
    if world.rank == 0:
        for h in parts:
            hist += h
    return hist


def first_peak(r, g):
    k = int(np.argmax(g))
    return r[k], g[k]


def write_table(fn, r, g):
    with open(fn, "w") as f:
        f.write("# r g(r)\n")
        for a, b in zip(r, g):
            f.write("%10.5f %10.5f\n" % (a, b))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--particles", type=int, default=300)
    ap.add_argument("--box", type=float, default=8.0)
    ap.add_argument("--frames", type=int, default=12)
    ap.add_argument("--bins", type=int, default=40)
    ap.add_argument("--out", default="rdf.dat")
    a = ap.parse_args()

    traj = Trajectory(a.particles, a.box, a.frames)
    hist = analyse(traj, Histogram(a.box / 2, a.bins))
    if world.size > 1:
        hist = combine(hist)
    if world.rank == 0:
        pairs = hist.counts.sum()
        g = hist.counts / a.frames / (4 / 3 * np.pi * np.diff(hist.edges ** 3)
                                      * a.particles * (a.particles - 1) / 2 / a.box ** 3)
        rp, gp = first_peak(hist.mid, g)
        write_table(a.out, hist.mid, g)
        print(f"{pairs:.0f} pairs counted, first peak at r = {rp:.3f}, g = {gp:.3f}")


if __name__ == "__main__":
    main()
