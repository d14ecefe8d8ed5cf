from mpi4py import MPI
import worker
import protocol as p


def master(comm, numbers):
    todo = list(numbers)
    active = 0
    found = {}
    for w in range(1, comm.size):
        if todo:
            comm.send(todo.pop(), dest=w, tag=p.TAG_WORK)
            active += 1
        else:
            comm.send(None, dest=w, tag=p.TAG_STOP)
    status = MPI.Status()
    while active:
        n, factors = comm.recv(source=MPI.ANY_SOURCE, tag=p.TAG_RESULT, status=status)
        found[n] = factors
        who = status.Get_source()
        if todo:
            comm.send(todo.pop(), dest=who, tag=p.TAG_WORK)
        else:
            comm.send(None, dest=who, tag=p.TAG_STOP)
            active -= 1
    return found


if __name__ == "__main__":
    comm = MPI.COMM_WORLD
    numbers = range(1000, 1012)
    if comm.rank == 0:
        result = master(comm, numbers)
        for n in sorted(result):
            print(n, "=", " * ".join(map(str, result[n])))
        assert len(result) == len(numbers)
    else:
        done = worker.loop(comm)
