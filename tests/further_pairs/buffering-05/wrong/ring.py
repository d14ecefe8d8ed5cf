def pass_on(comm, item):
    """Give item to the next rank, return the item of the previous one."""
    after = (comm.rank + 1) % comm.size
    before = (comm.rank - 1) % comm.size
    comm.send(item, dest=after, tag=77)
    return comm.recv(source=before, tag=77)
