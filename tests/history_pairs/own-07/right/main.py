from mpi4py import MPI

from grid import Grid
from output import Output


def main():
    grid = Grid(MPI.COMM_WORLD, cells=120)
    output = Output(grid, "diffusion")
    for step in range(1, 41):
        grid.step(0.2)
        if step % 20 == 0:
            output.save(step)
    frames = output.frames()
    agreed = grid.everywhere(len(frames) == 2)
    if grid.is_root:
        print("frames:", frames, "seen by all:", agreed)


if __name__ == "__main__":
    main()
