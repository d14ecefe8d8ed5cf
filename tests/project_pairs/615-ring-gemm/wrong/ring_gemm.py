import numpy as np
from mpi4py import MPI

# C = A * B, 1D ring algorithm.
# A and C are distributed by rows, B by rows too; the B panel travels round the ring.

comm = MPI.COMM_WORLD
p = comm.Get_size()
me = comm.Get_rank()

nb = 240                 # panel height per process
n = nb * p
right = (me + 1) % p
left = (me - 1 + p) % p

rng = np.random.default_rng(100 + me)
A = rng.standard_normal((nb, n))
B = rng.standard_normal((nb, n))
C = np.zeros((nb, n))

B_own = B.copy()

comm.Barrier()
t0 = MPI.Wtime()
t_comm = 0.0

for stage in range(p):
    # whose panel do we hold?
    src = (me - stage) % p
    C += A[:, src * nb:(src + 1) * nb] @ B

    if stage < p - 1:
        t1 = MPI.Wtime()
        B_next = np.empty_like(B)
        comm.Send(B, dest=right)
        comm.Recv(B_next, source=left)
        B = B_next
        t_comm += MPI.Wtime() - t1

elapsed = MPI.Wtime() - t0

# check one random vector:  C x  against  A (B x)
x = np.zeros(n)
if me == 0:
    x[:] = np.random.default_rng(1).standard_normal(n)
comm.Bcast(x, root=0)

Bx = np.empty(n)
comm.Allgather(B_own @ x, Bx)
err = np.abs(C @ x - A @ Bx).max()
err = comm.allreduce(err, op=MPI.MAX)

slowest = comm.reduce(elapsed, op=MPI.MAX, root=0)
waiting = comm.reduce(t_comm, op=MPI.MAX, root=0)

if me == 0:
    gflops = 2.0 * n ** 3 / slowest / 1e9
    print("n = %d on %d processes" % (n, p))
    print("time %.3f s (communication %.3f s), %.2f GFlop/s" % (slowest, waiting, gflops))
    print("max error %.2e %s" % (err, "OK" if err < 1e-8 else "FAILED"))
