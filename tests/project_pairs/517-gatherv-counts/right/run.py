import argparse

import numpy as np
from mpi4py import MPI

from radio.imager import ChannelPipeline, DirtyImager
from radio.layout import ChannelLayout
from radio.vis import Array, Sky


def options():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--channels", type=int, default=10)
    p.add_argument("--npix", type=int, default=32)
    p.add_argument("--cell", type=float, default=0.0015)
    p.add_argument("--f0", type=float, default=150e6)
    p.add_argument("--bandwidth", type=float, default=30e6)
    return p.parse_args()


def spectral_index(cube, freqs, pixel):
    flux = cube[:, pixel[0], pixel[1]]
    if np.any(flux <= 0):
        return float("nan")
    return float(np.polyfit(np.log(freqs), np.log(flux), 1)[0])


def main():
    opt = options()
    comm = MPI.COMM_WORLD
    freqs = opt.f0 + opt.bandwidth * np.arange(opt.channels) / opt.channels
    layout = ChannelLayout(comm, opt.channels)
    pipe = ChannelPipeline(Sky(), Array(), DirtyImager(opt.npix, opt.cell), opt.f0)

    images = np.empty((len(layout.mine), opt.npix, opt.npix))
    for k, ch in enumerate(layout.mine):
        images[k] = pipe.run(ch, freqs[ch])
    cube = layout.collect(images, (opt.npix, opt.npix))

    if cube is not None:
        peak = cube.reshape(opt.channels, -1).max(axis=1)
        centre = (opt.npix // 2, opt.npix // 2)
        print("peaks", np.round(peak, 3).tolist())
        print(f"spectral index at the centre {spectral_index(cube, freqs, centre):.3f}")


if __name__ == "__main__":
    main()
