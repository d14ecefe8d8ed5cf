"""Build the mosaic of one slide and print the mean of each tile."""
from mpi4py import MPI

from tilestream.layout import Layout
from tilestream.mosaic import build_mosaic


def main():
    comm = MPI.COMM_WORLD
    layout = Layout()
    mosaic = build_mosaic(comm, layout)
    if mosaic is not None:
        for row in range(layout.rows):
            means = [mosaic[layout.window(row * layout.cols + col)].mean()
                     for col in range(layout.cols)]
            print(" ".join(f"{mean:6.3f}" for mean in means))


if __name__ == "__main__":
    main()
