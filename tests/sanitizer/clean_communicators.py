"""Correct programs: communicators made, used and freed in every way."""

from __future__ import annotations

from .cases import Clean

COMMUNICATORS = [
    Clean(
        "split into parts that go their own way",
        """
        part = comm.Split(rank % 2, -rank)
        for _ in range(1 + rank % 2):
            part.Barrier()
        if rank % 2:
            part.Allreduce(small, space)
        else:
            part.bcast(1, root=0)
        part.Free()
        comm.Barrier()
        """,
    ),
    Clean(
        "split with nothing for some",
        """
        part = comm.Split(MPI.UNDEFINED if rank == 0 else 1, rank)
        if rank:
            part.Allreduce(small, space)
            part.Free()
        twin = comm.Dup()
        twin.Barrier()
        twin.Free()
        """,
    ),
    Clean(
        "groups",
        """
        group = comm.Get_group().Incl(range(0, size, 2))
        if rank % 2 == 0:
            part = comm.Create_group(group, tag=3)
            part.Allreduce(small, space)
            part.Free()
        every = comm.Create(group)
        if rank % 2 == 0:
            every.barrier()
            every.Free()
        group.Free()
        """,
    ),
    Clean(
        "groups created again and again by some",
        """
        group = comm.Get_group().Incl([0, size - 1])
        for turn in range(3):
            if rank in (0, size - 1):
                part = comm.Create_group(group)
                part.allgather(rank)
                part.Free()
        comm.Barrier()
        group.Free()
        """,
    ),
    Clean(
        "intercommunicators",
        """
        half = comm.Split(rank % 2, rank)
        inter = half.Create_intercomm(0, comm, 1 - rank % 2, tag=5)
        inter.Barrier()
        if rank % 2 == 0:
            inter.Bcast(small, root=MPI.ROOT if half.rank == 0 else MPI.PROC_NULL)
        else:
            inter.Bcast(small, root=0)
        inter.Allreduce(small, space)
        inter.allgather(rank)
        both = inter.Merge(high=rank % 2 == 1)
        both.Barrier()
        for one in (both, inter, half):
            one.Free()
        """,
    ),
    Clean(
        "duplicates that are complete later",
        """
        twin, request = comm.Idup()
        request.Wait()
        twin.Allreduce(small, space)
        twins = [comm.Idup() for _ in range(3)]
        for twin_, request in reversed(twins) if rank else twins:
            request.Wait()
        for number, (twin_, _) in enumerate(twins):
            twin_.Bcast(small, root=number % size)
            twin_.Free()
        twin.Free()
        """,
    ),
    Clean(
        "grids and graphs",
        """
        grid = comm.Create_cart([size, 1])
        line = grid.Sub([True, False])
        line.Allreduce(small, space)
        graph = comm.Create_graph(list(range(1, size + 1)), [(node + 1) % size for node in range(size)])
        graph.Barrier()
        node = comm.Split_type(MPI.COMM_TYPE_SHARED)
        node.Barrier()
        for one in (line, grid, graph, node):
            one.Free()
        """,
    ),
    Clean(
        "thousands of short-lived communicators",
        """
        for turn in range(1500):
            part = comm.Split(rank % 2 if turn % 2 else 0, rank)
            part.Barrier()
            part.Free()
        """,
    ),
    Clean(
        "communicators of one rank and of nobody else",
        """
        alone = MPI.COMM_SELF.Dup()
        for _ in range(rank + 1):
            alone.Barrier()
            MPI.COMM_SELF.allreduce(1)
        alone.Free()
        """,
    ),
    Clean(
        "windows in every synchronisation",
        """
        window = MPI.Win.Allocate(64, 8, comm=comm)
        window.Fence()
        window.Put(small, right)
        window.Fence()
        window.Lock(right)
        window.Accumulate(small, right)
        window.Unlock(right)
        window.Lock_all()
        window.Get(space, left)
        window.Flush_all()
        window.Unlock_all()
        comm.Barrier()
        window.Free()
        """,
    ),
    Clean(
        "files",
        """
        handle = MPI.File.Open(comm, "data.bin", MPI.MODE_CREATE | MPI.MODE_RDWR)
        handle.Set_view(8 * rank, MPI.DOUBLE)
        handle.Write_at_all(0, np.full(1, rank, float))
        handle.Set_view(0, MPI.BYTE)
        handle.Sync()
        comm.Barrier()
        if rank == 0:
            handle.Read_at(0, np.empty(1))
        handle.Seek(0)
        handle.Read_all(np.empty(1))
        handle.Close()
        """,
    ),
    Clean(
        "sessions only",
        """
        session = MPI.Session.Init()
        group = session.Create_group("mpi://WORLD")
        mine = MPI.Intracomm.Create_from_group(group, "test")
        mine.Barrier()
        mine.Allreduce(small, space)
        mine.Free()
        group.Free()
        session.Finalize()
        """,
    ),
    Clean(
        "rooted collectives of an intercommunicator, in both directions",
        """
        alone = rank == 0
        local = comm.Split(0 if alone else 1, rank)
        inter = local.Create_intercomm(0, comm, 1 if alone else 0)
        mine, others = inter.Get_size(), inter.Get_remote_size()
        for turn in range(3):
            for giving in (True, False):
                if alone == giving:
                    for root in range(mine):
                        own = MPI.ROOT if root == inter.Get_rank() else MPI.PROC_NULL
                        inter.reduce(None, op=MPI.MAX if turn else MPI.SUM, root=own)
                        inter.gather(None, root=own)
                        inter.bcast(turn, root=own)
                        counts = [1] * others if own == MPI.ROOT else None
                        inter.Gatherv(None, [np.empty(others), counts] if counts else None, root=own)
                        inter.Scatterv([np.ones(others), counts] if counts else None, None, root=own)
                else:
                    for root in range(others):
                        inter.reduce(rank, op=MPI.MAX if turn else MPI.SUM, root=root)
                        inter.gather(rank, root=root)
                        inter.bcast(None, root=root)
                        inter.Gatherv(np.ones(1), None, root=root)
                        inter.Scatterv(None, np.empty(1), root=root)
        inter.Free()
        local.Free()
        """,
        ranks=(2, 3, 4),
    ),
    Clean(
        "messages on communicators made where freed ones were",
        """
        for turn in range(6):
            other = comm.Dup()
            for _ in range(20):
                if rank == 0:
                    other.Send(small, dest=1)
                    other.Recv(space, source=1)
                elif rank == 1:
                    other.Recv(space, source=0)
                    other.Send(small, dest=0)
                    comm.Sendrecv(small, dest=1, recvbuf=space, source=1)
            other.Free()
        """,
        options={"history": 64},
    ),
    Clean(
        "a long wait for a message on a communicator made where a freed one was",
        """
        for messages in (3, 1):
            other = comm.Dup()
            for _ in range(messages):
                if rank == 0:
                    time.sleep(0 if messages > 1 else 2)
                    other.Send(small, dest=1)
                elif rank == 1:
                    other.Recv(space, source=0)
            other.Free()
        """,
    ),
]
