import argparse

import numpy as np
from mpi4py import MPI

from channel import Channel, Tag
from scheduler import Foreman, Renderer


def write_pgm(path, img):
    data = np.clip(255 * img, 0, 255).astype(np.uint8)
    with open(path, "wb") as fh:
        fh.write(b"P5\n%d %d\n255\n" % data.shape[::-1])
        fh.write(data.tobytes())


def main():
    ap = argparse.ArgumentParser(description="render the spheres, tile by tile")
    ap.add_argument("--samples", type=int, default=4)
    ap.add_argument("--seed", type=int, default=3)
    ap.add_argument("--out", default="spheres.pgm")
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    if comm.Get_size() == 1:
        raise SystemExit("need one foreman and at least one renderer")
    stats = Channel(comm)
    if comm.Get_rank() == 0:
        image = Foreman(comm, args.samples, args.seed).run()
        write_pgm(args.out, image)
        for _ in stats.peers:
            done, who = stats.recv(tag=Tag.STATS)
            print(f"renderer {who}: {done} tiles")
        print(f"mean brightness {image.mean():.4f}")
    else:
        done = Renderer(comm).run()
        stats.send(done, 0, tag=Tag.STATS)


if __name__ == "__main__":
    main()
