from mpi4py import MPI

def tree(system):
    return system.comm.allgather(system.name)

def n2(problem, outfile):
    if MPI.COMM_WORLD.rank != 0:
        return
    data = tree(problem.model)
    with open(outfile, "w") as f:
        f.write(str(data))
