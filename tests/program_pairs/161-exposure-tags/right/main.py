"""Dark subtraction, flat fielding and photometry of one night of CCD exposures."""
import numpy as np
from mpi4py import MPI

SHAPE = (128, 128)
STARS = [(30, 40), (64, 64), (100, 20), (90, 110)]
N_EXPOSURES = 23


def read_night(seed=4):
    """Stand-in for the FITS files on the disk of the first node."""
    rng = np.random.default_rng(seed)
    flat = 1.0 + 0.05 * rng.standard_normal(SHAPE)
    yy, xx = np.mgrid[0:SHAPE[0], 0:SHAPE[1]]
    for i in range(N_EXPOSURES):
        sky = np.full(SHAPE, 200.0)
        for k, (y, x) in enumerate(STARS):
            flux = 5000.0 * (k + 1) * (1 + 0.1 * np.sin(0.6 * i + k))
            sky += flux * np.exp(-((yy - y) ** 2 + (xx - x) ** 2) / 8.0) / (8.0 * np.pi)
        yield rng.poisson(sky * flat + 50.0).astype(np.float32), flat


def photometry(image):
    fluxes = []
    for y, x in STARS:
        box = image[y - 8:y + 9, x - 8:x + 9]
        background = np.median(image)
        fluxes.append(float((box - background).sum()))
    return fluxes


class Pipeline:
    def __init__(self, comm):
        self.comm = comm
        self.flat = np.empty(SHAPE)
        self.light_curve = {}

    def calibrate(self, raw):
        return (raw - 50.0) / self.flat

    def distribute(self):
        """Rank 0 deals the exposures, keeps its own and yields them as well."""
        for number, (raw, flat) in enumerate(read_night()):
            if number == 0:
                self.flat[:] = flat
                self.comm.Bcast(self.flat, root=0)
            owner = number % self.comm.size
            if owner == 0:
                yield number, raw
            else:
                self.comm.Send(raw, dest=owner, tag=number)

    def receive(self):
        self.comm.Bcast(self.flat, root=0)
        mine = range(self.comm.rank, N_EXPOSURES, self.comm.size)
        raw = np.empty(SHAPE, dtype=np.float32)
        for number in mine:
            self.comm.Recv(raw, source=0, tag=number)
            yield number, raw

    def run(self):
        source = self.distribute() if self.comm.rank == 0 else self.receive()
        for number, raw in source:
            self.light_curve[number] = photometry(self.calibrate(raw))
        parts = self.comm.gather(self.light_curve, root=0)
        if self.comm.rank != 0:
            return None
        whole = {}
        for part in parts:
            whole.update(part)
        return np.array([whole[i] for i in range(N_EXPOSURES)])


def main():
    curve = Pipeline(MPI.COMM_WORLD).run()
    if curve is not None:
        for k, star in enumerate(STARS):
            mean = curve[:, k].mean()
            print(f"star at {star}: mean flux {mean:10.1f}, variability {curve[:, k].std() / mean:.4f}")


if __name__ == "__main__":
    main()
