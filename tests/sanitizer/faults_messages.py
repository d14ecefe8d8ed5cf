"""Wrong programs: messages that nobody sends, nobody takes, or everybody waits for."""

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
        comm.Isend(small, dest=right, tag=1)
        comm.Recv(space, source=left, tag=2)  #@ all: JS201
        """,
        alone="hangs",
        codes=("JS205", "JS303"),
    ),
    Fault(
        "message on another communicator",
        """
        other = comm.Dup()
        other.Isend(small, dest=right)
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

LEFT = [
    Fault(
        "receive from a rank that returned, upper",
        """
        if rank == 0:
            comm.Recv(space, source=1)  #@ rank 0: JS202
        """,
        alone="hangs",
    ),
    Fault(
        "receive from a rank that returned, lower",
        """
        if rank == 0:
            comm.recv(source=1)  #@ rank 0: JS202
        """,
        alone="hangs",
    ),
    Fault(
        "receive from a rank that raised",
        """
        if rank == 1:
            raise KeyError("mesh")  #@ rank 1: JS202
        if rank == 0:
            comm.recv(source=1)  #@ rank 0: JS202
        """,
        alone="hangs fails",
    ),
    Fault(
        "one message too few",
        """
        if rank == 0:
            for _ in range(3):
                comm.recv(source=1)  #@ rank 0: JS202
        elif rank == 1:
            for step in range(2):
                comm.send(step, dest=0)  #@ rank 1: JS202
        """,
        alone="hangs",
    ),
    Fault(
        "anybody, but nobody is left, upper",
        """
        if rank == 0:
            comm.Recv(space, source=MPI.ANY_SOURCE)  #@ rank 0: JS202
        """,
        alone="hangs",
    ),
    Fault(
        "anybody, but nobody is left, lower",
        """
        if rank == 0:
            comm.recv(source=MPI.ANY_SOURCE)  #@ rank 0: JS202
        """,
        alone="hangs",
    ),
    Fault(
        "synchronous send to a rank that returned",
        """
        if rank == 0:
            comm.Ssend(small, dest=1)  #@ rank 0: JS202
        """,
        alone="hangs",
    ),
    Fault(
        "large send to a rank that returned",
        """
        if rank == 0:
            comm.Send(large, dest=1)  #@ rank 0: JS202
        """,
        alone="hangs",
    ),
    Fault(
        "non-blocking receive never matched",
        """
        if rank == 0:
            request = comm.Irecv(space, source=1)
            request.Wait()  #@ rank 0: JS202
        """,
        alone="hangs",
    ),
    Fault(
        "tag nobody sends",
        """
        if rank == 0:
            comm.Recv(space, source=1, tag=2)  #@ rank 0: JS202
        elif rank == 1:
            comm.Send(small, dest=0, tag=1)  #@ rank 1: JS202
        """,
        alone="hangs",
        codes=("JS205",),
    ),
    Fault(
        "probe of a rank that returned",
        """
        if rank == 0:
            comm.Probe(source=1)  #@ rank 0: JS202
        """,
        alone="hangs",
    ),
    Fault(
        "matched probe of a rank that returned",
        """
        if rank == 0:
            comm.mprobe(source=1)  #@ rank 0: JS202
        """,
        alone="hangs",
    ),
]

CONTENT = [
    Fault(
        "message truncated",
        """
        if rank == 0:
            comm.Send(small, dest=1)  #@ rank 0: JS206
        elif rank == 1:
            comm.Recv(np.empty(2), source=0)  #@ rank 1: JS206
        """,
        alone="fails hangs",
    ),
    Fault(
        "message of another type",
        """
        if rank == 0:
            comm.Send(small, dest=1)  #@ rank 0: JS206
        elif rank == 1:
            comm.Recv(np.empty(4, np.int64), source=0)  #@ rank 1: JS206
        """,
        alone="ends",
    ),
    Fault(
        "message of another width",
        """
        if rank == 0:
            comm.Send(small, dest=1)  #@ rank 0: JS206
        elif rank == 1:
            comm.Recv(np.empty(8, np.float32), source=0)  #@ rank 1: JS206
        """,
        alone="ends",
    ),
]

WARNINGS = [
    Fault(
        "send-send small, upper",
        """
        comm.Send(small, dest=right)  #@ all: JS203
        comm.Recv(space, source=left)
        """,
        alone="ends",
        status=0,
    ),
    Fault(
        "send-send small, lower",
        """
        comm.send(1, dest=right)  #@ all: JS203
        comm.recv(source=left)
        """,
        alone="ends",
        status=0,
    ),
    Fault(
        "send-send small, as error",
        """
        comm.Send(small, dest=right)  #@ all: JS203
        comm.Recv(space, source=left)
        """,
        alone="ends",
        options={"buffering": "error"},
    ),
    Fault(
        "send-send small in a loop of right ones",
        """
        for _ in range(50):
            comm.Sendrecv(small, dest=right, recvbuf=space, source=left)
        comm.Send(small, dest=right)  #@ all: JS203
        comm.Recv(space, source=left)
        for _ in range(50):
            comm.Sendrecv(small, dest=right, recvbuf=space, source=left)
        """,
        alone="ends",
        status=0,
    ),
    Fault(
        "message never received",
        """
        if rank == 0:
            comm.Send(small, dest=1)  #@ rank 0: JS205
        """,
        alone="ends",
        status=0,
    ),
    Fault(
        "request never completed",
        """
        request = comm.Irecv(space, source=left)  #@ all: JS303
        comm.Barrier()
        """,
        alone="ends",
        status=0,
    ),
    Fault(
        "communicator never freed",
        """
        kept = [comm.Dup() for _ in range(3)]  #@ all: JS302
        kept[0].Barrier()
        """,
        alone="ends",
        status=0,
    ),
    Fault(
        "operators made at different places",
        """
        def add(a, b, kind):
            np.frombuffer(b)[:] += np.frombuffer(a)
        if rank == 0:
            mine = MPI.Op.Create(add, commute=True)
        else:
            mine = MPI.Op.Create(add, commute=True)
        comm.Allreduce(small, space, op=mine)  #@ all: JS111
        mine.Free()
        """,
        alone="ends fails",
        status=0,
    ),
]
