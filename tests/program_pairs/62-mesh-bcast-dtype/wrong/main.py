# Laplace smoothing of an unstructured mesh: rank 0 reads, everybody smooths a share of the nodes
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()

NX, NY = 30, 20


def write_mesh(path):
    with open(path, 'w') as f:
        f.write('%d\n' % (NX * NY))
        for j in range(NY):
            for i in range(NX):
                f.write('%d %d\n' % (10 * i + (i * j) % 7, 10 * j + (3 * i + j) % 5))


def read_mesh(path):
    with open(path) as f:
        n = int(f.readline())
        rows = [line.split() for line in f]
    assert len(rows) == n
    return np.array([[int(a), int(b)] for a, b in rows])


def neighbours(k):
    i, j = k % NX, k // NX
    if i in (0, NX - 1) or j in (0, NY - 1):
        return [k]
    return [k - 1, k + 1, k - NX, k + NX]


if rank == 0:
    write_mesh('mesh.txt')
    points = read_mesh('mesh.txt')
    n = len(points)
else:
    points = None
    n = 0
n = comm.bcast(n, root=0)

if rank != 0:
    points = np.empty((n, 2))
comm.Bcast(points, root=0)

mine = range(rank, n, size)
for sweep in range(15):
    new = np.zeros_like(points)
    for k in mine:
        new[k] = points[neighbours(k)].mean(axis=0)
    comm.Allreduce(MPI.IN_PLACE, new, op=MPI.SUM)
    points = new

area = np.ptp(points[:, 0]) * np.ptp(points[:, 1])
areas = comm.gather(area, root=0)
if rank == 0:
    inner = points.reshape(NY, NX, 2)[1:-1, 1:-1]
    print('bounding boxes', areas)
    print('centre', inner.mean(axis=(0, 1)))
