from mpi4py import MPI
def tree(p):
    return p.comm.allgather(3)
def n2(problem):
    if problem.comm.rank != 0:
        return
    tree(problem)  #! JM102
