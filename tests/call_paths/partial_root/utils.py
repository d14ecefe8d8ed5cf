def broadcast(x, comm, root):
    return comm.bcast(x, root=root)


def gather_all(x, comm):
    return comm.allgather(x)
