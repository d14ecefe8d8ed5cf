# 2D FFT with slab decomposition: FFT along rows, global transpose,
# FFT along the other axis, transpose back. Compares with numpy on rank 0.
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()

N = 120            # divisible by 1, 2, 3, 4
assert N % size == 0, "N must be a multiple of the number of processes"
nloc = N // size


def global_transpose(slab):
    """slab: (nloc, N) rows of the matrix -> (nloc, N) rows of its transpose."""
    # columns first, so that what goes to rank r lies in one piece
    send = np.array(slab.T)                      # (N, nloc)
    recv = np.empty((size, nloc, nloc), dtype=slab.dtype)
    comm.Alltoall(send, recv)
    # recv[r] holds my columns of the rows of rank r
    out = np.empty((nloc, N), dtype=slab.dtype)
    for r in range(size):
        out[:, r * nloc:(r + 1) * nloc] = recv[r]
    return out


def pfft2(slab):
    work = np.fft.fft(slab, axis=1)
    work = global_transpose(work)
    work = np.fft.fft(work, axis=1)
    return global_transpose(work)


def pifft2(slab):
    work = np.fft.ifft(slab, axis=1)
    work = global_transpose(work)
    work = np.fft.ifft(work, axis=1)
    return global_transpose(work)


# test field, every rank makes its own rows
y = np.arange(rank * nloc, (rank + 1) * nloc)[:, None] / N
x = np.arange(N)[None, :] / N
field = np.exp(np.sin(2 * np.pi * x)) * np.cos(4 * np.pi * (y + 0.3 * x)) + y
field = field.astype(complex)

t0 = MPI.Wtime()
spec = pfft2(field)
t1 = MPI.Wtime()

full_field = np.empty((N, N), dtype=complex) if rank == 0 else None
full_spec = np.empty((N, N), dtype=complex) if rank == 0 else None
comm.Gather(field, full_field, root=0)
comm.Gather(spec, full_spec, root=0)

if rank == 0:
    ref = np.fft.fft2(full_field)
    err = np.abs(ref - full_spec).max() / np.abs(ref).max()
    print("time    : %.4f s" % (t1 - t0))
    print("fft2 vs numpy, rel. error: %.3e" % err)

# low-pass filter and back
kx = np.fft.fftfreq(N, 1.0 / N)
ky = kx[rank * nloc:(rank + 1) * nloc]
mask = (kx[None, :] ** 2 + ky[:, None] ** 2) < 30 ** 2
smooth = pifft2(spec * mask).real

mean = comm.allreduce(smooth.sum(), op=MPI.SUM) / N ** 2
mean0 = comm.allreduce(field.real.sum(), op=MPI.SUM) / N ** 2
if rank == 0:
    print("mean before %.10f after %.10f" % (mean0, mean))
    print("OK" if err < 1e-12 and abs(mean - mean0) < 1e-10 else "WRONG RESULT")
