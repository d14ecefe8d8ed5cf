"""Wrong programs: collectives that all ranks enter, but not alike."""

from __future__ import annotations

from .cases import Fault

# What comes of them without the sanitizer, where it differs, and why. A rank that gets more than it has room for raises
# an exception; where all ranks notice, the job fails. Where one is left that waits (Open MPI on four ranks), the others
# wait for it at their exit. MPICH aborts the job at once if the reduction itself notices. Small messages are buffered,
# so that a wrong root or kind often only gives wrong numbers, which the next call may or may not notice: that depends
# on the algorithm that a library takes for so many ranks.
MATCHING = [
    Fault(
        "reduction operator, upper",
        """
        if rank == 1:
            comm.Allreduce(small, space, op=MPI.MAX)  #@ rank 1: JS104
        else:
            comm.Allreduce(small, space, op=MPI.SUM)  #@ others: JS104
        """,
        alone="ends",
    ),
    Fault(
        "reduction operator, lower",
        """
        if rank == 1:
            comm.allreduce(rank, op=MPI.MAX)  #@ rank 1: JS104
        else:
            comm.allreduce(rank, op=MPI.SUM)  #@ others: JS104
        """,
        alone="ends",
    ),
    Fault(
        "reduction operator of a scan",
        """
        comm.Scan(small, space, op=MPI.PROD if rank == 0 else MPI.SUM)  #@ all: JS104
        """,
        alone="ends",
    ),
    Fault(
        "type of equal width",
        """
        kind = np.int64 if rank == 1 else np.float64
        comm.Allreduce(np.ones(4, kind), np.empty(4, kind))  #@ all: JS106
        """,
        alone="ends",
    ),
    Fault(
        "type of equal width in a broadcast",
        """
        comm.Bcast(np.ones(4, np.int64 if rank == 1 else np.float64), root=0)  #@ all: JS106
        """,
        alone="ends",
    ),
    Fault(
        "type of other width, equal bytes",
        """
        kind, count = (np.float32, 8) if rank == 1 else (np.float64, 4)
        comm.Allreduce(np.ones(count, kind), np.empty(count, kind))  #@ all: JS106
        """,
        alone="ends",
    ),
    Fault(
        "type of other width, equal count",
        """
        kind = np.float32 if rank == 1 else np.float64
        comm.Allreduce(np.ones(4, kind), np.empty(4, kind))  #@ all: JS106
        """,
        alone={"openmpi 2": "fails", "openmpi 4": "hangs", "mpich": "fails"},
    ),
    Fault(
        "count small",
        """
        count = 5 if rank == 1 else 4
        comm.Allreduce(np.ones(count), np.empty(count))  #@ all: JS105
        """,
        alone={"openmpi 2": "fails", "openmpi 4": "hangs", "mpich": "fails"},
    ),
    Fault(
        "count large",
        """
        count = 100_001 if rank == 1 else 100_000
        comm.Allreduce(np.ones(count), np.empty(count))  #@ all: JS105
        """,
        alone={"openmpi 2": "fails", "openmpi 4": "hangs", "mpich": "fails"},
    ),
    Fault(
        "count of a broadcast",
        """
        comm.Bcast(np.ones(3 if rank == 1 else 4), root=0)  #@ all: JS105
        """,
        alone={"openmpi 2": "fails", "openmpi 4": "hangs", "mpich": "fails"},
    ),
    Fault(
        "count, behind the handle of an earlier datatype",
        """
        def told(doubles):
            made = MPI.DOUBLE.Create_contiguous(doubles).Commit()
            for _ in range(3):
                comm.Bcast([small, 1, made], root=0)  #@ all: JS105
            made.Free()

        told(2)
        told(3 if rank == 1 else 2)
        """,
        alone={"openmpi 2": "ends", "openmpi 4": "fails", "mpich": "fails"},
    ),
    Fault(
        "root small, upper",
        """
        comm.Bcast(small, root=1 if rank == 1 else 0)  #@ all: JS103
        """,
        alone="ends",
    ),
    Fault(
        "root small, lower",
        """
        comm.bcast("x", root=1 if rank == 1 else 0)  #@ all: JS103
        """,
        alone="ends",
    ),
    Fault(
        "root large, upper",
        """
        comm.Bcast(large, root=1 if rank == 1 else 0)  #@ all: JS103
        """,
        alone="hangs",
    ),
    Fault(
        "root large, lower",
        """
        comm.bcast(large, root=1 if rank == 1 else 0)  #@ all: JS103
        """,
        alone="hangs",
    ),
    Fault(
        "root of a reduction, upper",
        """
        comm.Reduce(small, space, root=1 if rank == 1 else 0)  #@ all: JS103
        """,
        alone="hangs",
    ),
    Fault(
        "root of a gather, lower",
        """
        comm.gather(rank, root=1 if rank == 1 else 0)  #@ all: JS103
        """,
        alone="hangs",
    ),
    Fault(
        "Allreduce against Bcast, upper",
        """
        if rank == 1:
            comm.Bcast(small, root=0)  #@ rank 1: JS101
        else:
            comm.Allreduce(small, space)  #@ others: JS101
        """,
        alone="hangs",
    ),
    Fault(
        "Allreduce against Bcast, lower",
        """
        if rank == 1:
            comm.bcast(1, root=0)  #@ rank 1: JS101
        else:
            comm.allreduce(1)  #@ others: JS101
        """,
        alone="hangs",
    ),
    Fault(
        "pickled against buffered",
        """
        if rank == 1:
            comm.bcast(None, root=0)  #@ rank 1: JS101
        else:
            comm.Bcast(small, root=0)  #@ others: JS101
        """,
        alone={"openmpi 2": "fails", "openmpi 4": "hangs", "mpich": "fails"},
        codes=("JS106", "JS105", "JS109"),
    ),
    Fault(
        "order on one communicator, upper",
        """
        if rank == 1:
            comm.Bcast(small, root=0)  #@ rank 1: JS101
            comm.Barrier()
        else:
            comm.Barrier()  #@ others: JS101
            comm.Bcast(small, root=0)
        """,
        alone="hangs",
    ),
    Fault(
        "order on one communicator, lower",
        """
        if rank == 1:
            comm.bcast(1, root=0)  #@ rank 1: JS101
            comm.allgather(1)
        else:
            comm.allgather(1)  #@ others: JS101
            comm.bcast(1, root=0)
        """,
        alone="hangs",
    ),
    Fault(
        "order after many right ones",
        """
        for _ in range(300):
            comm.Allreduce(small, space)
        if rank == 0:
            comm.Barrier()  #@ rank 0: JS101
        comm.Allreduce(small, space)  #@ others: JS101
        """,
        alone="hangs",
    ),
    Fault(
        "crossed order on two, upper",
        """
        other = comm.Dup()
        if rank == 1:
            other.Allreduce(small, space)  #@ rank 1: JS207
            comm.Allreduce(small, space)
        else:
            comm.Allreduce(small, space)  #@ others: JS207
            other.Allreduce(small, space)
        """,
        alone="hangs",
    ),
    Fault(
        "crossed order on two, lower",
        """
        other = comm.Dup()
        if rank == 1:
            other.allreduce(1)  #@ rank 1: JS207
            comm.allreduce(1)
        else:
            comm.allreduce(1)  #@ others: JS207
            other.allreduce(1)
        """,
        alone="hangs",
    ),
    Fault(
        "blocking against non-blocking",
        """
        if rank == 1:
            comm.Iallreduce(small, space).Wait()  #@ rank 1: JS102
        else:
            comm.Allreduce(small, space)  #@ others: JS102
        """,
        alone="hangs",
    ),
    Fault(
        "Barrier against Ibarrier",
        """
        if rank == 1:
            comm.Ibarrier().Wait()  #@ rank 1: JS102
        else:
            comm.Barrier()  #@ others: JS102
        """,
        alone="hangs",
    ),
    Fault(
        "non-blocking kinds",
        """
        request = comm.Ibarrier() if rank == 1 else comm.Iallreduce(small, space)  #@ all: JS101
        request.Wait()
        """,
        alone={"openmpi 2": "fails", "openmpi 4": "hangs", "mpich 2": "ends", "mpich 4": "hangs"},
    ),
    Fault(
        "in place on one rank of an alltoall",
        """
        data = np.arange(size, dtype=float)
        comm.Alltoall(MPI.IN_PLACE if rank == 1 else data.copy(), data)  #@ all: JS107
        """,
        alone={"openmpi": "ends", "mpich": "hangs"},
    ),
    Fault(
        "part of a gather",
        """
        mine = np.ones(3 if rank == 1 else 2)
        everything = np.empty(2 * size)
        comm.Gatherv(mine, [everything, [2] * size] if rank == 0 else None, root=0)  #@ 0 1: JS110
        """,
        alone="fails",
    ),
    Fault(
        "part of an alltoall",
        """
        send = [3 if rank == 1 and peer == 0 else 2 for peer in range(size)]
        comm.Alltoallv([np.ones(sum(send)), send], [np.empty(2 * size), [2] * size])  #@ 0 1: JS110
        """,
        alone="fails",
    ),
    Fault(
        "part of an allgather",
        """
        counts = [2] * size
        counts[0] = 3 if rank == 1 else 2
        comm.Allgatherv(np.ones(2), [np.empty(sum(counts)), counts])  #@ all: JS110
        """,
        alone="ends",
        codes=("JS105",),
    ),
    Fault(
        "persistent collective's root",
        """
        request = comm.Bcast_init(small, root=1 if rank == 1 else 0)  #@ all: JS103
        request.Start()
        request.Wait()
        """,
        alone="ends",
    ),
    Fault(
        "neighbourhood kinds",
        """
        ring = comm.Create_cart([size], periods=[True])
        if rank == 1:
            ring.Neighbor_allgather(small, np.empty(8))  #@ rank 1: JS101
        else:
            ring.Neighbor_alltoall(np.ones(2), np.empty(2))  #@ others: JS101
        """,
        alone={"openmpi": "fails", "mpich": "ends"},
    ),
    Fault(
        "dimensions of a grid",
        """
        comm.Create_cart([1, size] if rank == 1 else [size, 1])  #@ all: JS109
        """,
        alone="ends",
    ),
    Fault(
        "access mode of a file",
        """
        name = "data.bin"
        mode = MPI.MODE_CREATE | (MPI.MODE_RDWR if rank == 1 else MPI.MODE_WRONLY)
        MPI.File.Open(comm, name, mode)  #@ all: JS109
        """,
        alone={"openmpi": "ends", "mpich": "fails"},
    ),
    Fault(
        "root on the sub-communicator",
        """
        half = comm.Split(rank % 2 if size > 2 else 0, rank)
        if size == 2:
            half.Bcast(small, root=rank)  #@ 0 1: JS103
        elif rank % 2 == 0:
            half.Bcast(small, root=half.rank)
        else:
            half.Bcast(small, root=0)
        """,
        alone="ends",
        ranks=(2,),
    ),
    Fault(
        "overtaken by a root far ahead",
        """
        if rank == 1:
            time.sleep(1)
        for turn in range(400):
            buffer = np.ones(5 if rank == 1 and turn == 10 else 4)
            comm.Bcast(buffer, root=0)  #@ all: JS105
        """,
        # Rank 1 has more room than it needs; on four ranks it passes on more than rank 3 has room for.
        alone={"openmpi 2": "ends", "openmpi 4": "fails", "mpich": "hangs"},
        codes=("JS112",),
    ),
    Fault(
        "different windows",
        """
        if rank == 1:
            comm.Barrier()  #@ rank 1: JS101
        else:
            MPI.Win.Create(small, comm=comm)  #@ others: JS101
        """,
        alone="hangs",
    ),
    Fault(
        "another constructor",
        """
        if rank == 1:
            comm.Dup()  #@ rank 1: JS101
        else:
            comm.Split(0, rank)  #@ others: JS101
        """,
        alone="hangs",
    ),
    Fault(
        "inside a function, a method and a comprehension",
        """
        class Field:
            def norm(self, op):
                return [comm.allreduce(1.0, op=op) for _ in range(1)][0]  #@ all: JS104
        Field().norm(MPI.MAX if rank == 1 else MPI.SUM)
        """,
        alone="ends",
    ),
]
