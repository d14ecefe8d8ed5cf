from mpi4py import MPI
import protocol as p


def factorise(n):
    out, d = [], 2
    while d * d <= n:
        while n % d == 0:
            out.append(d)
            n //= d
        d += 1
    if n > 1:
        out.append(n)
    return out


def loop(comm):
    status = MPI.Status()
    count = 0
    while True:
        n = comm.recv(source=0, tag=MPI.ANY_TAG, status=status)
        if status.Get_tag() == p.TAG_STOP:
            return count
        comm.send((n, factorise(n)), dest=0, tag=p.TAG_WORK)
        count += 1
