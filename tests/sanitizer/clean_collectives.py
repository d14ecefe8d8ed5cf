"""Correct programs: collectives that look different and are not, or that are entered at very different times."""

from __future__ import annotations

from .cases import Clean

NOT_A_DIFFERENCE = [
    Clean(
        "names of one class and width",
        """
        names = [MPI.LONG, MPI.LONG_LONG, MPI.INT64_T, MPI.LONG]
        send, recv = np.ones(4, np.int64), np.empty(4, np.int64)
        comm.Allreduce([send, names[rank]], [recv, names[rank]])
        assert recv.tolist() == [size] * 4
        """,
    ),
    Clean(
        "bytes against a typed buffer of equal bytes",
        """
        buffer = np.full(4, float(rank))
        comm.Bcast([buffer, 32, MPI.BYTE] if rank == 1 else [buffer, MPI.DOUBLE], root=0)
        assert not buffer.any()
        """,
        notes=("JS000",),
    ),
    Clean(
        "the same handles for other things",
        """
        def tell(doubles, members, root):
            made, part = MPI.DOUBLE.Create_contiguous(doubles).Commit(), comm.Split(rank % members)
            add = MPI.Op.Create(lambda a, b, kind: None)
            for _ in range(3):
                comm.Bcast([small, 1, made], root=root)
                part.Bcast([small, 1 + rank % members, MPI.DOUBLE], root=0)
                comm.Reduce(small, space, op=add, root=root)
            for one in (made, part, add):
                one.Free()

        for turn in range(4):
            tell(1 + turn, 1 + turn % 2, turn % size)
        """,
    ),
    Clean(
        "zero elements of any type",
        """
        kind = np.int32 if rank == 1 else np.float64
        comm.Bcast(np.empty(0, kind), root=0)
        comm.Allreduce(np.empty(0, kind), np.empty(0, kind))
        """,
    ),
    Clean(
        "arguments that are ignored on that rank",
        """
        everything = np.empty(4 * size) if rank == 0 else np.empty(rank, np.int8)
        comm.Gather(small, everything if rank == 0 else None, root=0)
        comm.Scatter(np.ones(4 * size) if rank == 0 else None, space, root=0)
        comm.Reduce(small, everything[:4] if rank == 0 else None, root=0)
        comm.Gather(small, [everything, rank, MPI.BYTE] if rank else np.empty(4 * size), root=0)
        """,
    ),
    Clean(
        "in place at the root only",
        """
        everything = np.full(4 * size, 5.0)
        comm.Gather(MPI.IN_PLACE if rank == 0 else small, everything if rank == 0 else None, root=0)
        comm.Reduce(MPI.IN_PLACE if rank == 0 else small, space if rank == 0 else None, root=0)
        comm.Scatter(everything if rank == 0 else None, MPI.IN_PLACE if rank == 0 else space, root=0)
        comm.Gatherv(MPI.IN_PLACE if rank == 0 else small, [everything, [4] * size] if rank == 0 else None, root=0)
        """,
    ),
    Clean(
        "in place everywhere",
        """
        comm.Allreduce(MPI.IN_PLACE, small)
        comm.Allgather(MPI.IN_PLACE, np.empty(4 * size))
        comm.Alltoall(MPI.IN_PLACE, np.empty(4 * size))
        comm.Scan(MPI.IN_PLACE, small)
        comm.Reduce_scatter_block(MPI.IN_PLACE, np.ones(size))
        """,
    ),
    Clean(
        "operators and datatypes made in different number and order",
        """
        def add(a, b, kind):
            np.frombuffer(b)[:] += np.frombuffer(a)
        def make():
            return MPI.Op.Create(add, commute=True)
        more = [make() for _ in range(rank)]
        kinds = [MPI.DOUBLE.Create_contiguous(n + 1) for n in range(3)]
        if rank == 1:
            kinds.append(MPI.INT.Create_vector(2, 1, 3))
        mine, pair = make(), MPI.DOUBLE.Create_contiguous(2).Commit()
        comm.Allreduce(small, space, op=mine)
        comm.Bcast([small, 2, pair], root=0)
        for one in [*more, mine, *kinds, pair]:
            one.Free()
        """,
    ),
    Clean(
        "types built in different ways",
        """
        grid = np.ones((4, 4))
        column = MPI.DOUBLE.Create_vector(4, 1, 4).Commit()
        row = MPI.DOUBLE.Create_contiguous(4).Commit()
        two = MPI.DOUBLE.Create_indexed([2, 2], [0, 2]).Commit()
        comm.Bcast([grid, 1, column] if rank == 0 else [small, 4, MPI.DOUBLE] if rank == 1 else [small, 1, row], root=0)
        comm.Bcast([small, 1, two] if rank == 0 else [small, 1, row], root=0)
        struct = MPI.Datatype.Create_struct([1, 2], [0, 8], [MPI.INT64_T, MPI.DOUBLE]).Commit()
        mixed = np.zeros(3)
        comm.Bcast([mixed, 1, struct], root=0)
        wide = row.Create_resized(0, 64).Commit()
        comm.Bcast([np.empty(8), 1, wide] if rank == 1 else [small, 4, MPI.DOUBLE], root=0)
        for kind in (column, row, two, struct, wide):
            kind.Free()
        """,
    ),
    Clean(
        "freed in a different order",
        """
        first, second = comm.Dup(), comm.Dup()
        for one in (first, second) if rank == 0 else (second, first):
            one.Free()
        third = comm.Dup()
        third.Allreduce(small, space)
        third.Free()
        """,
    ),
    Clean(
        "counts of neighbours",
        """
        line = comm.Create_cart([size], periods=[False])
        degree = len([peer for peer in line.Shift(0, 1) if peer != MPI.PROC_NULL])
        line.Neighbor_allgather(small, np.empty(4 * 2))
        send = [1 if side == 0 else 1 for side in range(2)]
        line.Neighbor_alltoallv([np.ones(2), send], [np.empty(2), send])
        sources = [peer for peer in (rank - 1,) if peer >= 0]
        targets = [peer for peer in (rank + 1,) if peer < size]
        graph = comm.Create_dist_graph_adjacent(sources, targets)
        graph.Neighbor_alltoallv(
            [np.ones(rank + 1), [rank + 1] * len(targets)], [np.empty(rank + 1), [rank] * len(sources)]
        )
        graph.neighbor_allgather(rank)
        line.Free()
        graph.Free()
        """,
    ),
    Clean(
        "sizes of windows and files",
        """
        window = MPI.Win.Allocate(8 * (rank + 1), 8, comm=comm)
        window.Fence()
        window.Fence()
        window.Free()
        private = MPI.Win.Create(np.empty(rank), comm=comm)
        private.Free()
        handle = MPI.File.Open(comm, "data.bin", MPI.MODE_CREATE | MPI.MODE_RDWR)
        handle.Write_at_all(8 * rank * (rank + 1) // 2, np.ones(rank + 1))
        handle.Close()
        """,
    ),
    Clean(
        "a call that fails locally",
        """
        comm.Set_errhandler(MPI.ERRORS_RETURN)
        if rank == 1:
            try:
                comm.Bcast(small, root=size + 7)
            except MPI.Exception:
                pass
        comm.Bcast(small, root=0)
        comm.Allreduce(small, space)
        """,
    ),
    Clean(
        "v-collectives with differing parts",
        """
        counts = [peer + 1 for peer in range(size)]
        comm.Allgatherv(np.ones(rank + 1), [np.empty(sum(counts)), counts])
        comm.Gatherv(np.ones(rank + 1), [np.empty(sum(counts)), counts] if rank == 0 else None, root=0)
        comm.Scatterv([np.ones(sum(counts)), counts] if rank == 0 else None, np.empty(rank + 1), root=0)
        send = [rank * peer for peer in range(size)]
        comm.Alltoallv([np.ones(sum(send)), send], [np.empty(sum(send)), send])
        comm.Reduce_scatter(np.ones(sum(counts)), np.empty(rank + 1), counts)
        """,
    ),
    Clean(
        "Alltoallw with other types for each peer",
        """
        kinds = [MPI.DOUBLE if (rank + peer) % 2 else MPI.INT64_T for peer in range(size)]
        table = [[1] * size, [8 * peer for peer in range(size)], kinds]
        send, recv = bytearray(8 * size), bytearray(8 * size)
        comm.Alltoallw([send, table[0], table[1], kinds], [recv, table[0], table[1], kinds])
        """,
    ),
    Clean(
        "pickled objects of differing size",
        """
        thing = {"rank": rank, "load": "x" * (1000 * rank)}
        assert comm.bcast(thing if rank == 1 else None, root=1)["rank"] == 1
        comm.gather(thing, root=0)
        comm.allgather(thing)
        comm.scatter([thing] * size if rank == 0 else None, root=0)
        comm.alltoall([thing] * size)
        comm.reduce(rank, op=MPI.MAX, root=size - 1)
        assert comm.allreduce([rank], op=MPI.SUM) == list(range(size))
        comm.scan(rank)
        comm.exscan(rank)
        comm.barrier()
        assert comm.sendrecv(thing, dest=right, source=left)["rank"] == left
        """,
    ),
    Clean(
        "operators of Python in lower case",
        """
        comm.allreduce(rank, op=lambda a, b: a + b)
        comm.allreduce((rank, "x"), op=MPI.MINLOC)
        comm.reduce(rank, op=max, root=0)
        """,
    ),
]

ENTERED_APART = [
    Clean(
        "non-blocking in flight",
        """
        requests = [comm.Iallreduce(small, np.empty(4)) for _ in range(150)]
        requests += [comm.Ibarrier() for _ in range(150)]
        MPI.Request.Waitall(requests)
        """,
    ),
    Clean(
        "non-blocking drift",
        """
        if rank == 0:
            time.sleep(0.5)
        for _ in range(500):
            comm.Ibcast(small, root=1).Wait()
        comm.Barrier()
        """,
    ),
    Clean(
        "a root far ahead",
        """
        if rank == 1:
            time.sleep(1)
        for turn in range(400):
            comm.Bcast(small, root=0)
        """,
    ),
    Clean(
        "possible edges: a root that leaves first",
        """
        if rank == 0:
            comm.Bcast(small, root=0)
            comm.Send(small, dest=1)
        elif rank == 1:
            comm.Recv(space, source=0)
            comm.Bcast(small, root=0)
        else:
            comm.Bcast(small, root=0)
        """,
    ),
    Clean(
        "possible edges: contributors that leave first",
        """
        if rank == 0:
            comm.Recv(space, source=1)
            comm.Gather(small, np.empty(4 * size), root=0)
        else:
            comm.Gather(small, None, root=0)
            if rank == 1:
                comm.Send(small, dest=0)
        """,
    ),
    Clean(
        "persistent: starts are not ordered",
        """
        first, second = comm.Allreduce_init(small, space), comm.Bcast_init(np.ones(4), root=0)
        other = comm.Dup()
        third = other.Barrier_init()
        for turn in range(5):
            requests = [first, second, third]
            for request in requests:
                request.Start()
            MPI.Request.Waitall(requests[::-1] if rank == 1 else requests)
        for request in (first, second, third):
            request.Free()
        other.Free()
        """,
    ),
    Clean(
        "a long computation",
        """
        if rank == 1:
            end = time.monotonic() + 2.5
            while time.monotonic() < end:
                sum(range(1000))
        comm.Barrier()
        if rank == 0:
            time.sleep(2)
        comm.allreduce(1)
        """,
    ),
    Clean(
        "many collectives",
        """
        for _ in range(4_000):
            comm.Allreduce(small, space)
        """,
    ),
]
