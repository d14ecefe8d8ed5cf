"""Gray-Scott reaction-diffusion on a periodic grid, slabs of rows."""
import numpy as np
from mpi4py import MPI


def swap(comm, field, width):
    """Fill the ghost rows of field (width rows at either end)."""
    n = comm.Get_size()
    prev = (comm.Get_rank() - 1) % n
    nxt = (comm.Get_rank() + 1) % n
    send_up = np.ascontiguousarray(field[width:2 * width])
    send_down = np.ascontiguousarray(field[-2 * width:-width])
    recv_up = np.empty_like(send_up)
    recv_down = np.empty_like(send_down)
    comm.Send(send_up, dest=prev, tag=0)
    comm.Recv(recv_down, source=nxt, tag=0)
    comm.Send(send_down, dest=nxt, tag=1)
    comm.Recv(recv_up, source=prev, tag=1)
    field[:width] = recv_up
    field[-width:] = recv_down


def laplace(a):
    return (a[:-2] + a[2:] + np.roll(a, 1, 1)[1:-1] + np.roll(a, -1, 1)[1:-1]
            - 4 * a[1:-1])


def initial(comm, rows, cols):
    u = np.ones((rows + 2, cols))
    v = np.zeros_like(u)
    rng = np.random.default_rng(comm.Get_rank())
    mid = slice(rows // 2 - 2, rows // 2 + 3)
    centre = slice(cols // 2 - 20, cols // 2 + 20)
    u[mid, centre] = 0.5
    v[mid, centre] = 0.25 + 0.01 * rng.random((5, 40))
    return u, v


def run(comm, rows=16, cols=4096, steps=60, feed=0.035, kill=0.06):
    u, v = initial(comm, rows, cols)
    for step in range(steps):
        swap(comm, u, 1)
        swap(comm, v, 1)
        uvv = u[1:-1] * v[1:-1] ** 2
        du = 0.16 * laplace(u) - uvv + feed * (1 - u[1:-1])
        dv = 0.08 * laplace(v) + uvv - (feed + kill) * v[1:-1]
        u[1:-1] += du
        v[1:-1] += dv
    return u[1:-1], v[1:-1]


def main():
    comm = MPI.COMM_WORLD
    u, v = run(comm)
    total = comm.reduce(np.array([u.sum(), v.sum()]), root=0)
    if comm.Get_rank() == 0:
        print("sum u = %.4f, sum v = %.4f" % tuple(total))


if __name__ == "__main__":
    main()
