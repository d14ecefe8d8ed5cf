"""Row-parallel local contrast enhancement of a grey-scale image."""
import numpy as np
from mpi4py import MPI


def synthetic_image(height, width):
    yy, xx = np.mgrid[0:height, 0:width]
    img = 120 + 60 * np.sin(xx / 9.0) + 40 * np.cos(yy / 5.0)
    img[height // 3: height // 2, width // 4: width // 2] += 30
    return img.astype(np.float64)


def row_layout(height, width, size):
    rows = np.full(size, height // size, dtype=int)
    rows[:height % size] += 1
    counts = rows * width
    displs = np.concatenate(([0], np.cumsum(rows)[:-1]))
    return rows, counts, displs


def smooth_rows(block, radius=3):
    kernel = np.ones(2 * radius + 1) / (2 * radius + 1)
    padded = np.pad(block, ((0, 0), (radius, radius)), mode="edge")
    return np.stack([np.convolve(r, kernel, mode="valid") for r in padded])


def enhance(block, amount=0.8):
    return np.clip(block + amount * (block - smooth_rows(block)), 0, 255)


def run(comm, height=97, width=64):
    rank, size = comm.Get_rank(), comm.Get_size()
    rows, counts, displs = row_layout(height, width, size)

    image = synthetic_image(height, width) if rank == 0 else None
    result = np.empty((height, width)) if rank == 0 else None

    block = np.empty((rows[rank], width))
    comm.Scatterv([image, counts, displs, MPI.DOUBLE], block, root=0)
    block = enhance(block)
    comm.Gatherv(block, [result, counts, displs, MPI.DOUBLE], root=0)
    return image, result


if __name__ == "__main__":
    world = MPI.COMM_WORLD
    before, after = run(world)
    if world.Get_rank() == 0:
        serial = enhance(before)
        print("mean %.4f -> %.4f" % (before.mean(), after.mean()))
        print("largest deviation from serial filter: %.3e" % np.abs(serial - after).max())
