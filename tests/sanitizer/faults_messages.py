"""Wrong programs: messages that fit no receive, or are never received."""

from __future__ import annotations

import signal

from .cases import Fault, killed_by

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
        "receive from a rank that was killed",
        """
        if rank == 1:
            comm.send(1, dest=0)  #@ rank 1: JS202
            time.sleep(0.5)
            os.kill(os.getpid(), signal.SIGABRT)
        if rank == 0:
            comm.recv(source=1)
            comm.recv(source=1)  #@ rank 0: JS202
        """,
        alone="hangs fails",
        launcher=killed_by(signal.SIGABRT),
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
