"""Wrong programs: collectives that some rank never enters."""

from __future__ import annotations

import signal

from .cases import Fault, ended_with, killed_by

MISSING = [
    Fault(
        "returned early, upper",
        """
        if rank != 1:
            comm.Barrier()  #@ but 1: JS108
        """,
        alone="hangs",
    ),
    Fault(
        "returned early, lower",
        """
        if rank != 1:
            comm.allgather(rank)  #@ but 1: JS108
        """,
        alone="hangs",
    ),
    Fault(
        "raised, upper",
        """
        if rank == 1:
            raise ValueError("no input for this rank")  #@ rank 1: JS108
        comm.Allreduce(small, space)  #@ but 1: JS108
        """,
        alone="hangs fails",
    ),
    Fault(
        "raised, lower",
        """
        if rank == 1:
            raise ValueError("no input for this rank")  #@ rank 1: JS108
        comm.allreduce(1)  #@ but 1: JS108
        """,
        alone="hangs fails",
    ),
    Fault(
        "exited",
        """
        if rank == 1:
            sys.exit(3)  #@ rank 1: JS108
        comm.Barrier()  #@ but 1: JS108
        """,
        alone="hangs fails",
        launcher=(3, 66 | 3),  # the rank keeps its code
    ),
    Fault(
        "exited with 0",
        """
        if rank == 1:
            sys.exit()  #@ rank 1: JS108
        comm.barrier()  #@ but 1: JS108
        """,
        alone="hangs fails",
    ),
    Fault(
        "exited without finalising",
        """
        comm.Allreduce(small, space)  #@ rank 1: JS108
        if rank == 1:
            time.sleep(0.5)
            os._exit(3)
        comm.Barrier()  #@ but 1: JS108
        """,
        alone="hangs fails",
        launcher=ended_with(3, 3),
    ),
    Fault(
        "exited without finalising, with 0",
        """
        comm.allreduce(1)  #@ rank 1: JS108
        if rank == 1:
            time.sleep(0.5)
            os._exit(0)
        comm.allgather(1)  #@ but 1: JS108
        """,
        alone={"openmpi": "fails", "mpich": "ends fails"},
        status=0,
        launcher=ended_with(1, 0),
    ),
    Fault(
        "killed, upper",
        """
        comm.Allreduce(small, space)  #@ rank 1: JS108
        if rank == 1:
            time.sleep(0.5)
            os.kill(os.getpid(), signal.SIGKILL)
        comm.Barrier()  #@ but 1: JS108
        """,
        alone="hangs fails",
        launcher=killed_by(signal.SIGKILL),
    ),
    Fault(
        "killed, lower",
        """
        comm.allreduce(1)  #@ rank 1: JS108
        if rank == 1:
            time.sleep(0.5)
            os.kill(os.getpid(), signal.SIGKILL)
        comm.allreduce(1)  #@ but 1: JS108
        """,
        alone="hangs fails",
        launcher=killed_by(signal.SIGKILL),
    ),
    Fault(
        "killed by a fault in memory",
        """
        comm.Allreduce(small, space)  #@ rank 1: JS108
        if rank == 1:
            time.sleep(0.5)
            os.kill(os.getpid(), signal.SIGSEGV)
        comm.Barrier()  #@ but 1: JS108
        """,
        alone="hangs fails",
        launcher=killed_by(signal.SIGSEGV),
    ),
    Fault(
        "killed by a fault in memory while the others compute",
        """
        comm.Allreduce(small, space)  #@ all: JS108
        if rank == 1:
            os.kill(os.getpid(), signal.SIGSEGV)
        time.sleep(3)
        comm.Barrier()
        """,
        alone="hangs fails",
        launcher=killed_by(signal.SIGSEGV),
    ),
    Fault(
        "left one iteration earlier",
        """
        for step in range(9 if rank == 1 else 10):
            comm.Allreduce(small, space)  #@ all: JS108
        """,
        alone="hangs",
    ),
    Fault(
        "Split not reached by one rank",
        """
        if rank != 1:
            comm.Split(0, rank)  #@ but 1: JS108
        """,
        alone="hangs",
    ),
    Fault(
        "Split while one rank waits elsewhere",
        """
        if rank == 1:
            comm.Recv(space, source=0, tag=7)  #@ rank 1: JS208
        else:
            comm.Split(0, rank)  #@ others: JS208
            if rank == 0:
                comm.Send(small, dest=1, tag=7)
        """,
        alone="hangs",
        codes=("JS201",),
    ),
    Fault(
        "non-blocking never matched",
        """
        if rank != 1:
            request = comm.Ibarrier()
            request.Wait()  #@ but 1: JS108
        """,
        alone="hangs",
    ),
    Fault(
        "collective against a receive",
        """
        if rank == 1:
            comm.recv(source=0)  #@ rank 1: JS208
            comm.barrier()
        else:
            comm.barrier()  #@ others: JS208
            if rank == 0:
                comm.send(1, dest=1)
        """,
        alone="hangs",
        codes=("JS201",),
    ),
    Fault(
        "used after free, upper",
        """
        mine = comm.Dup()
        view = MPI.Intracomm(mine)
        mine.Free()
        view.Barrier()  #@ all: JS301
        """,
        alone="fails",
    ),
    Fault(
        "used after free, lower",
        """
        mine = comm.Dup()
        view = MPI.Intracomm(mine)
        mine.Free()
        view.allreduce(1)  #@ all: JS301
        """,
        alone="fails",
    ),
]
