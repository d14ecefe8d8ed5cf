from mpi4py import MPI
comm = MPI.COMM_WORLD
def f(steps, work, bad):
    for step in range(steps):
        x = work(step)
        if comm.rank == 0:
            if bad(x):
                break
        comm.Barrier()  #! JM102
def g(steps, work, bad):
    for step in range(steps):
        x = work(step)
        if comm.rank == 0 and bad(x):
            break
        comm.Barrier()  #! JM102
def h(x, bad):
    if comm.rank == 0:
        if bad(x):
            return
    comm.Barrier()  #! JM102
