"""
Mandelbrot set, horizontal strips.
Every process renders its strip, process 0 glues the picture together.
"""
import argparse
import numpy as np
import mpi4py.MPI as mpi

TAG_STRIP = 5


class Strip:
    def __init__(self, rank, size, height):
        self.y0 = height * rank // size
        self.y1 = height * (rank + 1) // size

    def __len__(self):
        return self.y1 - self.y0


class Renderer:
    def __init__(self, width, height, maxit):
        self.width, self.height, self.maxit = width, height, maxit
        self.re = np.linspace(-2.2, 0.8, width)
        self.im = np.linspace(-1.2, 0.9, height)

    def render(self, strip):
        c = self.re[None, :] + 1j * self.im[strip.y0:strip.y1, None]
        z = np.zeros_like(c)
        count = np.zeros(c.shape, dtype=np.int32)
        for _ in range(self.maxit):
            live = np.abs(z) <= 2.0
            if not live.any():
                break
            z[live] = z[live] ** 2 + c[live]
            count[live] += 1
        return count


class Assembler:
    def __init__(self, comm, width, height):
        self.comm = comm
        self.image = np.zeros((height, width), dtype=np.int32)
        self.height = height

    def place(self, rank, pixels):
        s = Strip(rank, self.comm.size, self.height)
        self.image[s.y0:s.y1] = pixels

    def receive_all(self):
        """strips come in whatever order the processes finish"""
        status = mpi.Status()
        for n in range(1, self.comm.size):
            pixels = self.comm.recv(source=mpi.ANY_SOURCE, tag=TAG_STRIP, status=status)
            self.place(n, pixels)
        return self.image


def checksum(image):
    w = np.arange(1, image.shape[0] + 1)
    return int((image.sum(axis=1) * w).sum())


def save_pgm(fn, image, maxit):
    g = 255 - (255 * image // maxit)
    with open(fn, "wb") as f:
        f.write(b"P5\n%d %d\n255\n" % (image.shape[1], image.shape[0]))
        f.write(g.astype(np.uint8).tobytes())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--width", type=int, default=300)
    parser.add_argument("--height", type=int, default=200)
    parser.add_argument("--maxit", type=int, default=150)
    parser.add_argument("--save")
    parser.add_argument("--no-check", action="store_true")
    opt = parser.parse_args()

    comm = mpi.COMM_WORLD
    me = comm.rank
    renderer = Renderer(opt.width, opt.height, opt.maxit)
    strip = Strip(me, comm.size, opt.height)
    t = mpi.Wtime()
    pixels = renderer.render(strip)
    t = mpi.Wtime() - t

    if me != 0:
        comm.send(pixels, dest=0, tag=TAG_STRIP)
    else:
        asm = Assembler(comm, opt.width, opt.height)
        asm.place(0, pixels)
        image = asm.receive_all()

    times = comm.gather(t, root=0)
    if me == 0:
        print("load imbalance %.2f" % (max(times) / (sum(times) / len(times))))
        print("checksum", checksum(image))
        if not opt.no_check:
            whole = renderer.render(Strip(0, 1, opt.height))
            print("identical to serial:", bool((whole == image).all()))
        if opt.save:
            save_pgm(opt.save, image, opt.maxit)


if __name__ == "__main__":
    main()
