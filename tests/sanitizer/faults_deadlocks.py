"""Wrong programs: ranks that wait for each other."""

from __future__ import annotations

from .cases import Fault

DEADLOCKS = [
    Fault(
        "receive-receive, upper",
        """
        comm.Recv(space, source=left)  #@ all: JS201
        comm.Send(small, dest=right)
        """,
        alone="hangs",
    ),
    Fault(
        "receive-receive, lower",
        """
        comm.recv(source=left)  #@ all: JS201
        comm.send(1, dest=right)
        """,
        alone="hangs",
    ),
    Fault(
        "two of four ranks",
        """
        if rank < 2:
            comm.Recv(space, source=1 - rank)  #@ 0 1: JS201
            comm.Send(small, dest=1 - rank)
        """,
        alone="hangs",
    ),
    Fault(
        "send-send large, upper",
        """
        comm.Send(large, dest=right)  #@ all: JS201
        comm.Recv(much, source=left)
        """,
        alone="hangs",
        codes=("JS203",),
    ),
    Fault(
        "send-send large, lower",
        """
        comm.send(large, dest=right)  #@ all: JS201
        comm.recv(source=left)
        """,
        alone="hangs",
        codes=("JS203",),
    ),
    Fault(
        "synchronous ring",
        """
        comm.Ssend(small, dest=right)  #@ all: JS201
        comm.Recv(space, source=left)
        """,
        alone="hangs",
    ),
    Fault(
        "synchronous ring, lower",
        """
        comm.ssend(1, dest=right)  #@ all: JS201
        comm.recv(source=left)
        """,
        alone="hangs",
    ),
    Fault(
        "ring with a request",
        """
        request = comm.Irecv(space, source=left)
        request.Wait()  #@ all: JS201
        comm.Send(small, dest=right)
        """,
        alone="hangs",
    ),
    Fault(
        "all of several requests",
        """
        requests = [comm.Irecv(space, source=left), comm.Irecv(np.empty(4), source=right, tag=1)]
        MPI.Request.Waitall(requests)  #@ all: JS201
        comm.Send(small, dest=right)
        """,
        alone="hangs",
    ),
    Fault(
        "any of several requests",
        """
        requests = [comm.Irecv(space, source=left), comm.Irecv(np.empty(4), source=right, tag=1)]
        MPI.Request.Waitany(requests)  #@ all: JS201
        comm.Send(small, dest=right)
        """,
        alone="hangs",
    ),
    Fault(
        "probe before send",
        """
        comm.Probe(source=left)  #@ all: JS201
        comm.Send(small, dest=right)
        """,
        alone="hangs",
    ),
    Fault(
        "message of another tag",
        """
        comm.Isend(small, dest=right, tag=1)  #@ all: JS201
        comm.Recv(space, source=left, tag=2)  #@ all: JS201
        """,
        alone="hangs",
        codes=("JS205", "JS303"),
    ),
    Fault(
        "message on another communicator",
        """
        other = comm.Dup()
        other.Isend(small, dest=right)  #@ all: JS201
        comm.Recv(space, source=left)  #@ all: JS201
        """,
        alone="hangs",
        codes=("JS205", "JS303", "JS302"),
    ),
    Fault(
        "every rank receives from anybody",
        """
        comm.recv(source=MPI.ANY_SOURCE)  #@ all: JS201
        comm.send(1, dest=right)
        """,
        alone="hangs",
    ),
    Fault(
        "Sendrecv in the wrong direction",
        """
        comm.Sendrecv(small, dest=right, recvbuf=space, source=right, sendtag=1, recvtag=2)  #@ all: JS201
        """,
        alone="hangs",
        codes=("JS205",),
    ),
    Fault(
        "cycle through a sub-communicator",
        """
        pair = comm.Split(rank // 2, rank)
        if rank == 0:
            pair.Recv(space, source=1)  #@ rank 0: JS201
            pair.Send(small, dest=1)
        elif rank == 1:
            pair.Recv(space, source=0)  #@ rank 1: JS201
            pair.Send(small, dest=0)
        """,
        alone="hangs",
        codes=("JS302",),
    ),
    Fault(
        "receive after many right messages",
        """
        for _ in range(2000):
            comm.Sendrecv(small, dest=right, recvbuf=space, source=left)
        comm.Recv(space, source=left)  #@ all: JS201
        comm.Send(small, dest=right)
        """,
        alone="hangs",
    ),
    Fault(
        "helper thread waits as well",
        """
        def serve():
            comm.Recv(np.empty(4), source=left, tag=5)  #@ all: JS201
        helper = threading.Thread(target=serve)
        helper.start()
        comm.Recv(space, source=left)  #@ all: JS201
        comm.Send(small, dest=right, tag=5)
        comm.Send(small, dest=right)
        helper.join()
        """,
        alone="hangs",
    ),
]
